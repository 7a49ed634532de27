// SPDX-License-Identifier: Apache-2.0
// The laws of every reader of a wiring.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "topologies/exchange/named_fabric.h"

namespace railyard::wiring_fuzz {

inline void expect(bool law) {
  if (!law) std::abort();
}

/// Ports once, NIC links found, names as many as devices.
inline void check(const NamedFabric& read) {
  const Fabric& fabric = read.fabric;
  expect(read.devices.size() == fabric.devices().size() && read.ports.size() == fabric.links().size());
  std::set<std::pair<DeviceId, int>> used;
  for (const Link& link : fabric.links()) {
    expect(used.insert({link.lower, link.lower_port}).second && used.insert({link.upper, link.upper_port}).second);
    expect(link.speed > Bandwidth{});
  }
  const FabricShape& shape = fabric.shape();
  for (int gpu = 0; gpu < std::min(shape.gpus, 64); ++gpu) {
    try {
      expect(static_cast<std::size_t>(fabric.nic_link(gpu)) < fabric.links().size());
    } catch (const InputError&) {  // a GPU without a link
    }
  }
}

/// Runs a reader; what it throws is a message that prints, at a line of the text.
template <class Action>
void read(std::string_view text, const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    expect(message.find("error: ") != std::string_view::npos && message.ends_with('\n'));
    expect(!text_fault(message, Layout::lines) && message.size() < 100'000);
    const auto lines = std::count(text.begin(), text.end(), '\n') + std::count(text.begin(), text.end(), '\r') + 1;
    for (const Diagnostic& each : error.diagnostics()) expect(each.line >= 0 && each.line <= lines);
  }
}

}  // namespace railyard::wiring_fuzz
