// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "pricing/owner_cost.h"
#include "topologies/reading.h"

namespace railyard {
namespace {

// Generous bounds: what lies outside is a slip of the pen (pricing/FORMAT.md has them in a table).
constexpr double largest_pue = 5;
constexpr double largest_rate = 2;  // of interest, a year
constexpr Limits life{"1 month", "50 year"};
constexpr Limits colo{"0", "100000 $/kW/month"};
constexpr Limits energy{"0", "100 $/kWh"};
constexpr Limits per_gpu{"0", "1 M$/year"};
constexpr Limits capex_share{"0", "100 %/year"};

/// Records a mistake when the rate under `key` is beyond the largest one; one that the reader refuses is told already.
InterestRate checked(YamlMap& map, std::string_view key, InterestRate rate) {
  constexpr double refused = 10;
  if (rate.per_year > largest_rate && rate.per_year <= refused) {
    map.fail(key, "found '" + to_text(rate) + "'", "expected a rate of interest from 0 to 200 %/year");
  }
  return rate;
}

Figure<InterestRate> read_wacc(YamlMap& root, const Sources& sources) {
  const Figure<InterestRate> wacc = root.interest_figure("wacc", sources);
  if (wacc.value.high.per_year > largest_rate) {
    YamlMap parts = root.map("wacc");
    checked(parts, parts.has("value") ? "value" : "high", wacc.value.high);
  }
  return wacc;
}

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
  check_named_as_file(root, "buyer", terms.buyer, document);
  terms.wacc = read_wacc(root, sources);
  terms.life = limited_figure(root, "life", units::time, sources, life);
  terms.salvage_share = root.number_figure("salvage", sources, 0, 1);
  terms.colo = limited_figure(root, "colo", units::capacity_charge, sources, colo);
  terms.energy = limited_figure(root, "energy", units::tariff, sources, energy);
  terms.pue = root.number_figure("pue", sources, 1, largest_pue);
  terms.load = root.number_figure("load", sources, 0, 1);
  terms.staff_per_gpu = limited_figure(root, "staff", units::money_rate, sources, per_gpu);
  terms.maintenance = limited_figure(root, "maintenance", units::yearly_share, sources, capex_share);
  terms.insurance = limited_figure(root, "insurance", units::yearly_share, sources, capex_share);
  terms.software_per_gpu = limited_figure(root, "software", units::money_rate, sources, per_gpu);
  root.finish();
  diagnostics.throw_if_any();
  return terms;
}

OwnerTerms load_owner(const std::filesystem::path& folder, std::string_view buyer) {
  return read_owner(YamlDocument::load(yaml_path(folder, "buyer", buyer)));
}

OwnerTerms read_owner_overrides(OwnerTerms terms, YamlMap study) {
  terms.buyer = study.text("buyer", terms.buyer);
  if (study.has("wacc")) terms.wacc = users_own(checked(study, "wacc", study.interest("wacc")));
  if (study.has("life")) terms.life = users_own(limited(study, "life", units::time, life));
  if (study.has("salvage")) terms.salvage_share = users_own(study.share("salvage"));
  if (study.has("colo")) terms.colo = users_own(limited(study, "colo", units::capacity_charge, colo));
  if (study.has("energy")) terms.energy = users_own(limited(study, "energy", units::tariff, energy));
  if (study.has("pue")) terms.pue = users_own(study.number("pue", 1, largest_pue));
  if (study.has("load")) terms.load = users_own(study.share("load"));
  if (study.has("staff")) terms.staff_per_gpu = users_own(limited(study, "staff", units::money_rate, per_gpu));
  if (study.has("maintenance"))
    terms.maintenance = users_own(limited(study, "maintenance", units::yearly_share, capex_share));
  if (study.has("insurance")) {
    terms.insurance = users_own(limited(study, "insurance", units::yearly_share, capex_share));
  }
  if (study.has("software")) terms.software_per_gpu = users_own(limited(study, "software", units::money_rate, per_gpu));
  study.finish();
  return terms;
}

}  // namespace railyard
