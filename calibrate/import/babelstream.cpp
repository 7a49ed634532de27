// SPDX-License-Identifier: Apache-2.0
// BabelStream, formerly GPU-STREAM: text of every version, and its CSV. The printed rate is that of the fastest
// repetition; the mean time stands beside it and is kept.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

// With fewer repetitions the fastest says little.
constexpr std::int64_t few = 10;

struct Kernel {
  std::string_view name;
  int arrays;  // read and written
};
constexpr Kernel kernels[] = {{"Copy", 2}, {"Mul", 2}, {"Add", 3}, {"Triad", 3}, {"Dot", 2}, {"Nstream", 4}};

const Kernel* kernel_of(std::string_view name) {
  for (const Kernel& kernel : kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

class BabelStreamReader {
 public:
  explicit BabelStreamReader(std::string_view text) : lines_(text) {}

  Runs read() {
    while (lines_.next()) read_line(lines_.text());
    finish();
    return std::move(runs_);
  }

 private:
  void read_line(std::string_view line) {
    if (line == "BabelStream" || line == "GPU-STREAM") {
      finish();
      start("text");
    } else if (line.starts_with("function,num_times")) {
      finish();
      start("csv");
      mebibytes_ = contains(line, "max_mibytes");
    } else if (run_.first_line == 0) {
      return;
    } else if (line.starts_with("Version: ")) {
      run_.version = trim(line.substr(9));
    } else if (line.starts_with("Running kernels ")) {
      run_.iterations = count_after(line, "Running kernels ").value_or(0);
    } else if (line.starts_with("Array size: ")) {
      read_array(line.substr(12));
    } else if (const auto device = rest_after(line, " device "); device && line.starts_with("Using ")) {
      run_.gpu = *device;
    } else if (line.starts_with("Function")) {
      mebibytes_ = contains(line, "MiBytes");
    } else {
      run_.layout == "csv" ? read_csv(line) : read_row(line);
    }
  }

  // "268.4 MB (=0.3 GB)"
  void read_array(std::string_view text) {
    split_blanks(text, fields_);
    if (fields_.size() < 2 || !to_figure(fields_[0])) return;
    for (const auto& [unit, scale] : {std::pair<std::string_view, double>{"KB", 1e3},
                                      {"MB", 1e6},
                                      {"GB", 1e9},
                                      {"KiB", 1024},
                                      {"MiB", 1048576},
                                      {"GiB", 1073741824}}) {
      if (fields_[1] == unit) array_ = *to_figure(fields_[0]) * scale * byte;
    }
  }

  void read_row(std::string_view line) {
    split_blanks(line, fields_);
    if (fields_.size() != 5) return;
    add(fields_[0], fields_[1], fields_[2], fields_[4], array_);
  }

  // function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime
  void read_csv(std::string_view line) {
    split_at(line, ',', fields_);
    if (fields_.size() != 8) return;
    const auto times = to_count(fields_[1]), elements = to_count(fields_[2]), size = to_count(fields_[3]);
    if (!times || !elements || !size) return;
    run_.iterations = *times;
    add(fields_[0], fields_[4], fields_[5], fields_[7],
        static_cast<double>(*elements) * static_cast<double>(*size) * byte);
  }

  void add(std::string_view name, std::string_view rate_text, std::string_view best_text, std::string_view mean_text,
           Bytes array) {
    const Kernel* const kernel = kernel_of(name);
    const auto rate = to_figure(rate_text), best = to_figure(best_text), mean = to_figure(mean_text);
    if (kernel == nullptr || !rate || !best || !mean || run_.memory.size() >= Limits::samples) return;
    MemorySample sample{.kernel = std::string(name),
                        .traffic = array * kernel->arrays,
                        .bandwidth = *rate * (mebibytes_ ? mebibyte : 1e6 * byte) / second,
                        .time = *best * second,
                        .mean_time = *mean * second,
                        .statistic = Statistic::best,
                        .line = lines_.number()};
    // Array size and times are printed with three to four digits.
    const Bytes moved = sample.bandwidth * *sample.time;
    if (array > Bytes{} && std::abs(moved.in(byte)-sample.traffic.in(byte)) > 0.02 * sample.traffic.in(byte)) {
      run_.refuse(RefusalReason::inconsistent,
                  fmt::format("{} at {} MB/s in {} s does not move its arrays", name, rate_text, best_text),
                  lines_.number());
    }
    run_.memory.push_back(std::move(sample));
    ++run_.rows;
  }

  void start(std::string_view layout) {
    run_.tool = "babelstream";
    run_.operation = "stream";
    run_.layout = layout;
    run_.first_line = lines_.number();
  }

  void finish() {
    if (run_.first_line > 0 && runs_.size() < Limits::runs) {
      if (run_.rows == 0) run_.refuse(RefusalReason::no_rows, "the table has no rows", run_.first_line);
      if (run_.iterations < few) {
        run_.refuse(RefusalReason::best_of_few,
                    fmt::format("the best of {} repetitions; at least {} are needed", run_.iterations, few),
                    run_.first_line);
      }
      run_.remarks.push_back(
          {"the rate is that of the fastest repetition; the mean time stands beside it", run_.first_line});
      runs_.push_back(std::move(run_));
    }
    run_ = {};
    array_ = {};
    mebibytes_ = false;
  }

  Lines lines_;
  Fields fields_;
  Runs runs_;
  ImportedRun run_;
  Bytes array_;
  bool mebibytes_ = false;
};

}  // namespace

const Importer babelstream{"babelstream", "memory bandwidth as BabelStream and GPU-STREAM print it",
                           [](std::string_view text) {
                             return contains(text, "BabelStream\n") || contains(text, "BabelStream\r") ||
                                    contains(text, "GPU-STREAM") || contains(text, "function,num_times,n_elements");
                           },
                           [](std::string_view text) { return BabelStreamReader(text).read(); }};

}  // namespace railyard::import_detail
