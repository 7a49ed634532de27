// SPDX-License-Identifier: Apache-2.0
// all_reduce_bench.py of PyTorch users: a markdown table of payload, busbw and algbw with the unit at each figure.
#include <cmath>

#include "calibrate/import/importer.h"
#include "calibrate/import/nccl_run.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr std::string_view unit_word = "GBps";

bool header(std::string_view line, Fields& fields) {
  split_table(line, fields);
  return fields.size() == 3 && fields[0] == "payload" && fields[1] == "busbw" && fields[2] == "algbw";
}

// "512KiB", "16GiB".
std::optional<double> payload_bytes(std::string_view field) {
  double scale = 1024;
  for (const std::string_view suffix : {"KiB", "MiB", "GiB"}) {
    if (field.ends_with(suffix)) {
      const auto value = to_figure(field.substr(0, field.size() - suffix.size()));
      return value ? std::optional(*value * scale) : std::nullopt;
    }
    scale *= 1024;
  }
  return {};
}

bool is_torch_all_reduce_bench(std::string_view text) {
  if (!contains(text, "payload") || !contains(text, "algbw")) return false;
  Lines lines(text);
  Fields fields;
  while (lines.next()) {
    if (header(lines.text(), fields)) return true;
  }
  return false;
}

Runs read_torch_all_reduce_bench(std::string_view text) {
  Lines lines(text);
  Fields fields;
  NcclRun run;
  run.run.tool = "torch-all-reduce-bench";
  run.run.operation = "all_reduce";
  run.run.layout = "markdown";
  while (lines.next()) {
    if (header(lines.text(), fields)) {
      if (run.run.first_line == 0) run.run.first_line = lines.number();
      continue;
    }
    split_table(lines.text(), fields);
    if (run.run.first_line == 0 || fields.size() != 3 || !fields[1].ends_with(unit_word) ||
        !fields[2].ends_with(unit_word)) {
      continue;
    }
    const std::string_view bus_text = fields[1].substr(0, fields[1].size() - unit_word.size()),
                           algorithm_text = fields[2].substr(0, fields[2].size() - unit_word.size());
    const auto size = payload_bytes(fields[0]), bus = to_figure(bus_text), algorithm = to_figure(algorithm_text);
    if (!size || *size > 1e15 || !bus || !algorithm || *algorithm <= 0) continue;
    if (run.run.rows >= static_cast<int>(Limits::samples)) break;
    ++run.run.rows;
    run.sizes.push_back({static_cast<std::int64_t>(*size), 0, lines.number()});
    run.figures.push_back({run.run.collectives.size(), printed_interval(algorithm_text), printed_interval(bus_text)});
    // The time is not printed; algbw is size over time.
    run.run.collectives.push_back({.size = *size * byte,
                                   .placement = BufferPlacement::in_place,  // torch.distributed.all_reduce
                                   .time = *size * byte / (*algorithm * gigabyte_per_second),
                                   .algorithm_bandwidth = *algorithm * gigabyte_per_second,
                                   .bus_bandwidth = *bus * gigabyte_per_second,
                                   .line = lines.number()});
  }
  conclude_nccl_run(run);
  return {run.run};
}

}  // namespace

const Importer torch_all_reduce_bench{"torch-all-reduce-bench",
                                      "all_reduce_bench.py: a markdown table of payload, busbw, algbw",
                                      is_torch_all_reduce_bench, read_torch_all_reduce_bench};

}  // namespace railyard::import_detail
