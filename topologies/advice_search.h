// SPDX-License-Identifier: Apache-2.0
// The search for remedies. Used by the sources of advice alone.
#pragma once

#include <vector>

#include "topologies/advice.h"

namespace railyard {

/// Tries cases. The ports are counted first: a case that they rule out costs nothing.
class Trials {
 public:
  Trials(const Parts& parts, const WiringCheck& check, int gpus);

  [[nodiscard]] const Parts& parts() const { return *parts_; }
  /// Whether ends and ports allow it, without wiring.
  [[nodiscard]] bool fits(const WiringCase& changed) const;
  /// Whether it passes the check. False, untried, when the work that is allowed for is used up.
  [[nodiscard]] bool works(const WiringCase& changed);

 private:
  const Parts* parts_;
  const WiringCheck* check_;
  double left_;  // GPUs to wire before it gives up
};

// Each adds remedies of its kind.
void advise_counts(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies);
void advise_options(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies);
void advise_media(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies);
void advise_servers(const WiringCase& refused, Trials& trials, std::vector<Remedy>& remedies);
void advise_designs(std::string_view gpu, const WiringCase& refused, std::span<const Design> designs, Trials& trials,
                    std::vector<Remedy>& remedies);
void advise_sites(const WiringCase& refused, std::span<const Site> sites, Trials& trials,
                  std::vector<Remedy>& remedies);

}  // namespace railyard
