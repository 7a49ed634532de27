// SPDX-License-Identifier: Apache-2.0
// The wiring that was built against the one that was planned: which cables are missing, too many, swapped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topologies/exchange/named_fabric.h"

namespace railyard {

/// One link by the names of its ends, in no order.
struct LinkEnds {
  std::string device_a, port_a, device_b, port_b;
  int line = 0;     // of the file it stands in; 0 when it has none
  Bandwidth speed;  // zero when the file does not say
};

struct AsBuilt {
  std::string file, format;  // GraphML, DOT, topo, cut sheet, point-to-point, NetBox cables
  std::vector<LinkEnds> links;
};

/// Reads the ends of links from any of the forms that this room writes, told apart by their beginnings. Hosts that
/// count their ports (point-to-point sheets of InfiniBand) are given the names of `plan`. Throws InputError.
[[nodiscard]] AsBuilt read_as_built(const std::string& text, const std::string& file, const NamedFabric& plan);

enum class WiringFault : std::uint8_t { swapped, misplaced, missing, extra, speed };
[[nodiscard]] std::string_view to_string(WiringFault fault);

/// One difference, in names.
struct WiringDifference {
  WiringFault fault = WiringFault::missing;
  std::string device, port;                  // where to go
  std::string planned_device, planned_port;  // what should be at the other end; empty for extra
  std::string found_device, found_port;      // what is; empty for missing
  std::string note;                          // the other half of a swap; the nearest name of an unknown device
  int line = 0;
};

struct WiringComparison {
  std::size_t planned = 0, built = 0, equal = 0;
  std::vector<WiringDifference> differences;  // by fault, then in the order of the plan
};

/// Two links whose far ends are exchanged are one swap; a link that goes from a planned port to a wrong one is
/// misplaced; the rest is missing or extra.
[[nodiscard]] WiringComparison compare_wiring(const NamedFabric& plan, const AsBuilt& built);

}  // namespace railyard
