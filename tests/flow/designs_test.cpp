// SPDX-License-Identifier: Apache-2.0
// Routing on every shipped design, whole and damaged, and what hashing costs on the largest.
#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "base/diagnostic.h"
#include "sim/network/flow/paths.h"
#include "sim/network/flow/slowdown.h"
#include "sim/network/flow/ways.h"
#include "sim/network/link_loads.h"
#include "tests/catch.h"
#include "tests/flow/fixture.h"
#include "topologies/design.h"

namespace railyard {
namespace {

const Parts& parts() {
  static const Parts all = load_parts(RAILYARD_SOURCE_DIR "/topologies/parts");
  return all;
}

Design design(const std::string& name) { return load_design(RAILYARD_SOURCE_DIR "/topologies/designs", name); }

Fabric build(const Design& design, int gpus) {
  return build_fabric(design, parts(), parts().server(design.servers.front()), gpus);
}

/// Nearest count that the design can wire, going up in nodes.
Fabric build_near(const Design& design, int gpus) {
  const int node = parts().server(design.servers.front()).gpus;
  for (int more = 0;; ++more) {
    try {
      return build(design, (gpus / node + more) * node);
    } catch (const InputError&) {
      if (more == 64) throw;
    }
  }
}

Fabric damaged(const Fabric& whole, unsigned per_mille, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<LinkId> removed;
  for (std::size_t i = 0; i < whole.links().size(); ++i) {
    if (whole.links()[i].layer != Layer::node_leaf && random() % 1000 < per_mille) {
      removed.push_back(LinkId{static_cast<std::uint32_t>(i)});
    }
  }
  return whole.without(removed);
}

std::vector<int> leaf_classes(const Fabric& fabric, const SwitchClasses& classes) {
  std::vector<int> found;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    if (fabric.devices()[i].kind == DeviceKind::leaf) {
      found.push_back(classes.class_of(DeviceId{static_cast<std::uint32_t>(i)}));
    }
  }
  return found;
}

/// What a spray brings into every class less what it takes out of it.
std::map<int, double> balance(const SwitchClasses& classes, std::span<const Use> uses) {
  std::map<int, double> sums;
  std::vector<std::pair<int, int>> ends(static_cast<std::size_t>(classes.bundle_count()));
  for (int from = 0; from < classes.count(); ++from) {
    for (const SwitchClasses::Bundle& bundle : classes.bundles(from)) {
      if (bundle.forward) ends[static_cast<std::size_t>(bundle.index)] = {from, bundle.to};
    }
  }
  for (const Use& use : uses) {
    const auto [near, far] = ends[use.resource / 2];
    const bool forward = use.resource % 2 == 0;
    sums[forward ? near : far] -= use.fraction;
    sums[forward ? far : near] += use.fraction;
  }
  return sums;
}

}  // namespace

TEST_CASE("on every design, whole or damaged, what enters a switch leaves it", "[flow]") {
  const unsigned per_mille = GENERATE(0U, 5U, 50U);
  for (const std::string& name : design_names(RAILYARD_SOURCE_DIR "/topologies/designs")) {
    CAPTURE(name, per_mille);
    const Design recipe = design(name);
    const Fabric fabric = damaged(build_near(recipe, recipe.tiers == 1 ? 16 : 512), per_mille, 3);
    const SwitchClasses classes(fabric);
    const Ways ways(classes);
    const std::vector<int> leaves = leaf_classes(fabric, classes);
    std::vector<Use> uses;
    for (std::size_t i = 0; i < leaves.size(); i += 3) {
      for (std::size_t j = 0; j < leaves.size(); j += 2) {
        if (i == j || ways.towards(leaves[j]).steps(leaves[i]) < 0) continue;
        uses.clear();
        ways.spray(leaves[i], leaves[j], 0, uses);
        for (const Use& use : uses) REQUIRE((use.fraction > 0 && use.fraction < 1 + 1e-12));
        for (const auto& [index, sum] : balance(classes, uses)) {
          REQUIRE_THAT(sum, WithinAbs(index == leaves[i] ? -1 : index == leaves[j] ? 1 : 0, 1e-12));
        }
      }
    }
  }
}

TEST_CASE("every design carries a permutation, sprayed no slower than hashed", "[flow][slow]") {
  for (const std::string& name : design_names(RAILYARD_SOURCE_DIR "/topologies/designs")) {
    CAPTURE(name);
    const Design recipe = design(name);
    const Fabric fabric = build_near(recipe, recipe.tiers == 1 ? 16 : 512);
    const EndLimits ends{.scale_up_gpus = parts().gpu(parts().server(recipe.servers.front()).gpu).scale_up_gpus};
    const Traffic traffic = permutation_traffic(fabric.shape().gpus, 1e9, 5);
    const double sprayed = slowdown(FlowNetwork(fabric, ends), traffic);
    const double hashed = ecmp_slowdowns(fabric, ends, {}, traffic, std::vector<std::uint64_t>{1}).front();
    CHECK(sprayed >= 1);
    CHECK(hashed >= sprayed * (1 - 1e-9));
    // A connection for each thousandth of a message is nearly a spray.
    const double many =
        ecmp_slowdowns(fabric, ends, {.connections = 1000}, traffic, std::vector<std::uint64_t>{1}).front();
    CHECK(many <= sprayed * 1.4);
  }
}

TEST_CASE("on whole trees sprayed traffic takes what the tightest cut says", "[flow]") {
  // The closed form over cuts (link_loads.h) and the sum over all ways of all messages; a dragonfly's shortest ways do
  // not share its global links as a cut would have it.
  for (const std::string& name : design_names(RAILYARD_SOURCE_DIR "/topologies/designs")) {
    const Design recipe = design(name);
    const Fabric fabric = build_near(recipe, recipe.tiers == 1 ? 16 : 512);
    const bool tree = std::ranges::none_of(fabric.links(), [&](const Link& link) {
      return fabric.device(link.lower).kind == fabric.device(link.upper).kind;
    });
    if (!tree) continue;
    const int gpus = fabric.shape().gpus,
              domain = parts().gpu(parts().server(recipe.servers.front()).gpu).scale_up_gpus;
    const FabricMap map(fabric, 1);
    const Placement placement(map, domain);
    const FlowNetwork network(fabric, {.scale_up_gpus = domain});
    for (const Traffic& traffic : {permutation_traffic(gpus, 1, 3), shift_traffic(gpus, gpus / 2, 1)}) {
      CAPTURE(name);
      LinkLoads loads(map);
      for (const Message& message : traffic) {
        if (placement.domain(message.from) == placement.domain(message.to)) continue;
        const Hop hop = placement.hop(message.from, message.to);
        loads.add(hop.from_nic, hop.to_nic, message.bytes);
      }
      const double cut = loads.fullest().congestion;
      CHECK_THAT(lockstep_time(network, network.route(traffic), traffic).time, WithinRel(cut, 1e-9));
    }
  }
}

TEST_CASE("a few failed links cost what the tightest cut says, to a twentieth", "[flow]") {
  // Cuts are what no routing can beat. Three tiers with four links between a spine and a core: a core that has lost one
  // of them still takes its three quarters, not half of all.
  const Fabric whole = build(design("ndr-rail"), 4096);
  const unsigned per_mille = GENERATE(1U, 5U, 10U);
  const Fabric fabric = damaged(whole, per_mille, 5);
  const bool permuted = GENERATE(false, true);
  const Traffic traffic = permuted ? permutation_traffic(4096, 1, 3) : shift_traffic(4096, 256, 1);
  const FabricMap map(fabric, 1);
  LinkLoads loads(map);
  for (const Message& message : traffic) loads.add(map.nic(message.from), map.nic(message.to), 1);
  const double cut = loads.fullest().congestion;
  const FlowNetwork network(fabric, {.scale_up_gpus = 1}, {.change_rails = false});
  const double found = lockstep_time(network, network.route(traffic), traffic).time;
  CHECK(found >= cut * (1 - 1e-9));
  CHECK(found <= cut * 1.05);
}

TEST_CASE("planes share a message by what their ports can take", "[flow]") {
  const Fabric whole = build(design("spectrum-x-dual-plane"), 128);
  const Traffic traffic{{8, 100, 100e9}};
  const auto seconds = [&](const Fabric& fabric) {
    const FlowNetwork network(fabric, {});
    return lockstep_time(network, network.route(traffic), traffic).time;
  };
  // Two ports of 400 Gb/s.
  CHECK_THAT(seconds(whole), WithinRel(1.0, 1e-12));
  const LinkId first = whole.nic_link(8, 0), second_port = whole.nic_link(8, 1), other = whole.nic_link(100, 1);
  CHECK_THAT(seconds(whole.without(std::vector{first})), WithinRel(2.0, 1e-12));
  CHECK_THAT(seconds(whole.without(std::vector{second_port})), WithinRel(2.0, 1e-12));
  CHECK_THROWS_AS(seconds(whole.without(std::vector{first, second_port})), InputError);
  // One has only plane 1 left, the other only plane 0: disjoint planes do not lead from one to the other.
  CHECK_THROWS_WITH(seconds(whole.without(std::vector{first, other})), ContainsSubstring("GPU 8 cannot reach GPU 100"));
}

TEST_CASE("a failed switch is gone round", "[flow]") {
  const Fabric whole = build(design("ndr-rail"), 1024);
  std::vector<DeviceId> spines;
  for (std::size_t i = 0; i < whole.devices().size(); ++i) {
    if (whole.devices()[i].kind == DeviceKind::spine) spines.push_back(DeviceId{static_cast<std::uint32_t>(i)});
  }
  const Fabric broken = whole.without_devices(std::span(spines).first(1));
  const Traffic traffic = shift_traffic(1024, 256, 1e9);
  const auto count = static_cast<double>(spines.size());
  CHECK_THAT(slowdown(FlowNetwork(broken, {}), traffic), WithinRel(count / (count - 1), 1e-12));
  CHECK_NOTHROW(ecmp_slowdowns(broken, {}, {}, traffic, std::vector<std::uint64_t>{1, 2}));
}

TEST_CASE("at 16 384 GPUs hashing costs a permutation several times its time, spraying nothing", "[flow]") {
  // 32 flows of a leaf on 32 uplinks at random: the fullest of all links between leaves and spines, and the same again
  // between spines and cores. The most of n balls in n bins is 3 or 4 for one leaf, and over a thousand of them 6 to 8
  // (Poisson with mean 1: P(at least 6) = 5.9e-4, P(at least 9) = 1.1e-6 a link; 33 000 links in two directions).
  const Fabric fabric = build(design("ndr-rail"), 16384);
  const Traffic traffic = permutation_traffic(16384, 1e9, 1);
  std::vector<std::uint64_t> seeds(8);
  std::iota(seeds.begin(), seeds.end(), 1);
  const Spread spread = spread_of(ecmp_slowdowns(fabric, {}, straight, traffic, seeds));
  CHECK(spread.least >= 6);
  CHECK(spread.most <= 10);
  CHECK(spread.least <= spread.median);
  CHECK(spread.median <= spread.p90);
  CHECK(spread.p90 <= spread.most);
  CHECK(slowdown(FlowNetwork(fabric, {}, straight), traffic) == 1);
  const auto without_first = [&](Layer layer) {
    std::size_t i = 0;
    while (fabric.links()[i].layer != layer) ++i;
    return fabric.without(std::vector{LinkId{static_cast<std::uint32_t>(i)}});
  };
  // 32 flows over 31 links.
  const Traffic shift = shift_traffic(16384, 256, 1e9);
  CHECK(slowdown(FlowNetwork(fabric, {}, straight), shift) == 1);
  CHECK_THAT(slowdown(FlowNetwork(without_first(Layer::leaf_spine), {}, straight), shift), WithinRel(32.0 / 31, 1e-9));
  // One of four links between a spine and a core: nearly 32 flows a spine go up over 31 links and as many come down;
  // the core with three of them takes three parts in 31, not four in 32 or one in two.
  CHECK(slowdown(FlowNetwork(without_first(Layer::spine_core), {}, straight), traffic) < 1.02);
}

TEST_CASE("spreads interpolate between order statistics", "[flow]") {
  const Spread found = spread_of({4, 1, 3, 2, 5});
  CHECK(found.least == 1);
  CHECK(found.median == 3);
  CHECK_THAT(found.p90, WithinRel(4.6, 1e-12));
  CHECK(found.most == 5);
  CHECK(spread_of({2}).p90 == 2);
}

}  // namespace railyard
