// SPDX-License-Identifier: Apache-2.0
// The catalogue of parts: what a GPU, server, NIC, switch, module or cable is, each figure with its source.
// Data: topologies/parts/*.yaml (format: topologies/FORMAT.md). Prices live in pricing/.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/evidence.h"
#include "base/units.h"
#include "base/yaml_reader.h"

namespace railyard {

/// How the GPUs of one scale-up domain reach each other: through switches (any pair at full speed) or a mesh of
/// pairwise links (a pair sees one link).
enum class ScaleUpKind { switched, mesh };

struct GpuPart {
  std::string id, name, vendor;
  Figure<FlopRate> bf16_dense;                // dense peak; sparse peaks never appear here
  std::optional<Figure<FlopRate>> fp8_dense;  // absent when the GPU has no FP8
  Figure<Bytes> memory;
  Figure<Bandwidth> memory_bandwidth;
  Figure<Watts> power;  // rated
  ScaleUpKind scale_up = ScaleUpKind::switched;
  Figure<Bandwidth> scale_up_bandwidth;  // one way, per GPU, all links together
  int scale_up_gpus = 0;                 // GPUs in one domain
};

struct NicPart {
  std::string id, name;
  Figure<Bandwidth> port_speed;
  int ports = 1;
  std::string connector;  // of the cage, e.g. osfp-rhs, qsfp112
  Bandwidth lane_rate;
  Figure<Watts> power;
  std::vector<std::string> fabrics;  // infiniband, ethernet
  std::string source;                // of what carries no evidence of its own: counts, connectors, lanes
};

/// The rack of servers that are bought by the rack: nothing else stands in it.
struct WholeRack {
  int nodes = 0;                     // servers of a rack
  int units = 0;                     // height of the rack
  int first_unit = 1;                // of the lowest server
  int gap_after = 0, gap_units = 0;  // other boxes stand above so many servers, so high
  Figure<Kilograms> weight;          // of a rack in full
};

/// A node: a box with GPUs and NICs, or a compute tray of a rack whose scale-up domain spans its trays.
struct ServerPart {
  std::string id, name, gpu, nic;
  int gpus = 0, nics = 0;
  std::string connector;                    // of the scale-out cages
  int cages = 0;                            // scale-out cages of the box
  int ports_per_cage = 1;                   // NIC ports that one cage (one module) serves: 2 for twin-port
  Figure<Watts> power;                      // provisioned, whole box with its NICs, without optical modules
  int rack_units = 0;                       // 0: not known
  std::optional<Figure<Kilograms>> weight;  // absent: not known
  std::optional<WholeRack> rack;            // absent: bought one by one
  std::string source;
  [[nodiscard]] int ports() const { return cages * ports_per_cage; }
};

/// A card of a modular switch.
struct LineCardPart {
  std::string id, name;
  int cages = 0, ports_per_cage = 1;
  Bandwidth port_speed, lane_rate;
  std::string connector;
  Figure<Watts> power;  // without modules
  std::string source;
};

struct SwitchPart {
  std::string id, name;
  std::string fabric;                 // infiniband, ethernet
  std::string line_card;              // of a modular switch; empty for a fixed box
  int slots = 0;                      // for line cards
  int cages = 0, ports_per_cage = 1;  // of a modular switch: with a card in every slot
  Bandwidth port_speed, lane_rate;
  std::string connector;
  Figure<Watts> power;  // without modules; of a modular switch also without cards
  int rack_units = 1;
  std::optional<Figure<Kilograms>> weight;  // absent: not known
  std::string source;                       // of the counts
  [[nodiscard]] int ports() const { return cages * ports_per_cage; }
  [[nodiscard]] int cages_of_card() const { return slots > 0 ? cages / slots : cages; }
};

/// An optical module (transceiver) that fills one cage.
struct ModulePart {
  std::string id, name, connector;
  int ports = 1;
  Bandwidth port_speed, lane_rate;
  Bandwidth optical_lane_rate;  // on the fibre; a 400G DR4 with 8 electrical lanes of 50 has 4 optical ones of 100
  std::string medium;           // multimode, singlemode
  Metres reach;
  Figure<Watts> power;
  std::string source;
};

/// A cable between two ports; copper and active optical cables bring their own ends and need no module.
struct CablePart {
  std::string id, name;
  std::string medium;  // multimode, singlemode, copper, active-copper, active-optical
  int links = 1;       // port-to-port links that one cable carries
  Metres reach;
  std::vector<Metres> lengths;  // it is sold in, ascending; empty: not known
  bool needs_modules = true;
  Figure<Watts> power;  // both ends together; zero for passive parts
  // Cables that bring their own ends: what each end plugs into. Fibre has none of this.
  std::string lower_connector, upper_connector;
  Bandwidth port_speed, lane_rate;
  std::string source;
};

/// What a site needs besides: management servers, racks, power distribution.
struct EquipmentPart {
  std::string id, name;
  std::string category;   // management, services
  std::string allowance;  // of a price book, which covers it where it has no price of its own; may be empty
  Figure<Watts> power;    // zero where it draws none
  std::string source;
};

/// All parts by id. Lookups throw InputError with the nearest name.
struct Parts {
  std::map<std::string, GpuPart, std::less<>> gpus;
  std::map<std::string, NicPart, std::less<>> nics;
  std::map<std::string, ServerPart, std::less<>> servers;
  std::map<std::string, SwitchPart, std::less<>> switches;
  std::map<std::string, LineCardPart, std::less<>> line_cards;
  std::map<std::string, ModulePart, std::less<>> modules;
  std::map<std::string, CablePart, std::less<>> cables;
  std::map<std::string, EquipmentPart, std::less<>> equipment;

  [[nodiscard]] const GpuPart& gpu(std::string_view id) const;
  [[nodiscard]] const NicPart& nic(std::string_view id) const;
  [[nodiscard]] const ServerPart& server(std::string_view id) const;
  [[nodiscard]] const SwitchPart& switch_part(std::string_view id) const;
  [[nodiscard]] const LineCardPart& line_card(std::string_view id) const;
  [[nodiscard]] const ModulePart& module(std::string_view id) const;
  [[nodiscard]] const CablePart& cable(std::string_view id) const;
};

/// Adds the parts of one file. Mistakes go to `diagnostics`; an id that exists already is one.
void read_parts(const YamlDocument& document, Parts& parts, Diagnostics& diagnostics);

/// Reads every *.yaml of a folder, in name order, and checks that parts that name each other exist and agree (a
/// server's cages hold its NIC ports); modular switches get the cages of their cards. Throws InputError.
[[nodiscard]] Parts load_parts(const std::filesystem::path& folder);

}  // namespace railyard
