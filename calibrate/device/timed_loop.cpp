// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/timed_loop.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>

namespace railyard::device {
namespace {

constexpr int estimate_runs = 5;  // as do_bench
// A clock held below this share of the highest by anything but the power limit is no state to measure in.
constexpr double slowest_clock = 0.5;
constexpr double state_period_s = 0.02;  // between two looks at the clock: reading it takes time too
constexpr double shortest_energy_s = 1;
constexpr int settle_pairs = most_events / 2;

/// Watches clock, power and throttling beside the samples.
class Watch {
 public:
  Watch(Device& device, int index, const WallClock& clock)
      : device_(device), index_(index), clock_(clock), started_(clock()), looked_(started_) {
    first_ = device_.state(index_);
  }

  [[nodiscard]] bool due() const { return clock_() - looked_ >= state_period_s; }
  [[nodiscard]] double wall() const { return clock_() - started_; }

  /// False when the device was throttled; what was timed since the last look then does not count.
  bool look() {
    looked_ = clock_();
    const DeviceState now = device_.state(index_);
    if (now.clock_hz > 0) {
      clocks_ += now.clock_hz;
      ++looks_;
    }
    if (now.power_w >= 0) {
      powers_ += now.power_w;
      ++power_looks_;
    }
    capped_ = capped_ || now.power_capped != 0;
    const double highest = device_.facts().clock_hz;
    const bool slow = highest > 0 && now.clock_hz > 0 && now.clock_hz < slowest_clock * highest;
    return now.throttled == 0 && (!slow || now.power_capped != 0);
  }

  void finish(Timing& timing) {
    const DeviceState last = device_.state(index_);
    timing.window_s = wall();
    timing.power_capped = capped_ || last.power_capped != 0;
    timing.clock_hz = looks_ > 0 ? clocks_ / looks_ : last.clock_hz;
    // The counter of energy moves in steps: over a short window it says nothing.
    const bool counted =
        first_.energy_j >= 0 && last.energy_j > first_.energy_j && timing.window_s >= shortest_energy_s;
    if (counted) {
      timing.power_w = (last.energy_j - first_.energy_j) / timing.window_s;
    } else {
      timing.power_w = power_looks_ > 0 ? powers_ / power_looks_ : last.power_w;
    }
  }

 private:
  Device& device_;
  int index_;
  const WallClock& clock_;
  double started_, looked_;
  DeviceState first_;
  double clocks_ = 0, powers_ = 0;
  int looks_ = 0, power_looks_ = 0;
  bool capped_ = false;
};

/// Rough seconds of one run, flush included when asked for.
double estimate(Device& device, WorkId work, bool flush) {
  device.queue(work);  // first use loads code
  device.synchronise();
  device.record(work, 0);
  for (int i = 0; i < estimate_runs; ++i) {
    if (flush) device.flush_l2(work);
    device.queue(work);
  }
  device.record(work, 1);
  device.synchronise();
  return std::max(device.elapsed(work, 0, 1) / estimate_runs, 1e-9);
}

void warm_up(Device& device, WorkId work, double seconds, double run_s) {
  const int runs = std::max(1, static_cast<int>(seconds / run_s));
  for (int i = 0; i < runs; ++i) device.queue(work);
  device.synchronise();
}

/// Everything queued at once, as do_bench does; states are read at the ends.
Timing compatible(Device& device, const WorkRequest& request, WorkId work, const LoopOptions& options,
                  const WallClock& clock) {
  const double run_s = estimate(device, work, options.flush);
  const int wanted = std::max(1, static_cast<int>(options.repeat_s / run_s));
  warm_up(device, work, options.warm_up_s, run_s);
  Watch watch(device, request.device, clock);
  Timing timing{.ended = Ended::enough};
  std::vector<double> samples;
  for (int done = 0; done < wanted;) {
    const int chunk = std::min(wanted - done, settle_pairs);
    for (int i = 0; i < chunk; ++i) {
      if (options.flush) device.flush_l2(work);
      device.record(work, 2 * i);
      device.queue(work);
      device.record(work, 2 * i + 1);
    }
    device.synchronise();
    done += chunk;
    if (!watch.look()) {
      timing.dropped += chunk;
      continue;
    }
    for (int i = 0; i < chunk; ++i) samples.push_back(device.elapsed(work, 2 * i, 2 * i + 1));
  }
  timing.time = statistics(samples);
  watch.finish(timing);
  return timing;
}

/// Samples until the rule ends them; `take` gives seconds of a run. What was taken since the last look at the clock
/// counts only when that look is good.
template <class Take>
void sample(StoppingRule& rule, Timing& timing, Watch& watch, const Take& take) {
  int unchecked = 0;
  const auto look = [&] {
    if (!watch.look()) {
      rule.drop(unchecked);
      timing.dropped += unchecked;
    }
    unchecked = 0;
  };
  while ((timing.ended = rule.ended(watch.wall())) == Ended::not_yet) {
    rule.add(take(), timing.batch);
    ++unchecked;
    if (watch.due()) look();
  }
  if (unchecked > 0) look();
}

Timing cold(Device& device, const WorkRequest& request, WorkId work, const LoopOptions& options,
            const WallClock& clock) {
  warm_up(device, work, options.warm_up_s, estimate(device, work, false));
  { StreamBlock load(device, work); }  // the blocking kernel is loaded before it counts
  device.synchronise();
  Watch watch(device, request.device, clock);
  StoppingRule rule(options.stopping);
  Timing timing;
  sample(rule, timing, watch, [&] {
    device.flush_l2(work);
    device.synchronise();
    StreamBlock block(device, work);
    device.record(work, 0);
    device.queue(work);
    device.record(work, 1);
    block.open();
    device.synchronise();
    return device.elapsed(work, 0, 1);
  });
  timing.time = statistics(rule.samples());
  watch.finish(timing);
  return timing;
}

/// `queued`: every batch is held back until it is queued whole, so that launches are ahead of the device.
Timing hot(Device& device, const WorkRequest& request, WorkId work, const LoopOptions& options,
           const WallClock& clock) {
  const bool queued = options.mode == Mode::queued;
  const double run_s = estimate(device, work, false);
  warm_up(device, work, options.warm_up_s, run_s);
  Watch watch(device, request.device, clock);
  StoppingRule rule(options.stopping);
  Timing timing{.batch = batch_size(run_s, options.batch_s, queued ? most_blocked : 1000000)};
  sample(rule, timing, watch, [&] {
    std::optional<StreamBlock> block;
    if (queued) block.emplace(device, work);
    device.record(work, 0);
    for (int i = 0; i < timing.batch; ++i) device.queue(work);
    device.record(work, 1);
    block.reset();
    device.synchronise();
    return device.elapsed(work, 0, 1) / timing.batch;
  });
  timing.time = statistics(rule.samples());
  watch.finish(timing);
  return timing;
}

}  // namespace

std::string_view to_string(Mode mode) {
  constexpr std::array<std::string_view, 4> names{"compatible", "cold", "hot", "queued"};
  return names.at(static_cast<std::size_t>(mode));
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int batch_size(double mean_s, double batch_s, int most) {
  const double runs = mean_s > 0 ? batch_s / mean_s : most;
  return static_cast<int>(std::clamp(std::round(runs), 1.0, static_cast<double>(most)));
}

Timing time_work(Device& device, const WorkRequest& request, WorkId work, const LoopOptions& options,
                 const WallClock& clock) {
  if (options.rest_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(options.rest_s));
  Timing timing = options.mode == Mode::compatible ? compatible(device, request, work, options, clock)
                  : options.mode == Mode::cold     ? cold(device, request, work, options, clock)
                                                   : hot(device, request, work, options, clock);
  if (timing.time.count == 0) {
    throw Throttled("every sample of " + size_label(request) + " was taken while the device was throttled");
  }
  return timing;
}

double time_beside(Device& device, WorkId first, double first_s, WorkId second, double second_s, double window_s) {
  const int runs = batch_size(first_s, window_s, most_blocked / 4);
  // Both slow down, the first at most fourfold: the second must still be running then.
  const int others = batch_size(second_s, 4 * runs * first_s, most_blocked);
  StreamBlock hold_first(device, first), hold_second(device, second);
  for (int i = 0; i < others; ++i) device.queue(second);
  device.record(first, 0);
  for (int i = 0; i < runs; ++i) device.queue(first);
  device.record(first, 1);
  hold_second.open();
  hold_first.open();
  device.synchronise();
  return device.elapsed(first, 0, 1) / runs;
}

}  // namespace railyard::device
