// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sim/report/json_writing.h"
#include "sim/report/what_if_figures.h"
#include "sim/report/what_if_text.h"

namespace railyard {
namespace {

void add_figure(Json& json, const WhatIfFigure& figure, const std::optional<Range<double>>& value) {
  if (!value) {
    json[figure.key] = nullptr;
  } else if (figure.ranged) {
    add_range(json, figure.key, *value);
  } else if (figure.whole) {
    json[figure.key] = static_cast<std::int64_t>(value->typical);
  } else {
    json[figure.key] = value->typical;
  }
}

Json row_object(const WhatIfRow& row) {
  Json json{{"cluster", row.base.cluster},
            {"design", row.changed.design},
            {"design_changes", row.changed.design_changes},
            {"gpus", row.base.gpus},
            {"unchanged", unchanged(row)},
            {"runs", row.runs},
            {"fault", row.runs ? Json(nullptr) : Json(row.fault)}};
  Json base = Json::object(), changed = Json::object(), difference = Json::object();
  for (const WhatIfFigure& figure : what_if_figures(row)) {
    add_figure(base, figure, figure.base);
    add_figure(changed, figure, figure.changed);
    difference[figure.key] = figure.changed ? Json(figure.changed->typical - figure.base.typical) : Json(nullptr);
  }
  json["base"] = std::move(base);
  json["changed"] = std::move(changed);
  json["difference"] = std::move(difference);
  json["headline_by_cost"] = row.runs ? Json(row.by_cost) : Json(nullptr);
  json["headline_by_speed"] = row.runs ? Json(row.by_speed) : Json(nullptr);
  json["failed"] = row.changed_network.failed;
  json["gpus_cut_off"] = row.changed_network.reach.cut_off;
  json["capex"] = Json::array();
  for (const CategoryDifference& each : row.capex.categories) {
    Json item{{"buys", each.category}};
    add_range(item, "base_usd", in_unit(each.second, dollar));
    add_range(item, "changed_usd", in_unit(each.first, dollar));
    add_range(item, "difference_usd", in_unit(each.difference, dollar));
    json["capex"].push_back(std::move(item));
  }
  return json;
}

}  // namespace

std::string what_if_json(const WhatIf& result) {
  Json json = json_document();
  json["study"] = result.title;
  json["price_book"] = result.price_book;
  json["settings"] = result.settings;
  json["failures"] = result.failures;
  json["rows"] = Json::array();
  for (const WhatIfRow& row : result.rows) json["rows"].push_back(row_object(row));
  return json_text(std::move(json));
}

}  // namespace railyard
