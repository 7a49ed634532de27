// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <string>

#include "base/text.h"
#include "tests/catch.h"

namespace railyard {
namespace {

Diagnostic radix() {
  return {.file = "cluster.yaml",
          .line = 14,
          .column = 7,
          .path = "fabric.spine.radx",
          .message = "unknown key",
          .source_line = "      radx: 64",
          .width = 4,
          .expected = "expected one of: bandwidth, radix; did you mean 'radix'?"};
}

TEST_CASE("diagnostic: place, path, message, line with caret, remedy", "[base]") {
  CHECK(render(radix()) ==
        "cluster.yaml:14:7: error: fabric.spine.radx: unknown key\n"
        "   14 |       radx: 64\n"
        "      |       ^~~~\n"
        "   expected one of: bandwidth, radix; did you mean 'radix'?\n");
}

TEST_CASE("diagnostic: parts that are absent leave no trace", "[base]") {
  CHECK(render({.message = "no GPUs are left"}) == "error: no GPUs are left\n");
  CHECK(render({.file = "a.yaml", .message = "no such file"}) == "a.yaml: error: no such file\n");
  CHECK(render({.file = "a.yaml", .line = 3, .column = 1, .message = "x"}) == "a.yaml:3:1: error: x\n");
}

TEST_CASE("diagnostic: a tab before the place does not shift the caret", "[base]") {
  Diagnostic tab = radix();
  tab.source_line = "\t\t\t\t\t\tradx: 64";
  CHECK_THAT(render(tab), ContainsSubstring("   14 |       radx: 64\n      |       ^~~~\n"));
}

TEST_CASE("diagnostic: control characters of the input never reach the terminal", "[base]") {
  Diagnostic evil = radix();
  evil.file = "\x1b[1m.yaml";
  evil.path = "a\x1b[31m";
  evil.message = "found '\x07'";
  evil.source_line = "      \x1b[2Jradx";
  evil.expected = "\x1b]0;title";
  CHECK(render(evil).find_first_of("\x1b\x07") == std::string::npos);
}

TEST_CASE("diagnostic: whatever bytes the parts hold, and however many, the text is short and fit to print", "[base]") {
  std::string bytes;
  for (int i = 0; i < 1 << 20; ++i) bytes += static_cast<char>(i % 251 + 5);
  const Diagnostic evil{.file = bytes,
                        .line = 1,
                        .column = 50,
                        .path = bytes,
                        .message = bytes,
                        .source_line = bytes,
                        .width = 1 << 20,
                        .expected = bytes};
  for (const std::string& text :
       {render(evil), std::string(InputError({evil}).what()), std::string(InputError(bytes, bytes).in(bytes).what()),
        std::string(EnvironmentError(bytes).what())}) {
    CHECK_FALSE(text_fault(text, Layout::lines));
    CHECK(characters(text) < 3500);
  }
}

TEST_CASE("diagnostic: columns and carets count characters", "[base]") {
  Diagnostic accent = radix();
  accent.source_line = "\xC3\xA9\xC3\xA9: \xC3\xA9\xC3\xA9";
  CHECK_THAT(render(accent), ContainsSubstring("cluster.yaml:14:5: error") &&
                                 ContainsSubstring("   14 | \xC3\xA9\xC3\xA9: \xC3\xA9\xC3\xA9\n      |     ^~\n"));
}

TEST_CASE("diagnostic: long lines are cut, underlines end with the line, far columns show no line", "[base]") {
  Diagnostic far = radix();
  far.source_line = std::string(100000, 'x');
  far.width = 99999;
  const std::string text = render(far);
  CHECK(text.size() < 500);
  CHECK_THAT(text, ContainsSubstring("      |       ^" + std::string(93, '~') + "\n"));  // columns 7 to 100
  far.column = 50000;
  CHECK_THAT(render(far), !ContainsSubstring("xxx"));
}

TEST_CASE("input error: mistakes are sorted by place and counted", "[base]") {
  Diagnostics diagnostics;
  diagnostics.throw_if_any();  // nothing yet
  diagnostics.add({.file = "b.yaml", .line = 1, .column = 1, .message = "fourth"});
  diagnostics.add({.file = "a.yaml", .line = 10, .column = 1, .message = "third"});
  diagnostics.add({.file = "a.yaml", .line = 2, .column = 9, .message = "second"});
  diagnostics.add({.file = "a.yaml", .line = 2, .column = 1, .message = "first"});
  REQUIRE_FALSE(diagnostics.empty());
  try {
    diagnostics.throw_if_any();
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(error.what() == std::string("a.yaml:2:1: error: first\n"
                                      "a.yaml:2:9: error: second\n"
                                      "a.yaml:10:1: error: third\n"
                                      "b.yaml:1:1: error: fourth\n"
                                      "4 errors\n"));
  }
}

TEST_CASE("input error: twenty mistakes are shown, the rest is a number", "[base]") {
  std::vector<Diagnostic> list;
  for (int i = 1; i <= 25; ++i) list.push_back({.file = "a.yaml", .line = i, .column = 1, .message = "x"});
  const std::string text = InputError(list).what();
  CHECK_THAT(text, ContainsSubstring("a.yaml:20:1: error: x\nand 5 more errors\n25 errors\n"));
  CHECK_THAT(text, !ContainsSubstring("a.yaml:21:1"));
}

TEST_CASE("input error: one without a place has message and remedy", "[base]") {
  CHECK(InputError("256 GPUs do not fit", "use at most 248").what() ==
        std::string("error: 256 GPUs do not fit\n   use at most 248\n"));
}

}  // namespace
}  // namespace railyard
