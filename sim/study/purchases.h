// SPDX-License-Identifier: Apache-2.0
// What the capex of a row is spent on, as charts and comparisons group it: the networks beside the back end stand on
// their own, and so do the spare servers.
#pragma once

#include <string_view>
#include <vector>

#include "sim/study/result.h"

namespace railyard {

enum class Purchase {
  servers,
  spare_servers,
  nics,      // those that no server's price includes
  switches,  // to fabric_managers: the back-end network
  modules,
  cables,
  fabric_managers,
  storage_network,
  management_networks,
  storage,
  management_servers,
  software,
  services,
};
inline constexpr int purchase_count = 13;
/// "servers of the job", "spare servers", "NICs", ...
[[nodiscard]] std::string_view to_string(Purchase purchase);
/// Part of the back-end network, as Capex::network counts it.
[[nodiscard]] constexpr bool is_back_end(Purchase purchase) {
  return purchase >= Purchase::switches && purchase <= Purchase::fabric_managers;
}

/// Of one line; servers are those of the job and the spare ones.
[[nodiscard]] Purchase purchase_of(const CapexLine& line);

struct PurchaseCost {
  Purchase purchase = Purchase::servers;
  Range<Dollars> cost;
};

/// Every purchase that costs something, in the order of the enumeration; they sum to row.capex.total(). Spare servers
/// take their share of the servers' lines by count.
[[nodiscard]] std::vector<PurchaseCost> purchases_of(const ResultRow& row);

}  // namespace railyard
