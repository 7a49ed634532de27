// SPDX-License-Identifier: Apache-2.0
// Designs side by side and differences between clusters, for people and as tables.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/report/text.h"

namespace railyard {
namespace {

std::string per_gpu(const Range<Dollars>& capex, int gpus) {
  return fmt::format("{} ({}-{})", count_text((capex.typical / gpus).in(dollar)),
                     count_text((capex.low / gpus).in(dollar)), count_text((capex.high / gpus).in(dollar)));
}

std::string millions(Dollars amount) { return number_text(amount.in(1e6 * dollar), 4); }

}  // namespace

std::string designs_text(const std::vector<DesignRow>& rows) {
  Table table{.header = {"GPUs", "design", "tiers", "switches", "modules", "power\nkW", "network capex\n$ per GPU"},
              .right = {true, false, true, true, true, true, true}};
  std::string faults;
  int gpus = 0;
  for (const DesignRow& row : rows) {
    const std::string size = row.gpus == gpus ? "" : count_text(row.gpus);
    gpus = row.gpus;
    if (!row.possible) {
      table.rows.push_back({size, row.design, "-", "-", "-", "-", "-"});
      faults += wrapped(fmt::format("{} with {} GPUs: {}", row.design, row.gpus, row.fault), 80, "  ");
      continue;
    }
    table.rows.push_back({size, row.design, count_text(row.counts.tiers), count_text(row.counts.switches),
                          count_text(module_count(row.counts)), number_text(row.network_power.typical.in(kilowatt)),
                          per_gpu(row.network_capex, row.gpus)});
  }
  std::string text = to_text(table);
  const std::vector<std::string> savings = tier_savings(rows);
  if (!savings.empty()) text += "\n";
  for (const std::string& sentence : savings) text += wrapped(sentence, 80, "  ");
  return text + (faults.empty() ? "" : "\n" + faults);
}

Table designs_table(const std::vector<DesignRow>& rows) {
  Table table{.header = {"gpus", "design", "gpu", "possible", "tiers", "leaf_links", "switches", "modules", "cables",
                         "power_w", "capex_usd", "capex_usd_low", "capex_usd_high", "fault"}};
  for (const DesignRow& row : rows) {
    const auto when_possible = [&](std::string cell) { return row.possible ? std::move(cell) : std::string(); };
    table.rows.push_back(
        {std::to_string(row.gpus), row.design, row.gpu, row.possible ? "yes" : "no",
         when_possible(std::to_string(row.counts.tiers)), when_possible(std::to_string(row.counts.links[0])),
         when_possible(std::to_string(row.counts.switches)), when_possible(std::to_string(module_count(row.counts))),
         when_possible(std::to_string(row.counts.cables)),
         when_possible(exact_text(row.network_power.typical.in(watt))),
         when_possible(exact_text(row.network_capex.typical.in(dollar))),
         when_possible(exact_text(row.network_capex.low.in(dollar))),
         when_possible(exact_text(row.network_capex.high.in(dollar))), row.fault});
  }
  return table;
}

std::string difference_text(const CapexDifference& difference, std::optional<double> share) {
  std::string text = wrapped(fmt::format("capex of {} less that of {}, {} GPUs, in M$", difference.first,
                                         difference.second, count_text(difference.gpus)),
                             80, "  ");
  Table table{.header = {"category", "first", "second", "difference", "low", "high"},
              .right = {false, true, true, true, true, true}};
  for (const CategoryDifference& category : difference.categories) {
    const Range<Dollars> gap = category.difference;
    table.rows.push_back({category.category, millions(category.first.typical), millions(category.second.typical),
                          millions(gap.typical), millions(gap.low), millions(gap.high)});
  }
  text += "\n" + to_text(table) + "\n";
  const auto percent = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.0f} %", 100 * *value) : std::string("no saving");
  };
  text += wrapped(
      fmt::format("network's share of the saving: {} (from {} where servers differ most and networks least, to {})",
                  percent(difference.network_share), percent(difference.network_share_low),
                  percent(difference.network_share_high)),
      80, "  ");
  const Dollars gap = server_gap(difference);
  text += wrapped(fmt::format("a server of {} costs {} $ {}", difference.first, count_text(std::fabs(gap.in(dollar))),
                              gap >= Dollars() ? "more" : "less"),
                  80, "  ");
  if (share) {
    text += wrapped(fmt::format("the network would be {:.0f} % of the saving at a server gap of {} $", 100 * *share,
                                count_text(server_gap_for_share(difference, *share).in(dollar))),
                    80, "  ");
  }
  return text;
}

Table difference_table(const CapexDifference& difference) {
  Table table{
      .header = {"category", "first_usd", "second_usd", "difference_usd", "difference_usd_low", "difference_usd_high"}};
  for (const CategoryDifference& category : difference.categories) {
    const Range<Dollars> gap = category.difference;
    table.rows.push_back({category.category, exact_text(category.first.typical.in(dollar)),
                          exact_text(category.second.typical.in(dollar)), exact_text(gap.typical.in(dollar)),
                          exact_text(gap.low.in(dollar)), exact_text(gap.high.in(dollar))});
  }
  return table;
}

}  // namespace railyard
