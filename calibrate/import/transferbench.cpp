// SPDX-License-Identifier: Apache-2.0
// TransferBench: single transfers of a test, the matrices of its p2p preset, and digests of which only averages are
// left.
#include <array>
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr std::string_view average_kinds[] = {"CPU->CPU", "CPU->GPU", "GPU->CPU", "GPU->GPU"};

class TransferBenchReader {
 public:
  explicit TransferBenchReader(std::string_view text) : lines_(text) {}

  Runs read() {
    while (lines_.next()) read_line(lines_.text());
    finish();
    if (averages_.first_line > 0 && runs_.empty()) {
      averages_.refuse(RefusalReason::summary_only, "only averages over all pairs are left", averages_.first_line);
      runs_.push_back(std::move(averages_));
    }
    return std::move(runs_);
  }

 private:
  void read_line(std::string_view line) {
    if (const auto banner = rest_after(line, "TransferBench v")) {
      split_blanks(*banner, fields_);
      if (!fields_.empty()) version_ = fields_[0];
      if (averages_.first_line == 0) start(averages_, "averages");
    } else if (const auto test = rest_after(line, "Test ");
               test && test->ends_with(":") && count_after(line, "Test ")) {
      finish();
      start(run_, "test");
    } else if (contains(line, "directional copy peak bandwidth GB/s")) {
      finish();
      start(run_, "p2p");
      run_.operation = contains(line, "Uni") ? "unidirectional" : "bidirectional";
      columns_.clear();
    } else if (contains(line, "Averages (During")) {
      read_averages(line);
    } else if (run_.first_line > 0) {
      run_.layout == "test" ? read_transfer(line) : read_matrix(line);
    }
  }

  // "Transfer 00 | 56.309 GB/s | 4.767 ms | 268435456 bytes | G0 -> G000:004 -> G1"
  void read_transfer(std::string_view line) {
    if (!contains(line, "Transfer ") || !contains(line, "GB/s")) return;
    split_table(line, fields_);
    for (std::size_t i = 0; i + 7 < fields_.size(); ++i) {
      if (fields_[i] != "Transfer" || fields_[i + 3] != "GB/s") continue;
      const auto bandwidth = to_figure(fields_[i + 2]), time = to_figure(fields_[i + 4]);
      const auto bytes = to_count(fields_[i + 6]);
      // Ends: the first and the last field around the executor.
      if (!bandwidth || !time || !bytes || fields_.size() < i + 13 || run_.links.size() >= Limits::samples) return;
      run_.links.push_back({.from = std::string(fields_[i + 8]),
                            .to = std::string(fields_[i + 12]),
                            .kind = std::string(fields_[i + 10]),
                            .bandwidth = *bandwidth * gigabyte_per_second,
                            .size = static_cast<double>(*bytes) * byte,
                            .statistic = Statistic::mean,
                            .line = lines_.number()});
      ++run_.rows;
      return;
    }
  }

  // "SRC+EXE\DST  CPU 00  GPU 00 ...", then "GPU 00 -> 23.83 108.95 ..."
  void read_matrix(std::string_view line) {
    split_table(line, fields_);
    if (!fields_.empty() && contains(fields_[0], "DST")) {
      columns_.clear();
      for (std::size_t i = 1; i + 1 < fields_.size(); i += 2) {
        columns_.push_back(std::string(fields_[i]) + " " + std::string(fields_[i + 1]));
      }
      return;
    }
    if (columns_.empty() || fields_.size() != columns_.size() + 3 || !contains(fields_[2], "-")) return;
    const std::string from = std::string(fields_[0]) + " " + std::string(fields_[1]);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto value = to_figure(fields_[i + 3]);
      if (!value || *value <= 0 || run_.links.size() >= Limits::samples) continue;
      run_.links.push_back({.from = from,
                            .to = columns_[i],
                            .kind = run_.operation,
                            .bandwidth = *value * gigabyte_per_second,
                            .statistic = Statistic::mean,
                            .line = lines_.number()});
    }
    ++run_.rows;
  }

  void read_averages(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const bool both = contains(line, "BiDir");
    split_blanks(line.substr(colon + 1), fields_);
    if (averages_.first_line == 0) start(averages_, "averages");
    for (std::size_t i = 0; i < fields_.size() && i < std::size(average_kinds); ++i) {
      const auto value = to_figure(fields_[i]);
      if (!value || averages_.links.size() >= Limits::samples) continue;
      const std::string_view kind = average_kinds[i];
      averages_.links.push_back({.from = std::string(kind.substr(0, 3)),
                                 .to = std::string(kind.substr(5)),
                                 .kind = both ? "bidirectional" : "unidirectional",
                                 .bandwidth = *value * gigabyte_per_second,
                                 .statistic = Statistic::mean,
                                 .line = lines_.number()});
    }
    ++averages_.rows;
  }

  void start(ImportedRun& run, std::string_view layout) {
    run.tool = "transferbench";
    run.version = version_;
    run.layout = layout;
    run.first_line = lines_.number();
  }

  void finish() {
    if (run_.first_line > 0 && runs_.size() < Limits::runs) {
      if (run_.links.empty()) run_.refuse(RefusalReason::no_rows, "the test has no transfers", run_.first_line);
      runs_.push_back(std::move(run_));
    }
    run_ = {};
  }

  Lines lines_;
  Fields fields_;
  Runs runs_;
  ImportedRun run_, averages_;
  std::string version_;
  std::vector<std::string> columns_;
};

}  // namespace

const Importer transferbench{"transferbench", "copies between CPUs and GPUs as AMD's TransferBench prints them",
                             [](std::string_view text) {
                               return contains(text, "TransferBench v") || contains(text, "Executor: GPU 0") ||
                                      contains(text, "copy peak bandwidth GB/s [");
                             },
                             [](std::string_view text) { return TransferBenchReader(text).read(); }};

}  // namespace railyard::import_detail
