// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/html_table.h"

#include <algorithm>

#include "sim/report/html/figures.h"

namespace railyard::html {
namespace {

bool holds(const std::vector<std::size_t>& list, std::size_t index) {
  return std::find(list.begin(), list.end(), index) != list.end();
}

}  // namespace

Markup to_markup(const HtmlTable& table) {
  const auto css = [&](std::size_t column) {
    return std::string(column < table.numeric.size() && table.numeric[column] ? "n" : "t");
  };
  Markup head;
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    head += element("th", {{"scope", "col"}, {"class", css(c)}}, table.header[c]);
  }
  Markup body;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    Markup cells;
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      const Markup& content = table.rows[r][c];
      cells += c == 0 ? element("th", {{"scope", "row"}}, content) : element("td", {{"class", css(c)}}, content);
    }
    const std::string kind =
        std::string(holds(table.rules, r) ? "rule" : "") + (holds(table.totals, r) ? " total" : "");
    body += (kind.empty() ? element("tr", cells) : element("tr", {{"class", kind}}, cells)) + Markup("\n");
  }
  // The caption stands outside the table: inside, it would scroll away with it.
  const std::string caption = table.id + "-caption";
  return element("p", {{"class", "caption"}, {"id", caption}}, table.caption) +
         element("div", {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-labelledby", caption}},
                 element("table", {{"id", table.id}, {"aria-labelledby", caption}},
                         element("thead", element("tr", head)) + Markup("\n") + element("tbody", body)));
}

Markup ranged_cell(const Range<double>& value, int digits) {
  const std::string bounds = span(value, digits);
  return Markup(number(value.typical, digits)) + (bounds.empty() ? Markup() : element("small", bounds));
}

}  // namespace railyard::html
