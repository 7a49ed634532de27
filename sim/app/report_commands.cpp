// SPDX-License-Identifier: Apache-2.0
// report, simulate and validate.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "sim/app/commands.h"
#include "sim/app/requirement.h"
#include "sim/report/collective_report.h"
#include "sim/report/explain.h"
#include "sim/report/json.h"
#include "sim/report/study_files.h"
#include "sim/report/text.h"

namespace railyard {
namespace {

/// True when the text leaves the layout to the search: only batch, sequence and precision are given.
bool leaves_layout_open(const std::string& strategy) {
  const std::vector<std::string> keys = strategy_keys(strategy);
  return std::all_of(keys.begin(), keys.end(),
                     [](const std::string& key) { return key == "gbs" || key == "seq" || key == "precision"; });
}

/// True when the value at `inner` is part of that at `outer`: "owner.wacc" of "owner".
bool holds(const std::string& outer, const std::string& inner) {
  return inner.starts_with(outer) &&
         (inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[');
}

/// The last key must not undo what an earlier one has set.
void refuse_second(const std::vector<std::string>& keys) {
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    if (!holds(keys.back(), keys[i])) continue;
    const bool same = keys[i] == keys.back();
    throw InputError(same ? fmt::format("'{}' is set twice", keys[i])
                          : fmt::format("'{}' is set, then '{}', which holds it", keys[i], keys.back()),
                     same ? "leave one of them out" : "set the outer one first");
  }
}

void judge(Outcome& outcome, const std::vector<std::string>& requirements, std::span<const ResultRow> rows) {
  for (const std::string& sentence : unmet(requirements, rows)) {
    outcome.notes += "not met: " + sentence + "\n";
    outcome.exit_code = 3;
  }
}

}  // namespace

Study read_study(const std::string& file, const std::vector<std::string>& settings, const Catalogue& catalogue) {
  YamlDocument document = YamlDocument::load(file);
  std::string replaced;
  std::vector<std::string> keys;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError(fmt::format("--set '{}': {}", setting, equals == 0 ? "no key before '='" : "no '='"),
                       "write KEY=VALUE, as owner.pue=1.3");
    }
    keys.push_back(setting.substr(0, equals));
    refuse_second(keys);
    document = document.with(keys.back(), setting.substr(equals + 1));
    replaced += "\n" + setting;
  }
  return Study(std::move(document), catalogue, replaced);
}

int size_of(const Study& study, int gpus, const std::vector<std::string>& settings) {
  if (gpus == 0) return *std::max_element(study.gpus().begin(), study.gpus().end());
  for (const std::string& setting : settings) {
    if (!holds("gpus", setting.substr(0, setting.find('=')))) continue;
    throw InputError(fmt::format("--gpus {} and --set '{}' both say the size", gpus, setting), "leave one of them out");
  }
  return gpus;
}

std::string write_file(std::string_view option, const std::string& file, std::string content) {
  const std::filesystem::path path(file);
  std::error_code error;
  if (!path.has_filename() || path.filename() == "." || path.filename() == ".." ||
      std::filesystem::is_directory(path, error)) {
    throw InputError(fmt::format("{} '{}' names a folder", option, printable(file)), "name a file in it");
  }
  write_files(path.has_parent_path() ? path.parent_path() : ".", {{path.filename().string(), std::move(content)}});
  return "wrote " + printable(file) + "\n";
}

Outcome run(const ReportOptions& options, const Context& context) {
  std::vector<std::string> settings = options.settings;
  if (!options.site.empty()) settings.push_back("site=" + options.site);  // as --set site=NAME, and not beside it
  const Study study = read_study(options.study, settings, context.catalogue);
  // A condition that cannot be read stops before any work.
  (void)unmet(options.requirements, std::span<const ResultRow>());
  const StudyResult result = run_study(study, context.catalogue, context.progress);

  Outcome outcome;
  switch (context.format) {
    case Format::json:
      outcome.output = study_json(result);
      break;
    case Format::csv:
      outcome.output = to_csv(row_table(result.rows));
      break;
    case Format::text:
      outcome.output = headline_text(result);
      break;
  }
  if (options.explain) {
    std::string why;
    for (const ResultRow& row : result.rows) why += explain_row(row, context.catalogue);
    (context.format == Format::text ? outcome.output : outcome.notes) += "\n" + why;
  }
  const std::map<std::string, std::string> files = study_files(result);
  write_files(options.output, files);
  outcome.notes += fmt::format("files in {}:", printable(options.output));
  for (const auto& [name, content] : files) outcome.notes += " " + name;
  outcome.notes += "\n";
  judge(outcome, options.requirements, result.rows);
  return outcome;
}

Outcome run(const SimulateOptions& options, const Context& context) {
  const Catalogue& catalogue = context.catalogue;
  (void)unmet(options.requirements, std::span<const ResultRow>());
  const Strategy strategy = parse_strategy(options.strategy);
  if (strategy.sequence == 0 || strategy.global_batch.value == 0) {
    throw InputError(fmt::format("the strategy '{}' lacks seq or gbs", options.strategy),
                     "add seq=TOKENS and gbs=SEQUENCES");
  }
  RowRequest request;
  const std::string& gpu = catalogue.parts().gpu(options.gpu).id;
  request.cluster = {options.design + " " + gpu, options.design, gpu, options.profile, strategy};
  request.workload = {options.model, strategy.sequence, strategy.global_batch, strategy.precision};
  request.gpus = options.gpus;
  request.owner = catalogue.owner(options.buyer);
  request.price_book = options.book.empty() ? catalogue.newest_price_book() : options.book;
  if (leaves_layout_open(options.strategy)) request.cluster.strategy.reset();
  const ResultRow row = evaluate_row(request, catalogue);

  Outcome outcome;
  switch (context.format) {
    case Format::json:
      outcome.output = row_json(row);
      break;
    case Format::csv:
      outcome.output = to_csv(row_table({row}));
      break;
    case Format::text:
      outcome.output = row_text(row);
      break;
  }
  if (options.explain)
    (context.format == Format::text ? outcome.output : outcome.notes) += "\n" + explain_row(row, catalogue);
  judge(outcome, options.requirements, std::span(&row, 1));
  return outcome;
}

namespace {

/// A table of which nothing was compared is no evidence: an error with the first row's reason.
template <class Case, class LeftOut>
void require_cases(const std::vector<Case>& cases, const std::vector<LeftOut>& left_out, const std::string& file) {
  if (!cases.empty() || left_out.empty()) return;
  const LeftOut& first = left_out.front();
  throw InputError(file + ": none of its rows can be held against a prediction", first.id + ": " + first.reason);
}

Outcome validate_owner_costs(const ValidateOptions& options, const Context& context) {
  const CsvFile file = parse_csv(read_file(options.owner_costs), options.owner_costs);
  const std::string book = options.book.empty() ? context.catalogue.newest_price_book() : options.book;
  const std::vector<OwnerComparison> comparisons =
      compare_owner_costs(file, context.catalogue.published_owner_terms(options.terms), book, context.catalogue);
  switch (context.format) {
    case Format::json:
      return {owner_validation_json(comparisons, book), {}, 0};
    case Format::csv:
      return {to_csv(owner_validation_table(comparisons)), {}, 0};
    case Format::text:
      break;
  }
  return {owner_validation_text(comparisons, book), {}, 0};
}

Outcome validate_measured_collectives(const ValidateOptions& options, const Context& context) {
  const CollectiveValidation validation =
      validate_collectives(parse_csv(read_file(options.collectives), options.collectives));
  require_cases(validation.cases, validation.left_out, options.collectives);
  switch (context.format) {
    case Format::json:
      return {collective_validation_json(validation), {}, 0};
    case Format::csv:
      return {to_csv(collective_validation_table(validation)), {}, 0};
    case Format::text:
      break;
  }
  return {collective_validation_text(validation), {}, 0};
}
}  // namespace

Outcome run(const ValidateOptions& options, const Context& context) {
  if (!options.collectives.empty()) return validate_measured_collectives(options, context);
  if (!options.owner_costs.empty()) return validate_owner_costs(options, context);
  for (const auto& [name, value] : {std::pair{"--design", &options.design}, std::pair{"--gpu", &options.gpu},
                                    std::pair{"--profile", &options.profile}}) {
    if (value->empty()) throw InputError(fmt::format("--training needs {}", name), "name what the rows ran on");
  }
  const ValidationTarget target{options.design, options.gpu, options.profile};
  const CsvFile file = parse_csv(read_file(options.training), options.training);
  const Validation validation = validate_training(file, target, context.catalogue);
  require_cases(validation.cases, validation.skipped, options.training);
  switch (context.format) {
    case Format::json:
      return {validation_json(validation, target), {}, 0};
    case Format::csv:
      return {to_csv(validation_table(validation)), {}, 0};
    case Format::text:
      break;
  }
  return {validation_text(validation), {}, 0};
}

}  // namespace railyard
