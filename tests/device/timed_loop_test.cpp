// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/timed_loop.h"

#include "tests/catch.h"
#include "tests/device/fake_device.h"

namespace railyard::device {
namespace {

WorkRequest product() {
  WorkRequest work{.kind = WorkKind::gemm};
  work.m = work.n = work.k = 1024;
  return work;
}

Timing timed(FakeDevice& device, const LoopOptions& options) {
  const PreparedWork work(device, product());
  return time_work(device, product(), work.id(), options, device.clock());
}

TEST_CASE("batch size: as many runs as fill the batch, one at least, no more than the queue holds", "[device]") {
  CHECK(batch_size(1e-3, 0.05, 1000) == 50);
  CHECK(batch_size(1.0, 0.05, 1000) == 1);
  CHECK(batch_size(1e-6, 0.05, 512) == 512);
  CHECK(batch_size(0, 0.05, 512) == 512);
}

TEST_CASE("compatible: 200 ms of flushed runs, counted with their flush", "[device]") {
  FakeDevice device;
  const Timing timing = timed(device, {});
  // A run of 1 ms and its flush of 0.1 ms: 200 / 1.1 = 181 samples; the flush is outside the events.
  CHECK(timing.time.count == 181);
  CHECK_THAT(timing.time.median, WithinRel(1e-3, 1e-9));
  CHECK(timing.ended == Ended::enough);
  CHECK(device.prepared == 0);
}

TEST_CASE("compatible without flush: no flush at all", "[device]") {
  FakeDevice device;
  LoopOptions options;
  options.flush = false;
  CHECK(timed(device, options).time.count == 200);
  CHECK(device.flushed == 0);
}

TEST_CASE("compatible: more samples than events are taken in parts", "[device]") {
  FakeDevice device;
  device.seconds = [](const WorkRequest&, int) { return 1e-6; };
  LoopOptions options;
  options.flush = false;
  options.repeat_s = 0.01;
  CHECK(timed(device, options).time.count == 10000);
}

TEST_CASE("cold: each sample is flushed, blocked and opened again, until it is quiet", "[device]") {
  FakeDevice device;
  LoopOptions options{.mode = Mode::cold};
  options.stopping.fewest_samples = 100;
  options.stopping.least_measured_s = 0;
  const Timing timing = timed(device, options);
  CHECK(timing.time.count == 100);
  CHECK(timing.ended == Ended::quiet);
  CHECK(device.flushed == 100);
  CHECK(device.blocked == 101);  // and once to load the blocking kernel
  CHECK(device.open_blocks == 0);
}

TEST_CASE("cold: a work that throws leaves no stream blocked", "[device]") {
  FakeDevice device;
  device.before_queue = [&](const WorkRequest&) {
    if (device.queued == 50) throw DeviceError("lost");
  };
  CHECK_THROWS_AS(timed(device, {.mode = Mode::cold}), DeviceError);
  CHECK(device.open_blocks == 0);
  CHECK(device.prepared == 0);
}

TEST_CASE("hot: batches back to back, never flushed", "[device]") {
  FakeDevice device;
  LoopOptions options{.mode = Mode::hot};
  options.batch_s = 0.05;
  const Timing timing = timed(device, options);
  CHECK(timing.batch == 50);
  CHECK(timing.time.count <= 11);  // 0.5 s of samples: ten, or one more where rounding asks for it
  CHECK(timing.time.count >= 10);
  CHECK_THAT(timing.time.median, WithinRel(1e-3, 1e-9));
  CHECK(device.flushed == 0);
}

TEST_CASE("queued: launches wait behind a block, no more than its queue holds", "[device]") {
  FakeDevice device;
  device.seconds = [](const WorkRequest&, int) { return 1e-6; };
  LoopOptions options{.mode = Mode::queued};
  options.stopping.least_measured_s = 0;
  const Timing timing = timed(device, options);
  CHECK(timing.batch == most_blocked);
  CHECK(device.blocked == timing.time.count);
}

TEST_CASE("samples taken while heat holds the clock are dropped and counted", "[device]") {
  FakeDevice device;
  // Throttled runs take three times as long; the device throttles from 0.2 s to 0.4 s.
  const auto hot_spell = [](double now) { return now > 0.2 && now < 0.4; };
  device.seconds = [&](const WorkRequest&, int) { return hot_spell(device.now) ? 3e-3 : 1e-3; };
  device.state_at = [&](double now) { return DeviceState{.clock_hz = 1.9e9, .throttled = hot_spell(now) ? 1 : 0}; };
  LoopOptions options{.mode = Mode::cold};
  options.stopping.least_measured_s = 0.4;
  const Timing timing = timed(device, options);
  CHECK(timing.dropped > 20);
  // Looks at the clock are 20 ms apart: at most the samples between two of them slip in at either edge.
  CHECK_THAT(timing.time.median, WithinRel(1e-3, 1e-9));
  CHECK(timing.time.mean < 1.1e-3);
}

TEST_CASE("a clock held by the power limit is how the device runs: nothing is dropped, and it is told", "[device]") {
  FakeDevice device;
  device.state_at = [](double now) {
    return DeviceState{.clock_hz = 0.9e9, .power_w = 700, .energy_j = 700 * now, .power_capped = 1};
  };
  LoopOptions options{.mode = Mode::hot};
  const Timing timing = timed(device, options);
  CHECK(timing.dropped == 0);
  CHECK(timing.power_capped);
  CHECK_THAT(timing.power_w, WithinRel(700, 1e-6));  // joules over seconds
  CHECK_THAT(timing.clock_hz, WithinRel(0.9e9, 1e-9));
}

TEST_CASE("when every sample is throttled there is no figure", "[device]") {
  FakeDevice device;
  device.state_at = [](double) { return DeviceState{.throttled = 1}; };
  LoopOptions options{.mode = Mode::cold};
  options.stopping.longest_s = 0.5;
  CHECK_THROWS_AS(timed(device, options), Throttled);
  CHECK_THROWS_AS(timed(device, {}), Throttled);
}

TEST_CASE("a work beside another is timed while the other still runs", "[device]") {
  FakeDevice device;
  const PreparedWork first(device, product()), other(device, product());
  // One stream after the other in this device: only that the time is that of the first is tested here.
  CHECK_THAT(time_beside(device, first.id(), 1e-3, other.id(), 1e-3, 0.05), WithinRel(1e-3, 1e-9));
  CHECK(device.open_blocks == 0);
  CHECK(device.queued == 50 + 200);  // the other lasts four times as long
}

}  // namespace
}  // namespace railyard::device
