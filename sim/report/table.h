// SPDX-License-Identifier: Apache-2.0
// A table of text, and its two plain printers: aligned columns for people, CSV (RFC 4180) for programs.
#pragma once

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
[[nodiscard]] std::string to_csv(const Table& table);

/// `value` with `digits` significant digits, without exponent, thousands apart with blanks: 1234567 -> "1 234 567".
[[nodiscard]] std::string number_text(double value, int digits = 4);
/// Shortest text that reads back as the same double.
[[nodiscard]] std::string exact_text(double value);

}  // namespace railyard
