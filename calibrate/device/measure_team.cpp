// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/measure_team.h"

#include <algorithm>

#include "calibrate/device/team/packing.h"

namespace railyard::device {
namespace {

/// What a process found on one of its devices, as it travels to rank 0: these figures, then the kernel and the reason.
struct Found {
  Timing timing;
  Verification verification;
  bool verified = false;
  std::uint32_t kernel_bytes = 0;
};

std::string told(const Measurement& result) {
  Found found{.timing = result.timing,
              .verification = result.verification.value_or(Verification{}),
              .verified = result.verification.has_value(),
              .kernel_bytes = static_cast<std::uint32_t>(result.kernel.size())};
  return packed(found) + result.kernel + result.waived;
}

Measurement understood(const PlannedMeasurement& planned, const std::string& text) {
  if (text.size() < sizeof(Found)) throw TeamError("a process told half a measurement");
  const auto found = unpacked<Found>(text.substr(0, sizeof(Found)));
  Measurement result{.planned = planned, .timing = found.timing};
  if (found.verified) result.verification = found.verification;
  result.kernel = text.substr(sizeof found, found.kernel_bytes);
  result.waived = text.substr(sizeof found + found.kernel_bytes);
  return result;
}

/// Each process times its own devices, all processes at once; rank 0 gets all in the order of the plan.
std::vector<Measurement> measure_each(Device& local, const TeamDevice& all, const Team& team,
                                      const std::vector<PlannedMeasurement>& list) {
  const Member& me = all.members().at(static_cast<std::size_t>(team.rank()));
  std::vector<std::string> texts;  // by place in the list; empty: another process measures it
  for (const PlannedMeasurement& planned : list) {
    const int device = planned.work.device;
    const bool mine = device >= me.first && device < me.first + me.devices;
    PlannedMeasurement here = planned;
    here.work.device = device - me.first;
    texts.push_back(mine ? told(measured(local, here)) : std::string());
  }
  std::vector<Measurement> results;
  for (std::size_t i = 0; i < list.size(); ++i) {
    results.push_back({.planned = list[i]});
    for (const std::string& each : team.gather(texts[i])) {
      if (!each.empty()) results.back() = understood(list[i], each);
    }
  }
  return results;
}

PlanOptions only_of(const PlanOptions& options, bool first) {
  PlanOptions part = options;
  part.only.clear();
  for (const std::string& group : measurement_groups()) {
    const bool asked =
        options.only.empty() || std::find(options.only.begin(), options.only.end(), group) != options.only.end();
    if (asked && (place_of(group) == GroupPlace::first) == first) part.only.push_back(group);
  }
  return part;
}

}  // namespace

std::vector<PlannedMeasurement> team_plan(const DeviceFacts& local, const DeviceFacts& all,
                                          const PlanOptions& options) {
  std::vector<PlannedMeasurement> plan;
  for (const bool first : {true, false}) {
    const PlanOptions part = only_of(options, first);
    if (part.only.empty()) continue;  // which would mean all
    for (PlannedMeasurement& each : measurement_plan(first ? local : all, part)) plan.push_back(std::move(each));
  }
  return plan;
}

MeasureReport measure(Device& local, TeamDevice& all, const Team& team, const std::vector<PlannedMeasurement>& plan,
                      const MeasureProgress& progress) {
  MeasureReport report{.facts = all.facts(), .measurements = {}, .wall_s = 0};
  const double started = steady_seconds(), expected = expected_seconds(plan);
  double passed = 0;
  for (std::size_t i = 0; i < plan.size();) {
    if (progress) progress(i, plan.size(), seconds_left(expected, passed, steady_seconds() - started));
    std::size_t end = i + 1;
    switch (place_of(plan[i].group)) {
      case GroupPlace::first:
        if (team.root()) report.measurements.push_back(measured(local, plan[i]));
        break;
      case GroupPlace::together:
        report.measurements.push_back(measured(all, plan[i], all.clock()));
        break;
      case GroupPlace::each: {
        while (end < plan.size() && plan[end].group == plan[i].group) ++end;
        const std::vector<PlannedMeasurement> list(plan.begin() + static_cast<std::ptrdiff_t>(i),
                                                   plan.begin() + static_cast<std::ptrdiff_t>(end));
        for (Measurement& each : measure_each(local, all, team, list)) report.measurements.push_back(std::move(each));
        break;
      }
    }
    for (; i < end; ++i) passed += plan[i].expected_s;
  }
  (void)team.gather_all("done");  // nobody leaves while others still exchange
  if (progress) progress(plan.size(), plan.size(), 0);
  report.wall_s = steady_seconds() - started;
  if (!team.root()) report.measurements.clear();
  return report;
}

}  // namespace railyard::device
