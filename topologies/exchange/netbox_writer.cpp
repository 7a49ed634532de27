// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "topologies/exchange/graphml_fields.h"
#include "topologies/exchange/netbox.h"
#include "topologies/exchange/row_text.h"

namespace railyard {

namespace {

std::string slug_of(std::string_view name) {
  std::string slug;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    slug += std::isalnum(letter) != 0 ? static_cast<char>(std::tolower(letter)) : '-';
  }
  return slug;
}

/// The maker as the part's name begins with it; a name that begins otherwise is nobody's own.
std::string maker_of(std::string_view name) {
  const std::string_view first = name.substr(0, name.find(' '));
  return !first.empty() && std::isupper(static_cast<unsigned char>(first.front())) != 0 ? std::string(first)
                                                                                        : "Generic";
}

/// What a device type is made of.
struct TypeRow {
  std::string maker, model;
  int units = 1;
};

constexpr int appliance_units = 1;

TypeRow type_of(const Wiring& wiring, DeviceKind kind) {
  if (kind == DeviceKind::node) {
    return {maker_of(wiring.server.name), wiring.server.id, std::max(wiring.server.rack_units, 1)};
  }
  if (kind == DeviceKind::manager) return {"NVIDIA", std::string(manager_part), appliance_units};
  const SwitchPart& part = wiring.parts.switch_part(wiring.switch_of(kind));
  return {maker_of(part.name), part.id, part.rack_units};
}

/// NetBox's word for a port: InfiniBand by lane rate, Ethernet by speed and cage.
std::string interface_type(bool infiniband, Bandwidth speed, Bandwidth lane_rate, std::string connector) {
  struct Generation {
    Bandwidth lane_rate;
    std::string_view word;
  };
  static constexpr std::array generations{
      Generation{25 * gigabit_per_second, "infiniband-edr"}, Generation{50 * gigabit_per_second, "infiniband-hdr"},
      Generation{100 * gigabit_per_second, "infiniband-ndr"}, Generation{200 * gigabit_per_second, "infiniband-xdr"}};
  if (infiniband) {
    for (const Generation& each : generations) {
      if (each.lane_rate == lane_rate) return std::string(each.word);
    }
    return "other";
  }
  static constexpr std::array<std::string_view, 10> known{
      "100gbase-x-qsfp28", "200gbase-x-qsfp56",   "200gbase-x-qsfpdd", "400gbase-x-qsfp112", "400gbase-x-qsfpdd",
      "400gbase-x-osfp",   "400gbase-x-osfp-rhs", "800gbase-x-osfp",   "800gbase-x-qsfpdd",  "1000base-t"};
  if (connector == "qsfp-dd") connector = "qsfpdd";
  const std::string word = fmt::format("{:g}gbase-x-{}", speed.in(gigabit_per_second), connector);
  return std::find(known.begin(), known.end(), word) == known.end() ? "other" : word;
}

class NetboxWriter {
 public:
  explicit NetboxWriter(const Wiring& wiring) : wiring_(wiring) {
    for (const Device& device : wiring.fabric.devices()) kinds_.insert(device.kind);
  }

  void sites(TextSink& sink) const {
    sink.text() += "name,slug,status,description\n";
    fmt::format_to(std::back_inserter(sink.text()), "{},{},planned,design={}", site(), slug_of(site()),
                   wiring_.design.id);
    for (const graphml::ShapeField& each : graphml::shape_fields) {
      fmt::format_to(std::back_inserter(sink.text()), " {}={}", each.name, wiring_.fabric.shape().*each.member);
    }
    sink.text() += '\n';
  }

  void manufacturers(TextSink& sink) const {
    std::set<std::string> makers;
    for (const DeviceKind kind : kinds_) makers.insert(type_of(wiring_, kind).maker);
    sink.text() += "name,slug\n";
    for (const std::string& maker : makers) sink.text() += maker + "," + slug_of(maker) + "\n";
  }

  void roles(TextSink& sink) const {
    static constexpr std::array<std::string_view, device_kinds.size()> colours{"2196f3", "4caf50", "ff9800", "9c27b0",
                                                                               "607d8b"};
    sink.text() += "name,slug,color\n";
    for (const DeviceKind kind : kinds_) {
      fmt::format_to(std::back_inserter(sink.text()), "{0},{0},{1}\n", to_string(kind),
                     colours[static_cast<std::size_t>(kind)]);
    }
  }

  void device_types(TextSink& sink) const {
    std::set<std::string> written;
    sink.text() += "manufacturer,model,slug,u_height\n";
    for (const DeviceKind kind : kinds_) {
      const TypeRow type = type_of(wiring_, kind);
      if (!written.insert(type.model).second) continue;
      fmt::format_to(std::back_inserter(sink.text()), "{},{},{},{}\n", type.maker, type.model, slug_of(type.model),
                     type.units);
    }
  }

  void racks(TextSink& sink) const {
    sink.text() += "site,name,status,width,u_height\n";
    if (wiring_.floor == nullptr) return;
    for (const Rack& rack : wiring_.floor->racks()) {
      fmt::format_to(std::back_inserter(sink.text()), "{},{},planned,19,{}\n", site(), rack.name, rack.units);
      sink.row_done();
    }
  }

  void devices(TextSink& sink) const {
    sink.text() += "name,role,manufacturer,device_type,status,site,rack,position,face,description\n";
    for (std::size_t i = 0; i < wiring_.fabric.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      const Device& device = wiring_.fabric.device(id);
      const TypeRow type = type_of(wiring_, device.kind);
      const bool placed = wiring_.floor != nullptr;
      fmt::format_to(std::back_inserter(sink.text()), "{},{},{},{},planned,{},{},{},{},", wiring_.device(id),
                     to_string(device.kind), type.maker, type.model, site(), wiring_.rack(id),
                     placed ? std::to_string(wiring_.rack_unit(id)) : "", placed ? "front" : "");
      std::string_view blank;
      for (const graphml::DeviceField& each : graphml::device_fields) {
        fmt::format_to(std::back_inserter(sink.text()), "{}{}={}", blank, each.name, device.*each.member);
        blank = " ";
      }
      sink.text() += '\n';
      sink.row_done();
    }
  }

  /// Every port that has a link, as NetBox wants cables between interfaces that exist.
  void interfaces(TextSink& sink) const {
    sink.text() += "device,name,type,speed,enabled,description\n";
    std::array<std::string, device_kinds.size()> types;  // of the last speed of each kind: one or two in a fabric
    std::array<Bandwidth, device_kinds.size()> speeds{};
    for (std::size_t i = 0; i < wiring_.fabric.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      const auto kind = static_cast<std::size_t>(wiring_.kind(id));
      for (const LinkId link_id : wiring_.fabric.links_of(id)) {
        const Link& link = wiring_.fabric.link(link_id);
        const bool lower = link.lower == id;
        if (link.speed != speeds[kind]) {
          speeds[kind] = link.speed;
          types[kind] =
              fmt::format(",{},{},true,port=", port_type(id, link), std::llround(link.speed.in(1e3 * bit / second)));
        }
        append(sink.text(), wiring_.device(id), ',', lower ? wiring_.lower_port(link) : wiring_.upper_port(link),
               types[kind], lower ? link.lower_port : link.upper_port, '\n');
        sink.row_done();
      }
    }
  }

  void cables(TextSink& sink) const {
    sink.text() +=
        "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,status,label,color,length,"
        "length_unit,description\n";
    std::vector<std::pair<std::string, std::string>> choices;  // type and length of the schedule's choices
    if (wiring_.cables != nullptr) {
      for (const CableChoice& choice : wiring_.cables->choices()) choices.push_back(cells_of(choice));
    }
    for_each_cable(wiring_, [&](const ListedCable& cable) {
      std::string& row = sink.text();
      for (const CableSide side : {CableSide::lower, CableSide::upper}) {
        const CableEnd end(wiring_, cable, side);
        in_quotes(row, end.several_devices(), [&] { end.append_devices(row, ','); });
        row += ",dcim.interface,";
        in_quotes(row, cable.links.size() > 1, [&] { end.append_ports(row, ','); });
        row += ',';
      }
      if (cable.cable != nullptr) row += choices[cable.cable->choice].first;
      row += ",planned,";
      append_cable_name(row, wiring_, cable);
      row += ',';
      row += cable.cable != nullptr ? std::string_view(choices[cable.cable->choice].second) : std::string_view(",,,");
      append(row, "layer=", to_string(wiring_.fabric.link(cable.links.front()).layer), '\n');
      sink.row_done();
    });
  }

 private:
  /// "mmf-om4" and "00ffff,15,m,".
  static std::pair<std::string, std::string> cells_of(const CableChoice& choice) {
    const MediumWords& words = words_of(choice.cable->medium);
    return {std::string(words.netbox_type), fmt::format("{},{:g},m,", words.colour_code, choice.stock.in(metre))};
  }

  /// A cell that is a list holds commas; names hold none.
  template <class Write>
  static void in_quotes(std::string& row, bool several, const Write& write) {
    if (several) row += '"';
    write();
    if (several) row += '"';
  }

  [[nodiscard]] std::string_view site() const {
    return wiring_.floor == nullptr ? std::string_view("railyard") : std::string_view(wiring_.floor->site().id);
  }

  [[nodiscard]] std::string port_type(DeviceId id, const Link& link) const {
    const DeviceKind kind = wiring_.kind(id);
    const bool end = kind == DeviceKind::node || kind == DeviceKind::manager;
    const bool infiniband = wiring_.design.fabric == "infiniband";
    if (end)
      return interface_type(infiniband, link.speed, wiring_.parts.nic(wiring_.server.nic).lane_rate,
                            wiring_.server.connector);
    const SwitchPart& part = wiring_.parts.switch_part(wiring_.switch_of(kind));
    return interface_type(infiniband, link.speed, part.lane_rate, part.connector);
  }

  Wiring wiring_;
  std::set<DeviceKind> kinds_;
};

}  // namespace

std::map<std::string, TextSource> netbox_of(const Wiring& wiring) {
  using Part = void (NetboxWriter::*)(TextSink&) const;
  const auto source = [&](Part part) -> TextSource {
    return [writer = NetboxWriter(wiring), part](TextSink& sink) { (writer.*part)(sink); };
  };
  return {{std::string(netbox_sites), source(&NetboxWriter::sites)},
          {"netbox-2-manufacturers.csv", source(&NetboxWriter::manufacturers)},
          {"netbox-3-roles.csv", source(&NetboxWriter::roles)},
          {"netbox-4-device-types.csv", source(&NetboxWriter::device_types)},
          {"netbox-5-racks.csv", source(&NetboxWriter::racks)},
          {std::string(netbox_devices), source(&NetboxWriter::devices)},
          {std::string(netbox_interfaces), source(&NetboxWriter::interfaces)},
          {std::string(netbox_cables), source(&NetboxWriter::cables)}};
}

}  // namespace railyard
