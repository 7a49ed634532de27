// SPDX-License-Identifier: Apache-2.0
// The grid of a hall: which places of which rows are for nodes and which for network racks. Nothing here depends on the
// size of the cluster, so that places never move when it grows.
#pragma once

#include <vector>

#include "topologies/site.h"

namespace railyard {

struct Place {
  int row = 0, place = 0;
  bool operator==(const Place&) const = default;
};

class Hall {
 public:
  explicit Hall(const Site& site);

  [[nodiscard]] bool is_network(Place at) const;
  /// Places for nodes in a row: 0 for a network row.
  [[nodiscard]] int compute_places(int row) const;
  /// The places of one row that are for nodes, or for network racks.
  [[nodiscard]] std::vector<Place> places(int row, bool network) const;
  /// The first row from `row` on that has places for nodes.
  [[nodiscard]] int compute_row(int row) const;

 private:
  int places_ = 0, network_places_ = 0, first_network_ = 0;
  int block_rows_ = 0, network_row_ = 0;  // own rows: rows of a block, and which of them is for the network
};

}  // namespace railyard
