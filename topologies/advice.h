// SPDX-License-Identifier: Apache-2.0
// What near a refused case can be had: GPU counts, options of the design, servers, other designs, sites. Every remedy
// has passed the same checks as the case that was refused.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "topologies/wiring_case.h"

namespace railyard {

/// Does with a case what was asked for; throws InputError when it cannot be had.
using WiringCheck = std::function<void(const WiringCase&)>;

/// What is shipped beside the case's own design and site.
struct AdviceSources {
  std::vector<Design> designs;
  std::vector<Site> sites;
};

enum class RemedyKind : std::uint8_t { gpus, option, server, design, site };

/// One change that makes a case work.
struct Remedy {
  RemedyKind kind = RemedyKind::gpus;
  std::string words;   // "65536 GPUs", "tiers: 3", "roce-51t-rail (other fabric, switch)"
  WiringCase changed;  // passed the check
};

/// Remedies of a refused case, by kind; within one the nearest first: GPU counts below, then above; values of an option
/// nearest to its own; designs by how many of fabric, topology, bandwidth a GPU, server, switch, planes and
/// oversubscription differ, then by name; sites by the power of a rack. A large case is tried a few times only, so that
/// of several remedies some may be left out; none is named untried.
[[nodiscard]] std::vector<Remedy> remedies(const WiringCase& refused, const Parts& parts, const AdviceSources& shipped,
                                           const WiringCheck& check);

/// Shipped designs that take this GPU, nearest first, three at most, tried.
[[nodiscard]] std::vector<Remedy> designs_with(std::string_view gpu, const WiringCase& refused, const Parts& parts,
                                               const AdviceSources& shipped, const WiringCheck& check);

/// The error with its remedies in the place of its advice; with its own advice where there are none.
[[nodiscard]] InputError advised(const InputError& error, const WiringCase& refused, const Parts& parts,
                                 const AdviceSources& shipped, const WiringCheck& check);

}  // namespace railyard
