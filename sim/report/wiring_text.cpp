// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sim/report/wiring_report.h"
#include "topologies/words.h"

namespace railyard {
namespace {

std::string counted_words(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count_text(static_cast<double>(count)), count == 1 ? one : many);
}

/// Roles with counts, the first name, and how many of the ports are used.
Table device_table(const Wiring& wiring) {
  Table table{.header = {"role", "devices", "part", "first", "ports used"},
              .rows = {},
              .right = {false, true, false, false, true}};
  for (const DeviceKind kind : device_kinds) {
    std::size_t count = 0, links = 0;
    DeviceId first{};
    for (std::size_t i = 0; i < wiring.fabric.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      if (wiring.kind(id) != kind) continue;
      if (count++ == 0) first = id;
      links += wiring.fabric.links_of(id).size();
    }
    if (count == 0) continue;
    const std::size_t ports = count * wiring.names.ports(kind).size();
    table.rows.push_back({std::string(to_string(kind)), count_text(static_cast<double>(count)),
                          std::string(wiring.part(first)), std::string(wiring.device(first)),
                          fmt::format("{:.0f} %", 100.0 * static_cast<double>(links) / static_cast<double>(ports))});
  }
  return table;
}

Table bin_table(const CableSchedule& schedule) {
  Table table{.header = {"layer", "part", "medium", "length\nm", "cables", "routed\nm"},
              .rows = {},
              .right = {false, false, false, true, true, true}};
  for (const CableBin& bin : cable_bins(schedule)) {
    table.rows.push_back({std::string(to_string(bin.layer)), bin.part, bin.medium,
                          fmt::format("{:g}", bin.stock.in(metre)), count_text(bin.cables),
                          fmt::format("{:.1f}-{:.1f}", bin.shortest.in(metre), bin.longest.in(metre))});
  }
  return table;
}

std::string place_text(const std::string& device, const std::string& port) {
  return device.empty() ? std::string("-") : fmt::format("{} {}", device, port);
}

}  // namespace

std::string wiring_text(const Wiring& wiring) {
  const FloorPlan& floor = *wiring.floor;
  const bool estimated = std::any_of(wiring.cables->cables().begin(), wiring.cables->cables().end(),
                                     [](const Cable& cable) { return cable.estimate; });
  std::string text =
      fmt::format("{}, {}: {} of {}\n{} racks at site {}\n\n", wiring.design.id, wiring.server.id,
                  counted_words(wiring.cable_count(), "cable", "cables"),
                  counted_words(wiring.fabric.links().size(), "link", "links"), floor.racks().size(), floor.site().id);
  text += to_text(device_table(wiring)) + "\n" + to_text(bin_table(*wiring.cables));
  if (estimated) {
    text += "\n" + wrapped(
                       "Lengths are estimates from the floor plan; the cut sheet says by which rule each cable was "
                       "chosen. Write the files with --output, or one of them with --as.",
                       80, "");
  }
  return text;
}

Table comparison_table(const WiringComparison& comparison) {
  Table table{.header = {"fault", "device", "port", "planned", "found", "line", "note"},
              .rows = {},
              .right = {false, false, false, false, false, true, false}};
  for (const WiringDifference& each : comparison.differences) {
    table.rows.push_back(
        {std::string(to_string(each.fault)), each.device, each.port, place_text(each.planned_device, each.planned_port),
         place_text(each.found_device, each.found_port), each.line > 0 ? std::to_string(each.line) : "", each.note});
  }
  return table;
}

std::string comparison_text(const WiringComparison& comparison, const AsBuilt& built) {
  std::string text = fmt::format(
      "{} ({}): {} of {} planned links are as planned, {} differ\n", printable(built.file, 60), built.format,
      count_text(static_cast<double>(comparison.equal)), count_text(static_cast<double>(comparison.planned)),
      count_text(static_cast<double>(comparison.differences.size())));
  constexpr std::size_t most_shown = 40;
  for (std::size_t i = 0; i < comparison.differences.size() && i < most_shown; ++i) {
    const WiringDifference& each = comparison.differences[i];
    if (i == 0 || each.fault != comparison.differences[i - 1].fault)
      text += fmt::format("\n{}\n", to_string(each.fault));
    std::string words = "  " + place_text(each.device, each.port);
    if (!each.planned_device.empty()) words += ": planned " + place_text(each.planned_device, each.planned_port);
    if (!each.found_device.empty() && each.fault != WiringFault::speed) {
      words += ", found " + place_text(each.found_device, each.found_port);
    }
    if (!each.note.empty()) words += "; " + each.note;
    if (each.line > 0) words += fmt::format(" (line {})", each.line);
    text += wrapped(printable(words, 400), 80, "    ");
  }
  if (comparison.differences.size() > most_shown) {
    text += fmt::format("\nand {} more: --format csv has all\n", comparison.differences.size() - most_shown);
  }
  return text;
}

}  // namespace railyard
