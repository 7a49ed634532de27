// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "tests/catch.h"

namespace railyard {
namespace {

namespace fs = std::filesystem;

/// A folder of this test alone, removed afterwards.
class Scratch {
 public:
  Scratch() : path_(fs::path(RAILYARD_BINARY_DIR) / ("files_test-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Sets an environment variable for a while.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST_CASE("files: what is written reads back, in a folder made for it, with nothing beside it", "[base]") {
  const Scratch scratch;
  const fs::path folder = scratch.path() / "out" / "deep";
  const std::string binary("a\0b\r\n\xff", 6);
  write_files(folder, {{"a.json", "{}\n"}, {"b.bin", binary}, {"empty", ""}});
  CHECK(read_file(folder / "a.json") == "{}\n");
  CHECK(read_file(folder / "b.bin") == binary);
  CHECK(read_file(folder / "empty").empty());
  CHECK(names_in(folder) == std::vector<std::string>{"a.json", "b.bin", "empty"});
}

TEST_CASE("files: a second writing replaces the first", "[base]") {
  const Scratch scratch;
  write_files(scratch.path(), {{"a", "a long first text"}});
  write_files(scratch.path(), {{"a", "second"}});
  CHECK(read_file(scratch.path() / "a") == "second");
}

TEST_CASE("files: when one cannot be written, none is, and old ones stay", "[base]") {
  const Scratch scratch;
  write_files(scratch.path(), {{"a", "old"}});
  fs::create_directories(scratch.path() / "m" / "in the way");
  CHECK_THROWS_AS(write_files(scratch.path(), {{"a", "new"}, {"m", "blocked"}, {"z", "new"}}), EnvironmentError);
  CHECK(read_file(scratch.path() / "a") == "old");
  CHECK(names_in(scratch.path()) == std::vector<std::string>{"a", "m"});
}

TEST_CASE("files: a folder that cannot be made is an error that names it", "[base]") {
  const Scratch scratch;
  write_files(scratch.path(), {{"file", "x"}});
  try {
    write_files(scratch.path() / "file" / "below", {{"a", "x"}});
    FAIL("nothing was thrown");
  } catch (const EnvironmentError& error) {
    CHECK_THAT(error.what(), ContainsSubstring((scratch.path() / "file" / "below").string()));
  }
}

TEST_CASE("files: what cannot be read says why", "[base]") {
  const Scratch scratch;
  const auto why = [](const fs::path& path) {
    try {
      return "read: " + read_file(path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  const std::string missing = (scratch.path() / "missing.yaml").string();
  CHECK(why(missing) == missing + ": error: no such file\n   expected a readable file\n");
  CHECK_THAT(why(scratch.path()), ContainsSubstring("error: this is a folder"));
  const fs::path huge = scratch.path() / "huge";
  std::ofstream(huge).close();
  fs::resize_file(huge, (64U << 20U) + 1);  // sparse: takes no space
  CHECK_THAT(why(huge), ContainsSubstring("larger than 64 MiB"));
}

TEST_CASE("files: shipped names are sorted, unknown ones get the nearest", "[base]") {
  const Scratch scratch;
  write_files(scratch.path(), {{"ndr-rail.yaml", ""}, {"roce-51t-rail.yaml", ""}, {"FORMAT.md", ""}});
  CHECK(yaml_names(scratch.path()) == std::vector<std::string>{"ndr-rail", "roce-51t-rail"});
  CHECK(yaml_names(scratch.path() / "absent").empty());
  CHECK(yaml_path(scratch.path(), "design", "ndr-rail") == scratch.path() / "ndr-rail.yaml");
  try {
    static_cast<void>(yaml_path(scratch.path(), "design", "ndr-rial"));
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(error.what() == std::string("error: unknown design 'ndr-rial'\n"
                                      "   expected one of: ndr-rail, roce-51t-rail; did you mean 'ndr-rail'?\n"));
  }
}

TEST_CASE("files: a name never leads out of its folder", "[base]") {
  const Scratch scratch;
  write_files(scratch.path(), {{"secret.yaml", ""}});
  write_files(scratch.path() / "designs", {{"a.yaml", ""}});
  CHECK_THROWS_AS(yaml_path(scratch.path() / "designs", "design", "../secret"), InputError);
}

TEST_CASE("data folder: option, then variable, then install, then source tree", "[base]") {
  const Scratch scratch;
  const auto place = [&](const fs::path& name) {
    fs::create_directories(scratch.path() / name / "topologies" / "parts");
    return scratch.path() / name;
  };
  const fs::path option = place("option"), variable = place("variable"), tree = place("tree");
  const fs::path program = scratch.path() / "prefix" / "bin" / "railyard";
  ::unsetenv("RAILYARD_DATA");

  CHECK(data_folder("", program, tree) == tree);
  const fs::path installed = place("prefix/share/railyard");
  CHECK(data_folder("", program, tree) == installed);
  {
    const Variable set("RAILYARD_DATA", variable.c_str());
    CHECK(data_folder("", program, tree) == variable);
    CHECK(data_folder(option.string(), program, tree) == option);
  }
  const Variable empty("RAILYARD_DATA", "");
  CHECK(data_folder("", program, tree) == installed);
}

TEST_CASE("data folder: a place that was named and holds no data is an error, not skipped", "[base]") {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "tree" / "topologies" / "parts");
  const fs::path program = scratch.path() / "prefix" / "bin" / "railyard";
  ::unsetenv("RAILYARD_DATA");
  CHECK_THROWS_AS(data_folder((scratch.path() / "nowhere").string(), program, scratch.path() / "tree"), InputError);
  {
    const Variable set("RAILYARD_DATA", "/nowhere");
    CHECK_THROWS_AS(data_folder("", program, scratch.path() / "tree"), InputError);
  }
  CHECK_THROWS_AS(data_folder("", program, scratch.path() / "nowhere"), InputError);
}

}  // namespace
}  // namespace railyard
