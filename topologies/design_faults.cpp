// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "topologies/cabling.h"
#include "topologies/design.h"

namespace railyard {
namespace {

template <class Map>
void append_names(const Map& map, std::vector<std::string>& names) {
  for (const auto& [id, part] : map) names.push_back(id);
}

/// Looks up the names of a design and notes the unknown ones.
class NameCheck {
 public:
  explicit NameCheck(const Design& design) : design_(design) {}

  template <class Map>
  void need(const std::string& path, std::string_view what, const std::string& id, const Map& map) {
    if (map.contains(id)) return;
    std::vector<std::string> names;
    append_names(map, names);
    note(path, what, id, names);
  }

  void need_piece(const std::string& path, const std::string& id, const Parts& parts) {
    std::vector<std::string> names;
    append_names(parts.switches, names);
    append_names(parts.modules, names);
    append_names(parts.cables, names);
    append_names(parts.nics, names);
    append_names(parts.equipment, names);
    for (const std::string& name : names) {
      if (name == id) return;
    }
    note(path, "switch, module, cable, NIC or equipment", id, names);
  }

  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(faults_); }

 private:
  void note(const std::string& path, std::string_view what, const std::string& id,
            const std::vector<std::string>& names) {
    faults_.push_back({.file = design_.file,
                       .path = path,
                       .message = fmt::format("unknown {} '{}'", what, id),
                       .expected = expected_names(id, names)});
  }

  const Design& design_;
  std::vector<Diagnostic> faults_;
};

std::vector<Diagnostic> unknown_names(const Design& design, const Parts& parts) {
  NameCheck check(design);
  const bool by_layer = !design.spine_switch_id.empty();
  check.need(by_layer ? "switch.leaf" : "switch", "switch", design.switch_id, parts.switches);
  if (by_layer) check.need("switch.spine", "switch", design.spine_switch_id, parts.switches);
  if (by_layer) check.need("switch.core", "switch", design.switch_of(DeviceKind::core), parts.switches);
  for (const std::string& id : design.servers) check.need("servers", "server", id, parts.servers);
  constexpr std::array<std::string_view, layer_count> keys{"node_leaf", "leaf_spine", "spine_core", "spine_spine"};
  for (std::size_t layer = 0; layer < keys.size(); ++layer) {
    const LayerMedia& media = design.media[layer];
    const std::string path = fmt::format("media.{}.", keys[layer]);
    if (!media.cable.empty()) check.need(path + "cable", "cable", media.cable, parts.cables);
    if (layer > 0 && !media.lower_module.empty()) {
      check.need(path + "lower_module", "module", media.lower_module, parts.modules);
    }
    if (!media.upper_module.empty()) check.need(path + "upper_module", "module", media.upper_module, parts.modules);
    for (std::size_t i = 0; i < media.alternatives.size(); ++i) {
      const MediaAlternative& other = media.alternatives[i];
      const std::string at = fmt::format("{}alternatives[{}].", path, i);
      check.need(at + "cable", "cable", other.cable, parts.cables);
      for (const std::string& id : other.lower_modules) check.need(at + "lower_modules", "module", id, parts.modules);
      if (!other.upper_module.empty()) check.need(at + "upper_module", "module", other.upper_module, parts.modules);
    }
  }
  for (const std::string& id : design.node_modules) {
    check.need("media.node_leaf.node_modules", "module", id, parts.modules);
  }
  if (!design.manager_module.empty()) check.need("manager_module", "module", design.manager_module, parts.modules);
  for (const SiteNetwork& network : design.networks) {
    for (const SiteNetworkLine& line : network.lines) {
      check.need_piece(fmt::format("networks.{}.parts", network.name), line.part, parts);
    }
  }
  return check.take();
}

}  // namespace

std::vector<Diagnostic> design_faults(const Design& design, const Parts& parts) {
  std::vector<Diagnostic> faults = unknown_names(design, parts);
  if (!faults.empty()) return faults;
  for (const std::string& id : design.servers) {
    try {
      static_cast<void>(Cabling(design, parts, parts.server(id)));
    } catch (const InputError& error) {
      for (Diagnostic fault : error.diagnostics()) {
        fault.file = design.file;
        const auto same = [&](const Diagnostic& other) { return other.message == fault.message; };
        if (std::none_of(faults.begin(), faults.end(), same)) faults.push_back(std::move(fault));
      }
    }
  }
  return faults;
}

}  // namespace railyard
