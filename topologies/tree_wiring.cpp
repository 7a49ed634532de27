// SPDX-License-Identifier: Apache-2.0
#include "topologies/tree_wiring.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/index.h"
#include "topologies/words.h"

namespace railyard {

namespace {

/// Wires a plan. Devices stand in the order nodes, leaves, spines, cores, managers; those of one kind plane by plane.
class TreeWiring {
 public:
  TreeWiring(const FabricOrder& order, const TreeOrder& trees, const FatTreePlan& plan)
      : order_(order), trees_(trees), plan_(plan) {
    leaf_rails_ =
        own_leaf_for_each_rail() && (plan.tiers > 1 || trees.attachment != Attachment::rails) ? trees.rails : 1;
    for (const SpineGroup& group : plan.groups) {
      first_spine_.push_back(spines_);
      spines_ += group.spines;
    }
    for (const int cores : plan.cores_of_plane) {
      first_core_.push_back(cores_);
      cores_ += cores;
    }
    place_spines_on_cores();
    place_devices();
    links_.reserve(link_count());
    wire_nodes();
    wire_managers();
    for (int plane = 0; plan.tiers > 1 && plane < trees.planes; ++plane) {
      for (int pod = 0; pod < plan.pods; ++pod) {
        for (int rail = 0; rail < leaf_rails_; ++rail) wire_leaf(plane, pod, rail);
      }
    }
    for (int tree = 0; plan.tiers > 2 && tree < tree_count(); ++tree) {
      for (int group = 0; group < groups(); ++group) wire_spines(tree, group);
    }
  }

  [[nodiscard]] Fabric fabric() const {
    const FabricShape shape{.gpus = order_.gpus,
                            .gpus_per_node = order_.server.gpus,
                            .nodes = plan_.nodes,
                            .rails = trees_.rails,
                            .tiers = plan_.tiers,
                            .radix = trees_.request.radix,
                            .nodes_per_pod = plan_.nodes_per_pod,
                            .pods = plan_.pods,
                            .uplinks_per_leaf = plan_.uplinks,
                            .planes = trees_.planes,
                            .breakout = trees_.request.breakout,
                            .groups = plan_.tiers > 1 ? tree_count() * groups() : 0};
    return Fabric(shape, devices_, links_);
  }

 private:
  bool own_leaf_for_each_rail() const { return trees_.attachment != Attachment::racks; }
  int groups() const { return static_cast<int>(plan_.groups.size()); }
  int tree_count() const {
    if (trees_.attachment == Attachment::shared) return 1;
    return trees_.planes * (trees_.attachment == Attachment::rail_trees ? trees_.rails : 1);
  }
  int core_tree_count() const { return trees_.request.core_trees > 1 ? 1 : tree_count(); }
  int leaves_of_plane() const { return plan_.pods * leaf_rails_; }

  // Where the leaf of a plane and rail stands.
  int tree_of(int plane, int rail) const {
    if (trees_.attachment == Attachment::shared) return 0;
    return trees_.attachment == Attachment::rail_trees ? plane * trees_.rails + rail : plane;
  }
  int column_of(int plane, int rail) const {
    if (trees_.attachment == Attachment::shared) return plane * trees_.rails + rail;
    return trees_.attachment == Attachment::rails ? rail : 0;
  }
  int group_of(int pod, int column) const {
    if (plan_.tiers == 2) return 0;
    return trees_.request.group_by_rail ? column : pod / plan_.pods_per_group;
  }
  /// Among the leaves of its group.
  int place_of(int pod, int column) const {
    if (plan_.tiers == 2) return pod * plan_.columns + column;
    return trees_.request.group_by_rail ? pod : pod % plan_.pods_per_group * plan_.columns + column;
  }

  int leaf_index(int plane, int pod, int rail) const { return plane * leaves_of_plane() + pod * leaf_rails_ + rail; }
  int first_leaf() const { return plan_.nodes; }
  int first_spine() const { return first_leaf() + trees_.planes * leaves_of_plane(); }
  int first_core() const { return first_spine() + tree_count() * spines_; }
  int first_manager() const { return first_core() + core_tree_count() * cores_; }

  std::size_t link_count() const {
    return at(plan_.nodes) * at(trees_.rails * trees_.planes) + at(trees_.request.manager_ends) +
           at(trees_.planes * leaves_of_plane()) * at(plan_.uplinks) +
           at(tree_count() * spines_) * at(plan_.spine_uplinks);
  }

  /// Spine s of a group is the n-th of its core plane: smaller groups have no spine there.
  void place_spines_on_cores() {
    spines_of_plane_.assign(plan_.cores_of_plane.size(), 0);
    for (const SpineGroup& group : plan_.groups) {
      for (int spine = 0; plan_.tiers > 2 && spine < group.spines; ++spine) {
        place_on_cores_.push_back(spines_of_plane_[at(spine)]++);
      }
    }
  }

  void place_devices() {
    devices_.reserve(at(first_manager() + trees_.request.manager_ends));
    for (int node = 0; node < plan_.nodes; ++node) {
      devices_.push_back({DeviceKind::node, node, node / plan_.nodes_per_pod, -1, -1});
    }
    for (int plane = 0, index = 0; plane < trees_.planes; ++plane) {
      for (int pod = 0; pod < plan_.pods; ++pod) {
        for (int rail = 0; rail < leaf_rails_; ++rail) place_leaf(index++, plane, pod, rail);
      }
    }
    const bool by_rail = trees_.attachment == Attachment::rail_trees;
    const auto rail_of = [&](int tree) { return by_rail ? tree % trees_.rails : -1; };
    const auto plane_of = [&](int tree) { return by_rail ? tree / trees_.rails : tree; };
    for (int tree = 0, index = 0; tree < tree_count(); ++tree) {
      for (int group = 0; group < groups(); ++group) {
        for (int spine = 0; spine < plan_.groups[at(group)].spines; ++spine) {
          devices_.push_back({DeviceKind::spine, index++, -1, rail_of(tree), tree * groups() + group, plane_of(tree)});
        }
      }
    }
    const int core_planes = static_cast<int>(plan_.cores_of_plane.size());
    for (int tree = 0, index = 0; tree < core_tree_count(); ++tree) {
      for (int of = 0; of < core_planes; ++of) {
        for (int core = 0; core < plan_.cores_of_plane[at(of)]; ++core) {
          devices_.push_back({DeviceKind::core, index++, -1, rail_of(tree), tree * core_planes + of, plane_of(tree)});
        }
      }
    }
    for (int end = 0; end < trees_.request.manager_ends; ++end) {
      devices_.push_back({DeviceKind::manager, end, -1, -1, -1});
    }
  }

  void place_leaf(int index, int plane, int pod, int rail) {
    const bool one_rail = leaf_rails_ > 1 || trees_.attachment == Attachment::rail_trees || plan_.tiers > 1;
    const int own_rail = own_leaf_for_each_rail() && one_rail ? rail : -1;
    const int group = plan_.tiers == 1 ? -1 : tree_of(plane, rail) * groups() + group_of(pod, column_of(plane, rail));
    devices_.push_back({DeviceKind::leaf, index, pod, own_rail, group, plane});
  }

  void connect(Layer layer, DeviceId lower, int lower_port, DeviceId upper, int upper_port, Bandwidth speed) {
    links_.push_back(
        {lower, upper, static_cast<std::uint16_t>(lower_port), static_cast<std::uint16_t>(upper_port), layer, speed});
  }

  Bandwidth nic_speed() const { return order_.leaf_switch.port_speed / trees_.request.breakout; }

  void wire_nodes() {
    for (int node = 0; node < plan_.nodes; ++node) {
      const int pod = node / plan_.nodes_per_pod, place = node % plan_.nodes_per_pod;
      for (int rail = 0; rail < trees_.rails; ++rail) {
        const bool own_leaf = leaf_rails_ > 1;
        const int port = place * plan_.node_ports + (own_leaf || plan_.node_ports == 1 ? 0 : rail);
        for (int plane = 0; plane < trees_.planes; ++plane) {
          const int leaf = leaf_index(plane, pod, own_leaf ? rail : 0);
          connect(Layer::node_leaf, device_at(node), rail * trees_.planes + plane, device_at(first_leaf() + leaf), port,
                  nic_speed());
        }
      }
    }
  }

  /// Management ends take the node ports of the last pod that no node has, spread over its leaves.
  void wire_managers() {
    const int used = (plan_.nodes - (plan_.pods - 1) * plan_.nodes_per_pod) * plan_.node_ports;
    for (int end = 0; end < trees_.request.manager_ends; ++end) {
      const int leaf = leaf_index(0, plan_.pods - 1, end % leaf_rails_);
      connect(Layer::node_leaf, device_at(first_manager() + end), 0, device_at(first_leaf() + leaf),
              used + end / leaf_rails_, nic_speed());
    }
  }

  /// Every leaf has equally many links to each spine of its group; uplinks take the last ports of the leaf.
  void wire_leaf(int plane, int pod, int rail) {
    const int tree = tree_of(plane, rail), column = column_of(plane, rail), group = group_of(pod, column);
    const int spines = plan_.groups[at(group)].spines, split = trees_.request.breakout;
    const int each = plan_.uplinks / spines, place = place_of(pod, column);
    const int first_up = trees_.request.radix - plan_.uplinks * split;
    const DeviceId lower = device_at(first_leaf() + leaf_index(plane, pod, rail));
    for (int spine = 0; spine < spines; ++spine) {
      const DeviceId upper = device_at(first_spine() + tree * spines_ + first_spine_[at(group)] + spine);
      for (int i = 0; i < each; ++i) {
        connect(Layer::leaf_spine, lower, first_up + (spine * each + i) * split, upper, place * each + i,
                order_.leaf_switch.port_speed);
      }
    }
  }

  /// Spine i of the group has equally many links to each core of core plane i.
  void wire_spines(int tree, int group) {
    const int up = plan_.spine_uplinks, first_up = trees_.request.spine_radix - up;
    const bool joined = core_tree_count() < tree_count();
    for (int spine = 0; spine < plan_.groups[at(group)].spines; ++spine) {
      const int in_tree = first_spine_[at(group)] + spine;
      const DeviceId lower = device_at(first_spine() + tree * spines_ + in_tree);
      const int cores = plan_.cores_of_plane[at(spine)], each = up / cores;
      const int place = place_on_cores_[at(in_tree)] + (joined ? tree * spines_of_plane_[at(spine)] : 0);
      for (int core = 0; core < cores; ++core) {
        const DeviceId upper = device_at(first_core() + (joined ? 0 : tree * cores_) + first_core_[at(spine)] + core);
        for (int i = 0; i < each; ++i) {
          connect(Layer::spine_core, lower, first_up + core * each + i, upper, place * each + i,
                  order_.spine_switch.port_speed);
        }
      }
    }
  }

  const FabricOrder& order_;
  const TreeOrder& trees_;
  const FatTreePlan& plan_;
  int leaf_rails_ = 1;                         // leaves of a pod in one plane
  int spines_ = 0, cores_ = 0;                 // of a tree
  std::vector<int> first_spine_, first_core_;  // of each group, of each core plane
  std::vector<int> place_on_cores_;            // of each spine of a tree
  std::vector<int> spines_of_plane_;           // of a tree, by core plane
  std::vector<Device> devices_;
  std::vector<Link> links_;
};

/// Every plane takes one NIC port of each rail, so the ports of a node must divide among them.
void check_planes(const FabricOrder& order) {
  const int ports = order.server.ports(), planes = order.design.planes, gpus = order.server.gpus;
  if (ports % planes != 0) {
    throw InputError(
        fmt::format("design '{}': {} of server '{}' cannot be divided among {}: {} left over", order.design.id,
                    counted(ports, "NIC port"), order.server.id, counted(planes, "plane"), ports % planes),
        "choose a server with as many ports a GPU as the design has planes");
  }
  if (const int rails = ports / planes; gpus % rails != 0 && rails < gpus) {
    throw InputError(fmt::format("design '{}': {} of server '{}' cannot share {} evenly: {} left over", order.design.id,
                                 counted(gpus, "GPU"), order.server.id, counted(rails, "rail"), gpus % rails),
                     "choose a server whose NICs divide its GPUs");
  }
  if (ports / planes > gpus) {
    throw InputError(fmt::format("design '{}': server '{}' has {} for {}, but {}: {} too many", order.design.id,
                                 order.server.id, counted(ports, "NIC port"), counted(gpus, "GPU"),
                                 planes == 1 ? "the fabric is one plane" : fmt::format("there are {} planes", planes),
                                 ports - planes * gpus),
                     fmt::format("wire them as planes: {}", ports / gpus));
  }
}

std::string switches_of(const FabricOrder& order, const TreeOrder& trees, int tiers) {
  const SwitchPart &leaf = order.leaf_switch, &spine = order.spine_switch;
  const std::string ports = counted(trees.request.radix, "port");
  if (tiers <= 1) return fmt::format("one switch of {} with {}", leaf.id, ports);
  if (leaf.id == spine.id && (tiers == 2 || leaf.id == order.core_switch.id)) {
    return fmt::format("{} tiers of {} with {}", tiers, leaf.id, ports);
  }
  std::string text = fmt::format("{} tiers of {} ({}) and {} ({})", tiers, leaf.id, ports, spine.id,
                                 counted(trees.request.spine_radix, "port"));
  if (tiers > 2 && order.core_switch.id != spine.id) {
    text += fmt::format(" and {} ({})", order.core_switch.id, counted(trees.request.core_radix, "port"));
  }
  return text;
}

}  // namespace

int spine_count(int uplinks, std::int64_t total_uplinks, int ports) {
  const std::int64_t least = (total_uplinks + ports - 1) / ports;
  for (int spines = 1; spines <= uplinks; ++spines) {
    if (uplinks % spines == 0 && spines >= least) return spines;
  }
  return 0;
}

TreeOrder tree_order(const FabricOrder& order, Attachment attachment) {
  check_planes(order);
  const Design& design = order.design;
  const int planes = design.planes, rails = order.server.ports() / planes;
  const bool one_leaf = attachment == Attachment::racks, shared = attachment == Attachment::shared;
  return {.attachment = attachment,
          .rails = rails,
          .planes = planes,
          .request = {.radix = order.leaf_switch.ports() * design.breakout,
                      .breakout = design.breakout,
                      .spine_radix = order.spine_switch.ports(),
                      .core_radix = order.core_switch.ports(),
                      .columns = attachment == Attachment::rails ? rails
                                 : shared                        ? rails * planes
                                                                 : 1,
                      .node_ports = one_leaf ? rails : 1,
                      .single_ports = attachment == Attachment::rail_trees ? 1 : rails,
                      .first_tier = shared ? 2 : 1,
                      .nodes = order.gpus / order.server.gpus,
                      .tiers = design.tiers,
                      .oversubscription = design.oversubscription,
                      .oversubscribed_by = design.oversubscribed_by,
                      .core_oversubscription = design.core_oversubscription,
                      .fixed_ports = design.leaf_ports,
                      .nodes_per_leaf = design.nodes_per_leaf,
                      .unit_nodes = design.unit_nodes,
                      .group_by_rail = design.spine_group_by_rail,
                      .group_leaves = design.group_leaves,
                      .core_trees = design.planes_join == PlanesJoin::cores ? planes : 1,
                      .reserved_ports = design.reserved_ports,
                      .manager_ends = design.ufm ? ufm_ends : 0,
                      .fill_unit = design.fill_unit}};
}

std::string shortage(const FatTreeRequest& request, int tiers) {
  const int usable = request.radix - request.reserved_ports;
  const auto short_of = [](std::string_view what, int have, int need) {
    return fmt::format("{} has {} left and needs {}, {} too few", what, counted(have, "port"), need, need - have);
  };
  if (tiers <= 1) {
    return short_of("a switch", std::max(0, usable - request.manager_ends), request.single_ports);
  }
  const int down = request.fixed_ports ? request.fixed_ports->down : request.node_ports;
  const int up = request.fixed_ports
                     ? request.fixed_ports->up
                     : static_cast<int>(std::ceil(down / (request.oversubscription * request.breakout) - 1e-9));
  const int need = down + request.breakout * up;
  if (need > usable) return short_of("a leaf", std::max(0, usable), need);
  if (leaf_ports(request).up <= 0) {
    const bool half = !request.fixed_ports && request.oversubscribed_by == OversubscribedBy::fewer_uplinks;
    return short_of(half ? "the half of a leaf that goes to nodes" : "a leaf", half ? usable / 2 : down,
                    request.node_ports);
  }
  const int leaves = tiers == 2 || !request.group_by_rail ? request.columns : request.core_trees;
  return short_of("a spine", tiers == 2 ? request.spine_radix : request.spine_radix / 2, leaves);
}

std::optional<Misfit> tree_misfit(const FabricOrder& order, const TreeOrder& trees) {
  const FatTreeRequest& request = trees.request;
  FatTreeObstacle obstacle;
  if (plan_fat_tree(request, obstacle)) return std::nullopt;
  const std::int64_t limit = obstacle.limit * order.server.gpus;
  if (obstacle.full_pods > 0) {
    const std::string pods = obstacle.full_pods == 1 ? "one pod" : fmt::format("{} pods", obstacle.full_pods);
    const int of_pod = leaf_ports(request).down / request.node_ports;
    return Misfit{fmt::format("{} of {}", pods, counted(of_pod, "node")), limit, "which takes another pod"};
  }
  // One switch is the largest tree that holds anything: then what is short are the ports of the next.
  const bool only_switch = request.tiers == 0 && obstacle.tiers <= 1 && node_limit(request, 2) == 0;
  std::string why;
  if (limit == 0 || only_switch) why = shortage(request, only_switch ? 2 : obstacle.tiers);
  return Misfit{switches_of(order, trees, obstacle.tiers), limit, {}, std::move(why)};
}

Fabric wire_trees(const FabricOrder& order, const TreeOrder& trees) {
  FatTreeObstacle obstacle;
  const std::optional<FatTreePlan> plan = plan_fat_tree(trees.request, obstacle);
  if (!plan) throw InputError(fmt::format("design '{}' does not hold {}", order.design.id, counted(order.gpus, "GPU")));
  return TreeWiring(order, trees, *plan).fabric();
}

}  // namespace railyard
