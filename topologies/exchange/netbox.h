// SPDX-License-Identifier: Apache-2.0
// A wired fabric as the CSV files that NetBox imports, by names and not by database ids, and read from them again.
// Columns are those of NetBox's import forms (FORMAT.md).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/exchange/named_fabric.h"
#include "topologies/exchange/wiring.h"

namespace railyard {

/// Files in the order of their import: netbox-1-sites.csv, ..., netbox-8-cables.csv.
[[nodiscard]] std::map<std::string, TextSource> netbox_of(const Wiring& wiring);

/// The four files that make a fabric, as text with the name for messages.
struct NetboxFile {
  std::string name, text;
};
struct NetboxFiles {
  NetboxFile sites, devices, interfaces, cables;
};
inline constexpr std::string_view netbox_sites = "netbox-1-sites.csv", netbox_devices = "netbox-6-devices.csv",
                                  netbox_interfaces = "netbox-7-interfaces.csv", netbox_cables = "netbox-8-cables.csv";

/// Devices in the order of their file. Columns that are not needed may be there or not, but no unknown ones. Throws
/// InputError with file, line and column name for cells that are wrong, names that are nowhere else (with the nearest)
/// and what FabricDraft's check refuses.
[[nodiscard]] NamedFabric read_netbox(const NetboxFiles& files);

}  // namespace railyard
