// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "sim/report/html/charts.h"
#include "sim/report/html/document.h"
#include "sim/report/html/svg.h"
#include "sim/report/what_if_figures.h"
#include "sim/report/what_if_text.h"

namespace railyard {
namespace {

using html::WaterfallChart;

constexpr int picture_width = 760, picture_margin = 24, line_height = 19, picture_gap = 22;  // pixels
constexpr std::size_t line_letters = 92;                                                     // of a line of words
// Colours: where it starts and where it ends, what rises, what falls.
constexpr std::size_t whole_colour = 0, rise_colour = 1, fall_colour = 2;

/// A picture that grows downwards.
class Page {
 public:
  void add_words(const std::string& text, std::string_view css) {
    std::istringstream lines(wrapped(text, line_letters, ""));
    for (std::string line; std::getline(lines, line); down_ += line_height) {
      content_ += html::svg_text(std::to_string(picture_margin), down_ + 13, html::Anchor::start, css, line);
    }
  }
  void add_chart(const WaterfallChart& chart) {
    add_words(chart.title, "strong");
    const int height = html::waterfall_pixels(chart);
    content_ += html::svg_at(picture_margin, down_ + 4, picture_width - 2 * picture_margin, height,
                             html::waterfall_picture(chart)) +
                html::Markup("\n");
    down_ += height + picture_gap;
  }
  void add_gap() { down_ += picture_gap / 2; }
  [[nodiscard]] std::string text() const { return html::svg_document(picture_width, down_ + picture_margin, content_); }

 private:
  html::Markup content_;
  int down_ = picture_margin;
};

std::size_t colour_of(double change) { return change > 0 ? rise_colour : fall_colour; }

WaterfallChart headline_chart(const WhatIfRow& row, const std::string& id) {
  const auto change = [](const char* label, double value) {
    return html::WaterfallStep{label, Range<double>::exactly(value), colour_of(value), true};
  };
  return {.id = id + "-headline",
          .title = "$/h per effective PFLOP/s",
          .description = "The headline before, what the cost and what the speed changes of it, and after.",
          .value_axis = "$/h",
          .steps = {{"before", row.base.usd_per_pflop_hour, whole_colour},
                    change("by cost", row.by_cost),
                    change("by speed", row.by_speed)},
          .total = {"after", row.changed.usd_per_pflop_hour, whole_colour}};
}

WaterfallChart capex_chart(const WhatIfRow& row, const std::string& id) {
  const Dollars million = 1e6 * dollar;
  const auto in_millions = [&](const Range<Dollars>& range) { return in_unit(range, million); };
  WaterfallChart chart{.id = id + "-capex",
                       .title = "Change of the capex, M$",
                       .description = "What the capex changes by, by what it buys; thin bars span the bounds.",
                       .value_axis = "M$",
                       .steps = {},
                       .total = {}};
  Range<Dollars> total;
  for (const auto& [name, change] : capex_changes(row)) {
    chart.steps.push_back({name, in_millions(change), colour_of(change.typical.in(dollar)), true});
    total += change;
  }
  chart.total = {"total", in_millions(total), whole_colour, true};
  return chart;
}

}  // namespace

std::string what_if_svg(const WhatIf& result) {
  Page page;
  page.add_words(what_if_question(result), "strong");
  std::string same;
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const WhatIfRow& row = result.rows[i];
    if (unchanged(row)) {
      same += (same.empty() ? "" : ", ") + row.base.cluster;
      continue;
    }
    const std::string id = "what-if-" + std::to_string(i);
    page.add_gap();
    page.add_words(what_if_answer(row), "");
    page.add_gap();
    if (row.runs) page.add_chart(headline_chart(row, id));
    if (!capex_changes(row).empty()) page.add_chart(capex_chart(row, id));
  }
  if (!same.empty()) page.add_words("unchanged: " + same, "");
  return page.text();
}

}  // namespace railyard
