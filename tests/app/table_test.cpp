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
}

TEST_CASE("numbers: CSV holds the digits of the value, not those of its binary neighbour", "[report]") {
  CHECK(exact_text(0.1) == "0.1");
  CHECK(exact_text(256.4 * 1e3) == "256400");  // the product is 256399.99999999997
  CHECK(exact_text(0.1 + 0.2) == "0.3");
  CHECK(exact_text(1.0 / 3) == "0.333333333333333");
  CHECK(exact_text(123456789012345) == "123456789012345");
}

TEST_CASE("CSV: text that a spreadsheet would run is kept text, numbers stay numbers", "[report]") {
  const Table table{.header = {"a"},
                    .rows = {{"=1+1"}, {"@SUM(A1)"}, {"+x"}, {"-x"}, {"-1.5e-3"}, {"+2"}, {"-"}, {"=a,b"}}};
  CHECK(to_csv(table) == "a\n'=1+1\n'@SUM(A1)\n'+x\n'-x\n-1.5e-3\n+2\n-\n\"'=a,b\"\n");
}

TEST_CASE("wrapped: lines keep the width, later ones are indented, blanks in front stay", "[report]") {
  CHECK(wrapped("  one two three", 9, "    ") == "  one two\n    three\n");
  CHECK(wrapped("short", 80, "") == "short\n");
}
