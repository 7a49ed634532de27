// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/nearest_name.h"
#include "base/share_text.h"
#include "sim/study/calibration/calibration_compare.h"

namespace railyard {
namespace {

struct Condition {
  std::string operation, sign;
  double limit = 0;
};

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

Condition read_condition(const std::string& text) {
  for (const std::string_view sign : {">=", "<=", ">", "<"}) {
    const std::size_t at = text.find(sign);
    if (at == std::string::npos) continue;
    const QuantityText limit = parse_share_or_number(trimmed(text.substr(at + sign.size())));
    if (!limit.ok()) throw InputError(fmt::format("--require '{}': no share after '{}'", text, sign), limit.error);
    return {trimmed(text.substr(0, at)), std::string(sign), limit.base};
  }
  throw InputError(fmt::format("--require '{}': no comparison", text),
                   "write OPERATION>=SHARE, as 'gemm>=-3 %' or 'gemm>=-0.03'");
}

bool holds(const Condition& condition, double value) {
  if (condition.sign == ">=") return value >= condition.limit;
  if (condition.sign == "<=") return value <= condition.limit;
  return condition.sign == ">" ? value > condition.limit : value < condition.limit;
}

/// "gemm" means "gemm bf16" too, "all" every operation.
bool names(const Condition& condition, const std::string& operation) {
  if (condition.operation == "all") return true;
  if (!operation.starts_with(condition.operation)) return false;
  const std::size_t end = condition.operation.size();
  return operation.size() == end || operation[end] == ' ' || operation[end] == ',';
}

}  // namespace

void check_conditions(const std::vector<std::string>& conditions) {
  for (const std::string& text : conditions) (void)read_condition(text);
}

std::vector<std::string> unmet(const std::vector<std::string>& conditions, const CalibrationComparison& comparison) {
  std::vector<std::string> broken;
  for (const std::string& text : conditions) {
    const Condition condition = read_condition(text);
    std::set<std::string> operations;
    bool found = false;
    for (const CalibrationRow& row : comparison.rows) {
      operations.insert(row.operation.substr(0, row.operation.find(',')));
      if (!names(condition, row.operation)) continue;
      found = true;
      if (!row.marked || holds(condition, row.difference)) continue;
      broken.push_back(fmt::format("{}, {}: {:+.1f} % (noise {:.1f} %), required {}", row.operation, row.size,
                                   100 * row.difference, 100 * row.noise, text));
    }
    for (const std::string& operation : comparison.gone) {
      if (!names(condition, operation)) continue;
      found = true;
      broken.push_back(fmt::format("{}: not measured for b, required {}", operation, text));
    }
    if (!found) {
      operations.insert("all");
      throw InputError(
          fmt::format("--require '{}': no compared operation is called '{}'", text, condition.operation),
          expected_names(condition.operation, std::vector<std::string>(operations.begin(), operations.end())));
    }
  }
  return broken;
}

}  // namespace railyard
