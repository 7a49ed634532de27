// SPDX-License-Identifier: Apache-2.0
// nccl-tests -J FILE: schema 1 to 3. The environment it holds is not looked at: it may contain secrets.
#include <algorithm>
#include <string>
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/json_text.h"
#include "calibrate/import/nccl_run.h"

namespace railyard::import_detail {
namespace {

void read_devices(const Json& config, NcclRun& run) {
  const Json* const devices = config.find("devices");
  if (devices == nullptr) return;
  for (const Json& item : devices->items) {
    const auto rank = item.count("rank");
    if (!rank || *rank > 10'000'000 || run.devices.size() >= Limits::devices) continue;
    run.devices.push_back({.rank = *rank,
                           .device = item.count("device").value_or(0),
                           .host = item.string("hostname"),
                           .bus_id = item.string("device_hex"),
                           .name = item.string("device_info"),
                           .line = item.line});
  }
}

// The row refers to the texts of `result`.
bool read_result(const Json& result, NcclRow& row, NcclHeader& header) {
  const auto size = result.count("size");
  const Json* const type = result.find("type");
  if (!size || type == nullptr || nccl_type_size(type->text) == 0) return false;
  row = {};
  row.size = *size;
  row.count = result.count("count").value_or(0);
  row.type = type->text;
  if (const Json* const reduction = result.find("redop")) row.reduction = reduction->text;
  if (const Json* const root = result.find("root")) row.root = to_count(trim(root->text));
  for (const std::string_view placement : {"out_of_place", "in_place"}) {
    const Json* const group = result.find(placement);
    if (group == nullptr) continue;
    const Json* time = group->find("time");
    if (time == nullptr) {
      time = group->find("cpu_time");
      if (time != nullptr && !header.has(NcclColumn::cpu_time)) header.columns.push_back(NcclColumn::cpu_time);
    }
    const Json *const algorithm = group->find("alg_bw"), *const bus = group->find("bus_bw"),
                      *const wrong = group->find("nwrong");
    if (time == nullptr || algorithm == nullptr || bus == nullptr) continue;
    if (!to_figure(time->text) || !to_figure(algorithm->text) || !to_figure(bus->text)) continue;
    row.groups.push_back(
        {time->text, algorithm->text, bus->text, wrong == nullptr ? "" : std::string_view(wrong->text)});
  }
  return !row.groups.empty();
}

Runs read_nccl_tests_json(std::string_view text) {
  const std::optional<JsonText> json = find_json(text);
  if (!json) return {};
  const Json& root = json->root;
  NcclRun run;
  run.run.tool = "nccl-tests";
  run.run.layout = "json-" + root.string("version");
  run.run.first_line = root.line;
  if (const auto version = root.count("nccl_version")) run.run.software = "NCCL " + std::to_string(*version);
  if (const Json* const arguments = root.find("args"); arguments != nullptr && !arguments->items.empty()) {
    const std::string& program = arguments->items[0].text;
    run.run.operation = nccl_operation(program.substr(program.rfind('/') + 1));
  }
  if (const Json* const config = root.find("config")) {
    read_devices(*config, run);
    run.threads = config->count("nthreads").value_or(0);
    run.gpus = config->count("ngpus").value_or(0);
    run.run.iterations = config->count("iterations").value_or(0);
  }
  if (const Json* const results = root.find("results")) {
    NcclHeader header{.columns = {NcclColumn::reduction}, .full_precision = true};
    NcclRow row;
    for (const Json& result : results->items) {
      if (read_result(result, row, header)) add_nccl_row(run, row, header, result.line);
    }
  }
  if (const Json* const check = root.find("out_of_bounds"); check != nullptr && check->string("okay") == "false") {
    run.failure = {RefusalReason::wrong_results, "out_of_bounds is not okay", check->line};
  }
  if (!json->complete) run.run.remarks.push_back({"the JSON is cut short or damaged", root.line});
  conclude_nccl_run(run);
  Runs runs;
  runs.push_back(std::move(run.run));
  return runs;
}

bool is_nccl_tests_json(std::string_view text) { return contains(text, "\"alg_bw\"") && contains(text, "\"bus_bw\""); }

}  // namespace

const Importer nccl_tests_json{"nccl-tests-json", "the file that nccl-tests writes with -J", is_nccl_tests_json,
                               read_nccl_tests_json};

}  // namespace railyard::import_detail
