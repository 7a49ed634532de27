// SPDX-License-Identifier: Apache-2.0
// Our owner costs beside published ones: totals, the bridge from one to the other, our items.
#include <fmt/format.h>

#include "sim/report/shared_texts.h"
#include "sim/report/text.h"

namespace railyard {
namespace {

std::string name_of(const OwnerComparison& each) { return each.gpu + " " + each.buyer; }

/// "+0.38"; nothing that rounds to zero has a sign.
std::string signed_decimals(double value, int decimals) {
  const std::string text = fmt::format("{:+.{}f}", value, decimals);
  return text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

std::string label_of(const BridgeStep& step) { return step.label + (step.unit.empty() ? "" : ", " + step.unit); }

Table totals_of(const std::vector<OwnerComparison>& comparisons) {
  Table table{.header = {"GPU", "buyer", "GPUs", "published\n$", "ours\n$", "range", "difference\n$", "%"},
              .right = {false, false, true, true, true, true, true, true}};
  for (const OwnerComparison& each : comparisons) {
    table.rows.push_back(
        {each.gpu, each.buyer, count_text(each.gpus), fmt::format("{:.2f}", each.published),
         fmt::format("{:.2f}", each.ours.typical), fmt::format("{:.2f}-{:.2f}", each.ours.low, each.ours.high),
         signed_decimals(each.difference, 2), signed_decimals(100 * each.difference / each.published, 0)});
  }
  return table;
}

Table bridge_of(const OwnerComparison& comparison) {
  Table table{.header = {name_of(comparison), "ours", "published", "change\n$/h", "alone\n$/h", "reached\n$/h"},
              .right = {false, true, true, true, true, true}};
  double reached = comparison.ours.typical;
  const auto money = [](double value) { return fmt::format("{:.3f}", value); };
  table.rows.push_back({"ours", "", "", "", "", money(reached)});
  for (const BridgeStep& step : comparison.bridge.steps) {
    reached += step.change;
    table.rows.push_back({label_of(step), number_text(step.ours), number_text(step.published),
                          signed_decimals(step.change, 3), signed_decimals(step.alone, 3), money(reached)});
  }
  table.rows.push_back({"not explained by published terms", "", "", signed_decimals(comparison.bridge.unexplained, 3),
                        "", money(comparison.published)});
  return table;
}

std::string items_of(const OwnerComparison& each) {
  std::string items = "our items:";
  for (const auto& [name, value] : each.items) {
    items += fmt::format("{} {} {:.3f}", items.back() == ':' ? "" : ",", name, value);
  }
  return wrapped(items, terminal_columns, "  ");
}

/// "HEADING (h100 neocloud, ...): TEXT" for each text, the names left out where all `count` share it.
std::string lines(const SharedTexts& texts, const std::string& heading, std::size_t count) {
  std::string all;
  for (const auto& [text, names] : texts.list()) {
    if (text.empty()) continue;
    const std::string who = names.size() == count ? "" : fmt::format(" ({})", fmt::join(names, ", "));
    all += wrapped(heading + who + ": " + text, terminal_columns, "  ");
  }
  return all;
}

std::string what_was_left(const std::vector<OwnerComparison>& comparisons) {
  SharedTexts elsewhen, not_stated;
  for (const OwnerComparison& each : comparisons) {
    std::vector<std::string> far;
    for (const BridgeStep& step : each.bridge.stated_elsewhen) {
      far.push_back(fmt::format("{} {}{}{} ({})", step.label, number_text(step.published, 3),
                                step.unit.empty() ? "" : " ", step.unit, step.date));
    }
    elsewhen.add(fmt::format("{}", fmt::join(far, ", ")), name_of(each));
    not_stated.add(fmt::format("{}", fmt::join(each.bridge.not_stated, ", ")), name_of(each));
  }
  return lines(elsewhen, "stated more than a year away, not put in", comparisons.size()) +
         lines(not_stated, "not stated", comparisons.size());
}

std::string sources_of(const std::vector<OwnerComparison>& comparisons) {
  SharedTexts totals, terms;
  for (const OwnerComparison& each : comparisons) {
    totals.add(fmt::format("{} ({})", each.source, each.date), name_of(each));
    for (const BridgeStep& step : each.bridge.steps) {
      terms.add(fmt::format("{}: {} ({})", step.label, step.source, step.date), name_of(each));
    }
  }
  return lines(totals, "published", comparisons.size()) + lines(terms, "term", comparisons.size());
}

}  // namespace

std::string owner_validation_text(const std::vector<OwnerComparison>& comparisons, const std::string& book) {
  std::string text =
      wrapped(fmt::format("owner cost per owned GPU-hour, ours at the prices of {} beside published", book),
              terminal_columns, "");
  text += to_text(totals_of(comparisons)) + "\n";
  text += wrapped(
      "From ours to the published cost: what the publisher says takes the place of ours, one after another; the order "
      "matters, so what each does alone stands beside it. No figure of ours is derived from theirs.",
      terminal_columns, "");
  for (const OwnerComparison& each : comparisons) {
    text += "\n" + to_text(bridge_of(each)) + items_of(each);
  }
  return text + "\n" + what_was_left(comparisons) + "\n" + sources_of(comparisons);
}

Table owner_validation_table(const std::vector<OwnerComparison>& comparisons) {
  Table table{.header = {"gpu", "buyer", "design", "gpus", "published_usd_per_gpu_hour", "owner_usd_per_gpu_hour",
                         "owner_usd_per_gpu_hour_low", "owner_usd_per_gpu_hour_high", "kind", "item",
                         "usd_per_gpu_hour", "alone_usd_per_gpu_hour", "unit", "our_value", "published_value", "source",
                         "date"}};
  for (const OwnerComparison& each : comparisons) {
    const auto add = [&](const std::string& kind, const std::string& item, const std::vector<std::string>& rest) {
      std::vector<std::string> cells{each.gpu,
                                     each.buyer,
                                     each.design,
                                     std::to_string(each.gpus),
                                     exact_text(each.published),
                                     exact_text(each.ours.typical),
                                     exact_text(each.ours.low),
                                     exact_text(each.ours.high),
                                     kind,
                                     item};
      cells.insert(cells.end(), rest.begin(), rest.end());
      table.rows.push_back(std::move(cells));
    };
    for (const auto& [name, value] : each.items) {
      add("our item", name, {exact_text(value), "", "", "", "", each.source, each.date});
    }
    const auto stated = [&](const std::string& kind, const BridgeStep& step, const std::string& change,
                            const std::string& alone) {
      add(kind, step.term,
          {change, alone, step.unit, exact_text(step.ours), exact_text(step.published), step.source, step.date});
    };
    for (const BridgeStep& step : each.bridge.steps) {
      stated("published term", step, exact_text(step.change), exact_text(step.alone));
    }
    add("not explained", "", {exact_text(each.bridge.unexplained), "", "", "", "", each.source, each.date});
    for (const BridgeStep& step : each.bridge.stated_elsewhen) stated("stated elsewhen", step, "", "");
  }
  return table;
}

}  // namespace railyard
