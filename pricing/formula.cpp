// SPDX-License-Identifier: Apache-2.0
#include "pricing/formula.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <utility>

namespace railyard {

struct Expr::Node {
  Op op = Op::number;
  double number = 0;
  std::string id;
  std::vector<Expr> operands;
};

Expr::Expr(double number) : node_(std::make_shared<const Node>(Node{Op::number, number, {}, {}})) {}
Expr::Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

Expr Expr::reference(std::string id) {
  return Expr(std::make_shared<const Node>(Node{Op::reference, 0, std::move(id), {}}));
}

Expr Expr::combine(Op op, std::vector<Expr> operands) {
  return Expr(std::make_shared<const Node>(Node{op, 0, {}, std::move(operands)}));
}

Expr::Op Expr::op() const { return node_->op; }
double Expr::number() const { return node_->number; }
const std::string& Expr::id() const { return node_->id; }
const std::vector<Expr>& Expr::operands() const { return node_->operands; }

Expr operator+(Expr a, Expr b) { return Expr::combine(Expr::Op::add, {std::move(a), std::move(b)}); }
Expr operator-(Expr a, Expr b) { return Expr::combine(Expr::Op::subtract, {std::move(a), std::move(b)}); }
Expr operator*(Expr a, Expr b) { return Expr::combine(Expr::Op::multiply, {std::move(a), std::move(b)}); }
Expr operator/(Expr a, Expr b) { return Expr::combine(Expr::Op::divide, {std::move(a), std::move(b)}); }
Expr operator-(Expr a) { return Expr::combine(Expr::Op::negate, {std::move(a)}); }
Expr pow(Expr base, Expr exponent) { return Expr::combine(Expr::Op::power, {std::move(base), std::move(exponent)}); }

namespace {

using Values = std::map<std::string, double, std::less<>>;

double compute(const Expr& expression, const Values& values) {
  const auto operand = [&](std::size_t i) { return compute(expression.operands()[i], values); };
  switch (expression.op()) {
    case Expr::Op::number:
      return expression.number();
    case Expr::Op::reference:
      assert(values.contains(expression.id()) && "a row refers to a later or unknown row");
      return values.at(expression.id());  // without assertions: std::out_of_range, never a wrong number
    case Expr::Op::add:
      return operand(0) + operand(1);
    case Expr::Op::subtract:
      return operand(0) - operand(1);
    case Expr::Op::multiply:
      return operand(0) * operand(1);
    case Expr::Op::divide:
      return operand(0) / operand(1);
    case Expr::Op::power:
      return std::pow(operand(0), operand(1));
    case Expr::Op::negate:
      return -operand(0);
  }
  return 0;
}

/// How tightly an expression binds; a negative number reads like a negation.
int precedence(const Expr& expression) {
  switch (expression.op()) {
    case Expr::Op::add:
    case Expr::Op::subtract:
      return 1;
    case Expr::Op::multiply:
    case Expr::Op::divide:
      return 2;
    case Expr::Op::negate:
      return 3;
    case Expr::Op::power:
      return 4;
    case Expr::Op::number:
      return std::signbit(expression.number()) ? 3 : 5;
    case Expr::Op::reference:
      break;
  }
  return 5;
}

std::string_view symbol(Expr::Op op) {
  switch (op) {
    case Expr::Op::add:
      return " + ";
    case Expr::Op::subtract:
      return " - ";
    case Expr::Op::multiply:
      return " * ";
    case Expr::Op::divide:
      return " / ";
    default:
      return "^";
  }
}

/// The text of an operand, in brackets when it binds less tightly than `least`.
std::string operand_text(const Expr& operand, int least) {
  return precedence(operand) < least ? fmt::format("({})", to_text(operand)) : to_text(operand);
}

}  // namespace

std::vector<double> evaluate(const std::vector<FormulaRow>& rows) {
  Values values;
  std::vector<double> result;
  result.reserve(rows.size());
  for (const FormulaRow& row : rows) {
    result.push_back(row.is_input ? row.value : compute(row.expression, values));
    [[maybe_unused]] const bool fresh = values.emplace(row.id, result.back()).second;
    assert(fresh && "two rows share an id");
  }
  return result;
}

double value_of(const std::vector<FormulaRow>& rows, const std::vector<double>& values, std::string_view id) {
  assert(rows.size() == values.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].id == id) return values[i];
  }
  assert(false && "no row has this id");
  return std::nan("");
}

std::string to_text(const Expr& expression) {
  const int own = precedence(expression);
  switch (expression.op()) {
    case Expr::Op::number:
      return fmt::format("{}", expression.number());
    case Expr::Op::reference:
      return expression.id();
    case Expr::Op::negate:
      return fmt::format("-{}", operand_text(expression.operands()[0], own + 1));
    default:
      break;
  }
  // Operators of one rank group from the left, powers from the right; the other side of the same rank needs brackets.
  const bool power = expression.op() == Expr::Op::power;
  return fmt::format("{}{}{}", operand_text(expression.operands()[0], power ? own + 1 : own), symbol(expression.op()),
                     operand_text(expression.operands()[1], power ? own - 1 : own + 1));
}

}  // namespace railyard
