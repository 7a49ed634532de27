// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/rack_packing.h"
#include "topologies/words.h"

namespace railyard {

namespace {

int divided_up(int a, int b) { return (a + b - 1) / b; }

/// Nodes [first, last) that share a rack.
struct NodeGroup {
  int first = 0, last = 0;
};

struct Pod {
  std::vector<NodeGroup> groups;
  std::vector<DeviceId> leaves;
  int row = 0;                     // of its first rack
  std::vector<std::size_t> racks;  // of nodes, by group
  std::vector<std::size_t> leaf_racks;
};

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
        boxes_(box_catalogue(design, parts, server, site)) {}

  FloorPlan build() {
    check_boxes();
    size_racks();
    group_pods();
    for (Pod& pod : pods_) place_pod(pod);
    place_spines_and_cores();
    place_managers();
    place_site_networks();
    return finished();
  }

 private:
  void check_boxes() const {
    std::string fitting;
    for (const std::string& id : design_.servers) {
      const ServerPart& other = parts_.server(id);
      if (other.rack) continue;
      try {
        const BoxNeeds needs = box_catalogue(design_, parts_, other, site_).node;
        if (capacity_for(needs, site_.rack, true).boxes > 0) fitting += (fitting.empty() ? "" : ", ") + id;
      } catch (const InputError&) {
        continue;  // no modules for this server in the design
      }
    }
    const std::string remedy = fitting.empty() ? "" : ", or take a server that fits: " + fitting;
    if (server_.rack) {
      BoxNeeds whole = boxes_.node;
      whole.power = whole.power * server_.rack->nodes;
      whole.units = server_.rack->units - site_.rack.reserved_units;
      whole.weight = server_.rack->weight.value.high;
      check_fits(whole, counted(server_.rack->nodes, "server") + " of one rack,", site_, remedy);
    } else {
      check_fits(boxes_.node, "server", site_, remedy);
    }
    for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core}) {
      if (fabric_.count(kind) > 0) check_fits(boxes_.of(kind), "switch", site_, "");
    }
    if (fabric_.count(DeviceKind::manager) > 0) check_fits(boxes_.manager, "appliance", site_, "");
  }

  /// Nodes and leaves of a rack. Leaves go among the nodes when the site wants it, or when one rack holds a pod.
  void size_racks() {
    const int nodes = std::max(1, fabric_.shape().nodes_per_pod);
    int leaves = 0;
    std::vector<int> of_pod;
    for (const Device& device : fabric_.devices()) {
      if (device.kind != DeviceKind::leaf || device.pod < 0) continue;
      if (static_cast<std::size_t>(device.pod) >= of_pod.size())
        of_pod.resize(static_cast<std::size_t>(device.pod) + 1);
      leaves = std::max(leaves, ++of_pod[static_cast<std::size_t>(device.pod)]);
    }
    leaf_capacity_ = capacity_for(boxes_.leaf, site_.rack, false);
    if (server_.rack) {
      node_capacity_ = {server_.rack->nodes, RackLimit::whole_rack};
      return;
    }
    node_capacity_ = capacity_for(boxes_.node, site_.rack, true);
    if (site_.leaves == LeafPlace::own_racks && nodes > node_capacity_.boxes) return;
    // One node fewer at a time, until the leaves that fall to a rack fit beside its nodes.
    for (int in_rack = std::min(node_capacity_.boxes, nodes); in_rack > 0; --in_rack) {
      const int racks = divided_up(nodes, in_rack), leaves_in_rack = divided_up(leaves, racks);
      OpenRack trial({0, 0}, RackKind::compute, 0, site_.rack);
      for (int i = 0; i < in_rack; ++i) trial.put_low(RackSlot::no_device, boxes_.node);
      RackLimit limit = RackLimit::none;
      for (int i = 0; i < leaves_in_rack && limit == RackLimit::none; ++i) {
        limit = trial.refusal(boxes_.leaf);
        trial.put_high(RackSlot::no_device, boxes_.leaf);
      }
      if (limit != RackLimit::none) {
        node_capacity_.limit = limit;  // a further node is kept out by what its leaves need
        continue;
      }
      node_capacity_.boxes = in_rack;
      leaves_among_nodes_ = true;
      return;
    }
  }

  void group_pods() {
    const FabricShape& shape = fabric_.shape();
    const int nodes_per_pod = std::max(1, shape.nodes_per_pod);
    const int count = divided_up(shape.nodes, nodes_per_pod);
    pods_.resize(static_cast<std::size_t>(std::max(count, 1)));
    if (server_.rack) {  // racks as bought, whatever pods their nodes are of
      for (int first = 0; first < shape.nodes; first += node_capacity_.boxes) {
        pods_[static_cast<std::size_t>(first / nodes_per_pod)].groups.push_back(
            {first, std::min(first + node_capacity_.boxes, shape.nodes)});
      }
    } else {
      for (int pod = 0; pod < count; ++pod) {
        const int end = std::min((pod + 1) * nodes_per_pod, shape.nodes);
        for (int first = pod * nodes_per_pod; first < end; first += node_capacity_.boxes) {
          pods_[static_cast<std::size_t>(pod)].groups.push_back({first, std::min(first + node_capacity_.boxes, end)});
        }
      }
    }
    for (std::size_t i = 0; i < fabric_.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      const Device& device = fabric_.device(id);
      if (device.kind != DeviceKind::leaf) continue;
      const auto pod = static_cast<std::size_t>(std::clamp(device.pod, 0, static_cast<int>(pods_.size()) - 1));
      pods_[pod].leaves.push_back(id);
    }
  }

  /// Racks that pod `index` has when all its nodes are there, so that the next pod's places do not depend on it.
  int full_racks(std::size_t index) const {
    const int nodes = std::max(1, fabric_.shape().nodes_per_pod), in_rack = node_capacity_.boxes;
    const int pod = static_cast<int>(index);
    if (server_.rack) return divided_up((pod + 1) * nodes, in_rack) - divided_up(pod * nodes, in_rack);
    return divided_up(nodes, in_rack);
  }

  void place_pod(Pod& pod) {
    const auto index = static_cast<std::size_t>(&pod - pods_.data());
    const int leaf_racks =
        leaves_among_nodes_ ? 0 : divided_up(static_cast<int>(pod.leaves.size()), leaf_capacity_.boxes);
    const int reserved = full_racks(index) + leaf_racks;
    const int used = static_cast<int>(pod.groups.size()) + leaf_racks;
    next_row_ = hall_.compute_row(next_row_);
    const int in_row = hall_.compute_places(next_row_);
    if (next_place_ > 0 && next_place_ + reserved > in_row) advance(in_row - next_place_);
    std::vector<Place> places;
    int row = next_row_, place = next_place_;
    while (static_cast<int>(places.size()) < used) {
      row = hall_.compute_row(row);
      const std::vector<Place> free = hall_.places(row, false);
      for (; place < static_cast<int>(free.size()) && static_cast<int>(places.size()) < used; ++place) {
        places.push_back(free[static_cast<std::size_t>(place)]);
      }
      if (static_cast<int>(places.size()) < used) ++row, place = 0;
    }
    advance(reserved);
    pod.row = places.empty() ? next_row_ : places.front().row;
    const std::size_t first_leaf_rack = middle_of(places, static_cast<std::size_t>(leaf_racks));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const bool leaf = i >= first_leaf_rack && i < first_leaf_rack + static_cast<std::size_t>(leaf_racks);
      (leaf ? pod.leaf_racks : pod.racks).push_back(open(places[i], leaf ? RackKind::leaf : RackKind::compute, index));
    }
    for (std::size_t i = 0; i < pod.groups.size(); ++i) fill(pod.groups[i], racks_[pod.racks[i]]);
    place_leaves(pod);
  }

  void advance(int places) {
    while (places > 0) {
      next_row_ = hall_.compute_row(next_row_);
      const int left = hall_.compute_places(next_row_) - next_place_, step = std::min(left, places);
      next_place_ += step;
      places -= step;
      if (step == left) ++next_row_, next_place_ = 0;
    }
  }

  /// The first of `count` neighbours nearest to the middle of the places, by pitch and row.
  std::size_t middle_of(const std::vector<Place>& places, std::size_t count) const {
    if (count == 0 || places.empty()) return places.size();
    const double pitch = site_.hall.rack_pitch.value.typical.in(metre);
    const double depth = (site_.hall.rack_depth.value.typical + site_.hall.cold_aisle.value.typical).in(metre);
    double x = 0, y = 0;
    for (const Place& at : places) x += at.place * pitch, y += at.row * depth;
    x /= static_cast<double>(places.size()), y /= static_cast<double>(places.size());
    std::size_t best = 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i + count <= places.size(); ++i) {
      double distance = 0;
      for (std::size_t k = i; k < i + count; ++k) {
        distance += std::abs(places[k].place * pitch - x) + std::abs(places[k].row * depth - y);
      }
      if (distance < least - 1e-9) best = i, least = distance;
    }
    return best;
  }

  std::size_t open(Place at, RackKind kind, std::size_t pod) {
    racks_.emplace_back(at, kind, kind == RackKind::network ? -1 : static_cast<int>(pod), site_.rack);
    return racks_.size() - 1;
  }

  void fill(const NodeGroup& group, OpenRack& open_rack) {
    for (int node = group.first; node < group.last; ++node) open_rack.put_low(fabric_.node(node), boxes_.node);
    Rack& rack = open_rack.rack();
    if (group.last - group.first == node_capacity_.boxes) rack.limit = node_capacity_.limit;
    if (!server_.rack) return;
    const WholeRack& whole = *server_.rack;
    rack.units = whole.units;
    rack.weight = whole.weight.value.high;
    for (std::size_t i = 0; i < rack.slots.size(); ++i) {
      const int place = static_cast<int>(i);
      const int gap = place >= whole.gap_after ? whole.gap_units : 0;
      rack.slots[i].bottom = static_cast<std::uint16_t>(whole.first_unit + place * boxes_.node.units + gap);
    }
  }

  void place_leaves(Pod& pod) {
    const std::size_t count = pod.leaves.size();
    if (leaves_among_nodes_) {
      const std::size_t racks = static_cast<std::size_t>(full_racks(static_cast<std::size_t>(&pod - pods_.data())));
      for (std::size_t i = 0; i < count; ++i) {
        // Evenly over the racks of a pod in full; the last of them when it is not.
        const std::size_t rack = std::min((i * racks + racks / 2) / count, pod.racks.size() - 1);
        OpenRack& open_rack = racks_[pod.racks[rack]];
        if (open_rack.refusal(boxes_.leaf) == RackLimit::none) {
          open_rack.put_high(pod.leaves[i], boxes_.leaf);
        } else {
          strays_.push_back({pod.leaves[i], pod.row});
        }
      }
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      OpenRack& open_rack = racks_[pod.leaf_racks[i / static_cast<std::size_t>(leaf_capacity_.boxes)]];
      open_rack.put_high(pod.leaves[i], boxes_.leaf);
      if ((i + 1) % static_cast<std::size_t>(leaf_capacity_.boxes) == 0) open_rack.note(leaf_capacity_.limit);
    }
  }

  /// A place of a network rack; the rack is opened when its first box comes.
  struct NetworkPlaceState {
    Place at;
    std::size_t rack = closed;
    static constexpr std::size_t closed = static_cast<std::size_t>(-1);
  };

  void list_network_places() {
    int last = 0;
    for (const OpenRack& rack : racks_) last = std::max(last, rack.rack().row);
    // The network row of the last block that has begun stands behind its compute rows.
    if (site_.network == NetworkPlace::own_rows) {
      const int block = site_.compute_rows_per_network_row + 1;
      last = std::max(last, last / block * block + block / 2);
    }
    for (int row = 0; row <= last; ++row) {
      first_of_row_.push_back(network_.size());
      for (const Place& at : hall_.places(row, true)) network_.push_back({at});
    }
    first_of_row_.push_back(network_.size());
  }

  /// One more row, all of it for network racks, behind the last: when the places kept free are used up.
  void add_network_row() {
    const int row = static_cast<int>(first_of_row_.size()) - 1;
    for (int place = 0; place < site_.hall.places; ++place) network_.push_back({Place{row, place}});
    first_of_row_.push_back(network_.size());
  }

  bool put_in_row(int row, DeviceId device, const BoxNeeds& box) {
    const auto r = static_cast<std::size_t>(row);
    for (std::size_t i = first_of_row_[r]; i < first_of_row_[r + 1]; ++i) {
      NetworkPlaceState& state = network_[i];
      if (state.rack == NetworkPlaceState::closed) state.rack = open(state.at, RackKind::network, 0);
      OpenRack& rack = racks_[state.rack];
      const RackLimit limit = rack.refusal(box);
      if (limit == RackLimit::none) {
        rack.put_high(device, box);
        return true;
      }
      rack.note(limit);
    }
    return false;
  }

  /// Puts a box into the network rack with room that is nearest to a row.
  void put_near(int row, DeviceId device, const BoxNeeds& box) {
    const int rows = static_cast<int>(first_of_row_.size()) - 1;
    row = std::clamp(row, 0, rows - 1);
    for (int distance = 0; distance < rows; ++distance) {
      if (row - distance >= 0 && put_in_row(row - distance, device, box)) return;
      if (distance > 0 && row + distance < rows && put_in_row(row + distance, device, box)) return;
    }
    add_network_row();
    const bool placed = put_in_row(rows, device, box);
    static_cast<void>(placed);  // an empty rack holds every box: checked before
  }

  /// Spines near the first pod of their group, which does not move when the cluster grows; cores mid-hall.
  void place_spines_and_cores() {
    list_network_places();
    std::vector<int> row_of_group;
    int last_row = 0;
    for (const Pod& pod : pods_) {
      last_row = std::max(last_row, pod.row);
      for (const DeviceId leaf : pod.leaves) {
        const int group = fabric_.device(leaf).group;
        if (group < 0) continue;
        if (static_cast<std::size_t>(group) >= row_of_group.size()) {
          row_of_group.resize(static_cast<std::size_t>(group) + 1, -1);
        }
        int& row = row_of_group[static_cast<std::size_t>(group)];
        if (row < 0) row = pod.row;
      }
    }
    for (const auto& [leaf, row] : strays_) put_near(row, leaf, boxes_.leaf);
    for (const DeviceKind kind : {DeviceKind::spine, DeviceKind::core}) {
      for (std::size_t i = 0; i < fabric_.devices().size(); ++i) {
        const DeviceId id{static_cast<std::uint32_t>(i)};
        const Device& device = fabric_.device(id);
        if (device.kind != kind) continue;
        int row = kind == DeviceKind::core ? last_row / 2 : 0;
        if (kind == DeviceKind::spine && device.group >= 0 &&
            static_cast<std::size_t>(device.group) < row_of_group.size()) {
          row = std::max(0, row_of_group[static_cast<std::size_t>(device.group)]);
        }
        put_near(row, id, boxes_.of(kind));
      }
    }
  }

  /// Appliances near the leaves whose ports they take.
  void place_managers() {
    for (std::size_t i = 0; i < fabric_.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      if (fabric_.device(id).kind != DeviceKind::manager) continue;
      int row = 0;
      for (const LinkId link : fabric_.links_of(id)) {
        const int pod = fabric_.device(fabric_.link(link).upper).pod;
        if (pod >= 0) row = pods_[static_cast<std::size_t>(pod)].row;
      }
      put_near(row, id, boxes_.manager);
    }
  }

  /// Switches of the networks beside the back end: those of a unit in the leaf racks of its first node's pod where they
  /// fit, the rest in network racks.
  void place_site_networks() {
    const int nodes = fabric_.shape().nodes, nodes_per_pod = std::max(1, fabric_.shape().nodes_per_pod);
    for (const SiteNetwork& network : design_.networks) {
      const Watts plugs = plug_share(network, nodes);
      for (const SiteNetworkLine& line : network.lines) {
        const auto part = parts_.switches.find(line.part);
        if (part == parts_.switches.end()) continue;
        BoxNeeds box = switch_needs(part->second, site_, plugs);
        box.network = network.name;
        check_fits(box, "switch", site_, "");
        const int units = divided_up(nodes, network.unit_nodes);
        for (int unit = 0; unit < units; ++unit) {
          Pod& pod = pods_[static_cast<std::size_t>(unit * network.unit_nodes / nodes_per_pod)];
          for (int piece = 0; piece < line.of_unit; ++piece) put_in_pod(pod, box);
        }
        const int rest = pieces(network, line, nodes) - units * line.of_unit;
        for (int piece = 0; piece < rest; ++piece) put_near(0, RackSlot::no_device, box);
      }
    }
  }

  void put_in_pod(Pod& pod, const BoxNeeds& box) {
    for (const std::size_t rack : pod.leaf_racks) {
      const RackLimit limit = racks_[rack].refusal(box);
      if (limit == RackLimit::none) return racks_[rack].put_high(RackSlot::no_device, box);
      racks_[rack].note(limit);
    }
    put_near(pod.row, RackSlot::no_device, box);
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
      if (open_rack.rack().slots.empty()) continue;
      racks.push_back(std::move(open_rack.rack()));
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
  RackCapacity node_capacity_, leaf_capacity_;
  bool leaves_among_nodes_ = false;
  std::vector<Pod> pods_;
  std::vector<std::pair<DeviceId, int>> strays_;  // leaves without room among their nodes, with their row
  std::vector<OpenRack> racks_;
  std::vector<NetworkPlaceState> network_;
  std::vector<std::size_t> first_of_row_;  // of network_, one more than rows
  int next_row_ = 0, next_place_ = 0;      // of the next pod
};

}  // namespace

FloorPlan plan_floor(const Fabric& fabric, const Design& design, const Parts& parts, const ServerPart& server,
                     const Site& site) {
  return FloorBuilder(fabric, design, parts, server, site).build();
}

}  // namespace railyard
