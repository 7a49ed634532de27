// SPDX-License-Identifier: Apache-2.0
// Random designs, counts, ratios, radices and sites: whatever is refused, each piece of its advice is had.
#include <random>

#include "tests/topologies/advice_case.h"
#include "tests/topologies/family_cluster.h"

using namespace railyard;
using namespace railyard::test;

namespace {

template <class... Values>
auto one_of(std::mt19937& random, Values... values) {
  const std::array list{values...};
  return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
}

/// A case of any family whose options were drawn without care.
WiringCase drawn(std::mt19937& random, const FamilyCluster& cluster) {
  WiringCase asked{cluster.design, cluster.server, 0};
  Design& design = asked.design;
  design.tiers = one_of(random, 0, 0, 1, 2, 3);
  design.oversubscription = one_of(random, 1.0, 0.7, 1.3, 2.0, 3.0, 5.0);
  design.oversubscribed_by = one_of(random, OversubscribedBy::fewer_uplinks, OversubscribedBy::more_downlinks);
  design.reserved_ports = one_of(random, 0, 0, 1, 3, 9);
  design.nodes_per_leaf = one_of(random, 0, 0, 2);
  design.group_leaves = one_of(random, 0, 0, 3);
  design.group_spines = design.topology == "dragonfly-plus" ? one_of(random, 0, 2, 3) : 0;
  design.ufm = design.planes == 1 && one_of(random, 0, 0, 1) == 1;
  if (design.topology == "scheduled-fabric" && one_of(random, 0, 1) == 1) design.leaf_ports = LeafPorts{6, 6};
  if (design.leaf_ports) design.oversubscription = 1;
  asked.gpus = std::uniform_int_distribution(1, 400)(random) * asked.server.gpus + one_of(random, 0, 0, 0, 1);
  if (one_of(random, 0, 1) == 1) {
    asked.site = shipped_site_of(one_of(random, "air-15kw", "air-40kw"));
    const Metres aisle = one_of(random, 1.2, 1.2, 8.0, 40.0) * metre;
    asked.site->hall.cold_aisle.value = {aisle, aisle, aisle};
    const Watts power = one_of(random, 15.0, 42.0, 8.0) * kilowatt;
    asked.site->rack.power.value = {power, power, power};
  }
  return asked;
}

}  // namespace

TEST_CASE("advice: random orders, refused for any reason, and all that is advised is had", "[topologies][slow]") {
  std::mt19937 random(20261201);
  const AdviceSources shipped = everything_shipped();
  int refused = 0;
  for (int round = 0; round < 150; ++round) {
    const std::vector<std::string> families = topology_names();
    const std::string& family = families[static_cast<std::size_t>(round) % families.size()];
    const int rails = one_of(random, 1, 2, 4, 7), planes = family == "dual-tor" ? one_of(random, 1, 2) : 1;
    FamilyCluster cluster(family, one_of(random, 8, 12, 16), one_of(random, 4, 8, 16), one_of(random, 8, 16), rails,
                          rails * one_of(random, 1, 2) + one_of(random, 0, 0, 1), planes);
    const WiringCase asked = drawn(random, cluster);
    CAPTURE(round, family, asked.gpus, rails, planes);
    const std::string message = refusal_with_tried_advice(asked, cluster.parts, shipped);
    if (message.empty()) continue;
    ++refused;
    INFO(message);
    CHECK_THAT(message, ContainsSubstring("\n   use "));
    CHECK_THAT(message, ContainsSubstring("error: "));
  }
  CHECK(refused > 60);
}
