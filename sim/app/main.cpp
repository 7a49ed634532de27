// SPDX-License-Identifier: Apache-2.0
// The program railyard: parses the command line, finds the data, runs one command, prints, exits.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>

#include "base/diagnostic.h"
#include "base/files.h"
#include "sim/app/commands.h"
#include "sim/app/options.h"

namespace {

using namespace railyard;

constexpr int failed = 1, bad_input = 2;

void print(std::FILE* stream, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0) {
    throw EnvironmentError("the output cannot be written");
  }
}

/// "3 of 10" on a terminal only.
Progress progress_line() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [](std::size_t done, std::size_t all) {
    if (done < all) {
      std::fprintf(stderr, "\r%zu of %zu", done, all);
    } else {
      std::fputs("\r\x1b[K", stderr);  // clears the line
    }
  };
}

std::filesystem::path this_program() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : path;
}

int run_program(int argc, const char* const* argv) {
  const ParsedCommandLine parsed = parse_command_line(argc, argv);
  if (parsed.finished) {
    print(stderr, parsed.errors);
    print(stdout, parsed.output);
    return parsed.exit_code;
  }
  const Catalogue catalogue(data_folder(parsed.line.data, this_program(), RAILYARD_SOURCE_TREE));
  const Context context{catalogue, parsed.line.format, progress_line()};
  const Outcome outcome = std::visit(
      [&](const auto& options) -> Outcome {
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, std::monostate>) {
          return {};
        } else {
          return run(options, context);
        }
      },
      parsed.line.command);
  print(stdout, outcome.output);
  print(stderr, outcome.notes);
  return outcome.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // An error starts on a line of its own, also where a progress line stands.
  const auto tell = [](const std::string& text) {
    if (isatty(STDERR_FILENO) != 0) std::fputs("\r\x1b[K", stderr);
    std::fputs(text.c_str(), stderr);
  };
  try {
    return run_program(argc, argv);
  } catch (const InputError& error) {
    tell(error.what());
    return bad_input;
  } catch (const std::bad_alloc&) {
    tell("error: out of memory\n");
  } catch (const std::exception& error) {
    tell(std::string("error: ") + error.what() + "\n");
  }
  return failed;
}
