// SPDX-License-Identifier: Apache-2.0
// Flows over time against hand derivations, laws, and a slow simulation that solves everything at every event.
#include "sim/network/flow/fluid.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/diagnostic.h"
#include "sim/network/flow/solver.h"
#include "tests/catch.h"
#include "tests/flow/fixture.h"

namespace railyard {
namespace {

FlowSet on(const std::vector<std::vector<Use>>& uses) {
  FlowSet flows;
  for (const std::vector<Use>& of_flow : uses) flows.add(of_flow);
  return flows;
}

struct Case {
  FlowSet flows;
  std::vector<double> capacities;
  std::vector<Transfer> transfers;
  std::vector<Dependency> dependencies;
};

Case random_case(unsigned seed, std::size_t size = 1) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  Case made;
  const std::size_t resources = size * (2 + below(20)), flows = size * (2 + below(60));
  for (std::size_t r = 0; r < resources; ++r) made.capacities.push_back(static_cast<double>(1 + below(50)));
  for (std::size_t f = 0; f < flows; ++f) {
    std::vector<Use> uses;
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      uses.push_back({static_cast<ResourceId>(below(resources)), below(3) == 0 ? 0.5 : 1.0});
    }
    if (f > 0 && below(3) == 0) {  // like another, so that groups have several flows
      const auto twin = static_cast<int>(below(f));
      uses.assign(made.flows.own_uses(twin).begin(), made.flows.own_uses(twin).end());
    }
    made.flows.add(uses, {}, below(4) == 0 ? 3 : 1, below(5) == 0 ? static_cast<double>(1 + below(5)) : unlimited);
    made.transfers.push_back({.bytes = static_cast<double>(below(40)),
                              .start = below(2) == 0 ? 0 : static_cast<double>(below(10)),
                              .latency = below(3) == 0 ? 0.25 : 0});
    if (f > 0 && below(3) == 0) made.dependencies.push_back({static_cast<int>(below(f)), static_cast<int>(f)});
  }
  return made;
}

/// Arrivals, with all rates of all flows under way solved at every event, in steps to the next one.
std::vector<double> slowly(const Case& made) {
  const std::size_t count = made.transfers.size();
  std::vector<double> left(count), starts(count, unlimited), arrivals(count, unlimited);
  for (std::size_t f = 0; f < count; ++f) left[f] = made.transfers[f].bytes;
  double now = 0;
  for (;;) {
    for (std::size_t f = 0; f < count; ++f) {
      double ready = made.transfers[f].start;
      for (const Dependency& d : made.dependencies) {
        if (d.then == static_cast<int>(f)) ready = std::max(ready, arrivals[static_cast<std::size_t>(d.first)]);
      }
      starts[f] = ready + made.transfers[f].latency;
      if (left[f] == 0 && arrivals[f] == unlimited && starts[f] <= now * (1 + 1e-13)) arrivals[f] = now;
    }
    FlowSet active;
    std::vector<std::size_t> who;
    double next = unlimited;
    for (std::size_t f = 0; f < count; ++f) {
      if (arrivals[f] < unlimited) continue;
      if (starts[f] > now * (1 + 1e-13)) {
        next = std::min(next, starts[f]);
        continue;
      }
      const int flow = static_cast<int>(f);
      if (left[f] == 0) {
        next = now;
        continue;
      }
      active.add(made.flows.own_uses(flow), {}, made.flows.weight(flow), made.flows.limit(flow));
      who.push_back(f);
    }
    const std::vector<double> rates = max_min_rates(active, made.capacities).rates;
    for (std::size_t i = 0; i < who.size(); ++i) next = std::min(next, now + left[who[i]] / rates[i]);
    if (next == unlimited) return arrivals;
    for (std::size_t i = 0; i < who.size(); ++i) {
      left[who[i]] -= rates[i] * (next - now);
      if (left[who[i]] < 1e-9) left[who[i]] = 0;
    }
    now = next;
  }
}

}  // namespace

TEST_CASE("two flows share a link until the shorter is through", "[flow]") {
  // 10 and 30 bytes over 2 bytes a second: 1 each for 10 s, then 2 for the other 20 bytes: 10 s more.
  const FluidResult found =
      simulate_flows(on({{{0}}, {{0}}}), std::vector<double>{2}, std::vector<Transfer>{{.bytes = 10}, {.bytes = 30}});
  CHECK(found.arrivals == std::vector<double>{10, 20});
  CHECK(found.bottlenecks == std::vector<ResourceId>{0, 0});
  CHECK(found.end == 20);
  CHECK(found.carried == std::vector<double>{40});
  CHECK(found.utilisation(0, 2) == 1);
}

TEST_CASE("a flow that starts later takes its share from then on", "[flow]") {
  // 40 bytes at 4 a second alone for 5 s; then the other's 10 bytes at 2 for 5 s; 10 of the first are left: 2.5 s.
  const FluidResult found = simulate_flows(on({{{0}}, {{0}}}), std::vector<double>{4},
                                           std::vector<Transfer>{{.bytes = 40}, {.bytes = 10, .start = 5}});
  CHECK(found.arrivals == std::vector<double>{12.5, 10});
}

TEST_CASE("a flow that ends hands its room on along the chain", "[flow]") {
  // Links of 10: A on 0, B on 0 and 1, C on 1 with 2 bytes to send. 5 each until C is through at 0.4 s; B, still held
  // by link 0, stays at 5. A ends at 4 s with 20 bytes; B then runs at 10: 30 bytes take 4 + 1 s.
  const FluidResult found = simulate_flows(on({{{0}}, {{0}, {1}}, {{1}}}), std::vector<double>{10, 10},
                                           std::vector<Transfer>{{.bytes = 20}, {.bytes = 30}, {.bytes = 2}});
  CHECK_THAT(found.arrivals[2], WithinRel(0.4, rounding));
  CHECK_THAT(found.arrivals[0], WithinRel(4.0, rounding));
  CHECK_THAT(found.arrivals[1], WithinRel(5.0, rounding));
}

TEST_CASE("latency comes before the first byte and takes no bandwidth", "[flow]") {
  const FluidResult found = simulate_flows(on({{{0}}, {{0}}}), std::vector<double>{2},
                                           std::vector<Transfer>{{.bytes = 8}, {.bytes = 8, .latency = 4}});
  CHECK(found.arrivals == std::vector<double>{4, 8});
}

TEST_CASE("a flow starts when all it waits for has arrived", "[flow]") {
  const FlowSet flows = on({{{0}}, {{1}}, {{0}}, {{0}}});
  const std::vector<Transfer> transfers{
      {.bytes = 6}, {.bytes = 20}, {.bytes = 4, .latency = 1}, {.bytes = 0, .start = 3}};
  const FluidResult found =
      simulate_flows(flows, std::vector<double>{2, 4}, transfers, std::vector<Dependency>{{0, 2}, {1, 2}, {2, 3}});
  CHECK(found.arrivals == std::vector<double>{3, 5, 8, 8});
}

TEST_CASE("what has no bandwidth never arrives, nor what waits for it", "[flow]") {
  const FluidResult found =
      simulate_flows(on({{{0}}, {{1}}, {{1}}}), std::vector<double>{0, 1},
                     std::vector<Transfer>{{.bytes = 1}, {.bytes = 1}, {.bytes = 1}}, std::vector<Dependency>{{0, 1}});
  CHECK(found.arrivals == std::vector<double>{unlimited, unlimited, 1});
  CHECK(found.bottlenecks[0] == no_resource);
  CHECK(found.end == unlimited);
}

TEST_CASE("what nothing limits arrives at once, what only its limit bounds in its own time", "[flow]") {
  FlowSet flows;
  flows.add({});
  flows.add({}, {}, 1, 5);
  flows.add(std::vector<Use>{{0}});
  const FluidResult found = simulate_flows(
      flows, std::vector<double>{unlimited},
      std::vector<Transfer>{{.bytes = 7, .start = 2, .latency = 1}, {.bytes = 10}, {.bytes = 1e9, .start = 1}},
      std::vector<Dependency>{{2, 0}});
  CHECK(found.arrivals == std::vector<double>{3, 2, 1});
  CHECK(found.carried == std::vector<double>{1e9});
}

TEST_CASE("dependencies in a circle are refused", "[flow]") {
  const std::vector<Transfer> transfers(3, {.bytes = 1});
  CHECK_THROWS_WITH(simulate_flows(on({{{0}}, {{0}}, {{0}}}), std::vector<double>{1}, transfers,
                                   std::vector<Dependency>{{0, 1}, {1, 2}, {2, 1}}),
                    ContainsSubstring("flow 1 waits"));
}

TEST_CASE("arrivals equal those of a simulation that solves all flows at every event", "[flow][slow]") {
  // Small ones, and some with so many flows that widening gives way to solving all of them.
  for (unsigned seed = 1; seed <= 320; ++seed) {
    const Case made = random_case(seed, seed <= 300 ? 1 : 8);
    const FluidResult found = simulate_flows(made.flows, made.capacities, made.transfers, made.dependencies);
    const std::vector<double> expected = slowly(made);
    CAPTURE(seed);
    for (std::size_t f = 0; f < expected.size(); ++f) {
      CAPTURE(f);
      CHECK_THAT(found.arrivals[f], WithinRel(expected[f], 1e-8) || WithinAbs(expected[f], 1e-12));
    }
  }
}

TEST_CASE("every resource carries the bytes of its flows, at no more than its capacity", "[flow]") {
  for (unsigned seed = 1001; seed <= 1100; ++seed) {
    const Case made = random_case(seed);
    const FluidResult found = simulate_flows(made.flows, made.capacities, made.transfers, made.dependencies);
    std::vector<double> sent(made.capacities.size(), 0);
    for (int f = 0; f < made.flows.size(); ++f) {
      made.flows.for_each_use(f, [&](ResourceId r, double fraction) {
        sent[r] += made.transfers[static_cast<std::size_t>(f)].bytes * fraction;
      });
    }
    CAPTURE(seed);
    for (ResourceId r = 0; r < sent.size(); ++r) {
      CHECK_THAT(found.carried[r], WithinRel(sent[r], rounding) || WithinAbs(sent[r], rounding));
      CHECK(found.utilisation(r, made.capacities[r]) <= 1 + rounding);
    }
  }
}

TEST_CASE("capacities, limits and delays that are k times as fast end everything k times as soon", "[flow]") {
  for (unsigned seed = 2001; seed <= 2050; ++seed) {
    const Case made = random_case(seed);
    Case faster = made;
    faster.flows = FlowSet();
    for (int f = 0; f < made.flows.size(); ++f) {
      faster.flows.add(made.flows.own_uses(f), {}, made.flows.weight(f), made.flows.limit(f) * 4);
    }
    for (double& capacity : faster.capacities) capacity *= 4;
    for (Transfer& transfer : faster.transfers) {
      transfer.start /= 4;
      transfer.latency /= 4;
    }
    const FluidResult slow = simulate_flows(made.flows, made.capacities, made.transfers, made.dependencies);
    const FluidResult fast = simulate_flows(faster.flows, faster.capacities, faster.transfers, faster.dependencies);
    for (std::size_t f = 0; f < slow.arrivals.size(); ++f) {
      CHECK_THAT(fast.arrivals[f] * 4, WithinRel(slow.arrivals[f], rounding) || WithinAbs(slow.arrivals[f], rounding));
    }
  }
}

TEST_CASE("equal flows that start together take as long as the fullest resource alone", "[flow]") {
  // The least rate is never below capacity over flows of the fullest resource, and grows as flows end; that resource is
  // full from the start until the end.
  for (unsigned seed = 3001; seed <= 3100; ++seed) {
    std::mt19937_64 random(seed);
    FlowSet flows;
    std::vector<double> capacities(10), loads(10, 0);
    for (double& capacity : capacities) capacity = static_cast<double>(1 + random() % 20);
    for (int f = 0; f < 60; ++f) {
      std::vector<Use> uses;
      for (ResourceId r = 0; r < 10; ++r) {
        if (random() % 4 != 0) continue;
        uses.push_back({r});
        loads[r] += 12;
      }
      if (uses.empty()) {
        uses.push_back({0});
        loads[0] += 12;
      }
      flows.add(uses);
    }
    double fullest = 0;
    for (std::size_t r = 0; r < 10; ++r) fullest = std::max(fullest, loads[r] / capacities[r]);
    const std::vector<Transfer> transfers(60, {.bytes = 12});
    CHECK_THAT(simulate_flows(flows, capacities, transfers).end, WithinRel(fullest, rounding));
  }
}

TEST_CASE("only what may change is solved again", "[flow]") {
  // A thousand pairs of flows on links of their own; each pair's shorter flow ends at its own time. Solving all at
  // every event would be the same result; that the work is local shows in a run of 20 000 pairs being done at all.
  FlowSet flows;
  std::vector<double> capacities;
  std::vector<Transfer> transfers;
  const int pairs = 20000;
  for (ResourceId r = 0; r < pairs; ++r) {
    capacities.push_back(2);
    for (const double bytes : {1.0 + r, 2.0 * pairs}) {
      flows.add(std::vector<Use>{{r}}, {}, 1 + 1e-9 * bytes);
      transfers.push_back({.bytes = bytes});
    }
  }
  const FluidResult found = simulate_flows(flows, capacities, transfers);
  // Two bytes a second over both flows' bytes.
  CHECK_THAT(found.arrivals[1], WithinRel((1.0 + 2 * pairs) / 2, rounding));
  CHECK_THAT(found.arrivals.back(), WithinRel(3.0 * pairs / 2, rounding));
}

}  // namespace railyard
