// SPDX-License-Identifier: Apache-2.0
// Reads the benchmark logs people already have. The tool is recognised from the content, never from the name; what is
// no evidence is refused with a reason (FORMAT.md lists both).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calibrate/import/sample.h"

namespace railyard {

/// `partly`: some runs of the file are accepted.
enum class ImportVerdict { accepted, partly, refused };
[[nodiscard]] std::string_view to_string(ImportVerdict verdict);

struct ImportedFile {
  std::string name;  // as given, for messages only
  std::vector<ImportedRun> runs;
  [[nodiscard]] ImportVerdict verdict() const;
};

/// Reads `text`. Never throws for its content: a file nobody recognises is one refused run. Memory stays within the
/// limits of importer.h, whatever the size of the text.
[[nodiscard]] ImportedFile import_log(std::string_view text, std::string_view name);

/// Reads a file; throws InputError when it cannot be read.
[[nodiscard]] ImportedFile import_file(const std::filesystem::path& path);

/// The tools that are recognised: name and one sentence.
struct ImporterName {
  std::string_view name, description;
};
[[nodiscard]] std::vector<ImporterName> importer_names();

}  // namespace railyard
