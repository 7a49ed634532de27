// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>

#include "base/nearest_name.h"
#include "sim/app/calibrate_options.h"
#include "sim/app/collective_options.h"
#include "sim/app/options.h"
#include "sim/app/wiring_options.h"
#include "sim/report/version.h"
#include "sim/study/failures.h"
#include "sim/study/limits.h"

namespace railyard {
namespace {

/// A number of GPUs; the message tells the limit, the excess and what works.
CLI::Validator gpu_count() {
  return {[](std::string& word) {
            long long gpus = 0;
            if (!CLI::detail::lexical_cast(word, gpus)) return fmt::format("'{}' is no number of GPUs", word);
            if (gpus < 1) return fmt::format("{} GPUs are too few; use 1 or more", gpus);
            if (gpus <= largest_cluster) return std::string();
            return fmt::format("{} GPUs are {} more than the {} that are wired at most; use {}", gpus,
                               gpus - largest_cluster, largest_cluster, largest_cluster);
          },
          ""};
}

CLI::Option* gpus_option(CLI::App* command, int& gpus) {
  return command->add_option("--gpus", gpus, "GPUs of the job")->required()->check(gpu_count())->type_name("N");
}

void pricing_options(CLI::App* command, std::string& book, std::string& buyer) {
  command->add_option("--book", book, "price book (default: the newest)")->type_name("NAME");
  command->add_option("--buyer", buyer, "whose terms")->type_name("NAME")->capture_default_str();
}

void site_option(CLI::App* command, std::string& site) {
  command->add_option("--site", site, "racks and cable lengths of this site, not the design's planning; none: without")
      ->type_name("NAME");
}

/// Accepts these words only; the message tells them and the nearest.
CLI::Validator one_of(std::vector<std::string> words) {
  return {[words = std::move(words)](std::string& word) {
            if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
            return fmt::format("'{}' is unknown; {}", word, expected_names(word, words));
          },
          ""};
}

/// No option takes an empty value: a path, name or text that is not there would be passed over silently.
void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    option->check(CLI::Validator(
        [](std::string& value) { return value.empty() ? std::string("the value is empty") : std::string(); }, ""));
  }
  for (CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
    refuse_empty_values(*command);
  }
}

/// The names a user may have meant: options and subcommands of the command being parsed.
std::vector<std::string> known_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    words.push_back(command->get_name());
  std::sort(words.begin(), words.end());
  return words;
}

/// What to say where a command is missing: which word is none, and which there are.
std::string no_command_text(const CLI::App& app, const CLI::App& active) {
  std::string text = "error: a command is missing\n";
  for (const std::string& word : app.remaining(true)) {
    if (word.starts_with('-')) continue;
    text = fmt::format("error: '{}' is no command\n", word);
    break;
  }
  std::string names;
  for (const CLI::App* command : active.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return text + fmt::format("   expected one of: {}\n", names);
}

std::string error_text(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const CLI::App* active = &app;
  std::string path;  // " calibrate import"
  while (!active->get_subcommands().empty()) {
    active = active->get_subcommands().back();
    path += " " + active->get_name();
  }
  std::string text = fmt::format("error: {}\n", error.what());
  if (active->get_require_subcommand_min() > 0) text = no_command_text(app, *active);
  std::vector<std::string> words = known_words(*active);
  if (active != &app) {
    const std::vector<std::string> general = known_words(app);
    for (const std::string& word : general) {
      if (word.starts_with("--")) words.push_back(word);
    }
  }
  for (const std::string& argument : arguments) {
    if (std::find(words.begin(), words.end(), argument) != words.end()) continue;
    const std::string near = nearest_name(argument.substr(0, argument.find('=')), words);
    if (!near.empty() && near != argument.substr(0, argument.find('=')))
      text += fmt::format("   did you mean '{}'?\n", near);
  }
  return text + fmt::format("   see 'railyard{} --help'\n", path);
}

}  // namespace

std::vector<std::string> list_kinds() { return {"designs", "sites", "parts", "profiles", "books", "owners", "models"}; }

ParsedCommandLine parse_command_line(int argc, const char* const* argv) {
  ParsedCommandLine parsed;
  CommandLine& line = parsed.line;
  CLI::App app("railyard: what does an effective training PFLOP cost per hour on this cluster?", "railyard");
  app.set_version_flag("--version", fmt::format("railyard {}", version()));
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--data", line.data, "folder of parts, designs, prices, profiles and models")->type_name("DIR");
  const std::map<std::string, Format> formats{{"text", Format::text}, {"csv", Format::csv}, {"json", Format::json}};
  std::string format = "text";
  app.add_option("--format", format, "text, csv or json")
      ->check(one_of({"text", "csv", "json"}))
      ->type_name("FORMAT")
      ->capture_default_str();

  ReportOptions report;
  CLI::App* report_command =
      app.add_subcommand("report", "one study in, a folder of results out; the headline on the terminal");
  report_command->add_option("study", report.study, "study file")->required()->type_name("FILE");
  report_command->add_option("-o,--output", report.output, "folder for the files")
      ->type_name("DIR")
      ->capture_default_str();
  report_command
      ->add_option("--set", report.settings, "replace a value of the study, as owner.wacc='15 %/year effective'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  report_command->add_option("--require", report.requirements, "exit 3 unless every row holds, as 'mfu>=0.4'")
      ->type_name("TEST")
      ->allow_extra_args(false);
  site_option(report_command, report.site);
  report_command->add_flag("--explain", report.explain, "print what limits each row and the source of every figure");

  SimulateOptions simulate;
  CLI::App* simulate_command = app.add_subcommand("simulate", "one training step on one cluster");
  simulate_command->add_option("--model", simulate.model, "model")->required()->type_name("NAME");
  simulate_command->add_option("--design", simulate.design, "fabric design")->required()->type_name("NAME");
  simulate_command->add_option("--gpu", simulate.gpu, "GPU part")->required()->type_name("NAME");
  simulate_command->add_option("--profile", simulate.profile, "speed profile, or a .yaml file of one")
      ->required()
      ->type_name("NAME");
  gpus_option(simulate_command, simulate.gpus);
  simulate_command
      ->add_option("--strategy", simulate.strategy,
                   "as 'tp=8 sp=1 pp=8 vpp=2 mbs=1 gbs=2048 seq=2048 recompute=none zero=1 precision=bf16'; "
                   "with only gbs, seq and precision railyard searches the rest")
      ->required()
      ->type_name("TEXT");
  pricing_options(simulate_command, simulate.book, simulate.buyer);
  simulate_command->add_option("--require", simulate.requirements, "exit 3 unless it holds, as 'mfu>=0.4'")
      ->type_name("TEST")
      ->allow_extra_args(false);
  simulate_command->add_flag("--explain", simulate.explain, "print what limits and the source of every figure");

  BomOptions bom;
  CLI::App* bom_command = app.add_subcommand("bom", "bill of materials of a wired design, with prices");
  bom_command->add_option("design", bom.design, "fabric design")->required()->type_name("DESIGN");
  gpus_option(bom_command, bom.gpus);
  bom_command->add_option("--gpu", bom.gpu, "GPU part (default: the design's first)")->type_name("NAME");
  bom_command->add_option("--book", bom.book, "price book (default: the newest)")->type_name("NAME");
  site_option(bom_command, bom.site);
  bom_command->add_flag("--all", bom.all, "servers and the rest too, not the back-end network alone");

  DesignOptions design;
  CLI::App* design_command =
      app.add_subcommand("design", "the fabric a design yields; several designs or sizes side by side");
  design_command->add_option("design", design.designs, "fabric designs")->required()->type_name("DESIGN");
  design_command->add_option("--gpus", design.gpus, "GPUs of the job, one or several: 1024,4096")
      ->required()
      ->delimiter(',')
      ->check(gpu_count())
      ->type_name("N");
  design_command->add_option("--gpu", design.gpu, "GPU part (default: the design's first)")->type_name("NAME");
  CLI::Option* const design_book =
      design_command->add_option("--book", design.book, "price book (default: the newest)")->type_name("NAME");
  site_option(design_command, design.site);
  design_command
      ->add_flag("--check", design.check,
                 "check ports, joints, racks, failures, bandwidth and ways; exit 3 when one fails")
      ->excludes(design_book);

  PriceOptions price;
  CLI::App* price_command = app.add_subcommand("price", "capex and owner cost, row by row");
  price_command->add_option("design", price.design, "fabric design")->required()->type_name("DESIGN");
  gpus_option(price_command, price.gpus);
  price_command->add_option("--gpu", price.gpu, "GPU part (default: the design's first)")->type_name("NAME");
  pricing_options(price_command, price.book, price.buyer);
  site_option(price_command, price.site);

  DiffOptions diff;
  CLI::App* diff_command =
      app.add_subcommand("diff", "where the difference in capex between two clusters of a study comes from");
  diff_command->add_option("study", diff.study, "study file")->required()->type_name("FILE");
  diff_command->add_option("--first", diff.first, "cluster (default: the study's first)")->type_name("NAME");
  diff_command->add_option("--second", diff.second, "cluster compared with it (default: the study's second)")
      ->type_name("NAME");
  diff_command->add_option("--gpus", diff.gpus, "size (default: the study's largest)")
      ->check(gpu_count())
      ->type_name("N");
  diff_command
      ->add_option("--share", diff.share,
                   "also the server gap that makes the network this share of the saving, as '40 %'")
      ->type_name("SHARE");
  diff_command->add_option("--set", diff.settings, "replace a value of the study")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);

  WhatIfOptions what_if;
  CLI::App* what_if_command = app.add_subcommand(
      "whatif", "what changes in cost, power, counts and headline when a study changes or parts of its networks fail");
  what_if_command->add_option("study", what_if.study, "study file")->required()->type_name("FILE");
  what_if_command
      ->add_option("--set", what_if.settings,
                   "change a value of the study, as fabric.oversubscription=2 (all clusters) or "
                   "clusters[0].fabric.switch=sn5600")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  what_if_command->add_option("--fail", what_if.failures, std::string(failure_help))
      ->type_name("PART")
      ->allow_extra_args(false);
  what_if_command->add_option("--gpus", what_if.gpus, "size (default: the study's largest)")
      ->check(gpu_count())
      ->type_name("N");
  what_if_command->add_option("--svg", what_if.svg, "waterfalls to write: headline and capex")->type_name("FILE");

  ValidateOptions validate;
  CLI::App* validate_command =
      app.add_subcommand("validate", "predicted against published: training steps, collectives or owner costs");
  CLI::App* published = validate_command->add_option_group("published figures");
  CLI::Option* const training =
      published
          ->add_option("--training", validate.training, "CSV with the columns of examples/mlperf-gpt3/measured.csv")
          ->type_name("FILE");
  CLI::Option* const owner_costs = published
                                       ->add_option("--owner-costs", validate.owner_costs,
                                                    "CSV with the columns of sim/study/published/owner-costs.csv")
                                       ->type_name("FILE");
  published
      ->add_option("--collectives", validate.collectives,
                   "CSV with the columns of sim/study/validation/collectives-measured.csv")
      ->type_name("FILE");
  published->require_option(1);
  validate_command->add_option("--design", validate.design, "fabric design the training rows ran on")
      ->needs(training)
      ->type_name("NAME");
  validate_command->add_option("--gpu", validate.gpu, "GPU part they ran on")->needs(training)->type_name("NAME");
  validate_command->add_option("--profile", validate.profile, "speed profile, or a .yaml file of one")
      ->needs(training)
      ->type_name("NAME");
  validate_command->add_option("--book", validate.book, "price book of the owner costs (default: the newest)")
      ->needs(owner_costs)
      ->type_name("NAME");
  validate_command
      ->add_option("--terms", validate.terms,
                   "what publishers say about their owner costs: CSV with the columns of "
                   "sim/study/published/owner-terms.csv (default: that)")
      ->needs(owner_costs)
      ->type_name("FILE");

  WiringCommandLine wiring(app, gpu_count());

  CalibrateCommandLine calibrate(app);
  CollectiveCommandLine collective(app, largest_cluster);

  CheckOptions check;
  CLI::App* check_command = app.add_subcommand("check", "read files and report every mistake; nothing is run");
  check_command
      ->add_option("files", check.files,
                   "studies, designs, sites, parts, price books, owners, profiles, models, wirings (.graphml)")
      ->required()
      ->type_name("FILE");

  ListOptions list;
  CLI::App* list_command = app.add_subcommand("list", "what is shipped");
  list_command->add_option("kind", list.kind, "designs, sites, parts, profiles, books, owners or models")
      ->check(one_of(list_kinds()))
      ->type_name("KIND");

  InitOptions init;
  CLI::App* init_command = app.add_subcommand("init", "write a commented study to start from");
  init_command->add_option("file", init.file, "where to (default: the terminal)")->type_name("FILE");

  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    parsed.finished = true;
    if (error.get_exit_code() == 0) {
      std::ostringstream out, err;
      app.exit(error, out, err);
      parsed.output = out.str();
    } else {
      parsed.exit_code = 2;
      parsed.errors = error_text(app, error, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    }
    return parsed;
  }
  line.format = formats.at(format);
  if (report_command->parsed()) line.command = report;
  if (simulate_command->parsed()) line.command = simulate;
  if (bom_command->parsed()) line.command = bom;
  if (design_command->parsed()) line.command = design;
  if (price_command->parsed()) line.command = price;
  if (diff_command->parsed()) line.command = diff;
  if (what_if_command->parsed()) line.command = what_if;
  if (validate_command->parsed()) line.command = validate;
  if (check_command->parsed()) line.command = check;
  if (list_command->parsed()) line.command = list;
  if (init_command->parsed()) line.command = init;
  wiring.choose(line);
  calibrate.choose(line);
  collective.choose(line);
  return parsed;
}

}  // namespace railyard
