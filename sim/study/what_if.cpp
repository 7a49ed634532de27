// SPDX-License-Identifier: Apache-2.0
#include "sim/study/what_if.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace railyard {
namespace {

/// "0 to 7, 32 and 40 to 47".
std::string ranges_text(const std::vector<int>& numbers) {
  constexpr std::size_t most = 4;  // ranges that are named
  std::string text;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    if (ranges++ == most) return text + " and others";
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end > i) text += fmt::format("-{}", numbers[end]);
    i = end + 1;
  }
  return text;
}

std::string cut_off_text(const std::vector<int>& gpus) {
  return fmt::format("the network no longer reaches {} of the GPUs: {}", gpus.size(), ranges_text(gpus));
}

/// A row on what remains of its network; none of a job that cannot run.
struct Evaluated {
  ResultRow row;
  NetworkState network;
  std::string fault;
};

Evaluated evaluate(const RowRequest& request, std::span<const Failure> failures, const Catalogue& catalogue) {
  Evaluated result;
  const PricedCluster whole = price_cluster(request, catalogue);
  std::optional<FailedFabric> failed;
  if (!failures.empty()) {
    failed = fail_parts(whole.wired.fabric, failures);
    result.network.failed = failed->parts;
    result.network.reach = reach_of(whole.wired.fabric, failed->fabric);
    if (!result.network.reach.cut_off.empty()) result.fault = cut_off_text(result.network.reach.cut_off);
  }
  const Fabric& remaining = failed ? failed->fabric : whole.wired.fabric;
  result.network.bisection = bisection_bandwidth(remaining);
  if (!result.fault.empty()) {
    result.row = whole.row;
    return result;
  }
  try {
    result.row = evaluate_row(request, catalogue, failed ? &failed->fabric : nullptr);
  } catch (const InputError& error) {
    if (!failed) throw;
    (void)evaluate_row(request, catalogue);  // what is wrong without the failures too is the user's mistake
    result.row = whole.row;
    result.fault = error.diagnostics().front().message;
  }
  return result;
}

}  // namespace

WhatIf what_if(const Study& base, const Study& changed, std::span<const Failure> failures, int base_gpus,
               int changed_gpus, const Catalogue& catalogue) {
  if (base.clusters().size() != changed.clusters().size()) {
    throw InputError("the change adds or takes away clusters", "compare two studies with 'railyard report'");
  }
  WhatIf result;
  result.title = base.title();
  result.price_book = changed.price_book();
  for (const Failure& failure : failures) result.failures.push_back(failure.text);
  for (std::size_t i = 0; i < base.clusters().size(); ++i) {
    const auto request = [&](const Study& study, int gpus) {
      return RowRequest{study.clusters()[i], study.workload(), gpus, study.owner(), study.price_book()};
    };
    WhatIfRow row;
    try {
      Evaluated before = evaluate(request(base, base_gpus), {}, catalogue);
      Evaluated after = evaluate(request(changed, changed_gpus), failures, catalogue);
      row.base = std::move(before.row);
      row.base_network = std::move(before.network);
      row.changed = std::move(after.row);
      row.changed_network = std::move(after.network);
      row.fault = std::move(after.fault);
    } catch (const InputError& error) {
      throw error.in(fmt::format("cluster '{}' with {} GPUs", base.clusters()[i].name, changed_gpus));
    }
    row.runs = row.fault.empty();
    row.capex = capex_difference(row.changed, row.base);
    if (row.runs) {
      const auto cost = [](const ResultRow& each) { return each.owner.total.typical.in(dollar_per_hour); };
      const double before = row.base.effective_pflops.typical, after = row.changed.effective_pflops.typical;
      row.by_cost = (cost(row.changed) - cost(row.base)) / before;
      row.by_speed = cost(row.changed) * (1 / after - 1 / before);  // exactly zero where the speed stays
    }
    result.rows.push_back(std::move(row));
  }
  return result;
}

bool unchanged(const WhatIfRow& row) {
  return row.runs && row.base.gpus == row.changed.gpus && row.changed_network.failed.empty() &&
         row.base.capex.total() == row.changed.capex.total() && row.base.owner.total == row.changed.owner.total &&
         row.base.provisioned == row.changed.provisioned &&
         row.base.usd_per_pflop_hour == row.changed.usd_per_pflop_hour && row.base.step_time == row.changed.step_time &&
         row.base_network.bisection == row.changed_network.bisection;
}

}  // namespace railyard
