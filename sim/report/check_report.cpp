// SPDX-License-Identifier: Apache-2.0
#include "sim/report/check_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/json_writing.h"
#include "sim/report/version.h"

namespace railyard {
namespace {

std::ptrdiff_t count(std::span<const Finding> findings, CheckVerdict verdict) {
  return std::ranges::count_if(findings, [=](const Finding& each) { return each.verdict == verdict; });
}

/// "FAIL" in a table is "fail" for programs.
std::string key_of(CheckVerdict verdict) {
  return verdict == CheckVerdict::fail ? "fail" : std::string(to_string(verdict));
}

}  // namespace

std::string check_text(const Design& design, int gpus, std::span<const Finding> findings) {
  std::string text =
      fmt::format("{} at {} GPUs: {} pass, {} warn, {} fail, {} not checked\n\n", design.id, count_text(gpus),
                  count(findings, CheckVerdict::pass), count(findings, CheckVerdict::warn),
                  count(findings, CheckVerdict::fail), count(findings, CheckVerdict::not_checked));
  for (const Finding& each : findings) {
    std::string line = fmt::format("{:<11}  {:<11}  {}", to_string(each.verdict), each.check, each.what);
    if (!each.value.empty()) line += ": " + each.value;
    if (!each.limit.empty()) line += fmt::format(" ({})", each.limit);
    text += wrapped(line, terminal_columns, std::string(26, ' '));
  }
  return text;
}

Table check_table(std::span<const Finding> findings) {
  Table table{.header = {"check", "verdict", "what", "value", "limit"}, .rows = {}, .right = {}};
  for (const Finding& each : findings) {
    table.rows.push_back({each.check, key_of(each.verdict), each.what, each.value, each.limit});
  }
  return table;
}

std::string check_json(const Design& design, int gpus, std::span<const Finding> findings) {
  Json json{{"schema", "railyard/1"}, {"version", version()}, {"design", design.id}, {"gpus", gpus}};
  Json list = Json::array();
  for (const Finding& each : findings) {
    Json finding{{"check", each.check}, {"verdict", key_of(each.verdict)}, {"what", each.what}};
    if (!each.value.empty()) finding["value"] = each.value;
    if (!each.limit.empty()) finding["limit"] = each.limit;
    list.push_back(std::move(finding));
  }
  json["findings"] = std::move(list);
  json["failed"] = count(findings, CheckVerdict::fail);
  return json.dump(2) + "\n";
}

}  // namespace railyard
