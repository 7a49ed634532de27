// SPDX-License-Identifier: Apache-2.0
// collective and expect: the network alone, without a workload.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/files.h"
#include "base/nearest_name.h"
#include "base/quantity_text.h"
#include "calibrate/import/import.h"
#include "sim/app/commands.h"
#include "sim/report/collective_report.h"

namespace railyard {
namespace {

Collective operation_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Collective collective : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                      Collective::all_to_all, Collective::broadcast, Collective::send_receive}) {
    if (to_string(collective) == name) return collective;
    names.emplace_back(to_string(collective));
  }
  throw InputError(fmt::format("operation '{}' is unknown", name), expected_names(name, names));
}

template <Dimension D>
Quantity<D> quantity_of(std::string_view option, const std::string& text, const UnitFamily<D>& family) {
  const QuantityText value = parse_quantity(text, family);
  if (!value.ok() || value.base <= 0)
    throw InputError(fmt::format("{} '{}': {}", option, text, value.ok() ? "not above zero" : value.error));
  return detail::QuantityAccess::from_base<D>(value.base);
}

std::vector<Bytes> sizes_between(const CollectiveOptions& options) {
  const Bytes from = quantity_of("--from", options.from, units::data),
              to = quantity_of("--to", options.to, units::data);
  if (from > to) throw InputError(fmt::format("--from {} is above --to {}", options.from, options.to), "a smaller one");
  std::vector<Bytes> sizes;
  for (Bytes size = from; size <= to; size += size) sizes.push_back(size);
  return sizes;
}

void place(CollectiveQuestion& question, const std::string& how) {
  if (how == "contiguous") return;
  if (how == "spread") {
    question.placement = RankPlacement::spread;
    if (question.cluster == 0) throw InputError("--placement spread over which cluster", "--cluster N");
    return;
  }
  constexpr std::string_view prefix = "stride:";
  int stride = 0;
  if (how.starts_with(prefix)) std::from_chars(how.data() + prefix.size(), how.data() + how.size(), stride);
  if (stride < 1) {
    const std::vector<std::string> names{"contiguous", "spread", "stride:8"};
    throw InputError(fmt::format("placement '{}' is unknown", how), expected_names(how, names));
  }
  question.placement = RankPlacement::strided;
  question.stride = stride;
}

CollectiveQuestion question_of(const CollectiveOptions& options) {
  CollectiveQuestion question;
  question.collective = operation_named(options.operation);
  question.sizes = sizes_between(options);
  question.gpu = options.gpu;
  question.profile = options.profile;
  question.cluster = options.cluster;
  place(question, options.placement);
  question.failures = options.failures;
  question.enabled.sharp = options.sharp;
  if (!options.algorithm.empty()) {
    question.enabled.only = algorithm_named(options.algorithm);
    if (!question.enabled.only) {
      throw InputError(fmt::format("algorithm '{}' is unknown", options.algorithm),
                       expected_names(options.algorithm, algorithm_names()));
    }
    question.enabled.sharp = question.enabled.pat = question.enabled.hierarchical = true;
  }
  if (options.routing == "ecmp") {
    question.seeds = options.seeds;
  } else if (options.routing != "spray") {
    const std::vector<std::string> names{"spray", "ecmp"};
    throw InputError(fmt::format("routing '{}' is unknown", options.routing), expected_names(options.routing, names));
  }
  return question;
}

CollectiveAnswer ask(const CollectiveQuestion& question, const CollectiveOptions& options, const Catalogue& catalogue) {
  CollectiveAnswer answer = time_collective(question, catalogue);
  if (!options.algorithm.empty() && !answer.rows.empty() && answer.rows.front().algorithm != options.algorithm) {
    throw InputError(fmt::format("{} has no '{}' for {} of {} GPUs here", answer.library, options.algorithm,
                                 options.operation, question.gpus),
                     "another --algorithm, or none: the library's own choice");
  }
  return answer;
}

}  // namespace

Outcome run(const CollectiveOptions& options, const Context& context) {
  CollectiveQuestion question = question_of(options);
  std::vector<NamedAnswer> answers;
  const bool study = options.target.ends_with(".yaml");
  std::vector<ClusterSpec> clusters;
  if (study) {
    clusters = read_study(options.target, {}, context.catalogue).clusters();
  } else {
    clusters.push_back({.name = options.target,
                        .design = options.target,
                        .gpu = options.gpu,
                        .profile = options.profile,
                        .strategy = {}});
  }
  for (const ClusterSpec& cluster : clusters) {
    question.design = cluster.design;
    question.gpu = cluster.gpu;
    question.profile = cluster.profile;
    for (const int gpus : options.gpus) {
      question.gpus = gpus;
      answers.push_back({cluster.name, ask(question, options, context.catalogue)});
    }
  }
  Outcome outcome;
  switch (context.format) {
    case Format::json:
      outcome.output = collective_json(answers);
      break;
    case Format::csv:
      outcome.output = to_csv(collective_table(answers));
      break;
    case Format::text:
      outcome.output = collective_text(answers);
      break;
  }
  if (!options.svg.empty()) outcome.notes = write_file("--svg", options.svg, collective_svg(answers));
  return outcome;
}

Outcome run(const ExpectOptions& options, const Context& context) {
  ExpectContext expected{
      .gpu = options.gpu, .fabric = options.fabric, .nodes = options.nodes, .nics = options.nics, .nic = {}};
  if (!options.nic.empty()) expected.nic = quantity_of("--nic", options.nic, units::bandwidth);
  std::vector<ExpectedRun> runs;
  for (const std::string& name : options.logs) {
    std::vector<ExpectedRun> judged = expect_log(import_file(name), expected, context.catalogue);
    std::ranges::move(judged, std::back_inserter(runs));
  }
  Outcome outcome;
  switch (context.format) {
    case Format::json:
      outcome.output = expect_json(runs);
      break;
    case Format::csv:
      outcome.output = to_csv(expect_table(runs));
      break;
    case Format::text:
      outcome.output = expect_text(runs);
      break;
  }
  // What is no evidence is refused: bad input when nothing else is left.
  const bool all_refused =
      std::ranges::all_of(runs, [](const ExpectedRun& run) { return run.verdict == Expectation::refused; });
  outcome.exit_code = all_refused ? 2 : 0;
  return outcome;
}

}  // namespace railyard
