// SPDX-License-Identifier: Apache-2.0
// Other designs and servers that a refused case can be had with.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "topologies/advice_search.h"
#include "topologies/words.h"

namespace railyard {

namespace {

Bandwidth bandwidth_of_gpu(const ServerPart& server, const Parts& parts) {
  return parts.nic(server.nic).port_speed.value.typical * server.ports() / server.gpus;
}

/// What differs between two cases: how far one is from the other.
std::vector<std::string_view> differences(const WiringCase& a, const WiringCase& b, const Parts& parts) {
  const Design &x = a.design, &y = b.design;
  std::vector<std::string_view> found;
  const auto note = [&](std::string_view what, bool differs) {
    if (differs) found.push_back(what);
  };
  note("fabric", x.fabric != y.fabric);
  note("topology", x.topology != y.topology);
  note("bandwidth", bandwidth_of_gpu(a.server, parts) != bandwidth_of_gpu(b.server, parts));
  note("server", a.server.id != b.server.id);
  note("switch", x.switch_id != y.switch_id);
  note("planes", x.planes != y.planes);
  note("oversubscription",
       x.oversubscription != y.oversubscription || x.leaf_ports.has_value() != y.leaf_ports.has_value());
  return found;
}

/// As many GPUs in whole nodes, or a few more.
int whole_nodes(int gpus, const ServerPart& server) {
  const std::int64_t nodes = (std::max<std::int64_t>(gpus, 1) + server.gpus - 1) / server.gpus;
  return static_cast<int>(std::min<std::int64_t>(nodes * server.gpus, most_wired_gpus / server.gpus * server.gpus));
}

/// Another number of NICs, in cages of as many ports.
std::optional<ServerPart> with_nics(const ServerPart& server, const Parts& parts, int nics) {
  const int ports = nics * parts.nic(server.nic).ports;
  if (ports % server.ports_per_cage != 0) return std::nullopt;
  ServerPart changed = server;
  changed.nics = nics;
  changed.cages = ports / server.ports_per_cage;
  return changed;
}

}  // namespace

void advise_designs(std::string_view gpu, const WiringCase& refused, std::span<const Design> designs, Trials& trials,
                    std::vector<Remedy>& remedies) {
  constexpr std::size_t most = 3;
  struct Candidate {
    WiringCase changed;
    std::vector<std::string_view> differs;
  };
  std::vector<Candidate> candidates;
  for (const Design& design : designs) {
    if (design.id == refused.design.id) continue;
    try {
      WiringCase changed{design, server_for(design, trials.parts(), gpu), refused.gpus, refused.site};
      changed.gpus = whole_nodes(refused.gpus, changed.server);
      if (!trials.fits(changed)) continue;
      std::vector<std::string_view> differs = differences(refused, changed, trials.parts());
      candidates.push_back({std::move(changed), std::move(differs)});
    } catch (const InputError&) {
      continue;  // takes no such GPU
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.differs.size() < b.differs.size(); });
  std::size_t found = 0;
  for (Candidate& each : candidates) {
    if (found == most) return;
    if (!trials.works(each.changed)) continue;
    std::string words = each.changed.design.id;
    if (!each.differs.empty()) words += fmt::format(" (other {})", fmt::join(each.differs, ", "));
    // What a command takes when it is not told.
    const std::string& own = trials.parts().server(each.changed.design.servers.front()).gpu;
    if (own != gpu) words += fmt::format(" with GPU {}", gpu);
    if (each.changed.gpus != refused.gpus) words += fmt::format(" with {}", counted(each.changed.gpus, "GPU"));
    remedies.push_back({RemedyKind::design, std::move(words), std::move(each.changed)});
    ++found;
  }
}

void advise_servers(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies) {
  const Parts& parts = trials.parts();
  for (const std::string& id : refused.design.servers) {
    const auto other = parts.servers.find(id);
    if (other == parts.servers.end() || id == refused.server.id || other->second.gpu != refused.server.gpu) continue;
    WiringCase changed = refused;
    changed.server = other->second;
    if (changed.gpus % changed.server.gpus != 0 || !trials.works(changed)) continue;
    remedies.push_back({RemedyKind::server, fmt::format("server {}", id), std::move(changed)});
    break;
  }
  try {
    static_cast<void>(misfit_of(refused.design, parts, refused.server, refused.server.gpus));
    return;  // its NICs suit the design
  } catch (const InputError&) {
    // They may not: then the nearest numbers that do.
  }
  constexpr int most_nics = 64;
  const auto try_nics = [&](int nics) {
    const std::optional<ServerPart> server = with_nics(refused.server, parts, nics);
    if (!server) return false;
    WiringCase changed = refused;
    changed.server = *server;
    if (!trials.works(changed)) return false;
    remedies.push_back({RemedyKind::server, fmt::format("a server of {}", counted(nics, "NIC")), std::move(changed)});
    return true;
  };
  for (int nics = refused.server.nics - 1; nics > 0 && !try_nics(nics); --nics) {
  }
  for (int nics = refused.server.nics + 1; nics <= most_nics && !try_nics(nics); ++nics) {
  }
}

}  // namespace railyard
