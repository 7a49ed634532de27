// SPDX-License-Identifier: Apache-2.0
// gpu_stream of SuperBench: "STREAM_COPY_double_gpu_0_buffer_4294967296_block_128  6711.67 81.93", GB/s and per cent of
// the peak it prints.
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr std::string_view stem = "STREAM_";

// Arrays read and written: two, or three for ADD and TRIAD.
double stream_arrays(std::string_view name) { return name.starts_with("ADD") || name.starts_with("TRIAD") ? 3 : 2; }

void add_row(ImportedRun& run, const Fields& fields, int line) {
  if (fields.size() != 3 || !fields[0].starts_with(stem) || run.memory.size() >= Limits::samples) return;
  const auto rate = to_figure(fields[1]);
  const auto buffer = count_after(fields[0], "_buffer_");
  if (!rate || !buffer || !to_figure(fields[2])) return;
  const std::string_view name = fields[0].substr(stem.size());
  if (run.first_line == 0) run.first_line = line;
  ++run.rows;
  run.memory.push_back(
      {.kernel = std::string(name.substr(0, name.find("_buffer_"))) + ' ' +
                 std::string(
                     name.substr(name.rfind("block_") == std::string_view::npos ? name.size() : name.rfind("block_"))),
       .traffic = stream_arrays(name) * static_cast<double>(*buffer) * byte,
       .bandwidth = *rate * gigabyte_per_second,
       .line = line});
}

Runs read_superbench_gpu_stream(std::string_view text) {
  Lines lines(text);
  Fields fields;
  ImportedRun run;
  run.tool = "superbench-gpu-stream";
  run.operation = "stream";
  while (lines.next()) {
    if (const auto loops = count_after(lines.text(), "Number of loops:")) run.iterations = *loops;
    if (const auto device = rest_after(lines.text(), "Device 0: \"")) run.gpu = device->substr(0, device->find('"'));
    split_blanks(lines.text(), fields);
    add_row(run, fields, lines.number());
  }
  if (run.rows == 0) return {};
  return {std::move(run)};
}

}  // namespace

const Importer superbench_gpu_stream{
    "superbench-gpu-stream", "memory bandwidth as SuperBench's gpu_stream prints it",
    [](std::string_view text) { return contains(text, "STREAM_COPY_") || contains(text, "STREAM_TRIAD_"); },
    read_superbench_gpu_stream};

}  // namespace railyard::import_detail
