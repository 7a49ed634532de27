// SPDX-License-Identifier: Apache-2.0
#include "topologies/fabric.h"

#include <array>
#include <cassert>

#include <fmt/format.h>
#include <boost/graph/adjacency_list.hpp>

#include "base/diagnostic.h"
#include "topologies/fabric_graph.h"

namespace railyard {

namespace {

constexpr LinkId no_link{0xffffffff};
constexpr std::size_t index_of(DeviceId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index_of(LinkId id) { return static_cast<std::size_t>(id); }

FabricGraph make_graph(const std::vector<Device>& devices, const std::vector<Link>& links) {
  FabricGraph graph(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) graph[i] = devices[i];
  for (const Link& link : links) {
    assert(index_of(link.lower) < devices.size() && index_of(link.upper) < devices.size());
    boost::add_edge(index_of(link.lower), index_of(link.upper), link, graph);
  }
  return graph;
}

}  // namespace

/// The graph and an index of it: contiguous devices and links, links by device, NIC ports. The index is read off the
/// graph, once.
struct Fabric::Graph {
  FabricShape shape;
  FabricGraph graph;
  std::vector<Device> devices;
  std::vector<Link> links;
  std::vector<std::uint32_t> first_link_of;  // one more than devices
  std::vector<LinkId> links_of;
  std::vector<LinkId> nic_links;  // (node * rails + rail) * planes + plane
  std::vector<DeviceId> nodes;
  std::array<std::size_t, 5> devices_by_kind{};
  std::array<std::size_t, layer_count> links_by_layer{};

  Graph(const FabricShape& shape_, const std::vector<Device>& devices_, const std::vector<Link>& links_)
      : shape(shape_), graph(make_graph(devices_, links_)) {
    devices.reserve(boost::num_vertices(graph));
    for (const auto vertex : boost::make_iterator_range(boost::vertices(graph))) {
      const Device& device = graph[vertex];
      if (device.kind == DeviceKind::node) nodes.push_back(DeviceId{static_cast<std::uint32_t>(vertex)});
      ++devices_by_kind[static_cast<std::size_t>(device.kind)];
      devices.push_back(device);
    }
    links.reserve(boost::num_edges(graph));
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) links.push_back(graph[edge]);
    index_links();
  }

  void index_links() {
    const auto node_ports = static_cast<std::size_t>(shape.rails * shape.planes);
    nic_links.assign(nodes.size() * node_ports, no_link);
    first_link_of.assign(devices.size() + 1, 0);
    for (const Link& link : links) {
      ++links_by_layer[railyard::index_of(link.layer)];
      ++first_link_of[index_of(link.lower) + 1];
      ++first_link_of[index_of(link.upper) + 1];
    }
    for (std::size_t i = 1; i < first_link_of.size(); ++i) first_link_of[i] += first_link_of[i - 1];
    links_of.resize(2 * links.size());
    std::vector<std::uint32_t> next(first_link_of.begin(), first_link_of.end() - 1);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Link& link = links[i];
      const LinkId id{static_cast<std::uint32_t>(i)};
      links_of[next[index_of(link.lower)]++] = id;
      links_of[next[index_of(link.upper)]++] = id;
      if (const Device& lower = devices[index_of(link.lower)]; lower.kind == DeviceKind::node) {
        nic_links[static_cast<std::size_t>(lower.index) * node_ports + link.lower_port] = id;
      }
    }
  }
};

Fabric::Fabric(const FabricShape& shape, const std::vector<Device>& devices, const std::vector<Link>& links)
    : graph_(std::make_shared<const Graph>(shape, devices, links)) {}

const FabricShape& Fabric::shape() const { return graph_->shape; }
std::span<const Device> Fabric::devices() const { return graph_->devices; }
const Device& Fabric::device(DeviceId id) const { return graph_->devices[index_of(id)]; }
std::span<const Link> Fabric::links() const { return graph_->links; }
const Link& Fabric::link(LinkId id) const { return graph_->links[index_of(id)]; }

std::span<const LinkId> Fabric::links_of(DeviceId id) const {
  const std::size_t first = graph_->first_link_of[index_of(id)], last = graph_->first_link_of[index_of(id) + 1];
  return std::span(graph_->links_of).subspan(first, last - first);
}

std::size_t Fabric::count(DeviceKind kind) const { return graph_->devices_by_kind[static_cast<std::size_t>(kind)]; }
std::size_t Fabric::count(Layer layer) const { return graph_->links_by_layer[railyard::index_of(layer)]; }
DeviceId Fabric::node(int index) const { return graph_->nodes[static_cast<std::size_t>(index)]; }

LinkId Fabric::nic_link(int gpu, int plane) const {
  const FabricShape& s = graph_->shape;
  assert(gpu >= 0 && gpu / s.gpus_per_node < s.nodes);
  assert(plane >= 0 && plane < s.planes);
  const int node = gpu / s.gpus_per_node, rail = gpu % s.gpus_per_node * s.rails / s.gpus_per_node;
  const int port = rail * s.planes + plane;
  const LinkId id = graph_->nic_links[static_cast<std::size_t>(node) * static_cast<std::size_t>(s.rails * s.planes) +
                                      static_cast<std::size_t>(port)];
  if (id == no_link) {
    throw InputError(fmt::format("GPU {} has no link to the back-end network (node {}, rail {}{})", gpu, node, rail,
                                 s.planes > 1 ? fmt::format(", plane {}", plane) : ""),
                     "keep the link, or leave the node out of the job");
  }
  return id;
}

Fabric Fabric::without(std::span<const LinkId> removed) const {
  std::vector<bool> gone(graph_->links.size());
  for (const LinkId id : removed) gone[index_of(id)] = true;
  std::vector<Link> kept;
  kept.reserve(graph_->links.size());
  for (std::size_t i = 0; i < graph_->links.size(); ++i) {
    if (!gone[i]) kept.push_back(graph_->links[i]);
  }
  return Fabric(graph_->shape, graph_->devices, kept);
}

Fabric Fabric::without_devices(std::span<const DeviceId> removed) const {
  std::vector<LinkId> links;
  for (const DeviceId id : removed) {
    for (const LinkId link : links_of(id)) links.push_back(link);
  }
  return without(links);
}

}  // namespace railyard
