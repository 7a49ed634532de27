// SPDX-License-Identifier: Apache-2.0
// One importer a file; all of them are listed in importers.cpp. Private to the room.
#pragma once

#include <string_view>
#include <vector>

#include "calibrate/import/sample.h"

namespace railyard::import_detail {

/// Bounds on what one file may become; what lies beyond is left out with a remark.
struct Limits {
  static constexpr std::size_t runs = 4096;
  static constexpr std::size_t samples = 250'000;  // of one importer
  static constexpr std::size_t devices = 200'000;  // lines of one device list
  static constexpr std::size_t links = 4096;       // of one topology
  static constexpr std::size_t line = 4096;        // characters; longer lines are no table rows
};

using Runs = std::vector<ImportedRun>;

struct Importer {
  std::string_view name;
  std::string_view description;
  /// True when the text holds this tool's output.
  bool (*recognises)(std::string_view text);
  /// All runs of this tool in the text, in order.
  Runs (*read)(std::string_view text);
};

extern const Importer nccl_tests, nccl_tests_json, nccom_test, torch_all_reduce_bench, collective_digest;
extern const Importer nvbandwidth, nvbandwidth_json, transferbench, superbench_gpu_copy, shoc_bus_bandwidth;
extern const Importer babelstream, superbench_gpu_stream;
extern const Importer hipblaslt_bench, rocblas_bench, mamf_finder, mamf_table, do_bench_json;
extern const Importer perftest, perftest_digest;
extern const Importer nvidia_smi_topology, rocm_smi_topology, rocm_smi_monitor;

}  // namespace railyard::import_detail
