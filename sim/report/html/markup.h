// SPDX-License-Identifier: Apache-2.0
// HTML and SVG as values. Plain text becomes Markup only by escaping, so that nothing a user names a cluster can be
// markup, script or attribute.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/text.h"

namespace railyard::html {

class Markup {
 public:
  Markup() = default;
  /// Plain text, escaped.
  template <std::convertible_to<std::string_view> Text>
  Markup(const Text& text) : text_(escaped(text)) {}  // NOLINT: text is content
  /// Text that is markup already; only for what this program wrote itself.
  [[nodiscard]] static Markup trusted(std::string markup);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  Markup& operator+=(const Markup& more);
  friend Markup operator+(Markup first, const Markup& second) { return first += second; }

 private:
  std::string text_;
};

struct Attribute {
  std::string_view name;
  std::string value;  // escaped when written
};

/// <tag a="b">content</tag>
[[nodiscard]] Markup element(std::string_view tag, std::initializer_list<Attribute> attributes, const Markup& content);
[[nodiscard]] Markup element(std::string_view tag, const Markup& content);
/// <tag a="b"/>, for SVG shapes.
[[nodiscard]] Markup shape(std::string_view tag, std::initializer_list<Attribute> attributes);

}  // namespace railyard::html
