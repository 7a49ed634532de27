// SPDX-License-Identifier: Apache-2.0
// How work is timed, written once against the device seam. Cold: the cache is flushed before each run, which answers
// first touch and DRAM. Hot: many runs between two events, which answers the sustained rate. Compatible: cold as
// Triton's do_bench takes it, for comparison with its figures.
#pragma once

#include <functional>

#include "calibrate/device/device.h"
#include "calibrate/device/stopping_rule.h"

namespace railyard::device {

enum class Mode { compatible, cold, hot, queued };
[[nodiscard]] std::string_view to_string(Mode mode);

struct LoopOptions {
  Mode mode = Mode::compatible;
  double warm_up_s = 0.03, repeat_s = 0.2;  // of the compatible mode, and the warm-up of all
  bool flush = true;                        // of the compatible mode
  double rest_s = 0;                        // nothing runs before the warm-up
  StoppingOptions stopping;                 // of cold and hot
  double batch_s = 0.05;                    // of a hot batch
};

/// Seconds of one run, and how they were found.
struct Timing {
  SampleStatistics time;  // of accepted samples; a hot sample is a batch over its runs
  int dropped = 0;        // samples taken while throttled
  int batch = 1;          // runs in a sample
  Ended ended = Ended::not_yet;
  double clock_hz = -1;  // mean of what was read between samples; negative: not known
  double power_w = -1;   // mean over the window, from energy where the device counts it
  double window_s = 0;   // wall clock of the samples
  bool power_capped = false;
};

/// Wall clock in seconds; a test passes its own.
using WallClock = std::function<double()>;
[[nodiscard]] double steady_seconds();

/// Runs in a batch of `batch_s` when one takes `mean_s`, at least 1 and at most `most`.
[[nodiscard]] int batch_size(double mean_s, double batch_s, int most);

/// Times prepared work on `request.device`. Throws Throttled when no sample could be accepted.
[[nodiscard]] Timing time_work(Device& device, const WorkRequest& request, WorkId work, const LoopOptions& options,
                               const WallClock& clock = steady_seconds);

/// Both works at once on their streams: seconds of one run of `first` while `second` outlasts it.
[[nodiscard]] double time_beside(Device& device, WorkId first, double first_s, WorkId second, double second_s,
                                 double window_s);

}  // namespace railyard::device
