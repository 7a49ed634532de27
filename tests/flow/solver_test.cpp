// SPDX-License-Identifier: Apache-2.0
// Max-min rates against hand derivations, against a slow textbook filling, and against what defines them.
#include "sim/network/flow/solver.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/catch.h"
#include "tests/flow/fixture.h"

namespace railyard {
namespace {

int add(FlowSet& flows, std::vector<Use> uses, double weight = 1, double limit = unlimited) {
  return flows.add(uses, {}, weight, limit);
}

/// Water-filling as textbooks have it: all flows grow until some resource or limit stops some; sums made anew each
/// time.
std::vector<double> textbook(const FlowSet& flows, const std::vector<double>& capacities) {
  const auto count = static_cast<std::size_t>(flows.size());
  std::vector<std::vector<double>> uses(count, std::vector<double>(capacities.size(), 0));
  for (int f = 0; f < flows.size(); ++f) {
    flows.for_each_use(f, [&](ResourceId r, double fraction) { uses[static_cast<std::size_t>(f)][r] += fraction; });
  }
  std::vector<double> rates(count, -1);
  for (;;) {
    double level = unlimited;
    std::vector<double> stops(count, unlimited);  // level at which each growing flow stops
    for (std::size_t f = 0; f < count; ++f) {
      if (rates[f] < 0) stops[f] = flows.limit(static_cast<int>(f)) / flows.weight(static_cast<int>(f));
    }
    for (std::size_t r = 0; r < capacities.size(); ++r) {
      double room = capacities[r], weight = 0;
      for (std::size_t f = 0; f < count; ++f) {
        if (rates[f] >= 0) {
          room -= rates[f] * uses[f][r];
        } else {
          weight += flows.weight(static_cast<int>(f)) * uses[f][r];
        }
      }
      if (weight == 0) continue;
      for (std::size_t f = 0; f < count; ++f) {
        if (rates[f] < 0 && uses[f][r] > 0) stops[f] = std::min(stops[f], std::max(room, 0.0) / weight);
      }
    }
    for (std::size_t f = 0; f < count; ++f) {
      if (rates[f] < 0) level = std::min(level, stops[f]);
    }
    if (level == unlimited) break;
    for (std::size_t f = 0; f < count; ++f) {
      if (rates[f] < 0 && stops[f] <= level * (1 + 1e-13)) rates[f] = level * flows.weight(static_cast<int>(f));
    }
  }
  for (double& rate : rates) rate = rate < 0 ? unlimited : rate;
  return rates;
}

struct Problem {
  FlowSet flows;
  std::vector<double> capacities;
};

Problem random_problem(unsigned seed, bool alike) {
  std::mt19937_64 random(seed);
  const auto upto = [&](unsigned most) { return static_cast<std::size_t>(random() % most) + 1; };
  Problem problem;
  for (std::size_t r = upto(30); r > 0; --r) {
    problem.capacities.push_back(random() % 12 == 0 ? 0 : static_cast<double>(random() % 1000 + 1) / 7);
  }
  std::vector<PathId> paths;
  const auto some_uses = [&](std::size_t most) {
    std::vector<Use> uses;
    for (std::size_t i = random() % (most + 1); i > 0; --i) {
      uses.push_back({static_cast<ResourceId>(random() % problem.capacities.size()),
                      alike ? 1 : std::pow(2.0, static_cast<double>(random() % 5) - 2)});
    }
    return uses;
  };
  for (int i = 0; i < 4; ++i) paths.push_back(problem.flows.add_path(some_uses(4)));
  for (std::size_t f = upto(80); f > 0; --f) {
    std::vector<PathUse> parts;
    if (random() % 3 == 0) parts = {{paths[random() % 4], 0.25}, {paths[random() % 4], 0.75}};
    const double weight = alike ? 1 : static_cast<double>(random() % 9 + 1) * (random() % 7 == 0 ? 1e6 : 1);
    const double limit = random() % 4 == 0 ? static_cast<double>(random() % 20) : unlimited;
    problem.flows.add(some_uses(5), parts, weight, limit);
  }
  return problem;
}

void check_close(double found, double expected) {
  if (std::isinf(expected)) {
    CHECK(std::isinf(found));
  } else if (expected == 0) {
    CHECK_THAT(found, WithinAbs(0, 1e-12));
  } else {
    CHECK_THAT(found, WithinRel(expected, rounding));
  }
}

}  // namespace

TEST_CASE("two flows share a link by halves, and by weight", "[flow]") {
  FlowSet flows;
  add(flows, {{0}});
  add(flows, {{0}});
  CHECK(max_min_rates(flows, std::vector<double>{10}).rates == std::vector<double>{5, 5});
  FlowSet weighted;
  add(weighted, {{0}}, 1);
  add(weighted, {{0}}, 4);
  CHECK(max_min_rates(weighted, std::vector<double>{10}).rates == std::vector<double>{2, 8});
}

TEST_CASE("the parking lot: a long flow gets its share of the narrowest link, others fill the rest", "[flow]") {
  // Links of 12, 6 and 10; one flow over all, one more on each. The second link is full first at 3 each; then the
  // first has 12 - 3 for its own flow, the third 10 - 3.
  FlowSet flows;
  add(flows, {{0}, {1}, {2}});
  add(flows, {{0}});
  add(flows, {{1}});
  add(flows, {{2}});
  const MaxMinRates found = max_min_rates(flows, std::vector<double>{12, 6, 10});
  CHECK(found.rates == std::vector<double>{3, 9, 3, 7});
  CHECK(found.bottlenecks == std::vector<ResourceId>{1, 0, 1, 2});
}

TEST_CASE("a limit frees room for the others", "[flow]") {
  // 30 among four; one takes at most 3: 3, and 9 for each of the other three.
  FlowSet flows;
  add(flows, {{0}}, 1, 3);
  for (int i = 0; i < 3; ++i) add(flows, {{0}});
  const MaxMinRates found = max_min_rates(flows, std::vector<double>{30});
  CHECK(found.rates == std::vector<double>{3, 9, 9, 9});
  CHECK(found.bottlenecks == std::vector<ResourceId>{no_resource, 0, 0, 0});
}

TEST_CASE("a flow of tiny weight keeps its share when a heavy one has stopped", "[flow]") {
  // Beside 1e16 a weight of 3 is lost in rounding; once the heavy flow is at its limit it is all there is.
  FlowSet flows;
  add(flows, {{0}}, 3);
  add(flows, {{0}}, 1e16, 4);
  CHECK(max_min_rates(flows, std::vector<double>{10}).rates == std::vector<double>{6, 4});
}

TEST_CASE("a flow over several links takes only its part of each", "[flow]") {
  // Sprayed by halves over links of 10, beside one flow on the first alone: x + y / 2 is full at 10 with x = y, so
  // 20 / 3 each.
  FlowSet flows;
  const std::vector<Use> both{{0, 0.5}, {1, 0.5}};
  const std::vector<PathUse> sprayed{{flows.add_path(both), 1}};
  flows.add({}, sprayed);
  add(flows, {{0}});
  const MaxMinRates found = max_min_rates(flows, std::vector<double>{10, 10});
  CHECK_THAT(found.rates[0], WithinRel(20.0 / 3, rounding));
  CHECK_THAT(found.rates[1], WithinRel(20.0 / 3, rounding));
}

TEST_CASE("no capacity stops a flow, no resource lets it run free, its limit alone bounds it then", "[flow]") {
  FlowSet flows;
  add(flows, {{0}, {1}});
  add(flows, {});
  add(flows, {}, 2, 5);
  add(flows, {{1}});
  add(flows, {{1}}, 1, 0);
  add(flows, {{2}});
  const MaxMinRates found = max_min_rates(flows, std::vector<double>{0, 8, unlimited});
  CHECK(found.rates == std::vector<double>{0, unlimited, 5, 8, 0, unlimited});
  CHECK(found.bottlenecks[0] == 0);
  CHECK(found.bottlenecks[1] == no_resource);
}

TEST_CASE("a resource used twice by a flow counts twice", "[flow]") {
  FlowSet flows;
  add(flows, {{0}, {0}});
  add(flows, {{0, 2}});
  CHECK(max_min_rates(flows, std::vector<double>{8}).rates == std::vector<double>{2, 2});
}

TEST_CASE("rates equal those of a slow textbook filling", "[flow]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Problem problem = random_problem(seed, seed % 2 == 0);
    const std::vector<double> expected = textbook(problem.flows, problem.capacities);
    const std::vector<double> found = max_min_rates(problem.flows, problem.capacities).rates;
    REQUIRE(found.size() == expected.size());
    CAPTURE(seed);
    for (std::size_t f = 0; f < found.size(); ++f) check_close(found[f], expected[f]);
  }
}

TEST_CASE("no flow can gain without taking from one that has no more for its weight", "[flow]") {
  // The definition: each flow is at its limit, or has a full resource on which nobody has more for its weight.
  for (unsigned seed = 1001; seed <= 1100; ++seed) {
    const Problem problem = random_problem(seed, false);
    const MaxMinRates found = max_min_rates(problem.flows, problem.capacities);
    std::vector<double> used(problem.capacities.size(), 0), top(problem.capacities.size(), 0);
    const auto level = [&](int flow) {
      return found.rates[static_cast<std::size_t>(flow)] / problem.flows.weight(flow);
    };
    for (int f = 0; f < problem.flows.size(); ++f) {
      problem.flows.for_each_use(f, [&](ResourceId r, double fraction) {
        used[r] += found.rates[static_cast<std::size_t>(f)] * fraction;
        top[r] = std::max(top[r], level(f));
      });
    }
    CAPTURE(seed);
    for (std::size_t r = 0; r < used.size(); ++r) CHECK(used[r] <= problem.capacities[r] * (1 + rounding) + 1e-12);
    for (int f = 0; f < problem.flows.size(); ++f) {
      const ResourceId stop = found.bottlenecks[static_cast<std::size_t>(f)];
      if (stop == no_resource) {
        CHECK(found.rates[static_cast<std::size_t>(f)] == problem.flows.limit(f));
      } else {
        CHECK(used[stop] >= problem.capacities[stop] * (1 - rounding));
        CHECK(level(f) >= top[stop] * (1 - rounding));
      }
    }
  }
}

TEST_CASE("more capacity never lowers the sorted rates, first to last", "[flow]") {
  // A single flow may lose when another gains; the smallest rate, then the next, cannot: what was feasible still is.
  for (unsigned seed = 2001; seed <= 2100; ++seed) {
    Problem problem = random_problem(seed, true);
    std::vector<double> before = max_min_rates(problem.flows, problem.capacities).rates;
    problem.capacities[seed % problem.capacities.size()] *= 1.5;
    std::vector<double> after = max_min_rates(problem.flows, problem.capacities).rates;
    std::ranges::sort(before);
    std::ranges::sort(after);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (after[i] > before[i] * (1 + rounding)) break;
      CAPTURE(seed, i);
      CHECK(after[i] >= before[i] * (1 - rounding));
    }
  }
}

TEST_CASE("flows that are alike are one group", "[flow]") {
  FlowSet flows;
  add(flows, {{0}, {1}});
  add(flows, {{0}, {1}});
  add(flows, {{0}, {1}}, 2);
  add(flows, {{0}, {1}}, 1, 7);
  add(flows, {{1}, {0}});
  add(flows, {{0}, {1}});
  const FlowGroups groups = group_alike(flows);
  CHECK(groups.group_of == std::vector<int>{0, 0, 1, 2, 3, 0});
  CHECK(groups.first_flows == std::vector<int>{0, 2, 3, 4});
}

}  // namespace railyard
