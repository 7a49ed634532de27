// SPDX-License-Identifier: Apache-2.0
// What NetBox has no field for stands in descriptions as words "name=value"; the tables that name them are those of
// GraphML. Private to topologies/exchange.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railyard {

/// "a=1 b=2" as pairs in order; a word without '=' has an empty name.
[[nodiscard]] inline std::vector<std::pair<std::string_view, std::string_view>> remarks_of(std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      pairs.emplace_back(std::string_view(), word);
    } else {
      pairs.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  return pairs;
}

}  // namespace railyard
