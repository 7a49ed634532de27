// SPDX-License-Identifier: Apache-2.0
// What was measured on an H200 and shipped: the profile follows from its samples, its laws predict what they have not
// seen, results were verified, and a second run and PyTorch beside it agree.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "base/files.h"
#include "calibrate/fit/least_squares.h"
#include "sim/study/calibration/sample_fit.h"
#include "sim/study/catalogue.h"
#include "tests/catch.h"

namespace railyard {
namespace {

const std::string folder = std::string(RAILYARD_SOURCE_DIR) + "/calibrate/measurements/h200-cuda-13/";

using Row = std::map<std::string, std::string>;

/// Cells of a line; quotes hold commas.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

/// Lines that begin with # are remarks.
std::vector<Row> rows_of(const std::string& file) {
  std::istringstream lines(read_file(folder + file));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> header = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string> cells = cells_of(line);
    Row row;
    for (std::size_t i = 0; i < header.size() && i < cells.size(); ++i) row[header[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

double number(const Row& row, const std::string& key) { return std::stod(row.at(key)); }

TEST_CASE("H200: laws fitted to the shipped samples predict shapes left out within 5 %, and are the profile's",
          "[device][slow]") {
  const Catalogue catalogue(RAILYARD_SOURCE_DIR);
  const Profile like = catalogue.profile("h200-cuda"), shipped = catalogue.profile("h200-cuda-13");
  const SampleSet set = read_samples(YamlDocument::load(folder + "samples.yaml"));
  const SampleFit fit = fit_samples(set, &like);
  int products = 0;
  for (const FittedLaw& law : fit.laws) {
    CAPTURE(law.operation);
    CHECK(law.report.left_out().median <= 0.05);
    if (law.measure != Measure::gemm) continue;
    ++products;
    CHECK(law.shape_fitted);
    const GemmParameters& parameters = shipped.gemm.at(*law.series.front()->precision());
    // Samples are kept with six digits, and tile edges and speed can stand for each other a little.
    CHECK_THAT(parameters.sustained.value.typical.in(flop / second), WithinRel(law.gemm->law.flop_per_s, 0.01));
    REQUIRE(parameters.fit);
    CHECK_THAT(parameters.fit->left_out_error, WithinAbs(law.report.left_out().median, 0.003));
  }
  CHECK(products == 3);  // BF16, FP8, FP16
}

TEST_CASE("H200: every product and every attention was verified, nothing was waived", "[device]") {
  std::size_t verified = 0;
  for (const Row& row : rows_of("measured.csv")) {
    CAPTURE(row.at("operation"), row.at("size"));
    CHECK(row.at("waived").empty());
    const bool checked = row.at("operation").starts_with("gemm") || row.at("operation").starts_with("attention");
    CHECK(row.at("error").empty() != checked);
    if (!checked) continue;
    ++verified;
    CHECK(number(row, "error") <= number(row, "allowed_error"));
  }
  CHECK(verified > 300);
}

TEST_CASE("H200: two runs differ by no more than 2 % in the medians of what enters a profile", "[device]") {
  std::map<std::string, double> first;
  for (const Row& row : rows_of("measured.csv")) {
    if (row.at("variant").empty()) first[row.at("operation") + row.at("size")] = number(row, "median_s");
  }
  std::map<std::string, std::vector<double>> differences;
  for (const Row& row : rows_of("again.csv")) {
    if (!row.at("variant").empty()) continue;
    const double before = first.at(row.at("operation") + row.at("size"));
    differences[row.at("operation")].push_back(std::abs(number(row, "median_s") / before - 1));
  }
  CHECK(differences.size() >= 12);
  for (const auto& [operation, list] : differences) {
    CAPTURE(operation);
    CHECK(fit::median(list) <= 0.02);
  }
}

TEST_CASE("H200: PyTorch and do_bench beside it agree within 5 % in every operation", "[device]") {
  std::map<std::string, std::vector<double>> differences;
  for (const Row& row : rows_of("torch.csv")) {
    differences[row.at("operation")].push_back(std::abs(number(row, "railyard") / number(row, "torch") - 1));
  }
  // Products of three types, copy and add, attention in two sizes and two directions.
  CHECK(differences.size() == 9);
  for (const auto& [operation, list] : differences) {
    CAPTURE(operation);
    CHECK(fit::median(list) <= 0.05);
  }
}

TEST_CASE("H200: single memory kernels differ from PyTorch's by its own spread and 2 %, products by 6 %", "[device]") {
  double most_product = 0, most_apart = 0;
  std::vector<double> apart;
  for (const Row& row : rows_of("torch.csv")) {
    const double difference = std::abs(number(row, "railyard") / number(row, "torch") - 1);
    apart.push_back(number(row, "torch_apart") / 100);  // "8.86 %", over three orders of the sizes
    if (row.at("operation").starts_with("memory")) {
      CHECK(difference <= 0.02 + apart.back());  // the smallest copies take four microseconds
    } else {
      most_product = std::max(most_product, difference);
    }
    most_apart = std::max(most_apart, apart.back());
  }
  CHECK(most_product <= 0.06);
  CHECK(most_apart > 0.10);
  CHECK(fit::median(apart) > 0.01);
}

TEST_CASE("H200: the one reading of a cold card is faster than all warm ones, and PyTorch keeps its kernel",
          "[device]") {
  // One size after a rest, the card still cold, against itself on a warm card: the same tool, kernel and operands.
  std::vector<double> warm;
  double cold = 0;
  for (const Row& row : rows_of("order.csv")) {
    if (row.at("size") != "1024 x 8192 x 8192") continue;
    if (number(row, "temperature_c") < 40) {
      cold = number(row, "rate");
    } else {
      warm.push_back(number(row, "rate"));
    }
  }
  REQUIRE(warm.size() >= 9);
  CHECK(cold / fit::median(warm) > 1.07);
  // And PyTorch's library takes one kernel for a size, whatever workspace it is given.
  std::map<std::string, std::set<std::string>> kernels;
  std::map<std::string, std::vector<double>> rates;
  for (const Row& row : rows_of("kernels.csv")) {
    kernels[row.at("size")].insert(row.at("kernel"));
    for (const std::string key : {"rate_1", "rate_2", "rate_3"}) rates[row.at("size")].push_back(number(row, key));
  }
  for (const auto& [size, names] : kernels) CHECK(names.size() == 1);
  const std::vector<double>& first = rates.at("4096 x 8192 x 28672");
  CHECK(*std::max_element(first.begin(), first.end()) / *std::min_element(first.begin(), first.end()) > 1.1);
}

TEST_CASE("H200: a launch of one rank makes NCCL's calls, and every result was right", "[device]") {
  std::set<std::string> operations;
  for (const Row& row : rows_of("one-rank-launch.csv")) {
    CHECK(row.at("waived").empty());
    CHECK(number(row, "error") == 0);
    CHECK_THAT(row.at("kernel"), ContainsSubstring("NCCL"));
    operations.insert(row.at("operation"));
  }
  CHECK(operations.size() == 5);
}

TEST_CASE("H200: the own product reaches half of cuBLASLt, as a HIP plug-in too", "[device]") {
  for (const std::string file : {"measured.csv", "hip-on-nvidia.csv"}) {
    double own = 0, library = 0;
    for (const Row& row : rows_of(file)) {
      if (row.at("operation") != "gemm bf16" || row.at("size") != "4096 x 4096 x 4096") continue;
      if (row.at("group") == "own") own = number(row, "rate");
      if (row.at("group") == "gemm" && row.at("variant").empty()) library = number(row, "rate");
    }
    CAPTURE(file);
    CHECK(own / library > 0.45);
    CHECK(own / library < 1);
  }
}

}  // namespace
}  // namespace railyard
