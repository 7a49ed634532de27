// SPDX-License-Identifier: Apache-2.0
// Single points of failure: switches and links whose loss separates NICs (articulation points and bridges, Hopcroft and
// Tarjan 1973, with the NICs counted in every subtree), and how much of a node ends on one leaf.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "topologies/design_check.h"
#include "topologies/words.h"

namespace railyard {

namespace {

constexpr std::uint32_t not_reached = 0xffffffff;

/// Switches and NICs: a vertex for every switch, and one for every node and rail, which is on all planes.
struct LossGraph {
  struct Edge {
    std::uint32_t to = 0, link = 0;
  };
  std::vector<std::uint32_t> first;  // of each vertex; one more than vertices
  std::vector<Edge> edges;
  std::vector<char> is_nic;
  std::vector<std::uint32_t> vertex_of;  // by device; of a node: of its first rail

  explicit LossGraph(const Fabric& fabric) {
    const FabricShape& shape = fabric.shape();
    std::uint32_t count = 0;
    for (const Device& device : fabric.devices()) {
      vertex_of.push_back(count);
      const bool node = device.kind == DeviceKind::node;
      count += device.kind == DeviceKind::manager ? 0 : node ? static_cast<std::uint32_t>(shape.rails) : 1;
      is_nic.resize(count, node ? 1 : 0);
    }
    const auto ends = [&](const Link& link) {
      const std::uint32_t rail = fabric.device(link.lower).kind == DeviceKind::node
                                     ? link.lower_port / static_cast<std::uint32_t>(shape.planes)
                                     : 0;
      return std::pair{vertex_of[at(link.lower)] + rail, vertex_of[at(link.upper)]};
    };
    first.assign(count + 1, 0);
    const auto each = [&](const auto& visit) {
      for (std::uint32_t id = 0; id < fabric.links().size(); ++id) {
        const Link& link = fabric.links()[id];
        if (fabric.device(link.lower).kind != DeviceKind::manager) visit(ends(link), id);
      }
    };
    each([&](const auto& pair, std::uint32_t) { ++first[pair.first + 1], ++first[pair.second + 1]; });
    for (std::uint32_t i = 0; i < count; ++i) first[i + 1] += first[i];
    edges.resize(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    each([&](const auto& pair, std::uint32_t id) {
      edges[next[pair.first]++] = {pair.second, id};
      edges[next[pair.second]++] = {pair.first, id};
    });
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(is_nic.size()); }
};

/// NICs that the loss of each vertex or link separates from the largest rest of what it was connected to.
class Losses {
 public:
  explicit Losses(const LossGraph& graph, std::size_t links)
      : of_vertex(graph.count(), 0),
        of_link(links, 0),
        graph_(graph),
        found_(graph.count(), not_reached),
        low_(graph.count(), 0),
        nics_(graph.count(), 0),
        largest_(graph.count(), 0),
        separated_(graph.count(), 0) {
    for (std::uint32_t vertex = 0; vertex < graph.count(); ++vertex) {
      if (found_[vertex] == not_reached && graph.is_nic[vertex] == 0) search(vertex);
    }
  }

  std::vector<std::uint32_t> of_vertex, of_link;

 private:
  struct Visit {
    std::uint32_t vertex, by_link, next;
  };

  /// One connected part, from `root`, without recursion: trees of 100 000s of NICs are searched.
  void search(std::uint32_t root) {
    std::vector<Visit> stack;
    std::vector<std::uint32_t> order;                              // vertices as they were finished
    std::vector<std::pair<std::uint32_t, std::uint32_t>> bridges;  // link, NICs below
    const auto enter = [&](std::uint32_t vertex, std::uint32_t by_link) {
      found_[vertex] = low_[vertex] = clock_++;
      nics_[vertex] = graph_.is_nic[vertex] != 0 ? 1 : 0;
      stack.push_back({vertex, by_link, graph_.first[vertex]});
    };
    enter(root, not_reached);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const std::uint32_t vertex = visit.vertex;
      if (visit.next < graph_.first[vertex + 1]) {
        const LossGraph::Edge edge = graph_.edges[visit.next++];
        if (edge.link == visit.by_link) continue;
        if (found_[edge.to] == not_reached) {
          enter(edge.to, edge.link);
        } else {
          low_[vertex] = std::min(low_[vertex], found_[edge.to]);
        }
        continue;
      }
      const std::uint32_t by_link = visit.by_link;
      stack.pop_back();
      order.push_back(vertex);
      if (stack.empty()) break;
      const std::uint32_t parent = stack.back().vertex;
      low_[parent] = std::min(low_[parent], low_[vertex]);
      nics_[parent] += nics_[vertex];
      if (low_[vertex] >= found_[parent]) {
        separated_[parent] += nics_[vertex];
        largest_[parent] = std::max(largest_[parent], nics_[vertex]);
      }
      if (low_[vertex] > found_[parent]) bridges.emplace_back(by_link, nics_[vertex]);
    }
    const std::uint32_t total = nics_[root];
    for (const std::uint32_t vertex : order) {
      const std::uint32_t rest = total - separated_[vertex];  // what the vertex does not separate, itself among it
      of_vertex[vertex] = separated_[vertex] + rest - std::max(largest_[vertex], rest);
    }
    for (const auto& [link, below] : bridges) of_link[link] = std::min(below, total - below);
  }

  const LossGraph& graph_;
  std::uint32_t clock_ = 0;
  std::vector<std::uint32_t> found_, low_, nics_, largest_, separated_;
};

struct Worst {
  std::uint32_t nics = 0;
  std::int64_t single_points = 0, all = 0;
  void meet(std::uint32_t lost) {
    ++all;
    single_points += lost > 0 ? 1 : 0;
    nics = std::max(nics, lost);
  }
};

/// The largest share of a node's NIC ports that end on one leaf.
double share_on_one_leaf(const Fabric& fabric) {
  const int ports = fabric.shape().rails * fabric.shape().planes;
  int most = 0;
  std::map<DeviceId, int> on_leaf;
  for (int node = 0; node < fabric.shape().nodes; ++node) {
    on_leaf.clear();
    for (const LinkId id : fabric.links_of(fabric.node(node))) most = std::max(most, ++on_leaf[fabric.link(id).upper]);
  }
  return ports == 0 ? 0 : static_cast<double>(most) / ports;
}

Finding finding(const std::string& what, const Worst& worst, int gpus_of_nic, double share) {
  const std::int64_t gpus = std::int64_t{worst.nics} * gpus_of_nic;
  std::string words = worst.nics == 0 ? fmt::format("no {} cuts off a GPU", what)
                      : worst.single_points == worst.all
                          ? fmt::format("any {} cuts GPUs off when it is lost", what)
                          : fmt::format("{} of {}, when lost, cut GPUs off: {}", worst.single_points, worst.all, what);
  std::string value = counted(gpus, "GPU");
  if (share > 0) value += fmt::format(", {:.3g} % of a node", share * 100);
  const bool sound = worst.nics == 0 && share < 0.5;
  return {"failures", sound ? CheckVerdict::pass : CheckVerdict::warn, std::move(words), std::move(value), "0 GPUs"};
}

}  // namespace

std::vector<Finding> check_failures(const Fabric& fabric) {
  const LossGraph graph(fabric);
  const Losses losses(graph, fabric.links().size());
  const FabricShape& shape = fabric.shape();
  const int gpus_of_nic = std::max(1, shape.gpus_per_node / std::max(1, shape.rails));
  std::map<DeviceKind, Worst> devices;
  std::map<Layer, Worst> links;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const DeviceKind kind = fabric.devices()[i].kind;
    if (kind == DeviceKind::node || kind == DeviceKind::manager) continue;
    devices[kind].meet(losses.of_vertex[graph.vertex_of[i]]);
  }
  for (std::size_t i = 0; i < fabric.links().size(); ++i) {
    if (fabric.device(fabric.links()[i].lower).kind == DeviceKind::manager) continue;
    links[fabric.links()[i].layer].meet(losses.of_link[i]);
  }
  std::vector<Finding> findings;
  for (const auto& [kind, worst] : devices) {
    const double share = kind == DeviceKind::leaf ? share_on_one_leaf(fabric) : 0;
    findings.push_back(finding(std::string(to_string(kind)), worst, gpus_of_nic, share));
  }
  for (const auto& [layer, worst] : links) {
    findings.push_back(finding(fmt::format("{} link", to_string(layer)), worst, gpus_of_nic, 0));
  }
  return findings;
}

}  // namespace railyard
