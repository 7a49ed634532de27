// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/sample_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace railyard {
namespace {

using SeriesList = std::vector<const MeasuredSeries*>;

std::size_t count_points(const SeriesList& list) {
  std::size_t count = 0;
  for (const MeasuredSeries* series : list) count += series->points.size();
  return count;
}

FittedLaw fit_memory(const std::string& operation, const SeriesList& list) {
  std::vector<fit::CurveSample> samples;
  for (const MeasuredSeries* series : list) {
    for (const MeasuredPoint& point : series->points) {
      // A rate without a size is that of a large kernel: 1 GB keeps its start out of sight.
      const double bytes = point.size > 0 ? static_cast<double>(point.size) : 1e9;
      samples.push_back({bytes, bytes / point.rate});
    }
  }
  const bool reads_more = operation == "memory read" || operation == "memory add" || operation == "memory triad";
  const fit::CacheCleaning cleaning = reads_more ? fit::CacheCleaning::possible : fit::CacheCleaning::none;
  return {.operation = operation,
          .measure = Measure::memory,
          .report = fit::report_curve(operation, samples, cleaning),
          .series = list,
          .memory = fit::fit_curve(samples, cleaning)};
}

FittedLaw fit_attention(const std::string& operation, const SeriesList& list) {
  std::vector<fit::AttentionSample> samples;
  for (const MeasuredSeries* series : list) {
    for (const MeasuredPoint& point : series->points) samples.push_back({point.size, point.rate});
  }
  return {.operation = operation,
          .measure = Measure::attention,
          .report = fit::report_attention(operation, samples),
          .series = list,
          .attention = fit::fit_attention(samples)};
}

/// Where collectives ran. Those around a ring share a law; exchanges between pairs have one each.
struct FabricKey {
  int nodes = 0, node_size = 0;
  std::string pairs;  // all_to_all or send_receive; empty: a ring
  auto operator<=>(const FabricKey&) const = default;
};

std::string fabric_name(const FabricKey& key) {
  std::string text = key.pairs.empty() ? "collectives" : key.pairs;
  if (key.nodes == 1) return text + ", 1 node";
  if (key.nodes == 0) return text + fmt::format(", {} ranks on unknown nodes", key.node_size);
  return text + fmt::format(", nodes of {} rank{}", key.node_size, key.node_size == 1 ? "" : "s");
}

FittedLaw fit_collectives(const std::string& operation, const FabricKey& key, const SeriesList& list) {
  std::vector<fit::CollectiveSample> samples;
  for (const MeasuredSeries* series : list) {
    for (const MeasuredPoint& point : series->points) {
      samples.push_back({*series->collective(), static_cast<int>(series->ranks), static_cast<double>(point.size),
                         series->time(point).in(second)});
    }
  }
  return {.operation = operation,
          .measure = Measure::collective,
          .report = fit::report_collective(operation, samples),
          .series = list,
          .collective = fit::fit_collective(samples),
          .nodes = key.nodes,
          .node_size = key.node_size};
}

double fastest(const SeriesList& list, bool reduces_all) {
  double rate = 0;
  for (const MeasuredSeries* series : list) {
    if ((series->collective() == Collective::all_reduce) != reduces_all) continue;
    for (const MeasuredPoint& point : series->points) rate = std::max(rate, point.rate);
  }
  return rate;
}

/// A switch that reduces makes all-reduce, and it alone, faster than a ring can be: it is then a law of its own.
void add_collectives(SampleFit& result, const FabricKey& key, const SeriesList& list) {
  const double all_reduce = fastest(list, true), others = fastest(list, false);
  if (!key.pairs.empty() || others <= 0 || all_reduce <= 1.1 * others) {
    result.laws.push_back(fit_collectives(fabric_name(key), key, list));
    return;
  }
  SeriesList reducing, moving;
  for (const MeasuredSeries* series : list) {
    (series->collective() == Collective::all_reduce ? reducing : moving).push_back(series);
  }
  result.laws.push_back(fit_collectives(fabric_name(key), key, moving));
  FittedLaw apart = fit_collectives("all_reduce in the switch" + fabric_name(key).substr(11), key, reducing);
  apart.nodes = 0;  // no ring: not for a profile
  result.laws.push_back(std::move(apart));
}

/// The vendors' own benchmarks start one product after another from the host and divide the time by their number.
bool launches_in_loop(const MeasuredSeries& series) {
  constexpr std::array<std::string_view, 2> tools = {"hipblaslt-bench", "rocblas-bench"};
  return std::any_of(tools.begin(), tools.end(), [&](std::string_view tool) { return series.tool.starts_with(tool); });
}

fit::GemmSeries gemm_series(Precision precision, const SeriesList& list, const Profile& like, double memory) {
  fit::GemmSeries result{.name = "gemm " + std::string(to_string(precision)),
                         .operand_bytes = element_size(precision).in(byte),
                         .compute_units = static_cast<double>(like.compute_units),
                         .memory_bytes_per_s = memory,
                         .dies = static_cast<double>(like.compute_dies)};
  if (like.last_level_cache) result.cache_bytes = like.last_level_cache->value.typical.in(byte);
  result.in_loop = std::all_of(list.begin(), list.end(), [](const auto* series) { return launches_in_loop(*series); });
  for (const MeasuredSeries* series : list) {
    for (const MeasuredPoint& point : series->points) {
      result.samples.push_back({point.shape, series->time(point).in(second)});
    }
  }
  return result;
}

std::size_t count_shapes(const fit::GemmSeries& series) {
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> shapes;
  for (const fit::GemmSample& sample : series.samples) shapes.insert({sample.shape.m, sample.shape.n, sample.shape.k});
  return shapes.size();
}

void add_products(SampleFit& result, Precision precision, const SeriesList& list, const Profile& like, double memory) {
  const std::string operation = list.front()->operation;
  const fit::GemmSeries series = gemm_series(precision, list, like, memory);
  FittedLaw law{.operation = operation, .measure = Measure::gemm, .series = list};
  if (count_shapes(series) >= fewest_for_shape) {
    law.report = fit::report_gemm(std::span(&series, 1)).front();
    law.gemm = fit::fit_gemm(std::span(&series, 1)).front();
    law.shape_fitted = true;
  } else if (std::optional<GemmLaw> shape = gemm_law(like, precision, Speed::typical)) {
    shape->memory_bytes_per_s = memory;
    law.report = fit::report_gemm_speed(*shape, series);
    law.gemm = fit::fit_gemm_speed(*shape, series);
  } else {
    result.left_out.push_back(fmt::format("{}: {} shapes are too few for the whole law, and '{}' has no {}", operation,
                                          count_shapes(series), like.id, to_string(precision)));
    return;
  }
  law.report.subject = operation;
  result.laws.push_back(std::move(law));
}

/// The bandwidth that products meet: of the largest copy measured, else the profile's.
double memory_rate(const SampleFit& fitted, const Profile& like) {
  for (const FittedLaw& law : fitted.laws) {
    if (law.operation == "memory copy") return law.memory->bytes_per_s;
  }
  return like.memory.value.typical.in(byte / second);
}

}  // namespace

SampleFit fit_samples(const SampleSet& set, const Profile* like) {
  std::map<std::string, SeriesList> memory, attention, products;
  std::map<FabricKey, SeriesList> collectives;
  SampleFit result;
  const auto leave_out = [&](const MeasuredSeries& series, std::string_view why) {
    result.left_out.push_back(fmt::format("{}: {}", series.title(), why));
  };
  for (const MeasuredSeries& series : set.series) {
    switch (series.measure) {
      case Measure::memory:
        memory[series.operation].push_back(&series);
        break;
      case Measure::attention:
        attention[series.operation].push_back(&series);
        break;
      case Measure::gemm:
        if (series.precision()) {
          products[series.operation].push_back(&series);
        } else {
          leave_out(series, "no law for operands of this type");
        }
        break;
      case Measure::collective: {
        const std::optional<Collective> known = series.collective();
        if (!known || series.ranks < 2) {
          leave_out(series, known ? "the number of ranks is not known" : "no law for this operation");
          break;
        }
        const bool exchange = known == Collective::all_to_all || known == Collective::send_receive;
        const std::string pairs = exchange ? series.operation : std::string();
        const int ranks = static_cast<int>(series.ranks), nodes = static_cast<int>(series.nodes);
        collectives[{std::min(nodes, 2), nodes == 1 ? 0 : ranks / std::max(nodes, 1), pairs}].push_back(&series);
        break;
      }
      case Measure::link:
        leave_out(series, "links are kept and compared, no law is fitted");
        break;
    }
  }
  for (const auto& [operation, list] : memory) result.laws.push_back(fit_memory(operation, list));
  for (const auto& [operation, list] : attention) result.laws.push_back(fit_attention(operation, list));
  for (const auto& [operation, list] : products) {
    if (like == nullptr) {
      result.left_out.push_back(fmt::format("{}: {} samples need --like PROFILE, which tells the compute units",
                                            operation, count_points(list)));
    } else {
      add_products(result, *list.front()->precision(), list, *like, memory_rate(result, *like));
    }
  }
  for (const auto& [key, list] : collectives) add_collectives(result, key, list);
  return result;
}

}  // namespace railyard
