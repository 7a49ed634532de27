// SPDX-License-Identifier: Apache-2.0
// collective and expect: the network alone, without a workload.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <tuple>

#include "base/files.h"
#include "base/nearest_name.h"
#include "base/quantity_text.h"
#include "base/share_text.h"
#include "calibrate/import/import.h"
#include "sim/app/commands.h"
#include "sim/report/collective_report.h"

namespace railyard {
namespace {

constexpr int usual_seeds = 100;  // of hashed routing

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
  for (const auto& [option, text, size] :
       {std::tuple("--from", &options.from, from), std::tuple("--to", &options.to, to)}) {
    const double bytes = size.in(byte);
    if (bytes < 1 || bytes != std::floor(bytes))
      throw InputError(fmt::format("{} '{}': a message has whole bytes", option, *text), "1 B and more, as '64 KiB'");
  }
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
  for (const auto& [prefix, placement] : {std::pair(std::string_view("stride:"), RankPlacement::strided),
                                          std::pair(std::string_view("domain:"), RankPlacement::by_domain)}) {
    if (!how.starts_with(prefix)) continue;
    const char* const end = how.data() + how.size();
    const auto [last, error] = std::from_chars(how.data() + prefix.size(), end, question.stride);
    if (error != std::errc() || last != end || question.stride < 1) break;
    question.placement = placement;
    return;
  }
  const std::vector<std::string> names{"contiguous", "spread", "stride:8", "domain:64"};
  throw InputError(fmt::format("placement '{}' is unknown", how), expected_names(how, names));
}

CollectiveQuestion question_of(const CollectiveOptions& options) {
  CollectiveQuestion question;
  question.sizes = sizes_between(options);
  question.gpu = options.gpu;
  question.profile = options.profile;
  question.cluster = options.cluster;
  place(question, options.placement);
  question.failures = options.failures;
  question.enabled.sharp = options.sharp;
  for (const std::string& operation : options.operations) {
    if (options.sharp && operation_named(operation) != Collective::all_reduce) {
      throw InputError(fmt::format("--sharp with --op {}: switches add up what ranks send", operation),
                       "--op all_reduce, or no --sharp");
    }
  }
  if (!options.algorithm.empty()) {
    question.enabled.only = algorithm_named(options.algorithm);
    if (!question.enabled.only) {
      throw InputError(fmt::format("algorithm '{}' is unknown", options.algorithm),
                       expected_names(options.algorithm, algorithm_names()));
    }
    const bool reduces_in_switches = *question.enabled.only == CollectiveAlgorithm::collnet_direct ||
                                     *question.enabled.only == CollectiveAlgorithm::collnet_chain ||
                                     *question.enabled.only == CollectiveAlgorithm::nvls;
    if (options.sharp && !reduces_in_switches) {
      throw InputError(fmt::format("--sharp with --algorithm '{}', which does without", options.algorithm),
                       "'collnet direct', 'collnet chain' or nvls, or no --sharp");
    }
    question.enabled.sharp = reduces_in_switches;
    question.enabled.pat = question.enabled.hierarchical = true;
  }
  if (options.seeds && options.routing != "ecmp")
    throw InputError(fmt::format("--seeds {} without hashed routing", *options.seeds), "--routing ecmp with it");
  if (options.routing == "ecmp") {
    question.seeds = options.seeds.value_or(usual_seeds);
  } else if (options.routing != "spray") {
    const std::vector<std::string> names{"spray", "ecmp"};
    throw InputError(fmt::format("routing '{}' is unknown", options.routing), expected_names(options.routing, names));
  }
  return question;
}

/// SHARP is InfiniBand's: NVLS inside one node needs none, so a forced nvls only loses it elsewhere.
void check_sharp(CollectiveQuestion& question, const CollectiveOptions& options, const Catalogue& catalogue) {
  if (!question.enabled.sharp || catalogue.design(question.design).fabric == "infiniband") return;
  if (!options.sharp && question.enabled.only == CollectiveAlgorithm::nvls) {
    question.enabled.sharp = false;
    return;
  }
  throw InputError(fmt::format("{} on design '{}': its {} switches do not add up (SHARP)",
                               options.sharp ? "--sharp" : "--algorithm '" + options.algorithm + "'", question.design,
                               catalogue.design(question.design).fabric),
                   "an InfiniBand design, as ndr-rail");
}

CollectiveAnswer ask(const CollectiveQuestion& question, const CollectiveOptions& options, const Catalogue& catalogue) {
  CollectiveAnswer answer = time_collective(question, catalogue);
  if (!options.algorithm.empty() && !answer.rows.empty() && answer.rows.front().algorithm != options.algorithm) {
    throw InputError(fmt::format("{} has no '{}' for {} of {} GPUs here", answer.library, options.algorithm,
                                 to_string(question.collective), question.gpus),
                     "another --algorithm, or none: the library's own choice");
  }
  return answer;
}

/// What `expect --require` asks of every judged run.
struct RunCondition {
  std::string text;
  std::optional<double> least;  // ratio; nothing: that the verdict is not "slow"
  bool inclusive = true;

  [[nodiscard]] bool holds(const ExpectedRun& run) const {
    if (!least) return run.verdict != Expectation::slow;
    return inclusive ? run.ratio >= *least : run.ratio > *least;
  }
};

RunCondition read_run_condition(const std::string& text) {
  if (text == "as-expected") return {.text = text, .least = {}};
  constexpr std::string_view name = "ratio>";
  const auto refuse = [&](std::string_view what) {
    throw InputError(fmt::format("--require '{}': {}", text, what), "'ratio>=0.9', 'ratio>=90 %' or 'as-expected'");
  };
  std::string bare = text;
  std::erase(bare, ' ');
  if (!bare.starts_with(name)) refuse("no condition that is known");
  const bool inclusive = bare.starts_with("ratio>=");
  const QuantityText limit = parse_share_or_number(text.substr(text.find('>') + (inclusive ? 2 : 1)));
  if (!limit.ok()) refuse(limit.error);
  return {.text = text, .least = limit.base, .inclusive = inclusive};
}

}  // namespace

Outcome run(const CollectiveOptions& options, const Context& context) {
  CollectiveQuestion question = question_of(options);
  const AlgorithmSet enabled = question.enabled;
  std::vector<NamedAnswer> answers;
  const bool study = options.target.ends_with(".yaml");
  for (const auto& [option, value] : {std::pair("--gpu", &options.gpu), std::pair("--profile", &options.profile)}) {
    if (study && !value->empty()) {
      throw InputError(fmt::format("{} {} with a study: its clusters name theirs", option, *value),
                       fmt::format("a design with {}, or another study", option));
    }
  }
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
    question.enabled.sharp = enabled.sharp;
    check_sharp(question, options, context.catalogue);
    for (const std::string& operation : options.operations) {
      question.collective = operation_named(operation);
      for (const int gpus : options.gpus) {
        question.gpus = gpus;
        answers.push_back({cluster.name, ask(question, options, context.catalogue)});
      }
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
  std::vector<RunCondition> conditions;
  for (const std::string& text : options.requirements) conditions.push_back(read_run_condition(text));
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
  for (const RunCondition& condition : conditions) {
    for (const ExpectedRun& run : runs) {
      if (run.verdict == Expectation::refused || condition.holds(run)) continue;
      outcome.notes += fmt::format("not met: {} line {}, {}: {}, {:.2f} of the expected, required {}\n", run.file,
                                   run.line, run.operation, to_string(run.verdict), run.ratio, condition.text);
      outcome.exit_code = 3;
    }
  }
  return outcome;
}

}  // namespace railyard
