// SPDX-License-Identifier: Apache-2.0
#include "sim/report/what_if_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/fields.h"
#include "sim/report/what_if_figures.h"

namespace railyard {
namespace {

constexpr std::size_t named_parts = 6;

std::string signed_text(double value, int digits) {
  return value == 0 ? "0" : (value > 0 ? "+" : "") + number_text(value, digits);
}

std::string value_text(const WhatIfFigure& figure, double value) {
  return figure.whole ? count_text(value) : number_text(value / figure.per_unit);
}

std::string range_text(const WhatIfFigure& figure, const Range<double>& range) {
  if (!figure.ranged || range.is_exact()) return {};
  return number_text(range.low / figure.per_unit, 3) + "-" + number_text(range.high / figure.per_unit, 3);
}

Table figure_table(const WhatIfRow& row) {
  Table table{.header = {"", "base", "changed", "difference", "%"}, .right = {false, true, true, true, true}};
  for (const WhatIfFigure& figure : what_if_figures(row)) {
    const double base = figure.base.typical;
    std::vector<std::string> cells{figure.label, value_text(figure, base), "-", "", ""};
    if (figure.changed) {
      const double difference = figure.changed->typical - base;
      cells[2] = value_text(figure, figure.changed->typical);
      if (difference != 0) {
        cells[3] = figure.whole ? (difference > 0 ? "+" : "") + count_text(difference)
                                : signed_text(difference / figure.per_unit, 3);
        if (base != 0) cells[4] = fmt::format("{:+.1f}", 100 * difference / base);
      }
    }
    table.rows.push_back(std::move(cells));
    const std::string before = range_text(figure, figure.base),
                      after = figure.changed ? range_text(figure, *figure.changed) : "";
    if (!before.empty() || !after.empty()) table.rows.push_back({"", before, after, "", ""});
  }
  return table;
}

std::string waterfall(const WhatIfRow& row) {
  const std::vector<std::pair<std::string, Range<Dollars>>> steps = capex_changes(row);
  if (steps.empty()) return "the capex does not change\n";
  Range<Dollars> total;
  for (const auto& [name, change] : steps) total += change;
  std::vector<double> values;
  for (const auto& [name, change] : steps) values.push_back(change.typical.in(1e6 * dollar));
  Table table{.header = {"change of capex, M$", "", "range", ""}, .right = {false, true, true, false}};
  const auto add = [&](const std::string& name, const Range<Dollars>& change, const std::string& bar) {
    const auto text = [](Dollars amount, int digits) { return number_text(amount.in(1e6 * dollar), digits); };
    table.rows.push_back({name, signed_text(change.typical.in(1e6 * dollar), 4),
                          change.is_exact() ? "" : text(change.low, 3) + " to " + text(change.high, 3), bar});
  };
  constexpr std::size_t bar_width = 24;
  const std::vector<std::string> bars = waterfall_bars(values, bar_width);
  for (std::size_t i = 0; i < steps.size(); ++i) add(steps[i].first, steps[i].second, bars[i]);
  add("total", total, bars.back());
  return to_text(table);
}

std::string failed_text(const NetworkState& state) {
  if (state.failed.empty()) return {};
  std::string text = "failed:";
  for (std::size_t i = 0; i < std::min(state.failed.size(), named_parts); ++i) {
    text += (i > 0 ? ", " : " ") + state.failed[i];
  }
  if (state.failed.size() > named_parts) text += fmt::format(" and {} more", state.failed.size() - named_parts);
  return wrapped(text, terminal_columns, "  ");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::vector<std::string> waterfall_bars(const std::vector<double>& steps, std::size_t width) {
  double sum = 0, low = 0, high = 0;
  for (const double step : steps) {
    sum += step;
    low = std::min(low, sum);
    high = std::max(high, sum);
  }
  const double span = high > low ? high - low : 1;
  const auto column = [&](double value) {
    return static_cast<std::size_t>(std::lround((value - low) / span * static_cast<double>(width)));
  };
  std::vector<std::string> bars;
  const auto draw = [&](double from, double to) {
    std::string bar(width + 1, ' ');
    std::size_t begin = column(std::min(from, to)), end = column(std::max(from, to));
    if (begin == end && from != to) {
      if (end < width) {
        ++end;
      } else {
        --begin;
      }
    }
    for (std::size_t i = begin; i < end; ++i) bar[i] = to > from ? '+' : '-';
    const std::size_t zero = column(0);
    if (zero >= end || zero < begin) bar[zero] = '|';
    bar.erase(bar.find_last_not_of(' ') + 1);
    bars.push_back(std::move(bar));
  };
  double before = 0;
  for (const double step : steps) {
    draw(before, before + step);
    before += step;
  }
  draw(0, before);
  return bars;
}

std::string what_if_answer(const WhatIfRow& row) {
  const std::string before_gpus = count_text(row.base.gpus), after_gpus = count_text(row.changed.gpus);
  const std::string name = fmt::format("{} ({}), {} GPUs{}: ", row.base.cluster, design_of(row.changed), after_gpus,
                                       after_gpus == before_gpus ? "" : " instead of " + before_gpus);
  if (!row.runs) return name + row.fault + ". The job does not run: there is no headline.";
  const double before = row.base.usd_per_pflop_hour.typical, after = row.changed.usd_per_pflop_hour.typical;
  if (before == after) {
    return name + fmt::format("an effective PFLOP/s costs {} $/h as before.", number_text(after, 3));
  }
  return name + fmt::format("an effective PFLOP/s costs {} $/h instead of {} ({:+.1f} %): {} $/h by cost, {} by speed.",
                            number_text(after, 3), number_text(before, 3), 100 * (after / before - 1),
                            signed_text(row.by_cost, 2), signed_text(row.by_speed, 2));
}

std::string what_if_question(const WhatIf& result) {
  std::vector<std::string> asked = result.settings;
  for (const std::string& failure : result.failures) asked.push_back(failure + " fails");
  return fmt::format("{}: what if {}?", result.title, joined(asked));
}

std::string what_if_text(const WhatIf& result) {
  std::string text = wrapped(what_if_question(result), terminal_columns, "  ");
  std::vector<std::string> same;
  for (const WhatIfRow& row : result.rows) {
    if (unchanged(row)) {
      same.push_back(row.base.cluster);
      continue;
    }
    text += "\n" + wrapped(what_if_answer(row), terminal_columns, "  ") + failed_text(row.changed_network) + "\n" +
            to_text(figure_table(row)) + "\n" + waterfall(row);
  }
  if (!same.empty()) text += "\n" + wrapped("unchanged: " + joined(same), terminal_columns, "  ");
  return text;
}

Table what_if_table(const WhatIf& result) {
  Table table{.header = {"cluster", "gpus", "figure", "base", "base_low", "base_high", "changed", "changed_low",
                         "changed_high", "difference"}};
  const auto text = [](const std::optional<Range<double>>& range, double Range<double>::*part) {
    return range ? exact_text((*range).*part) : std::string();
  };
  const auto add = [&](const WhatIfRow& row, const std::string& key, const Range<double>& base,
                       const std::optional<Range<double>>& changed) {
    table.rows.push_back({row.base.cluster, std::to_string(row.base.gpus), key, exact_text(base.typical),
                          exact_text(base.low), exact_text(base.high), text(changed, &Range<double>::typical),
                          text(changed, &Range<double>::low), text(changed, &Range<double>::high),
                          changed ? exact_text(changed->typical - base.typical) : ""});
  };
  for (const WhatIfRow& row : result.rows) {
    for (const WhatIfFigure& figure : what_if_figures(row)) add(row, figure.key, figure.base, figure.changed);
    for (const CategoryDifference& each : row.capex.categories) {
      std::string key = "capex_" + each.category + "_usd";
      std::replace(key.begin(), key.end(), ' ', '_');
      add(row, key, in_unit(each.second, dollar), in_unit(each.first, dollar));
    }
  }
  return table;
}

}  // namespace railyard
