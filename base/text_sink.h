// SPDX-License-Identifier: Apache-2.0
// Long text produced piece by piece: what is appended collects, and full pieces are handed on, so that a file of a
// hundred megabytes never stands in memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace railyard {

class TextSink {
 public:
  using Take = std::function<void(std::string_view)>;
  explicit TextSink(Take take) : take_(std::move(take)) {}

  /// Append here, then call row_done() once a row.
  [[nodiscard]] std::string& text() { return text_; }
  void row_done() {
    if (text_.size() >= piece) flush();
  }
  /// Hands on what is left; call once, at the end.
  void flush() {
    if (!text_.empty()) take_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t piece = 1U << 20U;
  Take take_;
  std::string text_;
};

/// Writes one text into a sink; gives the same text each time it is called.
using TextSource = std::function<void(TextSink&)>;

/// The whole text.
[[nodiscard]] inline std::string text_of(const TextSource& source) {
  std::string text;
  TextSink sink([&](std::string_view piece) { text += piece; });
  source(sink);
  sink.flush();
  return text;
}

}  // namespace railyard
