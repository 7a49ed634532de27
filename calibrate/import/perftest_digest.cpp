// SPDX-License-Identifier: Apache-2.0
// Scripts that run ib_write_lat over all adapters of two nodes and print one number each: message size, statistic and
// unit are gone.
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr std::string_view arrow = " \xe2\x86\x92 NUMA ";  // U+2192

Runs read_perftest_digest(std::string_view text) {
  Lines lines(text);
  Fields fields;
  Runs runs;
  while (lines.next()) {
    // node01 node02 mlx5_0 -> NUMA 0: 2.75
    const std::size_t at = lines.text().find(arrow);
    if (at == std::string_view::npos) continue;
    split_blanks(lines.text().substr(0, at), fields);
    const auto colon = lines.text().find(": ", at);
    if (fields.size() != 3 || colon == std::string_view::npos) continue;
    const auto value = to_figure(trim(lines.text().substr(colon + 2)));
    if (!value) continue;
    const std::string from(fields[0]), to(fields[1]);
    if (runs.empty() || runs.back().links.back().to != to || runs.back().links.back().from != from) {
      if (runs.size() == Limits::runs) break;
      ImportedRun run;
      run.tool = "perftest-digest";
      run.operation = "latency";
      run.first_line = lines.number();
      run.refuse(RefusalReason::summary_only, "neither message size, statistic nor unit are printed", lines.number());
      runs.push_back(std::move(run));
    }
    if (runs.back().links.size() >= Limits::samples) break;
    // Every program of the family that prints one latency prints microseconds.
    runs.back().links.push_back({.from = from,
                                 .to = to,
                                 .kind = std::string(fields[2]),
                                 .latency = *value * microsecond,
                                 .line = lines.number()});
    ++runs.back().rows;
  }
  return runs;
}

}  // namespace

const Importer perftest_digest{"perftest-digest", "latencies of a script around ib_write_lat; recognised to be refused",
                               [](std::string_view text) { return contains(text, arrow); }, read_perftest_digest};

}  // namespace railyard::import_detail
