// SPDX-License-Identifier: Apache-2.0
// Text from outside: is it UTF-8 without control characters, how long is it, and how may a terminal see it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace railyard {

/// One line that is safe to print: control characters become blanks; what is not UTF-8 and what turns the direction of
/// writing become U+FFFD; of more than `longest` characters the middle is left out ("...").
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 500);

/// The first `longest` characters, followed by "..." when there are more. Never cuts a character in two.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t longest = 60);

/// The first `count` characters of a text, or all.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t count);

/// Characters (code points) of a text; a byte that is not UTF-8 counts as one.
[[nodiscard]] std::size_t characters(std::string_view text);

/// Latin letters in lower case; the rest as it is.
[[nodiscard]] std::string lower_case(std::string_view text);

/// The text behind its UTF-8 byte-order mark, where it begins with one.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// What a text may hold besides characters that print: nothing, or tabs and the ends of lines (LF, CR LF).
enum class Layout { none, lines };

/// The first thing that is wrong with a text, in words: "not UTF-8 text", "control character U+001B".
struct TextFault {
  std::size_t offset = 0;  // bytes
  std::string what;
};
[[nodiscard]] std::optional<TextFault> text_fault(std::string_view text, Layout layout);

/// Text with & < > " ' as entities: safe as content and inside a quoted attribute of HTML and XML; control characters
/// but tabs and ends of lines become blanks.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace railyard
