// SPDX-License-Identifier: Apache-2.0
#include "sim/study/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "base/quantity_text.h"
#include "topologies/names.h"

namespace railyard {
namespace {

constexpr std::string_view nic_word = "nic";
constexpr std::array failing_devices{DeviceKind::node, DeviceKind::leaf, DeviceKind::spine, DeviceKind::core};

/// Fraction of the golden ratio: its multiples fall evenly into a turn and never repeat.
constexpr double golden_turn = 0.6180339887498949;

std::vector<std::string> kind_words() {
  std::vector<std::string> words;
  for (const DeviceKind kind : failing_devices) words.emplace_back(to_string(kind));
  for (const Layer layer : all_layers) words.emplace_back(to_string(layer));
  words.emplace_back(nic_word);
  return words;
}

/// The parts that have failed so far, in ids of the whole fabric.
class Damage {
 public:
  explicit Damage(const Fabric& fabric)
      : fabric_(fabric), devices_(fabric.devices().size()), links_(fabric.links().size()) {}

  void add(const Failure& failure) {
    if (const auto* kind = std::get_if<DeviceKind>(&failure.kind)) {
      for (const std::uint32_t id : chosen(failure, devices_of(*kind, failure.index >= 0))) devices_[id] = true;
    } else if (const auto* layer = std::get_if<Layer>(&failure.kind)) {
      for (const std::uint32_t id : chosen(failure, links_of(*layer, failure.index >= 0))) links_[id] = true;
    } else if (std::holds_alternative<Failure::Nic>(failure.kind)) {
      for (const std::uint32_t gpu : chosen(failure, nics(failure.index >= 0))) break_nic(static_cast<int>(gpu));
    } else {
      devices_[device_named(failure.text)] = true;
    }
  }

  [[nodiscard]] FailedFabric result() const {
    std::vector<LinkId> removed;
    std::vector<std::string> parts;
    const std::vector<std::string> names = device_names(fabric_);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (devices_[i]) parts.push_back(names[i]);
    }
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const LinkId id{static_cast<std::uint32_t>(i)};
      const Link& link = fabric_.link(id);
      if (links_[i]) parts.push_back(names[at(link.lower)] + " to " + names[at(link.upper)]);
      if (links_[i] || broken_end(link)) removed.push_back(id);
    }
    return {fabric_.without(removed), std::move(parts)};
  }

 private:
  [[nodiscard]] bool broken_end(const Link& link) const { return devices_[at(link.lower)] || devices_[at(link.upper)]; }

  /// Those of a kind that work; with `all`, the others too, so that a place is one in the whole fabric.
  [[nodiscard]] std::vector<std::uint32_t> devices_of(DeviceKind kind, bool all) const {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t i = 0; i < devices_.size(); ++i) {
      if (fabric_.device(DeviceId{i}).kind == kind && (all || !devices_[i])) ids.push_back(i);
    }
    return ids;
  }
  [[nodiscard]] std::vector<std::uint32_t> links_of(Layer layer, bool all) const {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      const Link& link = fabric_.link(LinkId{i});
      if (link.layer == layer && (all || (!links_[i] && !broken_end(link)))) ids.push_back(i);
    }
    return ids;
  }

  /// The links of a GPU's NIC; those that are there.
  [[nodiscard]] std::vector<LinkId> nic_links(int gpu) const {
    std::vector<LinkId> links;
    for (int plane = 0; plane < fabric_.shape().planes; ++plane) {
      try {
        links.push_back(fabric_.nic_link(gpu, plane));
      } catch (const InputError&) {
        continue;  // the port has no link
      }
    }
    return links;
  }
  /// GPUs whose NIC works over some plane; all with `all`.
  [[nodiscard]] std::vector<std::uint32_t> nics(bool all) const {
    std::vector<std::uint32_t> gpus;
    for (int gpu = 0; gpu < fabric_.shape().gpus; ++gpu) {
      const std::vector<LinkId> links = nic_links(gpu);
      const bool works = std::ranges::any_of(
          links, [&](LinkId id) { return !links_[static_cast<std::size_t>(id)] && !broken_end(fabric_.link(id)); });
      if (all || works) gpus.push_back(static_cast<std::uint32_t>(gpu));
    }
    return gpus;
  }
  void break_nic(int gpu) {
    for (const LinkId id : nic_links(gpu)) links_[static_cast<std::size_t>(id)] = true;
  }

  static std::vector<std::uint32_t> chosen(const Failure& failure, const std::vector<std::uint32_t>& parts) {
    const auto have = static_cast<std::int64_t>(parts.size());
    if (failure.index >= have || failure.count > have) {
      throw InputError(fmt::format("--fail '{}': the network has {} of these", failure.text, have),
                       have == 0           ? "see 'railyard design' for the layers of a network"
                       : failure.count > 0 ? fmt::format("at most {} can fail", have)
                                           : fmt::format("places go from #0 to #{}", have - 1));
    }
    if (failure.index >= 0) return {parts[static_cast<std::size_t>(failure.index)]};
    std::vector<std::uint32_t> ids;
    for (std::int64_t i = 0; i < failure.count; ++i) {
      const std::int64_t begin = i * have / failure.count, end = (i + 1) * have / failure.count;
      const double turns = golden_turn * static_cast<double>(i);
      const auto within = static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(end - begin));
      ids.push_back(parts[static_cast<std::size_t>(begin + within)]);
    }
    return ids;
  }

  [[nodiscard]] std::size_t device_named(const std::string& name) const {
    const std::vector<std::string> names = device_names(fabric_);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    std::vector<std::string> words = names;
    for (const std::string& word : kind_words()) words.push_back(word + ":1");
    throw InputError(fmt::format("--fail '{}': no device has this name", name), expected_names(name, words));
  }

  const Fabric& fabric_;
  std::vector<bool> devices_, links_;
};

/// Which switches reach each other over switches: the root of every device.
std::vector<std::size_t> switch_parts(const Fabric& fabric) {
  std::vector<std::size_t> parent(fabric.devices().size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t item) {
    while (parent[item] != item) item = parent[item] = parent[parent[item]];
    return item;
  };
  for (const Link& link : fabric.links()) {
    if (link.layer == Layer::node_leaf) continue;  // servers and managers pass nothing on
    const std::size_t a = root(at(link.lower)), b = root(at(link.upper));
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = root(i);
  return parent;
}

/// By GPU and plane: the part of the network that its port ends in, or none.
std::vector<std::size_t> port_parts(const Fabric& fabric, std::size_t none) {
  const std::vector<std::size_t> parts = switch_parts(fabric);
  std::vector<std::size_t> ends;
  for (int gpu = 0; gpu < fabric.shape().gpus; ++gpu) {
    for (int plane = 0; plane < fabric.shape().planes; ++plane) {
      std::size_t end = none;
      try {
        end = parts[at(fabric.link(fabric.nic_link(gpu, plane)).upper)];
      } catch (const InputError&) {
        // The port has no link: nothing is at its end.
      }
      ends.push_back(end);
    }
  }
  return ends;
}

}  // namespace

Failure parse_failure(std::string_view text) {
  Failure failure;
  failure.text = text;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return failure;
  const std::string_view kind = text.substr(0, colon);
  std::string_view number = text.substr(colon + 1);
  for (const DeviceKind each : failing_devices) {
    if (to_string(each) == kind) failure.kind = each;
  }
  for (const Layer each : all_layers) {
    if (to_string(each) == kind) failure.kind = each;
  }
  if (kind == nic_word) failure.kind = Failure::Nic{};
  if (std::holds_alternative<std::monostate>(failure.kind)) {
    throw InputError(fmt::format("--fail '{}': '{}' is no kind of part", text, kind),
                     expected_names(kind, kind_words()));
  }
  const bool place = number.starts_with('#');
  if (place) number.remove_prefix(1);
  const QuantityText parsed = parse_number(number);
  constexpr double most = 1e9;
  if (!parsed.ok() || parsed.base != static_cast<double>(static_cast<int>(std::clamp(parsed.base, 0.0, most))) ||
      (!place && parsed.base == 0)) {
    throw InputError(fmt::format("--fail '{}': '{}' is no number of parts", text, number),
                     "write KIND:COUNT, as spine:3, or KIND:#PLACE, as spine:#7");
  }
  (place ? failure.index : failure.count) = static_cast<int>(parsed.base);
  return failure;
}

FailedFabric fail_parts(const Fabric& fabric, std::span<const Failure> failures) {
  Damage damage(fabric);
  for (const Failure& failure : failures) damage.add(failure);
  return damage.result();
}

NetworkReach reach_of(const Fabric& whole, const Fabric& damaged) {
  const std::size_t none = whole.devices().size();
  const std::vector<std::size_t> before = port_parts(whole, none), after = port_parts(damaged, none);
  std::map<std::pair<std::size_t, std::size_t>, int> ports;  // by part before and after
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] != none && after[i] != none) ++ports[{before[i], after[i]}];
  }
  std::map<std::size_t, std::pair<std::size_t, int>> remains;  // of each part before: the largest after, and its ports
  for (const auto& [parts, number] : ports) {
    auto& largest = remains.try_emplace(parts.first, none, 0).first->second;
    if (number > largest.second) largest = {parts.second, number};
  }
  NetworkReach reach;
  const auto planes = static_cast<std::size_t>(whole.shape().planes);
  for (int gpu = 0; gpu < whole.shape().gpus; ++gpu) {
    std::size_t had = 0, has = 0;
    for (std::size_t plane = 0; plane < planes; ++plane) {
      const std::size_t i = static_cast<std::size_t>(gpu) * planes + plane;
      if (before[i] == none) continue;
      ++had;
      if (after[i] != none && remains.at(before[i]).first == after[i]) ++has;
    }
    if (had > 0 && has == 0) reach.cut_off.push_back(gpu);
    if (has > 0 && has < had) ++reach.degraded;
  }
  return reach;
}

}  // namespace railyard
