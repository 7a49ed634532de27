// SPDX-License-Identifier: Apache-2.0
// The laws of every importer: whatever the text, it comes to an end with figures that are finite and places that are
// in the text.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "calibrate/import/import.h"
#include "calibrate/import/importer.h"

namespace railyard::import_fuzz {

inline void expect(bool law) {
  if (!law) std::abort();
}

/// Not negative and finite.
inline void figure(double value) { expect(value >= 0 && std::isfinite(value)); }

inline void check(const ImportedRun& run, int lines) {
  const auto place = [&](int line) { expect(line >= 0 && line <= lines); };
  place(run.first_line);
  expect(run.rows >= 0 && run.ranks >= 0 && run.nodes >= 0 && run.iterations >= 0);
  expect(run.ranks_low <= run.ranks_high && run.nodes <= std::max<std::int64_t>(run.ranks, 1));
  for (const CollectiveSample& sample : run.collectives) {
    place(sample.line);
    expect(sample.size > Bytes{} && sample.wrong.value_or(0) >= 0);
    for (const double value : {sample.size.in(byte), sample.time.in(second), sample.bus_bandwidth.in(byte / second),
                               sample.algorithm_bandwidth.in(byte / second)}) {
      figure(value);
    }
  }
  for (const GemmSample& sample : run.gemms) {
    place(sample.line);
    expect(sample.m > 0 && sample.n > 0 && sample.k > 0 && sample.batch >= 0);
    figure(sample.rate.in(flop / second));
    figure(sample.time.value_or(Seconds{}).in(second));
  }
  for (const MemorySample& sample : run.memory) {
    place(sample.line);
    figure(sample.bandwidth.in(byte / second));
    figure(sample.traffic.in(byte));
    figure(sample.time.value_or(Seconds{}).in(second));
  }
  for (const AttentionSample& sample : run.attention) {
    expect(sample.sequence >= 1 && sample.head_dim >= 1 && sample.batch >= 1 && sample.heads >= 1);
    expect(sample.forward || sample.backward);
  }
  for (const LinkSample& sample : run.links) {
    place(sample.line);
    figure(sample.bandwidth.value_or(Bandwidth{}).in(byte / second));
    figure(sample.latency.value_or(Seconds{}).in(second));
    figure(sample.size.value_or(Bytes{}).in(byte));
  }
  for (const Remark& remark : run.remarks) {
    place(remark.line);
    expect(!remark.sentence.empty());
  }
  if (run.refusal) {
    place(run.refusal->line);
    expect(!run.refusal->sentence.empty());
  } else {
    expect(run.rows > 0 && run.ranks != 1);
    expect(run.collectives.size() + run.gemms.size() + run.memory.size() + run.attention.size() + run.links.size() > 0);
  }
}

/// Reads the text by each importer, recognised or not, and through the door.
inline int read_by(std::initializer_list<const import_detail::Importer*> importers, const std::uint8_t* data,
                   std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const import_detail::Importer* importer : importers) {
    importer->recognises(text);
    for (const ImportedRun& run : importer->read(text)) check(run, lines);
  }
  const ImportedFile file = import_log(text, "fuzz");
  expect(!file.runs.empty());
  for (const ImportedRun& run : file.runs) check(run, lines);
  return 0;
}

}  // namespace railyard::import_fuzz
