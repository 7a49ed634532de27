// SPDX-License-Identifier: Apache-2.0
// What publishers of owner costs say about the terms behind them: prices, rates, power. For comparison alone: they
// stand in place of ours only in a bridge (sim/study/owner_bridge.h). Data: sim/study/published/owner-terms.csv.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/study/csv.h"

namespace railyard {

/// In the order in which they take the place of ours: what is bought, how it is paid for, the charge that follows from
/// both, then what runs; the PUE before the power, which is published at the meter.
enum class OwnerTermKind {
  server_price,
  capex_without_storage,
  capex,
  wacc,
  life,
  salvage,
  capital,
  pue,
  power,
  colo,
  load,
  energy,
  staff,
  maintenance,
  insurance,
  software,
};
inline constexpr int owner_term_count = 16;

struct OwnerTermInfo {
  std::string_view key;    // in the table
  std::string_view label;  // for people
  std::string_view unit;   // of its value, without a blank before; empty for a plain number
};
[[nodiscard]] const OwnerTermInfo& info(OwnerTermKind kind);

struct PublishedTerm {
  std::string publisher;
  std::string gpu, buyer;  // empty: of all
  OwnerTermKind kind = OwnerTermKind::capex;
  double value = 0;  // in info(kind).unit
  std::string source, date;
  std::string place;  // file:line, for messages
};

/// A table with columns publisher, gpu, buyer, term, value, per_gpus, source, date. `value` is written with its unit
/// (190 k$); `per_gpus` says for how many GPUs where the term is one of a GPU (8 for a server). Throws InputError for a
/// column that is missing or unknown and for a cell that cannot be read.
[[nodiscard]] std::vector<PublishedTerm> read_published_terms(const CsvFile& file);

}  // namespace railyard
