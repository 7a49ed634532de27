// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/diagnostic.h"
#include "topologies/network_racks.h"
#include "topologies/pod_racks.h"
#include "topologies/words.h"

namespace railyard {

namespace {

class FloorBuilder {
 public:
  FloorBuilder(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server,
               const Site& site)
      : fabric_(fabric),
        design_(design),
        parts_(parts),
        server_(server),
        site_(site),
        hall_(site),
        boxes_(box_catalogue(design, parts, server, site)),
        pods_(fabric, server, site, hall_, boxes_, racks_) {}

  FloorPlan build() {
    check_boxes();
    pods_.place();
    int last_row = 0;
    for (const OpenRack& rack : racks_) last_row = std::max(last_row, rack.rack().row);
    NetworkRacks network(hall_, site_, last_row, racks_);
    for (const auto& [leaf, row] : pods_.strays()) network.put_near(row, leaf, boxes_.leaf);
    place_spines_and_cores(network, last_row);
    place_managers(network);
    place_site_networks(network);
    return finished();
  }

 private:
  /// ", or take a server that fits: ..." of the design's servers.
  std::string other_servers() const {
    std::string fitting;
    for (const std::string& id : design_.servers) {
      const ServerPart& other = parts_.server(id);
      if (other.rack) continue;
      try {
        const BoxNeeds needs = box_catalogue(design_, parts_, other, site_).node;
        if (capacity_for(needs, site_.rack, true).boxes > 0) fitting += (fitting.empty() ? "" : ", ") + id;
      } catch (const InputError&) {
        continue;  // the design has no modules for this server
      }
    }
    return fitting.empty() ? "" : ", or take a server that fits: " + fitting;
  }

  void check_boxes() const {
    if (server_.rack) {
      BoxNeeds whole = boxes_.node;
      whole.power = whole.power * server_.rack->nodes;
      whole.units = server_.rack->units - site_.rack.reserved_units;
      whole.weight = server_.rack->weight.value.high;
      check_fits(whole, "a rack of " + counted(server_.rack->nodes, "server"), site_, other_servers());
    } else {
      check_fits(boxes_.node, "server", site_,
                 capacity_for(boxes_.node, site_.rack, true).boxes > 0 ? "" : other_servers());
    }
    for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core}) {
      if (fabric_.count(kind) > 0) check_fits(boxes_.of(kind), "switch", site_, "");
    }
    if (fabric_.count(DeviceKind::manager) > 0) check_fits(boxes_.manager, "appliance", site_, "");
  }

  template <class Visit>
  void for_each(DeviceKind kind, const Visit& visit) const {
    for (std::size_t i = 0; i < fabric_.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      if (fabric_.device(id).kind == kind) visit(id, fabric_.device(id));
    }
  }

  /// Row of the first pod of each spine group: it does not move when the cluster grows.
  std::vector<int> rows_of_groups() const {
    std::vector<int> rows;
    for (const Pod& pod : pods_.pods()) {
      for (const DeviceId leaf : pod.leaves) {
        if (fabric_.device(leaf).group < 0) continue;
        const auto group = static_cast<std::size_t>(fabric_.device(leaf).group);
        if (group >= rows.size()) rows.resize(group + 1, -1);
        if (rows[group] < 0) rows[group] = pod.row;
      }
    }
    return rows;
  }

  /// Spines near the first pod of their group, cores mid-hall.
  void place_spines_and_cores(NetworkRacks& network, int last_row) const {
    const std::vector<int> rows = rows_of_groups();
    for_each(DeviceKind::spine, [&](DeviceId id, const Device& spine) {
      const auto group = static_cast<std::size_t>(spine.group);
      const bool known = spine.group >= 0 && group < rows.size();
      network.put_near(known ? std::max(0, rows[group]) : 0, id, boxes_.spine);
    });
    for_each(DeviceKind::core, [&](DeviceId id, const Device&) { network.put_near(last_row / 2, id, boxes_.core); });
  }

  /// Appliances near the leaves whose ports they take.
  void place_managers(NetworkRacks& network) const {
    for_each(DeviceKind::manager, [&](DeviceId id, const Device&) {
      int row = 0;
      for (const LinkId link : fabric_.links_of(id)) {
        const int pod = fabric_.device(fabric_.link(link).upper).pod;
        if (pod >= 0) row = pods_.pods()[static_cast<std::size_t>(pod)].row;
      }
      network.put_near(row, id, boxes_.manager);
    });
  }

  /// Switches of the networks beside the back end: those of a unit in the leaf racks of its first node's pod where they
  /// fit, the rest in network racks.
  void place_site_networks(NetworkRacks& network_racks) {
    const int nodes = fabric_.shape().nodes, nodes_per_pod = std::max(1, fabric_.shape().nodes_per_pod);
    for (const SiteNetwork& network : design_.networks) {
      const Watts plugs = plug_share(network, nodes);
      for (const SiteNetworkLine& line : network.lines) {
        const auto part = parts_.switches.find(line.part);
        if (part == parts_.switches.end()) continue;
        BoxNeeds box = switch_needs(part->second, site_, plugs);
        box.network = network.name;
        check_fits(box, "switch", site_, "");
        int rest = pieces(network, line, nodes);
        for (int first = 0; first < nodes && line.of_unit > 0; first += network.unit_nodes) {
          const Pod& pod = pods_.pods()[static_cast<std::size_t>(first / nodes_per_pod)];
          for (int piece = 0; piece < line.of_unit; ++piece, --rest) put_in_pod(pod, box, network_racks);
        }
        for (; rest > 0; --rest) network_racks.put_near(0, RackSlot::no_device, box);
      }
    }
  }

  void put_in_pod(const Pod& pod, const BoxNeeds& box, NetworkRacks& network) {
    for (const std::size_t rack : pod.leaf_racks) {
      const RackLimit limit = racks_[rack].refusal(box);
      if (limit == RackLimit::none) return racks_[rack].put_high(RackSlot::no_device, box);
      racks_[rack].note(limit);
    }
    network.put_near(pod.row, RackSlot::no_device, box);
  }

  /// Modules and active cables of a network, shared among its switches: upper end.
  Watts plug_share(const SiteNetwork& network, int nodes) const {
    Watts plugs;
    int switches = 0;
    for (const SiteNetworkLine& line : network.lines) {
      const int count = pieces(network, line, nodes);
      if (parts_.switches.contains(line.part)) switches += count;
      if (const auto module = parts_.modules.find(line.part); module != parts_.modules.end()) {
        plugs += module->second.power.value.high * count;
      }
      if (const auto cable = parts_.cables.find(line.part); cable != parts_.cables.end()) {
        plugs += cable->second.power.value.high * count;
      }
    }
    return switches == 0 ? Watts{} : plugs / switches;
  }

  FloorPlan finished() {
    std::vector<Rack> racks;
    racks.reserve(racks_.size());
    for (OpenRack& open_rack : racks_) {
      if (!open_rack.rack().slots.empty()) racks.push_back(std::move(open_rack.rack()));
    }
    std::sort(racks.begin(), racks.end(),
              [](const Rack& a, const Rack& b) { return a.row != b.row ? a.row < b.row : a.place < b.place; });
    std::vector<DevicePlace> places(fabric_.devices().size());
    for (std::size_t i = 0; i < racks.size(); ++i) {
      std::sort(racks[i].slots.begin(), racks[i].slots.end(),
                [](const RackSlot& a, const RackSlot& b) { return a.bottom < b.bottom; });
      for (const RackSlot& slot : racks[i].slots) {
        if (slot.device == RackSlot::no_device) continue;
        places[static_cast<std::size_t>(slot.device)] = {static_cast<std::uint32_t>(i), slot.bottom, slot.height};
      }
    }
    return FloorPlan(site_, std::move(racks), std::move(places));
  }

  const Fabric& fabric_;
  const Design& design_;
  const Parts& parts_;
  const ServerPart& server_;
  const Site& site_;
  Hall hall_;
  BoxCatalogue boxes_;
  std::vector<OpenRack> racks_;
  PodRacks pods_;
};

}  // namespace

FloorPlan plan_floor(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server,
                     const Site& site) {
  return FloorBuilder(fabric, design, parts, server, site).build();
}

}  // namespace railyard
