// SPDX-License-Identifier: Apache-2.0
// A site: what a rack may hold, how racks stand and where trays run, in which lengths cables are stocked. Each figure
// has its evidence. Data: topologies/sites/*.yaml (format: topologies/FORMAT.md).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/evidence.h"
#include "base/units.h"
#include "base/yaml_reader.h"

namespace railyard {

/// The word for no site at all: no racks, and cables as the design plans them.
inline constexpr std::string_view no_site = "none";

/// What one rack may hold. Limits are compared with the upper ends of the ranges of what stands in it.
struct RackLimits {
  Figure<Watts> power;
  Figure<Kilograms> weight;  // of what stands in the rack
  int units = 0;             // height of the rack
  int reserved_units = 0;    // at the top, for patching and power
  int most_nodes = 0;        // 0: no limit of its own
  std::string source;        // of the counts
};

/// How racks stand: rows of places one beside the other, rows front to front and back to back.
struct HallGeometry {
  int places = 0;             // of a row
  Figure<Metres> rack_pitch;  // from rack to rack in a row
  Figure<Metres> rack_depth;
  Figure<Metres> cold_aisle;   // between rows 0 and 1, 2 and 3, ...
  Figure<Metres> hot_aisle;    // between rows 1 and 2, 3 and 4, ...
  Figure<Metres> tray_height;  // of the trays above the top of the racks
  Figure<Metres> slack;        // spare length at each end of a cable
  int cross_trays_every = 1;   // trays from row to row stand at every so many places of a row
  std::string source;          // of the counts
};

/// Where leaves stand: between the nodes they serve, or in racks of their own amid those of their pod.
enum class LeafPlace { node_racks, own_racks };

/// Where the racks of spines and cores stand: in rows of their own amid compute rows, or in places kept free for them
/// in every row.
enum class NetworkPlace { own_rows, row_middle, row_end };

/// Lengths in which cables of one medium are sold; longer ones are made to order in whole steps (none: not made).
struct StockLengths {
  std::vector<Metres> lengths;  // ascending
  Metres step;
  std::string source, assumed;  // assumed: the rule, where nothing publishes it
};

/// A device that the catalogue of parts says nothing about, or not enough.
struct AssumedBox {
  int rack_units = 1;
  Figure<Kilograms> weight;
  Figure<Watts> power;
};

/// What measured cables replace: a pair of racks ("A01", "A05", in either order) and the length of a cable between
/// them, slack included.
struct MeasuredRoute {
  std::string from, to;
  Metres length;
};

struct Site {
  std::string id, description, source;
  std::string network_source;  // of where network racks stand
  std::string file;            // it was read from; for messages
  RackLimits rack;
  HallGeometry hall;
  LeafPlace leaves = LeafPlace::own_racks;
  int pods_per_leaf_rack = 1;  // own racks: neighbouring pods whose leaves share racks
  NetworkPlace network = NetworkPlace::row_middle;
  int compute_rows_per_network_row = 0;  // own_rows: the network row stands after the first half of so many
  int network_places = 0;                // row_middle, row_end: kept free in every row
  std::map<std::string, StockLengths, std::less<>> stock;  // by medium of CablePart
  int server_units = 8;                                    // of servers whose height is not known
  Figure<Kilograms> server_weight;                         // of servers whose weight is not known
  Figure<Kilograms> switch_weight;                         // of switches whose weight is not known, a rack unit
  AssumedBox manager;                                      // a management appliance
  std::vector<MeasuredRoute> measured;
};

/// Reads one site. Throws InputError.
[[nodiscard]] Site read_site(const YamlDocument& document);

/// Ids of the sites in a folder, sorted.
[[nodiscard]] std::vector<std::string> site_names(const std::filesystem::path& folder);

/// Reads folder/id.yaml; an unknown id is an InputError with the nearest name.
[[nodiscard]] Site load_site(const std::filesystem::path& folder, std::string_view id);

}  // namespace railyard
