// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace railyard {

int edit_distance(std::string_view a, std::string_view b) {
  // Rows of the optimal-string-alignment table: two back, one back, current.
  std::vector<int> older(b.size() + 1), old(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) old[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], older[j - 2] + 1);
    }
    older.swap(old);
    old.swap(row);
  }
  return old[b.size()];
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  if (name.size() > 100) return {};  // no name of ours is near, and the table would grow with hostile input
  std::string best;
  int best_distance = 4;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    const auto longer = static_cast<int>(std::max(name.size(), candidate.size()));
    if (distance < best_distance && 2 * distance < longer) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string expected_names(std::string_view name, std::span<const std::string> candidates) {
  const std::string nearest = nearest_name(name, candidates);
  std::string text;
  if (candidates.size() <= 8 || nearest.empty()) {
    constexpr std::size_t most = 24;
    for (std::size_t i = 0; i < candidates.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + candidates[i];
    if (candidates.size() > most) text += ", ...";
    text = "expected one of: " + text;
  }
  if (!nearest.empty()) text += (text.empty() ? "did you mean '" : "; did you mean '") + nearest + "'?";
  return text;
}

}  // namespace railyard
