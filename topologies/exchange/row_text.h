// SPDX-License-Identifier: Apache-2.0
// Rows of long files, piece by piece and without intermediate strings: what a row costs is the copying of its bytes.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace railyard {

inline void append_piece(std::string& row, std::string_view text) { row.append(text); }
inline void append_piece(std::string& row, char letter) { row.push_back(letter); }
template <std::integral Number>
void append_piece(std::string& row, Number number) {
  const fmt::format_int digits(number);
  row.append(digits.data(), digits.size());
}

/// Appends texts, letters and whole numbers.
template <class... Pieces>
void append(std::string& row, const Pieces&... pieces) {
  (append_piece(row, pieces), ...);
}

}  // namespace railyard
