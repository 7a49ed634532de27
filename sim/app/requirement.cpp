// SPDX-License-Identifier: Apache-2.0
#include "sim/app/requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/nearest_name.h"
#include "base/share_text.h"
#include "sim/report/fields.h"
#include "sim/report/table.h"

namespace railyard {
namespace {

struct Comparison {
  std::string_view sign;
  std::function<bool(double, double)> holds;
};

const std::array<Comparison, 4>& comparisons() {
  static const std::array<Comparison, 4> list{
      {{">=", std::greater_equal<>()}, {"<=", std::less_equal<>()}, {">", std::greater<>()}, {"<", std::less<>()}}};
  return list;
}

struct Condition {
  const Field* field;
  const Comparison* comparison;
  double limit;
};

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

Condition read_condition(const std::string& text) {
  for (const Comparison& comparison : comparisons()) {
    const std::size_t at = text.find(comparison.sign);
    if (at == std::string::npos) continue;
    const std::string key = trimmed(text.substr(0, at));
    const std::span<const Field> fields = result_fields();
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& each) { return each.key == key; });
    if (field == fields.end()) {
      std::vector<std::string> names;
      for (const Field& each : fields) names.emplace_back(each.key);
      throw InputError(fmt::format("--require '{}': unknown figure '{}'", text, key), expected_names(key, names));
    }
    const std::string number = trimmed(text.substr(at + comparison.sign.size()));
    const QuantityText limit = field->unit == "%" ? parse_share_or_number(number) : parse_number(number);
    if (!limit.ok())
      throw InputError(fmt::format("--require '{}': no number after '{}'", text, comparison.sign), limit.error);
    return {&*field, &comparison, limit.base};
  }
  throw InputError(fmt::format("--require '{}': no comparison", text),
                   "write KEY>=NUMBER, as 'mfu>=0.4' or 'mfu>=40 %'; also <=, > and <");
}

}  // namespace

std::vector<std::string> unmet(const std::vector<std::string>& conditions, std::span<const ResultRow> rows) {
  std::vector<std::string> broken;
  for (const std::string& text : conditions) {
    const Condition condition = read_condition(text);
    for (const ResultRow& row : rows) {
      const double value = condition.field->value(row).typical;
      if (condition.comparison->holds(value, condition.limit)) continue;
      broken.push_back(fmt::format("{} with {} GPUs: {} is {}, required {}", row.cluster, row.gpus,
                                   condition.field->key, number_text(value), text));
    }
  }
  return broken;
}

}  // namespace railyard
