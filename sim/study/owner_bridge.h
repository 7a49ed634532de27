// SPDX-License-Identifier: Apache-2.0
// From our owner cost to a published one, term by term: what the publisher says takes the place of ours, one after
// another in the order of OwnerTermKind, and what is left over is not explained. No figure of ours is derived from it.
//
// The order matters, since terms multiply: a cheaper server saves less at cheaper capital. It is that in which the cost
// is built, from what is bought to what runs, so that a term stands in when what it multiplies is the publisher's
// already. Beside each step stands what its term does alone.
#pragma once

#include <span>
#include <string_view>

#include "pricing/owner_cost.h"
#include "sim/study/published_costs.h"
#include "sim/study/published_terms.h"
#include "sim/study/result.h"

namespace railyard {

/// The steps from the typical owner cost of a row, priced at `terms`, to the published one; they and `unexplained` sum
/// to published - ours. Of the terms of that publisher, GPU and buyer those stated at most twelve months from the
/// published cost are put in, the most closely meant one of a kind. Throws InputError where two are meant alike.
[[nodiscard]] OwnerBridge owner_bridge(const ResultRow& row, const OwnerTerms& terms,
                                       const PublishedOwnerCost& published, std::span<const PublishedTerm> stated);

}  // namespace railyard
