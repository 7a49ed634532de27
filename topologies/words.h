// SPDX-License-Identifier: Apache-2.0
// Counts in plain English, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace railyard {

/// "1 switch", "2 switches": the word as it is for one, with `plural` or an s for the rest.
inline std::string counted(std::int64_t count, std::string_view word, std::string_view plural = {}) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(word);
  return plural.empty() ? text.append(word) + "s" : text.append(plural);
}

}  // namespace railyard
