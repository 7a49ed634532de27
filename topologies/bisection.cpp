// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include "topologies/fabric.h"
#include "topologies/halves.h"
#include "topologies/max_flow.h"

namespace railyard {

std::vector<bool> first_half(const Fabric& fabric) {
  const FabricShape& shape = fabric.shape();
  std::vector<int> group_of_pod(static_cast<std::size_t>(shape.pods), 0);
  const bool by_group = fabric.count(Layer::spine_spine) > 0;
  std::vector<bool> first(static_cast<std::size_t>(shape.nodes));
  for (const Device& device : fabric.devices()) {
    if (by_group && device.kind == DeviceKind::leaf) group_of_pod[static_cast<std::size_t>(device.pod)] = device.group;
  }
  for (const Device& device : fabric.devices()) {
    if (device.kind != DeviceKind::node) continue;
    first[static_cast<std::size_t>(device.index)] =
        by_group         ? group_of_pod[static_cast<std::size_t>(device.pod)] < shape.groups / 2
        : shape.pods > 1 ? device.pod < shape.pods / 2
                         : device.index < shape.nodes / 2;
  }
  return first;
}

Bandwidth bisection_bandwidth(const Fabric& fabric) {
  const Bandwidth unit = 8.0 * bit / second;  // capacities are whole bytes per second
  const std::vector<bool> in_first_half = first_half(fabric);
  // Nodes of one half are one vertex, since any of them may send; parallel links between two devices are one edge.
  const std::size_t source = fabric.devices().size(), sink = source + 1;
  const auto vertex = [&](DeviceId id) {
    const Device& device = fabric.device(id);
    if (device.kind != DeviceKind::node) return static_cast<std::size_t>(id);
    return in_first_half[static_cast<std::size_t>(device.index)] ? source : sink;
  };
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> capacities;
  for (const Link& link : fabric.links()) {
    if (fabric.device(link.lower).kind == DeviceKind::manager) continue;
    capacities[{vertex(link.lower), vertex(link.upper)}] += static_cast<std::int64_t>(link.speed.in(unit));
  }
  MaxFlow graph(sink + 1);
  for (const auto& [ends, capacity] : capacities) {
    const auto [lower, upper] = ends;
    if (lower == source) {
      graph.connect(source, upper, capacity);
    } else if (lower == sink) {
      graph.connect(upper, sink, capacity);
    } else {
      graph.join(lower, upper, capacity);
    }
  }
  return static_cast<double>(graph.between(source, sink)) * unit;
}

}  // namespace railyard
