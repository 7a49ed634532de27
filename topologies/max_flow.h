// SPDX-License-Identifier: Apache-2.0
// Max-flow on a directed graph with whole capacities (Boost.Graph); only the sources of this room include it.
#pragma once

#include <cstdint>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

namespace railyard {

class MaxFlow {
 public:
  explicit MaxFlow(std::size_t vertices) : graph_(vertices) {}

  /// Adds an edge and the empty reverse that the algorithm wants. (One pair for both directions of a link would do for
  /// the value, but Boost takes every edge with a capacity for a forward one when it returns what did not reach the
  /// sink.)
  void connect(std::size_t from, std::size_t to, std::int64_t capacity) {
    const auto edge = boost::add_edge(from, to, graph_).first, reverse = boost::add_edge(to, from, graph_).first;
    boost::put(boost::edge_capacity, graph_, edge, capacity);
    boost::put(boost::edge_capacity, graph_, reverse, 0);
    boost::put(boost::edge_reverse, graph_, edge, reverse);
    boost::put(boost::edge_reverse, graph_, reverse, edge);
  }
  /// Full duplex.
  void join(std::size_t a, std::size_t b, std::int64_t capacity) {
    connect(a, b, capacity);
    connect(b, a, capacity);
  }

  /// May be asked again for other ends.
  [[nodiscard]] std::int64_t between(std::size_t source, std::size_t sink) {
    return boost::push_relabel_max_flow(graph_, source, sink);
  }

 private:
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<boost::edge_capacity_t, std::int64_t,
                      boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                      boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>
      graph_;
};

}  // namespace railyard
