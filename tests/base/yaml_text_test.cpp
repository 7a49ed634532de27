// SPDX-License-Identifier: Apache-2.0
// What a YAML file and a setting may hold as text: UTF-8 without control characters, of a sane length.
#include <string>

#include "base/text.h"
#include "tests/base/yaml_message.h"
#include "tests/catch.h"

namespace railyard {
namespace {

/// The message of reading `text` as a file with the one key a.
std::string message_of_a(const std::string& text) {
  return yaml_message(text, [](YamlMap& root) { root.text("a"); });
}

std::string setting(std::string_view path, std::string_view value) {
  try {
    const YamlDocument changed = YamlDocument::parse("a: x\nb: {c: 1}\nd:\n  e: 1\n", "study.yaml").with(path, value);
    Diagnostics diagnostics;
    YamlMap root = changed.root(diagnostics);
    root.text("a");
    YamlMap b = root.map("b");
    b.integer("c", 0, 9);
    b.finish();
    YamlMap d = root.map("d");
    d.integer("e", 0, 9);
    d.finish();
    root.finish();
    diagnostics.throw_if_any();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("yaml text: bytes that are not UTF-8 are shown at their place", "[base]") {
  CHECK(message_of_a("a: x\nb: caf\xE9\n") ==
        "design.yaml:2:7: error: not UTF-8 text\n"
        "    2 | b: caf\xEF\xBF\xBD\n"
        "      |       ^\n"
        "   expected UTF-8 text without control characters\n");
}

TEST_CASE("yaml text: control characters are named at their place, in comments too", "[base]") {
  CHECK(message_of_a("a: x\n# \x1b[2J\n") ==
        "design.yaml:2:3: error: control character U+001B\n"
        "    2 | #  [2J\n"
        "      |   ^\n"
        "   expected UTF-8 text without control characters\n");
  CHECK_THAT(message_of_a("a: x\rb: y\n"), ContainsSubstring("design.yaml:1:5: error: control character U+000D\n"));
  CHECK_THAT(message_of_a("a: x\xC2\x85\n"), ContainsSubstring("design.yaml:1:5: error: control character U+0085\n"));
  CHECK_THAT(message_of_a(std::string("a: 1\0b", 6)), ContainsSubstring("design.yaml: error: not a text file"));
}

TEST_CASE("yaml text: escapes do not bring control characters in, neither in values nor in keys", "[base]") {
  CHECK(message_of_a("a: \"\\e[31mred\"\n") ==
        "design.yaml:1:4: error: control character U+001B\n"
        "    1 | a: \"\\e[31mred\"\n"
        "      |    ^\n"
        "   expected one line of text; '>-' folds several lines into one\n");
  const std::string escape = GENERATE("\\0", "\\a", "\\b", "\\x7f", "\\x9b", "\\t", "\\n", "\\r", "x\\n");
  CAPTURE(escape);
  CHECK_THAT(message_of_a("a: \"" + escape + "\"\n"),
             ContainsSubstring("design.yaml:1:4: error: control character U+00"));
  CHECK_THAT(message_of_a("\"" + escape + "\": x\n"),
             ContainsSubstring("design.yaml:1:1: error: control character U+00"));
  CHECK_THAT(setting("a", "\"" + escape + "\""), ContainsSubstring(":1:1: error: control character U+00"));
}

TEST_CASE("yaml text: escapes that yaml-cpp turns into a byte of Latin-1 are refused", "[base]") {
  CHECK_THAT(message_of_a("a: \"x\\N\"\n"), ContainsSubstring("design.yaml:1:4: error: not UTF-8 text\n"));
  CHECK_THAT(message_of_a("a: \"x\\_\"\n"), ContainsSubstring("design.yaml:1:4: error: not UTF-8 text\n"));
}

TEST_CASE("yaml text: folded lines are one line, kept line breaks are refused", "[base]") {
  const auto value = [](const std::string& text) {
    Diagnostics diagnostics;
    return YamlDocument::parse(text, "a.yaml").root(diagnostics).text("a");
  };
  CHECK(value("a: >\n  one\n  two\n") == "one two");
  CHECK(value("a: >-\n  one\n  two\n") == "one two");
  CHECK(value("a: |\n  one\n\n") == "one");
  CHECK(value("a: one\n  two\n") == "one two");
  CHECK_THAT(message_of_a("a: |\n  one\n  two\n"),
             ContainsSubstring("design.yaml:1:4: error: control character U+000A"));
  CHECK_THAT(message_of_a("a: >\n  one\n\n  two\n"), ContainsSubstring("control character U+000A (a line break)"));
}

TEST_CASE("yaml text: a byte order mark of UTF-8 is skipped, others are named", "[base]") {
  CHECK(message_of_a("\xEF\xBB\xBF"
                     "a: x\n") == "");
  CHECK_THAT(message_of_a("\xEF\xBB\xBF"), ContainsSubstring("the file is empty"));
  CHECK_THAT(message_of_a("\xEF\xBB\xBF"
                          "b: x\n"),
             ContainsSubstring("design.yaml:1:1: error: b: unknown key\n    1 | b: x\n"));
  CHECK(message_of_a(std::string("\xFF\xFE"
                                 "a\0:\0",
                                 6)) == "design.yaml: error: UTF-16 text\n   save the file as UTF-8\n");
  CHECK_THAT(message_of_a(std::string("\xFE\xFF\0a", 4)), ContainsSubstring("UTF-16 text"));
  CHECK_THAT(message_of_a(std::string("\xFF\xFE\0\0a\0\0\0", 8)), ContainsSubstring("UTF-32 text"));
}

TEST_CASE("yaml text: carets stand under their text after letters of several bytes", "[base]") {
  CHECK(message_of_a("{\xC3\xA9\xC3\xA9: 1, a: x}\n") ==
        "design.yaml:1:2: error: \xC3\xA9\xC3\xA9: unknown key\n"
        "    1 | {\xC3\xA9\xC3\xA9: 1, a: x}\n"
        "      |  ^~\n"
        "   expected one of: a\n");
  CHECK_THAT(
      yaml_message("{\xC3\xA9\xC3\xA9: 1, bad: x}\n", [](YamlMap& root) { root.integer("\xC3\xA9\xC3\xA9", 0, 9); }),
      ContainsSubstring("design.yaml:1:9: error: bad: unknown key\n"
                        "    1 | {\xC3\xA9\xC3\xA9: 1, bad: x}\n"
                        "      |         ^~~\n"));
}

TEST_CASE("yaml text: tabs do not indent", "[base]") {
  const std::string text = "a: x\nb:\n  \tc: 1\n";
  CHECK(message_of_a(text) ==
        "design.yaml:3:3: error: a tab in the indentation\n"
        "    3 |    c: 1\n"
        "      |   ^\n"
        "   indent with blanks, not tabs\n");
  CHECK_THAT(message_of_a("a:\n  - x\n\t- y\n"), ContainsSubstring("design.yaml:3:1: error: a tab in the indentation"));
  CHECK(message_of_a("a:\tx\t# tab\n\t\n\t# comment\n") == "");
}

TEST_CASE("yaml text: texts, names of lists and keys have a longest", "[base]") {
  CHECK(message_of_a("a: " + std::string(longest_text, 'x') + "\n") == "");
  CHECK_THAT(message_of_a("a: " + std::string(longest_text + 1, 'x') + "\n"),
             ContainsSubstring("design.yaml:1:4: error: a: the text has 601 characters\n") &&
                 ContainsSubstring("\n   expected at most 600 characters\n"));
  const auto euro = [](YamlMap& root) { root.text("a", 1); };
  CHECK(yaml_message("a: \xE2\x82\xAC\n", euro) == "");
  CHECK_THAT(yaml_message("a: xy\n", euro), ContainsSubstring("expected at most 1 characters"));
  CHECK(yaml_message("b: 1\n", [](YamlMap& root) {
          root.integer("b", 0, 9);
          CHECK(root.text("a", "fallback", 3) == "fallback");
        }) == "");
  CHECK_THAT(yaml_message("a: [b, " + std::string(601, 'x') + ", '']\n", [](YamlMap& root) { root.texts("a"); }),
             ContainsSubstring("a: the text has 601 characters") && ContainsSubstring("a: the text is empty"));
  CHECK_THAT(message_of_a("? " + std::string(201, 'x') + "\n: 1\n"),
             ContainsSubstring("error: a key of 201 characters\n") && ContainsSubstring("at most 200"));
  std::string many;
  for (int i = 0; i <= 10000; ++i) many += "k" + std::to_string(i) + ": 1\n";
  CHECK_THAT(message_of_a(many), ContainsSubstring("design.yaml:10001:1: error: too many keys"));
}

TEST_CASE("yaml text: mistakes in one long line cost little", "[base]") {
  std::string text = "{";
  for (int i = 0; i < 9000; ++i) text += "key" + std::to_string(i) + ": " + std::string(500, 'x') + ", ";
  Diagnostics diagnostics;
  YamlMap root = YamlDocument::parse(text + "}\n", "a.yaml").root(diagnostics);
  root.finish();  // 9000 copies of a line of 4.6 MB would be 41 GB
  CHECK(diagnostics.size() == 9000);
}

TEST_CASE("setting: an empty value says so, under its name", "[base]") {
  CHECK(setting("b.c", "") == "b.c=: error: the value is empty\n   expected b.c=VALUE\n");
  CHECK_THAT(setting("b.c", " \n"), ContainsSubstring("error: the value is empty\n"));
  CHECK(setting("b.c", "#1") ==
        "b.c=#1: error: the value is empty\n   '#' begins a comment; put quotes around the value\n");
}

TEST_CASE("setting: what it adds or replaces is wrong at the setting, not at an old line", "[base]") {
  CHECK_THAT(setting("f", "1"), ContainsSubstring("f=1:1:1: error: f: unknown key\n    1 | 1\n"));
  CHECK_THAT(setting("b.f", "1"), ContainsSubstring("b.f=1:1:1: error: b.f: unknown key\n    1 | 1\n"));
  CHECK_THAT(setting("f.g.h", "1"), ContainsSubstring("f.g.h=1:1:1: error: f: unknown key\n    1 | 1\n"));
  CHECK_THAT(setting("b", "{f: 1}"), ContainsSubstring("b={f: 1}:1:2: error: b.f: unknown key\n") &&
                                         ContainsSubstring("b={f: 1}:1:1: error: b: the key 'c' is missing\n"));
  CHECK_THAT(setting("d", "{}"), ContainsSubstring("d={}:1:1: error: d: the key 'e' is missing\n    1 | {}\n"));
}

TEST_CASE("setting: bytes that are no text are refused in value and path and never printed", "[base]") {
  CHECK_THAT(setting("a", "x\x1b[31m"), ContainsSubstring("error: control character U+001B\n"));
  CHECK_THAT(setting("a", "x\xFF"), ContainsSubstring("error: not UTF-8 text\n"));
  CHECK_THAT(setting("\x1b[31m", "1"), ContainsSubstring("is not a path in this file: control character U+001B\n"));
  CHECK_THAT(setting("a\xFF", "1"), ContainsSubstring("is not a path in this file: not UTF-8 text\n"));
  CHECK_THAT(setting(std::string(201, 'x'), "1"), ContainsSubstring("it is too long\n"));
  std::string deep = "x";
  for (int i = 0; i < 64; ++i) deep += ".x";
  CHECK_THAT(setting(deep, "1"), ContainsSubstring("it is too long\n"));
  for (const char* value : {"x\x1b[31m", "x\xFF", ""}) {
    CHECK_FALSE(text_fault(setting("a", value), Layout::lines));
    CHECK_FALSE(text_fault(setting(value, "1"), Layout::lines));
  }
}

}  // namespace
}  // namespace railyard
