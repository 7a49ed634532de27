// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace railyard {

/// Texts that several subjects share, each once with the names of all that share it, in the order of their coming.
class SharedTexts {
 public:
  void add(const std::string& text, const std::string& name) {
    const auto found = std::find_if(list_.begin(), list_.end(), [&](const auto& each) { return each.first == text; });
    if (found == list_.end()) {
      list_.push_back({text, {name}});
    } else {
      found->second.push_back(name);
    }
  }
  [[nodiscard]] const std::vector<std::pair<std::string, std::vector<std::string>>>& list() const { return list_; }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> list_;
};

}  // namespace railyard
