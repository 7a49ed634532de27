// SPDX-License-Identifier: Apache-2.0
#include "topologies/parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "base/text.h"
#include "topologies/words.h"

namespace railyard {

namespace {

template <class Part>
const Part& find(const std::map<std::string, Part, std::less<>>& parts, std::string_view what, std::string_view id) {
  if (const auto found = parts.find(id); found != parts.end()) return found->second;
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const auto& [name, part] : parts) names.push_back(name);
  throw InputError(fmt::format("{} '{}' is unknown", what, id), expected_names(id, names));
}

/// The numbers nearest to `count` that divide `other` or are its multiples: "4 or 8 NIC ports".
std::string fitting_counts(int count, int other, std::string_view word) {
  const auto fits = [&](int number) { return other % number == 0 || number % other == 0; };
  int below = count - 1, above = count + 1;
  while (below > 0 && !fits(below)) --below;
  while (!fits(above)) ++above;
  return below > 0 ? fmt::format("{} or {}", below, counted(above, word)) : counted(above, word);
}

/// A server's GPU and NIC exist, its cages hold its NIC ports, and scale-up domains are whole nodes or parts of one.
void check(const ServerPart& server, const Parts& parts) {
  const NicPart& nic = parts.nic(server.nic);
  const int domain = parts.gpu(server.gpu).scale_up_gpus;
  if (domain % server.gpus != 0 && server.gpus % domain != 0) {
    throw InputError(fmt::format("server '{}': {} and scale-up domains of {} do not fit each other", server.id,
                                 counted(server.gpus, "GPU"), domain),
                     "use " + fitting_counts(server.gpus, domain, "GPU"));
  }
  if (server.nics * nic.ports != server.ports()) {
    throw InputError(fmt::format("server '{}': {} of {} {} {}, but {} x {} {} {}", server.id,
                                 counted(server.cages, "cage"), counted(server.ports_per_cage, "port"),
                                 server.cages == 1 ? "holds" : "hold", counted(server.ports(), "NIC port"), server.nics,
                                 nic.id, server.nics == 1 ? "has" : "have", server.nics * nic.ports),
                     "make cages x ports_per_cage equal to nics x ports of the NIC");
  }
  if (server.gpus % server.ports() != 0 && server.ports() % server.gpus != 0) {
    const int ports = server.ports(), most = std::max(ports, server.gpus);
    throw InputError(
        fmt::format("server '{}': {} cannot share {} evenly: {} left over", server.id, counted(server.gpus, "GPU"),
                    counted(ports, "NIC port"), most % std::min(ports, server.gpus)),
        "use " + fitting_counts(ports, server.gpus, "NIC port"));
  }
  if (server.connector != nic.connector && server.ports_per_cage == nic.ports) {
    throw InputError(fmt::format("server '{}': its cages are {}, but those of its NIC '{}' are {}", server.id,
                                 server.connector, nic.id, nic.connector),
                     "name the connector of the NIC");
  }
}

/// A modular switch has the ports of its cards.
void equip(SwitchPart& part, const Parts& parts) {
  if (part.line_card.empty()) return;
  const LineCardPart& card = parts.line_card(part.line_card);
  part.cages = part.slots * card.cages;
  part.ports_per_cage = card.ports_per_cage;
  part.port_speed = card.port_speed;
  part.lane_rate = card.lane_rate;
  part.connector = card.connector;
}

}  // namespace

const GpuPart& Parts::gpu(std::string_view id) const {
  const std::string lower = lower_case(id);
  return find(gpus, "GPU", gpus.contains(lower) ? lower : id);
}
const NicPart& Parts::nic(std::string_view id) const { return find(nics, "NIC", id); }
const ServerPart& Parts::server(std::string_view id) const { return find(servers, "server", id); }
const SwitchPart& Parts::switch_part(std::string_view id) const { return find(switches, "switch", id); }
const LineCardPart& Parts::line_card(std::string_view id) const { return find(line_cards, "line card", id); }
const ModulePart& Parts::module(std::string_view id) const { return find(modules, "module", id); }
const CablePart& Parts::cable(std::string_view id) const { return find(cables, "cable", id); }

Parts load_parts(const std::filesystem::path& folder) {
  Parts parts;
  Diagnostics diagnostics;
  for (const std::string& name : yaml_names(folder)) {
    read_parts(YamlDocument::load(folder / (name + ".yaml")), parts, diagnostics);
  }
  diagnostics.throw_if_any();
  if (parts.gpus.empty()) {
    throw InputError(fmt::format("no parts in '{}'", folder.string()),
                     "expected YAML files as in topologies/FORMAT.md");
  }
  for (const auto& [id, server] : parts.servers) check(server, parts);
  for (auto& [id, part] : parts.switches) equip(part, parts);
  return parts;
}

}  // namespace railyard
