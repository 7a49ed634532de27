// SPDX-License-Identifier: Apache-2.0
// calibrate measure: a device, timed, and a profile of it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/files.h"
#include "base/nearest_name.h"
#include "calibrate/device/plugin_device.h"
#include "sim/app/commands.h"
#include "sim/app/measure_output.h"
#include "sim/app/measure_samples.h"
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

std::vector<std::string> wanted_groups(const std::string& only) {
  std::vector<std::string> groups;
  for (std::size_t at = 0; at < only.size();) {
    const std::size_t end = std::min(only.find(',', at), only.size());
    const std::string name = only.substr(at, end - at);
    const std::vector<std::string>& known = device::measurement_groups();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InputError(fmt::format("--only '{}': '{}' is no group of measurements", only, name),
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
  if (file.extension() != ".yaml") {
    throw InputError(fmt::format("-o '{}' is no YAML file", output), "name the profile's file, as -o my-h100.yaml");
  }
  return file;
}

std::vector<RunFact> run_facts(const CalibrateMeasureOptions& options, const device::MeasureReport& report) {
  std::vector<RunFact> facts{{"device", fmt::format("{} x {}", report.facts.devices, report.facts.name)},
                             {"back end", report.facts.back_end},
                             {"plan", options.quick ? "quick" : "full"}};
  if (!options.only.empty()) facts.push_back({"only", options.only});
  for (const device::Fact& fact : report.facts.facts) facts.push_back({fact.key, fact.text});
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
                           const Catalogue& catalogue) {
  const std::filesystem::path file = output_file(options.output);
  const Profile like = like_profile(options, report.facts, catalogue);
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

}  // namespace

Outcome run(const CalibrateMeasureOptions& options, const Context& context) {
  const device::PlanOptions plan_options{
      .quick = options.quick, .method_study = options.method_study, .only = wanted_groups(options.only)};
  if (!options.output.empty()) (void)output_file(options.output);
  Outcome outcome;
  try {
    const std::unique_ptr<device::Device> device =
        device::open_device(choice_of(options.device), device::plugin_folders(this_program()));
    const std::vector<device::PlannedMeasurement> plan = device::measurement_plan(device->facts(), plan_options);
    const device::MeasureReport report = device::measure(*device, plan, progress_line());
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
    if (!options.output.empty()) outcome.notes = write_measured(options, report, context.catalogue);
  } catch (const device::NoDevice& reason) {
    outcome.notes = fmt::format("error: no device: {}\n", reason.what());
    outcome.exit_code = no_device_code;
  } catch (const device::DeviceError& error) {
    throw EnvironmentError(fmt::format("the device failed: {}", error.what()));
  }
  return outcome;
}

}  // namespace railyard
