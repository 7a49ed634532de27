// SPDX-License-Identifier: Apache-2.0
#include "sim/network/link_loads.h"

#include <algorithm>

#include "base/index.h"

namespace railyard {
namespace {

// Flows kept before they are added up by pair of leaves; bounds memory for all-to-all of many GPUs.
constexpr std::size_t kept_flows = std::size_t{1} << 21;

// Loads are sums of many equal shares; ties between link classes are ties up to this rounding.
constexpr double tie_rounding = 1e-9;

/// One direction of every leaf: what it exchanges, and with which peers.
class LeafSides {
 public:
  explicit LeafSides(const FabricMap& fabric)
      : fabric_(fabric),
        loads_(at(fabric.leaves()), 0),
        core_loads_(at(fabric.leaves()), 0),
        peers_(at(fabric.leaves()) * at(fabric.planes()), 0) {}

  void add(int leaf, int peer, double load, bool by_core) {
    loads_[at(leaf)] += load;
    if (by_core) core_loads_[at(leaf)] += load;
    const std::span<const double> links = fabric_.plane_bandwidth(peer);
    double* const sums = &peers_[at(leaf) * links.size()];
    for (std::size_t plane = 0; plane < links.size(); ++plane) sums[plane] += links[plane];
  }

  /// Cuts: the leaf's links as far as its peers have links in the same planes, and its way to the cores.
  void meet(Bottleneck& fullest) const {
    for (int leaf = 0; leaf < fabric_.leaves(); ++leaf) {
      if (loads_[at(leaf)] == 0) continue;
      const std::span<const double> own = fabric_.plane_bandwidth(leaf);
      double links = 0;
      for (std::size_t plane = 0; plane < own.size(); ++plane) {
        links += std::min(own[plane], peers_[at(leaf) * own.size() + plane]);
      }
      fullest.meet(loads_[at(leaf)] / links, LinkClass::leaf_spine);
      if (core_loads_[at(leaf)] > 0) {
        fullest.meet(core_loads_[at(leaf)] / fabric_.core_bandwidth_of_leaf(leaf), LinkClass::spine_core);
      }
    }
  }

 private:
  const FabricMap& fabric_;
  std::vector<double> loads_, core_loads_;
  std::vector<double> peers_;  // leaves x planes: links of all peers together
};

/// What spine groups send to one another over the cores.
class CoreLoads {
 public:
  explicit CoreLoads(const FabricMap& fabric)
      : fabric_(fabric),
        out_(at(fabric.groups()), 0),
        in_(at(fabric.groups()), 0),
        pairs_(at(fabric.groups()) * at(fabric.groups()), 0) {}

  void add(int from_leaf, int to_leaf, double load) {
    const int from = fabric_.group(from_leaf), to = fabric_.group(to_leaf);
    out_[at(from)] += load;
    in_[at(to)] += load;
    // Leaves of one group that have lost every common spine detour over the cores; no pair of groups is charged.
    if (from != to) pairs_[at(from) * out_.size() + at(to)] += load;
  }

  void meet(Bottleneck& fullest) const {
    for (int a = 0; a < fabric_.groups(); ++a) {
      const double load = std::max(out_[at(a)], in_[at(a)]);
      if (load == 0) continue;
      fullest.meet(load / fabric_.core_bandwidth_of_group(a), LinkClass::spine_core);
      for (int b = 0; b < fabric_.groups(); ++b) {
        const double pair = pairs_[at(a) * out_.size() + at(b)];
        if (pair > 0) fullest.meet(pair / fabric_.group_pair_bandwidth(a, b), LinkClass::spine_core);
      }
    }
  }

 private:
  const FabricMap& fabric_;
  std::vector<double> out_, in_, pairs_;
};

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
  if (other_congestion > congestion * (1 + tie_rounding)) where = other_where;
  congestion = std::max(congestion, other_congestion);
}

LinkLoads::LinkLoads(const FabricMap& fabric)
    : fabric_(fabric), nic_out_(at(fabric.nics()), 0), nic_in_(at(fabric.nics()), 0) {}

void LinkLoads::add(int from_nic, int to_nic, double load) {
  load_nic(from_nic, load, 0);
  load_nic(to_nic, 0, load);
  const int from = fabric_.leaf_of_nic(from_nic), to = fabric_.leaf_of_nic(to_nic);
  if (from != to) load_leaves(from, to, load);
}

void LinkLoads::load_nic(int nic, double out, double in) {
  nic_out_[at(nic)] += out;
  nic_in_[at(nic)] += in;
}

void LinkLoads::load_leaves(int from_leaf, int to_leaf, double load) {
  if (flows_.size() >= kept_flows) compact();
  flows_.push_back({from_leaf, to_leaf, load});
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
  const std::vector<Flow> all = pairs();
  LeafSides out(fabric_), in(fabric_);
  CoreLoads cores(fabric_);
  for (const Flow& pair : all) {
    const bool by_core = fabric_.switches_between(pair.from, pair.to) > 3;
    out.add(pair.from, pair.to, pair.load, by_core);
    in.add(pair.to, pair.from, pair.load, by_core);
    if (by_core) cores.add(pair.from, pair.to, pair.load);
  }
  out.meet(fullest);
  in.meet(fullest);
  for (const Flow& pair : all) {
    const bool by_core = fabric_.switches_between(pair.from, pair.to) > 3;
    fullest.meet(pair.load / fabric_.pair_bandwidth(pair.from, pair.to),
                 by_core ? LinkClass::spine_core : LinkClass::leaf_spine);
  }
  cores.meet(fullest);
  return fullest;
}

}  // namespace railyard
