// SPDX-License-Identifier: Apache-2.0
// perftest: ib_write_bw and its kin, bandwidth and latency. Without --report_gbits "MB/sec" is 2^20 bytes a second.
#include <fmt/format.h>

#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

class PerftestReader {
 public:
  explicit PerftestReader(std::string_view text) : lines_(text) {}

  Runs read() {
    while (lines_.next()) read_line(lines_.text());
    finish();
    return std::move(runs_);
  }

 private:
  void read_line(std::string_view line) {
    const std::string_view bare = trim(line);
    if (bare.ends_with(" BW Test") || bare.ends_with(" Latency Test")) {
      // Server and client may print into one file, line by line.
      if (run_.rows > 0) finish();
      start();
      run_.operation = bare.substr(0, bare.size() - 5);
    } else if (contains(line, "local address:")) {
      remember(local_, line);
    } else if (contains(line, "remote address:")) {
      remember(remote_, line);
    } else if (const auto group = rest_after(line, "GID: ")) {
      // The group id follows the address it belongs to.
      if (last_ != nullptr && !contains(*last_, "GID")) *last_ += " GID " + std::string(*group);
    } else if (contains(line, "#bytes")) {
      read_header(line);
    } else if (unit_ > Bandwidth{} || latency_) {
      read_row(line);
    }
  }

  void remember(std::string& address, std::string_view line) {
    last_ = nullptr;
    const auto id = rest_after(line, "LID ");
    if (!id || !address.empty()) return;
    address = "LID " + std::string(id->substr(0, id->find(' ')));
    last_ = &address;
  }

  void read_header(std::string_view line) {
    if (run_.first_line == 0) start();
    unit_ = contains(line, "BW average[Gb/sec]")   ? gigabit_per_second
            : contains(line, "BW average[MB/sec]") ? mebibyte / second
                                                   : Bandwidth{};
    latency_ = contains(line, "t_typical[usec]") || contains(line, "t_avg[usec]");
    typical_ = contains(line, "t_typical[usec]");
    levels_ = contains(line, "#sl");
    statistic_ = typical_ ? Statistic::median : Statistic::mean;
  }

  void read_row(std::string_view line) {
    split_blanks(line, fields_);
    if (levels_ && fields_.size() > 2) fields_.erase(fields_.begin() + 1);
    if (fields_.size() < 3 || run_.links.size() >= Limits::samples) return;
    const auto size = to_count(fields_[0]), iterations = to_count(fields_[1]);
    // Bandwidth: peak, average. Latency: min, max, typical; or the average alone.
    const std::size_t place = latency_ ? (typical_ ? 4 : 2) : 3;
    if (!size || !iterations || fields_.size() <= place) return;
    const auto value = to_figure(fields_[place]);
    if (!value || *value <= 0) return;
    LinkSample link{.from = "local",
                    .to = "remote",
                    .kind = run_.operation,
                    .size = static_cast<double>(*size) * byte,
                    .statistic = statistic_,
                    .line = lines_.number()};
    if (latency_) {
      link.latency = *value * microsecond;
    } else {
      link.bandwidth = *value * unit_;
    }
    // The other side prints the same row.
    if (!run_.links.empty()) {
      const LinkSample& last = run_.links.back();
      if (last.size == link.size && last.bandwidth == link.bandwidth && last.latency == link.latency) return;
    }
    run_.iterations = *iterations;
    run_.links.push_back(std::move(link));
    ++run_.rows;
  }

  void start() {
    if (run_.first_line == 0) run_.first_line = lines_.number();
  }

  void finish() {
    if (run_.first_line > 0 && runs_.size() < Limits::runs) {
      run_.tool = "perftest";
      if (run_.rows == 0) run_.refuse(RefusalReason::no_rows, "the table has no rows", run_.first_line);
      const bool named = !local_.empty() && (!local_.starts_with("LID 0000") || contains(local_, "GID"));
      if (named && local_ == remote_) {
        run_.refuse(RefusalReason::loopback,
                    fmt::format("both ends are {}: a loopback on one adapter, not a link", local_), run_.first_line);
      }
      if (local_.empty()) run_.remarks.push_back({"no addresses: a loopback cannot be ruled out", run_.first_line});
      runs_.push_back(std::move(run_));
    }
    run_ = {};
    local_.clear();
    remote_.clear();
    last_ = nullptr;
    unit_ = {};
    latency_ = levels_ = false;
  }

  Lines lines_;
  Fields fields_;
  Runs runs_;
  ImportedRun run_;
  std::string local_, remote_;
  std::string* last_ = nullptr;
  Bandwidth unit_;
  Statistic statistic_ = Statistic::mean;
  bool latency_ = false, typical_ = false, levels_ = false;
};

}  // namespace

const Importer perftest{"perftest", "RDMA bandwidth and latency as ib_write_bw, ib_read_lat and their kin print them",
                        [](std::string_view text) {
                          return contains(text, "BW average[") || contains(text, "t_typical[usec]") ||
                                 contains(text, "t_avg[usec]");
                        },
                        [](std::string_view text) { return PerftestReader(text).read(); }};

}  // namespace railyard::import_detail
