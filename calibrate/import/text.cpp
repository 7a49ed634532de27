// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "calibrate/import/importer.h"

namespace railyard::import_detail {
namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// No figure of a benchmark lies outside; within, products and ratios of four of them stay finite.
constexpr double largest_figure = 1e30, smallest_figure = 1e-30;

// The vertical bar of TransferBench's borders (U+2502).
constexpr std::string_view box_bar = "\xe2\x94\x82";

// CSI sequences: ESC [ parameters, ended by a letter.
void remove_colours(std::string_view line, std::string& plain) {
  plain.clear();
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      plain += line[i];
      continue;
    }
    if (i + 1 < line.size() && line[i + 1] == '[') ++i;
    while (i + 1 < line.size() && (line[i + 1] < '@' || line[i + 1] > '~')) ++i;
    ++i;
  }
}

void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
  constexpr std::uint32_t leads[] = {0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(leads[more] + (code >> (6U * static_cast<unsigned>(more))));
  for (int i = more - 1; i >= 0; --i) {
    text += static_cast<char>(0x80 + ((code >> (6U * static_cast<unsigned>(i))) & 0x3fU));
  }
}

template <class IsSeparator>
void split(std::string_view line, Fields& fields, IsSeparator separator) {
  fields.clear();
  for (std::size_t i = 0; i < line.size();) {
    if (const std::size_t width = separator(line, i)) {
      i += width;
      continue;
    }
    const std::size_t start = i;
    while (i < line.size() && !separator(line, i)) ++i;
    fields.push_back(line.substr(start, i - start));
  }
}

}  // namespace

bool Lines::next() {
  while (!rest_.empty()) {
    number_ += new_line_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    const std::size_t carriage = line.find('\r');
    // "\r\n" ends a line; a "\r" before other text starts the same line anew, as progress displays do.
    const bool restart = carriage != std::string_view::npos && carriage + 1 < line.size();
    new_line_ = !restart;
    rest_.remove_prefix(restart ? carriage + 1 : std::min(end + 1, rest_.size()));
    line = line.substr(0, carriage);
    if (line.size() > Limits::line) continue;
    if (contains(line, "\x1b")) {
      remove_colours(line, plain_);
      line = plain_;
    }
    line_ = line;
    return true;
  }
  return false;
}

std::optional<std::string> from_utf16(std::string_view text) {
  const bool little = text.starts_with("\xff\xfe"), big = text.starts_with("\xfe\xff");
  if (!little && !big) return {};
  std::string plain;
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(text[at]), other = static_cast<unsigned char>(text[at + 1]);
    return little ? first + 256U * other : 256U * first + other;
  };
  for (std::size_t i = 2; i + 1 < text.size(); i += 2) {
    std::uint32_t code = unit(i);
    const bool leads = code >= 0xd800 && code < 0xdc00 && i + 3 < text.size();
    if (leads && unit(i + 2) >= 0xdc00 && unit(i + 2) < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10U) + (unit(i + 2) - 0xdc00);
      i += 2;
    }
    if (code >= 0xd800 && code < 0xe000) code = 0xfffd;  // half of a pair
    append_utf8(plain, code);
  }
  return plain;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

void split_blanks(std::string_view line, Fields& fields) {
  split(line, fields, [](std::string_view text, std::size_t i) { return std::size_t{blank(text[i])}; });
}

void split_table(std::string_view line, Fields& fields) {
  split(line, fields, [](std::string_view text, std::size_t i) {
    if (blank(text[i]) || text[i] == ',' || text[i] == '|') return std::size_t{1};
    return text.substr(i, box_bar.size()) == box_bar ? box_bar.size() : 0;
  });
}

void split_at(std::string_view line, char separator, Fields& fields) {
  fields.clear();
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end = std::min(line.find(separator, start), line.size());
    fields.push_back(trim(line.substr(start, end - start)));
    start = end + 1;
  }
}

std::optional<double> to_number(std::string_view field) {
  if (!field.empty() && field.front() == '+') field.remove_prefix(1);
  // from_chars takes "inf" and "nan", which are no figures.
  const std::size_t start = !field.empty() && field.front() == '-' ? 1 : 0;
  if (field.size() <= start || (!digit(field[start]) && field[start] != '.')) return {};
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || std::abs(value) > largest_figure) return {};
  return std::abs(value) < smallest_figure ? 0 : value;
}

std::optional<double> to_figure(std::string_view field) {
  const std::optional<double> value = to_number(field);
  return value && *value >= 0 ? value : std::nullopt;
}

std::optional<std::int64_t> to_count(std::string_view field) {
  if (field.empty() || !digit(field.front())) return {};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) return {};
  return value;
}

std::optional<double> first_number(std::string_view line, std::size_t from) {
  while (from < line.size() && !digit(line[from])) ++from;
  std::size_t end = from;
  while (end < line.size() && (digit(line[end]) || line[end] == '.')) ++end;
  while (end > from && line[end - 1] == '.') --end;
  return to_number(line.substr(std::min(from, line.size()), end - from));
}

std::optional<std::string_view> rest_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  return trim(line.substr(at + key.size()));
}

std::optional<std::int64_t> count_after(std::string_view line, std::string_view key) {
  std::optional<std::string_view> rest = rest_after(line, key);
  if (!rest) return {};
  while (!rest->empty() && (blank(rest->front()) || rest->front() == ':')) rest->remove_prefix(1);
  std::size_t end = 0;
  while (end < rest->size() && digit((*rest)[end])) ++end;
  return to_count(rest->substr(0, end));
}

Interval printed_interval(std::string_view field) {
  const double value = to_number(field).value_or(0);
  const std::size_t exponent_at = std::min(field.find_first_of("eE"), field.size());
  const std::size_t point = field.substr(0, exponent_at).find('.');
  const double decimals = point == std::string_view::npos ? 0 : static_cast<double>(exponent_at - point - 1);
  const double exponent = exponent_at < field.size() ? to_number(field.substr(exponent_at + 1)).value_or(0) : 0;
  const double half = 0.5 * std::pow(10.0, std::clamp(exponent - decimals, -300.0, 300.0));
  return {value - half, value + half};
}

bool overlap(Interval a, Interval b) { return a.low <= b.high && b.low <= a.high; }

std::optional<Shape> to_shape(std::string_view field) {
  const std::size_t first = field.find('x');
  const std::size_t second = first == std::string_view::npos ? first : field.find('x', first + 1);
  if (second == std::string_view::npos) return {};
  const auto m = to_count(field.substr(0, first)), n = to_count(field.substr(first + 1, second - first - 1)),
             k = to_count(field.substr(second + 1));
  if (!m || !n || !k || *m == 0 || *n == 0 || *k == 0) return {};
  return Shape{*m, *n, *k};
}

}  // namespace railyard::import_detail
