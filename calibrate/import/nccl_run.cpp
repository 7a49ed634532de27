// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/nccl_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calibrate/import/importer.h"

namespace railyard::import_detail {
namespace {

struct Operation {
  std::string_view name;
  std::optional<Collective> collective;
  Collective same_factor;  // the collective whose busbw/algbw this operation has
};

// nccl-tests, doc/PERFORMANCE.md and the sources of its tests.
const Operation operations[] = {
    {"all_reduce", Collective::all_reduce, Collective::all_reduce},
    {"all_gather", Collective::all_gather, Collective::all_gather},
    {"reduce_scatter", Collective::reduce_scatter, Collective::reduce_scatter},
    {"alltoallv", Collective::all_to_all, Collective::all_to_all},
    {"alltoall", Collective::all_to_all, Collective::all_to_all},
    {"broadcast", Collective::broadcast, Collective::broadcast},
    {"reduce", {}, Collective::broadcast},
    {"sendrecv", Collective::send_receive, Collective::send_receive},
    {"gather", {}, Collective::all_gather},
    {"scatter", {}, Collective::all_gather},
    {"hypercube", {}, Collective::broadcast},
};

const Operation* find_operation(std::string_view name) {
  const auto* const found = std::find_if(std::begin(operations), std::end(operations),
                                         [&](const Operation& operation) { return operation.name == name; });
  return found == std::end(operations) ? nullptr : found;
}

// A printed figure, widened by a tenth of its last half digit: averages over ranks are rounded twice.
Interval figure(std::string_view text, bool full_precision) {
  Interval interval = printed_interval(text);
  const double middle = (interval.low + interval.high) / 2;
  double half = 1.1 * (interval.high - middle);
  if (full_precision) half = std::max(half, 0.0055);
  return {middle - half, middle + half};
}

// Times in nanoseconds were converted from nccl-tests' microseconds, which have two decimals below 100, one below
// 10 000 and none above.
Interval time_interval(std::string_view text, const NcclHeader& header) {
  if (!header.nanoseconds) return figure(text, header.full_precision);
  const double time = to_number(text).value_or(0);
  const double half = time < 1e5 ? 5.5 : time < 1e7 ? 55 : 550;
  return {time - half, time + half};
}

// Mean busbw/algbw of the row with the highest bus bandwidth; 0 when all are zero.
double ratio_of_fastest(const NcclRun& run) {
  const CollectiveSample* fastest = nullptr;
  for (const CollectiveSample& sample : run.run.collectives) {
    if (fastest == nullptr || sample.bus_bandwidth > fastest->bus_bandwidth) fastest = &sample;
  }
  if (fastest == nullptr || fastest->algorithm_bandwidth <= Bandwidth{}) return 0;
  return fastest->bus_bandwidth / fastest->algorithm_bandwidth;
}

std::string infer_reducing(const NcclRun& run, double ratio, bool whole_buffer) {
  // Only all_reduce moves more than its buffer over a link.
  if (ratio > 1.02) return "all_reduce";
  if (!whole_buffer && ratio < 0.98) return "reduce_scatter";
  // sendrecv prints the reduction as well; it never checks in place.
  if (run.checked[0]) return run.checked[1] ? "all_reduce" : "sendrecv";
  return {};
}

}  // namespace

std::string nccl_operation(std::string_view program) {
  const std::size_t end = program.find("_perf");
  const Operation* const operation = find_operation(program.substr(0, end));
  return operation == nullptr ? std::string() : std::string(operation->name);
}

std::optional<double> nccl_factor(std::string_view operation, std::int64_t ranks) {
  const Operation* const known = find_operation(operation);
  if (known == nullptr || ranks < 1 || ranks > 100'000'000) return {};
  return bus_bandwidth_factor(known->same_factor, static_cast<int>(ranks));
}

void add_nccl_row(NcclRun& run, const NcclRow& row, const NcclHeader& header, int line) {
  if (row.size == 0) return;  // requests below one element a rank
  if (run.run.collectives.size() + 2 > Limits::samples) {
    if (!run.full) run.run.remarks.push_back({"rows beyond the limit of samples are left out", line});
    run.full = true;
    return;
  }
  ++run.run.rows;
  run.sizes.push_back({row.size, row.count, line});
  run.type_size = nccl_type_size(row.type);
  run.reduction = row.reduction == "none" ? std::string_view() : row.reduction;
  run.root = row.root;
  run.reduction_column = header.has(NcclColumn::reduction);
  run.cpu_time = run.cpu_time || header.has(NcclColumn::cpu_time);

  for (std::size_t i = 0; i < row.groups.size() && i < 2; ++i) {
    const NcclGroup& group = row.groups[i];
    if (group.time.empty() || group.bus.empty()) continue;
    CollectiveSample sample{.size = static_cast<double>(row.size) * byte,
                            .placement = i == 0 ? BufferPlacement::out_of_place : BufferPlacement::in_place,
                            .time = *to_number(group.time) * (header.nanoseconds ? nanosecond : microsecond),
                            .bus_bandwidth = *to_number(group.bus) * gigabyte_per_second,
                            .line = line};
    // What the time says about algbw, in GB/s.
    const Interval time = time_interval(group.time, header);
    const double scale = static_cast<double>(row.size) / (header.nanoseconds ? 1 : 1e3);
    Interval algorithm{time.high > 0 ? scale / time.high : 0, time.low > 0 ? scale / time.low : HUGE_VAL};
    if (group.algorithm.empty()) {
      if (sample.time <= Seconds{}) continue;
      sample.algorithm_bandwidth = sample.size / sample.time;
    } else {
      sample.algorithm_bandwidth = *to_number(group.algorithm) * gigabyte_per_second;
      const Interval printed = figure(group.algorithm, header.full_precision);
      if (overlap(printed, algorithm)) {
        algorithm = {std::max(printed.low, algorithm.low), std::min(printed.high, algorithm.high)};
      } else {
        algorithm = printed;
        // alltoallv and hypercube divide other sizes by the time.
        if (!run.contradiction && run.run.operation != "alltoallv" && run.run.operation != "hypercube") {
          run.contradiction = {RefusalReason::inconsistent,
                               fmt::format("{} bytes in {} are not {} GB/s", row.size, group.time, group.algorithm),
                               line};
        }
      }
    }
    if (!group.wrong.empty()) {
      std::string_view text = group.wrong;
      while (!text.empty() && text.back() == '*') text.remove_suffix(1);
      if (const auto wrong = to_number(text); wrong && *wrong >= 0 && *wrong < 9e18) {
        sample.wrong = static_cast<std::int64_t>(*wrong);
        run.checked[i] = true;
        if (*sample.wrong > 0 && !run.wrong) {
          run.wrong = {RefusalReason::wrong_results,
                       fmt::format("{} wrong elements at {} bytes", *sample.wrong, row.size), line};
        }
      }
    }
    run.figures.push_back({run.run.collectives.size(), algorithm, figure(group.bus, header.full_precision)});
    run.run.collectives.push_back(sample);
  }
}

void infer_operation(NcclRun& run) {
  if (run.run.operation.empty() && !run.sizes.empty()) {
    const auto largest = std::max_element(run.sizes.begin(), run.sizes.end(),
                                          [](const NcclSize& a, const NcclSize& b) { return a.size < b.size; });
    // Whole-buffer operations print the count of the whole buffer, the others that of one rank.
    const double elements = static_cast<double>(largest->size) / std::max(run.type_size, 1);
    const bool whole_buffer = static_cast<double>(largest->count) > 0.9 * elements;
    const double ratio = ratio_of_fastest(run);
    if (run.root) {
      run.run.operation = !run.reduction.empty() ? "reduce" : whole_buffer ? "broadcast" : "";
    } else if (!run.reduction.empty()) {
      run.run.operation = infer_reducing(run, ratio, whole_buffer);
    } else if (!run.reduction_column) {
      run.run.operation = ratio > 1.02 ? "all_reduce" : "all_gather";  // look-up tables drop the reduction
    } else if (run.run.layout == "L0-L1" || run.checked[0]) {
      run.run.operation = run.checked[1] ? "all_gather" : "alltoall";
    }
  }
  if (const Operation* const operation = find_operation(run.run.operation)) run.run.collective = operation->collective;
}

void conclude_nccl_run(NcclRun& run) {
  infer_operation(run);
  conclude_ranks(run);
  judge_nccl_run(run);
}

}  // namespace railyard::import_detail
