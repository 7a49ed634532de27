// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/link_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "calibrate/device/sample_statistics.h"

namespace railyard::device {
namespace {

constexpr double unequal_ratio = 1.5;  // classes of links differ by more, scatter and single slow links by less
constexpr double slow_share = 0.9;
constexpr double mesh_share = 0.7;  // of n - 1 pairs at once; a switch or a host link reaches 1 / (n - 1)
constexpr double host_ratio = 1.3;  // pairs no faster than this times the host link go over it

/// Devices that fast pairs join, by repeated merging.
std::vector<std::vector<int>> islands_of(const NodeLinks& links, double fast) {
  const std::size_t count = links.pairs.size();
  std::vector<std::size_t> label(count);
  for (std::size_t i = 0; i < count; ++i) label[i] = i;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      if (i == j || links.pairs[i][j] < fast) continue;
      const std::size_t low = std::min(label[i], label[j]), high = std::max(label[i], label[j]);
      std::replace(label.begin(), label.end(), high, low);
    }
  }
  std::vector<std::vector<int>> islands;
  for (std::size_t first = 0; first < count; ++first) {
    if (label[first] != first) continue;
    std::vector<int>& island = islands.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
      if (label[i] == first) island.push_back(static_cast<int>(i));
    }
  }
  return islands;
}

LinkShape shape_of(const NodeLinks& links, const FoundShape& found) {
  const std::size_t count = links.pairs.size();
  if (count == 2) return links.host > 0 && found.pair < host_ratio * links.host ? LinkShape::host : LinkShape::pair;
  if (found.spread > unequal_ratio - 1) return LinkShape::unequal;
  if (links.fan > mesh_share * static_cast<double>(count - 1) * found.pair) return LinkShape::mesh;
  const bool over_host = links.host > 0 && found.pair < host_ratio * links.host;
  return over_host ? LinkShape::host : LinkShape::switched;
}

}  // namespace

std::string to_string(LinkShape shape) {
  constexpr std::array<std::string_view, 6> names{"alone", "pair", "switched", "mesh", "host", "unequal"};
  return std::string(names.at(static_cast<std::size_t>(shape)));
}

FoundShape link_shape(const NodeLinks& links) {
  FoundShape found;
  std::vector<double> rates;
  for (std::size_t i = 0; i < links.pairs.size(); ++i) {
    for (std::size_t j = 0; j < links.pairs.size(); ++j) {
      if (i != j && links.pairs[i].at(j) > 0) rates.push_back(links.pairs[i][j]);
    }
  }
  if (rates.empty()) return found;
  const SampleStatistics all = statistics(rates);
  found.pair = all.median;
  // A single bad link is a slow link, not another class: the spread is that of the middle nine tenths.
  std::sort(rates.begin(), rates.end());
  const std::size_t cut = rates.size() / 20;
  found.spread = rates[rates.size() - 1 - cut] / rates[cut] - 1;
  found.shape = shape_of(links, found);
  if (found.shape == LinkShape::unequal) {
    found.islands = islands_of(links, all.high / unequal_ratio);
    return found;
  }
  for (std::size_t i = 0; i < links.pairs.size(); ++i) {
    for (std::size_t j = 0; j < links.pairs.size(); ++j) {
      const double rate = i == j ? 0 : links.pairs[i][j];
      if (rate > 0 && rate < slow_share * found.pair) found.slow.push_back(fmt::format("{} > {}", i, j));
    }
  }
  return found;
}

std::string describe_links(const FoundShape& found, const NodeLinks& links) {
  const double pair = 1e-9 * found.pair, fan = 1e-9 * links.fan;
  std::string text;
  switch (found.shape) {
    case LinkShape::alone:
      return {};
    case LinkShape::pair:
      text = fmt::format("pair: {:.0f} GB/s; one peer does not tell a switch from a mesh", pair);
      break;
    case LinkShape::switched:
      text = links.fan > 0
                 ? fmt::format("switched: any pair at {:.0f} GB/s, and {:.0f} GB/s from one to all others at once",
                               pair, fan)
                 : fmt::format("switched, or a mesh: all pairs at {:.0f} GB/s; copies to all at once were not measured",
                               pair);
      break;
    case LinkShape::mesh:
      text = fmt::format(
          "mesh: a link of {:.0f} GB/s for each pair, {:.0f} GB/s from one to all others at once; two GPUs "
          "see one link",
          pair, fan);
      break;
    case LinkShape::host:
      text = fmt::format("over the host's links: pairs at {:.0f} GB/s, as fast as the host link's {:.0f} GB/s", pair,
                         1e-9 * links.host);
      break;
    case LinkShape::unequal:
      text = fmt::format("unequal: pairs differ by {:.0f} %; near the fastest are", 100 * found.spread);
      for (const std::vector<int>& island : found.islands) {
        std::string names;
        for (const int each : island) names += (names.empty() ? "" : " ") + std::to_string(each);
        text += fmt::format(" {{{}}}", names);
      }
      break;
  }
  for (std::size_t i = 0; i < found.slow.size(); ++i) text += (i == 0 ? "; slow: " : ", ") + found.slow[i];
  return text;
}

}  // namespace railyard::device
