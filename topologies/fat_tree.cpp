// SPDX-License-Identifier: Apache-2.0
#include "topologies/fat_tree.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/fat_tree_plan.h"
#include "topologies/words.h"

namespace railyard {

namespace {

FatTreeRequest request_for(const FabricOrder& order) {
  const Design& design = order.design;
  return {.radix = order.switch_part.ports(),
          .rails = order.server.ports() / design.planes,
          .nodes = order.gpus / order.server.gpus,
          .tiers = design.tiers,
          .oversubscription = design.oversubscription,
          .oversubscribed_by = design.oversubscribed_by,
          .group_by_rail = design.spine_group_by_rail,
          .reserved_ports = design.reserved_ports,
          .manager_ends = design.ufm ? ufm_ends : 0,
          .fill_unit = design.fill_unit};
}

struct NearestCounts {
  std::int64_t below = 0, above = 0;  // GPUs; 0: none works
};

/// The nearest counts below and above that work.
NearestCounts nearest_counts(FatTreeRequest request, std::int64_t limit, int gpus_per_node) {
  const int from = request.nodes;
  FatTreeObstacle ignored;
  NearestCounts counts;
  request.nodes = static_cast<int>(std::min<std::int64_t>(from, limit));
  while (request.nodes > 0 && !plan_fat_tree(request, ignored)) --request.nodes;
  counts.below = std::int64_t{request.nodes} * gpus_per_node;
  const std::int64_t last = std::min<std::int64_t>(limit, std::int64_t{from} + request.radix);
  for (request.nodes = from + 1; request.nodes <= last && counts.above == 0; ++request.nodes) {
    if (plan_fat_tree(request, ignored)) counts.above = std::int64_t{request.nodes} * gpus_per_node;
  }
  return counts;
}

/// "use 248 GPUs, or 264, which takes another pod".
std::string remedy_for(const NearestCounts& counts, std::string_view beyond) {
  if (counts.below == 0 && counts.above == 0) return "use a switch with more ports or a server with fewer NIC ports";
  if (counts.above == 0) return fmt::format("use {}", counted(counts.below, "GPU"));
  if (counts.below == 0) return fmt::format("use {}{}", counted(counts.above, "GPU"), beyond);
  return fmt::format("use {}, or {}{}", counted(counts.below, "GPU"), counts.above, beyond);
}

[[noreturn]] void refuse(const FabricOrder& order, const FatTreeRequest& request, const FatTreeObstacle& obstacle) {
  const int size = order.server.gpus;
  const std::int64_t limit = obstacle.limit * size;
  std::int64_t most_nodes = 0;
  for (int tiers = 1; tiers <= 3; ++tiers) {
    if (request.tiers == 0 || request.tiers == tiers) most_nodes = std::max(most_nodes, node_limit(request, tiers));
  }
  const NearestCounts nearest = nearest_counts(request, most_nodes, size);
  const std::string gpus = counted(order.gpus, "GPU");
  if (obstacle.full_pods > 0) {
    throw InputError(
        fmt::format("design '{}': {} and the {} UFM ends do not fit {} of {}: there is room for {}, {} too many",
                    order.design.id, gpus, request.manager_ends,
                    obstacle.full_pods == 1 ? "one pod" : fmt::format("{} pods", obstacle.full_pods),
                    counted(leaf_ports(request).down, "node"), counted(limit, "GPU"), order.gpus - limit),
        remedy_for(nearest, ", which takes another pod"));
  }
  throw InputError(
      fmt::format("design '{}': {} {} not fit {} of {} with {}: the limit is {}, {} too many", order.design.id, gpus,
                  order.gpus == 1 ? "does" : "do",
                  obstacle.tiers <= 1 ? "one switch" : fmt::format("{} tiers", obstacle.tiers), order.switch_part.id,
                  counted(request.radix, "port"), counted(limit, "GPU"), order.gpus - limit),
      remedy_for(nearest, ""));
}

constexpr DeviceId device_at(int base, int index) { return DeviceId{static_cast<std::uint32_t>(base + index)}; }

/// Every plane takes one NIC port of each rail, so the ports of a node must divide among them.
void check_planes(const FabricOrder& order) {
  const int ports = order.server.ports(), planes = order.design.planes, gpus = order.server.gpus;
  if (ports % planes != 0) {
    throw InputError(fmt::format("design '{}': {} of server '{}' cannot be divided among {}", order.design.id,
                                 counted(ports, "NIC port"), order.server.id, counted(planes, "plane")),
                     "choose a server with as many ports a GPU as the design has planes");
  }
  if (ports / planes > gpus) {
    throw InputError(fmt::format("design '{}': server '{}' has {} for {}, but {}", order.design.id, order.server.id,
                                 counted(ports, "NIC port"), counted(gpus, "GPU"),
                                 planes == 1 ? "the fabric is one plane" : fmt::format("there are {} planes", planes)),
                     fmt::format("wire them as planes: {}", ports / gpus));
  }
}

/// Wires a plan, once for every plane. Devices stand in the order nodes, leaves, spines, cores, managers; those of one
/// kind plane by plane.
class Wiring {
 public:
  Wiring(const FatTreePlan& plan, const FatTreeRequest& request, int planes, Bandwidth speed)
      : plan_(plan),
        request_(request),
        planes_(planes),
        speed_(speed),
        leaves_(plan.tiers == 1 ? 1 : plan.pods * request.rails) {
    for (const SpineGroup& group : plan.groups) {
      first_spine_.push_back(spines_);
      spines_ += group.spines;
    }
    for (const int cores : plan.cores_of_plane) {
      first_core_.push_back(cores_);
      cores_ += cores;
    }
    place_devices();
    links_.reserve(link_estimate());
    wire_nodes();
    wire_managers();
    for (int plane = 0; plane < planes; ++plane) {
      for (int leaf = 0; plan.tiers > 1 && leaf < leaves_; ++leaf) wire_leaf(plane, leaf);
      for (std::size_t group = 0; plan.tiers > 2 && group < plan.groups.size(); ++group) wire_spines(plane, group);
    }
  }

  [[nodiscard]] const std::vector<Device>& devices() const { return devices_; }
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }

 private:
  int first_leaf(int plane) const { return plan_.nodes + plane * leaves_; }
  int first_spine(int plane) const { return first_leaf(planes_) + plane * spines_; }
  int first_core(int plane) const { return first_spine(planes_) + plane * cores_; }
  int first_manager() const { return first_core(planes_); }

  std::size_t link_estimate() const {
    const std::size_t of_plane = static_cast<std::size_t>(plan_.nodes) * static_cast<std::size_t>(request_.rails) +
                                 static_cast<std::size_t>(leaves_) * static_cast<std::size_t>(plan_.uplinks) +
                                 static_cast<std::size_t>(spines_) * static_cast<std::size_t>(request_.radix / 2);
    return of_plane * static_cast<std::size_t>(planes_) + static_cast<std::size_t>(request_.manager_ends);
  }

  void place_devices() {
    devices_.reserve(static_cast<std::size_t>(first_manager()) + static_cast<std::size_t>(request_.manager_ends));
    for (int node = 0; node < plan_.nodes; ++node) {
      devices_.push_back({DeviceKind::node, node, node / plan_.nodes_per_pod, -1, -1});
    }
    for (int plane = 0; plane < planes_; ++plane) place_leaves(plane);
    for (int plane = 0, index = 0; plane < planes_; ++plane) {
      for (int group = 0; group < groups(); ++group) {
        for (int spine = 0; spine < plan_.groups[static_cast<std::size_t>(group)].spines; ++spine) {
          devices_.push_back({DeviceKind::spine, index++, -1, -1, plane * groups() + group, plane});
        }
      }
    }
    const int core_planes = static_cast<int>(plan_.cores_of_plane.size());
    for (int plane = 0, index = 0; plane < planes_; ++plane) {
      for (int of = 0; of < core_planes; ++of) {
        for (int core = 0; core < plan_.cores_of_plane[static_cast<std::size_t>(of)]; ++core) {
          devices_.push_back({DeviceKind::core, index++, -1, -1, plane * core_planes + of, plane});
        }
      }
    }
    for (int end = 0; end < request_.manager_ends; ++end) devices_.push_back({DeviceKind::manager, end, -1, -1, -1});
  }

  void place_leaves(int plane) {
    for (int leaf = 0; leaf < leaves_; ++leaf) {
      const int index = plane * leaves_ + leaf;
      if (plan_.tiers == 1) {
        devices_.push_back({DeviceKind::leaf, index, 0, -1, -1, plane});
      } else {
        devices_.push_back({DeviceKind::leaf, index, leaf / request_.rails, leaf % request_.rails,
                            plane * groups() + group_of(leaf), plane});
      }
    }
  }

  int groups() const { return static_cast<int>(plan_.groups.size()); }

  /// Spine group of a leaf, and its place among the leaves of that group.
  int group_of(int leaf) const {
    if (plan_.tiers == 2) return 0;
    return request_.group_by_rail ? leaf % request_.rails : leaf / request_.rails / plan_.pods_per_group;
  }
  int place_in_group(int leaf) const {
    if (plan_.tiers == 2) return leaf;
    return request_.group_by_rail ? leaf / request_.rails : leaf % (request_.rails * plan_.pods_per_group);
  }

  void connect(Layer layer, DeviceId lower, int lower_port, DeviceId upper, int upper_port) {
    links_.push_back(
        {lower, upper, static_cast<std::uint16_t>(lower_port), static_cast<std::uint16_t>(upper_port), layer, speed_});
  }

  void wire_nodes() {
    for (int node = 0; node < plan_.nodes; ++node) {
      const int pod = node / plan_.nodes_per_pod, place = node % plan_.nodes_per_pod;
      for (int rail = 0; rail < request_.rails; ++rail) {
        const int leaf = plan_.tiers == 1 ? 0 : pod * request_.rails + rail;
        const int port = plan_.tiers == 1 ? node * request_.rails + rail : place;
        for (int plane = 0; plane < planes_; ++plane) {
          connect(Layer::node_leaf, device_at(0, node), rail * planes_ + plane, device_at(first_leaf(plane), leaf),
                  port);
        }
      }
    }
  }

  /// Management ends take the node ports of the last pod that no node has, spread over its leaves.
  void wire_managers() {
    for (int end = 0; end < request_.manager_ends; ++end) {
      int leaf = 0, port = plan_.nodes * request_.rails + end;
      if (plan_.tiers > 1) {
        leaf = (plan_.pods - 1) * request_.rails + end % request_.rails;
        port = plan_.nodes - (plan_.pods - 1) * plan_.nodes_per_pod + end / request_.rails;
      }
      connect(Layer::node_leaf, device_at(first_manager(), end), 0, device_at(first_leaf(0), leaf), port);
    }
  }

  /// Every leaf has equally many links to each spine of its group; uplinks take the last ports of the leaf.
  void wire_leaf(int plane, int leaf) {
    const int group = group_of(leaf), spines = plan_.groups[static_cast<std::size_t>(group)].spines;
    const int each = plan_.uplinks / spines, place = place_in_group(leaf), first_up = request_.radix - plan_.uplinks;
    const DeviceId lower = device_at(first_leaf(plane), leaf);
    for (int spine = 0; spine < spines; ++spine) {
      const DeviceId upper = device_at(first_spine(plane) + first_spine_[static_cast<std::size_t>(group)], spine);
      for (int i = 0; i < each; ++i) {
        connect(Layer::leaf_spine, lower, first_up + spine * each + i, upper, place * each + i);
      }
    }
  }

  /// Spine i of the group has equally many links to each core of core plane i.
  void wire_spines(int plane, std::size_t group) {
    const int up = request_.radix / 2, first_up = request_.radix - up;
    for (int spine = 0; spine < plan_.groups[group].spines; ++spine) {
      const auto core_plane = static_cast<std::size_t>(spine);
      const DeviceId lower = device_at(first_spine(plane) + first_spine_[group], spine);
      const int cores = plan_.cores_of_plane[core_plane], each = up / cores;
      // Its place among the spines of the core plane: smaller groups have no spine there.
      const int place = static_cast<int>(std::count_if(plan_.groups.begin(),
                                                       plan_.groups.begin() + static_cast<std::ptrdiff_t>(group),
                                                       [=](const SpineGroup& g) { return g.spines > spine; }));
      for (int core = 0; core < cores; ++core) {
        const DeviceId upper = device_at(first_core(plane) + first_core_[core_plane], core);
        for (int i = 0; i < each; ++i) {
          connect(Layer::spine_core, lower, first_up + core * each + i, upper, place * each + i);
        }
      }
    }
  }

  const FatTreePlan& plan_;
  const FatTreeRequest& request_;
  int planes_ = 1;
  Bandwidth speed_;
  int leaves_ = 0, spines_ = 0, cores_ = 0;    // of a plane
  std::vector<int> first_spine_, first_core_;  // of each group, of each core plane
  std::vector<Device> devices_;
  std::vector<Link> links_;
};

}  // namespace

int spine_count(int uplinks, std::int64_t total_uplinks, int ports) {
  const std::int64_t least = (total_uplinks + ports - 1) / ports;
  for (int spines = 1; spines <= uplinks; ++spines) {
    if (uplinks % spines == 0 && spines >= least) return spines;
  }
  return 0;
}

Fabric build_rail_fat_tree(const FabricOrder& order) {
  check_planes(order);
  const FatTreeRequest request = request_for(order);
  FatTreeObstacle obstacle;
  const std::optional<FatTreePlan> plan = plan_fat_tree(request, obstacle);
  if (!plan) refuse(order, request, obstacle);
  const Wiring wiring(*plan, request, order.design.planes, order.switch_part.port_speed);
  const FabricShape shape{.gpus = order.gpus,
                          .gpus_per_node = order.server.gpus,
                          .nodes = plan->nodes,
                          .rails = request.rails,
                          .tiers = plan->tiers,
                          .radix = request.radix,
                          .nodes_per_pod = plan->nodes_per_pod,
                          .pods = plan->pods,
                          .uplinks_per_leaf = plan->uplinks,
                          .planes = order.design.planes};
  return Fabric(shape, wiring.devices(), wiring.links());
}

}  // namespace railyard
