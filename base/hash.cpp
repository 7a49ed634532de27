// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>

#include <cstdint>

namespace railyard {

std::string hash_text(std::initializer_list<std::string_view> texts) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](unsigned char c) { hash = (hash ^ c) * 1099511628211ULL; };
  for (const std::string_view text : texts) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(0);  // keeps {"ab", "c"} apart from {"a", "bc"}
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace railyard
