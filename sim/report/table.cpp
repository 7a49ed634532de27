// SPDX-License-Identifier: Apache-2.0
#include "sim/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace railyard {
namespace {

/// Characters shown, for UTF-8 text without wide characters.
std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

bool is_number(const std::string& text) {
  double value = 0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  return std::from_chars(begin, end, value).ptr == end;
}

/// Text that a spreadsheet would run as a formula gets an apostrophe in front, as spreadsheets write such text.
std::string csv_cell(std::string cell) {
  constexpr std::string_view signs = "=+-@\t\r";
  if (cell.size() > 1 && signs.find(cell.front()) != std::string_view::npos && !is_number(cell)) cell.insert(0, "'");
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string to_text(const Table& table) {
  const std::size_t columns = table.header.size();
  std::vector<std::vector<std::string>> lines;  // header lines first, bottom-aligned
  std::size_t header_lines = 1;
  for (const std::string& cell : table.header) header_lines = std::max(header_lines, split(cell).size());
  lines.assign(header_lines, std::vector<std::string>(columns));
  for (std::size_t c = 0; c < columns; ++c) {
    const std::vector<std::string> parts = split(table.header[c]);
    for (std::size_t i = 0; i < parts.size(); ++i) lines[header_lines - parts.size() + i][c] = parts[i];
  }
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> width(columns);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], shown_width(line[c]));
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line;
    for (std::size_t c = 0; c < lines[i].size(); ++c) {
      if (c > 0) line += "  ";
      const std::string pad(width[c] - shown_width(lines[i][c]), ' ');
      const bool right = c < table.right.size() && table.right[c];
      line += right ? pad + lines[i][c] : lines[i][c] + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
    if (i + 1 == header_lines) {
      std::size_t total = columns == 0 ? 0 : 2 * (columns - 1);
      for (const std::size_t w : width) total += w;
      text += std::string(total, '-') + '\n';
    }
  }
  return text;
}

std::string to_csv(const Table& table) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) text += (c == 0 ? "" : ",") + csv_cell(cells[c]);
    text += '\n';
  };
  add(table.header);
  for (const auto& row : table.rows) add(row);
  return text;
}

namespace {
/// Sets thousands apart in the digits before `end`.
std::string spaced(std::string text, std::size_t end) {
  const std::size_t begin = text[0] == '-' ? 1 : 0;
  for (std::size_t i = end; i > begin + 3; i -= 3) text.insert(i - 3, " ");
  return text;
}
}  // namespace

std::string number_text(double value, int digits) {
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  const int decimals = std::clamp(digits - magnitude, 0, 12);
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  const std::size_t point = text.find('.');
  return spaced(text, point == std::string::npos ? text.size() : point);
}

std::string count_text(double value) {
  const std::string text = fmt::format("{:.0f}", value);
  return spaced(text, text.size());
}

std::string exact_text(double value) { return fmt::format("{:.15g}", value); }

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string result, line;
  std::string word = text.substr(0, text.find_first_not_of(' '));  // blanks in front stay
  const auto flush = [&] {
    const bool fresh = line.find_first_not_of(' ') == std::string::npos;
    if (!fresh && shown_width(line) + 1 + shown_width(word) > width) {
      result += line + '\n';
      line = indent + word;
    } else {
      line += (fresh ? "" : " ") + word;
    }
    word.clear();
  };
  for (std::size_t i = word.size(); i < text.size(); ++i) {
    if (text[i] == ' ') {
      flush();
    } else {
      word += text[i];
    }
  }
  flush();
  return result + line + '\n';
}

}  // namespace railyard
