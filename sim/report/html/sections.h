// SPDX-License-Identifier: Apache-2.0
// The parts of the report page. Each takes the whole result and gives one <section>, or nothing when it does not apply.
#pragma once

#include <string>
#include <vector>

#include "sim/report/html/markup.h"
#include "sim/study/purchases.h"
#include "sim/study/result.h"

namespace railyard::html {

inline constexpr Dollars million = 1e6 * dollar;

/// A section of the page; an empty body leaves it out.
struct Section {
  std::string id, title;
  Markup body;
};

[[nodiscard]] Section headline_section(const StudyResult& result);
[[nodiscard]] Section capex_section(const StudyResult& result);
[[nodiscard]] Section network_section(const StudyResult& result);
/// Clusters whose designs differ in the switch alone.
[[nodiscard]] Section switch_section(const StudyResult& result);
[[nodiscard]] Section step_section(const StudyResult& result);
[[nodiscard]] Section owner_section(const StudyResult& result);
/// Owner costs that others published beside ours.
[[nodiscard]] Section published_section(const StudyResult& result);
[[nodiscard]] Section assumptions_section(const StudyResult& result);

/// Rows of one size that were bought alike (they differ in software only), under one name.
struct Bought {
  const ResultRow* row = nullptr;  // the first of them
  std::string name;                // "MI300X 51.2T (stable, VIP)"
};
[[nodiscard]] std::vector<Bought> bought_at(const StudyResult& result, int gpus);
/// Sizes in the study's order.
[[nodiscard]] std::vector<int> sizes_of(const StudyResult& result);
/// The smallest and the largest size: those that charts show.
[[nodiscard]] std::vector<int> end_sizes(const StudyResult& result);
/// One name for several: what they begin with alike, and the rest in brackets.
[[nodiscard]] std::string common_name(const std::vector<std::string>& names);
/// Cost of one purchase; zero when the row has none of it.
[[nodiscard]] Range<Dollars> cost_of(const ResultRow& row, Purchase purchase);
/// What some row pays for, in the order of Purchase; `network_only` leaves out what is not back end.
[[nodiscard]] std::vector<Purchase> purchases_of(const StudyResult& result, bool network_only);
/// Names of purchases, and their colours, the same in every chart.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<Purchase>& purchases);
[[nodiscard]] std::vector<std::size_t> colours_of(const std::vector<Purchase>& purchases);

/// "1 024 GPUs".
[[nodiscard]] std::string gpus_text(int gpus);
/// <p>text</p>
[[nodiscard]] Markup paragraph(const std::string& text);

}  // namespace railyard::html
