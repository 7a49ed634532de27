// SPDX-License-Identifier: Apache-2.0
// What makes an nccl-tests run no evidence, the worst first.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "calibrate/import/nccl_run.h"

namespace railyard::import_detail {
namespace {

void refuse(NcclRun& run, const std::optional<Refusal>& refusal) {
  if (refusal) run.run.refuse(refusal->reason, refusal->sentence, refusal->line);
}

// Two processes that each think they are rank 0 print into each other.
std::optional<Refusal> find_repeated_rank(const NcclRun& run) {
  std::set<std::int64_t> seen;
  for (const NcclDevice& device : run.devices) {
    if (!seen.insert(device.rank).second) {
      return Refusal{RefusalReason::interleaved,
                     fmt::format("rank {} is listed twice: two jobs print into each other", device.rank), device.line};
    }
  }
  return {};
}

// Sizes rise, and start anew with every cycle (-N) in the same sequence; anything else is two tables in one.
std::optional<Refusal> find_broken_sequence(const NcclRun& run) {
  const std::vector<NcclSize>& sizes = run.sizes;
  std::size_t cycle = 0;  // rows of the first cycle, once a second has begun
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const bool restarts = sizes[i].size == sizes[0].size && sizes[i].size <= sizes[i - 1].size;  // equal: of one size
    if (restarts && cycle == 0) cycle = i;
    const bool follows = cycle == 0 ? sizes[i].size > sizes[i - 1].size : sizes[i].size == sizes[i % cycle].size;
    if (!follows) {
      return Refusal{
          RefusalReason::interleaved,
          fmt::format("size {} after {}: two tables print into each other", sizes[i].size, sizes[i - 1].size),
          sizes[i].line};
    }
  }
  return {};
}

// Only full bus ids (domain:bus:device) tell GPUs apart; the short ones repeat on healthy nodes.
std::optional<Refusal> find_shared_device(const NcclRun& run) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const NcclDevice& device : run.devices) {
    if (std::count(device.bus_id.begin(), device.bus_id.end(), ':') < 2) continue;
    if (!seen.emplace(device.host, device.bus_id).second) {
      return Refusal{RefusalReason::shared_device,
                     fmt::format("two ranks share the GPU {} of {}", device.bus_id, device.host), device.line};
    }
  }
  return {};
}

// Retransmission timeouts show as 100 ms for messages that take microseconds, and as single sizes that take far longer
// than the next larger one.
std::optional<Refusal> find_floor(const NcclRun& run) {
  constexpr Seconds floor = 90 * millisecond;
  const std::vector<CollectiveSample>& samples = run.run.collectives;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const CollectiveSample& sample = samples[i];
    if (sample.time < floor) continue;
    bool stalled = sample.size <= mebibyte;
    for (std::size_t j = i + 1; j < samples.size() && j < i + 4 && !stalled; ++j) {
      stalled = samples[j].placement == sample.placement && samples[j].size > sample.size &&
                samples[j].time * 2 < sample.time;
    }
    if (stalled) {
      return Refusal{RefusalReason::timeout_floor,
                     fmt::format("{:.0f} bytes take {:.0f} ms: a retransmission timeout, not a transfer",
                                 sample.size.in(byte), sample.time.in(millisecond)),
                     sample.line};
    }
  }
  return {};
}

void add_remarks(NcclRun& run) {
  const int line = run.sizes.front().line;
  if (!run.checked[0] && !run.checked[1]) run.run.remarks.push_back({"the results were not checked", line});
  if (run.cut_rows > 0) {
    run.run.remarks.push_back({fmt::format("{} cut or disturbed rows are left out", run.cut_rows), run.cut_line});
  }
  if (run.run.iterations > 0 && run.run.iterations < 5) {
    run.run.remarks.push_back({fmt::format("mean of only {} iterations", run.run.iterations), line});
  }
  // Hand-edited pages: the count column is not used, but tells that somebody typed.
  const std::optional<Collective> collective = run.run.collective;
  if (collective == Collective::all_reduce && run.type_size > 0) {
    for (const NcclSize& row : run.sizes) {
      if (row.count != row.size / run.type_size) {
        run.run.remarks.push_back({fmt::format("count {} does not fit {} bytes", row.count, row.size), row.line});
        break;
      }
    }
  }
}

}  // namespace

void judge_nccl_run(NcclRun& run) {
  if (run.run.rows == 0) {
    refuse(run, run.failure);
    run.run.refuse(RefusalReason::no_rows, "the table has no rows", run.run.first_line);
    return;
  }
  refuse(run, find_repeated_rank(run));
  refuse(run, find_broken_sequence(run));
  refuse(run, find_shared_device(run));
  if (run.run.ranks == 1) {
    run.run.refuse(RefusalReason::one_rank, "one rank only: a local copy (was it started under MPI?)",
                   run.run.first_line);
  }
  refuse(run, run.wrong);
  refuse(run, run.failure);
  if (run.cpu_time) {
    run.run.refuse(RefusalReason::cpu_time, "cputime is the time to launch, not to finish (-C 1)", run.run.first_line);
  }
  refuse(run, find_floor(run));
  refuse(run, run.contradiction);
  if (run.run.operation.empty()) {
    run.run.refuse(RefusalReason::operation_unknown, "the operation is not named, and the columns fit several",
                   run.run.first_line);
  }
  refuse(run, run.rank_refusal);
  add_remarks(run);
}

}  // namespace railyard::import_detail
