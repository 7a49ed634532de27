// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/scale.h"

#include "sim/report/html/figures.h"
#include "tests/catch.h"

using namespace railyard;
using namespace railyard::html;

TEST_CASE("axis: the shortest with round steps", "[report]") {
  // Highest value, most steps, and the ticks by hand.
  const auto ticks = [](double highest, int most) { return axis_to(highest, most).ticks; };
  CHECK(ticks(27.5, 6) == std::vector<double>{0, 5, 10, 15, 20, 25, 30});
  CHECK(ticks(10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(ticks(11, 5) == std::vector<double>{0, 2.5, 5, 7.5, 10, 12.5});
  CHECK(ticks(18294, 5) == std::vector<double>{0, 5000, 10000, 15000, 20000});
  CHECK(ticks(1, 1) == std::vector<double>{0, 1});
}

TEST_CASE("axis: ticks are equally far apart, few, and hold the highest value", "[report]") {
  for (const double highest : {1e-9, 0.3, 0.99, 1.0, 1.01, 7.3, 49.99, 123456.0, 9.9e12}) {
    for (const int most : {1, 3, 5, 6, 9}) {
      const Axis axis = axis_to(highest, most);
      INFO(highest << " in " << most);
      REQUIRE(axis.ticks.size() >= 2);
      CHECK(axis.ticks.size() <= static_cast<std::size_t>(most) + 1);
      CHECK(axis.end >= highest * (1 - 1e-9));
      CHECK(axis.end - axis.ticks[1] < highest);  // one step less would not hold it
      for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
        CHECK_THAT(axis.ticks[i], WithinRel(axis.ticks[1] * static_cast<double>(i), 1e-12));
      }
    }
  }
}

TEST_CASE("axis: nothing to show is still an axis", "[report]") {
  CHECK(axis_to(0, 5).end == 1);
  CHECK(axis_to(-3, 5).end == 1);
}

TEST_CASE("axis: one that reaches to both sides has a tick on zero", "[report]") {
  const auto ticks = [](double lowest, double highest, int most) { return axis_over(lowest, highest, most).ticks; };
  CHECK(ticks(-1.4, 0, 5) == std::vector<double>{-1.5, -1, -0.5, 0});
  CHECK(ticks(-3, 17, 5) == std::vector<double>{-5, 0, 5, 10, 15, 20});
  // Eight steps of 0.25 would be needed, nine with zero among them.
  CHECK(ticks(-0.1, 1.9, 4) == std::vector<double>{-1, 0, 1, 2});
  CHECK(ticks(-1, 1, 1) == std::vector<double>{-1, 0, 1});
  const Axis axis = axis_over(-5, 15, 4);
  CHECK(axis.percent(0) == 25);
  CHECK(axis.percent(-5) == 0);
  CHECK(axis.percent(15) == 100);
}

TEST_CASE("axis: places are percentages and stay inside", "[report]") {
  const Axis axis = axis_to(40, 4);
  CHECK(axis.percent(0) == 0);
  CHECK(axis.percent(10) == 25);
  CHECK(axis.percent(50) == 100);
  CHECK(axis.percent(-1) == 0);
  CHECK(percent_text(25) == "25%");
  CHECK(percent_text(33.3333) == "33.33%");
  CHECK(percent_text(12.5) == "12.5%");
  CHECK(percent_text(0) == "0%");
}

TEST_CASE("figures: digits, ranges and lists in words", "[report]") {
  CHECK(number(4.0123) == "4.01");
  CHECK(number(1234.5, 5) == "1\u202f234.5");
  CHECK(count(16384) == "16\u202f384");
  CHECK(short_number(0.5) == "0.5");
  CHECK(short_number(730) == "730");
  CHECK(short_number(20) == "20");
  CHECK(number_like(0.0679, 14.2) == "0.07");
  CHECK(number_like(0.000832, 14.2) == "<\u202f0.01");
  CHECK(number_like(0, 14.2) == "0.00");
  CHECK(span(Range<double>{2.711, 4.01, 6.69}) == "2.71 to 6.69");
  CHECK(span(Range<double>::exactly(4)).empty());
  CHECK(number_and_span(Range<double>{2.711, 4.01, 6.69}) == "4.01 (2.71 to 6.69)");
  CHECK(joined({"a", "b", "c"}) == "a, b and c");
  CHECK(joined({"a"}) == "a");
}
