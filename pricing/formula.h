// SPDX-License-Identifier: Apache-2.0
// Formulas as data: named rows whose expressions refer to earlier rows, so that one evaluator computes them and
// printers can write the very same formula for a spreadsheet or a page.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

/// An expression over rows. Built with operators: ref("capex") * (1 - ref("salvage_share")). The tree is open (op,
/// number, id, operands), so a printer is a function over it.
class Expr {
 public:
  /// `growth` and `payment` are shorthand for what to_text prints, computed without cancellation at small rates.
  enum class Op : std::uint8_t {
    number,
    reference,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    growth,   // rate, periods
    payment,  // amount, rate, periods, discount
  };
  Expr(double number);  // NOLINT: numbers in formulas read naturally
  static Expr reference(std::string id);

  [[nodiscard]] Op op() const;
  [[nodiscard]] double number() const;                      // of a number
  [[nodiscard]] const std::string& id() const;              // of a reference
  [[nodiscard]] const std::vector<Expr>& operands() const;  // of the rest; two where not said otherwise

  friend Expr operator+(Expr a, Expr b);
  friend Expr operator-(Expr a, Expr b);
  friend Expr operator*(Expr a, Expr b);
  friend Expr operator/(Expr a, Expr b);
  friend Expr operator-(Expr a);
  friend Expr pow(Expr base, Expr exponent);
  /// (1 + rate)^periods - 1: a rate for so many periods (a fraction of one: 1 / 12).
  friend Expr growth(Expr rate, Expr periods);
  /// Level payment amount * rate / (1 - discount) with discount = (1 + rate)^-periods, which is written as a row of its
  /// own; amount / periods where the rate is zero. A spreadsheet has it as PMT(rate, periods, -amount).
  friend Expr payment(Expr amount, Expr rate, Expr periods, Expr discount);

 private:
  struct Node;
  static Expr combine(Op op, std::vector<Expr> operands);
  explicit Expr(std::shared_ptr<const Node> node);
  std::shared_ptr<const Node> node_;
};
Expr growth(Expr rate, Expr periods);
Expr payment(Expr amount, Expr rate, Expr periods, Expr discount);
inline Expr ref(std::string id) { return Expr::reference(std::move(id)); }

/// One line: an input when it has no expression (its value is given), else computed.
struct FormulaRow {
  std::string id, label, unit;
  bool is_input = false;
  double value = 0;  // of an input, in `unit`
  Expr expression = 0;
};

/// rate / (1 - (1 + rate)^-periods) without cancellation, 1 / periods where the rate is zero; rate > -1, periods > 0.
[[nodiscard]] double annuity_factor(double rate, double periods);

/// Rows made ready to be computed many times: references are places, expressions one list of steps.
class Formula {
 public:
  /// A reference to a later or unknown row, or two rows of one id, is a programming error (assert).
  explicit Formula(std::vector<FormulaRow> rows);
  [[nodiscard]] const std::vector<FormulaRow>& rows() const { return rows_; }
  /// Place of the row `id`; an unknown id is a programming error (assert).
  [[nodiscard]] std::size_t place_of(std::string_view id) const;
  /// Fills in the computed rows of `values` (one value a row) from the input rows that stand there.
  void compute(std::span<double> values) const;

 private:
  /// One operation on a stack of numbers, or the end of a row: the number goes to its place.
  struct Step {
    Expr::Op op = Expr::Op::number;
    bool ends_row = false;
    std::size_t place = 0;
    double number = 0;
  };
  void append(const Expr& expression, std::size_t rows_above, std::size_t depth);

  std::vector<FormulaRow> rows_;
  std::vector<Step> steps_;
  std::size_t depth_ = 0;  // of the stack
};

/// Values of all rows, in row order: their formula computed once.
[[nodiscard]] std::vector<double> evaluate(const std::vector<FormulaRow>& rows);

/// Value of the row `id`; an unknown id is a programming error (assert).
[[nodiscard]] double value_of(const std::vector<FormulaRow>& rows, const std::vector<double>& values,
                              std::string_view id);

/// "capex * (1 - salvage_share)" with the fewest brackets that keep the tree; ^ is the power and binds to the right.
[[nodiscard]] std::string to_text(const Expr& expression);

}  // namespace railyard
