// SPDX-License-Identifier: Apache-2.0
// What people write down from Triton's and PyTorch's do_bench: JSON with a list of records. A record with m, n and k is
// a GEMM, one with a size and a rate or time is a memory kernel; the time is ms, us, or do_bench's quantiles in ms.
// Attention and collectives become runs of their own (do_bench_groups.h).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "calibrate/import/do_bench_groups.h"
#include "calibrate/import/gemm_csv.h"
#include "calibrate/import/importer.h"
#include "calibrate/import/json_text.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

std::optional<std::int64_t> count_of(const Json& record, std::string_view lower, std::string_view upper) {
  const auto count = record.count(lower);
  return count ? count : record.count(upper);
}

// Arrays of the stated size that a kernel reads and writes, so that its traffic is known; 0 for unknown kernels.
double arrays_touched(std::string_view kernel) {
  if (kernel == "read" || kernel == "write" || kernel == "fill") return 1;
  if (kernel == "copy" || kernel == "mul" || kernel == "scale" || kernel == "dot") return 2;
  return kernel == "add" || kernel == "triad" ? 3 : 0;
}

struct Timed {
  std::optional<Seconds> time;
  bool quantiles = false;
};

Timed time_of(const Json& record) {
  if (const auto microseconds = record.number("us")) return {*microseconds * microsecond};
  const Json* const milliseconds = record.find("ms");
  if (milliseconds == nullptr) return {};
  if (const auto value = milliseconds->number()) return {*value * millisecond};
  // do_bench(quantiles=[0.5, 0.2, 0.8]) gives the median first.
  if (milliseconds->items.empty() || !milliseconds->items[0].number()) return {};
  return {*milliseconds->items[0].number() * millisecond, true};
}

const Json* records_of(const Json& root) {
  if (root.kind == Json::Kind::array) return &root;
  for (const std::string_view name : {"rows", "results", "data", "benchmarks"}) {
    const Json* const list = root.find(name);
    if (list != nullptr && list->kind == Json::Kind::array) return list;
  }
  return nullptr;
}

class DoBenchReader {
 public:
  explicit DoBenchReader(const JsonText& json) : json_(json) {
    run_.tool = "do-bench-json";
    run_.first_line = json.root.line;
    if (const Json* const meta = json.root.find("meta")) {
      run_.gpu = meta->string("device");
      run_.software = meta->string("software");
      run_.date = meta->string("date");
    }
    // The harness says what it kept; do_bench alone gives the mean.
    if (contains(run_.software, "median")) statistic_ = Statistic::median;
    if (contains(run_.software, "mean")) statistic_ = Statistic::mean;
  }

  Runs read() {
    DoBenchGroups groups(statistic_);
    std::size_t samples = 0;
    for (const Json& record : records_of(json_.root)->items) {
      if (++samples > Limits::samples) break;
      if (other_conditions(record)) {
        ++unlike_;
      } else if (!groups.read(record) && !read_gemm(record) && !read_memory(record)) {
        ++skipped_;
      }
    }
    Runs runs = groups.runs(run_);
    if (!runs.empty() && run_.gemms.empty() && run_.memory.empty()) {
      tell_skipped(runs.front());
      return runs;
    }
    run_.rows = static_cast<int>(run_.gemms.size() + run_.memory.size());
    run_.operation = run_.gemms.empty() ? "memory" : "gemm";
    if (run_.rows == 0)
      run_.refuse(RefusalReason::no_rows, "no record holds a GEMM or a memory kernel", run_.first_line);
    for (const GemmSample& sample : run_.gemms) {
      if (sample.type.empty())
        run_.refuse(RefusalReason::type_unknown, "the type of the operands is missing", sample.line);
    }
    tell_skipped(run_);
    runs.insert(runs.begin(), std::move(run_));
    return runs;
  }

 private:
  void tell_skipped(ImportedRun& run) const {
    if (skipped_ > 0) {
      run.remarks.push_back({fmt::format("{} records of other kinds are left out", skipped_), run.first_line});
    }
    if (unlike_ > 0) {
      run.remarks.push_back(
          {fmt::format("{} records of other inputs or a warm cache are left out", unlike_), run.first_line});
    }
    if (!json_.complete) run.remarks.push_back({"the JSON is cut short or damaged", run.first_line});
  }

  // Data that are easy on power, or a cache that was not flushed: other speeds than ordinary ones.
  static bool other_conditions(const Json& record) {
    const std::string inputs = record.string("dist");
    const Json* const flush = record.find("flush");
    return (!inputs.empty() && inputs != "normal") || (flush != nullptr && flush->text == "false");
  }

  bool read_gemm(const Json& record) {
    const auto m = count_of(record, "m", "M"), n = count_of(record, "n", "N"), k = count_of(record, "k", "K");
    if (!m || !n || !k || *m == 0 || *n == 0 || *k == 0) return false;
    const Timed timed = time_of(record);
    const auto printed = record.number("tflops");
    if ((!timed.time && !printed) || (timed.time && *timed.time <= Seconds{}) || printed.value_or(0) < 0) return false;
    GemmSample sample{.m = *m,
                      .n = *n,
                      .k = *k,
                      .batch = std::max<std::int64_t>(1, record.count("batch").value_or(1)),
                      .type = record.string("dtype"),
                      .time = timed.time,
                      .statistic = timed.quantiles ? Statistic::median : statistic_,
                      .line = record.line};
    const Flops flops = 2.0 * static_cast<double>(*m) * static_cast<double>(*n) * static_cast<double>(*k) *
                        static_cast<double>(sample.batch) * flop;
    sample.rate = printed ? *printed * teraflop_per_second : flops / *timed.time;
    if (printed && timed.time) {
      const double expected = (flops / *timed.time).in(teraflop_per_second);
      if (*printed < expected * (1 - do_bench_slack) || *printed > expected * (1 + do_bench_slack)) {
        run_.refuse(
            RefusalReason::inconsistent,
            fmt::format("{} x {} x {} in that time are {:.1f} TFLOP/s, not {:.1f}", *m, *n, *k, expected, *printed),
            record.line);
      }
    }
    run_.gemms.push_back(std::move(sample));
    return true;
  }

  // {"mib": 64, "copy_GBps": 3000} or {"kernel": "copy", "bytes": 1024, "us": 3}
  bool read_memory(const Json& record) {
    constexpr std::string_view rate_suffix = "_GBps";
    bool found = false;
    if (const auto mebibytes = record.number("mib")) {
      for (const auto& [name, value] : record.members) {
        if (!name.ends_with(rate_suffix) || !value.number() || *value.number() <= 0) continue;
        const std::string kernel = name.substr(0, name.size() - rate_suffix.size());
        run_.memory.push_back({.kernel = kernel,
                               .traffic = arrays_touched(kernel) * *mebibytes * mebibyte,
                               .bandwidth = *value.number() * gigabyte_per_second,
                               .statistic = statistic_,
                               .line = record.line});
        found = true;
      }
      return found;
    }
    const auto bytes = record.number("bytes");
    const Timed timed = time_of(record);
    const std::string kernel = record.string("kernel");
    if (!bytes || *bytes <= 0 || !timed.time || *timed.time <= Seconds{} || kernel.empty()) return false;
    run_.memory.push_back({.kernel = kernel,
                           .traffic = *bytes * byte,
                           .bandwidth = *bytes * byte / *timed.time,
                           .time = timed.time,
                           .statistic = timed.quantiles ? Statistic::median : statistic_,
                           .line = record.line});
    return true;
  }

  const JsonText& json_;
  ImportedRun run_;
  Statistic statistic_ = Statistic::unknown;
  std::int64_t skipped_ = 0, unlike_ = 0;
};

bool is_do_bench(std::string_view text) {
  const bool gemm = (contains(text, "\"k\"") || contains(text, "\"K\"")) &&
                    (contains(text, "\"ms\"") || contains(text, "\"us\"") || contains(text, "\"tflops\""));
  const bool memory = contains(text, "_GBps\"") || (contains(text, "\"kernel\"") && contains(text, "\"bytes\""));
  if (!gemm && !memory && !DoBenchGroups::recognises(text)) return false;
  const std::optional<JsonText> json = find_json(text);
  return json && records_of(json->root) != nullptr;
}

Runs read_do_bench(std::string_view text) {
  const std::optional<JsonText> json = find_json(text);
  return json && records_of(json->root) != nullptr ? DoBenchReader(*json).read() : Runs{};
}

}  // namespace

const Importer do_bench_json{"do-bench-json", "records of Triton's and PyTorch's do_bench, written down as JSON",
                             is_do_bench, read_do_bench};

}  // namespace railyard::import_detail
