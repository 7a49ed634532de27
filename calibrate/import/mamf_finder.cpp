// SPDX-License-Identifier: Apache-2.0
// mamf-finder.py: shapes with "(mean)", "(median)" and "(max)" figures and the steady rate of 2026 (MSMF) are samples;
// a lone best outcome of a search is a maximum and no evidence.
#include <fmt/format.h>

#include <utility>

#include "calibrate/import/importer.h"
#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

// The shape after "@": "821.0TFLOPS @ 11264x19712x1536 (MxNxK)".
std::optional<Shape> shape_after_at(std::string_view line) {
  const auto rest = rest_after(line, "@");
  if (!rest) return {};
  std::size_t end = 0;
  while (end < rest->size() && ((*rest)[end] == 'x' || ((*rest)[end] >= '0' && (*rest)[end] <= '9'))) ++end;
  return to_shape(rest->substr(0, end));
}

// The number that ends right before `mark`, blanks between allowed.
std::optional<double> number_before(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view head = trim(line.substr(0, at));
  std::size_t start = head.size();
  while (start > 0 && (head[start - 1] == '.' || (head[start - 1] >= '0' && head[start - 1] <= '9'))) --start;
  return to_figure(head.substr(start));
}

class MamfReader {
 public:
  explicit MamfReader(std::string_view text) : lines_(text) {
    run_.tool = "mamf-finder";
    run_.operation = "gemm";
  }

  Runs read() {
    while (lines_.next()) read_line(lines_.text());
    if (best_ && run_.gemms.empty()) {
      run_.gemms.push_back(std::move(*best_));
      run_.rows = 1;
      run_.refuse(RefusalReason::best_of_few,
                  fmt::format("a single best outcome{}, not the median of a shape",
                              tried_ > 0 ? fmt::format(" of {} shapes", tried_) : ""),
                  run_.gemms[0].line);
    }
    if (run_.rows == 0) run_.refuse(RefusalReason::no_rows, "no outcome: the search was cut short", run_.first_line);
    for (GemmSample& sample : run_.gemms) sample.type = type_;
    if (type_.empty()) run_.refuse(RefusalReason::type_unknown, "the type is not printed", run_.first_line);
    return {std::move(run_)};
  }

 private:
  void read_line(std::string_view line) {
    if (run_.first_line == 0 && !line.empty()) run_.first_line = lines_.number();
    if (const auto type = rest_after(line, "Dtype: ")) {
      type_ = type->starts_with("torch.") ? type->substr(6) : *type;
    } else if (const auto name = rest_after(line, "name='")) {
      run_.gpu = name->substr(0, name->find('\''));
    } else if (line.starts_with("torch=")) {
      run_.software = line;
    } else if (contains(line, "(median)") && contains(line, "(max)") && contains(line, "@")) {
      // " 19 | 681.1(mean)  690.7(median)  724.8(max) @ 1024x5120x2048 | best: ..."
      add(number_before(line, "(median)"), shape_after_at(line), Statistic::median);
    } else if (line.starts_with("median:") && contains(line, "TFLOPS")) {
      add(number_before(line, "TFLOPS"), shape_after_at(line), Statistic::median);
    } else if (line.starts_with("MSMF (max") && contains(line, "TFLOPS")) {
      // "MSMF (max sustainable, saturated): 691.2 TFLOPS @ 4096x8192x8192": steady over a window under full load.
      add(number_before(line, "TFLOPS"), shape_after_at(line), Statistic::mean);
    } else if (contains(line, "best outcome was ")) {
      tried_ = count_after(line, "tried ").value_or(0);
      const auto rate = number_before(line, "TFLOPS");
      const auto shape = shape_after_at(line);
      if (rate && shape) best_ = sample(*rate, *shape, Statistic::best);
    }
  }

  GemmSample sample(double rate, const Shape& shape, Statistic statistic) const {
    return {.m = shape.m,
            .n = shape.n,
            .k = shape.k,
            .rate = rate * teraflop_per_second,
            .statistic = statistic,
            .line = lines_.number()};
  }

  void add(std::optional<double> rate, std::optional<Shape> shape, Statistic statistic) {
    if (!rate || !shape || run_.gemms.size() >= Limits::samples) return;
    run_.gemms.push_back(sample(*rate, *shape, statistic));
    ++run_.rows;
  }

  Lines lines_;
  ImportedRun run_;
  std::optional<GemmSample> best_;
  std::string type_;
  std::int64_t tried_ = 0;
};

}  // namespace

const Importer mamf_finder{"mamf-finder", "GEMM rates as mamf-finder.py prints them",
                           [](std::string_view text) {
                             return contains(text, "mamf-finder.py") || contains(text, "TFLOPS @ ") ||
                                    contains(text, "(MxNxK)") || contains(text, "(max) @ ");
                           },
                           [](std::string_view text) { return MamfReader(text).read(); }};

}  // namespace railyard::import_detail
