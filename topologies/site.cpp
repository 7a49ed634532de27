// SPDX-License-Identifier: Apache-2.0
#include "topologies/site.h"

#include <array>

#include "base/files.h"
#include "topologies/reading.h"

namespace railyard {

namespace {

const std::array<std::string, 2> leaf_places{"own-racks", "node-racks"};
const std::array<std::string, 3> network_places{"row-middle", "row-end", "own-rows"};

constexpr std::int64_t most_units = 200, most_places = 1000, most_rows = 1000;
constexpr Limits rack_power{"100 W", "10 MW"};
constexpr Limits rack_weight{"1 kg", "100000 kg"};
constexpr Limits hall_distance{"0.01 m", "100 m"};
constexpr Limits optional_distance{"0", "100 m"};
constexpr Limits cable_length{"0.01 m", "100 km"};

/// Reads a site map by map.
class SiteReader {
 public:
  explicit SiteReader(YamlMap root) : root_(std::move(root)), sources_(root_.sources()) {}

  Site read(const YamlDocument& document) {
    Site site;
    site.id = root_.text("site");
    site.file = document.name();
    check_named_as_file(root_, "site", site.id, document);
    site.description = root_.text("description");
    site.source = source(root_);
    read_rack(root_.map("rack"), site.rack);
    read_hall(root_.map("hall"), site.hall);
    site.leaves = root_.choice("leaves", leaf_places) == 0 ? LeafPlace::own_racks : LeafPlace::node_racks;
    site.pods_per_leaf_rack = static_cast<int>(root_.integer("pods_per_leaf_rack", 1, most_places, 1));
    read_network(root_.map("network"), site);
    read_stock(root_.map("stock"), site);
    read_boxes(root_.map("boxes"), site);
    if (root_.has("measured")) read_measured(site);
    root_.finish();
    return site;
  }

 private:
  std::string source(YamlMap& map) {
    const std::string id = map.text("source");
    if (const auto found = sources_.find(id); found != sources_.end()) {
      return found->second.source + ", " + found->second.date;
    }
    std::vector<std::string> names;
    for (const auto& [name, evidence] : sources_) names.push_back(name);
    map.fail_unknown("source", "source", names);
    return {};
  }

  static int count(YamlMap& map, std::string_view key, std::int64_t low, std::int64_t high) {
    return static_cast<int>(map.integer(key, low, high));
  }

  void read_rack(YamlMap map, RackLimits& rack) {
    rack.power = limited_figure(map, "power", units::power, sources_, rack_power);
    rack.weight = limited_figure(map, "weight", units::mass, sources_, rack_weight);
    rack.units = count(map, "units", 1, most_units);
    rack.reserved_units = static_cast<int>(map.integer("reserved_units", 0, most_units, 0));
    if (rack.reserved_units >= rack.units) map.fail("reserved_units", "leaves no rack unit free", "reserve fewer");
    rack.most_nodes = static_cast<int>(map.integer("most_nodes", 0, most_units, 0));
    rack.source = source(map);
    map.finish();
  }

  void read_hall(YamlMap map, HallGeometry& hall) {
    hall.places = count(map, "places", 1, most_places);
    hall.rack_pitch = limited_figure(map, "rack_pitch", units::length, sources_, hall_distance);
    hall.rack_depth = limited_figure(map, "rack_depth", units::length, sources_, hall_distance);
    hall.cold_aisle = limited_figure(map, "cold_aisle", units::length, sources_, hall_distance);
    hall.hot_aisle = limited_figure(map, "hot_aisle", units::length, sources_, hall_distance);
    hall.tray_height = limited_figure(map, "tray_height", units::length, sources_, optional_distance);
    hall.slack = limited_figure(map, "slack", units::length, sources_, optional_distance);
    hall.cross_trays_every = static_cast<int>(map.integer("cross_trays_every", 1, most_places, 1));
    hall.source = source(map);
    map.finish();
  }

  void read_network(YamlMap map, Site& site) {
    constexpr std::array places{NetworkPlace::row_middle, NetworkPlace::row_end, NetworkPlace::own_rows};
    site.network = places[map.choice("place", network_places)];
    if (site.network == NetworkPlace::own_rows) {
      site.compute_rows_per_network_row = count(map, "compute_rows", 1, most_rows);
    } else {
      site.network_places = count(map, "places", 1, most_places);
      if (site.network_places >= site.hall.places && site.hall.places > 0) {
        map.fail("places", "leaves no place in a row for nodes", "keep fewer places free than a row has");
      }
    }
    site.network_source = source(map);
    map.finish();
  }

  void read_stock(YamlMap map, Site& site) {
    for (const std::string_view medium : cable_media) {
      if (!map.has(medium)) continue;
      YamlMap of = map.map(medium);
      StockLengths stock;
      stock.lengths = read_lengths(of, "lengths", cable_length);
      if (of.has("step")) stock.step = limited(of, "step", units::length, cable_length);
      stock.assumed = of.text("assumed", "");
      if (stock.assumed.empty() || of.has("source")) stock.source = source(of);
      of.finish();
      site.stock.emplace(medium, std::move(stock));
    }
    map.finish();
  }

  void read_boxes(YamlMap map, Site& site) {
    site.server_units = count(map, "server_units", 1, most_units);
    site.server_weight = limited_figure(map, "server_weight", units::mass, sources_, box_weight);
    site.switch_weight = limited_figure(map, "switch_weight", units::mass, sources_, box_weight);
    YamlMap manager = map.map("manager");
    site.manager.rack_units = count(manager, "rack_units", 1, most_units);
    site.manager.weight = limited_figure(manager, "weight", units::mass, sources_, box_weight);
    site.manager.power = limited_figure(manager, "power", units::power, sources_, box_power);
    manager.finish();
    map.finish();
  }

  void read_measured(Site& site) {
    for (YamlMap& map : root_.maps("measured")) {
      MeasuredRoute route;
      route.from = map.text("from");
      route.to = map.text("to");
      route.length = limited(map, "length", units::length, cable_length);
      map.finish();
      site.measured.push_back(std::move(route));
    }
  }

  YamlMap root_;
  Sources sources_;
};

}  // namespace

Site read_site(const YamlDocument& document) {
  Diagnostics diagnostics;
  Site site = SiteReader(document.root(diagnostics)).read(document);
  diagnostics.throw_if_any();
  return site;
}

std::vector<std::string> site_names(const std::filesystem::path& folder) { return yaml_names(folder); }

Site load_site(const std::filesystem::path& folder, std::string_view id) {
  return read_site(YamlDocument::load(yaml_path(folder, "site", id)));
}

}  // namespace railyard
