// SPDX-License-Identifier: Apache-2.0
#include "topologies/advice.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "topologies/advice_search.h"

namespace railyard {

namespace {

/// Work for one refusal: two dozen cases of 131 072 GPUs, some seconds; any number of small ones.
constexpr double most_gpus_tried = 24 * 131072.0;

/// "use A, or B", "design A, B", by kinds with "; or " between.
std::string text_of(std::span<const Remedy> remedies) {
  struct Words {
    RemedyKind kind;
    std::string_view before, between;
  };
  static constexpr std::array words{Words{RemedyKind::gpus, "", ", or "}, Words{RemedyKind::option, "", "; or "},
                                    Words{RemedyKind::server, "", "; or "}, Words{RemedyKind::site, "", "; or "},
                                    Words{RemedyKind::design, "design ", ", "}};
  std::string text;
  for (const Words& each : words) {
    std::string of_kind;
    for (const Remedy& remedy : remedies) {
      if (remedy.kind != each.kind) continue;
      of_kind += fmt::format("{}{}", of_kind.empty() ? each.before : each.between, remedy.words);
    }
    if (!of_kind.empty()) text += fmt::format("{}{}", text.empty() ? "use " : "; or ", of_kind);
  }
  return text;
}

}  // namespace

Trials::Trials(const Parts& parts, const WiringCheck& check, int gpus)
    : parts_(&parts), check_(&check), left_(std::max(most_gpus_tried, 4.0 * gpus)) {}

bool Trials::fits(const WiringCase& changed) const {
  try {
    return !misfit_of(changed.design, *parts_, changed.server, changed.gpus);
  } catch (const InputError&) {
    return false;
  }
}

bool Trials::works(const WiringCase& changed) {
  if (left_ <= 0 || !fits(changed)) return false;
  constexpr int least = 4096;  // a small case costs the planning of its parts too
  left_ -= std::max(changed.gpus, least);
  try {
    (*check_)(changed);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<Remedy> remedies(const WiringCase& refused, const Parts& parts, const AdviceSources& shipped,
                             const WiringCheck& check) {
  Trials trials(parts, check, refused.gpus);
  std::vector<Remedy> found;
  if (refused.gpus % refused.server.gpus != 0 || refused.gpus <= 0) {  // nothing else need change
    advise_counts(refused, trials, found);
    if (!found.empty()) return found;
  }
  advise_sites(refused, shipped.sites, trials, found);
  advise_designs(refused.server.gpu, refused, shipped.designs, trials, found);
  advise_servers(refused, trials, found);
  advise_media(refused, trials, found);
  advise_counts(refused, trials, found);
  // Where a few nodes more will do, no option need change.
  const auto more = [&](const Remedy& each) {
    return each.kind == RemedyKind::gpus && each.changed.gpus > refused.gpus;
  };
  if (std::none_of(found.begin(), found.end(), more)) advise_options(refused, trials, found);
  // Two obstacles at once, the ports of the design and the racks or rows of the site.
  for (const Site& site : shipped.sites) {
    if (!found.empty() || !refused.site) break;
    WiringCase elsewhere = refused;
    elsewhere.site = site;
    advise_designs(refused.server.gpu, elsewhere, shipped.designs, trials, found);
    for (Remedy& each : found) each.words += " at site " + site.id;
  }
  return found;
}

std::vector<Remedy> designs_with(std::string_view gpu, const WiringCase& refused, const Parts& parts,
                                 const AdviceSources& shipped, const WiringCheck& check) {
  Trials trials(parts, check, refused.gpus);
  std::vector<Remedy> found;
  advise_designs(gpu, refused, shipped.designs, trials, found);
  return found;
}

InputError advised(const InputError& error, const WiringCase& refused, const Parts& parts, const AdviceSources& shipped,
                   const WiringCheck& check) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  const std::string advice = text_of(remedies(refused, parts, shipped, check));
  if (diagnostics.empty() || advice.empty()) return error;
  diagnostics.back().expected = advice;
  return InputError(std::move(diagnostics));
}

}  // namespace railyard
