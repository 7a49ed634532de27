// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/report/table.h"

namespace railyard::html {
namespace {

constexpr std::string_view thin_blank = "\u202f";  // narrow no-break space

std::string unbroken(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ') {
      result += thin_blank;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string number(double value, int digits) { return unbroken(number_text(value, digits)); }

std::string short_number(double value, int digits) {
  std::string text = number(value, digits);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string number_like(double value, double like, int digits) {
  const int magnitude = like > 0 ? static_cast<int>(std::floor(std::log10(like))) + 1 : 0;
  const int decimals = std::clamp(digits - magnitude, 0, 9);
  const double least = std::pow(10, -decimals);
  if (value > 0 && value < least / 2) return fmt::format("<\u202f{:.{}f}", least, decimals);
  return fmt::format("{:.{}f}", value, decimals);
}

std::string count(double value) { return unbroken(count_text(value)); }

std::string span(const Range<double>& range, int digits) {
  return range.is_exact() ? std::string() : number(range.low, digits) + " to " + number(range.high, digits);
}

std::string number_and_span(const Range<double>& range, int digits) {
  const std::string bounds = span(range, digits);
  return number(range.typical, digits) + (bounds.empty() ? "" : " (" + bounds + ")");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace railyard::html
