// SPDX-License-Identifier: Apache-2.0
// GPU counts near a refused one that work.
#include <algorithm>

#include <fmt/format.h>

#include "topologies/advice_search.h"
#include "topologies/words.h"

namespace railyard {

namespace {

WiringCase at_size(const WiringCase& refused, std::int64_t gpus) {
  WiringCase changed = refused;
  changed.gpus = static_cast<int>(gpus);
  return changed;
}

/// What keeps the ports of the case, when they do; of whole nodes.
std::optional<Misfit> misfit_at(const WiringCase& refused, const Trials& trials, std::int64_t gpus) {
  try {
    return misfit_of(refused.design, trials.parts(), refused.server, static_cast<int>(gpus));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The largest count at or below `from` whose ports suffice, 0 when none does. Below a limit only the last nodes of a
/// pod can be in the way, so few steps are enough; a family that fits nothing is found out by its smallest count.
std::int64_t fitting_below(const WiringCase& refused, const Trials& trials, std::int64_t from) {
  constexpr int most_steps = 4096;
  const int node = refused.server.gpus;
  if (from < node || !trials.fits(at_size(refused, node))) return 0;
  std::int64_t gpus = from / node * node;
  for (int step = 0; step < most_steps && gpus > 0; ++step, gpus -= node) {
    if (trials.fits(at_size(refused, gpus))) return gpus;
  }
  return 0;
}

/// GPUs of a whole pod when so many are wired; of a node where that cannot be told.
std::int64_t gpus_of_pod(const WiringCase& refused, const Trials& trials, std::int64_t gpus) {
  try {
    const Fabric fabric = wire_fabric(refused.design, trials.parts(), refused.server, static_cast<int>(gpus));
    return std::int64_t{std::max(1, fabric.shape().nodes_per_pod)} * refused.server.gpus;
  } catch (const InputError&) {
    return refused.server.gpus;
  }
}

/// The largest count of whole `step`s between one that works and one that does not, of which one more does not work.
std::int64_t bisected(const WiringCase& refused, Trials& trials, std::int64_t works, std::int64_t fails,
                      std::int64_t step) {
  std::int64_t low = works / step, high = (fails + step - 1) / step;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2, gpus = fitting_below(refused, trials, middle * step);
    if (gpus > works && trials.works(at_size(refused, gpus))) {
      low = middle, works = gpus;
    } else {
      high = middle;
    }
  }
  return works;
}

/// The largest count at or below `from` that works. Where the ports suffice and something else does not (a cable that
/// does not reach), it is one of whole pods, or within the first pod of whole nodes.
std::int64_t working_below(const WiringCase& refused, Trials& trials, std::int64_t from) {
  const std::int64_t fitting = fitting_below(refused, trials, from);
  if (fitting == 0) return 0;
  if (fitting < refused.gpus && trials.works(at_size(refused, fitting))) return fitting;
  const std::int64_t node = refused.server.gpus;
  if (fitting == node || !trials.works(at_size(refused, node))) return 0;
  const std::int64_t pod = gpus_of_pod(refused, trials, fitting);
  const std::int64_t pods = bisected(refused, trials, node, fitting, pod);
  return pods > node ? pods : bisected(refused, trials, node, std::min(pod, fitting), node);
}

/// The next count that works where a few nodes more are what is wanted: another pod, or a whole node.
std::int64_t working_above(const WiringCase& refused, Trials& trials) {
  const int node = refused.server.gpus, most_steps = trials.parts().switch_part(refused.design.switch_id).ports();
  const std::int64_t whole = std::max(refused.gpus, 0) / node * node;
  for (std::int64_t step = 1; step <= most_steps && whole + step * node <= most_wired_gpus; ++step) {
    const WiringCase changed = at_size(refused, whole + step * node);
    if (trials.fits(changed)) return trials.works(changed) ? changed.gpus : 0;
  }
  return 0;
}

}  // namespace

void advise_counts(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies) {
  const bool whole = refused.gpus > 0 && refused.gpus % refused.server.gpus == 0;
  const std::int64_t asked = std::clamp(refused.gpus, 0, most_wired_gpus);
  const std::optional<Misfit> misfit = whole ? misfit_at(refused, trials, asked) : std::nullopt;
  const std::int64_t below = working_below(refused, trials, misfit ? std::min(misfit->limit, asked) : asked);
  // Where the ports suffice as they are, more GPUs need longer cables still.
  const std::int64_t above = !whole || misfit ? working_above(refused, trials) : 0;
  const std::string beyond = misfit && !misfit->room_of.empty() ? ", " + misfit->room_of : "";
  if (below > 0) remedies.push_back({RemedyKind::gpus, counted(below, "GPU"), at_size(refused, below)});
  if (above > 0) {
    remedies.push_back({RemedyKind::gpus, (below > 0 ? std::to_string(above) : counted(above, "GPU")) + beyond,
                        at_size(refused, above)});
  }
}

}  // namespace railyard
