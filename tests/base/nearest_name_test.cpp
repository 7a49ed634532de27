// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <string>
#include <vector>

#include "tests/catch.h"

namespace railyard {
namespace {

TEST_CASE("edit distance: inserting, deleting, replacing and swapping neighbours cost one each", "[base]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("radix", "radix") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("radx", "radix") == 1);
  CHECK(edit_distance("raddix", "radix") == 1);
  CHECK(edit_distance("rabix", "radix") == 1);
  CHECK(edit_distance("raidx", "radix") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);  // Levenshtein's textbook pair: k/s, e/i, +g
  CHECK(edit_distance("ca", "abc") == 3);          // optimal string alignment: a swapped pair is not edited again
}

TEST_CASE("edit distance: it is the same both ways", "[base]") {
  const std::vector<std::string> words = {"h100", "h200", "mi300x", "ndr-rail", "", "rail"};
  for (const std::string& a : words) {
    for (const std::string& b : words) CHECK(edit_distance(a, b) == edit_distance(b, a));
  }
}

TEST_CASE("nearest name: at most three edits and less than half the length", "[base]") {
  const std::vector<std::string> names = {"bandwidth", "latency", "oversubscription", "radix"};
  CHECK(nearest_name("radx", names) == "radix");
  CHECK(nearest_name("bandwith", names) == "bandwidth");
  CHECK(nearest_name("oversubscriptio", names) == "oversubscription");
  CHECK(nearest_name("ovrsbscrptin", names) == "");  // four edits
  CHECK(nearest_name("rx", names) == "");            // three edits of five letters
  CHECK(nearest_name("", names) == "");
  CHECK(nearest_name("radix", {}) == "");
  CHECK(nearest_name(std::string(100000, 'r'), names) == "");
}

TEST_CASE("nearest name: the first of equally near names wins", "[base]") {
  const std::vector<std::string> names = {"h100", "h200"};
  CHECK(nearest_name("h300", names) == "h100");
}

TEST_CASE("expected names: few names are listed, of many only the nearest", "[base]") {
  const std::vector<std::string> few = {"bandwidth", "latency", "oversubscription", "radix"};
  CHECK(expected_names("radx", few) ==
        "expected one of: bandwidth, latency, oversubscription, radix; did you mean 'radix'?");
  CHECK(expected_names("colour", few) == "expected one of: bandwidth, latency, oversubscription, radix");

  std::vector<std::string> many;
  for (int i = 0; i < 30; ++i) many.push_back("part-number-" + std::to_string(i));
  CHECK(expected_names("part-nummber-7", many) == "did you mean 'part-number-7'?");
  const std::string text = expected_names("colour", many);
  CHECK_THAT(text, ContainsSubstring("part-number-23, ..."));
  CHECK_THAT(text, !ContainsSubstring("part-number-24"));
}

}  // namespace
}  // namespace railyard
