// SPDX-License-Identifier: Apache-2.0
// BusSpeedDownload of SHOC and hipBusBandwidth: a table with median and spread for each size. kB is 1024 bytes, GB 1e9:
// size over time gives the printed bandwidth that way.
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

// "+064By", "1kB", "524288kB".
std::optional<double> size_of(std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  for (const auto& [suffix, scale] : {std::pair<std::string_view, double>{"By", 1}, {"kB", 1024}}) {
    if (!field.ends_with(suffix)) continue;
    const auto value = to_figure(field.substr(0, field.size() - suffix.size()));
    return value ? std::optional(*value * scale) : std::nullopt;
  }
  return {};
}

Runs read_shoc_bus_bandwidth(std::string_view text) {
  Lines lines(text);
  Fields fields;
  Runs runs;
  ImportedRun run;
  std::string gpu;
  const auto finish = [&] {
    if (run.first_line > 0 && runs.size() < Limits::runs) {
      if (run.rows == 0) run.refuse(RefusalReason::no_rows, "the table has no bandwidths", run.first_line);
      runs.push_back(std::move(run));
    }
    run = {};
  };
  while (lines.next()) {
    split_blanks(lines.text(), fields);
    if (const auto device = rest_after(lines.text(), "Device:Device ")) {
      gpu = "Device " + std::string(device->substr(0, device->find(' ')));
    } else if (fields.size() >= 8 && fields[0] == "test" && fields[1] == "atts") {
      finish();
      run.tool = "shoc-bus-bandwidth";
      run.gpu = gpu;
      run.first_line = lines.number();
    } else if (run.first_line > 0 && fields.size() == 8 && fields[2] == "GB/sec") {
      const auto size = size_of(fields[1]), median = to_figure(fields[3]);
      if (!size || !median || *median <= 0 || run.links.size() >= Limits::samples) continue;
      const bool up = fields[0].starts_with("H2D");
      run.operation = fields[0];
      run.links.push_back({.from = up ? "host" : "device",
                           .to = up ? "device" : "host",
                           .kind = std::string(fields[0]),
                           .bandwidth = *median * gigabyte_per_second,
                           .size = *size * byte,
                           .statistic = Statistic::median,
                           .line = lines.number()});
      ++run.rows;
    }
  }
  finish();
  return runs;
}

}  // namespace

const Importer shoc_bus_bandwidth{
    "shoc-bus-bandwidth", "host copies as hipBusBandwidth and SHOC print them",
    [](std::string_view text) { return contains(text, "H2D_Bandwidth") || contains(text, "D2H_Bandwidth"); },
    read_shoc_bus_bandwidth};

}  // namespace railyard::import_detail
