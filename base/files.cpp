// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "base/diagnostic.h"
#include "base/nearest_name.h"

namespace railyard {
namespace {

/// The number of an inherited file that a path names: /dev/stdin and what shells make of <(command).
std::optional<int> inherited(std::string_view path) {
  if (path == "/dev/stdin") return 0;
  constexpr std::string_view folder = "/dev/fd/";
  if (!path.starts_with(folder)) return std::nullopt;
  path.remove_prefix(folder.size());
  int number = 0;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  if (error != std::errc() || end != path.data() + path.size() || number < 0) return std::nullopt;
  return number;
}

std::string why_unread(int error) {
  switch (error) {
    case ENOENT:
      return "no such file";
    case EACCES:
      return "permission denied";
    case ENOTDIR:
      return "no such file: a part of the path is no folder";
    default:
      return std::generic_category().message(error);
  }
}

/// A file that is closed at the end of its scope.
class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t most) {
  const auto refuse = [&](std::string message) {
    return InputError(
        {Diagnostic{.file = path.string(), .message = std::move(message), .expected = "expected a readable file"}});
  };
  if (path.empty()) throw refuse("the name of a file is empty");
  // Without O_NONBLOCK a named pipe that nobody writes blocks the opening for ever.
  const std::optional<int> given = inherited(path.native());
  const OpenFile file(given ? ::dup(*given) : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  const bool opened = file.number() >= 0;
  const int error = errno;
  // What refuses to be opened may still say what it is: a socket.
  if (opened ? ::fstat(file.number(), &status) != 0 : ::stat(path.c_str(), &status) != 0)
    throw refuse(why_unread(error));
  if (S_ISDIR(status.st_mode)) throw refuse("this is a folder");
  if (!S_ISREG(status.st_mode) && !given) throw refuse("not a regular file");
  if (!opened) throw refuse(why_unread(error));

  std::string text;
  std::vector<char> buffer(1U << 16U);
  while (true) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw refuse(why_unread(errno));
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > most) throw refuse(fmt::format("the file is larger than {} MiB", most >> 20U));
  }
}

std::vector<std::string> yaml_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const bool hidden = entry.path().filename().native().starts_with('.');
    std::error_code unknown;
    if (!hidden && entry.path().extension() == ".yaml" && entry.is_regular_file(unknown)) {
      names.push_back(entry.path().stem().string());
    }
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
