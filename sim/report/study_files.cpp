// SPDX-License-Identifier: Apache-2.0
#include "sim/report/study_files.h"

#include "sim/report/html/page.h"
#include "sim/report/json.h"
#include "sim/report/text.h"

namespace railyard {
namespace {

/// One table of all rows' tables, with the cluster and the GPUs in front.
template <class TableOf>
Table stacked(const StudyResult& result, const TableOf& table_of) {
  Table all;
  for (const ResultRow& row : result.rows) {
    Table part = table_of(row);
    if (all.header.empty()) {
      all.header = {"cluster", "gpus"};
      all.header.insert(all.header.end(), part.header.begin(), part.header.end());
    }
    for (std::vector<std::string>& cells : part.rows) {
      cells.insert(cells.begin(), {row.cluster, std::to_string(row.gpus)});
      all.rows.push_back(std::move(cells));
    }
  }
  return all;
}

}  // namespace

std::map<std::string, std::string> study_files(const StudyResult& result) {
  return {{"report.html", html::study_page(result)},
          {"results.json", study_json(result)},
          {"results.csv", to_csv(row_table(result.rows))},
          {"capex.csv", to_csv(stacked(result, [](const ResultRow& row) { return capex_table(row.capex, true); }))},
          {"owner.csv", to_csv(stacked(result, [](const ResultRow& row) { return owner_table(row.owner); }))}};
}

}  // namespace railyard
