// SPDX-License-Identifier: Apache-2.0
#include "sim/network/link_loads.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace railyard {
namespace {

constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

// Flows kept before they are added up by pair of leaves; bounds memory for all-to-all of many GPUs.
constexpr std::size_t kept_flows = std::size_t{1} << 21;

// Loads are sums of many equal shares; ties between link classes are ties up to this rounding.
constexpr double rounding = 1e-9;

void accumulate_minimum(std::span<const double> a, std::span<const double> b, double& total) {
  for (std::size_t i = 0; i < a.size(); ++i) total += std::min(a[i], b[i]);
}

void add_to(std::span<double> sums, std::span<const double> values) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
}

}  // namespace

std::string_view to_string(LinkClass link_class) {
  switch (link_class) {
    case LinkClass::none:
      return "nothing";
    case LinkClass::scale_up:
      return "scale-up";
    case LinkClass::nic:
      return "NIC";
    case LinkClass::leaf_spine:
      return "leaf-spine uplinks";
    case LinkClass::spine_core:
      return "spine-core uplinks";
  }
  return "nothing";
}

void Bottleneck::meet(double other_congestion, LinkClass other_where) {
  if (other_congestion > congestion * (1 + rounding)) where = other_where;
  congestion = std::max(congestion, other_congestion);
}

LinkLoads::LinkLoads(const FabricMap& fabric)
    : fabric_(fabric), nic_out_(at(fabric.nics()), 0), nic_in_(at(fabric.nics()), 0) {}

void LinkLoads::add(int from_nic, int to_nic, double load) {
  nic_out_[at(from_nic)] += load;
  nic_in_[at(to_nic)] += load;
  const int from = fabric_.leaf_of_nic(from_nic), to = fabric_.leaf_of_nic(to_nic);
  if (from == to) return;
  if (flows_.size() >= kept_flows) compact();
  flows_.push_back({from, to, load});
}

void LinkLoads::compact() {
  flows_ = pairs();
  flows_.reserve(2 * kept_flows);
}

std::vector<LinkLoads::Flow> LinkLoads::pairs() const {
  // By source leaf (counting sort), then a row of destinations at a time: linear in flows.
  const std::size_t leaves = at(fabric_.leaves());
  std::vector<std::size_t> ends(leaves + 1, 0);
  for (const Flow& flow : flows_) ++ends[at(flow.from) + 1];
  for (std::size_t i = 0; i < leaves; ++i) ends[i + 1] += ends[i];
  std::vector<std::size_t> order(flows_.size());
  std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
  for (std::size_t i = 0; i < flows_.size(); ++i) order[next[at(flows_[i].from)]++] = i;
  std::vector<Flow> result;
  std::vector<double> row(leaves, 0);
  std::vector<int> touched;
  for (std::size_t from = 0; from < leaves; ++from) {
    touched.clear();
    for (std::size_t i = ends[from]; i < ends[from + 1]; ++i) {
      const Flow& flow = flows_[order[i]];
      if (row[at(flow.to)] == 0) touched.push_back(flow.to);
      row[at(flow.to)] += flow.load;
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int to : touched) {
      result.push_back({static_cast<int>(from), to, row[at(to)]});
      row[at(to)] = 0;
    }
  }
  return result;
}

Bottleneck LinkLoads::fullest() const {
  Bottleneck fullest;
  for (int nic = 0; nic < fabric_.nics(); ++nic) {
    fullest.meet(std::max(nic_out_[at(nic)], nic_in_[at(nic)]) / fabric_.nic_bandwidth(nic), LinkClass::nic);
  }
  struct Side {  // one direction of a leaf
    double load = 0, core_load = 0;
  };
  const std::size_t leaves = at(fabric_.leaves()), planes = at(fabric_.planes()), groups = at(fabric_.groups());
  std::vector<Side> out(leaves), in(leaves);
  std::vector<double> peers_out(leaves * planes, 0), peers_in(leaves * planes, 0);  // links of those talked to
  std::vector<double> group_out(groups, 0), group_in(groups, 0), group_pair(groups * groups, 0);
  for (const Flow& pair : pairs()) {
    const std::size_t from = at(pair.from), to = at(pair.to);
    const bool by_core = fabric_.switches_between(pair.from, pair.to) > 3;
    fullest.meet(pair.load / fabric_.pair_bandwidth(pair.from, pair.to),
                 by_core ? LinkClass::spine_core : LinkClass::leaf_spine);
    out[from].load += pair.load;
    in[to].load += pair.load;
    add_to(std::span(peers_out).subspan(from * planes, planes), fabric_.plane_bandwidth(pair.to));
    add_to(std::span(peers_in).subspan(to * planes, planes), fabric_.plane_bandwidth(pair.from));
    if (!by_core) continue;
    out[from].core_load += pair.load;
    in[to].core_load += pair.load;
    const std::size_t group_from = at(fabric_.group(pair.from)), group_to = at(fabric_.group(pair.to));
    group_out[group_from] += pair.load;
    group_in[group_to] += pair.load;
    if (group_from != group_to) group_pair[group_from * groups + group_to] += pair.load;
  }
  const auto meet_leaf = [&](int leaf, const Side& side, const std::vector<double>& peers) {
    if (side.load == 0) return;
    double links = 0;
    accumulate_minimum(fabric_.plane_bandwidth(leaf), std::span(peers).subspan(at(leaf) * planes, planes), links);
    fullest.meet(side.load / links, LinkClass::leaf_spine);
    if (side.core_load > 0) fullest.meet(side.core_load / fabric_.core_bandwidth_of_leaf(leaf), LinkClass::spine_core);
  };
  for (int leaf = 0; leaf < fabric_.leaves(); ++leaf) {
    meet_leaf(leaf, out[at(leaf)], peers_out);
    meet_leaf(leaf, in[at(leaf)], peers_in);
  }
  for (int a = 0; a < fabric_.groups(); ++a) {
    const double load = std::max(group_out[at(a)], group_in[at(a)]);
    if (load > 0) fullest.meet(load / fabric_.core_bandwidth_of_group(a), LinkClass::spine_core);
    for (int b = 0; b < fabric_.groups(); ++b) {
      const double pair = group_pair[at(a) * groups + at(b)];
      if (pair == 0) continue;
      const double links = fabric_.group_pair_bandwidth(a, b);
      if (links == 0) {
        throw InputError("two spine groups that exchange traffic share no core",
                         "a fabric in which every pair of spine groups of the job is linked");
      }
      fullest.meet(pair / links, LinkClass::spine_core);
    }
  }
  return fullest;
}

}  // namespace railyard
