// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "calibrate/profile/profile.h"

namespace railyard::device {
namespace {

constexpr double pair_window_s = 0.1;

Collective law_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return Collective::all_reduce;
    case CollectiveKind::all_gather:
      return Collective::all_gather;
    case CollectiveKind::reduce_scatter:
      return Collective::reduce_scatter;
    case CollectiveKind::all_to_all:
      return Collective::all_to_all;
    case CollectiveKind::broadcast:
      break;
  }
  return Collective::broadcast;
}

/// A wrong result is no figure.
bool refused(Measurement& result) {
  if (!result.verification || result.verification->passed()) return false;
  result.waived = fmt::format("wrong results: off by {:.3g}, allowed {:.3g}", result.verification->error,
                              result.verification->limit);
  return true;
}

void measure_pair(Device& device, Measurement& result, const WallClock& clock) {
  const WorkRequest& first = result.planned.work;
  const WorkRequest& other = *result.planned.beside;
  const PreparedWork compute(device, first), communicate(device, other);
  for (const WorkId each : {compute.id(), communicate.id()}) {
    result.verification = device.verify(each);
    if (refused(result)) return;
  }
  result.timing = time_work(device, first, compute.id(), result.planned.loop, clock);
  result.alone_s = result.timing.time.median;
  result.other_alone_s = time_work(device, other, communicate.id(), result.planned.loop, clock).time.median;
  result.beside_s =
      time_beside(device, compute.id(), result.alone_s, communicate.id(), result.other_alone_s, pair_window_s);
  result.other_beside_s =
      time_beside(device, communicate.id(), result.other_alone_s, compute.id(), result.alone_s, pair_window_s);
}

void measure_one(Device& device, Measurement& result, const WallClock& clock) {
  const PreparedWork work(device, result.planned.work);
  result.kernel = device.describe(work.id());
  result.verification = device.verify(work.id());
  if (refused(result)) return;
  try {
    result.timing = time_work(device, result.planned.work, work.id(), result.planned.loop, clock);
  } catch (const Throttled& error) {
    result.waived = error.what();
  }
}

}  // namespace

double Measurement::rate_of(double seconds) const {
  if (!(seconds > 0)) return 0;
  const double operations = flops(planned.work);
  if (operations > 0) return operations / seconds;
  double factor = 1;
  if (planned.work.kind == WorkKind::collective) {
    factor = bus_bandwidth_factor(law_of(planned.work.collective), planned.work.ranks);
  }
  return factor * traffic(planned.work) / seconds;
}

double Measurement::rate() const { return measured() ? rate_of(timing.time.median) : 0; }

double Measurement::flop_per_joule() const {
  constexpr double shortest_window_s = 1;  // power is read over windows of a second or more
  if (!measured() || timing.power_w <= 0 || timing.window_s < shortest_window_s) return 0;
  return flops(planned.work) > 0 ? rate_of(timing.time.mean) / timing.power_w : 0;
}

Measurement measured(Device& device, const PlannedMeasurement& planned, const WallClock& clock) {
  Measurement result{.planned = planned};
  try {
    planned.beside ? measure_pair(device, result, clock) : measure_one(device, result, clock);
  } catch (const Waived& reason) {
    result.waived = reason.what();
  }
  return result;
}

double seconds_left(double expected, double passed, double spent) {
  const double pace = passed > 1 ? spent / passed : 1;
  return pace * (expected - passed);
}

MeasureReport measure(Device& device, const std::vector<PlannedMeasurement>& plan, const MeasureProgress& progress,
                      const WallClock& clock) {
  MeasureReport report{.facts = device.facts(), .measurements = {}, .wall_s = 0};
  const double started = clock(), expected = expected_seconds(plan);
  double passed = 0;  // of the expected seconds
  for (const PlannedMeasurement& planned : plan) {
    if (progress) progress(report.measurements.size(), plan.size(), seconds_left(expected, passed, clock() - started));
    report.measurements.push_back(measured(device, planned, clock));
    passed += planned.expected_s;
  }
  if (progress) progress(plan.size(), plan.size(), 0);
  report.wall_s = clock() - started;
  return report;
}

}  // namespace railyard::device
