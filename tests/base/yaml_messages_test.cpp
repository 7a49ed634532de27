// SPDX-License-Identifier: Apache-2.0
// Whole messages, as a user sees them: place, key path, what was found, line with caret, what was expected.
#include <functional>
#include <string>
#include <vector>

#include "tests/base/yaml_message.h"
#include "tests/catch.h"

namespace railyard {
namespace {

void read_spine(YamlMap& root) {
  YamlMap spine = root.map("spine");
  spine.quantity("bandwidth", units::bandwidth, Bound::positive);
  spine.integer("radix", 1, 1024);
  spine.finish();
}

TEST_CASE("yaml: an unknown key is named with its neighbours and the nearest", "[base]") {
  CHECK(yaml_message("spine:\n  bandwidth: 400 Gb/s\n  radix: 64\n  radx: 64\n", read_spine) ==
        "design.yaml:4:3: error: spine.radx: unknown key\n"
        "    4 |   radx: 64\n"
        "      |   ^~~~\n"
        "   expected one of: bandwidth, radix; did you mean 'radix'?\n");
}

TEST_CASE("yaml: a missing key is reported at its parent's key", "[base]") {
  CHECK(yaml_message("\nspine:\n  bandwidth: 400 Gb/s\n", read_spine) ==
        "design.yaml:2:1: error: spine: the key 'radix' is missing\n"
        "    2 | spine:\n"
        "      | ^~~~~\n");
}

TEST_CASE("yaml: a missing key of the whole file is reported at its beginning", "[base]") {
  CHECK(yaml_message("other: 1\n",
                     [](YamlMap& root) {
                       root.integer("other", 0, 9);
                       root.text("name");
                     }) ==
        "design.yaml:1:1: error: the key 'name' is missing\n"
        "    1 | other: 1\n"
        "      | ^\n");
}

TEST_CASE("yaml: duplicate keys are found at any depth, each at its place", "[base]") {
  CHECK(yaml_message("spine:\n  radix: 64\n  radix: 32\nspine: {}\n", read_spine) ==
        "design.yaml:3:3: error: duplicate key 'radix'\n"
        "    3 |   radix: 32\n"
        "      |   ^~~~~\n"
        "   it stands at line 2 already; keep one\n"
        "design.yaml:4:1: error: duplicate key 'spine'\n"
        "    4 | spine: {}\n"
        "      | ^~~~~\n"
        "   it stands at line 1 already; keep one\n"
        "2 errors\n");
}

TEST_CASE("yaml: a wrong unit and a missing one point at the value", "[base]") {
  CHECK(yaml_message("spine: {bandwidth: 400 GB, radix: 64}\n", read_spine) ==
        "design.yaml:1:20: error: spine.bandwidth: found '400 GB'\n"
        "    1 | spine: {bandwidth: 400 GB, radix: 64}\n"
        "      |                    ^~~~~~\n"
        "   'GB' is not a unit of this kind; expected a bandwidth with its unit, such as 400 Gb/s, 3.35 TB/s\n");
  CHECK(yaml_message("spine: {bandwidth: 400, radix: 64}\n", read_spine) ==
        "design.yaml:1:20: error: spine.bandwidth: found '400'\n"
        "    1 | spine: {bandwidth: 400, radix: 64}\n"
        "      |                    ^~~\n"
        "   the unit is missing; expected a bandwidth with its unit, such as 400 Gb/s, 3.35 TB/s\n");
}

TEST_CASE("yaml: impossible values name what is possible", "[base]") {
  CHECK(yaml_message("spine: {bandwidth: -400 Gb/s, radix: 2048}\n", read_spine) ==
        "design.yaml:1:20: error: spine.bandwidth: found '-400 Gb/s'\n"
        "    1 | spine: {bandwidth: -400 Gb/s, radix: 2048}\n"
        "      |                    ^~~~~~~~~\n"
        "   expected a bandwidth above zero\n"
        "design.yaml:1:38: error: spine.radix: found '2048'\n"
        "    1 | spine: {bandwidth: -400 Gb/s, radix: 2048}\n"
        "      |                                      ^~~~\n"
        "   expected a whole number from 1 to 1024\n"
        "2 errors\n");
}

TEST_CASE("yaml: numbers that YAML would read in its own way are refused", "[base]") {
  const std::string value = GENERATE("010", "0x10", "1e3", "64.0", "yes", ".nan", "~", "'64 '", "+64", "6_4");
  CAPTURE(value);
  CHECK_THAT(yaml_message("n: " + value + "\n", [](YamlMap& root) { root.integer("n", 1, 1024); }),
             ContainsSubstring("design.yaml:1:4: error: n: found"));
}

TEST_CASE("yaml: not-a-number and octal are no plain numbers either", "[base]") {
  const std::string value = GENERATE(".nan", ".inf", "010", "0x10", "yes");
  CAPTURE(value);
  CHECK(yaml_message("n: " + value + "\n", [](YamlMap& root) { root.number("n", 0, 5); }) ==
        "design.yaml:1:4: error: n: found '" + value + "'\n    1 | n: " + value + "\n      |    ^" +
            std::string(value.size() - 1, '~') + "\n   expected a number from 0 to 5\n");
}

TEST_CASE("yaml: only true and false are flags", "[base]") {
  const std::string value = GENERATE("yes", "True", "on", "1", "''");
  CAPTURE(value);
  CHECK_THAT(yaml_message("ufm: " + value + "\n", [](YamlMap& root) { root.flag("ufm", false); }),
             ContainsSubstring("expected true or false"));
}

TEST_CASE("yaml: values of the wrong shape say what stands there", "[base]") {
  CHECK(yaml_message("spine: [1, 2]\n", read_spine) ==
        "design.yaml:1:8: error: spine: found a list\n"
        "    1 | spine: [1, 2]\n"
        "      |        ^\n"
        "   expected a map of keys\n");
  CHECK_THAT(yaml_message("spine:\n  bandwidth: {a: 1}\n  radix: 64\n", read_spine),
             ContainsSubstring("spine.bandwidth: found a map\n"));
  CHECK_THAT(yaml_message("spine:\n", read_spine), ContainsSubstring("spine: found nothing\n"));
  CHECK_THAT(yaml_message("clusters: []\n", [](YamlMap& root) { root.maps("clusters"); }),
             ContainsSubstring("clusters: found an empty list\n"));
  CHECK_THAT(yaml_message("clusters: [a]\n", [](YamlMap& root) { root.maps("clusters"); }),
             ContainsSubstring("design.yaml:1:12: error: clusters[0]: found a value\n"));
  CHECK_THAT(yaml_message("- a\n", [](YamlMap&) {}), ContainsSubstring("design.yaml:1:1: error: found a list\n"));
}

TEST_CASE("yaml: a figure needs evidence, a known source, an ordered range and nothing else", "[base]") {
  const auto read = [](YamlMap& root) {
    const Sources sources = root.sources();
    root.figure("price", units::money, sources);
  };
  const std::string sources = "sources: {quote: {title: A quote, date: 2024-12}}\n";
  CHECK(yaml_message(sources + "price: {value: 5 $}\n", read) ==
        "design.yaml:2:1: error: price: a figure without evidence\n"
        "    2 | price: {value: 5 $}\n"
        "      | ^~~~~\n"
        "   add 'source: ID' (an entry of sources) or 'assumed: RULE'\n");
  CHECK(yaml_message(sources + "price: {value: 5 $, source: quota}\n", read) ==
        "design.yaml:2:29: error: price.source: unknown source 'quota'\n"
        "    2 | price: {value: 5 $, source: quota}\n"
        "      |                             ^~~~~\n"
        "   expected one of: quote; did you mean 'quote'?\n");
  CHECK_THAT(yaml_message(sources + "price: {low: 5 $, typical: 4 $, high: 6 $, source: quote}\n", read),
             ContainsSubstring("price.typical: the range is out of order\n"));
  const std::string once = yaml_message(sources + "price: {low: 5 $, typical: 6 $, high: -7 $, source: quote}\n", read);
  CHECK_THAT(once, ContainsSubstring("price.high: found '-7 $'\n") && !ContainsSubstring("out of order"));
  CHECK_THAT(yaml_message(sources + "price: {value: 5 $, low: 4 $, source: quote}\n", read),
             ContainsSubstring("price.value: a value beside a range\n"));
  CHECK_THAT(yaml_message(sources + "price: {value: -5 $, source: quote}\n", read),
             ContainsSubstring("expected an amount of money that is not negative\n"));
  CHECK_THAT(yaml_message(sources + "price: {value: 5 $, source: quote, sorce: x}\n", read),
             ContainsSubstring("price.sorce: unknown key\n"));
  CHECK_THAT(yaml_message("sources: {quote: {title: A quote}}\nprice: {value: 5 $, source: quote}\n", read),
             ContainsSubstring("sources.quote: the key 'date' is missing\n"));
}

TEST_CASE("yaml: a wrong part of a range is told once, of numbers and rates of interest too", "[base]") {
  const auto read = [](YamlMap& root) {
    root.number_figure("n", {}, 0, 5);
    root.interest_figure("wacc", {});
  };
  const std::string text = yaml_message(
      "n: {low: 1, typical: 2, high: 9, assumed: x}\n"
      "wacc: {low: 5 %/year, typical: 6 %/year, high: 7 %, assumed: x}\n",
      read);
  CHECK_THAT(text, ContainsSubstring("n.high: found '9'") && ContainsSubstring("wacc.high: found '7 %'") &&
                       ContainsSubstring("\n2 errors\n"));
}

TEST_CASE("yaml: numbers beyond every limit are told the limit", "[base]") {
  CHECK_THAT(yaml_message("n: 99999999999999999999\n", [](YamlMap& root) { root.integer("n", 1, 1024); }),
             ContainsSubstring("expected a whole number from 1 to 1024\n"));
  CHECK_THAT(yaml_message("n: 1e999\n", [](YamlMap& root) { root.number("n", 0, 5); }),
             ContainsSubstring("expected a number from 0 to 5\n"));
  CHECK_THAT(yaml_message("n: 2000000000000\n", [](YamlMap& root) { root.count<struct SequenceTag>("n", "sequence"); }),
             ContainsSubstring("at most 1000000000000\n"));
}

TEST_CASE("yaml: counts state their word or none", "[base]") {
  const auto read = [](YamlMap& root) { root.count<struct SequenceTag>("batch", "sequence"); };
  CHECK(yaml_message("batch: 2048 sequence\n", read) == "");
  CHECK(yaml_message("batch: 2048 token\n", read) ==
        "design.yaml:1:8: error: batch: found '2048 token'\n"
        "    1 | batch: 2048 token\n"
        "      |        ^~~~~~~~~~\n"
        "   expected a whole number of sequences above zero, such as '2048 sequence', at most 1000000000000\n");
  CHECK_FALSE(yaml_message("batch: 2048.5\n", read).empty());
  CHECK_FALSE(yaml_message("batch: 0\n", read).empty());
}

TEST_CASE("yaml: aliases, tags, tabs, second documents and complex keys are refused", "[base]") {
  const auto nothing = [](YamlMap&) {};
  CHECK(yaml_message("a: &x 1\nb: *x\n", nothing) ==
        "design.yaml:2:4: error: aliases are not supported\n"
        "    2 | b: *x\n"
        "      |    ^\n"
        "   write the value out\n");
  CHECK_THAT(yaml_message("a: !!int 1\n", nothing), ContainsSubstring("tags are not supported"));
  CHECK_THAT(yaml_message("a:\n\tb: 1\n", nothing),
             ContainsSubstring("design.yaml:2:1: error: a tab in the indentation"));
  CHECK_THAT(yaml_message("a: 1\n---\nb: 2\n", nothing), ContainsSubstring("more than one YAML document"));
  CHECK_THAT(yaml_message("? [a]\n: 1\n", nothing), ContainsSubstring("a key must be a name"));
  CHECK_THAT(yaml_message("<<: {a: 1}\n", nothing), ContainsSubstring("<<: unknown key"));
  CHECK_THAT(yaml_message("", nothing), ContainsSubstring("the file is empty"));
  CHECK_THAT(yaml_message("# only a comment\n", nothing), ContainsSubstring("the file is empty"));
  CHECK_THAT(yaml_message("a: [1, 2\n", nothing), ContainsSubstring("YAML syntax: "));
  CHECK_THAT(yaml_message(std::string("a: 1\0b", 6), nothing), ContainsSubstring("not a text file"));
}

TEST_CASE("yaml: hostile depth and size end in a message, not in a crash", "[base]") {
  const auto nothing = [](YamlMap&) {};
  CHECK_THAT(yaml_message("a: " + std::string(20000, '[') + "\n", nothing), ContainsSubstring("error: "));
  CHECK_THAT(yaml_message("a: " + std::string(100, '{') + "\n", nothing), ContainsSubstring("error: "));
  CHECK_THAT(yaml_message(std::string((8U << 20U) + 1, '#'), nothing), ContainsSubstring("the file is too large"));
  const std::string text =
      yaml_message("a: " + std::string(1 << 20, 'x') + "\n", [](YamlMap& root) { root.flag("a", true); });
  CHECK_THAT(text, ContainsSubstring("expected true or false"));
  CHECK(text.size() < 1000);
}

TEST_CASE("yaml: twenty mistakes of a file are shown in its order, the rest counted", "[base]") {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const std::string result = yaml_message(text, [](YamlMap&) {});
  CHECK_THAT(result, ContainsSubstring("design.yaml:20:1: error: key19: unknown key\n"));
  CHECK_THAT(result, !ContainsSubstring("key20"));
  CHECK_THAT(result, ContainsSubstring("and 10 more errors\n30 errors\n"));
}

TEST_CASE("yaml: a mistake is told once, not again by what follows from it", "[base]") {
  const std::string text = yaml_message("spine: 5\n", [](YamlMap& root) {
    YamlMap spine = root.map("spine");
    spine.text("name");
    spine.map("deeper").integer("n", 0, 1);
    spine.fail("x", "no");
    spine.finish();
  });
  CHECK(text ==
        "design.yaml:1:8: error: spine: found a value\n"
        "    1 | spine: 5\n"
        "      |        ^\n"
        "   expected a map of keys\n");
}

TEST_CASE("yaml: mistakes of meaning point at the value, or at the map when the key is absent", "[base]") {
  const std::vector<std::string> names = {"h100", "h200"};
  CHECK(yaml_message("owner:\n  gpu: h300\n",
                     [&](YamlMap& root) {
                       YamlMap owner = root.map("owner");
                       owner.text("gpu");
                       owner.fail_unknown("gpu", "GPU", names);
                       owner.fail("absent", "does not add up", "expected a sum of one");
                     }) ==
        "design.yaml:1:1: error: owner: does not add up\n"
        "    1 | owner:\n"
        "      | ^~~~~\n"
        "   expected a sum of one\n"
        "design.yaml:2:8: error: owner.gpu: unknown GPU 'h300'\n"
        "    2 |   gpu: h300\n"
        "      |        ^~~~\n"
        "   expected one of: h100, h200; did you mean 'h100'?\n"
        "2 errors\n");
}

}  // namespace
}  // namespace railyard
