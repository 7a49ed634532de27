// SPDX-License-Identifier: Apache-2.0
#include "sim/study/owner_validation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/study/owner_bridge.h"
#include "sim/study/pipeline.h"
#include "sim/study/purchases.h"

namespace railyard {
namespace {

/// Running costs among the rows of the owner cost, in the order in which they are printed.
constexpr std::pair<std::string_view, std::string_view> running_costs[] = {
    {"colocation", "colocation"},        {"energy_cost", "energy"},       {"staff_cost", "staff"},
    {"maintenance_cost", "maintenance"}, {"insurance_cost", "insurance"}, {"software_cost", "software"}};

/// Spares among the servers, the back-end network in one.
std::string capital_item(Purchase purchase) {
  if (purchase == Purchase::servers || purchase == Purchase::spare_servers) return "capital: servers";
  return "capital: " + std::string(is_back_end(purchase) ? "back-end network" : to_string(purchase));
}

std::vector<std::pair<std::string, double>> itemised(const ResultRow& row) {
  const auto value = [&](std::string_view id) { return value_of(row.owner.rows, row.owner.values, id); };
  const double gpu_hours = value("gpus") * value("hours");
  const double per_dollar = value("capital") / gpu_hours / row.capex.total().typical.in(dollar);

  std::vector<std::pair<std::string, double>> items;
  for (const PurchaseCost& each : purchases_of(row)) {
    const std::string name = capital_item(each.purchase);
    if (items.empty() || items.back().first != name) items.emplace_back(name, 0.0);
    items.back().second += each.cost.typical.in(dollar)*per_dollar;
  }
  for (const auto& [id, name] : running_costs) items.emplace_back(name, value(id) / gpu_hours);
  return items;
}

OwnerComparison comparison_of(const ResultRow& row, const OwnerTerms& terms, const PublishedOwnerCost& published,
                              std::span<const PublishedTerm> stated) {
  const auto hourly = [](DollarsPerSecond rate) { return rate.in(dollar_per_hour); };
  const Range<DollarsPerSecond>& ours = row.owner.per_gpu;
  return {.cluster = row.cluster,
          .gpu = published.gpu,
          .buyer = published.buyer,
          .design = row.design,
          .source = published.source,
          .date = published.date,
          .gpus = row.gpus,
          .published = published.usd_per_gpu_hour,
          .ours = {hourly(ours.low), hourly(ours.typical), hourly(ours.high)},
          .difference = hourly(ours.typical) - published.usd_per_gpu_hour,
          .items = itemised(row),
          .bridge = owner_bridge(row, terms, published, stated)};
}

}  // namespace

std::vector<OwnerComparison> compare_owner_costs(const CsvFile& file, std::span<const PublishedTerm> stated,
                                                 const std::string& price_book, const Catalogue& catalogue) {
  std::vector<OwnerComparison> comparisons;
  for (const PublishedOwnerCost& published : read_published_costs(file)) {
    RowRequest request;
    request.cluster.name = published.gpu;
    request.cluster.gpu = published.gpu;
    request.cluster.design = published.design;
    request.gpus = published.gpus;
    request.price_book = price_book;
    try {
      request.owner = catalogue.owner(published.buyer);
      comparisons.push_back(comparison_of(price_cluster(request, catalogue).row, request.owner, published, stated));
    } catch (const InputError& error) {
      throw error.in(published.place);
    }
  }
  return comparisons;
}

std::vector<OwnerComparison> beside_published(std::span<const ResultRow> rows, const OwnerTerms& owner,
                                              std::span<const PublishedOwnerCost> published,
                                              std::span<const PublishedTerm> stated) {
  std::vector<std::string> clusters;  // in the study's order
  for (const ResultRow& row : rows) {
    if (std::find(clusters.begin(), clusters.end(), row.cluster) == clusters.end()) clusters.push_back(row.cluster);
  }
  std::vector<OwnerComparison> comparisons;
  for (const std::string& cluster : clusters) {
    for (const PublishedOwnerCost& each : published) {
      const auto distance = [&](const ResultRow& row) {
        return std::fabs(std::log(static_cast<double>(row.gpus) / each.gpus));
      };
      const ResultRow* nearest = nullptr;
      for (const ResultRow& row : rows) {
        if (row.cluster != cluster || row.gpu != each.gpu || each.buyer != owner.buyer) continue;
        if (nearest == nullptr || distance(row) < distance(*nearest)) nearest = &row;
      }
      if (nearest != nullptr) comparisons.push_back(comparison_of(*nearest, owner, each, stated));
    }
  }
  return comparisons;
}

}  // namespace railyard
