// SPDX-License-Identifier: Apache-2.0
#include "topologies/pod_racks.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

int divided_up(int a, int b) { return (a + b - 1) / b; }

}  // namespace

PodRacks::PodRacks(const Fabric& fabric, const ServerPart& server, const Site& site, const Hall& hall,
                   const BoxCatalogue& boxes, std::vector<OpenRack>& racks)
    : fabric_(&fabric),
      server_(&server),
      site_(&site),
      hall_(&hall),
      boxes_(&boxes),
      racks_(&racks),
      nodes_per_pod_(std::max(1, fabric.shape().nodes_per_pod)) {}

void PodRacks::place() {
  group_pods();
  size_racks();
  const int pods = static_cast<int>(pods_.size());
  for (int pod = 0; pod < pods; ++pod) {
    for (int first = pod * nodes_per_pod_, last = std::min(first + nodes_per_pod_, fabric_->shape().nodes);
         !server_->rack && first < last; first += nodes_.boxes) {
      pods_[static_cast<std::size_t>(pod)].groups.push_back({first, std::min(first + nodes_.boxes, last)});
    }
  }
  if (server_->rack) {  // racks as bought, whatever pods their nodes are of
    for (int first = 0; first < fabric_->shape().nodes; first += nodes_.boxes) {
      pods_[static_cast<std::size_t>(first / nodes_per_pod_)].groups.push_back(
          {first, std::min(first + nodes_.boxes, fabric_->shape().nodes)});
    }
  }
  const int in_block = among_nodes_ ? 1 : site_->pods_per_leaf_rack;
  for (int first = 0; first < pods; first += in_block) place_block(first, std::min(first + in_block, pods));
}

void PodRacks::group_pods() {
  pods_.resize(static_cast<std::size_t>(std::max(1, divided_up(fabric_->shape().nodes, nodes_per_pod_))));
  for (std::size_t i = 0; i < fabric_->devices().size(); ++i) {
    const DeviceId id{static_cast<std::uint32_t>(i)};
    const Device& device = fabric_->device(id);
    if (device.kind != DeviceKind::leaf) continue;
    Pod& pod = pods_[static_cast<std::size_t>(std::clamp(device.pod, 0, static_cast<int>(pods_.size()) - 1))];
    pod.leaves.push_back(id);
    leaves_per_pod_ = std::max(leaves_per_pod_, static_cast<int>(pod.leaves.size()));
  }
}

/// What keeps a rack from so many nodes and leaves; none when they fit.
RackLimit PodRacks::limit_beside(int nodes, int leaves) const {
  OpenRack trial({0, 0}, RackKind::compute, 0, site_->rack);
  for (int i = 0; i < nodes; ++i) trial.put_low(RackSlot::no_device, boxes_->node);
  for (int i = 0; i < leaves; ++i) {
    const RackLimit limit = trial.refusal(boxes_->leaf);
    if (limit != RackLimit::none) return limit;
    trial.put_high(RackSlot::no_device, boxes_->leaf);
  }
  return RackLimit::none;
}

/// Nodes and leaves of a rack. Leaves go among the nodes where the site wants it, or where one rack holds a pod.
void PodRacks::size_racks() {
  leaves_ = capacity_for(boxes_->leaf, site_->rack, false);
  if (server_->rack) {
    nodes_ = {server_->rack->nodes, RackLimit::whole_rack};
    return;
  }
  nodes_ = capacity_for(boxes_->node, site_->rack, true);
  if (site_->leaves == LeafPlace::own_racks && nodes_per_pod_ > nodes_.boxes) return;
  // One node fewer at a time, until the leaves that fall to a rack fit beside its nodes.
  RackLimit binding = nodes_.limit;
  for (int in_rack = std::min(nodes_.boxes, nodes_per_pod_); in_rack > 0; --in_rack) {
    const int racks = divided_up(nodes_per_pod_, in_rack);
    const RackLimit limit = limit_beside(in_rack, divided_up(leaves_per_pod_, racks));
    if (limit == RackLimit::none) {
      nodes_ = {in_rack, binding};
      among_nodes_ = true;
      return;
    }
    binding = limit;  // what one more node would exceed
  }
}

/// Racks of nodes of a pod in full, whether it is there or not.
int PodRacks::full_racks(int pod) const {
  if (!server_->rack) return divided_up(nodes_per_pod_, nodes_.boxes);
  return divided_up((pod + 1) * nodes_per_pod_, nodes_.boxes) - divided_up(pod * nodes_per_pod_, nodes_.boxes);
}

/// Pods [first, last) and the leaf racks that they share. Places are those of a block in full, unless it is the only
/// pod: then nothing is kept free between its racks.
void PodRacks::place_block(int first, int last) {
  const bool alone = pods_.size() == 1;
  const int in_block = among_nodes_ || alone ? 1 : site_->pods_per_leaf_rack;
  int leaf_racks = 0, node_racks = 0;
  if (!among_nodes_) leaf_racks = divided_up(in_block * leaves_per_pod_, leaves_.boxes);
  for (int pod = first; pod < first + in_block; ++pod) {
    node_racks += alone ? static_cast<int>(pods_.front().groups.size()) : full_racks(pod);
  }
  const std::vector<Place> places = take_places(node_racks + leaf_racks);
  const std::size_t first_leaf = middle_of(places, static_cast<std::size_t>(leaf_racks));
  std::vector<Place> of_nodes;
  std::vector<std::size_t> leaves;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i >= first_leaf && i < first_leaf + static_cast<std::size_t>(leaf_racks)) {
      leaves.push_back(open(places[i], RackKind::leaf, first));
    } else {
      of_nodes.push_back(places[i]);
    }
  }
  std::size_t next = 0, placed = 0;
  for (int index = first; index < last; ++index) {
    Pod& pod = pods_[static_cast<std::size_t>(index)];
    const std::size_t offset = next;
    for (std::size_t i = 0; i < pod.groups.size(); ++i) {
      pod.racks.push_back(open(of_nodes[offset + i], RackKind::compute, index));
      fill(pod.groups[i], (*racks_)[pod.racks.back()]);
    }
    next += alone ? pod.groups.size() : static_cast<std::size_t>(full_racks(index));
    pod.row = places.front().row;
    pod.leaf_racks = leaves;
    if (among_nodes_) put_leaves_among_nodes(pod, alone ? static_cast<int>(pod.groups.size()) : full_racks(index));
    for (std::size_t i = 0; i < pod.leaves.size() && !among_nodes_; ++i, ++placed) {
      OpenRack& rack = (*racks_)[leaves[placed / static_cast<std::size_t>(leaves_.boxes)]];
      rack.put_high(pod.leaves[i], boxes_->leaf);
      if ((placed + 1) % static_cast<std::size_t>(leaves_.boxes) == 0) rack.note(leaves_.limit);
    }
  }
}

/// The next places for nodes. A block that would fit into one row begins in a new one rather than lie in two; larger
/// ones follow each other without gaps.
std::vector<Place> PodRacks::take_places(int count) {
  row_ = hall_->compute_row(row_);
  const int in_row = hall_->compute_places(row_);
  if (count <= in_row && place_ + count > in_row) row_ = hall_->compute_row(row_ + 1), place_ = 0;
  std::vector<Place> taken;
  while (static_cast<int>(taken.size()) < count) {
    const std::vector<Place> free = hall_->places(row_, false);
    while (place_ < static_cast<int>(free.size()) && static_cast<int>(taken.size()) < count) {
      taken.push_back(free[static_cast<std::size_t>(place_++)]);
    }
    if (place_ == static_cast<int>(free.size())) row_ = hall_->compute_row(row_ + 1), place_ = 0;
  }
  return taken;
}

/// The first of `count` neighbours nearest to the middle of the places, by pitch and row.
std::size_t PodRacks::middle_of(const std::vector<Place>& places, std::size_t count) const {
  if (count == 0 || places.empty()) return places.size();
  const HallGeometry& hall = site_->hall;
  const double pitch = hall.rack_pitch.value.typical.in(metre);
  const double depth = (hall.rack_depth.value.typical + hall.cold_aisle.value.typical).in(metre);
  double x = 0, y = 0;
  for (const Place& at : places) x += at.place * pitch, y += at.row * depth;
  x /= static_cast<double>(places.size()), y /= static_cast<double>(places.size());
  std::size_t best = 0;
  double least = HUGE_VAL;
  for (std::size_t i = 0; i + count <= places.size(); ++i) {
    double distance = 0;
    for (std::size_t k = i; k < i + count; ++k) {
      distance += std::abs(places[k].place * pitch - x) + std::abs(places[k].row * depth - y);
    }
    if (distance < least - 1e-9) best = i, least = distance;
  }
  return best;
}

std::size_t PodRacks::open(Place at, RackKind kind, int pod) {
  racks_->emplace_back(at, kind, pod, site_->rack);
  return racks_->size() - 1;
}

void PodRacks::fill(const NodeGroup& group, OpenRack& open_rack) const {
  for (int node = group.first; node < group.last; ++node) open_rack.put_low(fabric_->node(node), boxes_->node);
  Rack& rack = open_rack.rack();
  if (group.last - group.first == nodes_.boxes) rack.limit = nodes_.limit;
  if (!server_->rack) return;
  const WholeRack& whole = *server_->rack;
  rack.units = whole.units;
  rack.weight = whole.weight.value.high;
  for (std::size_t i = 0; i < rack.slots.size(); ++i) {
    const int place = static_cast<int>(i);
    const int gap = place >= whole.gap_after ? whole.gap_units : 0;
    rack.slots[i].bottom = static_cast<std::uint16_t>(whole.first_unit + place * boxes_->node.units + gap);
  }
}

/// Evenly over the racks of a pod in full; the last of them while it is not.
void PodRacks::put_leaves_among_nodes(Pod& pod, int full) {
  const auto count = pod.leaves.size(), racks = static_cast<std::size_t>(full);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t rack = std::min((i * racks + racks / 2) / count, pod.racks.size() - 1);
    OpenRack& open_rack = (*racks_)[pod.racks[rack]];
    if (open_rack.refusal(boxes_->leaf) == RackLimit::none) {
      open_rack.put_high(pod.leaves[i], boxes_->leaf);
    } else {
      strays_.emplace_back(pod.leaves[i], pod.row);
    }
  }
}

}  // namespace railyard
