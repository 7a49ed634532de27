// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/report/html/figures.h"

namespace railyard::html {
namespace {

std::string sizes_text(const std::vector<int>& sizes) {
  std::vector<std::string> words;
  for (const int gpus : sizes) words.push_back(count(gpus));
  return joined(words) + " GPUs";
}

/// "4.01 $/h (2.71 to 6.69)".
std::string headline_price(const ResultRow& row) {
  const std::string bounds = span(row.usd_per_pflop_hour);
  return fmt::format("{}\u00a0$/h{}", number(row.usd_per_pflop_hour.typical),
                     bounds.empty() ? "" : " (" + bounds + ")");
}

const ResultRow& lowest_at(const StudyResult& result, int gpus) {
  const ResultRow* best = nullptr;
  for (const ResultRow& row : result.rows) {
    if (row.gpus != gpus) continue;
    if (best == nullptr || row.usd_per_pflop_hour.typical < best->usd_per_pflop_hour.typical) best = &row;
  }
  return *best;
}

std::string single_answer(const StudyResult& result) {
  std::string text;
  for (const ResultRow& row : result.rows) {
    text += fmt::format("{}{} at {} GPUs", text.empty() ? "" : ", ", headline_price(row), count(row.gpus));
  }
  return fmt::format("An effective training PFLOP/s of {} costs {}; there is no other cluster to compare it with.",
                     result.rows.front().cluster, text);
}

/// The lowest figure at the first and at the last of these sizes.
std::string lowest_text(const StudyResult& result, const std::vector<int>& sizes, bool named) {
  const auto at = [&](int gpus) {
    const ResultRow& row = lowest_at(result, gpus);
    return headline_price(row) + (sizes.size() > 1 ? " at " + count(gpus) + " GPUs" : "") +
           (named ? " for " + row.cluster : "");
  };
  return sizes.size() == 1 ? at(sizes.front()) : at(sizes.front()) + " and " + at(sizes.back());
}

std::string unresolved_answer(const StudyResult& result, const std::vector<int>& open) {
  const std::string where = open.size() == 1 ? "At " + sizes_text(open) + " the evidence cannot tell"
                            : open.size() <= 3
                                ? "At none of " + sizes_text(open) + " can the evidence tell"
                                : fmt::format("At none of the {} sizes from {} to {} GPUs can the evidence tell",
                                              open.size(), count(open.front()), count(open.back()));
  return fmt::format(
      "{} which cluster gives the cheapest effective training PFLOP/s. The lowest typical cost is {}, and the range of "
      "another cluster reaches into {}.",
      where, lowest_text(result, open, true), open.size() == 1 ? "it" : "each of these");
}

std::string ranked_answer(const StudyResult& result, const std::vector<int>& open) {
  std::map<std::string, std::vector<int>> won;
  std::vector<std::string> order;
  for (const Verdict& verdict : result.verdicts) {
    if (!verdict.resolved) continue;
    if (won[verdict.better].empty()) order.push_back(verdict.better);
    won[verdict.better].push_back(verdict.gpus);
  }
  std::string text;
  for (const std::string& cluster : order) {
    const std::vector<int>& sizes = won[cluster];
    text += fmt::format("{}{} gives the cheapest effective training PFLOP/s at {}: {}", text.empty() ? "" : "; ",
                        cluster, sizes_text(sizes), lowest_text(result, sizes, false));
  }
  text += open.empty()
              ? ". No other cluster's range reaches into that."
              : fmt::format(". Not resolved at {}: there the ranges of the best two overlap.", sizes_text(open));
  return text;
}

std::string cost_condition(const StudyResult& result) {
  const auto less = [](const ResultRow& a, const ResultRow& b) {
    return a.owner.assumed_share < b.owner.assumed_share;
  };
  const auto [low, high] = std::minmax_element(result.rows.begin(), result.rows.end(), less);
  const std::string a = count(100 * low->owner.assumed_share), b = count(100 * high->owner.assumed_share);
  return fmt::format("{} % of owner cost rests on assumed prices, power or terms.", a == b ? a : a + " to " + b);
}

}  // namespace

Answer answer_of(const StudyResult& result) {
  std::vector<int> open;
  for (const Verdict& verdict : result.verdicts) {
    if (!verdict.resolved) open.push_back(verdict.gpus);
  }
  Answer answer;
  if (result.verdicts.empty()) {
    answer = {Answer::Certainty::single, "No comparison.", single_answer(result), {}};
  } else if (open.size() == result.verdicts.size()) {
    answer = {Answer::Certainty::not_resolved, "Not resolved.", unresolved_answer(result, open), {}};
  } else {
    const bool partly = !open.empty();
    answer = {partly ? Answer::Certainty::partly : Answer::Certainty::resolved,
              partly ? "Resolved in part." : "Resolved.",
              ranked_answer(result, open),
              {}};
  }
  answer.conditions.push_back(cost_condition(result));
  std::vector<std::string> assumed;
  for (const ResultRow& row : result.rows) {
    if (row.speed_assumed && std::find(assumed.begin(), assumed.end(), row.profile) == assumed.end()) {
      assumed.push_back(row.profile);
    }
  }
  if (!assumed.empty()) answer.conditions.push_back(fmt::format("Speeds of {} are assumed in part.", joined(assumed)));
  answer.conditions.push_back(
      "Ranges are bounds, not percentiles: every assumed or quoted range at its cheap or dear, fast or slow end at "
      "once.");
  return answer;
}

}  // namespace railyard::html
