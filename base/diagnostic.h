// SPDX-License-Identifier: Apache-2.0
// What a user is told about wrong input: place, what was found, what was expected. Collected, then thrown together.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railyard {

/// One mistake in an input. Lines and columns (bytes of the line) count from one; line 0 means "no place in a file" (a
/// command-line value).
struct Diagnostic {
  std::string file;
  int line = 0, column = 0;
  std::string path;         // dotted key path, e.g. pods[2].gpus
  std::string message;      // what was found
  std::string source_line;  // text of the line, shown with a caret
  int width = 1;            // bytes underlined
  std::string expected;     // remedy: type, unit, range or names
};

/// file:line:column: error: path: message, then the line with a caret and the remedy. Whatever bytes the parts hold,
/// the text is UTF-8 without control characters (but the ends of its lines), and short.
[[nodiscard]] std::string render(const Diagnostic& diagnostic);

/// The user's input is wrong (exit code 2); what() is the whole text to print.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  /// An error that has no place in a file: "error: message" and the remedy.
  explicit InputError(const std::string& message, const std::string& expected = {});
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  /// The same error for a part of a larger job: messages without a place start with `context`.
  [[nodiscard]] InputError in(const std::string& context) const;

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// The surroundings fail (a file cannot be written, memory is short): exit code 1.
class EnvironmentError : public std::runtime_error {
 public:
  /// what() is `message` as one line that is safe to print.
  explicit EnvironmentError(std::string_view message);
};

/// Collects the mistakes of one reading.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  /// Throws InputError when anything was added.
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace railyard
