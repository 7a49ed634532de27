// SPDX-License-Identifier: Apache-2.0
#include "sim/study/owner_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/nearest_name.h"
#include "base/quantity_text.h"
#include "sim/study/pipeline.h"

namespace railyard {
namespace {

double number_of(const CsvFile& file, const CsvRecord& record, std::string_view column, double low, double high) {
  const QuantityText parsed = parse_number(record.at(column));
  if (parsed.ok() && parsed.base >= low && parsed.base <= high) return parsed.base;
  throw InputError({Diagnostic{.file = file.name,
                               .line = record.line,
                               .column = 1,
                               .path = std::string(column),
                               .message = fmt::format("found '{}'", record.at(column)),
                               .expected = fmt::format("expected a number from {:g} to {:g}", low, high)}});
}

/// Running costs among the rows of the owner cost, in the order in which they are printed.
constexpr std::pair<std::string_view, std::string_view> running_costs[] = {
    {"colocation", "colocation"},        {"energy_cost", "energy"},       {"staff_cost", "staff"},
    {"maintenance_cost", "maintenance"}, {"insurance_cost", "insurance"}, {"software_cost", "software"}};

std::vector<std::pair<std::string, double>> itemised(const ResultRow& row) {
  const auto value = [&](std::string_view id) { return value_of(row.owner.rows, row.owner.values, id); };
  const double gpu_hours = value("gpus") * value("hours");
  std::map<std::string, Dollars> capex;
  for (const CapexLine& line : row.capex.lines) capex[line.back_end ? "network" : line.category] += line.total.typical;
  const double per_dollar = value("capital") / gpu_hours / row.capex.total().typical.in(dollar);

  std::vector<std::pair<std::string, double>> items;
  for (const auto& [category, amount] : capex) {
    if (amount > Dollars()) items.emplace_back("capital: " + category, amount.in(dollar)*per_dollar);
  }
  std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [id, name] : running_costs) items.emplace_back(name, value(id) / gpu_hours);
  return items;
}

}  // namespace

std::vector<OwnerComparison> compare_owner_costs(const CsvFile& file, const std::string& price_book,
                                                 const Catalogue& catalogue) {
  require_columns(file, {"gpu", "buyer", "design", "gpus", "usd_per_gpu_hour", "source", "date"});
  std::vector<OwnerComparison> comparisons;
  for (const CsvRecord& record : file.records) {
    OwnerComparison comparison;
    comparison.gpu = record.at("gpu");
    comparison.buyer = record.at("buyer");
    comparison.design = record.at("design");
    comparison.source = record.at("source");
    comparison.date = record.at("date");
    comparison.gpus = static_cast<int>(number_of(file, record, "gpus", 1, 131072));
    comparison.published = number_of(file, record, "usd_per_gpu_hour", 0.01, 1000);

    RowRequest request;
    request.cluster.name = comparison.gpu;
    request.cluster.gpu = comparison.gpu;
    request.cluster.design = comparison.design;
    request.gpus = comparison.gpus;
    request.price_book = price_book;
    try {
      request.owner = catalogue.owner(comparison.buyer);
      const ResultRow row = price_cluster(request, catalogue).row;
      const auto hourly = [](DollarsPerSecond rate) { return rate.in(dollar_per_hour); };
      comparison.ours = {hourly(row.owner.per_gpu.low), hourly(row.owner.per_gpu.typical),
                         hourly(row.owner.per_gpu.high)};
      comparison.items = itemised(row);
    } catch (const InputError& error) {
      throw error.in(fmt::format("{}:{}", file.name, record.line));
    }
    comparison.difference = comparison.ours.typical - comparison.published;
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

}  // namespace railyard
