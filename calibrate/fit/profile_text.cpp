// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fit/profile_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace railyard::fit {
namespace {

/// Two standard errors either way, within the bounds of the key.
std::string figure(std::string_view key, double value, double error, double lowest, double highest,
                   std::string_view unit, std::string_view source) {
  if (2 * error > highest - lowest) error = 0;  // the samples do not tell it
  return fmt::format("    {}: {{low: {:.4g}{}, typical: {:.4g}{}, high: {:.4g}{}, source: {}, derived: fit}}\n", key,
                     std::max(value - 2 * error, lowest), unit, value, unit, std::min(value + 2 * error, highest), unit,
                     source);
}

}  // namespace

std::string fit_line(const FitQuality& quality) {
  std::string text = fmt::format("    fit: {{samples: {}, median_error: {:.1f} %, left_out_error: {:.1f} %",
                                 quality.samples, 100 * quality.median_error, 100 * quality.left_out_error);
  for (const auto& [name, range] : quality.ranges) text += fmt::format(", {}: [{}, {}]", name, range.low, range.high);
  return text + "}\n";
}

std::string gemm_profile_text(const GemmModel& model, const FitReport& report, std::string_view source, double gap_s,
                              bool with_nearby) {
  const GemmLaw& law = model.law;
  const double most = 1e30;
  std::string text = figure("sustained", law.flop_per_s * 1e-12, report.standard_error("FLOP/s") * 1e-12, 0, most,
                            " TFLOP/s", source) +
                     figure("k_overhead", law.k_overhead,
                            report.standard_error("k_overhead bytes") / model.operand_bytes, 0, 4096, "", source) +
                     figure("wave_sharing", law.wave_sharing, report.standard_error("wave_sharing"), 0, 1, "", source) +
                     figure("tile_edge", law.tile_edge, report.standard_error("tile_edge"), 0, 1024, "", source) +
                     figure("start", std::max(law.start_s - gap_s, 0.0) * 1e6, report.standard_error("start s") * 1e6,
                            0, most, " us", source);
  if (law.cache_bytes > 0)
    text += figure("refetch", law.refetch_s_per_byte * model.copy_bytes_per_s, report.standard_error("refetch"), 0, 1,
                   "", source);
  text += fit_line(report.quality());
  if (!with_nearby) return text;
  text += "    nearby:\n";
  for (const FittedSample& sample : report.samples) {
    if (sample.weight <= 0) continue;
    text += fmt::format("      - \"{} {} {} {:+.1f} %\"\n", sample.shape.m, sample.shape.n, sample.shape.k,
                        100 * (sample.measured / sample.predicted - 1));
  }
  return text;
}

}  // namespace railyard::fit
