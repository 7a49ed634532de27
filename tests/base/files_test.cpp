// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "tests/base/scratch.h"
#include "tests/catch.h"

namespace railyard {
namespace {

namespace fs = std::filesystem;

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
  CHECK(why("") == "error: the name of a file is empty\n   expected a readable file\n");
  CHECK_THAT(why(scratch.path()), ContainsSubstring("error: this is a folder"));
  CHECK_THAT(why(scratch.path() / std::string(300, 'x')), ContainsSubstring("File name too long"));
  const fs::path huge = scratch.path() / "huge";
  std::ofstream(huge).close();
  fs::resize_file(huge, (64U << 20U) + 1);  // sparse: takes no space
  CHECK_THAT(why(huge), ContainsSubstring("larger than 64 MiB"));
}

TEST_CASE("files: what never ends is not read: pipes, devices", "[base]") {
  const Scratch scratch;
  const fs::path pipe = scratch.path() / "pipe.yaml";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", scratch.path() / "zero.yaml");
  for (const fs::path& path : {pipe, fs::path("/dev/zero"), scratch.path() / "zero.yaml"}) {
    CAPTURE(path);
    CHECK_THROWS_WITH(read_file(path), ContainsSubstring("error: not a regular file"));
  }
}

TEST_CASE("files: what a program or a shell hands over is read, whatever it is", "[base]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "a: 1\n", 5) == 5);
  ::close(ends[1]);
  CHECK(read_file("/dev/fd/" + std::to_string(ends[0])) == "a: 1\n");
  ::close(ends[0]);
  CHECK_THROWS_WITH(read_file("/dev/fd/" + std::to_string(ends[0])), ContainsSubstring("Bad file descriptor"));
}

TEST_CASE("files: no permission is not no file", "[base]") {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "closed");
  std::ofstream(scratch.path() / "closed" / "a.yaml") << "a: 1\n";
  std::ofstream(scratch.path() / "secret.yaml") << "a: 1\n";
  fs::permissions(scratch.path() / "closed", fs::perms::none);
  fs::permissions(scratch.path() / "secret.yaml", fs::perms::none);
  const bool root = ::geteuid() == 0;
  if (root) REQUIRE(::seteuid(65534) == 0);
  std::vector<std::string> errors;
  for (const fs::path& path : {scratch.path() / "closed" / "a.yaml", scratch.path() / "secret.yaml"}) {
    try {
      errors.push_back("read: " + read_file(path));
    } catch (const InputError& error) {
      errors.emplace_back(error.what());
    }
  }
  if (root) REQUIRE(::seteuid(0) == 0);
  fs::permissions(scratch.path() / "closed", fs::perms::owner_all);
  for (const std::string& error : errors) CHECK_THAT(error, ContainsSubstring("error: permission denied\n"));
}

TEST_CASE("files: hidden files, folders and pipes are no YAML files of a folder", "[base]") {
  const Scratch scratch;
  write_files(scratch.path(), {{"a.yaml", ""}, {".b.yaml", ""}, {".yaml", ""}});
  fs::create_directories(scratch.path() / "d.yaml");
  fs::create_symlink("a.yaml", scratch.path() / "link.yaml");
  fs::create_symlink("nothing", scratch.path() / "dangling.yaml");
  REQUIRE(::mkfifo((scratch.path() / "pipe.yaml").c_str(), 0600) == 0);
  CHECK(yaml_names(scratch.path()) == std::vector<std::string>{"a", "link"});
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
