// SPDX-License-Identifier: Apache-2.0
#include "pricing/formula.h"

#include <cmath>

#include "tests/catch.h"

using namespace railyard;

namespace {

FormulaRow input(const std::string& id, double value) { return {id, id, "", true, value, 0}; }
FormulaRow row(const std::string& id, Expr expression) { return {id, id, "", false, 0, std::move(expression)}; }

double value(const Expr& expression) { return evaluate({input("a", 3), input("b", 5), row("r", expression)}).back(); }

const Expr a = ref("a");
const Expr b = ref("b");
const Expr c = ref("c");

}  // namespace

TEST_CASE("formula: rows refer to the rows above them", "[pricing]") {
  const std::vector<FormulaRow> rows{input("a", 3), row("b", ref("a") * 2), row("c", ref("a") + ref("b"))};
  CHECK(evaluate(rows) == std::vector<double>{3, 6, 9});
  CHECK(value_of(rows, evaluate(rows), "b") == 6);
}

TEST_CASE("formula: every operator computes", "[pricing]") {
  CHECK(value(a + b) == 8);
  CHECK(value(a - b) == -2);
  CHECK(value(a * b) == 15);
  CHECK(value(a / b) == 0.6);
  CHECK(value(pow(a, 2)) == 9);
  CHECK(value(-a) == -3);
  CHECK(value(7) == 7);
}

TEST_CASE("formula: text has the fewest brackets that keep the tree", "[pricing]") {
  CHECK(to_text(a * (1 - b)) == "a * (1 - b)");
  CHECK(to_text(a * b + c) == "a * b + c");
  CHECK(to_text((a + b) + c) == "a + b + c");
  CHECK(to_text(a + (b + c)) == "a + (b + c)");  // another tree, and another rounding
  CHECK(to_text(a - (b - c)) == "a - (b - c)");
  CHECK(to_text(a - b - c) == "a - b - c");
  CHECK(to_text(a / (b * c)) == "a / (b * c)");
  CHECK(to_text(a / b * c) == "a / b * c");
  CHECK(to_text(pow(1 + a, -b)) == "(1 + a)^-b");
  CHECK(to_text(pow(pow(a, b), c)) == "(a^b)^c");
  CHECK(to_text(pow(a, pow(b, c))) == "a^b^c");
  CHECK(to_text(pow(a, b * c)) == "a^(b * c)");
  CHECK(to_text(-pow(a, 2)) == "-a^2");
  CHECK(to_text(pow(-a, 2)) == "(-a)^2");
  CHECK(to_text(pow(Expr(-2), 2)) == "(-2)^2");
  CHECK(to_text(-(a + b)) == "-(a + b)");
  CHECK(to_text(-(-a)) == "-(-a)");
  CHECK(to_text(a * -b) == "a * -b");
  CHECK(to_text(0.1 + a) == "0.1 + a");
  CHECK(to_text(pow(1 + a, 1 / Expr(12)) - 1) == "(1 + a)^(1 / 12) - 1");
}

TEST_CASE("formula: the tree is open to other printers", "[pricing]") {
  const Expr sum = a + 2;
  REQUIRE(sum.op() == Expr::Op::add);
  REQUIRE(sum.operands().size() == 2);
  CHECK(sum.operands()[0].op() == Expr::Op::reference);
  CHECK(sum.operands()[0].id() == "a");
  CHECK(sum.operands()[1].number() == 2);
}

TEST_CASE("formula: shorthand prints as what it stands for and computes it", "[pricing]") {
  CHECK(to_text(growth(a, 1 / Expr(12))) == "(1 + a)^(1 / 12) - 1");
  CHECK(to_text(2 * growth(a, b)) == "2 * ((1 + a)^b - 1)");
  CHECK(to_text(payment(a - b, c, b, a)) == "(a - b) * c / (1 - a)");
  CHECK(to_text(b - payment(a, c, b, a)) == "b - a * c / (1 - a)");
  CHECK_THAT(value(growth(a, b)), WithinRel(1023.0, 1e-14));  // 4^5 - 1
  // 32 at 100 % over 5 periods: 32 x 1 / (1 - 2^-5) = 32 x 32 / 31.
  CHECK_THAT(value(payment(32, 1, b, pow(2, -b))), WithinRel(1024.0 / 31, 1e-14));
  CHECK(value(payment(30, 0, b, 1)) == 6);  // no interest: a straight line
}

TEST_CASE("formula: an annuity at a tiny rate nears the straight line from above, without cancellation", "[pricing]") {
  // rate / (1 - (1 + rate)^-n) = (1 + rate (n + 1) / 2 + rate^2 (n^2 - 1) / 12 + ...) / n; the next term is below
  // 1e-14.
  constexpr double n = 60;
  for (const double rate : {1e-300, 1e-18, 1e-15, 1e-12, 1e-10, 1e-8, 1e-6}) {
    INFO(rate);
    const double series = (1 + rate * (n + 1) / 2 + rate * rate * (n * n - 1) / 12) / n;
    CHECK_THAT(annuity_factor(rate, n), WithinRel(series, 1e-13));
  }
  CHECK(annuity_factor(0, n) == 1 / n);
  CHECK_THAT(annuity_factor(0.01, n), WithinRel(0.01 / (1 - std::pow(1.01, -60)), 1e-13));
}

TEST_CASE("formula: rows made ready compute again and again from the inputs given", "[pricing]") {
  const Formula formula({input("a", 3), row("b", ref("a") * 2 - 1), row("c", pow(ref("b"), 2) / (ref("a") - 1))});
  CHECK(formula.place_of("c") == 2);
  std::vector<double> values{3, 0, 0};
  formula.compute(values);
  CHECK(values == std::vector<double>{3, 5, 12.5});
  values[0] = 2;
  formula.compute(values);
  CHECK(values == std::vector<double>{2, 3, 9});
}
