// SPDX-License-Identifier: Apache-2.0
#include "sim/study/collective_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/diagnostic.h"
#include "calibrate/profile/collective_law.h"
#include "sim/network/flow/slowdown.h"
#include "sim/network/network.h"
#include "sim/study/design_comparison.h"
#include "sim/study/failures.h"

namespace railyard {
namespace {

std::vector<int> ranks_of(const CollectiveQuestion& question, int cluster) {
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
      case RankPlacement::spread:
        gpu = static_cast<int>(static_cast<std::int64_t>(rank) * cluster / question.gpus);
        break;
    }
  }
  return ranks;
}

/// GPUs that have to be wired: whole nodes that hold all ranks, or what was asked for.
int cluster_size(const CollectiveQuestion& question, int gpus_per_node) {
  if (question.gpus < 2) throw InputError("a collective of one GPU moves nothing", "--gpus of 2 and more");
  const bool strided = question.placement == RankPlacement::strided;
  const std::int64_t last = static_cast<std::int64_t>(question.gpus - 1) * (strided ? question.stride : 1);
  const std::int64_t least = last + 1;
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

/// What one round of the collective puts on the links, for hashed routing.
Traffic traffic_of(Collective collective, std::span<const RankGroup> groups, ScaleUpKind kind) {
  constexpr int most = 1024;  // pairs of an all-to-all grow with the square
  if (collective == Collective::all_to_all && groups.front().size() <= most) return all_to_all_traffic(groups, 1);
  return ring_traffic(groups, 1, kind);
}

}  // namespace

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
  constexpr int most_pairs = 4096;  // every rank to every other: work grows with the square
  if (question.collective == Collective::all_to_all && question.gpus > most_pairs) {
    throw InputError(fmt::format("all_to_all over {} ranks is routed pair by pair", question.gpus),
                     fmt::format("--gpus of {} at most: beyond, bandwidth hardly changes", most_pairs));
  }
  const int cluster = cluster_size(question, server.gpus);
  const std::vector<int> ranks = ranks_of(question, cluster);
  const Fabric fabric = without(build_fabric(design, catalogue.parts(), server, cluster), question.failures);
  const Network network(fabric, profile, Speed::typical, design.fabric, gpu.scale_up_gpus, gpu.scale_up,
                        question.enabled);

  CollectiveAnswer answer{.design = design.id,
                          .gpu = gpu.id,
                          .profile = profile.id,
                          .library = {},
                          .cluster = cluster,
                          .rows = {},
                          .slowdown = {}};
  const CollectiveSpeeds speeds(profile.collective(design.fabric), Speed::typical, gpu.scale_up == ScaleUpKind::mesh);
  answer.library = std::string(speeds.library->name);
  const std::vector<TrafficTime> times = network.collective(question.collective, question.sizes, ranks);
  if (question.seeds > 0) {
    const FabricMap map(fabric, speeds.efficiency);
    std::vector<RankGroup> groups;
    groups.push_back(Placement(map, gpu.scale_up_gpus).group(ranks));
    EndLimits ends{.scale_up_gpus = gpu.scale_up_gpus, .scale_up = gpu.scale_up};
    (gpu.scale_up == ScaleUpKind::mesh ? ends.scale_up_link : ends.scale_up_port) =
        gpu.scale_up == ScaleUpKind::mesh ? speeds.link : speeds.ring;
    ends.efficiency = speeds.efficiency;
    std::vector<std::uint64_t> seeds(static_cast<std::size_t>(question.seeds));
    std::iota(seeds.begin(), seeds.end(), 1);
    const Spread spread = spread_of(ecmp_slowdowns(fabric, ends, {.spreading = Spreading::hashed},
                                                   traffic_of(question.collective, groups, gpu.scale_up), seeds));
    answer.slowdown = {spread.least, spread.median, spread.p90, spread.most};
  }
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
    if (answer.slowdown && row.limit != "latency" && row.limit != "scale-up") {
      row.time += (times[i].time - times[i].latency) * (answer.slowdown->median - 1);
      if (answer.slowdown->median > 1.01) row.limit = "collisions of hashed routes";
    }
    answer.rows.push_back(std::move(row));
  }
  return answer;
}

}  // namespace railyard
