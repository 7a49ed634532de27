// SPDX-License-Identifier: Apache-2.0
// Ways of messages over the wired fabric, read off the graph: up and down along the shortest ways that are left,
// through the scale-up domain to the right rail, over all planes. Turns messages into flows over resources (solver.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/network/flow/flow_set.h"
#include "topologies/fabric.h"
#include "topologies/parts.h"

namespace railyard {

/// What stands between a GPU and the fabric. Bytes per second one way; unlimited: not modelled.
struct EndLimits {
  int scale_up_gpus = 1;  // of a domain
  ScaleUpKind scale_up = ScaleUpKind::switched;
  double scale_up_port = unlimited;  // switched: what a GPU sends, and what it receives, at most
  double scale_up_link = unlimited;  // mesh: from one GPU to one other
  double pcie = unlimited;           // between a GPU and its NIC
  double library = unlimited;        // all that a GPU sends, as the channels of a collective library bound it
  double efficiency = 1;             // payload share of a fabric link's line rate
};

enum class Spreading {
  sprayed,  // adaptive routing (InfiniBand, Spectrum-X): every packet may take another of the shortest ways
  hashed,   // ECMP: a hash of the connection picks one port at each switch
};

/// How switches choose between shortest ways; longer ones (a dragonfly's detours by a third group) are not taken.
/// Sprayed traffic leaves a switch over all ports on a shortest way, in proportion to what each still passes towards
/// the receiver (Ways::spray): on a whole tree an even split, which no routing can beat; with one link in a hundred
/// gone within a few percent of the tightest cut (tests/flow/designs_test.cpp).
struct RoutingRule {
  Spreading spreading = Spreading::sprayed;
  std::uint64_t seed = 1;    // hashed: of the switches' hashes and the connections' ports
  int connections = 1;       // hashed: queue pairs over which a message is cut into equal parts
  bool change_rails = true;  // by scale-up to the GPU on the receiver's rail before entering the fabric ("PXN")
};

enum class ResourceKind : std::uint8_t { library, scale_up, pcie, nic, leaf_spine, spine_core, between_peers };
/// "NIC", "leaf-spine uplinks", ...: for people.
[[nodiscard]] std::string_view to_string(ResourceKind kind);

/// A message from GPU to GPU of the fabric.
struct Message {
  int from = 0, to = 0;
  double bytes = 0;
};

/// Flows of messages, by index.
struct RoutedMessages {
  FlowSet flows;
  std::vector<std::uint8_t> switches;  // on the longest of its ways; 0 inside a scale-up domain
  std::vector<char> relayed;           // 1: changed rails by scale-up
};

/// Not shared between threads: ways are worked out when they are first needed, and kept.
class FlowNetwork {
 public:
  FlowNetwork(const Fabric& fabric, const EndLimits& ends, const RoutingRule& rule = {});
  ~FlowNetwork();
  FlowNetwork(FlowNetwork&&) noexcept;
  FlowNetwork& operator=(FlowNetwork&&) noexcept;

  /// By resource. Sprayed: links between switches that always share their load alike are one resource.
  [[nodiscard]] std::span<const double> capacities() const;
  [[nodiscard]] ResourceKind kind(ResourceId resource) const;
  /// "NIC of GPU 12, sending", "leaf 3 (pod 0, rail 3) to 32 switches like spine 0": for people.
  [[nodiscard]] std::string name(ResourceId resource) const;
  [[nodiscard]] int gpus() const;
  [[nodiscard]] int domain(int gpu) const;

  /// Another seed for what is routed from now on.
  void reseed(std::uint64_t seed);
  /// Throws InputError naming the ends when one has no NIC link or when there is no way between them.
  [[nodiscard]] RoutedMessages route(std::span<const Message> messages) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace railyard
