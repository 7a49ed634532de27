// SPDX-License-Identifier: Apache-2.0
// What the command line asked for, one struct a command. Only command_line.cpp knows how it was written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "calibrate/device/team/launch_place.h"

namespace railyard {

enum class Format { text, csv, json };

struct Setting {
  std::string path, value;
};

struct ReportOptions {
  std::string study, site;
  std::string output = "out";
  std::vector<std::string> settings, requirements;
  bool explain = false;
};
struct SimulateOptions {
  std::string model, design, gpu, profile, strategy, book, buyer = "neocloud";
  int gpus = 0;
  int sequence = 0;
  long long global_batch = 0;
  std::string precision;
  std::vector<std::string> requirements;
  bool explain = false;
};
struct BomOptions {
  std::string design, gpu, book, site;
  int gpus = 0;
  bool all = false;
};
struct DesignOptions {
  std::vector<std::string> designs;
  std::vector<int> gpus;
  std::string gpu, book, site;
  bool check = false;
};
struct DiffOptions {
  std::string study, first, second;
  int gpus = 0;
  std::string share;
  std::vector<std::string> settings;
};
struct WhatIfOptions {
  std::string study, svg;
  std::vector<std::string> settings, failures;
  int gpus = 0;
};
struct PriceOptions {
  std::string design, gpu, book, site, buyer = "neocloud";
  int gpus = 0;
};
struct ValidateOptions {
  std::string training, owner_costs, collectives;  // one of the three files
  std::string design, gpu, profile;                // of --training
  std::string book, terms;                         // of --owner-costs
};
struct WiringOptions {
  std::string design, gpu, book, site = "air-40kw", output, built;
  std::vector<std::string> forms;
  int gpus = 0;
};
struct CollectiveOptions {
  std::string target, gpu, profile, placement = "contiguous";
  std::vector<std::string> operations{"all_reduce"};
  std::vector<int> gpus;
  int cluster = 0;
  std::string from = "1 KiB", to = "16 GiB", algorithm, routing = "spray";
  std::optional<int> seeds;
  bool sharp = false;
  std::vector<std::string> failures;
  std::string svg;
};
struct ExpectOptions {
  std::vector<std::string> logs, requirements;
  std::string gpu, nic, fabric = "infiniband";
  int nodes = 0, nics = 0;
};
struct CheckOptions {
  std::vector<std::string> files;
};
/// What can be listed.
[[nodiscard]] std::vector<std::string> list_kinds();
struct ListOptions {
  std::string kind;
};
struct InitOptions {
  std::string file;
};

struct CalibrateImportOptions {
  std::vector<std::string> logs;
  std::string like, output, fabric, nic;
  int nodes = 0;  // of runs whose log does not tell; 0: not known
};
struct CalibrateFitOptions {
  std::string samples, like, output, fabric, nic;
  bool residuals = false;
};
struct CalibrateShowOptions {
  std::string input, svg, like;
};
struct CalibrateMeasureOptions {
  std::string device = "auto";  // cuda, hip, host or auto
  std::optional<std::string> only;
  std::string like, output, rendezvous;
  double rendezvous_limit_s = device::default_meeting_limit_s;
  bool quick = false, method_study = false;
};
struct CalibrateCompareOptions {
  std::string first, second;
  std::vector<std::string> requirements;
};

struct CommandLine {
  std::string data;
  Format format = Format::text;
  std::variant<std::monostate, ReportOptions, SimulateOptions, BomOptions, DesignOptions, PriceOptions, DiffOptions,
               ValidateOptions, WhatIfOptions, WiringOptions, CollectiveOptions, ExpectOptions, CheckOptions,
               ListOptions, InitOptions, CalibrateImportOptions, CalibrateFitOptions, CalibrateShowOptions,
               CalibrateCompareOptions, CalibrateMeasureOptions>
      command;
};

/// How parsing ended: with a command line, or with text for the user and an exit code.
struct ParsedCommandLine {
  CommandLine line;
  bool finished = false;  // help, version or an error: print and leave
  int exit_code = 0;
  std::string output, errors;
};

[[nodiscard]] ParsedCommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace railyard
