// SPDX-License-Identifier: Apache-2.0
// A wired fabric as GraphML: devices are nodes, named by their names, links are edges from the lower to the upper end;
// units stand in the names of the attributes (FORMAT.md).
#pragma once

#include <string>
#include <string_view>

#include "topologies/exchange/named_fabric.h"
#include "topologies/exchange/wiring.h"

namespace railyard {

/// Devices and links in the order of their ids.
[[nodiscard]] TextSource graphml_of(const Wiring& wiring);

/// Reads what graphml_of wrote, or another program in its form. Throws InputError with line and column for what is no
/// XML, has a document type (no entities are ever expanded), unknown elements or attributes, values out of range, and
/// what FabricDraft's check refuses. Takes memory in proportion to the text, whatever it says.
[[nodiscard]] NamedFabric read_graphml(std::string_view text, const std::string& file);

}  // namespace railyard
