// SPDX-License-Identifier: Apache-2.0
#include "pricing/owner_cost.h"

#include <algorithm>
#include <cassert>

namespace railyard {
namespace {

constexpr double months_a_year = 12;

std::vector<OwnerInput> inputs_of(const OwnerTerms& terms, const OwnedCluster& cluster) {
  const DollarsPerJoule colo_unit = dollar / (kilowatt * month);
  const DollarsPerJoule tariff_unit = dollar / kilowatt_hour;
  const DollarsPerSecond monthly = dollar / month;
  const Frequency yearly = 1.0 / year;
  const Range<InterestRate>& wacc = terms.wacc.value;
  const bool capex_assumed = cluster.capex_assumed > Dollars{};
  return {
      {"capex", "Capital expenditure", "$", in_unit(cluster.capex, dollar), capex_assumed},
      {"gpus", "GPUs owned, spares too", "", Range<double>::exactly(cluster.gpus_owned), false},
      {"hours", "Hours of a month", "h", Range<double>::exactly(month.in(hour)), false},
      {"wacc",
       "Cost of capital",
       "1/year",
       {wacc.low.per_year, wacc.typical.per_year, wacc.high.per_year},
       terms.wacc.evidence.assumed()},
      {"life", "Life", "month", in_unit(terms.life.value, month), terms.life.evidence.assumed()},
      {"salvage_share", "Salvage, share of capex", "", terms.salvage_share.value,
       terms.salvage_share.evidence.assumed()},
      {"power", "Provisioned IT power", "kW", in_unit(cluster.provisioned, kilowatt), cluster.power_assumed},
      {"colo", "Colocation rate", "$/kW/month", in_unit(terms.colo.value, colo_unit), terms.colo.evidence.assumed()},
      {"load", "Average over provisioned power", "", terms.load.value, terms.load.evidence.assumed()},
      {"pue", "Power usage effectiveness", "", terms.pue.value, terms.pue.evidence.assumed()},
      {"energy", "Energy tariff", "$/kWh", in_unit(terms.energy.value, tariff_unit), terms.energy.evidence.assumed()},
      {"staff", "Staff per GPU", "$/month", in_unit(terms.staff_per_gpu.value, monthly),
       terms.staff_per_gpu.evidence.assumed()},
      {"maintenance", "Maintenance, share of capex", "1/year", in_unit(terms.maintenance.value, yearly),
       terms.maintenance.evidence.assumed()},
      {"insurance", "Insurance, share of capex", "1/year", in_unit(terms.insurance.value, yearly),
       terms.insurance.evidence.assumed()},
      {"software", "Licences and support per GPU", "$/month", in_unit(terms.software_per_gpu.value, monthly),
       terms.software_per_gpu.evidence.assumed()},
  };
}

FormulaRow computed(std::string id, std::string label, std::string unit, Expr expression) {
  return {std::move(id), std::move(label), std::move(unit), false, 0, std::move(expression)};
}

/// The rows after the inputs. The annuity is written in two forms: a rate of zero is a straight line.
std::vector<FormulaRow> cost_rows(Compounding compounding, bool free_capital) {
  const Expr monthly =
      compounding == Compounding::nominal ? ref("wacc") / months_a_year : growth(ref("wacc"), 1 / Expr(months_a_year));
  const Expr repaid = ref("capex") - ref("salvage");
  const Expr capital =
      free_capital ? repaid / ref("life") : payment(repaid, ref("monthly_rate"), ref("life"), ref("discount"));
  const Expr per_gpu_hour = ref("gpus") * ref("hours");
  return {
      computed("monthly_rate", "Cost of capital of a month", "1/month", monthly),
      computed("discount", "Discount at the end of life", "", pow(1 + ref("monthly_rate"), -ref("life"))),
      computed("salvage", "Discounted salvage", "$", ref("capex") * ref("salvage_share") * ref("discount")),
      computed("capital", "Annuity on capex less salvage", "$/month", capital),
      computed("colocation", "Colocation on provisioned power", "$/month", ref("power") * ref("colo")),
      computed("energy_cost", "Energy on average power and PUE", "$/month",
               ref("power") * ref("load") * ref("pue") * ref("energy") * ref("hours")),
      computed("staff_cost", "Staff", "$/month", ref("staff") * ref("gpus")),
      computed("maintenance_cost", "Maintenance", "$/month", ref("capex") * ref("maintenance") / months_a_year),
      computed("insurance_cost", "Insurance", "$/month", ref("capex") * ref("insurance") / months_a_year),
      computed("software_cost", "Licences and support", "$/month", ref("software") * ref("gpus")),
      computed("opex", "Operating cost", "$/month",
               ref("colocation") + ref("energy_cost") + ref("staff_cost") + ref("maintenance_cost") +
                   ref("insurance_cost") + ref("software_cost")),
      computed("total", "Owner cost", "$/month", ref("capital") + ref("opex")),
      computed("capital_per_gpu_hour", "Capital per owned GPU-hour", "$/h", ref("capital") / per_gpu_hour),
      computed("opex_per_gpu_hour", "Operating cost per owned GPU-hour", "$/h", ref("opex") / per_gpu_hour),
      computed("total_per_gpu_hour", "Owner cost per owned GPU-hour", "$/h", ref("total") / per_gpu_hour),
  };
}

std::vector<FormulaRow> rows_of(const std::vector<OwnerInput>& inputs, const Range<InterestRate>& wacc) {
  std::vector<FormulaRow> rows;
  for (const OwnerInput& input : inputs) {
    rows.push_back(
        {std::string(input.id), std::string(input.label), std::string(input.unit), true, input.range.typical, 0});
  }
  // Only a rate that is zero throughout is a straight line throughout.
  std::vector<FormulaRow> rest = cost_rows(wacc.typical.compounding, wacc.high.per_year == 0);
  std::move(rest.begin(), rest.end(), std::back_inserter(rows));
  return rows;
}

/// Share of the typical total that rests on assumed figures. The capex-based rows count by the assumed part of capex,
/// and whole when their own term is assumed; an assumed salvage counts with what it takes off the annuity.
double assumed_share(const std::vector<OwnerInput>& inputs, const OwnerCost& cost, double assumed_capex) {
  const auto value = [&](std::string_view id) { return value_of(cost.rows, cost.values, id); };
  const auto any_assumed = [&](std::initializer_list<std::string_view> ids) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const OwnerInput& input) {
      return input.assumed && std::find(ids.begin(), ids.end(), input.id) != ids.end();
    });
  };
  const double capex = value("capex");
  const double of_capex = capex > 0 ? std::min(1.0, assumed_capex / capex) : 0;
  const double salvage =
      any_assumed({"salvage_share"}) && capex > 0 ? value("salvage") / (capex - value("salvage")) : 0;
  double sum = value("capital") * (any_assumed({"wacc", "life"}) ? 1 : std::min(1.0, of_capex + salvage));
  sum += value("maintenance_cost") * (any_assumed({"maintenance"}) ? 1 : of_capex);
  sum += value("insurance_cost") * (any_assumed({"insurance"}) ? 1 : of_capex);
  if (any_assumed({"power", "colo"})) sum += value("colocation");
  if (any_assumed({"power", "load", "pue", "energy"})) sum += value("energy_cost");
  if (any_assumed({"staff"})) sum += value("staff_cost");
  if (any_assumed({"software"})) sum += value("software_cost");
  const double total = value("total");
  return total > 0 ? std::min(1.0, sum / total) : 0;
}

}  // namespace

OwnerModel::OwnerModel(const OwnerTerms& terms, const OwnedCluster& cluster)
    : gpus_(cluster.gpus_owned),
      capex_assumed_(cluster.capex_assumed.in(dollar)),
      inputs_(inputs_of(terms, cluster)),
      formula_(rows_of(inputs_, terms.wacc.value)),
      result_(formula_.place_of("total_per_gpu_hour")) {
  assert(cluster.gpus_owned > 0 && terms.life.value.low > Seconds{});
}

double OwnerModel::per_gpu_hour(std::span<const double> values) const {
  assert(values.size() == inputs_.size());
  std::vector<double> all(values.begin(), values.end());
  all.resize(formula_.rows().size());
  formula_.compute(all);
  return all[result_];
}

OwnerCost OwnerModel::cost() const {
  std::vector<Range<double>> ranges;
  for (const OwnerInput& input : inputs_) ranges.push_back(input.range);
  OwnerCost cost;
  cost.rows = formula_.rows();
  for (const FormulaRow& row : cost.rows) cost.values.push_back(row.value);
  formula_.compute(cost.values);
  const Corners corners =
      evaluate_corners(ranges, [this](std::span<const double> values) { return per_gpu_hour(values); });
  const Range<double>& hourly = corners.result;
  cost.per_gpu = {hourly.low * dollar_per_hour, hourly.typical * dollar_per_hour, hourly.high * dollar_per_hour};
  cost.total = cost.per_gpu * gpus_;
  cost.assumed_share = assumed_share(inputs_, cost, capex_assumed_);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].range.is_exact()) cost.swings.push_back({std::string(inputs_[i].id), corners.swings[i]});
  }
  return cost;
}

OwnerCost owner_cost(const OwnerTerms& terms, const OwnedCluster& cluster) { return OwnerModel(terms, cluster).cost(); }

}  // namespace railyard
