// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sim/report/collective_report.h"
#include "sim/report/json_writing.h"

namespace railyard {
namespace {

Json summary_object(const ValidationSummary& summary) {
  const auto known = [&](double value) { return summary.count > 0 ? Json(value) : Json(nullptr); };
  return {{"count", summary.count},
          {"median_abs_error", known(summary.median_abs_error)},
          {"p90_abs_error", known(summary.p90_abs_error)},
          {"bias", known(summary.bias)}};
}

std::string_view key_of(SizeClass size) {
  switch (size) {
    case SizeClass::latency:
      return "to_64KiB";
    case SizeClass::middle:
      return "to_16MiB";
    case SizeClass::bulk:
      return "16_to_256MiB";
    case SizeClass::large:
      break;
  }
  return "above_256MiB";
}

Json rows_of(const CollectiveAnswer& answer) {
  Json rows = Json::array();
  for (const CollectiveRow& row : answer.rows) {
    rows.push_back({{"op", to_string(row.collective)},
                    {"bytes", row.bytes.in(byte)},
                    {"gpus", row.gpus},
                    {"nodes", row.nodes},
                    {"time_s", row.time.in(second)},
                    {"algbw_bytes_per_s", row.algorithm_bandwidth().in(byte / second)},
                    {"busbw_bytes_per_s", row.bus_bandwidth().in(byte / second)},
                    {"algorithm", row.algorithm},
                    {"protocol", row.protocol},
                    {"limit", row.limit}});
  }
  return rows;
}

void add_answer(Json& json, const NamedAnswer& each) {
  json["cluster"] = each.name;
  json["design"] = each.answer.design;
  json["gpu"] = each.answer.gpu;
  json["profile"] = each.answer.profile;
  json["library"] = each.answer.library;
  json["cluster_gpus"] = each.answer.cluster;
  for (const HashedSlowdown& spread : each.answer.slowdowns) {
    json["slowdowns"].push_back({{"traffic", to_string(spread.traffic)},
                                 {"least", spread.least},
                                 {"median", spread.median},
                                 {"p90", spread.p90},
                                 {"most", spread.most}});
  }
  json["rows"] = rows_of(each.answer);
}

void add_run(Json& json, const ExpectedRun& run) {
  json["file"] = run.file;
  json["line"] = run.line;
  json["operation"] = run.operation;
  json["gpu"] = run.gpu;
  json["gpus"] = run.ranks;
  json["nodes"] = run.nodes;
  json["against"] = run.setting;
  json["verdict"] = to_string(run.verdict);
  json["reason"] = run.reason;
  json["rows"] = Json::array();
  for (const ExpectedRow& row : run.rows) {
    json["rows"].push_back({{"bytes", row.bytes},
                            {"measured_busbw_bytes_per_s", row.measured},
                            {"expected_busbw_bytes_per_s", row.expected},
                            {"ratio", row.ratio()}});
  }
}

}  // namespace

std::string collective_json(std::span<const NamedAnswer> answers) {
  Json json = json_document();
  if (answers.size() == 1) {
    add_answer(json, answers.front());
    return json_text(std::move(json));
  }
  json["clusters"] = Json::array();
  for (const NamedAnswer& each : answers) add_answer(json["clusters"].emplace_back(), each);
  return json_text(std::move(json));
}

std::string expect_json(std::span<const ExpectedRun> runs) {
  Json json = json_document();
  if (runs.size() == 1) {
    add_run(json, runs.front());
    return json_text(std::move(json));
  }
  json["runs"] = Json::array();
  for (const ExpectedRun& run : runs) add_run(json["runs"].emplace_back(), run);
  return json_text(std::move(json));
}

std::string collective_validation_json(const CollectiveValidation& validation) {
  Json json = json_document();
  json["cases"] = Json::array();
  for (const CollectiveCase& one : validation.cases) {
    const fit::CollectiveRun& run = one.measured.run;
    const bool latency = size_class(run.bytes) == SizeClass::latency;
    const double measured = latency ? run.seconds : one.measured.bus_bandwidth();
    json["cases"].push_back({{"id", one.measured.id},
                             {"source", one.measured.source},
                             {"op", to_string(run.collective)},
                             {"bytes", run.bytes},
                             {"gpus", run.ranks},
                             {"unit", latency ? "s" : "B/s"},
                             {"measured", measured},
                             {"predicted", measured * (1 + one.error)},
                             {"error", one.error},
                             {"algorithm", to_string(one.predicted.algorithm)},
                             {"protocol", to_string(one.predicted.protocol)},
                             {"scale_up_figures", to_string(one.scale_up)},
                             {"scale_out_figures", to_string(one.scale_out)}});
  }
  json["left_out"] = Json::array();
  for (const LeftOutRun& run : validation.left_out) {
    json["left_out"].push_back({{"id", run.id}, {"source", run.source}, {"reason", run.reason}});
  }
  for (const FittedPool& pool : validation.pools) {
    Json item{{"pool", pool.name}, {"runs", pool.runs}, {"sources", pool.sources}, {"parameters", Json::array()}};
    for (const fit::FittedParameter& parameter : pool.fitted.parameters) {
      item["parameters"].push_back({{"name", parameter.name},
                                    {"value", parameter.value},
                                    {"spread", parameter.at_bound ? Json() : Json(parameter.spread)}});
    }
    json["pools"].push_back(std::move(item));
  }
  for (const auto& [size, summary] : validation.by_size) json["by_size"][key_of(size)] = summary_object(summary);
  for (const auto& [source, by_size] : validation.by_source) {
    for (const auto& [size, summary] : by_size) json["by_source"][source][key_of(size)] = summary_object(summary);
  }
  json["summary"] = summary_object(validation.summary);
  return json_text(std::move(json));
}

}  // namespace railyard
