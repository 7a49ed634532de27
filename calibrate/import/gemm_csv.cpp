// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/gemm_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

struct Columns {
  std::size_t m = 0, n = 0, k = 0, batch = 0, type = 0, rate = 0, time = 0, total = 0;  // 0: none
};

Columns read_header(const Fields& names, std::string_view rate) {
  Columns columns{.total = names.size()};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    if (name == "m" || name == "M") columns.m = i;
    if (name == "n" || name == "N") columns.n = i;
    if (name == "k" || name == "K") columns.k = i;
    if (name == "batch_count") columns.batch = i;
    if (name == "a_type" || (name == "d_type" && columns.type == 0)) columns.type = i;
    if (name == rate) columns.rate = i;
    if (name == "us") columns.time = i;
  }
  return columns;
}

// The value after an option of the command line: "-r f32_r", "--a_type bf16_r".
std::string option(std::string_view line, Fields& fields) {
  split_blanks(line, fields);
  for (const std::string_view name : {"--a_type", "-r", "--precision"}) {
    for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
      if (fields[i] == name) return std::string(fields[i + 1]);
    }
  }
  return {};
}

class GemmCsvReader {
 public:
  GemmCsvReader(std::string_view text, std::string_view tool, std::string_view rate)
      : lines_(text), tool_(tool), rate_(rate) {}

  Runs read() {
    while (lines_.next()) read_line(lines_.text());
    finish();
    return std::move(runs_);
  }

 private:
  void read_line(std::string_view line) {
    const std::size_t names = line.find("transA,transB,");
    if (names != std::string_view::npos && contains(line, rate_)) {
      finish();
      split_at(line.substr(names), ',', fields_);
      columns_ = read_header(fields_, rate_);
      run_.first_line = lines_.number();
      return;
    }
    if (const auto version = rest_after(line, "BLASLt version:")) {
      version_ = *version;
    } else if (const auto build = rest_after(line, "BLASLt git version:")) {
      version_ += " (" + std::string(*build) + ")";
    } else if (const auto rocblas = rest_after(line, "rocBLAS version:")) {
      version_ = *rocblas;
    } else if (const auto device = rest_after(line, "Device ID ")) {
      const std::size_t colon = device->find(':');
      if (colon != std::string_view::npos) gpu_ = trim(device->substr(colon + 1));
    } else if (contains(line, tool_) && contains(line, " -")) {
      command_type_ = option(line, fields_);
    } else if (run_.first_line > 0) {
      read_row(line);
    }
  }

  void read_row(std::string_view line) {
    split_at(line, ',', fields_);
    // Checking adds columns at the end.
    if (fields_.size() < columns_.total || columns_.total < 4 || run_.gemms.size() >= Limits::samples) return;
    const auto m = to_count(fields_[columns_.m]), n = to_count(fields_[columns_.n]), k = to_count(fields_[columns_.k]);
    const auto rate = to_figure(fields_[columns_.rate]), time = to_figure(fields_[columns_.time]);
    if (!m || !n || !k || !rate || !time || *m == 0 || *n == 0 || *k == 0 || *time <= 0) return;
    GemmSample sample{.m = *m,
                      .n = *n,
                      .k = *k,
                      .type = columns_.type > 0 ? std::string(fields_[columns_.type]) : command_type_,
                      .rate = *rate * 1e9 * flop / second,
                      .time = *time * microsecond,
                      .statistic = Statistic::mean,
                      .line = lines_.number()};
    if (columns_.batch > 0) sample.batch = std::max<std::int64_t>(1, to_count(fields_[columns_.batch]).value_or(1));
    check_gemm(run_, sample, fields_[columns_.time]);
    run_.gemms.push_back(std::move(sample));
    ++run_.rows;
  }

  void finish() {
    if (run_.first_line > 0 && runs_.size() < Limits::runs) {
      run_.tool = tool_;
      run_.version = version_;
      run_.gpu = gpu_;
      run_.operation = "gemm";
      if (run_.rows == 0) run_.refuse(RefusalReason::no_rows, "the header has no values below it", run_.first_line);
      for (const GemmSample& sample : run_.gemms) {
        if (!sample.type.empty()) continue;
        run_.refuse(RefusalReason::type_unknown,
                    "the type of the operands is not printed, and no command line names it", sample.line);
      }
      runs_.push_back(std::move(run_));
    }
    run_ = {};
  }

  Lines lines_;
  Fields fields_;
  Runs runs_;
  ImportedRun run_;
  Columns columns_;
  std::string_view tool_, rate_;
  std::string version_, gpu_, command_type_;
};

}  // namespace

void check_gemm(ImportedRun& run, const GemmSample& sample, std::string_view time_text) {
  const double flops = 2.0 * static_cast<double>(sample.m) * static_cast<double>(sample.n) *
                       static_cast<double>(sample.k) * static_cast<double>(sample.batch);
  const double expected = flops / sample.time->in(second), printed = sample.rate.in(flop / second);
  // Rates are printed with six digits; the time may have fewer.
  const Interval time = printed_interval(time_text);
  const double tolerance = 0.005 + (time.high - time.low) / (time.high + time.low);
  if (std::abs(printed - expected) <= tolerance * expected) return;
  run.refuse(RefusalReason::inconsistent,
             fmt::format("{} x {} x {} x {} in {} are {:.6g} GFLOP/s, not {:.6g}", sample.batch, sample.m, sample.n,
                         sample.k, time_text, expected / 1e9, printed / 1e9),
             sample.line);
}

Runs read_gemm_csv(std::string_view text, std::string_view tool, std::string_view rate) {
  return GemmCsvReader(text, tool, rate).read();
}

}  // namespace railyard::import_detail
