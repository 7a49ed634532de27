// SPDX-License-Identifier: Apache-2.0
// What the sections share: sizes, clusters bought alike, what they pay for.
#include <algorithm>
#include <set>
#include <tuple>

#include "sim/report/html/figures.h"
#include "sim/report/html/sections.h"

namespace railyard::html {
namespace {

bool same_purchase(const ResultRow& a, const ResultRow& b) {
  const auto key = [](const ResultRow& row) {
    return std::tie(row.design, row.design_changes, row.gpu, row.server, row.price_book, row.gpus, row.spare_nodes,
                    row.owner.values);
  };
  return key(a) == key(b);
}

}  // namespace

std::vector<Bought> bought_at(const StudyResult& result, int gpus) {
  std::vector<Bought> list;
  std::vector<std::vector<std::string>> names;
  for (const ResultRow& row : result.rows) {
    if (row.gpus != gpus) continue;
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Bought& each) { return same_purchase(*each.row, row); });
    const auto at = static_cast<std::size_t>(found - list.begin());
    if (found == list.end()) {
      list.push_back({&row, {}});
      names.emplace_back();
    }
    names[at].push_back(row.cluster);
  }
  for (std::size_t i = 0; i < list.size(); ++i) list[i].name = common_name(names[i]);
  return list;
}

std::vector<int> sizes_of(const StudyResult& result) {
  std::vector<int> sizes;
  for (const ResultRow& row : result.rows) {
    if (std::find(sizes.begin(), sizes.end(), row.gpus) == sizes.end()) sizes.push_back(row.gpus);
  }
  return sizes;
}

std::vector<int> end_sizes(const StudyResult& result) {
  const std::vector<int> sizes = sizes_of(result);
  if (sizes.empty()) return {};
  const auto [low, high] = std::minmax_element(sizes.begin(), sizes.end());
  return *low == *high ? std::vector<int>{*low} : std::vector<int>{*low, *high};
}

std::string common_name(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  std::size_t same = names.front().size();
  for (const std::string& name : names) {
    const auto [a, b] = std::mismatch(name.begin(), name.end(), names.front().begin(), names.front().end());
    same = std::min(same, static_cast<std::size_t>(a - name.begin()));
  }
  // Whole words only.
  const std::size_t blank = same == 0 ? std::string::npos : names.front().rfind(' ', same - 1);
  if (blank == std::string::npos || blank == 0) return joined(names);
  std::string text = names.front().substr(0, blank) + " (";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i > 0 ? ", " : "") + names[i].substr(blank + 1);
  return text + ")";
}

Range<Dollars> cost_of(const ResultRow& row, Purchase purchase) {
  for (const PurchaseCost& each : purchases_of(row)) {
    if (each.purchase == purchase) return each.cost;
  }
  return {};
}

std::vector<Purchase> purchases_of(const StudyResult& result, bool network_only) {
  std::set<Purchase> paid;
  for (const ResultRow& row : result.rows) {
    for (const PurchaseCost& each : purchases_of(row)) {
      if (!network_only || is_back_end(each.purchase)) paid.insert(each.purchase);
    }
  }
  return {paid.begin(), paid.end()};
}

std::vector<std::string> names_of(const std::vector<Purchase>& purchases) {
  std::vector<std::string> names;
  for (const Purchase purchase : purchases) names.emplace_back(to_string(purchase));
  return names;
}

std::vector<std::size_t> colours_of(const std::vector<Purchase>& purchases) {
  std::vector<std::size_t> colours;
  for (const Purchase purchase : purchases) colours.push_back(static_cast<std::size_t>(purchase));
  return colours;
}

std::string gpus_text(int gpus) { return count(gpus) + "\u00a0GPUs"; }

Markup paragraph(const std::string& text) { return element("p", text); }

}  // namespace railyard::html
