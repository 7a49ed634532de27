// SPDX-License-Identifier: Apache-2.0
// Ranks and nodes of an nccl-tests run: from the device list, and from busbw/algbw, each checking the other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "calibrate/import/nccl_run.h"

namespace railyard::import_detail {
namespace {

enum class Recovery { all_reduce, gather, none };

Recovery recovery_of(const ImportedRun& run) {
  const auto two = nccl_factor(run.operation, 2), four = nccl_factor(run.operation, 4);
  if (!two || !four || *two == *four) return Recovery::none;
  return *two == 1 ? Recovery::all_reduce : Recovery::gather;
}

// busbw/algbw = 2(n-1)/n or (n-1)/n, solved for n at both ends of what rounding allows.
Interval ranks_of(const NcclFigures& figures, Recovery recovery) {
  const double top = recovery == Recovery::all_reduce ? 2 : 1;
  const auto solve = [&](double ratio) { return ratio >= top ? HUGE_VAL : top / (top - ratio); };
  const double low = figures.bus.low / figures.algorithm.high;
  const double high = figures.algorithm.low > 0 ? figures.bus.high / figures.algorithm.low : top;
  return {solve(std::max(low, 0.0)), solve(high)};
}

// Figures that were typed or converted by hand are off by a little more than their rounding says.
Interval loosened(Interval interval) {
  constexpr double relative = 2e-4;
  return {interval.low * (1 - relative), interval.high * (1 + relative)};
}

// Sets ranks_low and ranks_high to the whole numbers that all rows allow; false when there is none.
bool intersect_rows(NcclRun& run, Recovery recovery, bool loose) {
  Interval all{1, HUGE_VAL};
  bool any = false;
  for (NcclFigures figures : run.figures) {
    if (figures.bus.low <= 0 || figures.algorithm.high <= 0) continue;
    if (loose) figures.algorithm = loosened(figures.algorithm);
    const Interval ranks = ranks_of(figures, recovery);
    all = {std::max(all.low, ranks.low), std::min(all.high, ranks.high)};
    any = true;
  }
  run.run.ranks_low = run.run.ranks_high = 0;
  if (all.low > all.high) return false;
  if (!any || all.high > 1e8) return true;
  run.run.ranks_low = static_cast<std::int64_t>(std::ceil(all.low - 1e-9));
  run.run.ranks_high = static_cast<std::int64_t>(std::floor(all.high + 1e-9));
  return run.run.ranks_low <= run.run.ranks_high;
}

// The same with the tolerance that the figures need.
bool recover_ranks(NcclRun& run, Recovery recovery) {
  if (recovery == Recovery::none || intersect_rows(run, recovery, false)) return true;
  if (!intersect_rows(run, recovery, true)) {
    run.run.ranks_low = run.run.ranks_high = 0;
    return false;
  }
  run.run.remarks.push_back(
      {"busbw/algbw is off by more than rounding: figures typed or converted by hand", run.sizes.front().line});
  return true;
}

// GPUs of one node from a device list with gaps: the first host is listed in full when another follows it directly,
// or device numbers count up within a node.
std::int64_t per_node_of(const std::vector<NcclDevice>& devices) {
  std::int64_t on_first = 0;
  while (on_first < std::ssize(devices) && devices[static_cast<std::size_t>(on_first)].rank == on_first &&
         devices[static_cast<std::size_t>(on_first)].host == devices.front().host) {
    ++on_first;
  }
  if (on_first > 0 && on_first < std::ssize(devices) && devices[static_cast<std::size_t>(on_first)].rank == on_first) {
    return on_first;
  }
  std::int64_t most = 0;
  for (const NcclDevice& device : devices) most = std::max(most, device.device + 1);
  const bool counted = std::all_of(devices.begin(), devices.end(),
                                   [&](const NcclDevice& device) { return device.rank % most == device.device; });
  return most > 1 && counted ? most : 0;
}

void count_devices(NcclRun& run) {
  std::int64_t last = -1;
  std::set<std::string_view> hosts;
  std::set<std::int64_t> ranks;
  for (const NcclDevice& device : run.devices) {
    last = std::max(last, device.rank);
    hosts.insert(device.host);
    ranks.insert(device.rank);
    if (device.name != run.devices.front().name && run.run.gpu.empty()) {
      run.run.remarks.push_back({"the device list names different GPUs", device.line});
      run.run.gpu = run.devices.front().name;
    }
  }
  run.run.gpu = run.devices.front().name;
  run.run.ranks = last + 1;
  if (std::ssize(ranks) == run.run.ranks && std::ssize(run.devices) == run.run.ranks) {
    run.run.nodes = std::ssize(hosts);
  } else if (const std::int64_t per_node = per_node_of(run.devices); per_node > 0 && run.run.ranks % per_node == 0) {
    run.run.nodes = run.run.ranks / per_node;
    run.run.remarks.push_back(
        {fmt::format("the device list has gaps: {} ranks from its last line, {} a node", run.run.ranks, per_node),
         run.devices.front().line});
  }
}

// The row whose figures the rank count of the device list contradicts.
const NcclFigures* contradicting(const NcclRun& run) {
  const std::optional<double> factor = nccl_factor(run.run.operation, run.run.ranks);
  if (!factor) return nullptr;
  for (const NcclFigures& figures : run.figures) {
    const Interval algorithm = loosened(figures.algorithm);
    if (!overlap({algorithm.low * *factor, algorithm.high * *factor}, figures.bus)) return &figures;
  }
  return nullptr;
}

void check_listed(NcclRun& run) {
  const NcclFigures* const bad = contradicting(run);
  if (bad == nullptr) return;
  const CollectiveSample& sample = run.run.collectives[bad->sample];
  const double ratio = sample.algorithm_bandwidth > Bandwidth{} ? sample.bus_bandwidth / sample.algorithm_bandwidth : 0;
  run.rank_refusal = {RefusalReason::ranks_disagree,
                      fmt::format("the device list has {} ranks, but busbw/algbw is {:.3f} where {} of {} ranks has "
                                  "{:.3f}",
                                  run.run.ranks, ratio, run.run.operation, run.run.ranks,
                                  nccl_factor(run.run.operation, run.run.ranks).value_or(0)),
                      sample.line};
}

void recover_unlisted(NcclRun& run, Recovery recovery, bool possible) {
  ImportedRun& result = run.run;
  const int line = run.sizes.front().line;
  // busbw is zero beside a real algbw: a local copy.
  const auto local = std::find_if(run.figures.begin(), run.figures.end(), [](const NcclFigures& figures) {
    return figures.algorithm.low > 0.05 && figures.bus.low < 0;
  });
  if (recovery != Recovery::none && local != run.figures.end()) {
    result.ranks = 1;
  } else if (!possible) {
    run.rank_refusal = {RefusalReason::ranks_disagree, "the rows of one table tell different rank counts", line};
  } else if (result.ranks_low > 0 && result.ranks_low == result.ranks_high) {
    result.ranks = result.ranks_low;
  } else if (result.ranks_low > 0 &&
             static_cast<double>(result.ranks_high) <= 1.1 * static_cast<double>(result.ranks_low)) {
    result.remarks.push_back(
        {fmt::format("no device list; busbw/algbw allows {} to {} ranks", result.ranks_low, result.ranks_high), line});
  } else if (recovery == Recovery::none) {
    result.remarks.push_back({"no device list, and busbw/algbw does not depend on the ranks", line});
  } else {
    run.rank_refusal = {RefusalReason::ranks_unknown,
                        "no device list, and the bus bandwidths are too small to recover the rank count", line};
  }
  // One process that drives them all is one node.
  if (result.ranks > 1 && result.ranks == run.threads * run.gpus) result.nodes = 1;
}

}  // namespace

void conclude_ranks(NcclRun& run) {
  if (!run.devices.empty()) count_devices(run);
  if (run.sizes.empty()) return;
  const Recovery recovery = recovery_of(run.run);
  const bool possible = recover_ranks(run, recovery);
  if (!run.devices.empty()) {
    check_listed(run);
  } else {
    recover_unlisted(run, recovery, possible);
  }
}

}  // namespace railyard::import_detail
