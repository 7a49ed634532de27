// SPDX-License-Identifier: Apache-2.0
// calibrate import, fit, show and compare: from logs to a profile with an error bar.
#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <set>
#include <utility>

#include "base/files.h"
#include "sim/app/commands.h"
#include "sim/report/calibration_json.h"
#include "sim/report/calibration_svg.h"
#include "sim/report/calibration_text.h"
#include "sim/study/calibration/named_gpus.h"

namespace railyard {
namespace {

/// The printed form in the asked format.
template <class Text, class MakeTable, class MakeJson>
std::string printed(Format format, const Text& text, const MakeTable& table, const MakeJson& json) {
  switch (format) {
    case Format::json:
      return json();
    case Format::csv:
      return to_csv(table());
    case Format::text:
      break;
  }
  return text();
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

std::optional<Profile> like_profile(const std::string& option, const std::string& remembered,
                                    const Catalogue& catalogue) {
  const std::string& name = option.empty() ? remembered : option;
  return name.empty() ? std::nullopt : std::optional(catalogue.profile(name));
}

/// Options that mean nothing without another one.
void need(const std::string& other, const std::string& value,
          std::initializer_list<std::pair<const char*, const std::string*>> options) {
  for (const auto& [option, text] : options) {
    if (value.empty() && !text->empty()) {
      throw InputError(fmt::format("{} has no effect without {}", option, other),
                       fmt::format("add {} FILE, or leave {} out", other, option));
    }
  }
}

std::filesystem::path place_of(const std::filesystem::path& file) { return std::filesystem::weakly_canonical(file); }

/// The logs, each once.
std::vector<ImportedFile> read_logs(const std::vector<std::string>& logs, std::string& notes) {
  std::vector<ImportedFile> files;
  std::set<std::filesystem::path> met;
  for (const std::string& log : logs) {
    if (met.insert(place_of(log)).second) {
      files.push_back(import_file(log));
    } else {
      notes += fmt::format("note: {} is given twice and read once\n", log);
    }
  }
  require_accepted(files);
  return files;
}

/// Enters the nodes where the log does not tell them.
void set_nodes(std::vector<ImportedFile>& files, int nodes) {
  for (ImportedFile& file : files) {
    for (ImportedRun& run : file.runs) {
      if (!run.accepted() || run.collectives.empty() || run.nodes == nodes) continue;
      if (run.nodes > 0) {
        throw InputError(
            fmt::format("{}:{}: the log tells {} nodes, --nodes {}", file.name, run.first_line, run.nodes, nodes),
            "give --nodes with logs that do not tell them alone");
      }
      if (run.ranks > 0 && run.ranks % nodes != 0) {
        throw InputError(fmt::format("{}:{}: {} ranks do not spread evenly over {} nodes", file.name, run.first_line,
                                     run.ranks, nodes),
                         "expected a divisor of the ranks");
      }
      run.nodes = nodes;
    }
  }
}

/// Names the profile after its file and checks what else stands on the command line.
ProfileRequest request_of(const std::string& output, const Profile* like, const std::string& like_name,
                          const std::string& fabric, const std::string& nic) {
  const std::filesystem::path file(output);
  if (file.extension() != ".yaml" || file.stem().extension() == ".samples") {
    throw InputError(fmt::format("-o '{}' is no file of a profile", output),
                     "name it as -o my-h100.yaml; the samples become my-h100.samples.yaml beside it");
  }
  if (names_file(like_name) && place_of(like_name) == place_of(file)) {
    throw InputError(fmt::format("-o would replace {}, which tells what was not measured", like_name),
                     "write the profile to another file");
  }
  ProfileRequest request{.id = file.stem().string(), .like = like, .fabric = fabric, .nic = {}};
  if (nic.empty() != fabric.empty()) {
    throw InputError("--nic and --fabric belong together", "give both, as --fabric infiniband --nic '400 Gb/s'");
  }
  if (!nic.empty()) {
    const QuantityText rate = parse_quantity(nic, units::bandwidth);
    if (!rate.ok() || !(rate.base > 0)) {
      throw InputError(fmt::format("--nic '{}' is no line rate", nic),
                       rate.ok() ? "expected a bandwidth above zero" : rate.error);
    }
    request.nic = rate.base * byte / second;
  }
  return request;
}

/// Writes the profile with its samples beside it; a note of what came from where.
std::string write_calibration(const std::string& output, const WrittenProfile& written, SampleSet set) {
  const std::filesystem::path file(output);
  if (names_file(set.like)) set.like = std::filesystem::proximate(set.like, folder_of(file)).string();
  write_files(folder_of(file),
              {{file.filename().string(), written.yaml}, {samples_path(file).filename().string(), samples_yaml(set)}});
  std::string notes;
  for (const std::string& law : written.unused) notes += fmt::format("not in the profile: {}\n", law);
  return notes + fmt::format("wrote {} ({} figures measured, {} assumed) and {}\n", output, written.measured.size(),
                             written.assumed.size(), samples_path(file).string());
}

}  // namespace

Outcome run(const CalibrateImportOptions& options, const Context& context) {
  need("-o", options.output, {{"--like", &options.like}, {"--fabric", &options.fabric}, {"--nic", &options.nic}});
  Outcome outcome;
  std::vector<ImportedFile> files = read_logs(options.logs, outcome.notes);
  if (options.nodes > 0) set_nodes(files, options.nodes);
  outcome.output = printed(
      context.format, [&] { return import_text(files); }, [&] { return import_table(files); },
      [&] { return import_json(files); });
  if (options.output.empty()) return outcome;
  const std::optional<Profile> like = like_profile(options.like, {}, context.catalogue);
  const Profile* const known = like ? &*like : nullptr;
  const ProfileRequest request = request_of(options.output, known, options.like, options.fabric, options.nic);
  SampleSet set = sample_set(request.id, files);
  if (set.series.empty()) {
    throw InputError("the logs hold no rates, so no profile can be made of them",
                     "import them without -o, or add logs of products, memory kernels, attention or collectives");
  }
  set.like = options.like;
  for (const std::string& sentence : drop_copies(set)) outcome.notes += "note: " + sentence + "; it counts once\n";
  const SampleFit fit = fit_samples(set, known);
  const WrittenProfile written = write_profile(request, set, fit, context.catalogue.parts());
  if (known != nullptr) outcome.notes += unproven_gpu(set, *known, context.catalogue.parts());
  for (const std::string& sentence : fit.left_out) outcome.notes += "not in the profile: " + sentence + "\n";
  outcome.notes += write_calibration(options.output, written, set);
  return outcome;
}

Outcome run(const CalibrateFitOptions& options, const Context& context) {
  need("-o", options.output, {{"--fabric", &options.fabric}, {"--nic", &options.nic}});
  const CalibrationInput input = read_calibration_input(options.samples, context.catalogue);
  if (!input.samples) {
    throw InputError(fmt::format("'{}' holds no samples", options.samples),
                     "expected a samples file (NAME.samples.yaml) or a log");
  }
  const std::optional<Profile> like = like_profile(options.like, input.samples->like, context.catalogue);
  const Profile* const known = like ? &*like : nullptr;
  const SampleFit fit = fit_samples(*input.samples, known);
  Outcome outcome;
  outcome.output = printed(
      context.format, [&] { return fit_text(fit, options.residuals); }, [&] { return fit_table(fit); },
      [&] { return fit_json(fit); });
  if (options.output.empty()) return outcome;
  SampleSet set = *input.samples;
  if (!options.like.empty()) set.like = options.like;
  const ProfileRequest request = request_of(options.output, known, set.like, options.fabric, options.nic);
  set.name = request.id;
  outcome.notes = write_calibration(options.output, write_profile(request, set, fit, context.catalogue.parts()), set);
  return outcome;
}

Outcome run(const CalibrateShowOptions& options, const Context& context) {
  need("--svg", options.svg, {{"--like", &options.like}});
  const CalibrationInput input = read_calibration_input(options.input, context.catalogue);
  Outcome outcome;
  if (input.profile) {
    outcome.output = printed(
        context.format, [&] { return profile_text(*input.profile); }, [&] { return profile_table(*input.profile); },
        [&] { return profile_json(*input.profile); });
  } else {
    outcome.output = printed(
        context.format, [&] { return samples_text(*input.samples); }, [&] { return samples_table(*input.samples); },
        [&] { return samples_json(*input.samples); });
  }
  if (options.svg.empty()) return outcome;
  const std::optional<Profile> like =
      like_profile(options.like, input.samples ? input.samples->like : "", context.catalogue);
  outcome.notes = write_file("--svg", options.svg, calibration_svg(input, like ? &*like : nullptr));
  return outcome;
}

Outcome run(const CalibrateCompareOptions& options, const Context& context) {
  check_conditions(options.requirements);
  const CalibrationComparison comparison = compare(read_calibration_input(options.first, context.catalogue),
                                                   read_calibration_input(options.second, context.catalogue));
  Outcome outcome;
  outcome.output = printed(
      context.format, [&] { return calibration_comparison_text(comparison); },
      [&] { return calibration_comparison_table(comparison); },
      [&] { return calibration_comparison_json(comparison); });
  for (const std::string& sentence : unmet(options.requirements, comparison)) {
    outcome.notes += "not met: " + sentence + "\n";
    outcome.exit_code = 3;
  }
  return outcome;
}

}  // namespace railyard
