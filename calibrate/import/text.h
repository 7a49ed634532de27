// SPDX-License-Identifier: Apache-2.0
// Lines, fields and numbers of logs: colours and Windows line ends removed, numbers with the precision they were
// printed with. Private to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard::import_detail {

using Fields = std::vector<std::string_view>;

/// The lines of a text, one after the other; a lone carriage return ends a line on the screen, not in the count.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  /// Moves to the next line that is not longer than Limits::line; false at the end.
  bool next();
  /// Without line end and colour codes; valid until the next call.
  [[nodiscard]] std::string_view text() const { return line_; }
  /// Counts from one.
  [[nodiscard]] int number() const { return number_; }

 private:
  std::string_view rest_, line_;
  std::string plain_;  // the line without colour codes, when it had any
  int number_ = 0;
  bool new_line_ = true;
};

/// The text as UTF-8 when it starts with a byte order mark of UTF-16, as Windows PowerShell redirects output; nothing
/// when it does not.
[[nodiscard]] std::optional<std::string> from_utf16(std::string_view text);

[[nodiscard]] bool contains(std::string_view text, std::string_view part);
[[nodiscard]] std::string_view trim(std::string_view text);

/// Splits at blanks and tabs into `fields`.
void split_blanks(std::string_view line, Fields& fields);
/// Splits at blanks, tabs, commas, pipes and box-drawing bars: tables, CSV and markdown alike.
void split_table(std::string_view line, Fields& fields);
/// Splits at `separator`; fields are trimmed and may be empty.
void split_at(std::string_view line, char separator, Fields& fields);

/// A number in decimal notation, whole field, up to 1e30 in magnitude; below 1e-30 it is zero.
[[nodiscard]] std::optional<double> to_number(std::string_view field);
/// A number that is not negative, as every time and rate is.
[[nodiscard]] std::optional<double> to_figure(std::string_view field);
/// A whole number that is not negative, up to 9.2e18.
[[nodiscard]] std::optional<std::int64_t> to_count(std::string_view field);
/// The first number at or after `from` in the line, whatever stands around it.
[[nodiscard]] std::optional<double> first_number(std::string_view line, std::size_t from = 0);
/// The count after `key` and blanks or a colon: count_after("nGpus 8", "nGpus") is 8.
[[nodiscard]] std::optional<std::int64_t> count_after(std::string_view line, std::string_view key);
/// What follows `key` in the line, trimmed; nothing when the key is absent.
[[nodiscard]] std::optional<std::string_view> rest_after(std::string_view line, std::string_view key);

/// Between what a printed number lay before rounding: half of its last digit to either side.
struct Interval {
  double low = 0, high = 0;
};
/// `field` must be a number as to_number accepts it.
[[nodiscard]] Interval printed_interval(std::string_view field);
[[nodiscard]] bool overlap(Interval a, Interval b);

/// "MxNxK" with plain numbers.
struct Shape {
  std::int64_t m = 0, n = 0, k = 0;
};
[[nodiscard]] std::optional<Shape> to_shape(std::string_view field);

}  // namespace railyard::import_detail
