// SPDX-License-Identifier: Apache-2.0
// Our owner cost beside published ones, itemised. No figure of ours is derived from them.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/catalogue.h"
#include "sim/study/published_costs.h"
#include "sim/study/published_terms.h"
#include "sim/study/result.h"

namespace railyard {

/// One comparison a row of the table: its design and size at the prices of a book and the terms of its buyer, bridged
/// by what the publisher states. Throws InputError for a cell that cannot be read or a cluster that cannot be built or
/// priced.
[[nodiscard]] std::vector<OwnerComparison> compare_owner_costs(const CsvFile& file,
                                                               std::span<const PublishedTerm> stated,
                                                               const std::string& price_book,
                                                               const Catalogue& catalogue);

/// The clusters of a study beside what was published for their GPU and buyer, each at the size nearest to that of the
/// published figure: its own prices and terms (`owner`), nothing is computed anew. Clusters of other GPUs and buyers
/// are left out.
[[nodiscard]] std::vector<OwnerComparison> beside_published(std::span<const ResultRow> rows, const OwnerTerms& owner,
                                                            std::span<const PublishedOwnerCost> published,
                                                            std::span<const PublishedTerm> stated);

}  // namespace railyard
