// SPDX-License-Identifier: Apache-2.0
#include "sim/report/calibration_json.h"

#include <cmath>
#include <utility>

#include "sim/report/json_writing.h"
#include "sim/study/calibration/profile_lines.h"

namespace railyard {
namespace {

Json count_or_null(std::int64_t count) { return count > 0 ? Json(count) : Json(); }

Json errors_object(const fit::ErrorSummary& errors) {
  if (errors.samples == 0) return {};
  return {{"samples", errors.samples}, {"median", errors.median}, {"p90", errors.p90}, {"worst", errors.worst}};
}

Json ranges_object(const std::map<std::string, SampleRange>& ranges) {
  Json json = Json::object();
  for (const auto& [name, range] : ranges) json[name] = {range.low, range.high};
  return json;
}

Json law_object(const FittedLaw& law) {
  Json json{{"law", law.operation}, {"converged", law.report.converged}, {"outliers", law.report.outliers()}};
  json["parameters"] = json["samples"] = Json::array();
  for (const fit::FittedParameter& each : law.report.parameters) {
    json["parameters"].push_back({{"name", each.name},
                                  {"value", each.value},
                                  {"spread", each.at_bound || !std::isfinite(each.spread) ? Json() : Json(each.spread)},
                                  {"at_bound", each.at_bound}});
  }
  json["error"] = errors_object(law.report.seen());
  json["left_out_error"] = errors_object(law.report.left_out());
  json["corrected_error"] = errors_object(law.report.corrected());
  json["ranges"] = ranges_object(law.report.ranges);
  for (const fit::FittedSample& each : law.report.samples) {
    json["samples"].push_back({{"size", each.label},
                               {"measured_s", each.measured},
                               {"fitted_s", each.predicted},
                               {"left_out_s", each.left_out > 0 ? Json(each.left_out) : Json()},
                               {"weight", each.weight}});
  }
  return json;
}

}  // namespace

std::string import_json(std::span<const ImportedFile> files) {
  Json json = json_document();
  json["runs"] = Json::array();
  for (const ImportedFile& file : files) {
    for (const ImportedRun& run : file.runs) {
      Json remarks = Json::array();
      for (const Remark& remark : run.remarks)
        remarks.push_back({{"line", remark.line}, {"sentence", remark.sentence}});
      json["runs"].push_back({{"file", file.name},
                              {"line", run.first_line},
                              {"tool", run.tool},
                              {"tool_version", run.version},
                              {"layout", run.layout},
                              {"operation", run.operation},
                              {"gpu", run.gpu},
                              {"ranks", count_or_null(run.ranks)},
                              {"nodes", count_or_null(run.nodes)},
                              {"rows", run.rows},
                              {"verdict", run.refusal ? "refused" : "accepted"},
                              {"reason", run.refusal ? Json(to_string(run.refusal->reason)) : Json()},
                              {"sentence", run.refusal ? Json(run.refusal->sentence) : Json()},
                              {"remarks", remarks}});
    }
  }
  return json_text(std::move(json));
}

std::string fit_json(const SampleFit& fit) {
  Json json = json_document();
  json["laws"] = Json::array();
  for (const FittedLaw& law : fit.laws) json["laws"].push_back(law_object(law));
  json["without_law"] = fit.left_out;
  return json_text(std::move(json));
}

std::string profile_json(const Profile& profile) {
  Json json = json_document();
  json["profile"] = profile.id;
  json["gpu"] = profile.gpu;
  json["software"] = profile.software;
  json["date"] = profile.date;
  json["figures"] = Json::array();
  for (const ProfileLine& line : profile_lines(profile)) {
    json["figures"].push_back({{"key", line.key},
                               {"low", line.value.low},
                               {"typical", line.value.typical},
                               {"high", line.value.high},
                               {"unit", line.unit},
                               {"assumed", line.evidence.assumed()},
                               {"source", line.evidence.source},
                               {"date", line.evidence.date},
                               {"rule", line.evidence.rule}});
  }
  json["fits"] = Json::array();
  for (const auto& [key, quality] : profile_fits(profile)) {
    json["fits"].push_back({{"key", key},
                            {"samples", quality.samples},
                            {"median_error", quality.median_error},
                            {"left_out_error", quality.left_out_error},
                            {"ranges", ranges_object(quality.ranges)}});
  }
  return json_text(std::move(json));
}

std::string samples_json(const SampleSet& set) {
  Json json = json_document();
  json["samples"] = set.name;
  json["series"] = Json::array();
  for (const MeasuredSeries& series : set.series) {
    const bool flops = series.measure == Measure::gemm || series.measure == Measure::attention;
    Json object{{"operation", series.operation},
                {"ranks", count_or_null(series.ranks)},
                {"nodes", count_or_null(series.nodes)},
                {"file", series.file},
                {"tool", series.tool},
                {"unit", flops ? "FLOP/s" : "B/s"}};
    for (const MeasuredPoint& point : series.points)
      object["points"].push_back({{"size", point.label}, {"rate", point.rate}});
    json["series"].push_back(std::move(object));
  }
  return json_text(std::move(json));
}

std::string calibration_comparison_json(const CalibrationComparison& comparison) {
  Json json = json_document();
  json["a"] = comparison.a;
  json["b"] = comparison.b;
  json["noise_rule"] = noise_rule;
  json["rows"] = Json::array();
  for (const CalibrationRow& row : comparison.rows) {
    json["rows"].push_back({{"operation", row.operation},
                            {"size", row.size},
                            {"a", row.a},
                            {"b", row.b},
                            {"unit", row.flops ? "FLOP/s" : "B/s"},
                            {"difference", row.difference},
                            {"noise", row.noise},
                            {"marked", row.marked}});
  }
  json["only_a"] = comparison.only_a;
  json["only_b"] = comparison.only_b;
  json["gone"] = comparison.gone;
  return json_text(std::move(json));
}

}  // namespace railyard
