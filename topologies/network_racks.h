// SPDX-License-Identifier: Apache-2.0
// The racks of spines, cores and appliances: places kept free in the hall, filled nearest first. Used by
// floor_builder.cpp alone.
#pragma once

#include <cstddef>
#include <vector>

#include "topologies/rack_packing.h"

namespace railyard {

class NetworkRacks {
 public:
  /// The network places of rows 0 to `last_row`; racks that are opened are added to `racks`, which must outlive it.
  NetworkRacks(const Hall& hall, const Site& site, int last_row, std::vector<OpenRack>& racks);

  /// Puts a box into the rack with room that is nearest to a row, the lower row first. When the places kept free are
  /// used up, rows are added behind the last, all of them for network racks.
  void put_near(int row, DeviceId device, const BoxNeeds& box);

 private:
  struct State {
    Place at;
    std::size_t rack = closed;  // index into racks_
    static constexpr std::size_t closed = static_cast<std::size_t>(-1);
  };
  bool put_in_row(std::size_t row, DeviceId device, const BoxNeeds& box);

  const Site* site_;
  std::vector<OpenRack>* racks_;
  std::vector<State> places_;
  std::vector<std::size_t> first_of_row_;  // of places_, one more than rows
};

}  // namespace railyard
