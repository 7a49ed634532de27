// SPDX-License-Identifier: Apache-2.0
#include "sim/study/difference.h"

#include <algorithm>
#include <map>

namespace railyard {
namespace {

enum class Bucket { network, server, other };

Bucket bucket_of(const CapexLine& line) {
  if (line.back_end) return Bucket::network;
  return line.category == to_string(BomCategory::server) ? Bucket::server : Bucket::other;
}

using Buckets = std::map<Bucket, Range<Dollars>>;

Buckets buckets_of(const Capex& capex) {
  Buckets sums;
  for (const CapexLine& line : capex.lines) sums[bucket_of(line)] += line.total;
  return sums;
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
  const auto add = [&](const Capex& capex, Range<Dollars> CategoryDifference::*side) {
    for (const CapexLine& line : capex.lines) {
      const std::string name = line.back_end ? "back-end " + line.category : line.category;
      by_category[name].category = name;
      by_category[name].*side += line.total;
    }
  };
  add(left.capex, &CategoryDifference::first);
  add(right.capex, &CategoryDifference::second);
  for (auto& [name, category] : by_category) result.categories.push_back(category);
  std::stable_sort(result.categories.begin(), result.categories.end(),
                   [](const CategoryDifference& a, const CategoryDifference& b) {
                     return a.difference().typical > b.difference().typical;
                   });

  Buckets a = buckets_of(left.capex), b = buckets_of(right.capex);
  const auto difference = [&](Bucket bucket) { return CategoryDifference{{}, a[bucket], b[bucket]}.difference(); };
  const Range<Dollars> network = difference(Bucket::network), server = difference(Bucket::server),
                       other = difference(Bucket::other);
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
