// SPDX-License-Identifier: Apache-2.0
#include "sim/study/csv.h"

#include "base/diagnostic.h"
#include "tests/catch.h"

using namespace railyard;

TEST_CASE("csv: quotes hold commas, line ends and doubled quotes", "[study]") {
  const CsvFile file = parse_csv("a,b\n\"1,5\",\"say \"\"x\"\"\nand y\"\nplain,\n", "t.csv");
  REQUIRE(file.records.size() == 2);
  CHECK(file.records[0].at("a") == "1,5");
  CHECK(file.records[0].at("b") == "say \"x\"\nand y");
  CHECK(file.records[1].line == 4);
  CHECK(file.records[1].at("b").empty());
  CHECK(file.records[1].at("no such column").empty());
}

TEST_CASE("csv: byte-order mark, CRLF and blank lines do not count", "[study]") {
  const CsvFile file = parse_csv(
      "\xef\xbb\xbf"
      "a,b\r\n\r\n1,2\r\n",
      "t.csv");
  REQUIRE(file.columns == std::vector<std::string>{"a", "b"});
  REQUIRE(file.records.size() == 1);
  CHECK(file.records[0].at("b") == "2");
}

TEST_CASE("csv: mistakes name the line", "[study]") {
  CHECK_THROWS_WITH(parse_csv("a,b\n1\n", "t.csv"), "t.csv:2:1: error: 1 cells\n   expected 2, as in the header\n");
  CHECK_THROWS_WITH(parse_csv("a\n\"open\n", "t.csv"), "t.csv:2:1: error: a quote is never closed\n");
  CHECK_THROWS_WITH(parse_csv("", "t.csv"), "t.csv:1:1: error: the file is empty\n   expected a header line\n");
}
