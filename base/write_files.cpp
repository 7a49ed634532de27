// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <random>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "base/diagnostic.h"
#include "base/files.h"

namespace railyard {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

/// An open file, closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool ok() const { return number_ >= 0; }
  /// False when what was written did not reach the file.
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Makes a folder with those above it; those that were made vanish again, unless all went well or others use them.
class MadeFolders {
 public:
  explicit MadeFolders(fs::path folder) : folder_(std::move(folder)) {
    for (fs::path part = folder_; !part.empty() && !fs::exists(part); part = part.parent_path()) made_.push_back(part);
    fs::create_directories(folder_);
  }
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders() {
    std::error_code ignored;
    for (const fs::path& part : made_) fs::remove(part, ignored);  // only when empty
  }
  void keep() { made_.clear(); }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
  std::vector<fs::path> made_;  // the deepest first
};

/// Waits until no other writer holds the folder. Where the file system knows no locks, or the folder cannot be read,
/// writers are not kept apart.
void lock(const Descriptor& folder, const fs::path& name) {
  using namespace std::chrono_literals;
  const auto until = std::chrono::steady_clock::now() + 60s;
  while (::flock(folder.number(), LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)) {
    if (std::chrono::steady_clock::now() > until) {
      throw EnvironmentError(fmt::format("cannot write into {}: another program holds it", name.string()));
    }
    std::this_thread::sleep_for(5ms);
  }
}

/// Files beside their places, under names nobody else has; what was not renamed is removed at the end.
class Temporaries {
 public:
  explicit Temporaries(int folder) : folder_(folder) {}
  Temporaries(const Temporaries&) = delete;
  Temporaries& operator=(const Temporaries&) = delete;
  ~Temporaries() {
    for (const auto& [temporary, place] : moves_) ::unlinkat(folder_, temporary.c_str(), 0);
  }
  /// Zero, or the number of the error.
  int write(const std::string& place, const TextSource& source) {
    Descriptor file = create(place);
    if (!file.ok()) return errno;
    int error = 0;
    TextSink sink([&](std::string_view piece) {
      if (error == 0 && !write_all(file.number(), piece)) error = errno;
    });
    source(sink);
    sink.flush();
    if (error == 0 && !file.close()) error = errno;
    return error;
  }
  /// Moves all to their places; the place and number of the first error.
  std::pair<std::string, int> rename_all() {
    while (!moves_.empty()) {
      const auto& [temporary, place] = moves_.back();
      if (::renameat(folder_, temporary.c_str(), folder_, place.c_str()) != 0) return {place, errno};
      moves_.pop_back();
    }
    return {};
  }

 private:
  Descriptor create(const std::string& place) {
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
      std::string name = fmt::format(".railyard-{:08x}{:08x}.part", random(), random());
      constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
      Descriptor file(::openat(folder_, name.c_str(), flags, 0666));
      if (file.ok()) moves_.emplace_back(std::move(name), place);
      if (file.ok() || errno != EEXIST) return file;
    }
    return Descriptor(-1);
  }

  int folder_;
  std::vector<std::pair<std::string, std::string>> moves_;
};

/// Only files and symbolic links are replaced: no folder, no device.
void check_place(const Descriptor& folder, const fs::path& place) {
  struct stat status {};
  if (::fstatat(folder.number(), place.filename().c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return;
    throw EnvironmentError(fmt::format("cannot write {}: {}", place.string(), reason(errno)));
  }
  if (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)) return;
  throw EnvironmentError(fmt::format("cannot write {}: {} is in its place", place.string(),
                                     S_ISDIR(status.st_mode) ? "a folder" : "what is no regular file"));
}

/// A folder that can be written into without being read needs O_PATH, and cannot be locked.
Descriptor open_folder(const fs::path& folder) {
  constexpr int flags = O_DIRECTORY | O_CLOEXEC;
  const int readable = ::open(folder.c_str(), O_RDONLY | flags);
  return Descriptor(readable >= 0 || errno != EACCES ? readable : ::open(folder.c_str(), O_PATH | flags));
}

/// One attempt; false when another writer, who failed, took the folder away meanwhile.
bool try_to_write(const fs::path& folder, const std::map<std::string, TextSource>& files) {
  const auto refuse = [&](const fs::path& what, int error) {
    return EnvironmentError(fmt::format("cannot write {}: {}", what.string(), reason(error)));
  };
  MadeFolders made(fs::weakly_canonical(folder));  // DIR/../x needs no DIR
  const Descriptor opened = open_folder(made.folder());
  if (!opened.ok() && errno == ENOENT) return false;
  if (!opened.ok()) throw refuse(folder, errno);
  lock(opened, folder);
  struct stat status {};
  if (::fstat(opened.number(), &status) == 0 && status.st_nlink == 0) return false;

  for (const auto& [name, source] : files) check_place(opened, folder / name);
  Temporaries temporaries(opened.number());
  for (const auto& [name, source] : files) {
    const int error = temporaries.write(name, source);
    if (error == ENOENT) return false;  // as above, a moment later
    if (error != 0) throw refuse(folder / name, error);
  }
  made.keep();
  if (const auto [name, error] = temporaries.rename_all(); error != 0) throw refuse(folder / name, error);
  return true;
}

}  // namespace

void write_files(const fs::path& folder, const std::map<std::string, std::string>& files) {
  std::map<std::string, TextSource> sources;
  for (const auto& [name, content] : files) {
    sources.emplace(name, [&text = content](TextSink& sink) { sink.text() = text; });
  }
  stream_files(folder, sources);
}

void stream_files(const fs::path& folder, const std::map<std::string, TextSource>& files) {
  if (folder.empty())
    throw InputError("the name of the folder to write into is empty", "name a folder; '.' is this one");
  for (const auto& [name, source] : files) {
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
      throw InputError(fmt::format("'{}' is not the name of a file", (folder / name).string()));
    }
  }
  try {
    for (int attempt = 0; attempt < 10; ++attempt) {
      if (try_to_write(folder, files)) return;
    }
    throw EnvironmentError(fmt::format("cannot write into {}: it vanishes again and again", folder.string()));
  } catch (const fs::filesystem_error& error) {
    throw EnvironmentError(fmt::format("cannot write into {}: {}", folder.string(), error.code().message()));
  }
}

}  // namespace railyard
