// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "base/text.h"

namespace railyard {
namespace {

constexpr std::size_t most_shown = 20;
constexpr std::size_t most_columns = 100;
constexpr std::size_t longest_name = 500;  // of a file or a key path
constexpr std::size_t longest_message = 1000;

/// The line with a caret. Columns and widths of a diagnostic are bytes, as in its source; a terminal shows characters.
std::string render_line(const Diagnostic& diagnostic) {
  const std::string_view line = diagnostic.source_line;
  const auto before = static_cast<std::size_t>(std::max(diagnostic.column, 1)) - 1;
  if (diagnostic.line <= 0 || line.empty() || before > line.size()) return {};
  const std::size_t column = characters(line.substr(0, before));
  if (column >= most_columns) return {};
  const std::string_view shown = first_characters(line, most_columns);
  const std::size_t space = std::max<std::size_t>(characters(shown), column + 1) - column;
  const std::size_t width = characters(line.substr(before, static_cast<std::size_t>(std::max(diagnostic.width, 1))));
  return fmt::format("{:>5} | {}\n      | {}^{}\n", diagnostic.line, printable(shown), std::string(column, ' '),
                     std::string(std::clamp<std::size_t>(width, 1, space) - 1, '~'));
}

/// The column in characters, where the line is known.
int shown_column(const Diagnostic& diagnostic) {
  const auto before = static_cast<std::size_t>(std::max(diagnostic.column, 1)) - 1;
  if (before >= diagnostic.source_line.size()) return diagnostic.column;
  return static_cast<int>(characters(std::string_view(diagnostic.source_line).substr(0, before))) + 1;
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
    const std::string file = printable(diagnostic.file, longest_name);
    text += diagnostic.line > 0 ? fmt::format("{}:{}:{}: ", file, diagnostic.line, shown_column(diagnostic))
                                : fmt::format("{}: ", file);
  }
  text += "error: ";
  if (!diagnostic.path.empty()) text += printable(diagnostic.path, longest_name) + ": ";
  text += printable(diagnostic.message, longest_message) + "\n";
  text += render_line(diagnostic);
  if (!diagnostic.expected.empty()) text += "   " + printable(diagnostic.expected, longest_message) + "\n";
  return text;
}

EnvironmentError::EnvironmentError(std::string_view message)
    : std::runtime_error(printable(message, longest_message)) {}

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
