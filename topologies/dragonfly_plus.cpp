// SPDX-License-Identifier: Apache-2.0
// Groups of leaves and spines, each a complete bipartite graph; the spines of two groups are linked directly, with
// equally many links between every two groups (Shpiner et al., HiPINEB 2017). A node's NICs share a leaf.
#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/families.h"
#include "topologies/tree_wiring.h"
#include "topologies/words.h"

namespace railyard {

namespace {

int needed(int count, int of_each) { return static_cast<int>(ceil_div(count, of_each)); }

/// Sizes that do not depend on the number of nodes.
struct Recipe {
  int radix = 0, breakout = 1, rails = 0;  // of a leaf, in NIC ports
  int nodes_per_leaf = 0, uplinks = 0;     // of a leaf
  int leaves = 0, spines = 0;              // of a group
  int downlinks = 0, spine_radix = 0;      // of a spine
  int global_ports = 0;                    // of all spines of a group
  int global_links = 0;                    // between two groups; 0: as many as fit
  [[nodiscard]] int nodes_per_group() const { return leaves * nodes_per_leaf; }
  [[nodiscard]] int most_groups() const { return global_ports / std::max(1, global_links) + 1; }
};

[[noreturn]] void refuse(const Design& design, const std::string& what, const std::string& remedy) {
  throw InputError(fmt::format("design '{}': {}", design.id, what), remedy);
}

Recipe recipe_of(const FabricOrder& order, const FatTreeRequest& request) {
  const Design& design = order.design;
  if (design.planes > 1) {
    refuse(design,
           fmt::format("{} of a dragonfly, which has one, {} too many", counted(design.planes, "plane"),
                       design.planes - 1),
           "leave out planes");
  }
  const LeafPorts ports = leaf_ports(request);
  Recipe recipe{.radix = request.radix,
                .breakout = request.breakout,
                .rails = request.node_ports,
                .nodes_per_leaf = ports.down / request.node_ports,
                .uplinks = ports.up,
                .leaves = design.group_leaves > 0 ? design.group_leaves : request.spine_radix / 2,
                .spines = design.group_spines > 0 ? design.group_spines : ports.up,
                .spine_radix = request.spine_radix,
                .global_links = design.global_links};
  if (ports.up <= 0) return recipe;
  if (recipe.uplinks % recipe.spines != 0) {
    refuse(
        design,
        fmt::format("{} of a leaf do not spread evenly over {} of a group: {} left over",
                    counted(recipe.uplinks, "uplink"), counted(recipe.spines, "spine"), recipe.uplinks % recipe.spines),
        fmt::format("make group_spines a divisor of {}", recipe.uplinks));
  }
  recipe.downlinks = recipe.leaves * (recipe.uplinks / recipe.spines);
  const int free_ports = recipe.spine_radix - recipe.downlinks;
  if (free_ports < 0) {
    refuse(design,
           fmt::format("{} of a group need {} of a spine, but '{}' has {}, {} too few",
                       counted(recipe.leaves, "leaf", "leaves"), counted(recipe.downlinks, "port"),
                       order.spine_switch.id, recipe.spine_radix, -free_ports),
           fmt::format("use group_leaves: {}", recipe.spine_radix / (recipe.uplinks / recipe.spines)));
  }
  recipe.global_ports = free_ports * recipe.spines;
  return recipe;
}

/// Nodes to be placed, those that the management ends displace last.
int places(const FabricOrder& order, const FatTreeRequest& request) {
  const int unit = request.unit_nodes > 1 ? request.unit_nodes : leaf_ports(request).down / request.node_ports;
  const int ends = needed(request.manager_ends, request.node_ports);
  if (!order.design.fill_unit || unit == 0) return request.nodes + ends;
  return std::max(needed(request.nodes + ends, unit) * unit, request.nodes + ends);
}

/// Wires groups. Devices stand in the order nodes, leaves, spines, managers.
class GroupWiring {
 public:
  GroupWiring(const FabricOrder& order, const FatTreeRequest& request, const Recipe& recipe)
      : order_(order),
        recipe_(recipe),
        ends_(request.manager_ends),
        nodes_(places(order, request) - needed(ends_, recipe.rails)),
        leaves_(needed(places(order, request), recipe.nodes_per_leaf)),
        groups_(needed(leaves_, recipe.leaves)) {
    place_devices();
    wire_nodes();
    for (int leaf = 0; leaf < leaves_; ++leaf) wire_leaf(leaf);
    const int links = groups_ < 2               ? 0
                      : recipe.global_links > 0 ? recipe.global_links
                                                : recipe.global_ports / (groups_ - 1);
    for (int a = 0; a < groups_; ++a) {
      for (int b = a + 1; b < groups_; ++b) wire_groups(a, b, links);
    }
  }

  [[nodiscard]] Fabric fabric() const {
    const FabricShape shape{.gpus = order_.gpus,
                            .gpus_per_node = order_.server.gpus,
                            .nodes = nodes_,
                            .rails = recipe_.rails,
                            .tiers = 2,
                            .radix = recipe_.radix,
                            .nodes_per_pod = recipe_.nodes_per_leaf,
                            .pods = leaves_,
                            .uplinks_per_leaf = recipe_.uplinks,
                            .breakout = recipe_.breakout,
                            .groups = groups_};
    return Fabric(shape, devices_, links_);
  }

 private:
  int first_spine() const { return nodes_ + leaves_; }
  int first_manager() const { return first_spine() + groups_ * recipe_.spines; }

  void place_devices() {
    for (int node = 0; node < nodes_; ++node) {
      devices_.push_back({DeviceKind::node, node, node / recipe_.nodes_per_leaf, -1, -1});
    }
    for (int leaf = 0; leaf < leaves_; ++leaf) {
      devices_.push_back({DeviceKind::leaf, leaf, leaf, -1, leaf / recipe_.leaves});
    }
    for (int spine = 0; spine < groups_ * recipe_.spines; ++spine) {
      devices_.push_back({DeviceKind::spine, spine, -1, -1, spine / recipe_.spines});
    }
    for (int end = 0; end < ends_; ++end) devices_.push_back({DeviceKind::manager, end, -1, -1, -1});
  }

  void connect(Layer layer, DeviceId lower, int lower_port, DeviceId upper, int upper_port, Bandwidth speed) {
    links_.push_back(
        {lower, upper, static_cast<std::uint16_t>(lower_port), static_cast<std::uint16_t>(upper_port), layer, speed});
  }

  /// NIC port `port` of the place of a node; management ends take the places after the last node.
  void wire_end(DeviceId device, int device_port, int place, int port) {
    connect(Layer::node_leaf, device, device_port, device_at(nodes_ + place / recipe_.nodes_per_leaf),
            place % recipe_.nodes_per_leaf * recipe_.rails + port, order_.leaf_switch.port_speed / recipe_.breakout);
  }

  void wire_nodes() {
    for (int node = 0; node < nodes_; ++node) {
      for (int port = 0; port < recipe_.rails; ++port) wire_end(device_at(node), port, node, port);
    }
    for (int end = 0; end < ends_; ++end) {
      wire_end(device_at(first_manager() + end), 0, nodes_ + end / recipe_.rails, end % recipe_.rails);
    }
  }

  void wire_leaf(int leaf) {
    const int each = recipe_.uplinks / recipe_.spines, first_up = recipe_.radix - recipe_.uplinks * recipe_.breakout;
    const int group = leaf / recipe_.leaves, place = leaf % recipe_.leaves;
    for (int spine = 0; spine < recipe_.spines; ++spine) {
      for (int i = 0; i < each; ++i) {
        connect(Layer::leaf_spine, device_at(nodes_ + leaf), first_up + (spine * each + i) * recipe_.breakout,
                device_at(first_spine() + group * recipe_.spines + spine), place * each + i,
                order_.leaf_switch.port_speed);
      }
    }
  }

  /// Link l of group a to its n-th neighbour is the (n x links + l)-th global port of the group, dealt to its spines in
  /// turn; so each spine has equally many, but for one.
  void wire_groups(int a, int b, int links) {
    const auto end = [&](int group, int neighbour, int link) {
      const int slot = neighbour * links + link;
      return std::pair{device_at(first_spine() + group * recipe_.spines + slot % recipe_.spines),
                       recipe_.downlinks + slot / recipe_.spines};
    };
    for (int link = 0; link < links; ++link) {
      const auto [lower, lower_port] = end(a, b - 1, link);
      const auto [upper, upper_port] = end(b, a, link);
      connect(Layer::spine_spine, lower, lower_port, upper, upper_port, order_.spine_switch.port_speed);
    }
  }

  const FabricOrder& order_;
  const Recipe& recipe_;
  int ends_, nodes_, leaves_, groups_;
  std::vector<Device> devices_;
  std::vector<Link> links_;
};

}  // namespace

std::optional<Misfit> dragonfly_plus_misfit(const FabricOrder& order) {
  const FatTreeRequest request = tree_order(order, Attachment::racks).request;
  const Recipe recipe = recipe_of(order, request);
  const std::int64_t room = std::int64_t{recipe.most_groups()} * recipe.nodes_per_group();
  if (places(order, request) <= room) return std::nullopt;
  const std::int64_t nodes = room - needed(request.manager_ends, request.node_ports);
  return Misfit{fmt::format("{} of {} with {} and {}", counted(recipe.most_groups(), "group"), order.leaf_switch.id,
                            counted(recipe.leaves, "leaf", "leaves"), counted(recipe.spines, "spine")),
                std::max<std::int64_t>(0, nodes) * order.server.gpus,
                {},
                nodes > 0 ? std::string() : shortage(request, 2)};
}

Fabric build_dragonfly_plus(const FabricOrder& order) {
  const FatTreeRequest request = tree_order(order, Attachment::racks).request;
  const Recipe recipe = recipe_of(order, request);
  return GroupWiring(order, request, recipe).fabric();
}

}  // namespace railyard
