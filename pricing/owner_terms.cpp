// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "pricing/optional_key.h"
#include "pricing/owner_cost.h"

namespace railyard {
namespace {

constexpr double largest_pue = 3;

/// A plain value of the study counts as the user's own figure.
template <class T>
Figure<T> users_own(T value) {
  return {Range<T>::exactly(value), {.kind = EvidenceKind::sourced, .source = "study", .date = {}, .rule = {}}};
}

}  // namespace

OwnerTerms read_owner(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  const Sources sources = root.sources();
  OwnerTerms terms;
  terms.buyer = root.text("buyer");
  static_cast<void>(root.text("description"));  // for people
  terms.wacc = root.interest_figure("wacc", sources);
  terms.life = root.figure("life", units::time, sources, Bound::positive);
  terms.salvage_share = root.number_figure("salvage", sources, 0, 1);
  terms.colo = root.figure("colo", units::capacity_charge, sources);
  terms.energy = root.figure("energy", units::tariff, sources);
  terms.pue = root.number_figure("pue", sources, 1, largest_pue);
  terms.load = root.number_figure("load", sources, 0, 1);
  terms.staff_per_gpu = root.figure("staff", units::money_rate, sources);
  terms.maintenance = root.figure("maintenance", units::yearly_share, sources);
  terms.insurance = root.figure("insurance", units::yearly_share, sources);
  terms.software_per_gpu = root.figure("software", units::money_rate, sources);
  root.finish();
  diagnostics.throw_if_any();
  return terms;
}

OwnerTerms load_owner(const std::filesystem::path& folder, std::string_view buyer) {
  return read_owner(YamlDocument::load(yaml_path(folder, "buyer", buyer)));
}

OwnerTerms read_owner_overrides(OwnerTerms terms, YamlMap study) {
  terms.buyer = study.text("buyer", terms.buyer);
  if (offers(study, "wacc")) terms.wacc = users_own(study.interest("wacc"));
  if (offers(study, "life")) terms.life = users_own(study.quantity("life", units::time, Bound::positive));
  if (offers(study, "salvage")) terms.salvage_share = users_own(study.share("salvage"));
  if (offers(study, "colo")) terms.colo = users_own(study.quantity("colo", units::capacity_charge));
  if (offers(study, "energy")) terms.energy = users_own(study.quantity("energy", units::tariff));
  if (offers(study, "pue")) terms.pue = users_own(study.number("pue", 1, largest_pue));
  if (offers(study, "load")) terms.load = users_own(study.share("load"));
  if (offers(study, "staff")) terms.staff_per_gpu = users_own(study.quantity("staff", units::money_rate));
  if (offers(study, "maintenance")) terms.maintenance = users_own(study.quantity("maintenance", units::yearly_share));
  if (offers(study, "insurance")) terms.insurance = users_own(study.quantity("insurance", units::yearly_share));
  if (offers(study, "software")) terms.software_per_gpu = users_own(study.quantity("software", units::money_rate));
  study.finish();
  return terms;
}

}  // namespace railyard
