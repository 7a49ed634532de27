// SPDX-License-Identifier: Apache-2.0
// What is collected while one nccl-tests table is read, and what is concluded from it: operation, ranks, nodes, and
// whether the run is evidence. Shared by the text and the JSON importer; private to the room.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibrate/import/nccl_table.h"
#include "calibrate/import/sample.h"

namespace railyard::import_detail {

struct NcclDevice {
  std::int64_t rank = 0;
  std::int64_t device = 0;
  std::string host, bus_id, name;
  int line = 0;
};

/// One placement of one row with the precision of its figures.
struct NcclFigures {
  std::size_t sample = 0;   // index into the run's collectives
  Interval algorithm, bus;  // GB/s
};

/// Size and count of one row, in order; rows without data are left out.
struct NcclSize {
  std::int64_t size = 0, count = 0;
  int line = 0;
};

struct NcclRun {
  ImportedRun run;
  std::vector<NcclDevice> devices;
  std::vector<NcclFigures> figures;
  std::vector<NcclSize> sizes;
  int type_size = 0;
  std::string reduction;
  std::optional<std::int64_t> root;
  bool reduction_column = false, cpu_time = false;
  bool checked[2] = {false, false};    // by placement: some row counts wrong elements
  std::int64_t threads = 0, gpus = 0;  // of one process
  std::optional<Refusal> wrong, contradiction, rank_refusal, failure;
  bool full = false;               // the limit of samples is reached
  int cut_rows = 0, cut_line = 0;  // rows that are cut, or into which another line was printed
};

/// Adds one row.
void add_nccl_row(NcclRun& run, const NcclRow& row, const NcclHeader& header, int line);

/// "all_reduce_perf_mpi" as all_reduce; empty for words that name no test.
[[nodiscard]] std::string nccl_operation(std::string_view program);
/// busbw/algbw of an operation; nothing when it is not known.
[[nodiscard]] std::optional<double> nccl_factor(std::string_view operation, std::int64_t ranks);

/// Names the operation from columns and figures where it was not printed.
void infer_operation(NcclRun& run);
/// Fills ranks, nodes and gpu from the device list and the figures, and notes contradictions.
void conclude_ranks(NcclRun& run);
/// Everything that makes a run no evidence; call last.
void judge_nccl_run(NcclRun& run);
/// The three above, in order.
void conclude_nccl_run(NcclRun& run);

}  // namespace railyard::import_detail
