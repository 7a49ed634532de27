// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <string>

#include "tests/catch.h"

namespace railyard {
namespace {

const std::string replaced = "\xEF\xBF\xBD";  // U+FFFD

TEST_CASE("text: what is not UTF-8 is found at its byte", "[base]") {
  // RFC 3629: continuation without a start, cut off, overlong '/', a surrogate, above U+10FFFF, Latin-1, never a start.
  const std::string bad = GENERATE("\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC0\xAF", "\xE0\x80\xAF",
                                   "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE9t", "\xFF", "\xF8\x88\x80\x80\x80");
  const auto fault = text_fault("ab" + bad, Layout::lines);
  REQUIRE(fault);
  CHECK(fault->offset == 2);
  CHECK(fault->what == "not UTF-8 text");
}

TEST_CASE("text: what prints has no fault, from one byte to four", "[base]") {
  CHECK_FALSE(text_fault("", Layout::none));
  CHECK_FALSE(text_fault("a \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF", Layout::none));
}

TEST_CASE("text: control characters are named, tabs and ends of lines belong to files only", "[base]") {
  const auto fault = [](std::string_view text, Layout layout) {
    const auto found = text_fault(text, layout);
    return found ? found->what : std::string();
  };
  for (const Layout layout : {Layout::none, Layout::lines}) {
    CHECK(fault("\x1b[31m", layout) == "control character U+001B");
    CHECK(fault(std::string_view("\0", 1), layout) == "control character U+0000");
    CHECK(fault("\x7f", layout) == "control character U+007F");
    CHECK(fault("\xC2\x9B", layout) == "control character U+009B");  // what some terminals take for ESC [
    CHECK(fault("a\rb", layout) == "control character U+000D");
  }
  CHECK(fault("a\tb", Layout::none) == "control character U+0009 (a tab)");
  CHECK(fault("a\nb", Layout::none) == "control character U+000A (a line break)");
  CHECK(fault("a\tb\nc\r\n", Layout::lines) == "");
}

TEST_CASE("text: printable leaves text as it is and makes everything else harmless", "[base]") {
  CHECK(printable("H200 at 4.8 TB/s, 3 \xE2\x82\xAC") == "H200 at 4.8 TB/s, 3 \xE2\x82\xAC");
  CHECK(printable("a\x1b[2J\nb\x7f\xC2\x9B") == "a [2J b  ");
  CHECK(printable("a\xFF\xE2\x82") == "a" + replaced + replaced + replaced);
  CHECK(printable("a\xE2\x80\xAE"
                  "b\xE2\x80\xA8") == "a" + replaced + "b" + replaced);  // right-to-left, line separator
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  CHECK_FALSE(text_fault(printable(all), Layout::none));
}

TEST_CASE("text: printable keeps both ends of what is long, whole characters only", "[base]") {
  CHECK(printable("abcdefghijklmnopqrst", 12) == "abcdef...rst");
  CHECK(printable("abcdefghijkl", 12) == "abcdefghijkl");
  std::string euros;
  for (int i = 0; i < 100; ++i) euros += "\xE2\x82\xAC";
  CHECK(characters(printable(euros, 12)) == 12);
  CHECK_FALSE(text_fault(printable(euros, 12), Layout::none));
  CHECK(characters(printable(std::string(1 << 20, '\xFF'))) == 500);
}

TEST_CASE("text: shortened cuts between characters", "[base]") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc...");
  CHECK(shortened("ab\xE2\x82\xAC"
                  "d",
                  3) == "ab\xE2\x82\xAC...");
  CHECK(first_characters("\xE2\x82\xAC"
                         "d",
                         1) == "\xE2\x82\xAC");
  CHECK(characters("a\xE2\x82\xAC\xFF") == 3);
}

}  // namespace
}  // namespace railyard
