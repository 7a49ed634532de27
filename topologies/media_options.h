// SPDX-License-Identifier: Apache-2.0
// The media a layer may be made of: the design's own and its alternatives, as far as their ends fit the parts.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "topologies/cabling.h"

namespace railyard {

/// One way to make the links of a layer.
struct MediaOption {
  LayerParts parts;
  bool own = false;             // the design's own, not an alternative
  bool serves_managers = true;  // node-leaf: management ends can use it too
  std::string reason;           // why it does not, for messages
};

struct MediaOptions {
  std::array<std::vector<MediaOption>, layer_count> of;  // the design's own first
  std::vector<std::string> refused;                      // alternatives whose ends do not fit, each with the reason
};

/// The options of each layer. Whether they reach is judged by the length of a route. Throws InputError when the
/// design's own media do not fit.
[[nodiscard]] MediaOptions media_options(const Design& design, const Parts& parts, const ServerPart& server);

/// The hungriest that one cage of this kind of device can get: a module or the plug of an active cable; upper end.
[[nodiscard]] Watts most_plug_power(const MediaOptions& options, DeviceKind kind);

}  // namespace railyard
