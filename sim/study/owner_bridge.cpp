// SPDX-License-Identifier: Apache-2.0
#include "sim/study/owner_bridge.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/dates.h"
#include "base/diagnostic.h"
#include "sim/study/purchases.h"

namespace railyard {
namespace {

constexpr int most_months = 12;  // DESIGN 5.4: farther away a quote is no evidence of that date

const Dollars thousand = 1e3 * dollar;
const DollarsPerJoule colo_unit = dollar / (kilowatt * month);
const DollarsPerJoule tariff_unit = dollar / kilowatt_hour;
const DollarsPerSecond yearly = dollar / year;

/// What an owner cost is made of: ours at first, then with terms of the publisher in it.
struct Terms {
  OwnerTerms owner;
  Dollars servers, storage, rest;                  // of the capex
  Watts power;                                     // provisioned, of IT
  double gpus = 0;                                 // owned
  std::optional<DollarsPerSecond> capital_charge;  // a GPU, in place of the annuity

  [[nodiscard]] Dollars capex() const { return servers + storage + rest; }
};

Terms terms_of(const ResultRow& row, const OwnerTerms& owner) {
  Terms terms{.owner = owner,
              .servers = {},
              .storage = {},
              .rest = {},
              .power = row.provisioned.typical,
              .gpus = value_of(row.owner.rows, row.owner.values, "gpus"),
              .capital_charge = {}};
  for (const PurchaseCost& each : purchases_of(row)) {
    const bool server = each.purchase == Purchase::servers || each.purchase == Purchase::spare_servers;
    Dollars& part = server ? terms.servers : each.purchase == Purchase::storage ? terms.storage : terms.rest;
    part += each.cost.typical;
  }
  return terms;
}

/// Typical $/h of an owned GPU.
double cost_of(const Terms& terms) {
  const OwnerCost cost = owner_cost(terms.owner, {.capex = Range<Dollars>::exactly(terms.capex()),
                                                  .capex_assumed = {},
                                                  .provisioned = Range<Watts>::exactly(terms.power),
                                                  .power_assumed = false,
                                                  .gpus_owned = static_cast<int>(std::lround(terms.gpus))});
  const auto value = [&](std::string_view id) { return value_of(cost.rows, cost.values, id); };
  if (!terms.capital_charge) return value("total_per_gpu_hour");
  return terms.capital_charge->in(dollar_per_hour) + value("opex_per_gpu_hour");
}

/// The capital charge of an owned GPU in $/h.
double capital_of(Terms terms) {
  const double all = cost_of(terms);
  terms.capital_charge = DollarsPerSecond{};
  return all - cost_of(terms);
}

/// The value of a term, in info(kind).unit.
double value_in(const Terms& terms, OwnerTermKind kind) {
  const OwnerTerms& owner = terms.owner;
  switch (kind) {
    case OwnerTermKind::server_price:
      return terms.servers.in(thousand) / terms.gpus;
    case OwnerTermKind::capex_without_storage:
      return (terms.servers + terms.rest).in(thousand) / terms.gpus;
    case OwnerTermKind::capex:
      return terms.capex().in(thousand) / terms.gpus;
    case OwnerTermKind::wacc:
      return 100 * owner.wacc.value.typical.effective();
    case OwnerTermKind::life:
      return owner.life.value.typical.in(year);
    case OwnerTermKind::salvage:
      return 100 * owner.salvage_share.value.typical;
    case OwnerTermKind::capital:
      return capital_of(terms);
    case OwnerTermKind::pue:
      return owner.pue.value.typical;
    case OwnerTermKind::power:
      return terms.power.in(kilowatt)*owner.pue.value.typical / terms.gpus;
    case OwnerTermKind::colo:
      return owner.colo.value.typical.in(colo_unit);
    case OwnerTermKind::load:
      return 100 * owner.load.value.typical;
    case OwnerTermKind::energy:
      return owner.energy.value.typical.in(tariff_unit);
    case OwnerTermKind::staff:
      return owner.staff_per_gpu.value.typical.in(yearly);
    case OwnerTermKind::maintenance:
      return 100 * owner.maintenance.value.typical.in(1.0 / year);
    case OwnerTermKind::insurance:
      return 100 * owner.insurance.value.typical.in(1.0 / year);
    case OwnerTermKind::software:
      break;
  }
  return owner.software_per_gpu.value.typical.in(yearly);
}

template <class T>
void set(Figure<T>& figure, T value) {
  figure.value = Range<T>::exactly(value);
}

/// Puts a value in place. A capex that is stated leaves the servers at their price and changes the rest; the power is
/// that of IT which, at the PUE that stands, draws the stated one at the meter.
void put(Terms& terms, OwnerTermKind kind, double value) {
  OwnerTerms& owner = terms.owner;
  switch (kind) {
    case OwnerTermKind::server_price:
      terms.servers = value * terms.gpus * thousand;
      break;
    case OwnerTermKind::capex_without_storage:
      terms.rest = value * terms.gpus * thousand - terms.servers;
      break;
    case OwnerTermKind::capex:
      terms.rest = value * terms.gpus * thousand - terms.servers - terms.storage;
      break;
    case OwnerTermKind::wacc:
      set(owner.wacc, InterestRate{value / 100, Compounding::effective});
      break;
    case OwnerTermKind::life:
      set(owner.life, value * year);
      break;
    case OwnerTermKind::salvage:
      set(owner.salvage_share, value / 100);
      break;
    case OwnerTermKind::capital:
      terms.capital_charge = value * dollar_per_hour;
      break;
    case OwnerTermKind::pue:
      set(owner.pue, value);
      break;
    case OwnerTermKind::power:
      terms.power = value * terms.gpus / owner.pue.value.typical * kilowatt;
      break;
    case OwnerTermKind::colo:
      set(owner.colo, value * colo_unit);
      break;
    case OwnerTermKind::load:
      set(owner.load, value / 100);
      break;
    case OwnerTermKind::energy:
      set(owner.energy, value * tariff_unit);
      break;
    case OwnerTermKind::staff:
      set(owner.staff_per_gpu, value * yearly);
      break;
    case OwnerTermKind::maintenance:
      set(owner.maintenance, value / 100 / year);
      break;
    case OwnerTermKind::insurance:
      set(owner.insurance, value / 100 / year);
      break;
    case OwnerTermKind::software:
      set(owner.software_per_gpu, value * yearly);
      break;
  }
}

/// The term of a kind that is meant for this cost: one for its GPU and buyer before one for either, that before one
/// for all.
const PublishedTerm* meant(OwnerTermKind kind, const PublishedOwnerCost& published,
                           std::span<const PublishedTerm> stated) {
  const PublishedTerm* best = nullptr;
  const auto closeness = [](const PublishedTerm& term) {
    return (term.gpu.empty() ? 0 : 1) + (term.buyer.empty() ? 0 : 1);
  };
  for (const PublishedTerm& term : stated) {
    if (term.kind != kind || term.publisher != published.publisher) continue;
    if (!term.gpu.empty() && term.gpu != published.gpu) continue;
    if (!term.buyer.empty() && term.buyer != published.buyer) continue;
    if (best != nullptr && closeness(*best) == closeness(term)) {
      throw InputError(fmt::format("{}: the {} of {} {} is stated at {} too", term.place, info(kind).label,
                                   published.gpu, published.buyer, best->place),
                       "leave one of them out");
    }
    if (best == nullptr || closeness(*best) < closeness(term)) best = &term;
  }
  return best;
}

}  // namespace

OwnerBridge owner_bridge(const ResultRow& row, const OwnerTerms& terms, const PublishedOwnerCost& published,
                         std::span<const PublishedTerm> stated) {
  const Terms ours = terms_of(row, terms);
  const double start = cost_of(ours);
  OwnerBridge bridge;
  Terms reached = ours;
  double before = start;
  for (int i = 0; i < owner_term_count; ++i) {
    const auto kind = static_cast<OwnerTermKind>(i);
    const OwnerTermInfo& what = info(kind);
    const PublishedTerm* term = published.publisher.empty() ? nullptr : meant(kind, published, stated);
    if (term == nullptr) {
      bridge.not_stated.emplace_back(what.label);
      continue;
    }
    BridgeStep step{.term = std::string(what.key),
                    .label = std::string(what.label),
                    .unit = std::string(what.unit),
                    .ours = value_in(ours, kind),
                    .published = term->value,
                    .change = 0,
                    .alone = 0,
                    .source = term->source,
                    .date = term->date};
    if (months_between(published.date, term->date).value_or(most_months + 1) > most_months) {
      bridge.stated_elsewhen.push_back(std::move(step));
      continue;
    }
    Terms alone = ours;
    put(alone, kind, term->value);
    step.alone = cost_of(alone) - start;
    put(reached, kind, term->value);
    const double after = cost_of(reached);
    step.change = after - before;
    before = after;
    bridge.steps.push_back(std::move(step));
  }
  bridge.unexplained = published.usd_per_gpu_hour - before;
  return bridge;
}

}  // namespace railyard
