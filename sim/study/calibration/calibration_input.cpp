// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/calibration_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace railyard {
namespace {

bool is_yaml(const std::filesystem::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

bool has_key(const YamlDocument& document, std::string_view key) {
  Diagnostics diagnostics;
  const bool found = document.root(diagnostics).has(key);
  diagnostics.throw_if_any();
  return found;
}

}  // namespace

std::filesystem::path samples_path(const std::filesystem::path& profile) {
  return profile.parent_path() / (profile.stem().string() + ".samples.yaml");
}

Profile read_profile_named(const std::string& name, const Catalogue& catalogue) {
  return is_yaml(name) ? read_profile(YamlDocument::load(name)) : catalogue.profile(name);
}

void require_accepted(std::span<const ImportedFile> files) {
  const bool some = std::any_of(files.begin(), files.end(),
                                [](const ImportedFile& file) { return file.verdict() != ImportVerdict::refused; });
  if (some) return;
  std::vector<Diagnostic> reasons;
  for (const ImportedFile& file : files) {
    for (const ImportedRun& run : file.runs) {
      reasons.push_back(
          {.file = file.name,
           .line = run.refusal->line,
           .column = run.refusal->line > 0 ? 1 : 0,
           .message = fmt::format("refused, {}: {}", to_string(run.refusal->reason), run.refusal->sentence)});
    }
  }
  throw InputError(std::move(reasons));
}

CalibrationInput read_calibration_input(const std::string& name, const Catalogue& catalogue) {
  CalibrationInput input{.name = name};
  if (is_yaml(name)) {
    const YamlDocument document = YamlDocument::load(name);
    if (has_key(document, "samples")) {
      input.samples = read_samples(document);
      return input;
    }
    input.profile = read_profile(document);
    if (std::filesystem::exists(samples_path(name))) {
      input.samples = read_samples(YamlDocument::load(samples_path(name)));
    }
  } else if (std::filesystem::exists(name) ||
             name.find_first_of("/.") != std::string::npos) {  // a file, or meant as one
    const std::vector<ImportedFile> files{import_file(name)};
    require_accepted(files);
    input.samples = sample_set(std::filesystem::path(name).stem().string(), files);
  } else {
    input.profile = catalogue.profile(name);
  }
  return input;
}

}  // namespace railyard
