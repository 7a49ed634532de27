// SPDX-License-Identifier: Apache-2.0
// Predicted against measured collectives. Each source is predicted by figures fitted to the other sources of its kind
// of GPU and network; where there are too few, by what other GPUs tell of the network or by the library's own
// constants. Measured points override nothing here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/collective_figures.h"
#include "sim/study/validate.h"

namespace railyard {

/// Targets are stated for messages whose time is bandwidth (16 to 256 MiB) or latency (64 KiB and less).
enum class SizeClass { latency, middle, bulk, large };
[[nodiscard]] std::string_view to_string(SizeClass size);
[[nodiscard]] SizeClass size_class(double bytes);

struct CollectiveCase {
  MeasuredRun measured;
  fit::CollectivePrediction predicted;
  FiguresFrom scale_up = FiguresFrom::others, scale_out = FiguresFrom::others;
  /// Of bandwidth (predicted / measured - 1), of time for small messages: the latter overstates what is slow.
  double error = 0;
  /// How far the median of other sources' measurements of this very case (GPU, network, ranks, size) is off it, as
  /// `error` counts: no law can be nearer to both. Nothing where none measured it.
  std::optional<double> duplicates_differ;
};

/// Figures fitted to all sources of one pool, for a profile.
struct FittedPool {
  std::string name;  // h100, h100 over infiniband
  std::size_t runs = 0, sources = 0;
  fit::FittedSpeeds fitted;
  std::string_view network_of;  // other GPUs whose runs tell of the network; empty: its own
};

struct CollectiveValidation {
  std::vector<CollectiveCase> cases;
  std::vector<LeftOutRun> left_out;
  std::vector<FittedPool> pools;
  ValidationSummary summary;                                                 // all cases
  std::map<SizeClass, ValidationSummary> by_size;                            // all sources
  std::map<std::string, std::map<SizeClass, ValidationSummary>> by_source;   // in order of name
  std::map<std::string, std::map<SizeClass, ValidationSummary>> duplicates;  // by source, of cases measured twice
};

/// Throws InputError for a table without the columns of sim/study/validation/collectives-measured.csv.
[[nodiscard]] CollectiveValidation validate_collectives(const CsvFile& file);

}  // namespace railyard
