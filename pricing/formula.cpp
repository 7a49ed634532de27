// SPDX-License-Identifier: Apache-2.0
#include "pricing/formula.h"

#include <fmt/format.h>

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
Expr growth(Expr rate, Expr periods) { return Expr::combine(Expr::Op::growth, {std::move(rate), std::move(periods)}); }
Expr payment(Expr amount, Expr rate, Expr periods, Expr discount) {
  return Expr::combine(Expr::Op::payment,
                       {std::move(amount), std::move(rate), std::move(periods), std::move(discount)});
}

namespace {

/// How tightly an expression binds; a negative number reads like a negation.
int precedence(const Expr& expression) {
  switch (expression.op()) {
    case Expr::Op::add:
    case Expr::Op::subtract:
    case Expr::Op::growth:
      return 1;
    case Expr::Op::multiply:
    case Expr::Op::divide:
    case Expr::Op::payment:
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

std::string to_text(const Expr& expression) {
  const int own = precedence(expression);
  const std::vector<Expr>& operands = expression.operands();
  switch (expression.op()) {
    case Expr::Op::number:
      return fmt::format("{}", expression.number());
    case Expr::Op::reference:
      return expression.id();
    case Expr::Op::negate:
      return fmt::format("-{}", operand_text(operands[0], own + 1));
    case Expr::Op::growth:
      return to_text(pow(1 + operands[0], operands[1]) - 1);
    case Expr::Op::payment:
      return to_text(operands[0] * operands[1] / (1 - operands[3]));
    default:
      break;
  }
  // Operators of one rank group from the left, powers from the right; the other side of the same rank needs brackets.
  const bool power = expression.op() == Expr::Op::power;
  return fmt::format("{}{}{}", operand_text(operands[0], power ? own + 1 : own), symbol(expression.op()),
                     operand_text(operands[1], power ? own - 1 : own + 1));
}

}  // namespace railyard
