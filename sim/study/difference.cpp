// SPDX-License-Identifier: Apache-2.0
#include "sim/study/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/study/purchases.h"

namespace railyard {
namespace {

/// What one side buys of a part.
struct Bought {
  int quantity = 0;
  Range<Dollars> unit, total;
};

/// One part on both sides.
struct PartPair {
  Bought first, second;
};

using PartPairs = std::map<std::pair<Purchase, std::string>, PartPair>;

void add_lines(PartPairs& pairs, const Capex& capex, Bought PartPair::*side) {
  for (const CapexLine& line : capex.lines) {
    std::string part = line.part;
    if (line.length > Metres{})
      part += fmt::format("/{:g} m", line.length.in(metre));  // cables are cut to a floor plan
    Bought& bought = pairs[{purchase_of(line), part}].*side;
    bought.quantity += line.quantity;
    bought.unit = line.unit;
    bought.total += line.total;
  }
}

/// Parts of both bills by name; a part of one side alone has quantity 0 on the other.
PartPairs pair_parts(const Capex& left, const Capex& right) {
  PartPairs pairs;
  add_lines(pairs, left, &PartPair::first);
  add_lines(pairs, right, &PartPair::second);
  return pairs;
}

Range<Dollars> difference_of(const PartPair& pair) {
  const Bought &a = pair.first, &b = pair.second;
  if (a.quantity > 0 && b.quantity > 0 && a.unit == b.unit) {
    const double more = a.quantity - b.quantity;
    const Range<Dollars> each = a.unit * std::fabs(more);
    if (more >= 0) return each;
    return {-each.high, -each.typical, -each.low};
  }
  return {a.total.low - b.total.high, a.total.typical - b.total.typical, a.total.high - b.total.low};
}

std::optional<double> share_of(Dollars network, Dollars server, Dollars other) {
  const Dollars saving = network + server + other;
  if (saving <= Dollars()) return std::nullopt;
  return network / saving;
}

}  // namespace

CapexDifference capex_difference(const ResultRow& left, const ResultRow& right) {
  CapexDifference result;
  result.first = left.cluster;
  result.second = right.cluster;
  result.gpus = left.gpus;
  result.servers = left.nodes + left.spare_nodes;

  std::map<Purchase, CategoryDifference> by_purchase;
  Range<Dollars> network, server, other;
  for (const auto& [key, pair] : pair_parts(left.capex, right.capex)) {
    const Purchase purchase = key.first;
    const Range<Dollars> difference = difference_of(pair);
    CategoryDifference& category = by_purchase[purchase];
    category.category = purchase == Purchase::servers ? "servers" : to_string(purchase);
    category.first += pair.first.total;
    category.second += pair.second.total;
    category.difference += difference;
    (is_back_end(purchase) ? network : purchase == Purchase::servers ? server : other) += difference;
  }
  for (const auto& [purchase, category] : by_purchase) result.categories.push_back(category);
  std::stable_sort(result.categories.begin(), result.categories.end(),
                   [](const CategoryDifference& a, const CategoryDifference& b) {
                     return a.difference.typical > b.difference.typical;
                   });

  result.network = network.typical;
  result.server = server.typical;
  result.other = other.typical;
  result.network_share = share_of(network.typical, server.typical, other.typical);
  result.network_share_low = share_of(network.low, server.high, other.typical);
  result.network_share_high = share_of(network.high, server.low, other.typical);
  return result;
}

Dollars server_gap_for_share(const CapexDifference& difference, double share) {
  return (difference.network / share - difference.network - difference.other) / difference.servers;
}

Dollars server_gap(const CapexDifference& difference) { return difference.server / difference.servers; }

}  // namespace railyard
