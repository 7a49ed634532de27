// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/profile_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "calibrate/fit/profile_text.h"
#include "sim/study/calibration/profile_figures.h"
#include "sim/study/speed.h"

namespace railyard {
namespace {

constexpr double large_size = 64.0 * 1048576;  // bytes that show the bandwidth: starts are a few per cent of their time
constexpr double small_size = 16.0 * 1048576;  // and bytes that show the start
constexpr double small_message = 65536;        // whose time is start and hops
constexpr std::size_t most_nearby = 64;        // more corrections cost time and add little

double largest(const FittedLaw& law, const std::string& name) {
  const auto found = law.report.ranges.find(name);
  return found == law.report.ranges.end() ? 0 : static_cast<double>(found->second.high);
}

/// Both directions of attention at one head dimension.
struct AttentionLaws {
  const FittedLaw *forward = nullptr, *backward = nullptr;
};

/// What of a profile the fits give.
struct Measured {
  std::map<Precision, const FittedLaw*> products;
  std::map<int, AttentionLaws> attention;
  const FittedLaw *memory = nullptr, *ring = nullptr, *network = nullptr;
};

/// Causal before full, then the faster kernel.
bool better(const FittedLaw& a, const FittedLaw* b) {
  if (b == nullptr) return true;
  const auto rank = [](const FittedLaw& law) {
    return std::pair(law.operation.find(" causal") != std::string::npos, law.attention->flop_per_s);
  };
  return rank(a) > rank(*b);
}

void choose_attention(Measured& measured, const SampleFit& fit) {
  for (const FittedLaw& law : fit.laws) {
    if (law.measure != Measure::attention || law.series.front()->head_dim() == 0) continue;
    AttentionLaws& laws = measured.attention[law.series.front()->head_dim()];
    const FittedLaw*& place = law.operation.starts_with("attention forward") ? laws.forward : laws.backward;
    if (better(law, place)) place = &law;
  }
}

const FittedLaw* choose_memory(const SampleFit& fit) {
  for (const std::string_view kernel : {"copy", "triad", "add"}) {
    for (const FittedLaw& law : fit.laws) {
      if (law.operation == "memory " + std::string(kernel) && largest(law, "bytes") >= large_size) return &law;
    }
  }
  return nullptr;
}

std::vector<std::string> unused_laws(const SampleFit& fit, const Measured& measured) {
  std::set<const FittedLaw*> used{measured.memory, measured.ring, measured.network};
  for (const auto& [precision, law] : measured.products) used.insert(law);
  for (const auto& [dim, laws] : measured.attention) used.insert({laws.forward, laws.backward});
  std::vector<std::string> unused;
  for (const FittedLaw& law : fit.laws) {
    if (!used.contains(&law)) unused.push_back(law.operation);
  }
  return unused;
}

Measured choose(const SampleFit& fit, const GpuPart* gpu, bool network) {
  Measured measured;
  choose_attention(measured, fit);
  measured.memory = choose_memory(fit);
  for (const FittedLaw& law : fit.laws) {
    if (law.gemm) measured.products[*law.series.front()->precision()] = &law;
    if (!law.collective || !law.operation.starts_with("collectives") || largest(law, "bytes") < large_size) continue;
    // Where every pair has links of its own, a few GPUs are no ring over the domain.
    const bool whole = gpu == nullptr || gpu->scale_up == ScaleUpKind::switched ||
                       largest(law, "ranks") >= static_cast<double>(gpu->scale_up_gpus);
    if (law.nodes == 1 && whole) measured.ring = &law;
    const bool smaller = measured.network == nullptr || law.node_size < measured.network->node_size;
    if (network && law.nodes == 2 && smaller) measured.network = &law;  // the fewest GPUs a node: no ring inside limits
  }
  return measured;
}

/// True when the samples tell starts and hops: small messages, and several numbers of steps to tell them apart.
bool tells_latency(const FittedLaw& law) {
  if (static_cast<double>(law.report.ranges.at("bytes").low) > small_message) return false;
  std::set<int> steps;
  for (const MeasuredSeries* series : law.series) {
    steps.insert(fit::ring_steps(*series->collective(), static_cast<int>(series->ranks)));
  }
  return steps.size() > 1;
}

class Writer {
 public:
  Writer(const ProfileRequest& request, const SampleSet& set, const Measured& measured, const GpuPart* gpu)
      : request_(request), set_(set), measured_(measured), like_(*request.like), gpu_(gpu), from_like_(like_) {}

  WrittenProfile write() {
    const std::string body = products() + attentions() + kernels() + collectives();
    return {head() + body, keys_, from_like_.keys(), {}};
  }

 private:
  std::string measured_line(std::string_view indent, const std::string& path, const Range<double>& value,
                            const FigureUnit& unit, const std::string& source, const std::string& how) {
    keys_.push_back(path);
    return fmt::format("{}{}, source: {}, derived: {}}}\n", indent,
                       open_figure(path.substr(path.find_last_of('.') + 1), value, unit), source, yaml_text(how));
  }

  std::string head() const {
    std::set<std::string> software;
    std::string date;
    for (const MeasuredSeries& series : set_.series) {
      if (!series.software.empty()) software.insert(series.software);
      date = std::max(date, series.date);
    }
    std::string names;
    for (const std::string& each : software) names += (names.empty() ? "" : "; ") + each;
    std::string text =
        "# SPDX-License-Identifier: Apache-2.0\n"
        "# Format: calibrate/FORMAT.md. Written by `railyard calibrate import`; the samples lie beside it.\n";
    text += fmt::format("profile: {}\ngpu: {}\n", yaml_text(request_.id), yaml_text(like_.gpu));
    text += fmt::format("software: {}\n", yaml_text(names.empty() ? "not told by the logs" : names));
    text += fmt::format("date: {}\n", date.empty() ? "undated" : yaml_text(date));
    text += fmt::format("description: {}\n\nsources:\n{}",
                        yaml_text(fmt::format("Fitted to benchmark logs: {} figures measured, {} as {}", keys_.size(),
                                              from_like_.keys().size(), like_.id)),
                        sources_.lines());
    text += fmt::format("  like: {{title: {}, date: {}}}\n\ncompute_units: {}\n\n",
                        yaml_text("railyard profile " + like_.id), yaml_text(like_.date), like_.compute_units);
    return text;
  }

  std::string products() {
    std::string text = "gemm:\n";
    for (const Precision precision : all_precisions) {
      const auto found = measured_.products.find(precision);
      const auto known = like_.gemm.find(precision);
      const std::string path = "gemm." + std::string(to_string(precision)) + ".";
      if (found == measured_.products.end() && known == like_.gemm.end()) continue;
      text += fmt::format("  {}:\n", to_string(precision));
      if (found == measured_.products.end()) {
        text += from_like_.line("    ", path + "sustained", known->second.sustained) +
                shape_lines(path, known->second) + fit_line(known->second.fit, {"m", "n", "k"}) +
                nearby_lines(known->second.nearby);
      } else if (found->second->shape_fitted) {
        for (const char* key : {"sustained", "k_overhead", "wave_sharing", "tile_edge", "start"})
          keys_.push_back(path + key);
        const FittedLaw& law = *found->second;
        text += fit::gemm_profile_text(*law.gemm, law.report, sources_.add(law), fit::graph_gap_s, false);
      } else {
        text += speed_lines(path, *found->second, known->second);
      }
    }
    return text + "\n";
  }

  /// Few products: their speed, and the shape of the other profile's law.
  std::string speed_lines(const std::string& path, const FittedLaw& law, const GemmParameters& shape) {
    const double value = law.gemm->law.flop_per_s;
    const bool fp8 = path == "gemm.fp8." && gpu_ != nullptr && gpu_->fp8_dense.has_value();
    const double peak = gpu_ == nullptr ? 1e30
                        : fp8           ? gpu_->fp8_dense->value.typical.in(flop / second)
                                        : gpu_->bf16_dense.value.typical.in(flop / second);
    NearbySamples nearby;
    for (const fit::FittedSample& sample : law.report.samples) {
      if (sample.weight > 0 && law.report.samples.size() <= most_nearby)
        nearby.add(sample.shape, sample.measured / sample.predicted);
    }
    FitQuality quality = law.report.quality();
    if (law.report.corrected().samples > 0) quality.left_out_error = law.report.corrected().median;
    return measured_line("    ", path + "sustained",
                         fitted_range(value, error_of(law.report, "FLOP/s", value), std::max(peak, value)),
                         teraflop_unit, sources_.add(law),
                         "speed of the law of " + like_.id + ", " + quality_text(law.report)) +
           shape_lines(path, shape) + fit_line(quality, {"m", "n", "k"}) + nearby_lines(nearby);
  }

  std::string shape_lines(const std::string& path, const GemmParameters& shape) {
    return from_like_.line("    ", path + "k_overhead", shape.k_overhead) +
           from_like_.line("    ", path + "wave_sharing", shape.wave_sharing) +
           from_like_.line("    ", path + "tile_edge", shape.tile_edge) +
           from_like_.line("    ", path + "start", shape.start);
  }

  static std::string fit_line(const std::optional<FitQuality>& quality, std::initializer_list<const char*> sizes) {
    if (!quality) return {};
    std::string text = fmt::format("    fit: {{samples: {}, median_error: {:.1f} %, left_out_error: {:.1f} %",
                                   quality->samples, 100 * quality->median_error, 100 * quality->left_out_error);
    for (const char* size : sizes) {
      const SampleRange& range = quality->ranges.at(size);
      text += fmt::format(", {}: [{}, {}]", size, range.low, range.high);
    }
    return text + "}\n";
  }

  static std::string nearby_lines(const NearbySamples& nearby) {
    std::string text = nearby.empty() ? "" : "    nearby:\n";
    for (const auto& [shape, ratio] : nearby.samples()) {
      text += fmt::format("      - \"{} {} {} {:+.1f} %\"\n", shape.m, shape.n, shape.k, 100 * (ratio - 1));
    }
    return text;
  }

  std::string attentions() {
    std::set<int> dims;
    for (const auto& [dim, parameters] : like_.attention) dims.insert(dim);
    for (const auto& [dim, laws] : measured_.attention) {
      if (laws.forward != nullptr && laws.backward != nullptr) dims.insert(dim);
    }
    std::string text = "attention:\n";
    for (const int dim : dims) {
      const auto laws = measured_.attention.find(dim);
      const auto known = like_.attention.find(dim);
      const AttentionLaws chosen = laws == measured_.attention.end() ? AttentionLaws{} : laws->second;
      const GpuAttention other = known == like_.attention.end() ? GpuAttention{} : GpuAttention{&known->second};
      const std::string path = fmt::format("attention.d{}.", dim);
      text += fmt::format("  d{}:\n", dim);
      text += direction(path, "forward", "half_sequence", chosen.forward, other ? &other.parameters->forward : nullptr,
                        other ? &other.parameters->half_sequence : nullptr);
      text += direction(path, "backward", "backward_half_sequence", chosen.backward,
                        other ? &other.parameters->backward : nullptr,
                        other ? &other.parameters->backward_half_sequence : nullptr);
      if (chosen.forward != nullptr && chosen.backward != nullptr) {
        text += fit_line(joined(chosen.forward->report.quality(), chosen.backward->report.quality()), {"sequence"});
      } else if (chosen.forward == nullptr && chosen.backward == nullptr && other) {
        text += fit_line(other.parameters->fit, {"sequence"});
      }
    }
    return text + "\n";
  }

  struct GpuAttention {
    const AttentionParameters* parameters = nullptr;
    explicit operator bool() const { return parameters != nullptr; }
  };

  static FitQuality joined(FitQuality a, const FitQuality& b) {
    a.samples += b.samples;
    a.median_error = std::max(a.median_error, b.median_error);
    a.left_out_error = std::max(a.left_out_error, b.left_out_error);
    for (const auto& [name, range] : b.ranges) {
      fit::widen(a.ranges, name, range.low);
      fit::widen(a.ranges, name, range.high);
    }
    return a;
  }

  std::string direction(const std::string& path, const std::string& rate, const std::string& half, const FittedLaw* law,
                        const Figure<FlopRate>* known_rate, const Figure<double>* known_half) {
    if (law == nullptr) {
      return from_like_.line("    ", path + rate, *known_rate) + from_like_.line("    ", path + half, *known_half);
    }
    const std::string source = sources_.add(*law), how = law->operation + ", " + quality_text(law->report);
    const fit::AttentionCurve& curve = *law->attention;
    return measured_line("    ", path + rate,
                         fitted_range(curve.flop_per_s, error_of(law->report, "rate FLOP/s", curve.flop_per_s), 1e30),
                         teraflop_unit, source, how) +
           measured_line(
               "    ", path + half,
               fitted_range(curve.half_sequence, error_of(law->report, "half sequence", curve.half_sequence), 1e6),
               no_unit, source, how);
  }

  std::string kernels() {
    std::string text;
    const FittedLaw* const law = measured_.memory;
    if (law == nullptr) {
      text += from_like_.line("", "memory", like_.memory) + from_like_.line("", "memory_start", like_.memory_start);
    } else {
      const double sheet = gpu_ == nullptr ? 1e30 : gpu_->memory_bandwidth.value.typical.in(byte / second);
      const double value = law->memory->bytes_per_s, start = law->memory->start_s;
      const std::string source = sources_.add(*law), how = law->operation + ", " + quality_text(law->report);
      text += measured_line("", "memory", fitted_range(value, error_of(law->report, "bandwidth B/s", value), sheet),
                            gigabyte_unit, source, how);
      const SampleRange& bytes = law->report.ranges.at("bytes");
      if (static_cast<double>(bytes.low) <= small_size) {
        text += measured_line("", "memory_start", {0, std::max(start - fit::graph_gap_s, 0.0), start}, microsecond_unit,
                              source, "high: fit; typical: less the gap of a graph, 0.95 us; low: hidden");
      } else {
        text += from_like_.line("", "memory_start", like_.memory_start);
      }
    }
    return text + from_like_.line("", "kernel_gap", like_.kernel_gap) +
           from_like_.line("", "compute_slowdown", like_.compute_slowdown) +
           from_like_.line("", "collective_slowdown", like_.collective_slowdown) +
           from_like_.line("", "speed_spread", like_.speed_spread) + "\n";
  }

  std::string collectives() {
    std::string text = "collectives:\n";
    for (const auto& [fabric, known] : like_.collectives) {
      const std::string path = "collectives." + fabric + ".";
      text += fmt::format("  {}:\n", fabric) + scale_up(path, known);
      if (measured_.network != nullptr && fabric == request_.fabric) {
        text += efficiency(path);
      } else {
        text += from_like_.line("    ", path + "scale_out_efficiency", known.scale_out_efficiency);
      }
      text += from_like_.line("    ", path + "scale_out_hop", known.scale_out_hop) +
              from_like_.line("    ", path + "switch_latency", known.switch_latency);
    }
    return text;
  }

  std::string scale_up(const std::string& path, const CollectiveParameters& known) {
    const FittedLaw* const law = measured_.ring;
    if (law == nullptr) {
      return from_like_.line("    ", path + "scale_up_ring", known.scale_up_ring) +
             from_like_.line("    ", path + "scale_up_link", known.scale_up_link) +
             from_like_.line("    ", path + "base_latency", known.base_latency) +
             from_like_.line("    ", path + "scale_up_hop", known.scale_up_hop);
    }
    if (ring_source_.empty()) ring_source_ = sources_.add(*law);
    const std::string how = law->operation + ", " + quality_text(law->report);
    const double sheet = gpu_ == nullptr ? 1e30 : gpu_->scale_up_bandwidth.value.typical.in(byte / second);
    const auto& [quick, bulk] = *law->collective;
    const Range<double> ring =
        fitted_range(bulk.bytes_per_s, error_of(law->report, "bandwidth B/s", bulk.bytes_per_s), sheet);
    std::string text = measured_line("    ", path + "scale_up_ring", ring, gigabyte_unit, ring_source_, how);
    if (known.scale_up_link.value.typical == known.scale_up_ring.value.typical) {
      text += measured_line("    ", path + "scale_up_link", ring, gigabyte_unit, ring_source_,
                            "a switch joins all: any pair at the speed of the ring");
    } else {
      text += from_like_.line("    ", path + "scale_up_link", known.scale_up_link);
    }
    if (!tells_latency(*law)) {
      return text + from_like_.line("    ", path + "base_latency", known.base_latency) +
             from_like_.line("    ", path + "scale_up_hop", known.scale_up_hop);
    }
    const std::string ends = "the quick and the bulk protocol; typical: bulk. " + how;
    const auto between = [](double a, double typical) {
      return Range<double>{std::min(a, typical), typical, std::max(a, typical)};
    };
    return text +
           measured_line("    ", path + "base_latency", between(quick.base_s, bulk.base_s), microsecond_unit,
                         ring_source_, ends) +
           measured_line("    ", path + "scale_up_hop", between(quick.hop_s, bulk.hop_s), microsecond_unit,
                         ring_source_, ends);
  }

  std::string efficiency(const std::string& path) {
    const FittedLaw& law = *measured_.network;
    const double line_rate = law.node_size * request_.nic->in(byte / second);
    const double value = law.collective->bulk.bytes_per_s / line_rate;
    if (value > 1) {
      throw InputError(fmt::format("{} reach {:.1f} GB/s, more than {} ports of --nic carry", law.operation,
                                   law.collective->bulk.bytes_per_s * 1e-9, law.node_size),
                       "give the line rate of one GPU's port, as --nic '400 Gb/s'");
    }
    return measured_line("    ", path + "scale_out_efficiency",
                         fitted_range(value, error_of(law.report, "bandwidth B/s", value * line_rate) / line_rate, 1),
                         no_unit, sources_.add(law),
                         law.operation + " over the line rate, " + quality_text(law.report));
  }

  const ProfileRequest& request_;
  const SampleSet& set_;
  const Measured& measured_;
  const Profile& like_;
  const GpuPart* gpu_;
  LikeFigures from_like_;
  SourceList sources_;
  std::string ring_source_;
  std::vector<std::string> keys_;
};

[[noreturn]] void refuse_gaps(const Measured& measured) {
  std::string names = "compute_units, kernel_gap, compute_slowdown, collective_slowdown, speed_spread";
  if (measured.products.empty()) names += ", gemm";
  const auto whole = [](const auto& entry) {
    return entry.second.forward != nullptr && entry.second.backward != nullptr;
  };
  if (std::none_of(measured.attention.begin(), measured.attention.end(), whole)) names += ", attention";
  if (measured.memory == nullptr) names += ", memory";
  names += measured.ring == nullptr ? ", collectives" : ", collectives over the network";
  throw InputError("the logs do not tell all that a profile holds; missing: " + names,
                   "add --like PROFILE: what is missing is taken from there and marked as assumed");
}

}  // namespace

WrittenProfile write_profile(const ProfileRequest& request, const SampleSet& set, const SampleFit& fit,
                             const Parts& parts) {
  const auto part = request.like == nullptr ? parts.gpus.end() : parts.gpus.find(request.like->gpu);
  const GpuPart* const gpu = part == parts.gpus.end() ? nullptr : &part->second;
  const Measured measured = choose(fit, gpu, request.nic.has_value());
  if (request.like == nullptr) refuse_gaps(measured);
  if (request.nic && !request.like->collectives.contains(request.fabric)) {
    (void)request.like->collective(request.fabric);  // throws with the fabrics there are
  }
  WrittenProfile written = Writer(request, set, measured, gpu).write();
  written.unused = unused_laws(fit, measured);
  const Profile profile = read_profile(YamlDocument::parse(written.yaml, request.id + ".yaml"));
  for (const auto& [precision, parameters] : profile.gemm) {
    if (gpu != nullptr) check_profile(profile, *gpu, precision);
  }
  return written;
}

}  // namespace railyard
