// SPDX-License-Identifier: Apache-2.0
#include "pricing/formula.h"
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
