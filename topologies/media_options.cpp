// SPDX-License-Identifier: Apache-2.0
#include "topologies/media_options.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace railyard {

namespace {

/// The design with an alternative in the place of its own media; lengths are judged by the routes later.
Design with_alternative(const Design& design, Layer layer, const MediaAlternative& alternative) {
  Design variant = design;
  LayerMedia& media = variant.media[index_of(layer)];
  media.cable = alternative.cable;
  media.lower_module = alternative.lower_modules.empty() ? std::string() : alternative.lower_modules.front();
  media.upper_module = alternative.upper_module;
  media.length = media.longest = Metres{};
  if (layer == Layer::node_leaf) variant.node_modules = alternative.lower_modules;
  return variant;
}

void add_alternative(const Design& design, Layer layer, const MediaAlternative& alternative, const Parts& parts,
                     const ServerPart& server, MediaOptions& options) {
  Design variant = with_alternative(design, layer, alternative);
  MediaOption option;
  try {
    variant.ufm = false;
    option.parts = Cabling(variant, parts, server).layer(layer);
  } catch (const InputError& error) {
    options.refused.push_back(error.diagnostics().front().message);
    return;
  }
  if (design.ufm && layer == Layer::node_leaf) {
    try {
      variant.ufm = true;
      static_cast<void>(Cabling(variant, parts, server));
    } catch (const InputError& error) {
      option.serves_managers = false;
      option.reason = error.diagnostics().front().message;
    }
  }
  options.of[index_of(layer)].push_back(std::move(option));
}

Watts power_of_plug(const LayerParts& parts, bool lower) {
  if (parts.cable == nullptr) return {};
  const ModulePart* module = lower ? parts.lower : parts.upper;
  return module != nullptr ? module->power.value.high : parts.cable->power.value.high;
}

}  // namespace

MediaOptions media_options(const Design& design, const Parts& parts, const ServerPart& server) {
  MediaOptions options;
  Design any_length = design;
  for (LayerMedia& media : any_length.media) media.length = media.longest = Metres{};
  const Cabling own(any_length, parts, server);
  for (const Layer layer : all_layers) {
    if (own.layer(layer).cable == nullptr) continue;
    options.of[index_of(layer)].push_back({own.layer(layer), true, true, {}});
    for (const MediaAlternative& alternative : design.media[index_of(layer)].alternatives) {
      add_alternative(any_length, layer, alternative, parts, server, options);
    }
  }
  return options;
}

Watts most_plug_power(const MediaOptions& options, DeviceKind kind) {
  Watts most;
  const auto look = [&](Layer layer, bool lower) {
    for (const MediaOption& option : options.of[index_of(layer)]) {
      most = std::max(most, power_of_plug(option.parts, lower));
    }
  };
  switch (kind) {
    case DeviceKind::node:
      look(Layer::node_leaf, true);
      break;
    case DeviceKind::leaf:
      look(Layer::node_leaf, false);
      look(Layer::leaf_spine, true);
      break;
    case DeviceKind::spine:
      look(Layer::leaf_spine, false);
      look(Layer::spine_core, true);
      look(Layer::spine_spine, true);
      break;
    case DeviceKind::core:
      look(Layer::spine_core, false);
      break;
    case DeviceKind::manager:
      break;
  }
  return most;
}

}  // namespace railyard
