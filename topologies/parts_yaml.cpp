// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/yaml_reader.h"
#include "topologies/parts.h"
#include "topologies/reading.h"

namespace railyard {

namespace {

const std::array<std::string, 2> link_protocols{"infiniband", "ethernet"};
const std::array<std::string, 2> scale_up_names{"switched", "mesh"};
const std::array<std::string, 2> module_media{"multimode", "singlemode"};
const std::array<std::string, 2> equipment_categories{"management", "services"};
constexpr std::int64_t most_ports_per_cage = 16;  // with most_ports, ports fit 16 bits
constexpr std::int64_t most_slots = 32;

// Generous bounds: what lies outside is a slip of the pen (topologies/FORMAT.md has them in a table).
constexpr Limits peak{"1 GFLOP/s", "1 EFLOP/s"};
constexpr Limits memory{"1 MB", "1 PB"};
constexpr Limits memory_bandwidth{"1 MB/s", "10 PB/s"};
constexpr Limits port_rate{"1 Mb/s", "1 Pb/s"};
constexpr Limits plug_power{"0", "10 kW"};  // of a card, module or cable
constexpr Limits media_reach{"0.01 m", "1000 km"};

/// Reads the parts of one file, kind by kind.
class PartsReader {
 public:
  PartsReader(YamlMap root, Parts& parts) : root_(std::move(root)), parts_(parts), sources_(root_.sources()) {}

  void read() {
    read_kind("gpus", parts_.gpus, [this](YamlMap& map, GpuPart& part) { read_gpu(map, part); });
    read_kind("nics", parts_.nics, [this](YamlMap& map, NicPart& part) { read_nic(map, part); });
    read_kind("servers", parts_.servers, [this](YamlMap& map, ServerPart& part) { read_server(map, part); });
    read_kind("switches", parts_.switches, [this](YamlMap& map, SwitchPart& part) { read_switch(map, part); });
    read_kind("line_cards", parts_.line_cards, [this](YamlMap& map, LineCardPart& part) { read_line_card(map, part); });
    read_kind("modules", parts_.modules, [this](YamlMap& map, ModulePart& part) { read_module(map, part); });
    read_kind("cables", parts_.cables, [this](YamlMap& map, CablePart& part) { read_cable(map, part); });
    read_kind("equipment", parts_.equipment, [this](YamlMap& map, EquipmentPart& part) { read_equipment(map, part); });
    root_.finish();
  }

 private:
  template <class Part, class Read>
  void read_kind(std::string_view key, std::map<std::string, Part, std::less<>>& into, const Read& read_part) {
    std::optional<YamlMap> kind = root_.optional_map(key);
    if (!kind) return;
    for (const std::string& id : kind->keys()) {
      YamlMap map = kind->map(id);
      Part part;
      part.id = id;
      part.name = map.text("name");
      read_part(map, part);
      map.finish();
      if (!into.emplace(id, std::move(part)).second) {
        kind->fail(id, "'" + id + "' is defined in another file already", "give each part one id of its own");
      }
    }
    kind->finish();
  }

  /// The document behind the fields of a part that have no evidence of their own, with a note.
  std::string source(YamlMap& map) {
    const std::string id = map.text("source");
    const std::string note = map.text("note", "");
    const auto found = sources_.find(id);
    if (found == sources_.end()) {
      std::vector<std::string> names;
      for (const auto& [name, evidence] : sources_) names.push_back(name);
      map.fail_unknown("source", "source", names);
      return {};
    }
    const std::string words = found->second.source + ", " + found->second.date;
    return note.empty() ? words : words + "; " + note;
  }

  static int count(YamlMap& map, std::string_view key, std::int64_t low = 1) {
    return static_cast<int>(map.integer(key, low, most_ports));
  }

  void read_gpu(YamlMap& map, GpuPart& part) {
    part.vendor = map.text("vendor");
    part.bf16_dense = limited_figure(map, "bf16_dense", units::flop_rate, sources_, peak);
    if (map.has("fp8_dense")) part.fp8_dense = limited_figure(map, "fp8_dense", units::flop_rate, sources_, peak);
    part.memory = limited_figure(map, "memory", units::data, sources_, memory);
    part.memory_bandwidth = limited_figure(map, "memory_bandwidth", units::bandwidth, sources_, memory_bandwidth);
    part.power = limited_figure(map, "power", units::power, sources_, box_power);
    part.scale_up = map.choice("scale_up", scale_up_names) == 0 ? ScaleUpKind::switched : ScaleUpKind::mesh;
    part.scale_up_bandwidth = limited_figure(map, "scale_up_bandwidth", units::bandwidth, sources_, memory_bandwidth);
    part.scale_up_gpus = count(map, "scale_up_gpus");
    source(map);
  }

  void read_nic(YamlMap& map, NicPart& part) {
    part.fabrics = map.texts("fabrics");
    for (const std::string& fabric : part.fabrics) {
      if (fabric != link_protocols[0] && fabric != link_protocols[1])
        map.fail_unknown("fabrics", "fabric", link_protocols);
    }
    part.ports = count(map, "ports");
    part.connector = map.text("connector");
    part.port_speed = limited_figure(map, "port_speed", units::bandwidth, sources_, port_rate);
    part.lane_rate = limited(map, "lane_rate", units::bandwidth, port_rate);
    part.power = limited_figure(map, "power", units::power, sources_, plug_power);
    part.source = source(map);
  }

  void read_server(YamlMap& map, ServerPart& part) {
    part.gpu = map.text("gpu");
    part.gpus = count(map, "gpus");
    part.nic = map.text("nic");
    part.nics = count(map, "nics");
    part.connector = map.text("connector");
    part.cages = count(map, "cages");
    part.ports_per_cage = static_cast<int>(map.integer("ports_per_cage", 1, most_ports_per_cage));
    part.power = limited_figure(map, "power", units::power, sources_, box_power);
    part.rack_units = map.has("rack_units") ? count(map, "rack_units") : 0;
    if (map.has("weight")) part.weight = limited_figure(map, "weight", units::mass, sources_, box_weight);
    if (std::optional<YamlMap> rack = map.optional_map("rack")) part.rack = read_rack(*rack);
    part.source = source(map);
  }

  WholeRack read_rack(YamlMap& map) {
    WholeRack rack;
    rack.nodes = count(map, "nodes");
    rack.units = count(map, "units");
    rack.first_unit = static_cast<int>(map.integer("first_unit", 1, most_ports, 1));
    rack.gap_after = static_cast<int>(map.integer("gap_after", 0, most_ports, 0));
    rack.gap_units = static_cast<int>(map.integer("gap_units", 0, most_ports, 0));
    rack.weight = limited_figure(map, "weight", units::mass, sources_, box_weight);
    map.finish();
    return rack;
  }

  void read_switch(YamlMap& map, SwitchPart& part) {
    part.fabric = link_protocols[map.choice("fabric", link_protocols)];
    if (map.has("line_card")) {
      part.line_card = map.text("line_card");
      part.slots = static_cast<int>(map.integer("slots", 1, most_slots));
    } else {
      read_ports(map, part);
    }
    part.power = limited_figure(map, "power", units::power, sources_, box_power);
    part.rack_units = count(map, "rack_units");
    if (map.has("weight")) part.weight = limited_figure(map, "weight", units::mass, sources_, box_weight);
    part.source = source(map);
  }

  void read_line_card(YamlMap& map, LineCardPart& part) {
    read_ports(map, part);
    part.power = limited_figure(map, "power", units::power, sources_, box_power);
    part.source = source(map);
  }

  /// What a fixed switch and a card have alike.
  template <class Part>
  void read_ports(YamlMap& map, Part& part) {
    part.cages = count(map, "cages");
    part.ports_per_cage = static_cast<int>(map.integer("ports_per_cage", 1, most_ports_per_cage));
    part.connector = map.text("connector");
    part.port_speed = limited(map, "port_speed", units::bandwidth, port_rate);
    part.lane_rate = limited(map, "lane_rate", units::bandwidth, port_rate);
  }

  void read_equipment(YamlMap& map, EquipmentPart& part) {
    part.category = equipment_categories[map.choice("category", equipment_categories)];
    part.allowance = map.text("allowance", "");
    if (map.has("power")) part.power = limited_figure(map, "power", units::power, sources_, plug_power);
    part.source = source(map);
  }

  void read_module(YamlMap& map, ModulePart& part) {
    part.connector = map.text("connector");
    part.ports = count(map, "ports");
    part.port_speed = limited(map, "port_speed", units::bandwidth, port_rate);
    part.lane_rate = limited(map, "lane_rate", units::bandwidth, port_rate);
    part.optical_lane_rate =
        map.has("optical_lane_rate") ? limited(map, "optical_lane_rate", units::bandwidth, port_rate) : part.lane_rate;
    part.medium = module_media[map.choice("medium", module_media)];
    part.reach = limited(map, "reach", units::length, media_reach);
    part.power = limited_figure(map, "power", units::power, sources_, plug_power);
    part.source = source(map);
  }

  void read_cable(YamlMap& map, CablePart& part) {
    const std::size_t medium = map.choice("medium", cable_media);
    part.medium = cable_media[medium];
    part.needs_modules = medium < 2;
    part.links = count(map, "links");
    part.reach = limited(map, "reach", units::length, media_reach);
    if (map.has("lengths")) part.lengths = read_lengths(map, "lengths", media_reach);
    part.source = source(map);
    if (part.needs_modules) {  // fibre is passive and fits every module of its medium
      part.power.evidence = {EvidenceKind::sourced, part.source, "", "fibre is passive"};
      return;
    }
    YamlMap connectors = map.map("connectors");
    part.lower_connector = connectors.text("lower");
    part.upper_connector = connectors.text("upper");
    connectors.finish();
    part.port_speed = limited(map, "port_speed", units::bandwidth, port_rate);
    part.lane_rate = limited(map, "lane_rate", units::bandwidth, port_rate);
    part.power = limited_figure(map, "power", units::power, sources_, plug_power);
  }

  YamlMap root_;
  Parts& parts_;
  Sources sources_;
};

}  // namespace

void read_parts(const YamlDocument& document, Parts& parts, Diagnostics& diagnostics) {
  PartsReader(document.root(diagnostics), parts).read();
}

}  // namespace railyard
