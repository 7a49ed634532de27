// SPDX-License-Identifier: Apache-2.0
// A hash for seeded choices and fingerprints: the same on every machine.
#pragma once

#include <cstdint>

namespace railyard {

/// One step of splitmix64 (Steele, Lea, Flood 2014) over what was seen so far and the next word.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t seen, std::uint64_t next) {
  std::uint64_t x = (seen ^ next) + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Even in [0, 1).
[[nodiscard]] constexpr double unit_interval(std::uint64_t hash) { return static_cast<double>(hash >> 11U) * 0x1p-53; }

}  // namespace railyard
