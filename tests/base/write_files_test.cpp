// SPDX-License-Identifier: Apache-2.0
// What write_files promises: whole files, all or none, of one writer, nothing of others touched.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "tests/base/scratch.h"
#include "tests/catch.h"

namespace railyard {
namespace {

namespace fs = std::filesystem;

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

TEST_CASE("files: long texts are written piece by piece, and read back", "[base]") {
  const Scratch scratch;
  std::size_t pieces = 0, longest = 0;
  const TextSource rows = [&](TextSink& sink) {
    for (int row = 0; row < 300'000; ++row) {
      sink.text() += std::to_string(row) + "\n";
      sink.row_done();
      longest = std::max(longest, sink.text().size());
    }
  };
  stream_files(scratch.path(), {{"rows", rows}, {"one", [](TextSink& sink) { sink.text() += "x"; }}});
  const std::string text = read_file(scratch.path() / "rows");
  CHECK(text == text_of(rows));
  CHECK(text.ends_with("299999\n"));
  CHECK(3 * longest < 2 * text.size());
  CHECK(read_file(scratch.path() / "one") == "x");
  TextSink counting([&](std::string_view) { ++pieces; });
  rows(counting);
  counting.flush();
  CHECK(pieces == 2);  // 1.99 MB in pieces of a mebibyte
  CHECK_THROWS_WITH(read_file(scratch.path() / "rows", 1U << 20U), ContainsSubstring("larger than 1 MiB"));
}

TEST_CASE("files: a source that fails leaves nothing", "[base]") {
  const Scratch scratch;
  const TextSource failing = [](TextSink& sink) {
    sink.text() += "half";
    throw InputError("no more");
  };
  CHECK_THROWS_AS(stream_files(scratch.path() / "out", {{"a", failing}, {"b", failing}}), InputError);
  CHECK_FALSE(fs::exists(scratch.path() / "out"));
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

TEST_CASE("files: when one cannot be written, the folders made for it vanish", "[base]") {
  const Scratch scratch;
  CHECK_THROWS_AS(write_files(scratch.path() / "a" / "b", {{"f", "x"}, {std::string(300, 'n'), "x"}}),
                  EnvironmentError);
  CHECK(names_in(scratch.path()).empty());
}

TEST_CASE("files: an empty name of a folder and names that are no names are the user's mistake", "[base]") {
  const Scratch scratch;
  CHECK_THROWS_WITH(write_files("", {{"a", "x"}}), ContainsSubstring("folder to write into is empty"));
  const char* name = GENERATE("", ".", "..", "../a", "a/b");
  CAPTURE(name);
  CHECK_THROWS_AS(write_files(scratch.path() / "d", {{name, "x"}}), InputError);
  CHECK(names_in(scratch.path()).empty());
}

TEST_CASE("files: a path through a folder that is left again does not make it", "[base]") {
  const Scratch scratch;
  write_files(scratch.path() / "absent" / ".." / "out", {{"a", "x"}});
  CHECK(names_in(scratch.path()) == std::vector<std::string>{"out"});
}

TEST_CASE("files: '..' after a symbolic link leads where the system leads", "[base]") {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "far" / "deep");
  fs::create_directory_symlink(fs::path("far") / "deep", scratch.path() / "link");
  write_files(scratch.path() / "link" / ".." / "out", {{"a", "x"}});
  CHECK(fs::exists(scratch.path() / "far" / "out" / "a"));
}

TEST_CASE("files: a symbolic link in the way is replaced, its target stays", "[base]") {
  const Scratch scratch;
  std::ofstream(scratch.path() / "target") << "precious";
  fs::create_symlink("target", scratch.path() / "a");
  fs::create_symlink("nowhere", scratch.path() / "b");
  write_files(scratch.path(), {{"a", "new"}, {"b", "new"}});
  CHECK(read_file(scratch.path() / "target") == "precious");
  CHECK(fs::symlink_status(scratch.path() / "a").type() == fs::file_type::regular);
  CHECK(names_in(scratch.path()) == std::vector<std::string>{"a", "b", "target"});
}

TEST_CASE("files: pipes and devices in the way stay", "[base]") {
  const Scratch scratch;
  REQUIRE(::mkfifo((scratch.path() / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(write_files(scratch.path(), {{"a", "x"}, {"pipe", "x"}}),
                    ContainsSubstring("no regular file is in its place"));
  CHECK(names_in(scratch.path()) == std::vector<std::string>{"pipe"});
}

TEST_CASE("files: what only looks temporary is the user's and stays, on success and on failure", "[base]") {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "a.part");
  fs::create_directories(scratch.path() / "m");
  for (const char* name : {"b.part", ".railyard-0000000000000000.part", "a.tmp"}) {
    std::ofstream(scratch.path() / name) << "mine";
  }
  const std::vector<std::string> before = names_in(scratch.path());
  CHECK_THROWS_AS(write_files(scratch.path(), {{"a", "x"}, {"b", "x"}, {"m", "x"}}), EnvironmentError);
  CHECK(names_in(scratch.path()) == before);
  write_files(scratch.path(), {{"a", "x"}, {"b", "x"}});
  CHECK(names_in(scratch.path()).size() == before.size() + 2);
  CHECK(read_file(scratch.path() / "b.part") == "mine");
}

TEST_CASE("files: new files have the mode that the user's mask gives", "[base]") {
  const Scratch scratch;
  const mode_t before = ::umask(027);
  write_files(scratch.path(), {{"a", "x"}});
  ::umask(before);
  CHECK(fs::status(scratch.path() / "a").permissions() == static_cast<fs::perms>(0640));
}

TEST_CASE("files: writers at the same time succeed, and the files are those of one of them", "[base]") {
  constexpr int writers = 6, rounds = 15;
  const Scratch scratch;
  const fs::path folder = scratch.path() / "out";
  for (int round = 0; round < rounds; ++round) {
    std::vector<pid_t> children;
    for (int i = 0; i < writers; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        int code = 1;
        try {
          const std::string content(100000, static_cast<char>('a' + i));
          write_files(folder, {{"1", content}, {"2", content}, {"3", content}, {"4", content}});
          code = 0;
        } catch (...) {  // a child has nobody to tell
        }
        ::_exit(code);
      }
      REQUIRE(child > 0);
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      REQUIRE(::waitpid(child, &status, 0) == child);
      CHECK(status == 0);
    }
    REQUIRE(names_in(folder) == std::vector<std::string>{"1", "2", "3", "4"});
    const std::string first = read_file(folder / "1");
    CHECK(first == std::string(100000, first.front()));
    for (const char* name : {"2", "3", "4"}) CHECK(read_file(folder / name) == first);
    fs::remove_all(folder);
  }
}

}  // namespace
}  // namespace railyard
