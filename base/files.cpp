// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/diagnostic.h"
#include "base/nearest_name.h"

namespace railyard {
namespace {

constexpr std::uintmax_t largest_file = 64U << 20U;

/// Removes what was made so far unless all went well.
class Cleanup {
 public:
  explicit Cleanup(std::filesystem::path made_folder) : made_folder_(std::move(made_folder)) {}
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
  ~Cleanup() {
    if (done_) return;
    std::error_code ignored;
    for (const auto& [temporary, place] : moves_) std::filesystem::remove(temporary, ignored);
    if (!made_folder_.empty()) std::filesystem::remove(made_folder_, ignored);  // only when empty
  }
  void add(std::filesystem::path temporary, std::filesystem::path place) {
    moves_.emplace_back(std::move(temporary), std::move(place));
  }
  void commit() {
    for (const auto& [temporary, place] : moves_) std::filesystem::rename(temporary, place);
    done_ = true;
  }

 private:
  std::filesystem::path made_folder_;
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> moves_;
  bool done_ = false;
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto refuse = [&](std::string message) {
    return InputError(
        {Diagnostic{.file = path.string(), .message = std::move(message), .expected = "expected a readable file"}});
  };
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw refuse("no such file");
  if (std::filesystem::is_directory(status)) throw refuse("this is a folder");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw refuse("the file cannot be opened");
  std::string text;
  char buffer[1U << 16U];
  while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largest_file) throw refuse("the file is larger than 64 MiB");
  }
  if (stream.bad()) throw refuse("the file cannot be read");
  return text;
}

void write_files(const std::filesystem::path& folder, const std::map<std::string, std::string>& files) {
  try {
    const bool made = std::filesystem::create_directories(folder);
    Cleanup cleanup(made ? folder : std::filesystem::path());
    for (const auto& [name, content] : files) {
      const std::filesystem::path place = folder / name;
      if (std::filesystem::is_directory(place))
        throw EnvironmentError(fmt::format("cannot write {}: a folder is in its place", place.string()));
      std::filesystem::path temporary = place;
      temporary += ".part";
      cleanup.add(temporary, place);
      std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
      stream.write(content.data(), static_cast<std::streamsize>(content.size()));
      stream.close();
      if (!stream) throw EnvironmentError(fmt::format("cannot write {}", place.string()));
    }
    cleanup.commit();
  } catch (const std::filesystem::filesystem_error& error) {
    throw EnvironmentError(fmt::format("cannot write into {}: {}", folder.string(), error.code().message()));
  }
}

std::vector<std::string> yaml_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path yaml_path(const std::filesystem::path& folder, std::string_view what, std::string_view id) {
  const std::vector<std::string> names = yaml_names(folder);
  if (std::find(names.begin(), names.end(), id) == names.end()) {
    throw InputError(fmt::format("unknown {} '{}'", what, id), expected_names(id, names));
  }
  return folder / (std::string(id) + ".yaml");
}

std::filesystem::path data_folder(std::string_view option, const std::filesystem::path& executable,
                                  const std::filesystem::path& source_tree) {
  const auto holds_data = [](const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::is_directory(folder / "topologies" / "parts", error);
  };
  const auto named = [&](const std::filesystem::path& folder, std::string_view by) {
    if (!holds_data(folder)) {
      throw InputError(fmt::format("{} names '{}', which holds no railyard data", by, folder.string()),
                       "expected a folder with topologies/parts, pricing/books, ...");
    }
    return folder;
  };
  if (!option.empty()) return named(option, "--data");
  if (const char* variable = std::getenv("RAILYARD_DATA"); variable != nullptr && *variable != '\0') {
    return named(variable, "RAILYARD_DATA");
  }
  const std::filesystem::path installed = executable.parent_path().parent_path() / "share" / "railyard";
  if (holds_data(installed)) return installed;
  if (holds_data(source_tree)) return source_tree;
  throw InputError("railyard's data files were not found", "name their folder with --data or RAILYARD_DATA");
}

}  // namespace railyard
