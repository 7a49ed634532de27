// SPDX-License-Identifier: Apache-2.0
// Lists of cables as CSV: the cut sheet a technician works from, and the sheet that NVIDIA's Cable Validation Tool
// reads as a point-to-point workbook (columns and sources: FORMAT.md).
#pragma once

#include "topologies/exchange/wiring.h"

namespace railyard {

/// One row a cable: both ends with rack, unit, device, port and module, labels, part, lengths, colour, bundle, rule.
/// Needs floor and cables.
[[nodiscard]] TextSource cut_sheet_of(const Wiring& wiring);

/// One row a link, A- columns for the lower end: InfiniBand hosts count their ports from 1, all else by name.
[[nodiscard]] TextSource point_to_point_of(const Wiring& wiring);

/// Plain text, a page for each rack (form feed between): its boxes from the top down and every cable that ends in it.
/// Needs floor and cables.
[[nodiscard]] TextSource patch_lists_of(const Wiring& wiring);

}  // namespace railyard
