// SPDX-License-Identifier: Apache-2.0
// gpu_copy of SuperBench: "gpu0_to_gpu1_write_by_dma 279.287", one line a copy, in GB/s (its documentation; the unit is
// not printed).
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

bool end_name(std::string_view text) {
  return text == "cpu" || text == "gpu_all" || (text.starts_with("gpu") && to_count(text.substr(3)));
}

// The end a name begins with: "gpu0" of "gpu0_to_gpu1_write_by_sm".
std::string_view first_end(std::string_view name) {
  if (name.starts_with("gpu_all")) return name.substr(0, 7);
  return name.substr(0, name.find('_'));
}

bool read_copy(std::string_view line, Fields& fields, LinkSample& link) {
  split_blanks(line, fields);
  if (fields.size() != 2 || !to_figure(fields[1]) || !contains(fields[0], "_by_")) return false;
  const std::string_view name = fields[0], from = first_end(name);
  std::string_view rest = name.substr(from.size());
  const bool both = rest.starts_with("_and_");
  if (!end_name(from) || (!both && !rest.starts_with("_to_"))) return false;
  rest.remove_prefix(both ? 5 : 4);
  const std::string_view to = first_end(rest);
  if (!end_name(to)) return false;
  rest.remove_prefix(to.size());
  link = {.from = std::string(from),
          .to = std::string(to),
          .kind = (both ? "bidirectional" : "unidirectional") + std::string(rest),
          .bandwidth = *to_figure(fields[1]) * gigabyte_per_second};
  return true;
}

Runs read_superbench_gpu_copy(std::string_view text) {
  Lines lines(text);
  Fields fields;
  LinkSample link;
  ImportedRun run;
  run.tool = "superbench-gpu-copy";
  run.operation = "copy";
  while (lines.next() && run.links.size() < Limits::samples) {
    if (!read_copy(lines.text(), fields, link)) continue;
    if (run.first_line == 0) run.first_line = lines.number();
    link.line = lines.number();
    run.links.push_back(link);
    ++run.rows;
  }
  if (run.rows == 0) return {};
  run.remarks.push_back({"the unit is not printed: GB/s by the tool's documentation", run.first_line});
  return {std::move(run)};
}

}  // namespace

const Importer superbench_gpu_copy{
    "superbench-gpu-copy", "copies between CPU and GPUs as SuperBench's gpu_copy prints",
    [](std::string_view text) { return contains(text, "_by_dma") || contains(text, "_by_sm"); },
    read_superbench_gpu_copy};

}  // namespace railyard::import_detail
