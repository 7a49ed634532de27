// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/named_fabric.h"

#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/words.h"

namespace railyard {

namespace {

[[noreturn]] void refuse(const std::string& file, std::string message, std::string expected = {}) {
  throw InputError({Diagnostic{.file = file, .message = std::move(message), .expected = std::move(expected)}});
}

bool is_end(DeviceKind kind) { return kind == DeviceKind::node || kind == DeviceKind::manager; }

void check_shape(const FabricShape& shape, const std::string& file) {
  const auto positive = [&](std::string_view name, int value) {
    if (value <= 0) refuse(file, fmt::format("{} is {}", name, value), "expected a positive number");
  };
  positive("gpus", shape.gpus);
  positive("gpus_per_node", shape.gpus_per_node);
  positive("nodes", shape.nodes);
  positive("rails", shape.rails);
  positive("planes", shape.planes);
  constexpr int most_ports = 1 << 16;  // port numbers are of 16 bits
  if (std::int64_t{shape.rails} * shape.planes > most_ports) {
    refuse(file, fmt::format("{} rails of {} planes", shape.rails, shape.planes),
           fmt::format("expected at most {} NIC ports a node", most_ports));
  }
  if ((std::int64_t{shape.gpus} + shape.gpus_per_node - 1) / shape.gpus_per_node > shape.nodes) {
    refuse(file, fmt::format("{} GPUs, but {} nodes of {}", shape.gpus, shape.nodes, shape.gpus_per_node),
           "expected enough nodes for the GPUs");
  }
}

/// NIC ports are found by the number of the node, so nodes stand in that order.
void check_nodes(const FabricDraft& draft, const std::string& file) {
  int nodes = 0;
  for (std::size_t i = 0; i < draft.devices.size(); ++i) {
    const Device& device = draft.devices[i];
    if (device.kind != DeviceKind::node) continue;
    if (device.index != nodes) {
      refuse(file, fmt::format("node '{}' has index {}", draft.names[i], device.index),
             fmt::format("expected {}: nodes are numbered from 0 in the order of the file", nodes));
    }
    ++nodes;
  }
  if (nodes != draft.shape.nodes) refuse(file, fmt::format("{} nodes, but 'nodes' is {}", nodes, draft.shape.nodes));
}

void check_links(const FabricDraft& draft, const std::string& file) {
  const int nic_ports = draft.shape.rails * draft.shape.planes;
  std::unordered_map<std::uint64_t, std::size_t> used;  // device and port -> link
  used.reserve(2 * draft.links.size());
  const auto name = [&](DeviceId id) -> const std::string& { return draft.names[static_cast<std::size_t>(id)]; };
  const auto take = [&](DeviceId id, int port, std::size_t link) {
    const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(id)} << 16U) | static_cast<std::uint16_t>(port);
    const auto [first, fresh] = used.try_emplace(key, link);
    if (fresh) return;
    const Link& other = draft.links[first->second];
    refuse(file, fmt::format("port {} of '{}' has two links", port, name(id)),
           fmt::format("links to '{}' and to '{}': a port is used once",
                       name(other.lower == id ? other.upper : other.lower),
                       name(draft.links[link].lower == id ? draft.links[link].upper : draft.links[link].lower)));
  };
  for (std::size_t i = 0; i < draft.links.size(); ++i) {
    const Link& link = draft.links[i];
    const DeviceKind lower = draft.devices[static_cast<std::size_t>(link.lower)].kind;
    if (link.lower == link.upper) refuse(file, fmt::format("'{}' has a link to itself", name(link.lower)));
    if (is_end(draft.devices[static_cast<std::size_t>(link.upper)].kind)) {
      refuse(file,
             fmt::format("the link from '{}' ends at '{}', which is no switch", name(link.lower), name(link.upper)),
             "expected the end nearer to the nodes first");
    }
    if (lower == DeviceKind::node && link.lower_port >= nic_ports) {
      refuse(file, fmt::format("port {} of node '{}'", link.lower_port, name(link.lower)),
             fmt::format("expected 0 to {}: {}, {}", nic_ports - 1, counted(draft.shape.rails, "rail"),
                         counted(draft.shape.planes, "plane")));
    }
    take(link.lower, link.lower_port, i);
    take(link.upper, link.upper_port, i);
  }
}

}  // namespace

NamedFabric named(const Fabric& fabric, const FabricNames& names, std::string design) {
  NamedFabric result{std::move(design), fabric, names.devices(), {}};
  result.ports.reserve(fabric.links().size());
  for (const Link& link : fabric.links()) {
    result.ports.push_back({std::string(names.port(fabric.device(link.lower).kind, link.lower_port)),
                            std::string(names.port(fabric.device(link.upper).kind, link.upper_port))});
  }
  return result;
}

NamedFabric checked(FabricDraft draft, const std::string& file) {
  check_shape(draft.shape, file);
  check_nodes(draft, file);
  check_links(draft, file);
  return {std::move(draft.design), Fabric(draft.shape, draft.devices, draft.links), std::move(draft.names),
          std::move(draft.ports)};
}

}  // namespace railyard
