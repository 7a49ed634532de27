// SPDX-License-Identifier: Apache-2.0
#include "topologies/network_racks.h"

#include <algorithm>

namespace railyard {

NetworkRacks::NetworkRacks(const Hall& hall, const Site& site, int last_row, std::vector<OpenRack>& racks)
    : site_(&site), racks_(&racks) {
  // The network row of the last block that has begun stands behind its compute rows.
  if (site.network == NetworkPlace::own_rows) {
    const int block = site.compute_rows_per_network_row + 1;
    while (hall.compute_places(last_row) > 0 && last_row % block < (block + 1) / 2) ++last_row;
  }
  for (int row = 0; row <= last_row; ++row) {
    first_of_row_.push_back(places_.size());
    for (const Place& at : hall.places(row, true)) places_.push_back({at});
  }
  first_of_row_.push_back(places_.size());
}

bool NetworkRacks::put_in_row(std::size_t row, DeviceId device, const BoxNeeds& box) {
  for (std::size_t i = first_of_row_[row]; i < first_of_row_[row + 1]; ++i) {
    State& state = places_[i];
    if (state.rack == State::closed) {
      racks_->emplace_back(state.at, RackKind::network, -1, site_->rack);
      state.rack = racks_->size() - 1;
    }
    OpenRack& rack = (*racks_)[state.rack];
    const RackLimit limit = rack.refusal(box);
    if (limit == RackLimit::none) {
      rack.put_high(device, box);
      return true;
    }
    rack.note(limit);
  }
  return false;
}

void NetworkRacks::put_near(int row, DeviceId device, const BoxNeeds& box) {
  const int rows = static_cast<int>(first_of_row_.size()) - 1;
  row = std::clamp(row, 0, rows - 1);
  for (int distance = 0; distance < rows; ++distance) {
    const int before = row - distance, behind = row + distance;
    if (before >= 0 && put_in_row(static_cast<std::size_t>(before), device, box)) return;
    if (distance > 0 && behind < rows && put_in_row(static_cast<std::size_t>(behind), device, box)) return;
  }
  for (int place = 0; place < site_->hall.places; ++place) places_.push_back({Place{rows, place}});
  first_of_row_.push_back(places_.size());
  put_in_row(static_cast<std::size_t>(rows), device, box);  // an empty rack holds every box: checked before
}

}  // namespace railyard
