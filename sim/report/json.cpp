// SPDX-License-Identifier: Apache-2.0
#include "sim/report/json.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "sim/report/fields.h"
#include "sim/report/json_writing.h"

namespace railyard {
namespace {

std::string evidence_words(const Evidence& evidence) {
  std::string text = evidence.source;
  if (!evidence.date.empty()) text += fmt::format(" ({})", evidence.date);
  if (evidence.assumed()) text = "assumed: " + evidence.rule + (text.empty() ? "" : "; from " + text);
  return text;
}

Json row_object(const ResultRow& row) {
  Json json{{"cluster", row.cluster},
            {"gpus", row.gpus},
            {"workload", fmt::format("{} seq={} gbs={} precision={}", row.model, row.sequence,
                                     row.choice.strategy.global_batch.value, to_string(row.choice.strategy.precision))},
            {"strategy", to_text(row.choice.strategy)},
            {"strategy_searched", row.choice.searched},
            {"design", row.design},
            {"design_changes", row.design_changes},
            {"gpu", row.gpu},
            {"server", row.server},
            {"profile", row.profile},
            {"price_book", row.price_book},
            {"speed_assumed", row.speed_assumed}};
  if (!row.site.empty()) json["site"] = row.site;
  for (const Field& field : result_fields()) {
    const std::string key(field.key);
    const Range<double> value = field.value(row);
    if (field.ranged) {
      add_range(json, key, value);
    } else if (field.key == "nodes" || field.key == "spare_nodes") {
      json[key] = static_cast<std::int64_t>(value.typical);
    } else {
      json[key] = value.typical;
    }
  }
  return json;
}

Json breakdown_object(const Breakdown& breakdown) {
  Json json;
  for (int part = 0; part < part_count; ++part) {
    json[std::string(to_string(static_cast<Part>(part)))] = breakdown[static_cast<std::size_t>(part)].in(second);
  }
  return json;
}

Json memory_object(const MemoryUse& memory) {
  return Json{{"weights", memory.weights.in(byte)},     {"gradients", memory.gradients.in(byte)},
              {"optimizer", memory.optimizer.in(byte)}, {"activations", memory.activations.in(byte)},
              {"workspace", memory.workspace.in(byte)}, {"total", memory.total().in(byte)}};
}

Json capex_lines(const Capex& capex, bool all) {
  Json lines = Json::array();
  for (const CapexLine& line : capex.lines) {
    if (!all && !line.back_end) continue;
    Json json{{"part", line.part},
              {"label", line.label},
              {"category", line.category},
              {"network", line.network},
              {"quantity", line.quantity}};
    if (line.length > Metres{}) json["length_m"] = line.length.in(metre);
    add_range(json, "unit_usd", in_unit(line.unit, dollar));
    add_range(json, "total_usd", in_unit(line.total, dollar));
    json["assumed"] = line.evidence.assumed();
    json["source"] = evidence_words(line.evidence);
    lines.push_back(std::move(json));
  }
  return lines;
}

void add_counts(Json& json, const NetworkCounts& counts) {
  json["switches"] = {{"leaf", switches_of(counts, "leaf")},
                      {"spine", switches_of(counts, "spine")},
                      {"core", switches_of(counts, "core")}};
  Json layers = Json::array();
  for (const LayerCounts& layer : counts.layers) {
    layers.push_back({{"name", layer.name},
                      {"switches", layer.switches},
                      {"links_down", layer.links_down},
                      {"links_up", layer.links_up}});
  }
  json["layers"] = std::move(layers);
  json["total_switches"] = counts.switches;
  json["tiers"] = counts.tiers;
  json["links"] = {{"node_leaf", counts.links[0]}, {"leaf_spine", counts.links[1]}, {"spine_core", counts.links[2]}};
  if (const int global = counts.links[index_of(Layer::spine_spine)]; global > 0) json["links"]["spine_spine"] = global;
  Json by_medium = Json::object();
  for (const auto& [medium, cables] : counts.cables_by_medium) by_medium[medium] = cables;
  json["cables"] = {{"total", counts.cables}, {"by_medium", std::move(by_medium)}};
  json["modules"] = {{"node", counts.node_modules},
                     {"leaf", counts.leaf_modules},
                     {"spine", counts.spine_modules},
                     {"core", counts.core_modules}};
  if (counts.manager_modules > 0) json["modules"]["manager"] = counts.manager_modules;
}

Json bridge_object(const OwnerBridge& bridge) {
  const auto stated = [](const BridgeStep& step) {
    return Json{{"term", step.term},           {"unit", step.unit},     {"ours", step.ours},
                {"published", step.published}, {"source", step.source}, {"date", step.date}};
  };
  Json json{{"steps", Json::array()}, {"unexplained_usd_per_gpu_hour", bridge.unexplained}};
  for (const BridgeStep& step : bridge.steps) {
    Json item = stated(step);
    item["change_usd_per_gpu_hour"] = step.change;
    item["alone_usd_per_gpu_hour"] = step.alone;
    json["steps"].push_back(std::move(item));
  }
  json["stated_elsewhen"] = Json::array();
  for (const BridgeStep& step : bridge.stated_elsewhen) json["stated_elsewhen"].push_back(stated(step));
  json["not_stated"] = bridge.not_stated;
  return json;
}

Json comparison_object(const OwnerComparison& each) {
  Json item{{"gpu", each.gpu},
            {"buyer", each.buyer},
            {"design", each.design},
            {"gpus", each.gpus},
            {"source", each.source},
            {"date", each.date},
            {"published_usd_per_gpu_hour", each.published}};
  add_range(item, "owner_usd_per_gpu_hour", each.ours);
  item["difference_usd_per_gpu_hour"] = each.difference;
  for (const auto& [name, value] : each.items) item["items_usd_per_gpu_hour"][name] = value;
  item["bridge"] = bridge_object(each.bridge);
  return item;
}

}  // namespace

std::string study_json(const StudyResult& result) {
  Json json = json_document();
  json["study"] = result.title;
  json["input_hash"] = result.input_hash;
  json["workload"] = result.workload;
  json["precision"] = result.precision;
  json["price_book"] = result.price_book;
  json["buyer"] = result.buyer;
  json["rows"] = Json::array();
  for (const ResultRow& row : result.rows) json["rows"].push_back(row_object(row));
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : result.verdicts) {
    json["verdicts"].push_back({{"gpus", verdict.gpus},
                                {"resolved", verdict.resolved},
                                {"better", verdict.resolved ? Json(verdict.better) : Json(nullptr)},
                                {"sentence", verdict.sentence}});
  }
  json["published_owner_costs"] = Json::array();
  for (const OwnerComparison& each : result.published_costs) {
    Json item{{"cluster", each.cluster}};
    item.update(comparison_object(each));
    json["published_owner_costs"].push_back(std::move(item));
  }
  return json_text(std::move(json));
}

std::string row_json(const ResultRow& row) {
  Json json = json_document();
  json.update(row_object(row));
  json["breakdown_s"] = breakdown_object(row.step.breakdown);
  json["memory_bytes"] = memory_object(row.memory);
  json["gpu_memory_bytes"] = row.gpu_memory.in(byte);
  return json_text(std::move(json));
}

std::string bom_json(const Design& design, int gpus, std::string_view price_book, const BillOfMaterials& bill,
                     const Capex& capex, bool all) {
  Json json = json_document();
  json["design"] = design.id;
  json["gpus"] = gpus;
  json["price_book"] = price_book;
  add_counts(json, bill.counts);
  json["lines"] = capex_lines(capex, all);
  add_range(json, "capex_usd", in_unit(all ? capex.total() : capex.network(), dollar));
  add_range(json, "power_w",
            in_unit(all ? bill.network_power + bill.server_power + bill.site_power : bill.network_power, watt));
  return json_text(std::move(json));
}

std::string price_json(const ResultRow& row) {
  Json json = json_document();
  json["cluster"] = row.cluster;
  json["gpus"] = row.gpus;
  json["price_book"] = row.price_book;
  json["lines"] = capex_lines(row.capex, true);
  add_range(json, "capex_usd", in_unit(row.capex.total(), dollar));
  add_range(json, "capex_network_usd", in_unit(row.capex.network(), dollar));
  add_range(json, "power_w", in_unit(row.provisioned, watt));
  json["owner_rows"] = Json::array();
  for (std::size_t i = 0; i < row.owner.rows.size(); ++i) {
    const FormulaRow& formula = row.owner.rows[i];
    json["owner_rows"].push_back({{"id", formula.id},
                                  {"label", formula.label},
                                  {"unit", formula.unit},
                                  {"input", formula.is_input},
                                  {"formula", formula.is_input ? Json(nullptr) : Json(to_text(formula.expression))},
                                  {"value", row.owner.values[i]}});
  }
  add_range(json, "owner_usd_per_hour", in_unit(row.owner.total, dollar_per_hour));
  add_range(json, "owner_usd_per_gpu_hour", in_unit(row.owner.per_gpu, dollar_per_hour));
  json["assumed_cost_share"] = row.owner.assumed_share;
  return json_text(std::move(json));
}

std::string design_json(const Design& design, const FabricShape& shape, const NetworkCounts& counts,
                        Bandwidth bisection) {
  Json json = json_document();
  json["design"] = design.id;
  json["description"] = design.description;
  json["gpus"] = shape.gpus;
  json["nodes"] = shape.nodes;
  json["rails"] = shape.rails;
  json["pods"] = shape.pods;
  json["nodes_per_pod"] = shape.nodes_per_pod;
  json["radix"] = shape.radix;
  add_counts(json, counts);
  json["bisection_bytes_per_s"] = bisection.in(byte / second);
  return json_text(std::move(json));
}

std::string designs_json(const std::vector<DesignRow>& rows) {
  Json json = json_document();
  json["rows"] = Json::array();
  for (const DesignRow& row : rows) {
    Json item{{"design", row.design}, {"gpu", row.gpu}, {"gpus", row.gpus}, {"possible", row.possible}};
    if (!row.possible) {
      item["fault"] = row.fault;
    } else {
      add_counts(item, row.counts);
      add_range(item, "power_w", in_unit(row.network_power, watt));
      add_range(item, "capex_usd", in_unit(row.network_capex, dollar));
    }
    json["rows"].push_back(std::move(item));
  }
  json["tier_savings"] = tier_savings(rows);
  return json_text(std::move(json));
}

std::string difference_json(const CapexDifference& difference, std::optional<double> share) {
  const auto optional = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  Json json = json_document();
  json["first"] = difference.first;
  json["second"] = difference.second;
  json["gpus"] = difference.gpus;
  json["categories"] = Json::array();
  for (const CategoryDifference& category : difference.categories) {
    Json item{{"category", category.category}};
    add_range(item, "first_usd", in_unit(category.first, dollar));
    add_range(item, "second_usd", in_unit(category.second, dollar));
    add_range(item, "difference_usd", in_unit(category.difference, dollar));
    json["categories"].push_back(std::move(item));
  }
  json["network_difference_usd"] = difference.network.in(dollar);
  json["server_difference_usd"] = difference.server.in(dollar);
  json["other_difference_usd"] = difference.other.in(dollar);
  json["network_share"] = optional(difference.network_share);
  json["network_share_low"] = optional(difference.network_share_low);
  json["network_share_high"] = optional(difference.network_share_high);
  json["server_gap_usd"] = server_gap(difference).in(dollar);
  if (share) {
    json["share"] = *share;
    json["server_gap_for_share_usd"] = server_gap_for_share(difference, *share).in(dollar);
  }
  return json_text(std::move(json));
}

std::string owner_validation_json(const std::vector<OwnerComparison>& comparisons, std::string_view price_book) {
  Json json = json_document();
  json["price_book"] = price_book;
  json["cases"] = Json::array();
  for (const OwnerComparison& each : comparisons) {
    json["cases"].push_back(comparison_object(each));
  }
  return json_text(std::move(json));
}

std::string validation_json(const Validation& validation, const ValidationTarget& target) {
  Json json = json_document();
  json["design"] = target.design;
  json["gpu"] = target.gpu;
  json["profile"] = target.profile;
  json["cases"] = Json::array();
  for (const ValidatedCase& each : validation.cases) {
    Json item{{"id", each.published.id},
              {"source", each.published.source},
              {"model", each.published.model},
              {"gpus", each.published.gpus},
              {"strategy", to_text(each.published.strategy)},
              {"measured_s", each.published.measured.in(second)}};
    add_range(item, "predicted_s", in_unit(each.predicted, second));
    item["error"] = each.error;
    json["cases"].push_back(std::move(item));
  }
  json["skipped"] = Json::array();
  for (const SkippedCase& each : validation.skipped)
    json["skipped"].push_back({{"id", each.id}, {"reason", each.reason}});
  const ValidationSummary& summary = validation.summary;
  const auto known = [&](double value) { return summary.count > 0 ? Json(value) : Json(nullptr); };
  json["summary"] = {{"count", summary.count},
                     {"median_abs_error", known(summary.median_abs_error)},
                     {"p90_abs_error", known(summary.p90_abs_error)},
                     {"bias", known(summary.bias)}};
  return json_text(std::move(json));
}

std::string check_json(const std::vector<CheckedFile>& files) {
  Json json = json_document();
  json["files"] = Json::array();
  for (const CheckedFile& each : files) {
    Json mistakes = Json::array();
    for (const Diagnostic& mistake : each.mistakes) {
      mistakes.push_back({{"file", mistake.file},
                          {"line", mistake.line},
                          {"column", mistake.column},
                          {"path", mistake.path},
                          {"message", mistake.message},
                          {"expected", mistake.expected}});
    }
    json["files"].push_back({{"file", each.file},
                             {"kind", each.mistakes.empty() ? Json(each.kind) : Json(nullptr)},
                             {"mistakes", std::move(mistakes)}});
  }
  return json_text(std::move(json));
}

std::string list_json(std::string_view kind, const std::vector<ListedItem>& items) {
  Json json = json_document();
  json["kind"] = kind;
  json["items"] = Json::array();
  for (const ListedItem& item : items) {
    json["items"].push_back(
        {{"name", item.name}, {"description", item.description}, {"source", item.source}, {"date", item.date}});
  }
  return json_text(std::move(json));
}

}  // namespace railyard
