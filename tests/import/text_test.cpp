// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/text.h"

#include <string>
#include <utility>
#include <vector>

#include "calibrate/import/json_text.h"
#include "tests/catch.h"

namespace railyard::import_detail {
namespace {

TEST_CASE("lines: ends of any kind, colours gone, numbers as an editor counts", "[import]") {
  Lines lines("a\r\n\nprogress 1\rprogress 2\n\x1b[1;32mgreen\x1b[0m\nlast");
  std::vector<std::pair<int, std::string>> found;
  while (lines.next()) found.emplace_back(lines.number(), lines.text());
  CHECK(found == std::vector<std::pair<int, std::string>>{
                     {1, "a"}, {2, ""}, {3, "progress 1"}, {3, "progress 2"}, {4, "green"}, {5, "last"}});
}

TEST_CASE("lines: those longer than any row are passed over and counted", "[import]") {
  const std::string text = std::string(100'000, 'x') + "\nrow\n";
  Lines lines(text);
  REQUIRE(lines.next());
  CHECK(lines.text() == "row");
  CHECK(lines.number() == 2);
}

TEST_CASE("numbers: decimal and finite, whole fields only", "[import]") {
  CHECK(to_number("1.2e+06") == 1.2e6);
  CHECK(to_number("-1") == -1.0);
  CHECK(to_number(".5") == 0.5);
  for (const std::string_view text : {"", "nan", "inf", "-inf", "N/A", "0x10", "1,5", "1e999", "5us", "-", "+"}) {
    CHECK_FALSE(to_number(text));
  }
  CHECK(to_count("9223372036854775807") == 9223372036854775807);
  CHECK_FALSE(to_count("9223372036854775808"));
  CHECK_FALSE(to_count("-1"));
}

TEST_CASE("numbers: what is printed lay within half of its last digit", "[import]") {
  // 182.87 between 182.865 and 182.875; 63896 between 63895.5 and 63896.5; 1.2e+06 between 1.15e6 and 1.25e6.
  CHECK_THAT(printed_interval("182.87").low, WithinRel(182.865, 1e-12));
  CHECK_THAT(printed_interval("63896").high, WithinRel(63896.5, 1e-12));
  CHECK_THAT(printed_interval("1.2e+06").low, WithinRel(1.15e6, 1e-12));
  CHECK_THAT(printed_interval("1.2e+06").high, WithinRel(1.25e6, 1e-12));
}

TEST_CASE("JSON: nested values with their lines, duplicates and escapes", "[import]") {
  const auto json = find_json("log line\n{\"a\": [1, 2.50, \"x\\\"y\"],\n \"b\": {\"c\": null, \"d\": true}}\nmore");
  REQUIRE(json);
  CHECK(json->complete);
  CHECK(json->root.line == 2);
  const Json* const list = json->root.find("a");
  REQUIRE(list != nullptr);
  CHECK(list->items[1].text == "2.50");
  CHECK(list->items[2].text == "x\"y");
  CHECK(json->root.find("b")->line == 3);
  CHECK(json->root.find("b")->find("d")->text == "true");
  CHECK_FALSE(json->root.find("b")->number("c"));
}

TEST_CASE("JSON: what is cut keeps its complete parts and never invents a number", "[import]") {
  const std::string text = R"({"rows": [{"a": 12, "b": 34}, {"a": 56, "b": 78}]})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto json = find_json(std::string_view(text).substr(0, length));
    if (!json) continue;
    CHECK_FALSE(json->complete);
    for (const Json& row : json->root.find("rows")->items) {
      const auto a = row.number("a"), b = row.number("b");
      CHECK((!a || *a == 12 || *a == 56));
      CHECK((!b || *b == 34 || *b == 78));
    }
  }
}

TEST_CASE("JSON: nesting is bounded", "[import]") {
  CHECK_FALSE(find_json(std::string(1'000'000, '[')));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  CHECK_FALSE(find_json(deep));
}

TEST_CASE("UTF-16: with its mark it becomes UTF-8, either way round", "[import]") {
  // "a", U+00B5, U+2502 and U+1F600, which is the pair D83D DE00; half of a pair at the end becomes U+FFFD.
  const std::string little(
      "\xff\xfe"
      "a\0"
      "\xb5\0"
      "\x02\x25"
      "\x3d\xd8\x00\xde"
      "\x3d\xd8",
      14);
  const std::string plain = "a\xc2\xb5\xe2\x94\x82\xf0\x9f\x98\x80\xef\xbf\xbd";
  CHECK(from_utf16(little) == plain);
  std::string big = little;
  for (std::size_t i = 0; i + 1 < big.size(); i += 2) std::swap(big[i], big[i + 1]);
  CHECK(from_utf16(big) == plain);
  CHECK_FALSE(from_utf16("plain").has_value());
  CHECK(from_utf16(std::string_view("\xff\xfe"
                                    "a",
                                    3)) == "");  // half a character
}

}  // namespace
}  // namespace railyard::import_detail
