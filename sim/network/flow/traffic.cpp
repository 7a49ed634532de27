// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/traffic.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/index.h"
#include "sim/network/double_tree.h"
#include "sim/network/flow/mix.h"

namespace railyard {
namespace {

/// Seeded numbers, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mixed(seed, 0)) {}
  double unit() { return unit_interval(state_ = mixed(state_, 1)); }
  /// In [0, count).
  int below(int count) { return std::min(static_cast<int>(unit() * count), count - 1); }

 private:
  std::uint64_t state_;
};

/// What the chains (or, closed, the rings) of all channels send inside a domain when an edge carries `bytes`.
void add_inside(std::span<const int> ranks, double bytes, bool closed, ScaleUpKind inside, Traffic& traffic) {
  const auto count = static_cast<double>(ranks.size());
  if (ranks.size() < 2) return;
  const double from_each = closed ? bytes : bytes * (count - 1) / count;  // a chain has one edge less than ranks
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (inside == ScaleUpKind::switched) {
      traffic.push_back({ranks[i], ranks[(i + 1) % ranks.size()], from_each});
      continue;
    }
    for (const int to : ranks) {
      if (to != ranks[i]) traffic.push_back({ranks[i], to, from_each / (count - 1)});
    }
  }
}

/// Between two domains, as many channels as the larger has ranks; each enters and leaves by its own rail.
void add_channels(std::span<const int> from, std::span<const int> to, double bytes, Traffic& traffic) {
  const std::size_t channels = std::max(from.size(), to.size());
  for (std::size_t channel = 0; channel < channels; ++channel) {
    traffic.push_back({from[channel % from.size()], to[channel % to.size()], bytes / static_cast<double>(channels)});
  }
}

Traffic around(std::span<const RankGroup> groups, double bytes, ScaleUpKind inside, bool close) {
  Traffic traffic;
  for (const RankGroup& group : groups) {
    const std::size_t domains = group.domains.size();
    for (std::size_t domain = 0; domain < domains; ++domain) {
      const std::span<const int> here = group.domains[domain], next = group.domains[(domain + 1) % domains];
      add_inside(here, bytes, domains == 1, inside, traffic);
      if (domains == 1 || (!close && domain + 1 == domains)) continue;
      add_channels(here, next, bytes, traffic);
    }
  }
  return traffic;
}

/// Draws different experts by popularity.
class Popularity {
 public:
  Popularity(const ExpertDispatch& dispatch, Random& random) : experts_(at(dispatch.experts)) {
    std::iota(experts_.begin(), experts_.end(), 0);
    for (int i = dispatch.experts - 1; i > 0; --i) std::swap(experts_[at(i)], experts_[at(random.below(i + 1))]);
    for (int i = 0; i < dispatch.experts; ++i) {
      const double before = sums_.empty() ? 0 : sums_.back();
      sums_.push_back(before + std::pow(i + 1, -dispatch.skew));
    }
  }
  /// One after the other, each among those that are left.
  void draw(int count, Random& random, std::vector<int>& drawn) const {
    drawn.clear();
    std::vector<std::size_t> places;
    while (std::ssize(drawn) < count) {
      // The weight that is left, walked over past what was taken.
      double left = sums_.back();
      for (const std::size_t place : places) left -= weight(place);
      double goal = random.unit() * left;
      std::ranges::sort(places);
      for (const std::size_t place : places) {
        const double before = sums_[place] - weight(place);
        if (goal >= before) goal += weight(place);
      }
      auto place = static_cast<std::size_t>(std::ranges::upper_bound(sums_, goal) - sums_.begin());
      place = std::min(place, sums_.size() - 1);
      while (std::ranges::find(places, place) != places.end()) place = (place + 1) % sums_.size();  // rounding
      places.push_back(place);
      drawn.push_back(experts_[place]);
    }
  }

 private:
  [[nodiscard]] double weight(std::size_t place) const { return sums_[place] - (place > 0 ? sums_[place - 1] : 0); }
  std::vector<int> experts_;  // most popular first
  std::vector<double> sums_;  // of weights up to each
};

}  // namespace

Traffic ring_traffic(std::span<const RankGroup> groups, double bytes, ScaleUpKind inside) {
  return around(groups, bytes, inside, true);
}

Traffic broadcast_traffic(std::span<const RankGroup> groups, double bytes, ScaleUpKind inside) {
  return around(groups, bytes, inside, false);
}

Traffic tree_traffic(std::span<const RankGroup> groups, double bytes, ScaleUpKind inside) {
  Traffic traffic;
  std::array<TreeParents, 2> trees;
  for (const RankGroup& group : groups) {
    const std::size_t domains = group.domains.size();
    // Inside, every byte goes up the chain and down again.
    for (const std::span<const int> domain : group.domains) {
      add_inside(domain, bytes, false, inside, traffic);
      add_inside(domain, bytes, false, inside, traffic);
    }
    if (domains == 1) continue;
    if (trees.front().size() != domains) trees = double_binary_tree(static_cast<int>(domains));
    for (const TreeParents& parents : trees) {
      for (std::size_t node = 0; node < domains; ++node) {
        if (parents[node] < 0) continue;
        const std::span<const int> child = group.domains[node], parent = group.domains[at(parents[node])];
        add_channels(child, parent, bytes / 2, traffic);
        add_channels(parent, child, bytes / 2, traffic);
      }
    }
  }
  return traffic;
}

Traffic neighbour_traffic(std::span<const RankGroup> groups, double bytes) {
  Traffic traffic;
  for (const RankGroup& group : groups) {
    for (std::size_t rank = 0; rank < group.gpus.size(); ++rank)
      traffic.push_back({group.gpus[rank], group.gpus[(rank + 1) % group.gpus.size()], bytes});
  }
  return traffic;
}

Traffic shift_traffic(int gpus, int stride, double bytes) {
  Traffic traffic;
  const int shift = (stride % gpus + gpus) % gpus;
  if (shift == 0) return traffic;
  traffic.reserve(at(gpus));
  for (int gpu = 0; gpu < gpus; ++gpu) traffic.push_back({gpu, (gpu + shift) % gpus, bytes});
  return traffic;
}

Traffic permutation_traffic(int gpus, double bytes, std::uint64_t seed) {
  // Sattolo 1986: all permutations of one cycle are equally likely, and none of these has a fixed point.
  std::vector<int> targets(at(gpus));
  std::iota(targets.begin(), targets.end(), 0);
  Random random(seed);
  for (int i = gpus - 1; i > 0; --i) std::swap(targets[at(i)], targets[at(random.below(i))]);
  Traffic traffic;
  if (gpus < 2) return traffic;
  traffic.reserve(at(gpus));
  for (int gpu = 0; gpu < gpus; ++gpu) traffic.push_back({gpu, targets[at(gpu)], bytes});
  return traffic;
}

Traffic all_to_all_traffic(std::span<const RankGroup> groups, double bytes) {
  Traffic traffic;
  for (const RankGroup& group : groups) {
    for (const int from : group.gpus) {
      for (const int to : group.gpus) {
        if (to != from) traffic.push_back({from, to, bytes / group.size()});
      }
    }
  }
  return traffic;
}

Traffic dispatch_traffic(std::span<const RankGroup> groups, double bytes, const ExpertDispatch& dispatch) {
  Random random(dispatch.seed);
  const Popularity popularity(dispatch, random);
  Traffic traffic;
  std::vector<int> drawn;
  std::vector<int> copies;  // by rank
  for (const RankGroup& group : groups) {
    if (dispatch.experts < 1 || dispatch.experts % group.size() != 0 || dispatch.top_k > dispatch.experts) {
      throw InputError(
          fmt::format("{} experts, {} for a token, on {} GPUs", dispatch.experts, dispatch.top_k, group.size()),
          "as many experts on every GPU, and no more for a token than there are");
    }
    const int on_rank = dispatch.experts / group.size();
    for (const int from : group.gpus) {
      copies.assign(at(group.size()), 0);
      for (int token = 0; token < dispatch.tokens; ++token) {
        popularity.draw(dispatch.top_k, random, drawn);
        for (const int expert : drawn) ++copies[at(expert / on_rank)];
      }
      const double of_copy = bytes / (static_cast<double>(dispatch.tokens) * dispatch.top_k);
      for (int rank = 0; rank < group.size(); ++rank) {
        const int to = group.gpus[at(rank)];
        if (to != from && copies[at(rank)] > 0) traffic.push_back({from, to, copies[at(rank)] * of_copy});
      }
    }
  }
  return traffic;
}

Traffic incast_traffic(std::span<const RankGroup> groups, double bytes) {
  Traffic traffic;
  for (const RankGroup& group : groups) {
    for (std::size_t rank = 1; rank < group.gpus.size(); ++rank) {
      traffic.push_back({group.gpus[rank], group.gpus.front(), bytes});
    }
  }
  return traffic;
}

}  // namespace railyard
