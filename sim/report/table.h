// SPDX-License-Identifier: Apache-2.0
// A table of text, and its two plain printers: aligned columns for people, CSV (RFC 4180) for programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace railyard {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;  // columns aligned to the right; missing means left
};

/// Columns separated by two blanks; a header of several lines uses '\n'.
[[nodiscard]] std::string to_text(const Table& table);
/// Text that begins like a formula (= + - @) gets an apostrophe in front; numbers stay as they are.
[[nodiscard]] std::string to_csv(const Table& table);

/// `value` with `digits` significant digits, without exponent, thousands apart with blanks: 1234567 -> "1 234 567".
[[nodiscard]] std::string number_text(double value, int digits = 4);
/// A whole number, thousands apart with blanks.
[[nodiscard]] std::string count_text(double value);
/// Shortest text that is right in 15 significant digits, all that a double holds of any decimal number.
[[nodiscard]] std::string exact_text(double value);

inline constexpr std::size_t terminal_columns = 80;
/// `text` broken at blanks into lines of at most `width` characters; lines after the first begin with `indent`.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width, const std::string& indent);

}  // namespace railyard
