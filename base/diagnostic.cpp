// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace railyard {
namespace {

constexpr std::size_t most_shown = 20;
constexpr std::size_t most_columns = 100;

/// Tabs and control characters as single blanks, so that the caret stays under its text and a terminal stays sane.
std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

std::string render_all(std::vector<Diagnostic>& list) {
  std::stable_sort(list.begin(), list.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  std::string text;
  for (std::size_t i = 0; i < list.size() && i < most_shown; ++i) text += render(list[i]);
  if (list.size() > most_shown) text += fmt::format("and {} more errors\n", list.size() - most_shown);
  if (list.size() > 1) text += fmt::format("{} errors\n", list.size());
  return text;
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) {
    text += diagnostic.line > 0
                ? fmt::format("{}:{}:{}: ", printable(diagnostic.file), diagnostic.line, diagnostic.column)
                : fmt::format("{}: ", printable(diagnostic.file));
  }
  text += "error: ";
  if (!diagnostic.path.empty()) text += printable(diagnostic.path) + ": ";
  text += printable(diagnostic.message) + "\n";
  if (diagnostic.line > 0 && !diagnostic.source_line.empty()) {
    std::string line = printable(diagnostic.source_line);
    auto column = static_cast<std::size_t>(std::max(diagnostic.column, 1));
    if (column <= line.size() + 1 && column <= most_columns) {
      line.resize(std::min(line.size(), most_columns));
      auto width = static_cast<std::size_t>(std::max(diagnostic.width, 1));
      width = std::min(width, std::max<std::size_t>(line.size() + 1 - std::min(line.size(), column), 1));
      text += fmt::format("{:>5} | {}\n      | {}^{}\n", diagnostic.line, line, std::string(column - 1, ' '),
                          std::string(width - 1, '~'));
    }
  }
  if (!diagnostic.expected.empty()) text += "   " + printable(diagnostic.expected) + "\n";
  return text;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(render_all(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(const std::string& message, const std::string& expected)
    : InputError(std::vector<Diagnostic>{Diagnostic{.message = message, .expected = expected}}) {}

InputError InputError::in(const std::string& context) const {
  std::vector<Diagnostic> list = diagnostics_;
  for (Diagnostic& diagnostic : list) {
    if (diagnostic.file.empty()) diagnostic.message = context + ": " + diagnostic.message;
  }
  return InputError(std::move(list));
}

void Diagnostics::throw_if_any() const {
  if (!list_.empty()) throw InputError(list_);
}

}  // namespace railyard
