// SPDX-License-Identifier: Apache-2.0
// What a command refuses comes with advice; the same command takes each piece of it.
#include <array>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "tests/app/run_program.h"
#include "tests/catch.h"

namespace {

struct Command {
  std::string name, design, gpu, site;
  int gpus = 0;
  [[nodiscard]] std::string text() const {
    return name + " " + design + " --gpus " + std::to_string(gpus) + (gpu.empty() ? "" : " --gpu " + gpu) +
           (site.empty() ? "" : " --site " + site);
  }
};

/// Everything in an advice that the command line can say: counts, designs, sites.
std::vector<Command> advised(const Command& refused, const std::string& message) {
  std::vector<Command> commands;
  const std::size_t use = message.find("use ");
  const std::string advice = use == std::string::npos ? "" : message.substr(use);
  std::smatch found;
  static const std::regex counts(R"(^use (\d+) GPUs(?:, or (\d+))?)"), sites(R"((?:use |; or )site ([a-z0-9-]+))"),
      designs(R"(design ([^;]*))"),
      name(
          R"(([a-z0-9-]+)(?: \(other [^)]*\))?(?: with GPU ([a-z0-9-]+))?(?: with (\d+) GPUs)?(?: at site ([a-z0-9-]+))?)");
  if (std::regex_search(advice, found, counts)) {
    for (std::size_t i = 1; i < found.size(); ++i) {
      if (!found[i].matched) continue;
      commands.push_back(refused);
      commands.back().gpus = std::stoi(found[i]);
    }
  }
  for (std::sregex_iterator each(advice.begin(), advice.end(), sites), end; each != end; ++each) {
    commands.push_back(refused);
    commands.back().site = (*each)[1];
  }
  if (std::regex_search(advice, found, designs)) {
    const std::string list = found[1];
    for (std::sregex_iterator each(list.begin(), list.end(), name), end; each != end; ++each) {
      commands.push_back(refused);
      commands.back().design = (*each)[1];
      if ((*each)[2].matched) commands.back().gpu = (*each)[2];
      if ((*each)[3].matched) commands.back().gpus = std::stoi((*each)[3]);
      if ((*each)[4].matched) commands.back().site = (*each)[4];
    }
  }
  return commands;
}

/// Runs the command; where it is refused, what it advises.
int advice_that_works(const Command& command) {
  INFO(command.text());
  const ProgramRun run = run_program(command.text());
  if (run.exit_code == 0) return 0;
  CHECK(run.exit_code == 2);
  INFO(run.errors);
  CHECK_THAT(run.errors, ContainsSubstring("use "));
  const std::vector<Command> advice = advised(command, run.errors);
  for (const Command& each : advice) {
    INFO(each.text());
    CHECK(run_program(each.text()).exit_code == 0);
  }
  return static_cast<int>(advice.size());
}

}  // namespace

TEST_CASE("advice: what bom, design, price and wiring advise, they take", "[app][slow]") {
  CHECK(advice_that_works({"bom", "ndr-rail", "h100", "", 1001}) == 2);
  CHECK(advice_that_works({"bom", "scheduled-jericho3", "h100", "", 20000}) >= 2);
  CHECK(advice_that_works({"design", "nvl72-xdr-rail", "gb300", "air-40kw", 144}) >= 1);
  CHECK(advice_that_works({"price", "scheduled-jericho3", "h100", "", 20000}) >= 2);
  CHECK(advice_that_works({"wiring", "scheduled-jericho3", "h100", "air-40kw", 20000}) >= 1);
  CHECK(advice_that_works({"bom", "ndr-rail", "mi300x", "", 64}) >= 1);
}

TEST_CASE("advice: random commands, and all that they advise", "[app][slow]") {
  std::mt19937 random(20261203);
  const auto one_of = [&](auto... values) {
    const std::array<std::string, sizeof...(values)> list{values...};
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
  };
  int pieces = 0;
  for (int round = 0; round < 24; ++round) {
    Command command;
    command.name = one_of("bom", "design", "wiring");
    command.design = one_of("ndr-rail", "single-switch", "scheduled-jericho3", "rail-only-51t", "roce-25t-rail",
                            "xdr-rail", "nvl72-xdr-rail", "dual-tor-200g", "hdr-rail", "roce-tor-chassis");
    command.site =
        command.name == "wiring" ? one_of("air-15kw", "air-40kw") : one_of("", "none", "air-15kw", "liquid-135kw");
    command.gpus = 8 * std::uniform_int_distribution(1, 2400)(random) + (round % 5 == 0 ? 1 : 0);
    pieces += advice_that_works(command);
  }
  CHECK(pieces > 12);
}

// The refusal that a planner meets first: NDR at the largest size, at the default site, where many designs do not
// reach.
TEST_CASE("advice: 131 072 GPUs on 64 ports, with designs whose cables reach", "[app][slow]") {
  CHECK(advice_that_works({"wiring", "ndr-rail", "h100", "", 131072}) >= 3);
}

TEST_CASE("advice: more GPUs than are wired are refused with the limit and the excess", "[app]") {
  const ProgramRun run = run_program("bom ndr-rail --gpus 131080");
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors,
             ContainsSubstring("131080 GPUs are 8 more than the 131072 that are wired at most; use 131072"));
}

TEST_CASE("site none: the same everywhere as no site", "[app]") {
  for (const std::string command : {"bom", "design", "price"}) {
    const std::string order = command + " ndr-rail --gpus 64 --gpu h100";
    const ProgramRun none = run_program(order + " --site none"), left_out = run_program(order);
    INFO(command);
    CHECK(none.exit_code == 0);
    CHECK(none.output == left_out.output);
  }
  CHECK(run_program("design ndr-rail --gpus 64 --gpu h100 --check --site none").output ==
        run_program("design ndr-rail --gpus 64 --gpu h100 --check").output);
  CHECK(run_program("design ndr-rail roce-51t-rail --gpus 64 --site none").exit_code == 0);
}

TEST_CASE("fail: whatif and collective read the same words", "[app]") {
  const ProgramRun count = run_program("collective ndr-rail --gpu h100 --gpus 64 --fail spin:3");
  CHECK(count.exit_code == 2);
  CHECK_THAT(count.errors, ContainsSubstring("'spin' is no kind of part"));
  CHECK(run_program(
            "collective ndr-rail --gpu h100 --gpus 512 --from '64 MiB' --to '64 MiB' --fail 'spine:#0' --fail spine:1")
            .exit_code == 0);
  for (const std::string command : {"whatif", "collective"}) {
    const std::string help = run_program(command + " --help").output;
    CHECK_THAT(help, ContainsSubstring("KIND:COUNT") && ContainsSubstring("KIND:#PLACE"));
  }
}
