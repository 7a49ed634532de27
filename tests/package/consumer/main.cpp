// SPDX-License-Identifier: Apache-2.0
// Uses railyard as a stranger would: by its installed headers, libraries and data.
#include <cstdio>
#include <filesystem>

#include "base/units.h"
#include "topologies/fabric.h"

int main() {
  using namespace railyard;
  const std::filesystem::path data = std::filesystem::path(DATA_DIR) / "topologies";
  const Parts parts = load_parts(data / "parts");
  const Design design = load_design(data / "designs", "ndr-rail");
  const Fabric fabric = build_fabric(design, parts, server_for(design, parts, "h100"), 1024);
  const Bandwidth speed = fabric.links().front().speed;
  std::printf("%zu leaves, %zu spines, links of %.0f Gb/s\n", fabric.count(DeviceKind::leaf),
              fabric.count(DeviceKind::spine), speed.in(gigabit_per_second));
  // 1 024 GPUs on switches of 64 ports: 32 leaves with 32 ports down and 32 up each, 32 * 32 / 64 = 16 spines.
  const bool right = fabric.count(DeviceKind::leaf) == 32 && fabric.count(DeviceKind::spine) == 16;
  return right && speed == 400 * gigabit_per_second ? 0 : 1;
}
