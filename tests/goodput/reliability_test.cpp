// SPDX-License-Identifier: Apache-2.0
#include "sim/goodput/goodput.h"
#include "tests/catch.h"

using namespace railyard;

namespace {

const std::string folder = RAILYARD_SOURCE_DIR "/sim/goodput/reliability";

constexpr const char* good = R"(gpu: h100
description: a test
sources:
  a: {title: A paper, date: 2024-07}
node_failure_rate: {value: 0.003 /day, source: a}
job_failure_rate: {value: 1 /day, source: a}
job_nodes: 128
checkpoint_blocking: {value: 20 s, source: a}
checkpoint_write: {value: 200 s, source: a}
restart: {value: 10 min, source: a}
hard_share: {value: 40 %, source: a}
repair: {value: 7 day, source: a}
spare_shortage: 1 %
)";

Reliability read(const std::string& text) { return read_reliability(YamlDocument::parse(text, "h100.yaml")); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string message_of(const std::string& text) {
  try {
    static_cast<void>(read(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

double per_day(Frequency rate) { return rate * day; }

}  // namespace

TEST_CASE("reliability: small jobs do not see one rate scaled down", "[goodput]") {
  const Reliability reliability = read(good);
  CHECK_THAT(per_day(failure_rate(reliability, 2048, Scenario::typical)), WithinRel(2048 * 0.003 + 1, 1e-12));
  CHECK_THAT(per_day(failure_rate(reliability, 128, Scenario::typical)), WithinRel(128 * 0.003 + 1, 1e-12));
  // Below 128 nodes the job rate shrinks in proportion.
  CHECK_THAT(per_day(failure_rate(reliability, 32, Scenario::typical)), WithinRel(32 * 0.003 + 0.25, 1e-12));
}

TEST_CASE("reliability: the shipped H100 rates give back the published intervals", "[goodput]") {
  const Reliability h100 = load_reliability(folder, "h100");
  const auto hours = [&](int nodes, Scenario scenario) { return (1.0 / failure_rate(h100, nodes, scenario)).in(hour); };
  // Llama 3: 419 unexpected interruptions in 54 days; rates are written with four digits.
  CHECK_THAT(hours(2048, Scenario::typical), WithinRel(54.0 * 24 / 419, 1e-3));
  // The best operators: 7 days at 512 GPUs.
  CHECK_THAT(hours(64, Scenario::low), WithinRel(168.0, 1e-3));
  // Meta's A100 cluster: 7.9 h at 1 024 GPUs measured; at one node 47.7 days measured, not used in the data: 15 %.
  CHECK_THAT(hours(128, Scenario::high), WithinRel(7.9, 1e-3));
  CHECK_THAT(hours(1, Scenario::high), WithinRel(1144.8, 0.15));
}

TEST_CASE("reliability: goodput falls with size and from the low to the high scenario", "[goodput]") {
  for (const char* gpu : {"h100", "a100", "unmeasured"}) {
    const Reliability reliability = load_reliability(folder, gpu);
    double previous = 1;
    for (const int nodes : {1, 128, 256, 512, 1024, 2048}) {
      const double low = goodput_of(reliability, nodes, Scenario::low).share;
      const double typical = goodput_of(reliability, nodes, Scenario::typical).share;
      const double high = goodput_of(reliability, nodes, Scenario::high).share;
      CHECK(typical < previous);
      CHECK(low > typical);
      CHECK(typical > high);
      CHECK(high > 0);
      previous = typical;
    }
  }
}

TEST_CASE("reliability: a GPU without a file of its own takes assumed rates", "[goodput]") {
  const Reliability mi300x = load_reliability(folder, "mi300x");
  CHECK(mi300x.node_failure_rate.evidence.assumed());
  CHECK(mi300x.job_failure_rate.evidence.assumed());
  CHECK(mi300x.restart.evidence.assumed());
  CHECK_FALSE(load_reliability(folder, "h100").node_failure_rate.evidence.assumed());
}

TEST_CASE("reliability: an interval is never shorter than the write of a checkpoint", "[goodput]") {
  Reliability reliability = read(good);
  reliability.checkpoint_blocking = {Range<Seconds>::exactly(0.01 * second), {}};
  const Goodput goodput = goodput_of(reliability, 2048, Scenario::typical);
  CHECK(optimal_interval(0.01 * second, goodput.mean_time_to_failure) < 200.0 * second);
  CHECK(goodput.interval == 200.0 * second);
}

TEST_CASE("reliability: spares come from hard node failures in repair", "[goodput]") {
  // 1 000 nodes x 0.003 a day x 40 % x 7 days = 8.4 out of service.
  CHECK(goodput_of(read(good), 1000, Scenario::typical).spare_nodes == spares_for(8.4, 0.01));
}

TEST_CASE("reliability: no failures, no loss", "[goodput]") {
  Reliability reliability = read(good);
  reliability.node_failure_rate.value = {};
  reliability.job_failure_rate.value = {};
  const Goodput goodput = goodput_of(reliability, 128, Scenario::typical);
  CHECK(goodput.share == 1);
  CHECK(goodput.spare_nodes == 0);
}

TEST_CASE("reliability: wrong files are told in full", "[goodput]") {
  CHECK(message_of(replaced(good, "20 s", "20")) ==
        "h100.yaml:8:30: error: checkpoint_blocking.value: found '20'\n"
        "    8 | checkpoint_blocking: {value: 20, source: a}\n"
        "      |                              ^~\n"
        "   the unit is missing; expected a time with its unit, such as 5 year, 20 s, 7 us\n");
  CHECK(message_of(replaced(good, "restart", "restrat")) ==
        "h100.yaml:1:1: error: the key 'restart' is missing\n"
        "    1 | gpu: h100\n"
        "      | ^\n"
        "h100.yaml:10:1: error: restrat: unknown key\n"
        "   10 | restrat: {value: 10 min, source: a}\n"
        "      | ^~~~~~~\n"
        "   did you mean 'restart'?\n"
        "2 errors\n");
  CHECK(message_of(replaced(good, "spare_shortage: 1 %", "spare_shortage: 0 %")) ==
        "h100.yaml:13:17: error: spare_shortage: found '0 %'\n"
        "   13 | spare_shortage: 0 %\n"
        "      |                 ^~~\n"
        "   expected a share from 0.0000001 to 50 %\n");
}

TEST_CASE("reliability: every figure has bounds, and the message tells them", "[goodput]") {
  struct Slip {
    const char *from, *to, *expected;
  };
  const auto slip = GENERATE(values<Slip>({
      {"0.003 /day", "1e9 /day", "node_failure_rate.value: found '1e9 /day'"},
      {"0.003 /day", "1e9 /day", "expected a rate of events from 0 to 100 /day"},
      {"1 /day", "101 /day", "expected a rate of events from 0 to 100 /day"},
      {"10 min", "1e12 s", "expected a time from 0 to 30 day"},
      {"20 s", "25 h", "expected a time from 0 to 1 day"},
      {"200 s", "25 h", "expected a time from 0 to 1 day"},
      {"7 day", "2 year", "expected a time from 0 to 1 year"},
      {"spare_shortage: 1 %", "spare_shortage: 51 %", "expected a share from 0.0000001 to 50 %"},
      {"spare_shortage: 1 %", "spare_shortage: 1e-20 %", "expected a share from 0.0000001 to 50 %"},
      {"0.003 /day", "1 /day", "a node is in repair all the time"},
  }));
  INFO(slip.to);
  CHECK_THAT(message_of(replaced(good, slip.from, slip.to)), ContainsSubstring(slip.expected));
}

TEST_CASE("reliability: a job that never gets on is refused, not divided by", "[goodput]") {
  Reliability reliability = read(good);
  reliability.restart.value = Range<Seconds>::exactly(30.0 * day);
  // A failure every 86 400 / (2 048 x 0.003 + 1) = 12 092 s.
  CHECK_THROWS_WITH(goodput_of(reliability, 2048, Scenario::typical),
                    ContainsSubstring("a job on 2048 nodes fails every 1.21e+04 s on average") &&
                        ContainsSubstring("it never gets on"));
}

TEST_CASE("reliability: a file that holds another GPU than its name is refused", "[goodput]") {
  CHECK_THAT(message_of(replaced(good, "gpu: h100", "gpu: h200")),
             ContainsSubstring("gpu: found 'h200' in a file named 'h100'"));
}

TEST_CASE("reliability: the rates of A100 are found by the id of its part", "[goodput]") {
  CHECK_FALSE(load_reliability(folder, "a100").node_failure_rate.evidence.assumed());
}
