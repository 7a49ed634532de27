// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/report/html/figures.h"
#include "sim/report/html/html_table.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

/// A figure of the table and the clusters that rest on it.
struct Assumption {
  EvidenceLine line;
  std::string group;
  std::vector<std::string> clusters;
};

/// Every figure once, in the order in which they are met.
class Register {
 public:
  void add(const std::string& group, const EvidenceLine& line, const std::string& cluster) {
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", group, line.item, line.label, line.value.low,
                    line.value.typical, line.value.high, line.evidence.source, line.evidence.date, line.evidence.rule);
    const auto [found, fresh] = places_.emplace(key, list_.size());
    if (fresh) list_.push_back({line, group, {}});
    std::vector<std::string>& clusters = list_[found->second].clusters;
    if (std::find(clusters.begin(), clusters.end(), cluster) == clusters.end()) clusters.push_back(cluster);
  }
  /// By group, in the order in which the groups were met.
  std::vector<Assumption> take() {
    std::map<std::string, std::size_t> order;
    for (const Assumption& each : list_) order.emplace(each.group, order.size());
    std::stable_sort(list_.begin(), list_.end(),
                     [&](const Assumption& a, const Assumption& b) { return order.at(a.group) < order.at(b.group); });
    return std::move(list_);
  }

 private:
  std::vector<Assumption> list_;
  std::map<std::string, std::size_t> places_;
};

std::vector<Assumption> assumptions_of(const StudyResult& result) {
  Register all;
  for (const ResultRow& row : result.rows) {
    for (const CapexLine& line : row.capex.lines) {
      all.add("prices", {{}, line.part, line.label, in_unit(line.unit, dollar), "$", line.evidence}, row.cluster);
    }
    for (const EvidenceLine& line : row.evidence) all.add(std::string(to_string(line.group)), line, row.cluster);
  }
  return all.take();
}

std::string used_by(const Assumption& each, const StudyResult& result) {
  std::set<std::string> all;
  for (const ResultRow& row : result.rows) all.insert(row.cluster);
  return each.clusters.size() == all.size() ? "all" : common_name(each.clusters);
}

Markup row_of(const Assumption& each, const StudyResult& result) {
  const EvidenceLine& line = each.line;
  const bool assumed = line.evidence.assumed();
  const std::string unit = line.unit.empty() ? "" : "\u00a0" + line.unit;
  Markup value = Markup(short_number(line.value.typical, 4) + unit);
  if (!line.value.is_exact()) value += element("small", span(line.value, 4) + unit);
  const Markup basis = element("span", {{"class", assumed ? "tag assumed" : "tag"}}, assumed ? "assumed" : "sourced") +
                       Markup(line.evidence.rule.empty() ? "" : " " + line.evidence.rule);
  return element("tr", {{"role", "row"}, {"data-basis", assumed ? "assumed" : "sourced"}},
                 element("th", {{"scope", "row"}, {"role", "rowheader"}},
                         Markup(line.label) + element("small", line.item)) +
                     element("td", {{"role", "cell"}}, each.group) +
                     element("td", {{"role", "cell"}, {"data-sort", fmt::format("{}", line.value.typical)}}, value) +
                     element("td", {{"role", "cell"}}, basis) +
                     element("td", {{"role", "cell"}}, line.evidence.source) +
                     element("td", {{"role", "cell"}}, line.evidence.date) +
                     element("td", {{"role", "cell"}}, used_by(each, result))) +
         Markup("\n");
}

}  // namespace

Section assumptions_section(const StudyResult& result) {
  const std::vector<Assumption> all = assumptions_of(result);
  const auto assumed =
      std::count_if(all.begin(), all.end(), [](const Assumption& a) { return a.line.evidence.assumed(); });
  Markup head, rows;
  for (const char* name : {"Figure", "Kind", "Value", "Basis and rule", "Source", "Date", "Used by"}) {
    head += element("th", {{"scope", "col"}, {"role", "columnheader"}}, name);
  }
  for (const Assumption& each : all) rows += row_of(each, result);
  // Roles are written out: on narrow screens the rows are shown as cards, which would lose them.
  const Markup table =
      element("table", {{"id", "assumptions"}, {"role", "table"}, {"aria-labelledby", "assumptions-section-heading"}},

              element("thead", {{"role", "rowgroup"}}, element("tr", {{"role", "row"}}, head)) + Markup("\n") +
                  element("tbody", {{"role", "rowgroup"}}, rows));
  const std::string summary = fmt::format(
      "{} figures, of which {} are assumed: no source of the right time gives them, and the rule says how the range "
      "was made; one that rests on a rule alone has no date and is meant for that of the prices, {}. The others are "
      "sourced; a rule beside a source says how the value was derived from it.",
      all.size(), assumed, result.price_book);
  return {"assumptions-section", "Assumptions and sources",
          paragraph(summary) + element("div", {{"class", "wide"}}, table)};
}

}  // namespace railyard::html
