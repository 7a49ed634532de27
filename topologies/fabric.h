// SPDX-License-Identifier: Apache-2.0
// The wired back-end network: devices, links, every port used once. The graph itself (Boost.Graph) stays in the source
// files; the rest of railyard sees ids and spans. All counts are taken from this graph, never from a formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "topologies/design.h"
#include "topologies/parts.h"

namespace railyard {

enum class DeviceId : std::uint32_t {};
enum class LinkId : std::uint32_t {};

/// Devices stand one after the other: what is kept of each lies at its id.
[[nodiscard]] constexpr std::size_t at(DeviceId id) { return static_cast<std::size_t>(id); }
[[nodiscard]] constexpr DeviceId device_at(int index) { return DeviceId{static_cast<std::uint32_t>(index)}; }

/// A server, a switch or a management appliance (UFM). Fields that do not apply are -1.
struct Device {
  DeviceKind kind = DeviceKind::node;
  std::int32_t index = 0;   // among its kind
  std::int32_t pod = -1;    // nodes and leaves
  std::int32_t rail = -1;   // of leaves, and of spines and cores that serve one rail only; -1 when several
  std::int32_t group = -1;  // spine group of leaves and spines; core plane of cores; numbered through all planes
  std::int32_t plane = 0;   // of switches: the fabric of a design of several (0 where they join); nodes are on all
};

/// One port-to-port link; `lower` is the end nearer to the nodes (spine-spine: of the lower group). Ports of a leaf are
/// numbered in NIC ports: its own port p is p x breakout, so that both ends of the two halves of a split port differ.
struct Link {
  DeviceId lower{}, upper{};
  std::uint16_t lower_port = 0, upper_port = 0;
  Layer layer = Layer::node_leaf;
  Bandwidth speed;
};

/// What the builder decided, for people and for placement.
struct FabricShape {
  int gpus = 0, gpus_per_node = 0, nodes = 0, rails = 0;  // rails of one plane
  int tiers = 0, radix = 0;                               // ports of a leaf, in NIC ports
  int nodes_per_pod = 0, pods = 0;
  int uplinks_per_leaf = 0;
  int planes = 1;    // alike; every count above is of one of them
  int breakout = 1;  // NIC ports that a port of a leaf is split into
  int groups = 0;    // spine groups (of a dragonfly: its groups), all planes and rails together
};

class Fabric {
 public:
  /// `links` in the order of their future ids; they name devices by their place in `devices`.
  Fabric(const FabricShape& shape, const std::vector<Device>& devices, const std::vector<Link>& links);

  [[nodiscard]] const FabricShape& shape() const;
  [[nodiscard]] std::span<const Device> devices() const;
  [[nodiscard]] const Device& device(DeviceId id) const;
  /// Links that exist, in wiring order.
  [[nodiscard]] std::span<const Link> links() const;
  [[nodiscard]] const Link& link(LinkId id) const;
  /// Links at a device.
  [[nodiscard]] std::span<const LinkId> links_of(DeviceId id) const;
  [[nodiscard]] std::size_t count(DeviceKind kind) const;
  [[nodiscard]] std::size_t count(Layer layer) const;
  /// The device of node `index`, 0-based.
  [[nodiscard]] DeviceId node(int index) const;
  /// The link of one NIC port: GPU `gpu` of the job (node gpu / gpus_per_node, rail gpu mod gpus_per_node; with fewer
  /// rails than GPUs, neighbours share one) into `plane`. Throws InputError when it was removed.
  [[nodiscard]] LinkId nic_link(int gpu, int plane = 0) const;

  /// A copy without these links (a fault, a what-if); devices left with no link at all stay in place but carry nothing.
  /// Device ids stay; link ids are those of the copy, without gaps.
  [[nodiscard]] Fabric without(std::span<const LinkId> removed) const;
  /// A copy without all links of these devices.
  [[nodiscard]] Fabric without_devices(std::span<const DeviceId> removed) const;

 private:
  struct Graph;
  std::shared_ptr<const Graph> graph_;
};

/// Wires a fabric for `gpus` GPUs in servers of `server`. Throws InputError with the limit and the excess when the
/// design cannot hold them, or when ends disagree on speed, lane rate or connector.
[[nodiscard]] Fabric build_fabric(const Design& design, const Parts& parts, const ServerPart& server, int gpus);

/// Smallest divisor of `uplinks` that is at least ceil(total_uplinks / ports); 0 when none is. Gives the spines of
/// tables 3 and 4 of the DGX SuperPOD H100 reference architecture, where plain rounding up does not (3 SU: 16, not 12).
[[nodiscard]] int spine_count(int uplinks, std::int64_t total_uplinks, int ports);

/// Largest flow between the nodes of the first and of the second half of the pods (halves of the nodes when there is
/// one pod, of the groups of a dragonfly), each NIC port at its speed; by max-flow on the graph.
[[nodiscard]] Bandwidth bisection_bandwidth(const Fabric& fabric);

}  // namespace railyard
