// SPDX-License-Identifier: Apache-2.0
// How the GPUs of a node are joined, told from copies between all pairs and from one GPU to all others at once. Pure
// arithmetic.
//
// Pairs alone do not tell a switch from a mesh: in both each pair is as fast as the other. Behind a switch a GPU's
// ports serve any one peer at full speed, so copies to all others at once share that speed; in a mesh each pair has its
// own link, so n - 1 copies at once move n - 1 times as much, and a single pair sees one link only (two of eight
// MI300X: 1/7 of what a GPU can send).
#pragma once

#include <string>
#include <vector>

namespace railyard::device {

enum class LinkShape { alone, pair, switched, mesh, host, unequal };
[[nodiscard]] std::string to_string(LinkShape shape);

struct NodeLinks {
  /// B/s from each device (row) to each other; 0: not measured; the diagonal does not count.
  std::vector<std::vector<double>> pairs;
  double fan = 0;   // B/s from one device to all others at once, together; 0: not measured
  double host = 0;  // B/s of the link to the host; 0: not measured
};

struct FoundShape {
  LinkShape shape = LinkShape::alone;
  double pair = 0;                        // B/s, the median pair
  double spread = 0;                      // fastest over slowest pair, less one
  std::vector<std::vector<int>> islands;  // unequal: devices joined by pairs near the fastest one
  std::vector<std::string> slow;          // pairs more than a tenth below the median of equal ones: "2 > 5"
};

/// What the figures tell; of two devices `pair`, since one peer tells neither switch nor mesh.
[[nodiscard]] FoundShape link_shape(const NodeLinks& links);

/// One or two sentences for people.
[[nodiscard]] std::string describe_links(const FoundShape& found, const NodeLinks& links);

}  // namespace railyard::device
