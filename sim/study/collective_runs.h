// SPDX-License-Identifier: Apache-2.0
// Published runs of collectives as the law takes them: what a table of measurements tells of a cluster, and the rows
// that tell too little, with the reason. The rules were written before any model was fitted and ask nothing of a model.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "calibrate/fit/collective_law_fit.h"
#include "sim/study/csv.h"

namespace railyard {

/// A kind of GPU in its scale-up domain, and what its library's topology search counts on.
struct CollectiveMachine {
  std::string_view name;     // pool of its measurements: h100
  std::string_view library;  // collective_library.h
  bool mesh = false;
  int domain = 8;      // GPUs of a scale-up domain
  int node = 8;        // GPUs of a server
  double ceiling = 0;  // bytes per second of a ring over the domain: links x speed
};

/// The machine whose GPU is named in a text such as "H100-SXM5-80GB" or "h100", in any case; nothing when none is. GPUs
/// that share links and switches (H100, H200, H20) are one machine.
[[nodiscard]] const CollectiveMachine* machine_named(std::string_view text);
/// The word that names it: "H200" in "NVIDIA H200"; empty for none.
[[nodiscard]] std::string_view gpu_word(std::string_view text);
/// All of them.
[[nodiscard]] std::vector<std::string> gpu_word_names();
/// By the name of its pool.
[[nodiscard]] const CollectiveMachine* machine_of_pool(std::string_view name);

/// NICs of a whole server in a text such as "RoCE 8x400G" or "EFA 32x100G"; 0 when it tells none.
[[nodiscard]] int nics_in(std::string_view fabric);
/// "efa", "slingshot", "roce", or "infiniband" for what is said to be InfiniBand or either of the two.
[[nodiscard]] std::string network_kind(std::string_view fabric);

struct MeasuredRun {
  std::string id, source, gpu, fabric;  // id: the line of the table
  const CollectiveMachine* machine = nullptr;
  int nodes = 1;
  fit::CollectiveRun run;
  std::string network;  // kind, where the run leaves its domain

  [[nodiscard]] double bus_bandwidth() const;  // bytes per second
};

struct LeftOutRun {
  std::string id, source, gpu, collective, gpus, bytes;
  std::string reason;
};

/// One row of a table with the columns of collectives-measured.csv.
[[nodiscard]] std::variant<MeasuredRun, LeftOutRun> read_measured_run(const CsvRecord& record);

}  // namespace railyard
