// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/team/team_device.h"

#include <array>
#include <set>

#include "calibrate/device/measure_team.h"
#include "sim/app/measure_output.h"
#include "sim/app/measure_samples.h"
#include "tests/catch.h"
#include "tests/device/fake_device.h"
#include "tests/device/processes.h"

namespace railyard::device {
namespace {

constexpr int size = 4;

TEST_CASE("members: devices are counted through ranks, nodes told by name", "[device]") {
  const std::vector<Member> members = members_of({{"a", 4}, {"a", 4}, {"b", 8}});
  REQUIRE(members.size() == 3);
  CHECK(members[1].node == 0);
  CHECK(members[1].first == 4);
  CHECK(members[2].node == 1);
  CHECK(members[2].first == 8);
  CHECK_THROWS_AS(members_of({{"a", 1}, {"b", 1}, {"a", 1}, {"b", 1}}), TeamError);  // scattered ranks
  CHECK_THROWS_AS(members_of({{"a", 8}, {"b", 4}}), TeamError);
}

/// Four processes with a made-up GPU each; what rank 0 reports, and the devices for a look afterwards.
struct Launched {
  MeasureReport report;
  std::array<FakeDevice, size> devices;
  std::vector<std::string> errors;
};

void launch(Launched& run, const PlanOptions& options) {
  const MeetingPlace meeting = fresh_meeting();
  run.errors = run_ranks(size, [&](int rank) {
    const Team team(rank_of(rank, size), meeting, "same", 20);
    FakeDevice& local = run.devices[static_cast<std::size_t>(rank)];
    TeamDevice all(local, team);
    const auto plan = team_plan(local.facts(), all.facts(), options);
    try {
      MeasureReport report = measure(local, all, team, plan);
      if (rank == 0) run.report = std::move(report);
    } catch (const DeviceError& error) {
      team.fail(error.what());
      throw;
    }
  });
}

/// Collectives take as long as their slowest rank, products on GPU 2 longer than elsewhere.
void make_up(Launched& run) {
  for (int rank = 0; rank < size; ++rank) {
    FakeDevice& device = run.devices[static_cast<std::size_t>(rank)];
    device.exchanges = true;
    device.seconds = [rank](const WorkRequest& work, int) {
      if (work.kind == WorkKind::collective) return rank == 1 ? 3e-3 : 1e-3;
      return rank == 2 ? 1.1e-3 : 1e-3;
    };
  }
}

TEST_CASE("team device: collectives over all processes take the slowest one's time, and GPUs apart name the slow one",
          "[device]") {
  Launched run;
  make_up(run);
  launch(run, {.quick = true, .only = {"collective", "gpus"}});
  CHECK(run.errors == std::vector<std::string>(size));
  CHECK(run.report.facts.devices == 4);  // all on this machine
  CHECK(run.report.facts.nodes == 1);
  int of_two = 0, of_four = 0, apart = 0;
  for (const Measurement& each : run.report.measurements) {
    CAPTURE(each.planned.operation, each.planned.work.ranks);
    REQUIRE(each.measured());
    if (each.planned.group == "gpus") {
      CHECK_THAT(each.timing.time.median, WithinRel(each.planned.work.device == 2 ? 1.1e-3 : 1e-3, 1e-6));
      ++apart;
      continue;
    }
    CHECK_THAT(each.timing.time.median, WithinRel(3e-3, 1e-6));  // rank 1's, whoever tells it
    (each.planned.work.ranks == 2 ? of_two : of_four) += 1;
  }
  CHECK(apart == 4);
  CHECK(of_two > 0);
  CHECK(of_two == of_four);
  // A group is joined once for all its sizes, with shares that follow each other.
  REQUIRE(run.devices[3].joins.size() == 1);  // two ranks do without it
  CHECK(run.devices[3].joins[0].ranks == 4);
  CHECK(run.devices[3].joins[0].first_rank == 3);
  CHECK(run.devices[3].joins[0].id.bytes[0] == 'g');
  CHECK(run.devices[1].joins.size() == 2);
  CHECK_THAT(measure_text(run.report), ContainsSubstring("slow: GPU 2, 9.1 % below the others"));
  for (const MeasuredSeries& series : measured_samples(run.report, "x", "2026-12-01").series) {
    if (series.operation == "all_reduce") CHECK(series.nodes == 1);
  }
}

TEST_CASE("team device: products beside collectives run where each belongs", "[device]") {
  Launched run;
  make_up(run);
  launch(run, {.quick = true, .only = {"interference"}});
  CHECK(run.errors == std::vector<std::string>(size));
  REQUIRE(!run.report.measurements.empty());
  for (const Measurement& each : run.report.measurements) {
    REQUIRE(each.measured());
    CHECK(each.planned.work.kind == WorkKind::gemm);
    CHECK_THAT(each.alone_s, WithinRel(1e-3, 1e-6));        // GPU 0's product
    CHECK_THAT(each.other_alone_s, WithinRel(3e-3, 1e-6));  // the collective of all four
    CHECK(each.beside_s > 0);
    CHECK(each.other_beside_s > 0);
  }
  for (const FakeDevice& each : run.devices) CHECK(each.open_blocks == 0);
}

TEST_CASE("team device: what one process cannot, or gets wrong, is waived for all", "[device]") {
  Launched run;
  make_up(run);
  run.devices[3].check = [](const WorkRequest& work) -> std::optional<Verification> {
    if (work.kind != WorkKind::collective || work.collective != CollectiveKind::all_gather) return {};
    return Verification{.error = 2, .limit = 0};
  };
  launch(run, {.quick = true, .only = {"collective"}});
  CHECK(run.errors == std::vector<std::string>(size));
  for (const Measurement& each : run.report.measurements) {
    const bool wrong = each.planned.work.collective == CollectiveKind::all_gather && each.planned.work.ranks == 4;
    CHECK(each.measured() == !wrong);
    if (wrong) CHECK(each.waived == "wrong results: off by 2, allowed 0");
  }
  Launched without;
  launch(without, {.quick = true, .only = {"collective"}});
  CHECK(without.errors == std::vector<std::string>(size));
  for (const Measurement& each : without.report.measurements) CHECK(each.waived == "no library of collectives here");
}

TEST_CASE("team device: a device that fails ends the run of all processes with its reason", "[device]") {
  Launched run;
  make_up(run);
  run.devices[2].before_queue = [&](const WorkRequest&) {
    if (run.devices[2].queued > 20) throw DeviceError("fallen off the bus");
  };
  launch(run, {.quick = true, .only = {"collective"}});
  for (const std::string& each : run.errors) CHECK(each == "fallen off the bus");
}

TEST_CASE("team plan: what one GPU does is planned once, what all exchange for all", "[device]") {
  FakeDevice device;
  DeviceFacts all = device.facts();
  all.devices = 8;
  all.nodes = 3;
  std::set<int> ranks;
  for (const PlannedMeasurement& each : team_plan(device.facts(), all, {.quick = true})) {
    if (each.work.kind == WorkKind::collective) ranks.insert(each.work.ranks);
    if (each.group == "link") CHECK(each.work.kind == WorkKind::host_copy);  // one GPU here: no pairs
  }
  CHECK(ranks == std::set<int>{2, 4, 8, 16, 24});
  CHECK(team_plan(device.facts(), all, {.only = {"gpus"}}).size() == 24);
  CHECK(team_plan(device.facts(), device.facts(), {.only = {"gpus"}}).empty());
}

}  // namespace
}  // namespace railyard::device
