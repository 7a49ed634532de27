// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <fmt/format.h>

#include <cstdint>

namespace railyard {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// One character; `length` is 1 and `code` nothing for a byte that does not belong to UTF-8.
struct Decoded {
  std::optional<char32_t> code;
  std::size_t length = 1;
};

/// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. `text` is not empty.
Decoded decode(std::string_view text) {
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte_at(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  char32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte_at(i) & 0x3FU);
  }
  constexpr char32_t least[] = {0x80, 0x800, 0x10000};
  if (code < least[length - 2] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, length};
}

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code <= 0x9F); }

/// Line separators, and marks that reorder what stands beside them.
bool rearranges(char32_t code) {
  return code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void append_printable(std::string& line, std::string_view text) {
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (!next.code || rearranges(*next.code)) {
      line += replacement;
    } else if (is_control(*next.code)) {
      line += ' ';
    } else {
      line += text.substr(0, next.length);
    }
    text.remove_prefix(next.length);
  }
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  std::string line;
  const std::size_t count = text.size() <= longest ? 0 : characters(text);
  if (count <= longest) {
    append_printable(line, text);
    return line;
  }
  const std::size_t kept = longest > 3 ? longest - 3 : 0;
  const std::size_t tail = kept / 3;
  append_printable(line, first_characters(text, kept - tail));
  line += "...";
  append_printable(line, text.substr(first_characters(text, count - tail).size()));
  return line;
}

std::string shortened(std::string_view text, std::size_t longest) {
  const std::string_view start = first_characters(text, longest);
  return start.size() == text.size() ? std::string(text) : std::string(start) + "...";
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) end += decode(text.substr(end)).length;
  return text.substr(0, end);
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(decode(text).length);
  return count;
}

std::optional<TextFault> text_fault(std::string_view text, Layout layout) {
  for (std::size_t offset = 0; offset < text.size();) {
    const Decoded next = decode(text.substr(offset));
    if (!next.code) return TextFault{offset, "not UTF-8 text"};
    const bool end_of_line = *next.code == '\n' || (*next.code == '\r' && text.substr(offset + 1).starts_with('\n'));
    const bool allowed = layout == Layout::lines && (*next.code == '\t' || end_of_line);
    if (is_control(*next.code) && !allowed) {
      const std::string_view name = *next.code == '\t'   ? " (a tab)"
                                    : *next.code == '\n' ? " (a line break)"
                                                         : std::string_view();
      return TextFault{offset,
                       fmt::format("control character U+{:04X}{}", static_cast<std::uint32_t>(*next.code), name)};
    }
    offset += next.length;
  }
  return std::nullopt;
}

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        // HTML and XML have no control characters but white space.
        result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return result;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

}  // namespace railyard
