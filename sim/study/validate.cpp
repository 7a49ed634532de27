// SPDX-License-Identifier: Apache-2.0
#include "sim/study/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <variant>

#include "base/quantity_text.h"
#include "base/text.h"
#include "sim/study/speed.h"

namespace railyard {
namespace {

using Reading = std::variant<TrainingCase, SkippedCase>;

int whole(const CsvFile& file, const CsvRecord& record, std::string_view column, int fallback) {
  const std::string& text = record.at(column);
  if (text.empty()) return fallback;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1)
    throw cell_error(file, record, column, "expected a whole number above zero");
  return value;
}

// How tables word what is sharded; nothing for wording that is not known.
std::optional<int> zero_of(const std::string& text) {
  if (text.empty() || text.starts_with("none")) return 0;
  if (text == "zero1") return 1;
  if (text.find("zero2") != std::string::npos) return 2;
  if (text.find("zero3") != std::string::npos) return 3;
  return std::nullopt;
}

std::optional<Recompute> recompute_of(const std::string& text) {
  if (text.empty() || text == "none") return Recompute::none;
  for (const Recompute recompute : {Recompute::selective, Recompute::full}) {
    if (to_string(recompute) == text) return recompute;
  }
  return std::nullopt;
}

std::optional<Precision> precision_of(const std::string& text) {
  const auto* const found =
      std::ranges::find_if(all_precisions, [&](Precision precision) { return to_string(precision) == text; });
  return found == all_precisions.end() ? std::nullopt : std::optional(*found);
}

/// The strategy column where there is one, else the layout columns; what a table does not tell stays at its default.
Strategy strategy_of(const CsvFile& file, const CsvRecord& record) {
  if (!record.at("strategy").empty()) {
    try {
      return parse_strategy(record.at("strategy"));
    } catch (const InputError& error) {
      throw cell_error(file, record, "strategy", error.diagnostics().front().message);
    }
  }
  Strategy strategy;
  strategy.tp = whole(file, record, "tp", 1);
  strategy.pp = whole(file, record, "pp", 1);
  strategy.vpp = whole(file, record, "vpp", 1);
  strategy.cp = whole(file, record, "cp", 1);
  strategy.ep = whole(file, record, "ep", 1);
  strategy.micro_batch = whole(file, record, "micro_batch", 1);
  strategy.global_batch = {whole(file, record, "global_batch_seqs", 0)};
  strategy.sequence = whole(file, record, "seq", 0);
  strategy.sp = record.at("notes").find("sequence parallel on") != std::string::npos;
  strategy.zero = zero_of(record.at("fsdp_or_zero")).value_or(strategy.zero);
  strategy.precision = precision_of(record.at("precision")).value_or(strategy.precision);
  strategy.recompute = recompute_of(record.at("recompute")).value_or(Recompute::none);
  return strategy;
}

constexpr std::string_view step_metric = "step_time_s";
constexpr std::string_view token_metric = "tokens_per_s_per_gpu";

/// Why a row cannot be simulated; empty when it can.
std::string reason_to_skip(const CsvRecord& record, const ValidationTarget& target,
                           const std::vector<std::string>& models) {
  if (record.at("metric") != step_metric && record.at("metric") != token_metric) return "metric " + record.at("metric");
  if (lower_case(record.at("gpu_type")) != lower_case(target.gpu)) return "GPU " + record.at("gpu_type");
  if (std::find(models.begin(), models.end(), record.at("model")) == models.end())
    return "model " + record.at("model") + " is not shipped";
  if (!record.at("strategy").empty()) return {};
  const std::string& zero = record.at("fsdp_or_zero");
  if (!zero_of(zero)) return zero + " is not supported yet";
  const std::string& precision = record.at("precision");
  if (!precision_of(precision)) return "precision " + precision + " is not supported yet";
  if (!recompute_of(record.at("recompute"))) return "recompute " + record.at("recompute") + " is not known";
  for (const char* column : {"gpus", "tp", "pp", "global_batch_seqs", "seq"}) {
    if (record.at(column).empty()) return fmt::format("{} is not published", column);
  }
  return {};
}

Reading read_case(const CsvFile& file, const CsvRecord& record, const ValidationTarget& target,
                  const Catalogue& catalogue) {
  if (std::string reason = reason_to_skip(record, target, catalogue.models()); !reason.empty()) {
    return SkippedCase{record.at("id"), std::move(reason)};
  }
  const std::string& unit = record.at("unit");
  if (record.at("metric") == step_metric && !unit.empty() && unit != "s")
    throw cell_error(file, record, "unit", "expected s");
  const QuantityText value = parse_number(record.at("value"));
  if (!value.ok() || value.base <= 0) throw cell_error(file, record, "value", "expected a number above zero");
  TrainingCase published{record.at("id"),           record.at("source"),
                         record.at("model"),        whole(file, record, "gpus", 0),
                         strategy_of(file, record), value.base * second};
  if (record.at("metric") == token_metric) {
    const double tokens =
        static_cast<double>(published.strategy.global_batch.value) * published.strategy.sequence / published.gpus;
    published.measured = tokens / value.base * second;
  }
  return published;
}

/// A target that no row can run on is a mistake, not a table of skipped rows.
void check_target(const ValidationTarget& target, const Catalogue& catalogue) {
  const GpuPart& gpu = catalogue.parts().gpu(target.gpu);
  const Profile profile = catalogue.profile(target.profile);
  static_cast<void>(server_for(catalogue.design(target.design), catalogue.parts(), gpu.id));
  check_profile(profile, gpu, profile.gemm.begin()->first);
}

Range<Seconds> simulate_published(const TrainingCase& published, const ValidationTarget& target,
                                  const Catalogue& catalogue) {
  const GpuPart& gpu = catalogue.parts().gpu(target.gpu);
  const Model model = catalogue.model(published.model);
  const Profile profile = catalogue.profile(target.profile);
  check_profile(profile, gpu, published.strategy.precision);
  const WiredDesign wired = wire_design(catalogue.design(target.design), catalogue, gpu.id, published.gpus, 0);
  const Workload workload{published.model, published.strategy.sequence, published.strategy.global_batch,
                          published.strategy.precision};
  const StrategyChoice choice = choose_strategy(published.strategy, workload, model, profile, wired, gpu);
  return simulate_range(model, choice.strategy, profile, wired, gpu).time;
}

}  // namespace

ValidationSummary summarize(const std::vector<double>& errors) {
  ValidationSummary summary;
  summary.count = errors.size();
  if (errors.empty()) return summary;
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::fabs(error));
  std::sort(sizes.begin(), sizes.end());
  const auto count = static_cast<double>(sizes.size());
  const std::size_t middle = sizes.size() / 2;
  summary.median_abs_error = sizes.size() % 2 == 1 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2;
  summary.p90_abs_error = sizes[static_cast<std::size_t>(std::ceil(0.9 * count)) - 1];
  summary.bias = std::accumulate(errors.begin(), errors.end(), 0.0) / count;
  return summary;
}

Validation validate_training(const CsvFile& file, const ValidationTarget& target, const Catalogue& catalogue) {
  require_columns(file, {"id", "source", "model", "gpus", "gpu_type", "precision", "metric", "value"});
  check_target(target, catalogue);
  require_rows(file);
  Validation validation;
  std::vector<double> errors;
  for (const CsvRecord& record : file.records) {
    Reading reading = read_case(file, record, target, catalogue);
    if (auto* skipped = std::get_if<SkippedCase>(&reading)) {
      validation.skipped.push_back(std::move(*skipped));
      continue;
    }
    ValidatedCase validated{std::get<TrainingCase>(reading), {}, 0};
    const TrainingCase& published = validated.published;
    try {
      validated.predicted = simulate_published(published, target, catalogue);
    } catch (const InputError& error) {
      validation.skipped.push_back({published.id, error.diagnostics().front().message});
      continue;
    }
    validated.error = validated.predicted.typical / published.measured - 1;
    errors.push_back(validated.error);
    validation.cases.push_back(std::move(validated));
  }
  validation.summary = summarize(errors);
  return validation;
}

}  // namespace railyard
