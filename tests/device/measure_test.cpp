// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/measure.h"

#include <algorithm>
#include <cmath>

#include "calibrate/profile/gemm_law.h"
#include "sim/app/measure_output.h"
#include "sim/app/measure_samples.h"
#include "sim/study/calibration/profile_writer.h"
#include "sim/study/catalogue.h"
#include "tests/catch.h"
#include "tests/device/fake_device.h"

namespace railyard::device {
namespace {

constexpr GemmLaw invented{.flop_per_s = 700e12,
                           .memory_bytes_per_s = 4.2e12,
                           .compute_units = 132,
                           .k_overhead = 120,
                           .wave_sharing = 0.8,
                           .tile_edge = 30,
                           .start_s = 3e-6};

/// Times of a made-up GPU: products by a law, memory and attention by theirs.
double made_up(const WorkRequest& work, int) {
  switch (work.kind) {
    case WorkKind::gemm: {
      GemmLaw law = invented;
      if (work.type == ElementType::fp8) law.flop_per_s *= 2;
      const double operand = work.type == ElementType::fp8 ? 1 : 2;
      return gemm_time(law, {work.m, work.n, work.k, 1}, operand * byte, 2.0 * byte).in(second);
    }
    case WorkKind::memory:
      return 3e-6 + static_cast<double>(work.bytes) / 4.2e12;
    case WorkKind::attention: {
      const double rate = (work.backward != 0 ? 500e12 : 600e12) / (1 + 500.0 / static_cast<double>(work.sequence));
      return flops(work) / rate;
    }
    default:
      return 1.4e-6;
  }
}

MeasureReport measured_quickly(FakeDevice& device) {
  device.seconds = made_up;
  return measure(device, measurement_plan(device.facts(), {.quick = true}), {}, device.clock());
}

TEST_CASE("measure: a made-up device becomes a profile whose figures are those made up", "[device]") {
  FakeDevice device;
  const MeasureReport report = measured_quickly(device);
  const Catalogue catalogue(RAILYARD_SOURCE_DIR);
  const Profile like = catalogue.profile("h200-cuda");
  SampleSet set = measured_samples(report, "mine", "2026-12-01");
  const SampleFit fit = fit_samples(set, &like);
  ProfileRequest request{.id = "mine", .like = &like, .fabric = {}, .nic = {}};
  request.direct = direct_figures(report);
  request.run = {{"driver", "1.2.3"}};
  request.gpu_name = report.facts.name;
  const WrittenProfile written = write_profile(request, set, fit, catalogue.parts());
  const Profile profile = read_profile(YamlDocument::parse(written.yaml, "mine.yaml"));
  CHECK_THAT(profile.memory.value.typical.in(byte / second), WithinRel(4.2e12, 0.001));
  CHECK_THAT(profile.kernel_gap.value.typical.in(second), WithinRel(1.4e-6, 0.001));
  CHECK(!profile.kernel_gap.evidence.assumed());
  CHECK(profile.compute_slowdown.evidence.assumed());  // one GPU: nothing to exchange
  CHECK_THAT(profile.attention.at(128).forward.value.typical.in(flop / second), WithinRel(600e12, 0.01));
  CHECK_THAT(profile.attention.at(128).backward_half_sequence.value.typical, WithinRel(500, 0.02));
  CHECK(!profile.gemm.at(Precision::bf16).sustained.evidence.assumed());
  CHECK(profile.run == std::vector<std::pair<std::string, std::string>>{{"driver", "1.2.3"}});
  CHECK(std::find(written.measured.begin(), written.measured.end(), "kernel_gap") != written.measured.end());
}

TEST_CASE("measure: a wrong result is no figure, whatever its speed", "[device]") {
  FakeDevice device;
  device.check = [](const WorkRequest& work) -> std::optional<Verification> {
    if (work.kind != WorkKind::gemm) return {};
    return Verification{.error = work.type == ElementType::fp8 ? 0.5 : 0.001, .limit = 0.004};
  };
  const MeasureReport report = measured_quickly(device);
  for (const Measurement& each : report.measurements) {
    const bool wrong = each.planned.work.kind == WorkKind::gemm && each.planned.work.type == ElementType::fp8;
    CHECK(each.measured() == !wrong);
    if (wrong) CHECK_THAT(each.waived, ContainsSubstring("wrong results: off by 0.5, allowed 0.004"));
  }
  for (const MeasuredSeries& series : measured_samples(report, "mine", "").series) {
    CHECK(series.operation != "gemm fp8");
  }
  CHECK_THAT(measure_text(report), ContainsSubstring("waived: gemm fp8: wrong results"));
}

TEST_CASE("measure: what the device cannot do is waived with its reason, what is throttled too", "[device]") {
  FakeDevice device;
  device.facts_.devices = 2;
  device.state_at = [](double) { return DeviceState{.throttled = 1}; };
  const MeasureReport report = measure(
      device, measurement_plan(device.facts(), {.quick = true, .only = {"collective", "launch"}}), {}, device.clock());
  CHECK(!report.measurements.empty());
  for (const Measurement& each : report.measurements) {
    CHECK(each.waived == (each.planned.group == "collective"
                              ? "one GPU"
                              : "every sample of empty kernel was taken while the device was throttled"));
  }
  CHECK(measured_samples(report, "mine", "").series.empty());
}

TEST_CASE("measure: a device that fails ends the run", "[device]") {
  FakeDevice device;
  device.before_queue = [&](const WorkRequest&) {
    if (device.queued > 1000) throw DeviceError("fallen off the bus");
  };
  CHECK_THROWS_AS(measured_quickly(device), DeviceError);
}

TEST_CASE("measure: progress counts down to nothing left", "[device]") {
  FakeDevice device;
  std::vector<double> left;
  std::size_t last = 0;
  const auto plan = measurement_plan(device.facts(), {.quick = true, .only = {"hbm"}});
  (void)measure(
      device, plan,
      [&](std::size_t done, std::size_t all, double seconds_left) {
        CHECK(all == plan.size());
        CHECK(done >= last);
        last = done;
        left.push_back(seconds_left);
      },
      device.clock());
  CHECK(last == plan.size());
  CHECK_THAT(left.front(), WithinRel(expected_seconds(plan), 1e-9));
  CHECK(left.back() == 0);
}

TEST_CASE("measure: rates count what they should", "[device]") {
  Measurement measurement;
  measurement.planned.work.kind = WorkKind::collective;
  measurement.planned.work.ranks = 8;
  measurement.planned.work.bytes = 1000;
  measurement.timing.time.median = 1e-6;
  // All-reduce over 8 ranks: 2 x 7 / 8 of the bytes cross each link (nccl-tests, PERFORMANCE.md).
  CHECK_THAT(measurement.rate(), WithinRel(1.75e9, 1e-12));
  measurement.planned.work = {.kind = WorkKind::attention};
  measurement.planned.work.sequence = 4096;
  measurement.planned.work.heads = 32;
  measurement.planned.work.head_dim = 128;
  measurement.planned.work.batch = 4;
  // 4 b h s s d, half of it unmasked; backward 2.5 times that.
  CHECK_THAT(flops(measurement.planned.work), WithinRel(2.0 * 4 * 32 * 4096 * 4096 * 128, 1e-12));
  measurement.planned.work.backward = 1;
  CHECK_THAT(flops(measurement.planned.work), WithinRel(5.0 * 4 * 32 * 4096 * 4096 * 128, 1e-12));
}

TEST_CASE("measure: energy counts over a window of a second, not below", "[device]") {
  Measurement measurement;
  measurement.planned.work.kind = WorkKind::gemm;
  measurement.planned.work.m = measurement.planned.work.n = measurement.planned.work.k = 1000;
  measurement.timing.time.median = measurement.timing.time.mean = 2e-6;  // 1e15 FLOP/s
  measurement.timing.power_w = 500;
  measurement.timing.window_s = 1.2;
  CHECK_THAT(measurement.flop_per_joule(), WithinRel(2e12, 1e-12));
  measurement.timing.window_s = 0.5;
  CHECK(measurement.flop_per_joule() == 0);
}

}  // namespace
}  // namespace railyard::device
