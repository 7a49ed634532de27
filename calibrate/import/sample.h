// SPDX-License-Identifier: Apache-2.0
// What a benchmark log says, as values: runs with typed samples, what is known about where they were taken, and why a
// run is no evidence when it is not. A refusal is data; the samples of a refused run are kept for the reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "calibrate/profile/profile.h"

namespace railyard {

/// What a printed figure is of the repetitions behind it. `unknown`: the output does not say.
enum class Statistic { mean, median, best, unknown };
[[nodiscard]] std::string_view to_string(Statistic statistic);

enum class BufferPlacement { out_of_place, in_place };
[[nodiscard]] std::string_view to_string(BufferPlacement placement);

/// One size of a collective. Lines count from one in every sample.
struct CollectiveSample {
  Bytes size;  // of the larger buffer, as nccl-tests counts it
  BufferPlacement placement = BufferPlacement::out_of_place;
  Seconds time;
  Bandwidth algorithm_bandwidth, bus_bandwidth;
  std::optional<std::int64_t> wrong;  // wrong elements; nothing when they were not checked
  int line = 0;
};

/// C[m,n] = A[m,k] B[k,n], `batch` times.
struct GemmSample {
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  std::string type;  // of the operands, as the tool writes it; empty when it is not printed
  std::string gpu;   // where it differs from sample to sample
  FlopRate rate;
  std::optional<Seconds> time;
  Statistic statistic = Statistic::unknown;
  int line = 0;
};

/// A kernel limited by memory.
struct MemorySample {
  std::string kernel;
  Bytes traffic;  // read and written; zero when it is not printed
  Bandwidth bandwidth;
  std::optional<Seconds> time;       // the one `bandwidth` belongs to
  std::optional<Seconds> mean_time;  // where the tool prints the mean beside the best
  Statistic statistic = Statistic::unknown;
  int line = 0;
};

/// Attention of `batch` x `heads` sequences; rates count only the unmasked part.
struct AttentionSample {
  std::int64_t sequence = 0, batch = 1, heads = 1, head_dim = 0;
  bool causal = false;
  std::optional<FlopRate> forward, backward;  // at least one
  Statistic statistic = Statistic::unknown;
  int line = 0;
};

/// One cell of a matrix of links or copies, from one end to the other; also a point of a point-to-point test.
struct LinkSample {
  std::string from, to;
  std::string kind;  // NV18, XGMI, PIX; or the name of the test
  std::optional<Bandwidth> bandwidth;
  std::optional<Seconds> latency;
  std::optional<Bytes> size;  // of one message
  std::optional<int> hops;
  Statistic statistic = Statistic::unknown;
  int line = 0;
};

enum class RefusalReason {
  unrecognised,       // no importer knows the content
  no_rows,            // the table is missing or empty
  run_failed,         // the tool says that it failed
  one_rank,           // a collective of one rank is a local copy
  shared_device,      // two ranks on one GPU
  wrong_results,      // wrong elements
  interleaved,        // two tables printed into each other
  timeout_floor,      // times of a retransmission timeout
  best_of_few,        // a maximum where a median is needed
  ranks_unknown,      // neither printed nor recoverable
  ranks_disagree,     // device list and busbw/algbw tell different counts
  operation_unknown,  // neither printed nor recoverable
  inconsistent,       // figures of one row contradict each other
  cpu_time,           // the time to launch, not to finish
  summary_only,       // a digest whose details are gone
  type_unknown,       // GEMM operands of an unknown type
  loopback,           // both ends on one adapter
  not_a_gpu,          // a tool of another kind of accelerator
  not_a_benchmark,    // a state, not a measurement
};
/// snake_case, as in tables.
[[nodiscard]] std::string_view to_string(RefusalReason reason);

struct Refusal {
  RefusalReason reason = RefusalReason::unrecognised;
  std::string sentence;
  int line = 0;
};

/// Something a user of the samples should know.
struct Remark {
  std::string sentence;
  int line = 0;
};

/// One table of one tool. Every sample vector that does not apply is empty.
struct ImportedRun {
  std::string tool, version, layout;  // empty where the content does not say
  std::string software;               // collective library or runtime, as printed
  std::string operation;              // the tool's own name: all_reduce, device_to_device_memcpy_read_ce, triad
  std::optional<Collective> collective;
  std::string gpu;
  std::string date;                            // of the measurement, where it is printed: YYYY-MM-DD
  std::int64_t ranks = 0, nodes = 0;           // 0: not known
  std::int64_t ranks_low = 0, ranks_high = 0;  // what busbw/algbw allows; 0: nothing
  std::int64_t iterations = 0;                 // behind one figure; 0: not printed
  int rows = 0;                                // of the table, empty ones dropped
  int first_line = 0;

  std::vector<CollectiveSample> collectives;
  std::vector<GemmSample> gemms;
  std::vector<MemorySample> memory;
  std::vector<AttentionSample> attention;
  std::vector<LinkSample> links;

  std::optional<Refusal> refusal;
  std::vector<Remark> remarks;

  [[nodiscard]] bool accepted() const { return !refusal; }
  /// Refuses the run; the first reason stands.
  void refuse(RefusalReason reason, std::string sentence, int line);
};

}  // namespace railyard
