// SPDX-License-Identifier: Apache-2.0
// Where the difference in capex between two clusters comes from, and what must hold for a stated share of it to be the
// network's (formula: share = dNet / (dNet + dServer + dOther), all of capex, never mixed with lifetime cost).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/study/result.h"

namespace railyard {

struct CategoryDifference {
  std::string category;  // what is bought (sim/study/purchases.h); servers are all servers, spare ones too
  Range<Dollars> first, second;
  /// first - second. What both buy at the same price differs by quantity alone; other prices take opposite ends.
  Range<Dollars> difference;
};

struct CapexDifference {
  std::string first, second;  // clusters
  int gpus = 0, servers = 0;
  std::vector<CategoryDifference> categories;  // in order of typical difference, largest first
  Dollars network, server, other;              // typical, first - second
  /// Network's share of the saving; none when there is no saving.
  std::optional<double> network_share;
  /// The share when server prices and network prices take the ends that make it smallest and largest; none when one
  /// corner is no saving.
  std::optional<double> network_share_low, network_share_high;
};

/// Compares two priced rows of one size.
[[nodiscard]] CapexDifference capex_difference(const ResultRow& left, const ResultRow& right);

/// How much dearer one server of `first` must be than one of `second` for the network to be `share` of the saving.
[[nodiscard]] Dollars server_gap_for_share(const CapexDifference& difference, double share);
/// The typical gap of this comparison.
[[nodiscard]] Dollars server_gap(const CapexDifference& difference);

}  // namespace railyard
