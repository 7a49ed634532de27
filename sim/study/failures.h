// SPDX-License-Identifier: Apache-2.0
// Parts of a wired network that fail: which ones, what remains, whom it no longer reaches.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "topologies/fabric.h"

namespace railyard {

/// Which parts fail. "spine:3": three spines, spread evenly over those that work. "spine:#7": the eighth. Any other
/// text is the name of a device (topologies/names.h). Kinds are node, leaf, spine, core for devices, node-leaf,
/// leaf-spine, spine-core, spine-spine for links, and nic for the NIC of a GPU ("nic:#12": all its ports, that of GPU
/// 12).
struct Failure {
  struct Nic {};
  std::string text;                                           // as written
  std::variant<std::monostate, DeviceKind, Layer, Nic> kind;  // none: `text` is a name
  int count = 0;                                              // of parts spread evenly, or
  int index = -1;                                             // one by its place in wiring order, from zero
};

/// How --fail is written, for help texts.
inline constexpr std::string_view failure_help =
    "parts that fail: KIND:COUNT spread evenly, as spine:3 or leaf-spine:4; KIND:#PLACE counted from zero, as spine:#7 "
    "or nic:#12 (of GPU 12); or a device by name. Kinds: node, leaf, spine, core, nic, and links node-leaf, "
    "leaf-spine, "
    "spine-core, spine-spine";

/// Throws InputError for a count or place that is no number.
[[nodiscard]] Failure parse_failure(std::string_view text);

struct FailedFabric {
  Fabric fabric;                   // what remains
  std::vector<std::string> parts;  // that failed, by name, in wiring order: devices, then links
};
/// Takes the parts out, one failure after the other. Of the parts that work, in wiring order, one fails out of each of
/// so many equal runs; where in its run follows the golden ratio, so that regular wiring does not put all failures on
/// one switch. The same text fails the same parts. Throws InputError when there are no such parts, or not as many.
[[nodiscard]] FailedFabric fail_parts(const Fabric& fabric, std::span<const Failure> failures);

/// Whom a damaged network still reaches.
struct NetworkReach {
  /// GPUs of the job that over no plane reach those whom they reached before. Where a network falls apart, the part
  /// with the most ports counts as the network that remains.
  std::vector<int> cut_off;
  int degraded = 0;  // other GPUs that lost some of their ports
};
[[nodiscard]] NetworkReach reach_of(const Fabric& whole, const Fabric& damaged);

}  // namespace railyard
