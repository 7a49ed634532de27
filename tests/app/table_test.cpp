// SPDX-License-Identifier: Apache-2.0
#include "sim/report/table.h"

#include "tests/catch.h"

using namespace railyard;

TEST_CASE("table: columns align, headers stand at the bottom, nothing trails", "[report]") {
  const Table table{.header = {"name", "long\nheader"}, .rows = {{"a", "1"}, {"bcd", "22"}}, .right = {false, true}};
  CHECK(to_text(table) ==
        "        long\n"
        "name  header\n"
        "------------\n"
        "a          1\n"
        "bcd       22\n");
}

TEST_CASE("table: csv quotes what needs it", "[report]") {
  CHECK(to_csv(Table{.header = {"a", "b"}, .rows = {{"1,5", "say \"x\""}, {"", "plain"}}}) ==
        "a,b\n\"1,5\",\"say \"\"x\"\"\"\n,plain\n");
}

TEST_CASE("numbers: significant digits, no exponent, thousands apart", "[report]") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(1234567, 9) == "1 234 567.00");
  CHECK(number_text(1234567, 7) == "1 234 567");
  CHECK(number_text(0.012345, 3) == "0.0123");
  CHECK(number_text(-1234.7, 4) == "-1 235");
  CHECK(number_text(9.9996, 4) == "10.000");
  CHECK(count_text(1234567) == "1 234 567");
  CHECK(count_text(-999.6) == "-1 000");
  CHECK(exact_text(0.1) == "0.1");
}

TEST_CASE("wrapped: lines keep the width, later ones are indented, blanks in front stay", "[report]") {
  CHECK(wrapped("  one two three", 9, "    ") == "  one two\n    three\n");
  CHECK(wrapped("short", 80, "") == "short\n");
}
