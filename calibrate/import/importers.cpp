// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "base/files.h"
#include "calibrate/import/import.h"
#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard {
namespace {

using import_detail::Importer;

// All tools, in the order in which they are tried. A file may hold the output of several.
const Importer* const importers[] = {
    &import_detail::nccl_tests,          &import_detail::nccl_tests_json,
    &import_detail::nccom_test,          &import_detail::torch_all_reduce_bench,
    &import_detail::collective_digest,   &import_detail::nvbandwidth,
    &import_detail::nvbandwidth_json,    &import_detail::transferbench,
    &import_detail::superbench_gpu_copy, &import_detail::shoc_bus_bandwidth,
    &import_detail::babelstream,         &import_detail::superbench_gpu_stream,
    &import_detail::hipblaslt_bench,     &import_detail::rocblas_bench,
    &import_detail::mamf_finder,         &import_detail::mamf_table,
    &import_detail::do_bench_json,       &import_detail::perftest,
    &import_detail::perftest_digest,     &import_detail::nvidia_smi_topology,
    &import_detail::rocm_smi_topology,   &import_detail::rocm_smi_monitor,
};

}  // namespace

std::string_view to_string(ImportVerdict verdict) {
  return verdict == ImportVerdict::accepted ? "accepted" : verdict == ImportVerdict::partly ? "partly" : "refused";
}

ImportVerdict ImportedFile::verdict() const {
  const auto accepted = std::count_if(runs.begin(), runs.end(), [](const ImportedRun& run) { return run.accepted(); });
  if (accepted == 0) return ImportVerdict::refused;
  return accepted == std::ssize(runs) ? ImportVerdict::accepted : ImportVerdict::partly;
}

ImportedFile import_log(std::string_view text, std::string_view name) {
  if (const std::optional<std::string> plain = import_detail::from_utf16(text)) return import_log(*plain, name);
  ImportedFile file{.name = std::string(name)};
  for (const Importer* importer : importers) {
    if (!importer->recognises(text)) continue;
    import_detail::Runs runs = importer->read(text);
    std::move(runs.begin(), runs.end(), std::back_inserter(file.runs));
  }
  std::stable_sort(file.runs.begin(), file.runs.end(),
                   [](const ImportedRun& a, const ImportedRun& b) { return a.first_line < b.first_line; });
  if (file.runs.empty()) {
    ImportedRun run;
    const bool empty = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    run.refuse(RefusalReason::unrecognised, empty ? "the file is empty" : "no known benchmark output in this file", 0);
    file.runs.push_back(std::move(run));
  }
  return file;
}

ImportedFile import_file(const std::filesystem::path& path) { return import_log(read_file(path), path.string()); }

std::vector<ImporterName> importer_names() {
  std::vector<ImporterName> names;
  for (const Importer* importer : importers) names.push_back({importer->name, importer->description});
  return names;
}

}  // namespace railyard
