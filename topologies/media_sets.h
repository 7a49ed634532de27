// SPDX-License-Identifier: Apache-2.0
// Every way in which the catalogue could make the links of a layer. Private to the sources of advice.
#pragma once

#include <string>
#include <vector>

#include "topologies/wiring_case.h"

namespace railyard {

struct MediaSet {
  std::string cable, lower, upper;  // part ids; no modules where the cable brings its ends
  int changes = 0;                  // parts that differ from the design's own
  Metres reach;                     // of cable and modules
};

/// Sets of one medium, whether their ends fit or not: fewest changes first, then the shortest reach.
[[nodiscard]] std::vector<MediaSet> media_sets(const WiringCase& refused, const Parts& parts, Layer layer);

/// The layer's own media replaced by a set.
void set_media(Design& design, Layer layer, const MediaSet& set);

/// The key of a layer's media in a design's file.
[[nodiscard]] std::string_view media_key(Layer layer);

}  // namespace railyard
