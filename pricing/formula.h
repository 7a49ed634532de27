// SPDX-License-Identifier: Apache-2.0
// Formulas as data: named rows whose expressions refer to earlier rows, so that one evaluator computes them and
// printers can write the very same formula for a spreadsheet or a page.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

/// An expression over rows. Built with operators: ref("capex") * (1 - ref("salvage_share")). The tree is open (op,
/// number, id, operands), so a printer is a function over it.
class Expr {
 public:
  enum class Op { number, reference, add, subtract, multiply, divide, power, negate };
  Expr(double number);  // NOLINT: numbers in formulas read naturally
  static Expr reference(std::string id);

  [[nodiscard]] Op op() const;
  [[nodiscard]] double number() const;                      // of a number
  [[nodiscard]] const std::string& id() const;              // of a reference
  [[nodiscard]] const std::vector<Expr>& operands() const;  // of the rest: one for negate, else two

  friend Expr operator+(Expr a, Expr b);
  friend Expr operator-(Expr a, Expr b);
  friend Expr operator*(Expr a, Expr b);
  friend Expr operator/(Expr a, Expr b);
  friend Expr operator-(Expr a);
  friend Expr pow(Expr base, Expr exponent);

 private:
  struct Node;
  static Expr combine(Op op, std::vector<Expr> operands);
  explicit Expr(std::shared_ptr<const Node> node);
  std::shared_ptr<const Node> node_;
};
inline Expr ref(std::string id) { return Expr::reference(std::move(id)); }

/// One line: an input when it has no expression (its value is given), else computed.
struct FormulaRow {
  std::string id, label, unit;
  bool is_input = false;
  double value = 0;  // of an input, in `unit`
  Expr expression = 0;
};

/// Values of all rows by id, in row order. A reference to a later or unknown row is a programming error (assert).
[[nodiscard]] std::vector<double> evaluate(const std::vector<FormulaRow>& rows);

/// Value of the row `id`; an unknown id is a programming error (assert).
[[nodiscard]] double value_of(const std::vector<FormulaRow>& rows, const std::vector<double>& values,
                              std::string_view id);

/// "capex * (1 - salvage_share)" with the fewest brackets that keep the tree; ^ is the power and binds to the right.
[[nodiscard]] std::string to_text(const Expr& expression);

}  // namespace railyard
