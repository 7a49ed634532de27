// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "base/text.h"
#include "topologies/exchange/as_built.h"
#include "topologies/exchange/csv_table.h"
#include "topologies/exchange/dot_reader.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/topo_reader.h"

namespace railyard {

namespace {

/// A CSV form: the columns of device and port at both ends, and the others it may have.
struct CsvForm {
  std::string_view name;
  std::array<std::string_view, 4> ends;
  std::span<const std::string_view> others;
  char separator = 0;  // between several ports of one cable
};

constexpr std::array<std::string_view, 6> p2p_others{"A-Rack", "A-U", "A-Type", "Z-Rack", "Z-RU", "Z-Type"};
constexpr std::array<std::string_view, 20> cut_sheet_others{
    "cable",    "layer",          "a_rack",   "a_u",  "a_module", "a_label",  "z_rack", "z_u",
    "z_module", "z_label",        "medium",   "part", "routed_m", "length_m", "colour", "bundle",
    "links",    "speed_gb_per_s", "estimate", "rule"};
constexpr std::array<std::string_view, 15> netbox_others{
    "side_a_type", "side_b_type", "type",        "status",  "label",  "color",    "length", "length_unit",
    "description", "side_a_site", "side_b_site", "profile", "bundle", "comments", "tags"};
constexpr std::array forms{
    CsvForm{"point-to-point", {"A-Node Name", "A-Port", "Z-Node Name", "Z-Port"}, p2p_others, 0},
    CsvForm{"cut sheet", {"a_device", "a_port", "z_device", "z_port"}, cut_sheet_others, ';'},
    CsvForm{"NetBox cables", {"side_a_device", "side_a_name", "side_b_device", "side_b_name"}, netbox_others, ','}};

/// NIC ports by number, for hosts that count them: from the plan, whose hosts are alike.
class HostPorts {
 public:
  explicit HostPorts(const NamedFabric& plan) {
    for (std::size_t i = 0; i < plan.fabric.links().size(); ++i) {
      const Link& link = plan.fabric.links()[i];
      const DeviceKind kind = plan.fabric.device(link.lower).kind;
      if (kind == DeviceKind::node || kind == DeviceKind::manager) {
        hosts_[plan.devices[static_cast<std::size_t>(link.lower)]][link.lower_port + 1] = plan.ports[i].lower;
      }
    }
  }
  /// The name of port `text` of a host that counts from 1; the text itself otherwise.
  [[nodiscard]] std::string name(const std::string& device, std::string_view text) const {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::string(text);
    const auto host = hosts_.find(device);
    if (host == hosts_.end()) return std::string(text);
    const auto port = host->second.find(number);
    return port == host->second.end() ? std::string(text) : port->second;
  }

 private:
  std::unordered_map<std::string, std::map<int, std::string>> hosts_;
};

void read_csv(const std::string& text, const CsvForm& form, const NamedFabric& plan, AsBuilt& built) {
  CsvTable table(text, built.file, form.ends, form.others);
  const HostPorts hosts(plan);
  while (table.next()) {
    const auto devices_a = split(table.at(0), form.separator), ports_a = split(table.at(1), form.separator);
    const auto devices_b = split(table.at(2), form.separator), ports_b = split(table.at(3), form.separator);
    for (std::size_t column = 0; column < form.ends.size(); ++column) {
      if (table.at(column).empty()) table.refuse(column, "nothing there", "expected a name");
    }
    if (ports_a.size() != ports_b.size()) {
      table.refuse(1, fmt::format("{} ports against {}", ports_a.size(), ports_b.size()),
                   "expected as many at both ends");
    }
    const auto device = [&](const std::vector<std::string_view>& devices, std::size_t column, std::size_t i) {
      if (devices.size() == 1) return std::string(devices.front());
      if (i >= devices.size())
        table.refuse(column, "fewer devices than ports", "expected one device, or one for each port");
      return std::string(devices[i]);
    };
    for (std::size_t i = 0; i < ports_a.size(); ++i) {
      LinkEnds link;
      link.device_a = device(devices_a, 0, i);
      link.device_b = device(devices_b, 2, i);
      link.port_a = hosts.name(link.device_a, ports_a[i]);
      link.port_b = hosts.name(link.device_b, ports_b[i]);
      link.line = table.line();
      built.links.push_back(std::move(link));
    }
  }
}

void read_graph(const std::string& text, AsBuilt& built) {
  const NamedFabric fabric = read_graphml(text, built.file);
  for (std::size_t i = 0; i < fabric.fabric.links().size(); ++i) {
    const Link& link = fabric.fabric.links()[i];
    built.links.push_back({fabric.devices[static_cast<std::size_t>(link.lower)], fabric.ports[i].lower,
                           fabric.devices[static_cast<std::size_t>(link.upper)], fabric.ports[i].upper, 0, link.speed});
  }
}

}  // namespace

AsBuilt read_as_built(const std::string& text, const std::string& file, const NamedFabric& plan) {
  AsBuilt built{file, {}, {}};
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first != std::string::npos && text[first] == '<') {
    built.format = "GraphML";
    read_graph(text, built);
    return built;
  }
  if (is_dot(text)) {
    built.format = "DOT";
    read_dot(text, built);
    return built;
  }
  if (is_topo(text)) {
    built.format = "topo";
    read_topo(text, plan, built);
    return built;
  }
  const std::vector<std::string> header = csv_header(text, file);
  for (const CsvForm& form : forms) {
    if (std::find(header.begin(), header.end(), form.ends.front()) == header.end()) continue;
    built.format = form.name;
    read_csv(text, form, plan, built);
    return built;
  }
  throw InputError(
      {Diagnostic{.file = file,
                  .line = 1,
                  .column = 1,
                  .message = "no wiring that is known",
                  .source_line = text.substr(0, std::min<std::size_t>(text.find('\n'), 200)),
                  .expected = "expected GraphML, .topo, .dot, a cut sheet, a point-to-point sheet (A-Node Name, ...) "
                              "or NetBox cables (side_a_device, ...)"}});
}

}  // namespace railyard
