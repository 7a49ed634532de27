// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include "topologies/fabric.h"

namespace railyard {

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

/// Adds an edge and the empty reverse that the algorithm wants. (One pair for both directions of a link would do for
/// the value, but Boost takes every edge with a capacity for a forward one when it returns what did not reach the
/// sink.)
void connect(FlowGraph& graph, std::size_t from, std::size_t to, std::int64_t capacity) {
  const auto edge = boost::add_edge(from, to, graph).first, reverse = boost::add_edge(to, from, graph).first;
  boost::put(boost::edge_capacity, graph, edge, capacity);
  boost::put(boost::edge_capacity, graph, reverse, 0);
  boost::put(boost::edge_reverse, graph, edge, reverse);
  boost::put(boost::edge_reverse, graph, reverse, edge);
}

}  // namespace

Bandwidth bisection_bandwidth(const Fabric& fabric) {
  const FabricShape& shape = fabric.shape();
  const Bandwidth unit = 8.0 * bit / second;  // capacities are whole bytes per second
  const auto in_first_half = [&](const Device& node) {
    return shape.pods > 1 ? node.pod < shape.pods / 2 : node.index < shape.nodes / 2;
  };
  // Nodes of one half are one vertex, since any of them may send; parallel links between two devices are one edge.
  const std::size_t source = fabric.devices().size(), sink = source + 1;
  const auto vertex = [&](DeviceId id) {
    const Device& device = fabric.device(id);
    if (device.kind != DeviceKind::node) return static_cast<std::size_t>(id);
    return in_first_half(device) ? source : sink;
  };
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> capacities;
  for (const Link& link : fabric.links()) {
    if (fabric.device(link.lower).kind == DeviceKind::manager) continue;
    capacities[{vertex(link.lower), vertex(link.upper)}] += static_cast<std::int64_t>(link.speed.in(unit));
  }
  FlowGraph graph(sink + 1);
  for (const auto& [ends, capacity] : capacities) {
    const auto [lower, upper] = ends;
    if (lower == source) {
      connect(graph, source, upper, capacity);
    } else if (lower == sink) {
      connect(graph, upper, sink, capacity);
    } else {
      connect(graph, lower, upper, capacity);  // full duplex
      connect(graph, upper, lower, capacity);
    }
  }
  return static_cast<double>(boost::push_relabel_max_flow(graph, source, sink)) * unit;
}

}  // namespace railyard
