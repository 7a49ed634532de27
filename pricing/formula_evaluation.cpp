// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "pricing/formula.h"

namespace railyard {
namespace {

/// Result of an operation on the numbers at the top of the stack, the first operand lowest.
double result_of(Expr::Op op, const double* operands) {
  switch (op) {
    case Expr::Op::add:
      return operands[0] + operands[1];
    case Expr::Op::subtract:
      return operands[0] - operands[1];
    case Expr::Op::multiply:
      return operands[0] * operands[1];
    case Expr::Op::divide:
      return operands[0] / operands[1];
    case Expr::Op::power:
      return std::pow(operands[0], operands[1]);
    case Expr::Op::negate:
      return -operands[0];
    case Expr::Op::growth:
      return std::expm1(operands[1] * std::log1p(operands[0]));
    case Expr::Op::payment:
      return operands[0] * annuity_factor(operands[1], operands[2]);
    case Expr::Op::number:
    case Expr::Op::reference:
      break;
  }
  return 0;
}

std::size_t operand_count(Expr::Op op) {
  switch (op) {
    case Expr::Op::number:
    case Expr::Op::reference:
      return 0;
    case Expr::Op::negate:
      return 1;
    case Expr::Op::payment:
      return 4;
    default:
      return 2;
  }
}

std::size_t place_in(const std::vector<FormulaRow>& rows, std::size_t count, std::string_view id) {
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(count);
  const auto found = std::find_if(rows.begin(), end, [&](const FormulaRow& row) { return row.id == id; });
  assert(found != end && "no row above has this id");
  if (found == end) throw std::logic_error("formula: no row has the id " + std::string(id));  // never a wrong number
  return static_cast<std::size_t>(found - rows.begin());
}

}  // namespace

double annuity_factor(double rate, double periods) {
  assert(periods > 0 && rate > -1);
  // rate / (1 - (1 + rate)^-n) = (1 + rate (n + 1) / 2 + O((rate n)^2)) / n; the quotient loses digits near zero.
  constexpr double tiny = 1e-9;
  if (std::abs(rate) * periods < tiny) return (1 + rate * (periods + 1) / 2) / periods;
  return rate / -std::expm1(-periods * std::log1p(rate));
}

Formula::Formula(std::vector<FormulaRow> rows) : rows_(std::move(rows)) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    assert(std::none_of(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const FormulaRow& row) { return row.id == rows_[i].id; }) &&
           "two rows share an id");
    if (rows_[i].is_input) continue;
    append(rows_[i].expression, i, 1);
    steps_.push_back({.ends_row = true, .place = i});
  }
}

void Formula::append(const Expr& expression, std::size_t rows_above, std::size_t depth) {
  depth_ = std::max(depth_, depth);
  const std::vector<Expr>& operands = expression.operands();
  assert(operands.size() == operand_count(expression.op()));
  for (std::size_t i = 0; i < operands.size(); ++i) append(operands[i], rows_above, depth + i);
  Step step{.op = expression.op()};
  if (step.op == Expr::Op::number) step.number = expression.number();
  if (step.op == Expr::Op::reference) step.place = place_in(rows_, rows_above, expression.id());
  steps_.push_back(step);
}

std::size_t Formula::place_of(std::string_view id) const { return place_in(rows_, rows_.size(), id); }

void Formula::compute(std::span<double> values) const {
  assert(values.size() == rows_.size());
  std::vector<double> stack(depth_);
  std::size_t top = 0;  // numbers on the stack
  for (const Step& step : steps_) {
    if (step.ends_row) {
      values[step.place] = stack[--top];
    } else if (step.op == Expr::Op::number) {
      stack[top++] = step.number;
    } else if (step.op == Expr::Op::reference) {
      stack[top++] = values[step.place];
    } else {
      top -= operand_count(step.op);
      stack[top] = result_of(step.op, stack.data() + top);
      ++top;
    }
  }
}

std::vector<double> evaluate(const std::vector<FormulaRow>& rows) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const FormulaRow& row : rows) values.push_back(row.is_input ? row.value : 0);
  Formula(rows).compute(values);
  return values;
}

double value_of(const std::vector<FormulaRow>& rows, const std::vector<double>& values, std::string_view id) {
  assert(rows.size() == values.size());
  return values[place_in(rows, rows.size(), id)];
}

}  // namespace railyard
