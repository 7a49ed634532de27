// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/measurement_plan.h"

#include <algorithm>
#include <set>

#include "sim/study/calibration/sample_fit.h"
#include "tests/catch.h"
#include "tests/device/fake_device.h"

namespace railyard::device {
namespace {

DeviceFacts facts_of(int devices) {
  DeviceFacts facts = FakeDevice().facts();
  facts.devices = devices;
  return facts;
}

TEST_CASE("plan: quick takes a minute, full eight, the study of method as long as full", "[device]") {
  CHECK(expected_seconds(measurement_plan(facts_of(1), {.quick = true})) <= 60);
  CHECK(expected_seconds(measurement_plan(facts_of(1), {})) <= 480);
  CHECK(expected_seconds(measurement_plan(facts_of(8), {})) <= 480);
  CHECK(expected_seconds(measurement_plan(facts_of(1), {.method_study = true})) <= 480);
  DeviceFacts host = facts_of(1);
  host.back_end = "host";
  CHECK(expected_seconds(measurement_plan(host, {.quick = true})) <= 60);
}

TEST_CASE("plan: enough products for the whole law, and no size twice in it", "[device]") {
  std::set<std::string> sizes;
  std::size_t samples = 0;
  for (const PlannedMeasurement& each : measurement_plan(facts_of(1), {})) {
    if (each.operation != "gemm bf16" || !each.variant.empty()) continue;
    ++samples;
    sizes.insert(size_label(each.work));
  }
  CHECK(samples >= fewest_for_shape);
  CHECK(sizes.size() == samples);
}

TEST_CASE("plan: only the groups that were asked for, and every group is known", "[device]") {
  const auto plan = measurement_plan(facts_of(2), {.only = {"hbm"}});
  CHECK(!plan.empty());
  CHECK(std::all_of(plan.begin(), plan.end(), [](const auto& each) { return each.group == "hbm"; }));
  std::set<std::string> groups;
  for (const PlannedMeasurement& each : measurement_plan(facts_of(2), {})) groups.insert(each.group);
  CHECK(groups == std::set<std::string>(measurement_groups().begin(), measurement_groups().end()));
}

TEST_CASE("plan: memory kernels go to a quarter of the memory and no further", "[device]") {
  std::int64_t most = 0;
  for (const PlannedMeasurement& each : measurement_plan(facts_of(1), {.only = {"hbm"}})) {
    most = std::max(most, each.work.bytes);
  }
  CHECK(static_cast<double>(most) <= 150e9 / 4);
  CHECK(static_cast<double>(4 * most) > 150e9 / 4);
}

TEST_CASE("plan: one GPU has nothing to exchange, several have pairs and collectives of 2, 4 and 8", "[device]") {
  const auto count = [](const std::vector<PlannedMeasurement>& plan, WorkKind kind) {
    return std::count_if(plan.begin(), plan.end(), [&](const auto& each) { return each.work.kind == kind; });
  };
  CHECK(count(measurement_plan(facts_of(1), {}), WorkKind::peer_copy) == 0);
  CHECK(count(measurement_plan(facts_of(1), {}), WorkKind::collective) == 0);
  CHECK(count(measurement_plan(facts_of(8), {}), WorkKind::peer_copy) == 56);
  // 1 KiB to 16 GiB doubling is 25 sizes; five operations; three rank counts.
  CHECK(count(measurement_plan(facts_of(8), {}), WorkKind::collective) == 25 * 5 * 3);
}

}  // namespace
}  // namespace railyard::device
