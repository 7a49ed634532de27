// SPDX-License-Identifier: Apache-2.0
// Whether the parts of every layer fit each other, and with how much reach to spare.
#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/design_check.h"

namespace railyard {

namespace {

std::string gigabits(Bandwidth value) { return fmt::format("{:g} Gb/s", value.in(gigabit_per_second)); }

/// What both ends of a layer's links agree on. Cabling has compared them already, so that one end tells.
class LayerJoints {
 public:
  LayerJoints(const Design& design, const Parts& parts, const ServerPart& server, const Cabling& cabling, Layer layer)
      : design_(design), nic_(parts.nic(server.nic)), cabling_(cabling), layer_(layer) {}

  [[nodiscard]] std::vector<Finding> findings() const {
    const LayerParts& parts = cabling_.layer(layer_);
    const CablePart& cable = *parts.cable;
    std::vector<Finding> found;
    const auto add = [&](std::string what, std::string value, std::string limit) {
      found.push_back({"joints", CheckVerdict::pass, fmt::format("{}: {}", to_string(layer_), std::move(what)),
                       std::move(value), std::move(limit)});
    };
    add("one speed at both ends", gigabits(speed()), gigabits(speed()));
    if (!cable.needs_modules) {
      add(fmt::format("{} plugs in", cable.id), cable.lower_connector + ", " + cable.upper_connector, "as the cages");
      add("lanes of the cable are the cages'", gigabits(cable.lane_rate), gigabits(cable.lane_rate));
      add_reach(found, cable.reach, cable.id);
      return found;
    }
    add("modules sit in their cages", parts.lower->connector + ", " + parts.upper->connector, "as the cages");
    add("lanes agree along the fibre", gigabits(parts.lower->optical_lane_rate),
        gigabits(parts.upper->optical_lane_rate));
    const CablePart* fibre = &cable;
    Metres reach = fibre->reach;
    std::string shortest = fibre->id;
    for (const ModulePart* module : {parts.lower, parts.upper}) {
      if (module->reach < reach) reach = module->reach, shortest = module->id;
    }
    add_reach(found, reach, shortest);
    return found;
  }

 private:
  Bandwidth speed() const {
    if (layer_ == Layer::node_leaf) return nic_.port_speed.value.typical;
    return cabling_.switch_part(layer_ == Layer::leaf_spine ? DeviceKind::leaf : DeviceKind::spine).port_speed;
  }

  void add_reach(std::vector<Finding>& found, Metres reach, const std::string& part) const {
    const Metres longest = design_.media[index_of(layer_)].longest;
    found.push_back({"reach", longest <= reach ? CheckVerdict::pass : CheckVerdict::fail,
                     fmt::format("{}: longest planned run within the reach of {}", to_string(layer_), part),
                     fmt::format("{:g} m", longest.in(metre)), fmt::format("{:g} m", reach.in(metre))});
  }

  const Design& design_;
  const NicPart& nic_;
  const Cabling& cabling_;
  Layer layer_;
};

/// "message; remedy" of all diagnostics on one line.
std::string words_of(const InputError& error) {
  std::string words;
  for (const Diagnostic& each : error.diagnostics()) {
    words += (words.empty() ? "" : "; ") + each.message + (each.expected.empty() ? "" : " (" + each.expected + ")");
  }
  return words;
}

}  // namespace

std::vector<Finding> check_joints(const Design& design, const Parts& parts, const ServerPart& server) {
  try {
    const Cabling cabling(design, parts, server);
    std::vector<Finding> findings;
    for (const Layer layer : all_layers) {
      if (cabling.layer(layer).cable == nullptr) continue;
      std::vector<Finding> of_layer = LayerJoints(design, parts, server, cabling, layer).findings();
      std::move(of_layer.begin(), of_layer.end(), std::back_inserter(findings));
    }
    return findings;
  } catch (const InputError& error) {
    return {{"joints", CheckVerdict::fail, words_of(error), {}, {}}};
  }
}

}  // namespace railyard
