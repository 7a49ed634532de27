// SPDX-License-Identifier: Apache-2.0
#include "sim/study/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace railyard {
namespace {

/// What one side buys of a part.
struct Purchase {
  int quantity = 0;
  Range<Dollars> unit, total;
};

/// One part on both sides.
struct PartPair {
  std::string category;
  bool back_end = false;
  Purchase first, second;
};

using PartPairs = std::map<std::string, PartPair>;

void add_lines(PartPairs& pairs, const Capex& capex, Purchase PartPair::*side) {
  for (const CapexLine& line : capex.lines) {
    std::string key = line.category + "/" + line.part;
    if (line.length > Metres{}) key += fmt::format("/{:g} m", line.length.in(metre));  // cables are cut to a floor plan
    PartPair& pair = pairs[key];
    pair.category = line.category;
    pair.back_end = line.back_end;
    Purchase& purchase = pair.*side;
    purchase.quantity += line.quantity;
    purchase.unit = line.unit;
    purchase.total += line.total;
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
  const Purchase &a = pair.first, &b = pair.second;
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

  std::map<std::string, CategoryDifference> by_category;
  Range<Dollars> network, server, other;
  for (const auto& [name, pair] : pair_parts(left.capex, right.capex)) {
    const Range<Dollars> difference = difference_of(pair);
    CategoryDifference& category = by_category[pair.back_end ? "back-end " + pair.category : pair.category];
    category.first += pair.first.total;
    category.second += pair.second.total;
    category.difference += difference;
    const bool is_server = pair.category == to_string(BomCategory::server);
    (pair.back_end ? network : is_server ? server : other) += difference;
  }
  for (auto& [name, category] : by_category) {
    category.category = name;
    result.categories.push_back(category);
  }
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
