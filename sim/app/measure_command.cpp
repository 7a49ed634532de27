// SPDX-License-Identifier: Apache-2.0
// calibrate measure: a device, timed, and a profile of it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "base/files.h"
#include "base/nearest_name.h"
#include "calibrate/device/measure_team.h"
#include "calibrate/device/plugin_device.h"
#include "sim/app/commands.h"
#include "sim/app/measure_output.h"
#include "sim/app/measure_samples.h"
#include "sim/report/version.h"
#include "sim/study/calibration/calibration_input.h"
#include "sim/study/calibration/named_gpus.h"

namespace railyard {
namespace {

constexpr int no_device_code = 77;

device::DeviceChoice choice_of(const std::string& name) {
  if (name == "cuda") return device::DeviceChoice::cuda;
  if (name == "hip") return device::DeviceChoice::hip;
  if (name == "host") return device::DeviceChoice::host;
  return device::DeviceChoice::automatic;
}

/// Groups that are named, as `--only hbm,launch`; every one when nothing is.
std::vector<std::string> wanted_groups(const std::optional<std::string>& only) {
  std::vector<std::string> groups;
  if (!only) return groups;
  const std::vector<std::string>& known = device::measurement_groups();
  for (std::size_t at = 0; at <= only->size();) {
    const std::size_t end = std::min(only->find(',', at), only->size());
    const std::string name = only->substr(at, end - at);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InputError(
          fmt::format("--only '{}': {}", *only,
                      name.empty() ? "a name is empty" : fmt::format("'{}' is no group of measurements", name)),
          expected_names(name, known));
    }
    groups.push_back(name);
    at = end + 1;
  }
  return groups;
}

std::filesystem::path this_program() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : path;
}

std::string today() {
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

/// "12 of 240, 1 min 40 s left" on a terminal only.
device::MeasureProgress progress_line() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [](std::size_t done, std::size_t all, double left_s) {
    const int left = static_cast<int>(std::max(left_s, 0.0));
    if (done < all) {
      std::fprintf(stderr, "\r\x1b[K%zu of %zu, %d min %02d s left", done, all, left / 60, left % 60);
    } else {
      std::fputs("\r\x1b[K", stderr);
    }
  };
}

/// The first shipped profile of the part that the device's name tells; empty when there is none.
std::string like_by_name(const device::DeviceFacts& facts, const Catalogue& catalogue) {
  const std::string model = named_model(facts.name, catalogue.parts());
  for (const std::string& id : catalogue.profiles()) {
    if (!model.empty() && id.starts_with(model + "-")) return id;
  }
  return {};
}

/// What the device does not tell comes from here; its own compute units are known.
Profile like_profile(const CalibrateMeasureOptions& options, const device::DeviceFacts& facts,
                     const Catalogue& catalogue) {
  std::string name = options.like.empty() ? like_by_name(facts, catalogue) : options.like;
  const bool host = facts.back_end == "host";
  if (name.empty() && host) name = "h100-cuda";
  if (name.empty()) {
    throw InputError(fmt::format("no shipped profile is of '{}'", facts.name),
                     "add --like PROFILE: what is not measured is taken from there and marked as assumed");
  }
  Profile like = catalogue.profile(name);
  like.compute_units = facts.compute_units;
  if (host) like.gpu = "host";
  return like;
}

std::filesystem::path output_file(const std::string& output) {
  const std::filesystem::path file(output);
  if (file.extension() != ".yaml" || file.stem().extension() == ".samples") {
    throw InputError(fmt::format("-o '{}' is no file of a profile", output),
                     "name it as -o my-h100.yaml; samples and a table lie beside it");
  }
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw InputError(fmt::format("-o '{}' is a folder", output));
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error)) {
    throw InputError(fmt::format("-o '{}': {} is no folder", output, folder.string()));
  }
  return file;
}

/// All that can be wrong with the options before a device is opened: measuring takes minutes.
void check_options(const CalibrateMeasureOptions& options, const Catalogue& catalogue) {
  const auto useless = [](const std::string& option, const std::string& why) {
    throw InputError(fmt::format("{} has no effect {}", option, why), "leave it out");
  };
  if (options.method_study) {
    if (options.quick) useless("--quick", "on the study of method");
    if (options.only) useless("--only", "on the study of method");
    if (!options.output.empty()) useless("-o", "on the study of method, which makes no profile");
    if (options.device == "host") {
      throw InputError("--method-study is a study of GPUs", "--device cuda, hip or auto");
    }
  }
  if (!options.output.empty()) (void)output_file(options.output);
  if (options.like.empty()) return;
  if (options.output.empty()) useless("--like", "without -o: it tells what a profile lacks");
  (void)catalogue.profile(options.like);
  std::error_code error;
  if (names_file(options.like) && std::filesystem::equivalent(options.like, options.output, error)) {
    throw InputError(fmt::format("-o would replace {}, which tells what was not measured", options.like),
                     "write the profile to another file");
  }
}

std::vector<RunFact> run_facts(const CalibrateMeasureOptions& options, const device::MeasureReport& report) {
  std::vector<RunFact> facts{{"device", devices_text(report.facts)},
                             {"back end", report.facts.back_end},
                             {"plan", options.quick ? "quick" : "full"}};
  if (options.only) facts.push_back({"only", *options.only});
  for (const device::Fact& fact : report.facts.facts) facts.push_back({fact.key, fact.text});
  const device::NodeLinks links = node_links(report);
  const std::string shape = device::describe_links(device::link_shape(links), links);
  if (!shape.empty()) facts.push_back({"links between GPUs", shape});
  int dropped = 0, waived = 0;
  for (const device::Measurement& each : report.measurements) {
    dropped += each.timing.dropped;
    waived += each.measured() ? 0 : 1;
  }
  facts.push_back({"measurements", fmt::format("{}, {} of them waived, {} samples dropped as throttled, {:.0f} s",
                                               report.measurements.size(), waived, dropped, report.wall_s)});
  return facts;
}

/// Writes the profile, its samples, and every measurement as CSV.
std::string write_measured(const CalibrateMeasureOptions& options, const device::MeasureReport& report,
                           const Profile& like, const Catalogue& catalogue) {
  const std::filesystem::path file = output_file(options.output);
  ProfileRequest request{.id = file.stem().string(), .like = &like, .fabric = {}, .nic = {}};
  request.direct = direct_figures(report);
  request.run = run_facts(options, report);
  request.gpu_name = report.facts.name;
  request.data_sheet = report.facts.back_end != "host";
  SampleSet set = measured_samples(report, request.id, today());
  set.like = like.id;
  const SampleFit fit = fit_samples(set, &like);
  const WrittenProfile written = write_profile(request, set, fit, catalogue.parts());
  const std::string csv_name = file.stem().string() + ".measured.csv";
  write_files(file.has_parent_path() ? file.parent_path() : std::filesystem::path("."),
              {{file.filename().string(), written.yaml},
               {samples_path(file).filename().string(), samples_yaml(set)},
               {csv_name, to_csv(measure_table(report))}});
  return fmt::format("wrote {} ({} figures measured, {} assumed as {}), its samples and {}\n", options.output,
                     written.measured.size(), written.assumed.size(), like.id, csv_name);
}

/// The processes of this launch, when one made this process; each takes the GPU that is its own.
std::optional<device::Team> met_team(const CalibrateMeasureOptions& options) {
  const std::optional<device::LaunchPlace> place = device::launch_place(device::process_environment);
  if (!place) {
    if (!options.rendezvous.empty()) {
      throw InputError("--rendezvous is for the processes of a launch, and this is one alone",
                       "mpirun, srun or torchrun in front, or leave it out");
    }
    return {};
  }
  for (const char* const name : {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"}) {
    const std::optional<std::string> own =
        device::own_device(*place, device::process_environment(name).value_or(std::string()));
    // Before any library of the GPU is opened, in a program of one thread.
    if (own) setenv(name, own->c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  const std::string agreed =
      fmt::format("railyard {} --device {}{}{}{}", version(), options.device, options.quick ? " --quick" : "",
                  options.method_study ? " --method-study" : "", options.only ? " --only " + *options.only : "");
  return std::optional<device::Team>(std::in_place, *place,
                                     device::meeting_place(*place, options.rendezvous, device::process_environment),
                                     agreed, options.rendezvous_limit_s);
}

void refuse_empty(const std::vector<device::PlannedMeasurement>& plan, const CalibrateMeasureOptions& options,
                  const device::DeviceFacts& facts) {
  if (!plan.empty()) return;
  std::set<std::string> possible;
  for (const device::PlannedMeasurement& each : device::measurement_plan(facts, {})) possible.insert(each.group);
  std::string names;
  for (const std::string& each : possible) names += (names.empty() ? "" : ", ") + each;
  throw InputError(
      fmt::format("--only {} leaves nothing to measure on {}", options.only.value_or(""), devices_text(facts)),
      fmt::format("groups for it: {}", names));
}

/// Opens the device and measures; one process, or all of a team, of which rank 0 gives the output.
void measure_device(const CalibrateMeasureOptions& options, const Context& context, const device::Team* team,
                    Outcome& outcome) {
  const device::PlanOptions plan_options{
      .quick = options.quick, .method_study = options.method_study, .only = wanted_groups(options.only)};
  const std::unique_ptr<device::Device> device =
      device::open_device(choice_of(options.device), device::plugin_folders(this_program()));
  std::optional<device::TeamDevice> all;
  if (team != nullptr) all.emplace(*device, *team);
  const device::DeviceFacts& facts = all ? all->facts() : device->facts();
  if (options.method_study && facts.back_end == "host") {
    throw InputError("--method-study is a study of GPUs, and only the host answers");
  }
  const std::vector<device::PlannedMeasurement> plan =
      all ? device::team_plan(device->facts(), facts, plan_options) : device::measurement_plan(facts, plan_options);
  refuse_empty(plan, options, facts);
  std::optional<Profile> like;
  if (!options.output.empty()) like = like_profile(options, facts, context.catalogue);
  const bool told = team == nullptr || team->root();
  const device::MeasureProgress progress = told ? progress_line() : device::MeasureProgress();
  const device::MeasureReport report =
      all ? device::measure(*device, *all, *team, plan, progress) : device::measure(*device, plan, progress);
  if (!told) return;
  switch (context.format) {
    case Format::text:
      outcome.output = options.method_study ? method_study_text(report) : measure_text(report);
      break;
    case Format::csv:
      outcome.output = to_csv(measure_table(report));
      break;
    case Format::json:
      outcome.output = measure_json(report);
      break;
  }
  if (like) outcome.notes = write_measured(options, report, *like, context.catalogue);
}

}  // namespace

Outcome run(const CalibrateMeasureOptions& options, const Context& context) {
  (void)wanted_groups(options.only);
  check_options(options, context.catalogue);
  Outcome outcome;
  std::optional<device::Team> team;
  const auto failed = [&](const std::string& reason) {
    if (team) team->fail(reason);
  };
  try {
    team = met_team(options);
    measure_device(options, context, team ? &*team : nullptr, outcome);
  } catch (const device::NoDevice& reason) {
    failed(fmt::format("a process has no device: {}", reason.what()));
    outcome.notes = fmt::format("error: no device: {}\n", reason.what());
    outcome.exit_code = no_device_code;
  } catch (const device::TeamError& error) {
    failed(error.what());
    throw EnvironmentError(fmt::format("the processes cannot measure together: {}", error.what()));
  } catch (const device::DeviceError& error) {
    failed(fmt::format("the device of rank {} failed: {}", team ? team->rank() : 0, error.what()));
    throw EnvironmentError(fmt::format("the device failed: {}", error.what()));
  } catch (const std::exception& error) {
    failed(error.what());
    throw;
  }
  return outcome;
}

}  // namespace railyard
