// SPDX-License-Identifier: Apache-2.0
// nvbandwidth, text: a matrix a test, with or without its SUM line; what is left when only the SUM lines were kept.
#include <fmt/format.h>

#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/nvbandwidth_matrix.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

class NvbandwidthReader {
 public:
  explicit NvbandwidthReader(std::string_view text) : lines_(text) {}

  Runs read() {
    while (lines_.next()) read_line(lines_.text());
    finish();
    if (sums_.rows > 0 && runs_.size() < Limits::runs) {
      sums_.refuse(RefusalReason::summary_only,
                   "only the sums over all pairs are left: the number of pairs is not in the file", sums_.first_line);
      runs_.push_back(std::move(sums_));
    }
    return std::move(runs_);
  }

 private:
  void read_line(std::string_view line) {
    if (const auto version = rest_after(line, "nvbandwidth Version: ")) {
      version_ = *version;
    } else if (const auto runtime = rest_after(line, "CUDA Runtime Version: ")) {
      software_ = "CUDA " + std::string(*runtime);
    } else if (line.starts_with("Device ") && contains(line, ": ")) {
      if (gpu_.empty()) gpu_ = trim(line.substr(line.find(": ") + 2, line.rfind('(') - line.find(": ") - 2));
    } else if (line.starts_with("Running ") && line.ends_with(".")) {
      finish();
      run_.operation = line.substr(8, line.size() - 9);
      run_.first_line = lines_.number();
    } else if (line.starts_with("SUM ")) {
      read_sum(line);
    } else if (run_.first_line > 0) {
      read_matrix_line(line);
    }
  }

  void read_matrix_line(std::string_view line) {
    if (contains(line, "(row)") || contains(line, "(column)")) {
      matrix_ = read_description(line);
      described_ = true;
      return;
    }
    split_blanks(line, fields_);
    if (!described_ || fields_.empty()) return;
    if (columns_ == 0) {
      // The header counts the columns up from zero.
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (to_count(fields_[i]) != static_cast<std::int64_t>(i)) return;
      }
      columns_ = fields_.size();
      return;
    }
    if (fields_.size() != columns_ + 1 || !to_count(fields_[0])) return;
    const auto row = static_cast<std::size_t>(*to_count(fields_[0]));
    for (std::size_t i = 0; i < columns_; ++i) add_cell(run_, matrix_, row, i, fields_[i + 1], lines_.number());
    ++run_.rows;
  }

  void read_sum(std::string_view line) {
    split_blanks(line, fields_);
    if (fields_.size() != 3 || !to_figure(fields_[2])) return;
    if (run_.first_line > 0 && fields_[1].starts_with(run_.operation)) {
      sum_ = *to_figure(fields_[2]);
      // A test may print several matrices, each with its sum: read1, read2, total.
      if (fields_[1] != run_.operation || !run_.links.empty()) {
        const std::string operation = run_.operation;
        const int line_number = run_.first_line;
        run_.operation = fields_[1];
        finish();
        run_.operation = operation;
        run_.first_line = line_number;
        after_sum_ = true;
      }
      return;
    }
    if (sums_.rows >= static_cast<int>(Limits::samples)) return;
    if (sums_.first_line == 0) {
      sums_.first_line = lines_.number();
      sums_.tool = "nvbandwidth";
      sums_.layout = "sums";
    }
    LinkSample sum{.from = "all", .to = "all", .kind = std::string(fields_[1]), .line = lines_.number()};
    if (contains(fields_[1], "latency")) {
      sum.latency = *to_figure(fields_[2]) * nanosecond;
    } else {
      sum.bandwidth = *to_figure(fields_[2]) * gigabyte_per_second;
    }
    sums_.links.push_back(std::move(sum));
    ++sums_.rows;
  }

  void finish() {
    const bool idle = after_sum_ && run_.links.empty();
    if (run_.first_line > 0 && !idle && runs_.size() < Limits::runs) {
      run_.tool = "nvbandwidth";
      run_.layout = "text";
      run_.version = version_;
      run_.software = software_;
      run_.gpu = gpu_;
      judge_matrix(run_, sum_);
      runs_.push_back(std::move(run_));
    }
    run_ = {};
    matrix_ = {};
    sum_ = 0;
    columns_ = 0;
    described_ = after_sum_ = false;
  }

  Lines lines_;
  Fields fields_;
  Runs runs_;
  ImportedRun run_, sums_;
  NvbandwidthMatrix matrix_;
  std::string version_, software_, gpu_;
  double sum_ = 0;
  std::size_t columns_ = 0;
  bool described_ = false;
  bool after_sum_ = false;  // the run has been stored with its sum; another matrix may follow
};

bool is_nvbandwidth(std::string_view text) {
  return contains(text, "nvbandwidth Version") || contains(text, "memcpy CE ") || contains(text, "memcpy SM ") ||
         contains(text, "SUM host_to_device_memcpy") || contains(text, "SUM device_to_");
}

}  // namespace

const Importer nvbandwidth{
    "nvbandwidth", "copies between hosts and GPUs as nvbandwidth prints them",
    [](std::string_view text) { return !contains(text, "\"bandwidth_matrix\"") && is_nvbandwidth(text); },
    [](std::string_view text) { return NvbandwidthReader(text).read(); }};

}  // namespace railyard::import_detail
