// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/calibration_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace railyard {
namespace {

bool has_key(const YamlDocument& document, std::string_view key) {
  Diagnostics diagnostics;
  const bool found = document.root(diagnostics).has(key);
  diagnostics.throw_if_any();
  return found;
}

/// Samples by file; a file that they are like is named from where they lie.
SampleSet read_samples_file(const YamlDocument& document) {
  SampleSet set = read_samples(document);
  const std::filesystem::path folder = std::filesystem::path(document.name()).parent_path();
  if (names_file(set.like)) set.like = (folder / set.like).lexically_normal().string();
  return set;
}

}  // namespace

std::filesystem::path samples_path(const std::filesystem::path& profile) {
  return profile.parent_path() / (profile.stem().string() + ".samples.yaml");
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
  if (names_file(name)) {
    const YamlDocument document = YamlDocument::load(name);
    if (has_key(document, "samples")) {
      input.samples = read_samples_file(document);
      return input;
    }
    input.profile = read_profile(document);
    if (std::filesystem::exists(samples_path(name))) {
      input.samples = read_samples_file(YamlDocument::load(samples_path(name)));
    }
  } else if (std::filesystem::exists(name) ||
             name.find_first_of("/.") != std::string::npos) {  // a file, or meant as one
    const std::vector<ImportedFile> files{import_file(name)};
    require_accepted(files);
    input.samples = sample_set(std::filesystem::path(name).stem().string(), files);
    drop_copies(*input.samples);
  } else {
    input.profile = catalogue.profile(name);
  }
  return input;
}

}  // namespace railyard
