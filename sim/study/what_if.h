// SPDX-License-Identifier: Apache-2.0
// What changes when a study is changed (an oversubscription, a switch, a price term) or parts of its networks fail:
// each cluster of one size before and after. What fails has been bought: it costs what it did, and the step runs on
// what remains, in the layout chosen for the whole network.
#pragma once

#include <string>
#include <vector>

#include "sim/study/difference.h"
#include "sim/study/failures.h"
#include "sim/study/pipeline.h"

namespace railyard {

/// The network of a row.
struct NetworkState {
  Bandwidth bisection;              // max-flow between halves of the pods, see bisection_bandwidth
  std::vector<std::string> failed;  // parts, by name
  NetworkReach reach;
};

/// A cluster before and after.
struct WhatIfRow {
  ResultRow base, changed;  // the speeds of `changed` are those of no step when it does not run
  NetworkState base_network, changed_network;
  bool runs = true;       // the job still runs after the change
  std::string fault;      // why not
  CapexDifference capex;  // changed - base
  /// Of the change of the headline, in $/h per PFLOP/s: what the owner cost makes, at the base's speed, and what the
  /// speed makes, at the new cost. Both zero when it does not run.
  double by_cost = 0, by_speed = 0;
};

struct WhatIf {
  std::string title, price_book;
  std::vector<std::string> settings, failures;  // as asked
  std::vector<WhatIfRow> rows;                  // in the study's order
};

/// Compares the clusters of two studies, each at a size of its own (most often the same). Throws InputError when the
/// clusters are not as many, or one cannot be built, priced or run before the failures.
[[nodiscard]] WhatIf what_if(const Study& base, const Study& changed, std::span<const Failure> failures, int base_gpus,
                             int changed_gpus, const Catalogue& catalogue);

/// Nothing that a row says differs.
[[nodiscard]] bool unchanged(const WhatIfRow& row);

}  // namespace railyard
