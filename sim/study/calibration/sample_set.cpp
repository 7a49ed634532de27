// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/sample_set.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

namespace railyard {
namespace {

std::string precision_name(std::string_view written) {
  const std::string type = lower_case(written);
  const auto has = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  if (has("bf16") || has("bfloat16")) return "bf16";
  if (has("f8") || has("fp8") || has("float8") || has("e4m3") || has("e5m2")) return "fp8";
  if (has("f16") || has("fp16") || has("float16") || has("half")) return "fp16";
  return type;
}

std::string bytes_label(Bytes size) { return fmt::format("{:.0f} B", size.in(byte)); }

/// Whole bytes; 0, not printed, for more than any memory holds.
std::int64_t whole_bytes(Bytes size) {
  const double bytes = size.in(byte);
  return bytes >= 1 && bytes < 1e18 ? static_cast<std::int64_t>(bytes) : 0;
}

/// Series of one run by operation, in the order of their names.
class Collector {
 public:
  Collector(const ImportedFile& file, const ImportedRun& run) : run_(run) {
    common_ = {.ranks = run.ranks,
               .nodes = run.nodes,
               .file = file.name,
               .tool = run.tool,
               .version = run.version,
               .software = run.software,
               .gpu = run.gpu,
               .date = run.date};
  }

  std::vector<MeasuredSeries> series() {
    read_products();
    read_attention();
    read_memory();
    read_collectives();
    read_links();
    std::vector<MeasuredSeries> result;
    for (auto& [key, series] : by_key_) result.push_back(std::move(series));
    return result;
  }

 private:
  void add(Measure measure, const std::string& operation, Statistic statistic, const std::string& gpu,
           MeasuredPoint point) {
    if (!(point.rate > 0) || !std::isfinite(point.rate)) return;
    MeasuredSeries& series = by_key_[operation + '\n' + gpu];
    if (series.points.empty()) {
      series = common_;
      series.measure = measure;
      series.operation = operation;
      if (!gpu.empty()) series.gpu = gpu;
      series.statistic = to_string(statistic);
    }
    series.points.push_back(std::move(point));
  }

  void read_products() {
    for (const GemmSample& sample : run_.gemms) {
      const GemmShape shape{sample.m, sample.n, sample.k, sample.batch};
      std::string label = fmt::format("{} x {} x {}", shape.m, shape.n, shape.k);
      if (shape.batch > 1) label += fmt::format(" x {}", shape.batch);
      add(Measure::gemm, "gemm " + precision_name(sample.type), sample.statistic, sample.gpu,
          {label, shape, 0, sample.rate.in(flop / second)});
    }
  }

  void read_attention() {
    // " CUDNN_ATTENTION", blank and all
    const std::string backend = run_.operation.starts_with("attention ") ? run_.operation.substr(9) : "";
    for (const AttentionSample& sample : run_.attention) {
      for (const auto& [direction, rate] :
           {std::pair{"forward", sample.forward}, std::pair{"backward", sample.backward}}) {
        if (!rate) continue;
        const std::string name =
            fmt::format("attention {} d{}{}{}", direction, sample.head_dim, sample.causal ? " causal" : "", backend);
        add(Measure::attention, name, sample.statistic, {},
            {std::to_string(sample.sequence), {}, sample.sequence, rate->in(flop / second)});
      }
    }
  }

  void read_memory() {
    for (const MemorySample& sample : run_.memory) {
      Bandwidth rate = sample.bandwidth;
      Statistic statistic = sample.statistic;
      if (sample.mean_time && *sample.mean_time > Seconds{} && sample.traffic > Bytes{}) {  // rather than the best one
        rate = sample.traffic / *sample.mean_time;
        statistic = Statistic::mean;
      }
      const bool sized = sample.traffic > Bytes{};
      add(Measure::memory, "memory " + sample.kernel, statistic, {},
          {sized ? bytes_label(sample.traffic) : "large", {}, whole_bytes(sample.traffic), rate.in(byte / second)});
    }
  }

  void read_collectives() {
    const std::string name = run_.collective ? std::string(to_string(*run_.collective)) : run_.operation;
    for (const CollectiveSample& sample : run_.collectives) {
      if (whole_bytes(sample.size) == 0) continue;
      add(Measure::collective, name, Statistic::mean, {},
          {bytes_label(sample.size), {}, whole_bytes(sample.size), sample.bus_bandwidth.in(byte / second)});
    }
  }

  void read_links() {
    for (const LinkSample& sample : run_.links) {
      if (!sample.bandwidth) continue;
      std::string label = sample.to.empty() ? sample.from : sample.from + " > " + sample.to;
      if (sample.size) label += (label.empty() ? "" : ", ") + bytes_label(*sample.size);
      if (label.empty()) label = sample.kind;
      add(Measure::link, "link " + run_.operation, sample.statistic, {},
          {label, {}, sample.size ? whole_bytes(*sample.size) : 0, sample.bandwidth->in(byte / second)});
    }
  }

  const ImportedRun& run_;
  MeasuredSeries common_;
  std::map<std::string, MeasuredSeries> by_key_;
};

Measure measure_of(std::string_view operation) {
  if (operation.starts_with("gemm ")) return Measure::gemm;
  if (operation.starts_with("attention ")) return Measure::attention;
  if (operation.starts_with("memory ")) return Measure::memory;
  return operation.starts_with("link ") ? Measure::link : Measure::collective;
}

bool counts_flops(Measure measure) { return measure == Measure::gemm || measure == Measure::attention; }

/// "4096 x 4096 x 8192" or with a batch; false when it is none.
bool read_shape(std::string_view label, GemmShape& shape) {
  std::array<std::int64_t*, 4> sizes{&shape.m, &shape.n, &shape.k, &shape.batch};
  std::size_t count = 0;
  while (true) {
    const std::size_t end = label.find(" x ");
    const QuantityText number = parse_number(label.substr(0, end));
    if (count == sizes.size() || !number.ok() || number.base < 1 || number.base > 1e12) return false;
    *sizes[count++] = static_cast<std::int64_t>(number.base);
    if (end == std::string_view::npos) return count >= 3;
    label.remove_prefix(end + 3);
  }
}

/// "33554432 B 437.9 GB/s": the size, then the rate with its unit.
std::optional<MeasuredPoint> read_point(std::string_view text, Measure measure) {
  const std::size_t unit = text.find_last_of(' ');
  if (unit == std::string_view::npos || unit == 0) return {};
  const std::size_t value = text.find_last_of(' ', unit - 1);
  if (value == std::string_view::npos) return {};
  const UnitKind& kind = counts_flops(measure) ? static_cast<const UnitKind&>(units::flop_rate) : units::bandwidth;
  const QuantityText rate = parse_quantity(text.substr(value + 1), kind);
  MeasuredPoint point{.label = std::string(text.substr(0, value)), .rate = rate.base};
  if (!rate.ok() || !(point.rate > 0) || point.label.empty()) return {};
  if (measure == Measure::gemm) return read_shape(point.label, point.shape) ? std::optional(point) : std::nullopt;
  const std::size_t blank = point.label.find_last_of(' ');
  std::string_view size = point.label;
  if (measure != Measure::attention) {
    size = size.ends_with(" B") ? size.substr(0, blank) : "0";
    size = size.substr(size.find_last_of(' ') + 1);
  }
  const QuantityText number = parse_number(size);
  if (!number.ok() || number.base < 0 || number.base > 1e18) return {};
  const bool sized = measure == Measure::attention || measure == Measure::collective;
  if (sized && number.base < 1) return {};
  point.size = static_cast<std::int64_t>(number.base);
  return point;
}

MeasuredSeries read_series(YamlMap map) {
  MeasuredSeries series;
  series.operation = map.text("operation");
  series.measure = measure_of(series.operation);
  series.ranks = map.integer("ranks", 0, 10'000'000, 0);
  series.nodes = map.integer("nodes", 0, 10'000'000, 0);
  for (const auto& [key, text] :
       {std::pair{"file", &series.file}, std::pair{"tool", &series.tool}, std::pair{"version", &series.version},
        std::pair{"software", &series.software}, std::pair{"gpu", &series.gpu}, std::pair{"date", &series.date},
        std::pair{"statistic", &series.statistic}}) {
    *text = map.text(key, "");
  }
  if (series.collective() && series.ranks == 1) map.fail("ranks", "one rank is no collective", "expected 2 or more");
  const std::vector<std::string> points = map.texts("points");
  if (points.empty()) map.fail("points", "no samples", "expected a size and a rate each, or leave the series out");
  for (const std::string& text : points) {
    if (const std::optional<MeasuredPoint> point = read_point(text, series.measure)) {
      series.points.push_back(*point);
    } else {
      map.fail("points", fmt::format("'{}' is no sample of {}", text, series.operation),
               counts_flops(series.measure) ? "expected a size and a rate, as '8192 x 8192 x 8192 720 TFLOP/s'"
                                            : "expected a size and a rate, as '33554432 B 437.9 GB/s'");
    }
  }
  map.finish();
  return series;
}

/// Of one operation, tool and GPU, and the same to the last digit.
bool same_figures(const MeasuredSeries& a, const MeasuredSeries& b) {
  const auto same = [](const MeasuredPoint& one, const MeasuredPoint& other) {
    return one.label == other.label && one.rate == other.rate;
  };
  return a.title() == b.title() && a.tool == b.tool && a.gpu == b.gpu && a.points.size() == b.points.size() &&
         std::equal(a.points.begin(), a.points.end(), b.points.begin(), same);
}

}  // namespace

std::vector<std::string> drop_copies(SampleSet& set) {
  constexpr std::size_t fewest_telling = 4;  // fewer rates may repeat by chance
  std::vector<std::string> dropped;
  std::vector<MeasuredSeries> kept;
  for (MeasuredSeries& series : set.series) {
    const auto first = std::find_if(kept.begin(), kept.end(),
                                    [&](const MeasuredSeries& other) { return same_figures(series, other); });
    if (first != kept.end() && series.points.size() >= fewest_telling) {
      dropped.push_back(fmt::format("{} of {} stands in {} to the last digit", series.title(), series.file,
                                    series.file == first->file ? "it already" : first->file));
    } else {
      kept.push_back(std::move(series));
    }
  }
  set.series = std::move(kept);
  return dropped;
}

std::optional<Precision> MeasuredSeries::precision() const {
  for (const Precision each : all_precisions) {
    if (operation == "gemm " + std::string(to_string(each))) return each;
  }
  return {};
}

std::optional<Collective> MeasuredSeries::collective() const {
  for (const Collective each : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                Collective::all_to_all, Collective::broadcast, Collective::send_receive}) {
    if (operation == to_string(each)) return each;
  }
  return {};
}

int MeasuredSeries::head_dim() const {
  const std::size_t at = operation.find(" d");
  if (measure != Measure::attention || at == std::string::npos) return 0;
  const QuantityText number = parse_number(operation.substr(at + 2, operation.find(' ', at + 2) - at - 2));
  return number.ok() && number.base >= 1 && number.base <= 1024 ? static_cast<int>(number.base) : 0;
}

std::string MeasuredSeries::title() const {
  std::string text = operation;
  if (measure == Measure::collective && ranks > 0) text += fmt::format(", {} ranks", ranks);
  if (measure == Measure::collective && nodes > 0) text += fmt::format(", {} node{}", nodes, nodes == 1 ? "" : "s");
  return text;
}

Seconds MeasuredSeries::time(const MeasuredPoint& point) const {
  if (measure == Measure::gemm) {
    const GemmShape& shape = point.shape;
    return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) *
           static_cast<double>(shape.batch) / point.rate * second;
  }
  const std::optional<Collective> known = collective();
  const double factor = known && ranks > 0 ? bus_bandwidth_factor(*known, static_cast<int>(ranks)) : 1;
  return factor * static_cast<double>(point.size) / point.rate * second;
}

SampleSet sample_set(std::string name, std::span<const ImportedFile> files) {
  SampleSet set{.name = std::move(name)};
  for (const ImportedFile& file : files) {
    for (const ImportedRun& run : file.runs) {
      if (!run.accepted()) continue;
      for (MeasuredSeries& series : Collector(file, run).series()) set.series.push_back(std::move(series));
    }
  }
  return set;
}

std::string yaml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return quoted + '"';
}

std::string samples_yaml(const SampleSet& set) {
  std::string text = "# SPDX-License-Identifier: Apache-2.0\n# Format: calibrate/FORMAT.md, \"Samples\".\n";
  text += "samples: " + yaml_text(set.name) + "\n";
  if (!set.like.empty()) text += "like: " + yaml_text(set.like) + "\n";
  text += "series:\n";
  for (const MeasuredSeries& series : set.series) {
    text += "  - operation: " + yaml_text(series.operation) + "\n";
    if (series.ranks > 0) text += fmt::format("    ranks: {}\n", series.ranks);
    if (series.nodes > 0) text += fmt::format("    nodes: {}\n", series.nodes);
    for (const auto& [key, value] :
         {std::pair{"file", &series.file}, std::pair{"tool", &series.tool}, std::pair{"version", &series.version},
          std::pair{"software", &series.software}, std::pair{"gpu", &series.gpu}, std::pair{"date", &series.date},
          std::pair{"statistic", &series.statistic}}) {
      if (!value->empty()) text += fmt::format("    {}: {}\n", key, yaml_text(*value));
    }
    text += "    points:\n";
    const bool flops = counts_flops(series.measure);
    for (const MeasuredPoint& point : series.points) {
      const std::string line =
          fmt::format("{} {:.6g} {}", point.label, point.rate * (flops ? 1e-12 : 1e-9), flops ? "TFLOP/s" : "GB/s");
      text += "      - " + yaml_text(line) + "\n";
    }
  }
  return text;
}

SampleSet read_samples(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  SampleSet set{.name = root.text("samples"), .like = root.text("like", "")};
  for (YamlMap& map : root.maps("series")) set.series.push_back(read_series(std::move(map)));
  root.finish();
  diagnostics.throw_if_any();
  return set;
}

}  // namespace railyard
