// SPDX-License-Identifier: Apache-2.0
// NetBox's four files, divided by lines of '%', and the same text as one list of what was built.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/wiring_fuzz.h"
#include "topologies/exchange/as_built.h"
#include "topologies/exchange/netbox.h"

namespace {

using namespace railyard;

/// Two nodes at a leaf.
NamedFabric small_plan() {
  FabricDraft draft;
  draft.shape = {
      .gpus = 2, .gpus_per_node = 1, .nodes = 2, .rails = 1, .tiers = 1, .radix = 4, .nodes_per_pod = 2, .pods = 1};
  draft.devices = {{DeviceKind::node, 0, 0}, {DeviceKind::node, 1, 0}, {DeviceKind::leaf, 0, 0}};
  draft.names = {"n1", "n2", "leaf"};
  draft.links = {{DeviceId{0}, DeviceId{2}, 0, 0, Layer::node_leaf, gigabit_per_second},
                 {DeviceId{1}, DeviceId{2}, 0, 1, Layer::node_leaf, gigabit_per_second}};
  draft.ports = {{"mlx5_0", "1/1"}, {"mlx5_0", "1/2"}};
  return checked(draft, "plan");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::array<std::string, 4> parts;
  std::string_view rest = text;
  for (std::string& part : parts) {
    const std::size_t end = rest.find("%\n");
    part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
  }
  wiring_fuzz::read(text, [&] {
    wiring_fuzz::check(
        read_netbox({{"sites", parts[0]}, {"devices", parts[1]}, {"interfaces", parts[2]}, {"cables", parts[3]}}));
  });
  wiring_fuzz::read(text, [&] {
    static const NamedFabric plan = small_plan();
    const AsBuilt built = read_as_built(std::string(text), "built", plan);
    const WiringComparison comparison = compare_wiring(plan, built);
    wiring_fuzz::expect(comparison.equal <= comparison.planned && comparison.built == built.links.size());
    wiring_fuzz::expect(comparison.equal == comparison.planned || !comparison.differences.empty());
  });
  return 0;
}
