// SPDX-License-Identifier: Apache-2.0
// Which links share cages: the ports of one cage take one module, so that links which meet in cages, directly or by
// others, get one medium. Used by cable_schedule.cpp alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/cabling.h"

namespace railyard {

class CageGroups {
 public:
  CageGroups(const Fabric& fabric, const Cabling& cabling);

  [[nodiscard]] std::size_t count() const { return first_.size() - 1; }
  /// Links of a group, in wiring order; groups in the order of their first links.
  [[nodiscard]] std::span<const LinkId> links(std::size_t group) const {
    return std::span(members_).subspan(first_[group], first_[group + 1] - first_[group]);
  }
  /// The cage at one end of a link, numbered through all devices.
  [[nodiscard]] std::uint32_t lower_cage(LinkId link) const { return lower_[static_cast<std::size_t>(link)]; }
  [[nodiscard]] std::uint32_t upper_cage(LinkId link) const { return upper_[static_cast<std::size_t>(link)]; }

 private:
  std::vector<std::uint32_t> lower_, upper_;  // by link
  std::vector<std::uint32_t> first_;          // of members_, one more than groups
  std::vector<LinkId> members_;
};

}  // namespace railyard
