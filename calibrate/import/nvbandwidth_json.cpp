// SPDX-License-Identifier: Apache-2.0
// nvbandwidth -j.
#include <string>
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/json_text.h"
#include "calibrate/import/nvbandwidth_matrix.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

// "0: NVIDIA RTX A6000 (00000000:01:00): (node01)" names the GPU between the number and the bus id.
std::string gpu_name(const Json* devices) {
  if (devices == nullptr || devices->items.empty()) return {};
  const std::string_view text = devices->items[0].text;
  const std::size_t start = text.find(": ");
  if (start == std::string_view::npos) return {};
  return std::string(trim(text.substr(start + 2, text.find(" (", start) - start - 2)));
}

Runs read_nvbandwidth_json(std::string_view text) {
  Runs runs;
  const std::optional<JsonText> json = find_json(text);
  const Json* const root = json ? json->root.find("nvbandwidth") : nullptr;
  const Json* const tests = root != nullptr ? root->find("testcases") : nullptr;
  if (tests == nullptr) return runs;
  for (const Json& test : tests->items) {
    if (runs.size() == Limits::runs) break;
    const std::string status = test.string("status");
    if (status == "Waived") continue;
    ImportedRun run;
    run.tool = "nvbandwidth";
    run.layout = "json";
    run.version = root->string("version");
    if (const std::string runtime = root->string("CUDA Runtime Version"); !runtime.empty()) {
      run.software = "CUDA " + runtime;
    }
    run.operation = test.string("name");
    run.gpu = gpu_name(root->find("GPU Device list"));
    run.first_line = test.line;
    const NvbandwidthMatrix matrix = read_description(test.string("bandwidth_description"));
    if (const Json* const rows = test.find("bandwidth_matrix")) {
      for (std::size_t row = 0; row < rows->items.size(); ++row) {
        const std::vector<Json>& cells = rows->items[row].items;
        for (std::size_t i = 0; i < cells.size(); ++i) add_cell(run, matrix, row, i, cells[i].text, cells[i].line);
        ++run.rows;
      }
    }
    if (!status.empty() && status != "Passed") {
      run.refuse(RefusalReason::run_failed, "the test's status is " + status, test.line);
    }
    judge_matrix(run, test.number("sum").value_or(0));
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace

const Importer nvbandwidth_json{
    "nvbandwidth-json", "what nvbandwidth writes with -j",
    [](std::string_view text) { return contains(text, "\"nvbandwidth\"") && contains(text, "\"testcases\""); },
    read_nvbandwidth_json};

}  // namespace railyard::import_detail
