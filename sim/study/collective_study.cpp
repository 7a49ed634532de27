// SPDX-License-Identifier: Apache-2.0
#include "sim/study/collective_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/diagnostic.h"
#include "calibrate/profile/collective_law.h"
#include "sim/network/flow/slowdown.h"
#include "sim/network/network.h"
#include "sim/study/design_comparison.h"
#include "sim/study/failures.h"
#include "sim/study/limits.h"

namespace railyard {
namespace {

std::vector<int> ranks_of(const CollectiveQuestion& question, int cluster, int scale_up_gpus) {
  std::vector<int> ranks(static_cast<std::size_t>(question.gpus));
  for (int rank = 0; rank < question.gpus; ++rank) {
    int& gpu = ranks[static_cast<std::size_t>(rank)];
    switch (question.placement) {
      case RankPlacement::contiguous:
        gpu = rank;
        break;
      case RankPlacement::strided:
        gpu = rank * question.stride;
        break;
      case RankPlacement::by_domain:
        gpu = rank / question.stride * scale_up_gpus + rank % question.stride;
        break;
      case RankPlacement::spread:
        gpu = static_cast<int>(static_cast<std::int64_t>(rank) * cluster / question.gpus);
        break;
    }
  }
  return ranks;
}

/// GPUs that have to be wired: whole nodes that hold all ranks, or what was asked for.
int cluster_size(const CollectiveQuestion& question, int gpus_per_node, int scale_up_gpus) {
  if (question.gpus < 2) throw InputError("a collective of one GPU moves nothing", "--gpus of 2 and more");
  const std::int64_t ranks = question.gpus, stride = question.stride;
  std::int64_t last = ranks - 1;
  if (question.placement == RankPlacement::strided) last *= stride;
  if (question.placement == RankPlacement::by_domain) {
    if (stride > scale_up_gpus) {
      throw InputError(fmt::format("{} ranks in each scale-up domain", stride),
                       fmt::format("{} at most: a domain has no more GPUs", scale_up_gpus));
    }
    last = (ranks - 1) / stride * scale_up_gpus + (ranks - 1) % stride;
  }
  const std::int64_t least = last + 1;
  if (least > largest_cluster) {
    throw InputError(fmt::format("{} ranks so far apart reach GPU {}", ranks, last),
                     fmt::format("a smaller stride: at most {} GPUs are wired", largest_cluster));
  }
  if (question.cluster > 0 && question.cluster < least) {
    throw InputError(fmt::format("{} ranks do not fit {} GPUs", question.gpus, question.cluster),
                     fmt::format("--cluster of {} and more", least));
  }
  const std::int64_t wanted = std::max<std::int64_t>(question.cluster, least);
  return static_cast<int>((wanted + gpus_per_node - 1) / gpus_per_node * gpus_per_node);
}

Fabric without(const Fabric& fabric, const std::vector<std::string>& texts) {
  std::vector<Failure> failures;
  for (const std::string& text : texts) failures.push_back(parse_failure(text));
  return fail_parts(fabric, failures).fabric;
}

/// What an algorithm puts on the links; nothing for one whose traffic is not hashed: inside a domain, or over the trees
/// of the switches that reduce.
std::optional<HashedTraffic> hashed_traffic(Collective collective, std::string_view algorithm) {
  const std::optional<CollectiveAlgorithm> named = algorithm_named(algorithm);
  if (collective == Collective::send_receive) return HashedTraffic::neighbours;
  if (!named) return {};
  switch (*named) {
    case CollectiveAlgorithm::ring:
    case CollectiveAlgorithm::hierarchical_ring:
      return collective == Collective::broadcast ? HashedTraffic::pipeline : HashedTraffic::rings;
    case CollectiveAlgorithm::tree:
    case CollectiveAlgorithm::nvls_tree:
    case CollectiveAlgorithm::pat:
      return HashedTraffic::trees;
    case CollectiveAlgorithm::direct:
    case CollectiveAlgorithm::hierarchical_all_to_all:
      return HashedTraffic::pairs;
    case CollectiveAlgorithm::nvls:
    case CollectiveAlgorithm::collnet_direct:
    case CollectiveAlgorithm::collnet_chain:
      break;
  }
  return {};
}

Traffic traffic_of(HashedTraffic kind, std::span<const RankGroup> groups, ScaleUpKind inside) {
  constexpr int most = 2048;  // pairs grow with the square
  switch (kind) {
    case HashedTraffic::neighbours:
      return neighbour_traffic(groups, 1);
    case HashedTraffic::pipeline:
      return broadcast_traffic(groups, 1, inside);
    case HashedTraffic::trees:
      return tree_traffic(groups, 1, inside);
    case HashedTraffic::rings:
      return ring_traffic(groups, 1, inside);
    case HashedTraffic::pairs:
      break;
  }
  if (groups.front().size() > most) {
    throw InputError(fmt::format("hashed routes of all {} pairs of ranks", groups.front().size()),
                     fmt::format("--gpus of {} at most with --routing ecmp and all_to_all", most));
  }
  return all_to_all_traffic(groups, 1);
}

/// Slowdown of hashed routing for each traffic that some row sends.
std::map<HashedTraffic, HashedSlowdown> slowdowns_of(const CollectiveQuestion& question, const Fabric& fabric,
                                                     const GpuPart& gpu, const CollectiveSpeeds& speeds,
                                                     std::span<const int> ranks, std::span<const TrafficTime> times) {
  const FabricMap map(fabric, speeds.efficiency);
  std::vector<RankGroup> groups;
  groups.push_back(Placement(map, gpu.scale_up_gpus).group(ranks));
  EndLimits ends{.scale_up_gpus = gpu.scale_up_gpus, .scale_up = gpu.scale_up};
  (gpu.scale_up == ScaleUpKind::mesh ? ends.scale_up_link : ends.scale_up_port) =
      gpu.scale_up == ScaleUpKind::mesh ? speeds.link : speeds.ring;
  ends.efficiency = speeds.efficiency;
  std::vector<std::uint64_t> seeds(static_cast<std::size_t>(question.seeds));
  std::iota(seeds.begin(), seeds.end(), 1);
  std::map<HashedTraffic, HashedSlowdown> result;
  for (const TrafficTime& time : times) {
    const std::optional<HashedTraffic> kind = hashed_traffic(question.collective, time.algorithm);
    if (!kind || result.contains(*kind)) continue;
    const Spread spread = spread_of(
        ecmp_slowdowns(fabric, ends, {.spreading = Spreading::hashed}, traffic_of(*kind, groups, gpu.scale_up), seeds));
    result[*kind] = {*kind, spread.least, spread.median, spread.p90, spread.most};
  }
  return result;
}

}  // namespace

std::string_view to_string(HashedTraffic traffic) {
  switch (traffic) {
    case HashedTraffic::neighbours:
      return "neighbours";
    case HashedTraffic::pairs:
      return "pairs";
    case HashedTraffic::pipeline:
      return "pipeline";
    case HashedTraffic::rings:
      return "rings";
    case HashedTraffic::trees:
      break;
  }
  return "trees";
}

std::vector<Bytes> usual_sizes() {
  std::vector<Bytes> sizes;
  for (Bytes size = kibibyte; size <= 16 * gibibyte; size += size) sizes.push_back(size);
  return sizes;
}

Profile profile_for(std::string_view gpu, std::string_view fabric, const Catalogue& catalogue) {
  for (const std::string& name : catalogue.profiles()) {
    Profile profile = catalogue.profile(name);
    if (profile.gpu == gpu && profile.collectives.contains(std::string(fabric))) return profile;
  }
  throw InputError(fmt::format("no profile of '{}' knows collectives over '{}'", gpu, fabric),
                   "name one with --profile, or add the fabric to a profile (calibrate/FORMAT.md)");
}

CollectiveAnswer time_collective(const CollectiveQuestion& question, const Catalogue& catalogue) {
  const Design design = catalogue.design(question.design);
  const GpuPart& gpu = catalogue.parts().gpu(gpu_or_first(question.gpu, design, catalogue.parts()));
  const ServerPart& server = server_for(design, catalogue.parts(), gpu.id);
  const Profile profile =
      question.profile.empty() ? profile_for(gpu.id, design.fabric, catalogue) : catalogue.profile(question.profile);
  if (profile.gpu != gpu.id) {
    throw InputError(fmt::format("profile '{}' is of {}, the GPUs are {}", profile.id, profile.gpu, gpu.id),
                     fmt::format("a profile of {}", gpu.id));
  }
  const int cluster = cluster_size(question, server.gpus, gpu.scale_up_gpus);
  const std::vector<int> ranks = ranks_of(question, cluster, gpu.scale_up_gpus);
  const Fabric fabric = without(build_fabric(design, catalogue.parts(), server, cluster), question.failures);
  const Network network(fabric, profile, Speed::typical, design.fabric, gpu.scale_up_gpus, gpu.scale_up,
                        question.enabled);

  CollectiveAnswer answer{.design = design.id,
                          .gpu = gpu.id,
                          .profile = profile.id,
                          .library = {},
                          .cluster = cluster,
                          .rows = {},
                          .slowdowns = {}};
  const CollectiveSpeeds speeds(profile.collective(design.fabric), Speed::typical, gpu.scale_up == ScaleUpKind::mesh);
  answer.library = std::string(speeds.library->name);
  const std::vector<TrafficTime> times = network.collective(question.collective, question.sizes, ranks);
  std::map<HashedTraffic, HashedSlowdown> slowdowns;
  if (question.seeds > 0) slowdowns = slowdowns_of(question, fabric, gpu, speeds, ranks, times);
  for (const auto& [kind, slowdown] : slowdowns) answer.slowdowns.push_back(slowdown);
  std::set<int> nodes;
  for (const int rank : ranks) nodes.insert(rank / server.gpus);
  for (std::size_t i = 0; i < times.size(); ++i) {
    CollectiveRow row{.collective = question.collective,
                      .bytes = question.sizes[i],
                      .gpus = question.gpus,
                      .nodes = static_cast<int>(nodes.size()),
                      .time = times[i].time,
                      .algorithm = std::string(times[i].algorithm),
                      .protocol = std::string(times[i].protocol),
                      .limit = times[i].limit};
    // Collisions stretch what the network moves, not the latency.
    const std::optional<HashedTraffic> kind = hashed_traffic(question.collective, times[i].algorithm);
    const auto slowdown = kind ? slowdowns.find(*kind) : slowdowns.end();
    if (slowdown != slowdowns.end() && row.limit != "latency" && row.limit != "scale-up") {
      row.time += (times[i].time - times[i].latency) * (slowdown->second.median - 1);
      if (slowdown->second.median > 1.01) row.limit = "collisions of hashed routes";
    }
    answer.rows.push_back(std::move(row));
  }
  return answer;
}

}  // namespace railyard
