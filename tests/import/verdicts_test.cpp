// SPDX-License-Identifier: Apache-2.0
// Every public log against the verdict expected of it. The table was made from the logs with regular expressions and
// by eye, apart from the importers: figures are the texts of the files, ranks and nodes those of their index.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "calibrate/import/import.h"
#include "tests/catch.h"

namespace railyard {
namespace {

const std::filesystem::path logs = std::filesystem::path(RAILYARD_SHARED_DIR) / "logs";
const std::filesystem::path verdicts =
    std::filesystem::path(RAILYARD_SOURCE_DIR) / "tests/import/expected_verdicts.csv";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (!text.empty() && text.back() == separator) parts.emplace_back();
  return parts;
}

using Row = std::map<std::string, std::string>;

std::vector<Row> expected_rows() {
  std::ifstream file(verdicts);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split(line, ',');
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> values = split(line, ',');
    REQUIRE(values.size() == names.size());
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

void check_close(double value, const std::string& printed) {
  CHECK_THAT(value, WithinRel(std::stod(printed), 1e-12) || WithinAbs(std::stod(printed), 1e-12));
}

// "8589934592:235.26/235.03": size, out of place, in place.
void check_collective(const ImportedRun& run, const std::string& figure) {
  const std::size_t colon = figure.find(':');
  const Bytes size = std::stod(figure.substr(0, colon)) * byte;
  const std::vector<std::string> printed = split(figure.substr(colon + 1), '/');
  std::vector<double> found;
  for (const CollectiveSample& sample : run.collectives) {
    CHECK(sample.size <= size);
    if (sample.size == size) found.push_back(sample.bus_bandwidth.in(gigabyte_per_second));
  }
  REQUIRE(found.size() == printed.size());
  for (std::size_t i = 0; i < found.size(); ++i) check_close(found[i], printed[i]);
}

double figure_of(const LinkSample& link, const std::string& unit) {
  if (link.latency) return link.latency->in(unit == "us" ? microsecond : nanosecond);
  REQUIRE(link.bandwidth);
  if (unit == "MiB/s") return link.bandwidth->in(mebibyte / second);
  return link.bandwidth->in(unit == "Gb/s" ? gigabit_per_second : gigabyte_per_second);
}

// The figures of all samples of a run in the unit the tool prints.
std::vector<double> figures_of(const ImportedRun& run, const std::string& unit) {
  std::vector<double> figures;
  for (const GemmSample& sample : run.gemms) {
    figures.push_back(sample.rate.in(unit == "GFLOP/s" ? 1e9 * flop / second : teraflop_per_second));
  }
  for (const MemorySample& sample : run.memory) {
    figures.push_back(sample.bandwidth.in(unit == "MB/s" ? 1e6 * byte / second : gigabyte_per_second));
  }
  for (const LinkSample& link : run.links) figures.push_back(figure_of(link, unit));
  return figures;
}

void check_figures(const ImportedRun& run, const std::string& figure, const std::string& unit) {
  if (figure == "-") return;
  if (!run.collectives.empty()) return check_collective(run, figure);
  const std::size_t dots = figure.find("..");
  const std::string first = figure.substr(0, dots), last = figure.substr(dots + 2);
  if (unit == "kind") {
    REQUIRE_FALSE(run.links.empty());
    CHECK(run.links.front().kind == first);
    CHECK(run.links.back().kind == last);
    return;
  }
  const std::vector<double> figures = figures_of(run, unit);
  REQUIRE_FALSE(figures.empty());
  check_close(figures.front(), first);
  check_close(figures.back(), last);
}

std::string ranks_of(const ImportedRun& run) {
  if (run.ranks > 0) return std::to_string(run.ranks);
  return run.ranks_low > 0 ? std::to_string(run.ranks_low) + "-" + std::to_string(run.ranks_high) : "";
}

void check_file(const Row& row) {
  const ImportedFile file = import_file(logs / row.at("file"));
  CHECK(to_string(file.verdict()) == row.at("verdict"));
  REQUIRE(std::to_string(file.runs.size()) == row.at("runs"));
  const ImportedRun& first = file.runs.front();
  CHECK(first.tool == row.at("tool"));
  CHECK(first.version == row.at("version"));
  CHECK(first.layout == row.at("layout"));
  CHECK(ranks_of(first) == row.at("ranks"));
  CHECK((first.nodes > 0 ? std::to_string(first.nodes) : "") == row.at("nodes"));

  std::string operations, reason;
  int rows = 0;
  const std::vector<std::string> figures = split(row.at("figures"), ' ');
  REQUIRE(figures.size() == file.runs.size());
  for (std::size_t i = 0; i < file.runs.size(); ++i) {
    const ImportedRun& run = file.runs[i];
    rows += run.rows;
    operations += (i > 0 ? "+" : "") + run.operation;
    if (run.refusal && reason.empty()) reason = to_string(run.refusal->reason);
    if (run.refusal) CHECK(run.refusal->sentence.size() > 10);
    INFO("run " << i);
    check_figures(run, figures[i], row.at("unit"));
  }
  CHECK(operations == row.at("operations"));
  CHECK(reason == row.at("reason"));
  CHECK(std::to_string(rows) == row.at("rows"));
}

TEST_CASE("logs: every public log is read or refused as expected, and its figures are its own", "[import]") {
  if (!std::filesystem::exists(logs)) {
    WARN("the shared logs are not here");
    std::exit(77);
  }
  const std::vector<Row> rows = expected_rows();
  CHECK(rows.size() == 110);
  for (const Row& row : rows) {
    INFO(row.at("file"));
    check_file(row);
  }
}

TEST_CASE("logs: no log is missing from the table of verdicts", "[import]") {
  if (!std::filesystem::exists(logs)) {
    WARN("the shared logs are not here");
    std::exit(77);
  }
  std::vector<std::string> expected, found;
  for (const Row& row : expected_rows()) expected.push_back(row.at("file"));
  for (const auto& entry : std::filesystem::directory_iterator(logs)) {
    const std::string name = entry.path().filename();
    if (name != "INDEX.csv" && name != "README.md") found.push_back(name);
  }
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  CHECK(found == expected);
}

}  // namespace
}  // namespace railyard
