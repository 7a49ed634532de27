// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "base/text.h"
#include "topologies/exchange/csv_table.h"
#include "topologies/exchange/graphml_fields.h"
#include "topologies/exchange/netbox.h"
#include "topologies/exchange/remarks.h"

namespace railyard {

namespace {

using Columns = std::string_view;
constexpr std::array<Columns, 2> site_needs{"name", "description"};
constexpr std::array<Columns, 10> site_others{"slug",     "status",    "region",           "group",    "tenant",
                                              "facility", "time_zone", "physical_address", "comments", "tags"};
constexpr std::array<Columns, 3> device_needs{"name", "role", "description"};
constexpr std::array<Columns, 15> device_others{"manufacturer", "device_type", "status",  "site",     "rack",
                                                "position",     "face",        "tenant",  "platform", "serial",
                                                "asset_tag",    "location",    "airflow", "comments", "tags"};
constexpr std::array<Columns, 4> interface_needs{"device", "name", "speed", "description"};
constexpr std::array<Columns, 7> interface_others{"type",           "enabled", "label", "mtu",
                                                  "mark_connected", "duplex",  "tags"};
constexpr std::array<Columns, 6> cable_needs{"side_a_device", "side_a_type", "side_a_name",
                                             "side_b_device", "side_b_type", "side_b_name"};
constexpr std::array<Columns, 13> cable_others{"type",        "status",      "label",       "color",   "length",
                                               "length_unit", "description", "side_a_site", "profile", "side_b_site",
                                               "bundle",      "comments",    "tags"};

constexpr std::int64_t most_32 = std::numeric_limits<std::int32_t>::max();

struct Interface {
  DeviceId device{};
  std::uint16_t port = 0;
  std::int64_t kilobits = 0;
};

class NetboxReader {
 public:
  explicit NetboxReader(const NetboxFiles& files) : files_(files) {}

  FabricDraft read() {
    read_site();
    read_devices();
    read_interfaces();
    read_cables();
    return std::move(draft_);
  }

 private:
  static std::int64_t number(const CsvTable& table, std::string_view column, std::string_view what,
                             std::string_view text, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= low && value <= high) return value;
    table.refuse(column, fmt::format("{}found '{}'", what.empty() ? "" : fmt::format("{}: ", what), shortened(text)),
                 fmt::format("expected a whole number from {} to {}", low, high));
  }

  template <class Fields, class Filled>
  static std::size_t field_place(const CsvTable& table, const Fields& fields, std::string_view name, Filled& filled) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].name != name) continue;
      if (filled[i]) table.refuse("description", fmt::format("a second '{}'", name), {});
      filled[i] = true;
      return i;
    }
    std::vector<std::string> names;
    for (const auto& field : fields) names.emplace_back(field.name);
    table.refuse("description", fmt::format("the word '{}' is unknown", shortened(name)), expected_names(name, names));
  }

  template <class Fields, class Filled>
  static void check_all(const CsvTable& table, const Fields& fields, const Filled& filled) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!filled[i])
        table.refuse("description", fmt::format("no '{}='", fields[i].name), "expected what railyard wrote");
    }
  }

  void read_site() {
    CsvTable table(files_.sites.text, files_.sites.name, site_needs, site_others);
    if (!table.next()) {
      throw InputError({Diagnostic{.file = files_.sites.name, .message = "no site", .expected = "expected one row"}});
    }
    std::array<bool, graphml::shape_fields.size()> filled{};
    for (const auto& [name, value] : remarks_of(table.at(1))) {
      if (name == "design") {
        draft_.design = value;
        continue;
      }
      const std::size_t place = field_place(table, graphml::shape_fields, name, filled);
      draft_.shape.*graphml::shape_fields[place].member =
          static_cast<int>(number(table, "description", name, value, 0, 1 << 23));
    }
    check_all(table, graphml::shape_fields, filled);
    if (table.next()) table.refuse(0, "a second site", "expected one");
  }

  void read_devices() {
    CsvTable table(files_.devices.text, files_.devices.name, device_needs, device_others);
    while (table.next()) {
      const std::string& name = table.at(0);
      if (name.empty() || name.size() > longest_wiring_name) {
        table.refuse(0, fmt::format("found '{}'", shortened(name)),
                     fmt::format("expected a name of 1 to {} characters", longest_wiring_name));
      }
      Device device;
      device.kind = kind_of(table);
      std::array<bool, graphml::device_fields.size()> filled{};
      for (const auto& [word, value] : remarks_of(table.at(2))) {
        const std::size_t place = field_place(table, graphml::device_fields, word, filled);
        const auto member = graphml::device_fields[place].member;
        const std::int64_t low = member == &Device::index || member == &Device::plane ? 0 : -1;
        device.*member = static_cast<std::int32_t>(number(table, "description", word, value, low, most_32));
      }
      check_all(table, graphml::device_fields, filled);
      if (!ids_.emplace(name, DeviceId{static_cast<std::uint32_t>(draft_.devices.size())}).second) {
        table.refuse(0, fmt::format("a second device '{}'", name), "expected one row for one device");
      }
      draft_.devices.push_back(device);
      draft_.names.push_back(name);
    }
  }

  static DeviceKind kind_of(const CsvTable& table) {
    std::vector<std::string> names;
    for (const DeviceKind kind : device_kinds) {
      if (to_string(kind) == table.at(1)) return kind;
      names.emplace_back(to_string(kind));
    }
    table.refuse(1, fmt::format("the role '{}' is unknown", shortened(table.at(1))),
                 expected_names(table.at(1), names));
  }

  DeviceId device_named(const CsvTable& table, std::size_t column, std::string_view name) const {
    const auto found = ids_.find(std::string(name));
    if (found != ids_.end()) return found->second;
    const bool few = draft_.names.size() <= 20'000 && name.size() <= longest_wiring_name;
    const std::string near = few ? nearest_name(name, draft_.names) : std::string();
    table.refuse(column, fmt::format("'{}' is no device of {}", shortened(name), files_.devices.name),
                 near.empty() ? "expected the name of a device" : fmt::format("did you mean '{}'?", near));
  }

  static std::string port_key(std::string_view device, std::string_view port) {
    return fmt::format("{}\n{}", device, port);
  }

  void read_interfaces() {
    CsvTable table(files_.interfaces.text, files_.interfaces.name, interface_needs, interface_others);
    while (table.next()) {
      Interface interface;
      interface.device = device_named(table, 0, table.at(0));
      if (table.at(1).empty() || table.at(1).size() > longest_wiring_name) {
        table.refuse(1, fmt::format("found '{}'", shortened(table.at(1))),
                     fmt::format("expected a name of 1 to {} characters", longest_wiring_name));
      }
      interface.kilobits = number(table, "speed", "", table.at(2), 1, std::int64_t{1} << 40);
      const auto words = remarks_of(table.at(3));
      if (words.size() != 1 || words.front().first != "port") {
        table.refuse(3, fmt::format("found '{}'", shortened(table.at(3))), "expected port=NUMBER");
      }
      interface.port = static_cast<std::uint16_t>(number(table, "description", "port", words.front().second, 0, 65535));
      if (!interfaces_.emplace(port_key(table.at(0), table.at(1)), interface).second) {
        table.refuse(1, fmt::format("a second interface '{}' of '{}'", table.at(1), table.at(0)), {});
      }
    }
  }

  /// Interfaces of one side of a cable; `first` is the column of its device.
  std::vector<std::pair<Interface, std::string>> side(const CsvTable& table, std::size_t first) const {
    if (table.at(first + 1) != "dcim.interface") {
      table.refuse(first + 1, fmt::format("found '{}'", shortened(table.at(first + 1))), "expected dcim.interface");
    }
    const std::vector<std::string_view> devices = split(table.at(first), ','), names = split(table.at(first + 2), ',');
    if (devices.size() != 1 && devices.size() != names.size()) {
      table.refuse(first, fmt::format("{} devices for {} interfaces", devices.size(), names.size()),
                   "expected one device for all, or one for each");
    }
    std::vector<std::pair<Interface, std::string>> ends;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string_view device = devices[devices.size() == 1 ? 0 : i];
      static_cast<void>(device_named(table, first, device));
      const auto found = interfaces_.find(port_key(device, names[i]));
      if (found == interfaces_.end()) {
        table.refuse(first + 2, fmt::format("'{}' has no interface '{}'", device, shortened(names[i])),
                     fmt::format("expected one of {}", files_.interfaces.name));
      }
      ends.emplace_back(found->second, names[i]);
    }
    return ends;
  }

  void read_cables() {
    CsvTable table(files_.cables.text, files_.cables.name, cable_needs, cable_others);
    while (table.next()) {
      const auto lower = side(table, 0), upper = side(table, 3);
      if (lower.size() != upper.size()) {
        table.refuse(2, fmt::format("{} interfaces against {}", lower.size(), upper.size()),
                     "expected as many on both sides");
      }
      for (std::size_t i = 0; i < lower.size(); ++i) {
        const auto& [a, a_name] = lower[i];
        const auto& [b, b_name] = upper[i];
        if (a.kilobits != b.kilobits) {
          table.refuse(2, fmt::format("{} kb/s against {} kb/s", a.kilobits, b.kilobits),
                       "expected interfaces of one speed");
        }
        draft_.links.push_back({a.device, b.device, a.port, b.port, layer_of(table, a.device, b.device),
                                static_cast<double>(a.kilobits) * (1e3 * bit / second)});
        draft_.ports.push_back({a_name, b_name});
      }
    }
  }

  /// As the description says, else by the roles of the ends.
  Layer layer_of(const CsvTable& table, DeviceId lower, DeviceId upper) const {
    const std::string_view text = table.other("description");
    std::vector<std::string> names;
    for (const Layer layer : all_layers) {
      if (text == fmt::format("layer={}", to_string(layer))) return layer;
      names.emplace_back(to_string(layer));
    }
    if (!text.empty()) {
      table.refuse("description", fmt::format("found '{}'", shortened(text)),
                   fmt::format("expected layer=NAME; {}",
                               expected_names(text.substr(std::min<std::size_t>(6, text.size())), names)));
    }
    const DeviceKind a = draft_.devices[static_cast<std::size_t>(lower)].kind;
    const DeviceKind b = draft_.devices[static_cast<std::size_t>(upper)].kind;
    if (b == DeviceKind::leaf) return Layer::node_leaf;
    if (a == DeviceKind::leaf) return Layer::leaf_spine;
    if (b == DeviceKind::core) return Layer::spine_core;
    return all_layers.back();
  }

  const NetboxFiles& files_;
  FabricDraft draft_;
  std::unordered_map<std::string, DeviceId> ids_;
  std::unordered_map<std::string, Interface> interfaces_;
};

}  // namespace

NamedFabric read_netbox(const NetboxFiles& files) { return checked(NetboxReader(files).read(), files.cables.name); }

}  // namespace railyard
