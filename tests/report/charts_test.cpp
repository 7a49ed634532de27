// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/charts.h"

#include <regex>

#include "tests/catch.h"

using namespace railyard;
using namespace railyard::html;

namespace {

std::vector<std::smatch> matches(const std::string& text, const char* expression) {
  const std::regex pattern(expression);
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}
double at(const std::smatch& match, std::size_t group) { return std::stod(match[group].str()); }

StackedChart stacked() {
  return {.id = "s",
          .title = "a < b",
          .description = "d",
          .value_axis = "k$",
          .parts = {"one", "none", "three"},
          .colours = {},
          .bars = {{"group", "bar", {10, 0, 25}, Range<double>{30, 35, 38}, "35 k$"},
                   {"group", "other", {5, 0, 5}, std::nullopt, "10 k$"}}};
}

}  // namespace

TEST_CASE("stacked chart: parts lie end to end and sum to the whole on the axis", "[report]") {
  const std::string text = stacked_chart(stacked()).text();
  // The axis ends at 40 (38 is the highest): 10 of 40 is 25 %, 25 of 40 is 62.5 %.
  const auto bars = matches(text, R"re(<rect x="([0-9.]+)%" y="\d+" width="([0-9.]+)%")re");
  REQUIRE(bars.size() == 4);
  CHECK(at(bars[0], 1) == 0);
  CHECK(at(bars[0], 2) == 25);
  CHECK(at(bars[1], 1) == 25);
  CHECK(at(bars[1], 2) == 62.5);
  CHECK(at(bars[3], 1) + at(bars[3], 2) == 25);
  CHECK_THAT(text, ContainsSubstring("x1=\"75%\" x2=\"95%\""));  // the range, 30 to 38
}

TEST_CASE("stacked chart: title, description and axis for all readers, no legend for parts of nothing", "[report]") {
  const std::string text = stacked_chart(stacked()).text();
  CHECK_THAT(text, ContainsSubstring("role=\"img\" aria-labelledby=\"s-title s-desc\""));
  CHECK_THAT(text, ContainsSubstring("<title id=\"s-title\">a &lt; b</title><desc id=\"s-desc\">d</desc>"));
  CHECK_THAT(text, ContainsSubstring(">k$</text>"));
  const std::string legend = text.substr(text.find("<ul"), text.find("</ul>") - text.find("<ul"));
  CHECK_THAT(legend, ContainsSubstring("one") && ContainsSubstring("three") && !ContainsSubstring("none"));
  CHECK(matches(text, ">group</text>").size() == 1);
}

TEST_CASE("stacked chart: long labels are cut between letters", "[report]") {
  StackedChart chart = stacked();
  chart.bars[0].label = std::string(37, 'x') + "\u00e4\u00f6\u00fc";
  CHECK_THAT(stacked_chart(chart).text(), ContainsSubstring(std::string(37, 'x') + "\u00e4\u2026"));
}

TEST_CASE("range chart: a bar from low to high with the mark at the typical value", "[report]") {
  const RangeChart chart{.id = "r",
                         .title = "t",
                         .description = "d",
                         .value_axis = "$/h",
                         .group_axis = "GPUs",
                         .series = {"A", "B"},
                         .groups = {{"1 024", {Range<double>{5, 15, 25}, std::nullopt}},
                                    {"2 048", {Range<double>{0, 30, 30}, Range<double>{10, 20, 30}}}}};
  const std::string text = range_chart(chart).text();
  const auto bars = matches(text, R"re(y1="(\d+)" y2="(\d+)" class="range")re");
  const auto marks = matches(text, R"re(<use href="#mark\d" x="([0-9.]+)%" y="(\d+)")re");
  REQUIRE(bars.size() == 3);
  REQUIRE(marks.size() == 3);
  // The axis ends at 30. Of 5, 15, 25 the middle is half way up, so the mark is in the middle of its bar.
  CHECK(at(marks[0], 2) * 2 == at(bars[0], 1) + at(bars[0], 2));
  CHECK(at(bars[1], 1) > at(bars[0], 1));  // 0 lies below 5
  CHECK(at(marks[1], 2) == at(bars[1], 2));
  // Groups and series from left to right.
  CHECK(at(marks[0], 1) < at(marks[1], 1));
  CHECK(at(marks[1], 1) < at(marks[2], 1));
  CHECK_THAT(text, ContainsSubstring("<title>A, 1 024 GPUs: 15.0 (5.00 to 25.0)</title>"));
}

TEST_CASE("waterfall: every bar begins where the one before it ended, the whole stands on zero", "[report]") {
  const WaterfallChart chart{
      .id = "w",
      .title = "t",
      .description = "d",
      .value_axis = "M$",
      .highest = 40,
      .steps = {{"servers", {16, 20, 24}, 0}, {"switches", {4, 4, 4}, 1}, {"rest", {2, 6, 8}, 2}},
      .total = {"total", {22, 30, 36}, 3}};
  const std::string text = waterfall_chart(chart).text();
  // The axis ends at 40, as asked: 20, 4 and 6 of 40 are 50, 10 and 15 %; the whole is 75 %.
  const auto bars = matches(text, R"re(<rect x="([0-9.]+)%" y="(\d+)" width="([0-9.]+)%")re");
  REQUIRE(bars.size() == 4);
  for (const std::size_t i : {1U, 2U}) CHECK(at(bars[i], 1) == at(bars[i - 1], 1) + at(bars[i - 1], 3));
  CHECK(at(bars[0], 1) == 0);
  CHECK(at(bars[0], 3) == 50);
  CHECK(at(bars[2], 3) == 15);
  CHECK(at(bars[3], 1) == 0);
  CHECK(at(bars[3], 3) == at(bars[2], 1) + at(bars[2], 3));
  for (std::size_t i = 1; i < 4; ++i) CHECK(at(bars[i], 2) > at(bars[i - 1], 2));
  // The bounds of a step lie about its own end: 24 + 2 and 24 + 8 of 40. One without a range has no thin bar.
  CHECK_THAT(text, ContainsSubstring("x1=\"65%\" x2=\"80%\""));
  CHECK(matches(text, "class=\"whisker\"").size() == 3);
  CHECK_THAT(text, ContainsSubstring("<title>rest: 6.00 (2.00 to 8.00)</title>"));
}

TEST_CASE("waterfall: changes fall and rise from where the bar before them ended, below zero too", "[report]") {
  const WaterfallChart chart{.id = "w",
                             .title = "t",
                             .description = "d",
                             .value_axis = "$/h",
                             .steps = {{"down", {-4, -3, -2}, 0, true}, {"up", {1, 1, 1}, 1, true}},
                             .total = {"total", {-3, -2, -1}, 3, true}};
  const std::string text = waterfall_chart(chart).text();
  // The axis goes from -4 to 0 in steps of one: 0 is at 100 %, -3 at 25 %, -2 at 50 %.
  const auto bars = matches(text, R"re(<rect x="([0-9.]+)%" y="(\d+)" width="([0-9.]+)%")re");
  REQUIRE(bars.size() == 3);
  CHECK(at(bars[0], 1) == 25);
  CHECK(at(bars[0], 3) == 75);
  CHECK(at(bars[1], 1) == 25);
  CHECK(at(bars[1], 3) == 25);
  CHECK(at(bars[2], 1) == 50);
  CHECK(at(bars[2], 3) == 50);
  CHECK_THAT(text, ContainsSubstring("<title>down: \u22123.00 (\u22124.00 to \u22122.00)</title>"));
  CHECK_THAT(text, ContainsSubstring("<title>up: +1.00</title>"));
}

TEST_CASE("waterfall: no line but the grid's passes where words stand", "[report]") {
  const WaterfallChart chart{
      .id = "w",
      .title = "t",
      .description = "d",
      .value_axis = "M$",
      .steps = {{"servers", {16, 20, 24}, 0}, {"switches", {4, 4, 4}, 1}, {"rest", {2, 6, 8}, 2}},
      .total = {"total", {22, 30, 36}, 3}};
  const std::string text = waterfall_chart(chart).text();
  std::vector<double> words;
  for (const auto& match : matches(text, R"re(<text x="6" y="(\d+)" class="halo")re")) words.push_back(at(match, 1));
  REQUIRE(words.size() == 4);
  const auto lines = matches(text, R"re(y1="(\d+)" y2="(\d+)"(?: class="(joint)?")?/>)re");
  REQUIRE(lines.size() > 12);
  for (const auto& line : lines) {
    for (const double base : words) {  // letters stand from 10 pixels above their base line to 3 below it
      INFO(line.str() << " at words on " << base);
      CHECK((at(line, 2) <= base - 10 || at(line, 1) >= base + 3));
    }
  }
}
