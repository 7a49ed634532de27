// SPDX-License-Identifier: Apache-2.0
#include "sim/study/purchases.h"

#include <array>

namespace railyard {

Purchase purchase_of(const CapexLine& line) {
  if (line.network == "storage") return Purchase::storage_network;
  if (line.network == "in-band" || line.network == "out-of-band") return Purchase::management_networks;
  const auto is = [&](BomCategory category) { return line.category == to_string(category); };
  if (is(BomCategory::server)) return Purchase::servers;
  if (is(BomCategory::nic)) return Purchase::nics;
  if (is(BomCategory::switch_)) return Purchase::switches;
  if (is(BomCategory::module)) return Purchase::modules;
  if (is(BomCategory::cable)) return Purchase::cables;
  if (is(BomCategory::management)) return line.back_end ? Purchase::fabric_managers : Purchase::management_servers;
  if (is(BomCategory::storage)) return Purchase::storage;
  return is(BomCategory::software) ? Purchase::software : Purchase::services;
}

std::string_view to_string(Purchase purchase) {
  static constexpr std::array<std::string_view, purchase_count> names{"servers of the job",
                                                                      "spare servers",
                                                                      "NICs",
                                                                      "switches",
                                                                      "modules",
                                                                      "cables",
                                                                      "fabric managers",
                                                                      "storage network",
                                                                      "management networks",
                                                                      "storage",
                                                                      "management servers",
                                                                      "software",
                                                                      "services"};
  return names[static_cast<std::size_t>(purchase)];
}

std::vector<PurchaseCost> purchases_of(const ResultRow& row) {
  std::array<Range<Dollars>, purchase_count> costs;
  const auto cost_of = [&](Purchase purchase) -> Range<Dollars>& { return costs[static_cast<std::size_t>(purchase)]; };
  for (const CapexLine& line : row.capex.lines) cost_of(purchase_of(line)) += line.total;
  const int bought = row.nodes + row.spare_nodes;
  if (bought > 0) {
    const Range<Dollars> all = cost_of(Purchase::servers);
    cost_of(Purchase::servers) = all * (static_cast<double>(row.nodes) / bought);
    cost_of(Purchase::spare_servers) = all * (static_cast<double>(row.spare_nodes) / bought);
  }
  std::vector<PurchaseCost> list;
  for (int i = 0; i < purchase_count; ++i) {
    const auto purchase = static_cast<Purchase>(i);
    if (cost_of(purchase).high > Dollars()) list.push_back({purchase, cost_of(purchase)});
  }
  return list;
}

}  // namespace railyard
