// SPDX-License-Identifier: Apache-2.0
// The measurements of accepted logs in one form, whatever tool took them: series of one operation with a rate for each
// size. Kept beside a profile as NAME.samples.yaml (calibrate/FORMAT.md), so that it can be fitted again and compared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "base/yaml_reader.h"
#include "calibrate/import/import.h"
#include "calibrate/profile/profile.h"

namespace railyard {

enum class Measure { gemm, attention, memory, collective, link };

/// One figure. `label` names the size: "8192 x 8192 x 8192" (m, n, k), "33554432 B", "8192" (sequence), "0 > 1".
struct MeasuredPoint {
  std::string label;
  GemmShape shape;        // gemm
  std::int64_t size = 0;  // bytes; sequence of attention; 0: not printed
  double rate = 0;        // FLOP/s, or B/s: bus bandwidth of a collective
};

/// What one run says about one operation.
struct MeasuredSeries {
  std::string operation;  // "gemm bf16", "attention forward d128 causal", "memory copy", "all_reduce", "link p2p"
  Measure measure = Measure::gemm;
  std::int64_t ranks = 0, nodes = 0;  // of a collective; 0: not known
  std::string file, tool, version, software, gpu, date, statistic;
  std::vector<MeasuredPoint> points;

  /// Precision of a product that the laws know, collective that they know, head dimension of attention (0: none).
  [[nodiscard]] std::optional<Precision> precision() const;
  [[nodiscard]] std::optional<Collective> collective() const;
  [[nodiscard]] int head_dim() const;
  /// The operation with ranks and nodes: "all_reduce, 16 ranks, 2 nodes".
  [[nodiscard]] std::string title() const;
  /// Of a point of this series.
  [[nodiscard]] Seconds time(const MeasuredPoint& point) const;
};

struct SampleSet {
  std::string name;
  std::string like;  // profile that tells what the samples do not; may be empty
  std::vector<MeasuredSeries> series;
};

/// Series of every accepted run; topologies and latencies have no rates and give none.
[[nodiscard]] SampleSet sample_set(std::string name, std::span<const ImportedFile> files);

/// Removes series that stand in the set already, figure by figure: a log that was copied or appended twice is no
/// repeat. A sentence each.
std::vector<std::string> drop_copies(SampleSet& set);

/// As YAML, and back; a set without series is none. read_samples throws InputError with every mistake.
[[nodiscard]] std::string samples_yaml(const SampleSet& set);
[[nodiscard]] SampleSet read_samples(const YamlDocument& document);

/// `text` as a quoted YAML scalar without control characters.
[[nodiscard]] std::string yaml_text(std::string_view text);

}  // namespace railyard
