// SPDX-License-Identifier: Apache-2.0
#include "topologies/hall.h"

namespace railyard {

Hall::Hall(const Site& site) : places_(site.hall.places) {
  switch (site.network) {
    case NetworkPlace::own_rows:
      block_rows_ = site.compute_rows_per_network_row + 1;
      network_row_ = (site.compute_rows_per_network_row + 1) / 2;
      break;
    case NetworkPlace::row_middle:
      network_places_ = site.network_places;
      first_network_ = (places_ - network_places_) / 2;
      break;
    case NetworkPlace::row_end:
      network_places_ = site.network_places;
      first_network_ = places_ - network_places_;
      break;
  }
}

bool Hall::is_network(Place at) const {
  if (block_rows_ > 0) return at.row % block_rows_ == network_row_;
  return at.place >= first_network_ && at.place < first_network_ + network_places_;
}

int Hall::compute_places(int row) const {
  if (block_rows_ > 0) return row % block_rows_ == network_row_ ? 0 : places_;
  return places_ - network_places_;
}

std::vector<Place> Hall::places(int row, bool network) const {
  std::vector<Place> places;
  for (int place = 0; place < places_; ++place) {
    if (is_network({row, place}) == network) places.push_back({row, place});
  }
  return places;
}

int Hall::compute_row(int row) const {
  while (compute_places(row) == 0) ++row;
  return row;
}

}  // namespace railyard
