// SPDX-License-Identifier: Apache-2.0
#include "sim/study/published_terms.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/dates.h"
#include "base/nearest_name.h"
#include "base/quantity_text.h"

namespace railyard {
namespace {

struct Term {
  OwnerTermInfo info;
  const UnitKind* kind;    // none: a plain number, or a rate of interest
  std::string_view one;    // one of info.unit, as it is written
  bool per_gpu;            // divided by per_gpus
  double lowest, highest;  // in info.unit; what lies outside is a slip of the pen
};

constexpr double largest_term = 1e6;
constexpr std::array<Term, owner_term_count> terms{{
    {{"server_price", "server price", "k$/GPU"}, &units::money, "1 k$", true, 0, largest_term},
    {{"capex_without_storage", "capex without storage", "k$/GPU"}, &units::money, "1 k$", true, 0, largest_term},
    {{"capex", "capex", "k$/GPU"}, &units::money, "1 k$", true, 0, largest_term},
    {{"wacc", "cost of capital", "%/year"}, nullptr, "", false, 0, 200},
    {{"life", "life", "year"}, &units::time, "1 year", false, 1.0 / 12, 50},
    {{"salvage", "salvage", "% of capex"}, &units::share, "1 %", false, 0, 100},
    {{"capital", "capital charge", "$/h"}, &units::money_rate, "1 $/h", true, 0, largest_term},
    {{"pue", "PUE", ""}, nullptr, "", false, 1, 5},
    {{"power", "power at the meter", "kW/GPU"}, &units::power, "1 kW", true, 0, largest_term},
    {{"colo", "colocation", "$/kW/month"}, &units::capacity_charge, "1 $/kW/month", false, 0, largest_term},
    {{"load", "average load", "%"}, &units::share, "1 %", false, 0, 100},
    {{"energy", "energy tariff", "$/kWh"}, &units::tariff, "1 $/kWh", false, 0, 100},
    {{"staff", "staff", "$/year/GPU"}, &units::money_rate, "1 $/year", true, 0, largest_term},
    {{"maintenance", "maintenance", "%/year"}, &units::yearly_share, "1 %/year", false, 0, 100},
    {{"insurance", "insurance", "%/year"}, &units::yearly_share, "1 %/year", false, 0, 100},
    {{"software", "licences and support", "$/year/GPU"}, &units::money_rate, "1 $/year", true, 0, largest_term},
}};

const Term& term_of(OwnerTermKind kind) { return terms[static_cast<std::size_t>(kind)]; }

OwnerTermKind kind_of(const CsvFile& file, const CsvRecord& record) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].info.key == record.at("term")) return static_cast<OwnerTermKind>(i);
    keys.emplace_back(terms[i].info.key);
  }
  throw cell_error(file, record, "term", expected_names(record.at("term"), keys));
}

double value_of(const CsvFile& file, const CsvRecord& record, OwnerTermKind kind) {
  const Term& term = term_of(kind);
  const std::string& text = record.at("value");
  double value = 0;
  std::string error;
  if (kind == OwnerTermKind::wacc) {
    const InterestText parsed = parse_interest(text);
    value = 100 * parsed.rate.effective();
    error = parsed.error;
  } else if (term.kind == nullptr) {
    const QuantityText parsed = parse_number(text);
    value = parsed.base;
    error = parsed.error;
  } else {
    const QuantityText parsed = parse_quantity(text, *term.kind);
    value = parsed.base / parse_quantity(term.one, *term.kind).base;
    error = parsed.error;
  }
  if (!error.empty()) throw cell_error(file, record, "value", error);
  const std::string& gpus = record.at("per_gpus");
  if (term.per_gpu) {
    const QuantityText parsed = parse_number(gpus);
    if (!parsed.ok() || parsed.base < 1 || parsed.base != std::floor(parsed.base)) {
      throw cell_error(file, record, "per_gpus", fmt::format("expected for how many GPUs the {} is", term.info.label));
    }
    value /= parsed.base;
  } else if (!gpus.empty()) {
    throw cell_error(file, record, "per_gpus",
                     fmt::format("expected nothing: the {} is not one of a GPU", term.info.label));
  }
  if (value < term.lowest || value > term.highest) {
    throw cell_error(file, record, "value",
                     fmt::format("expected from {:g} to {:g} {}", term.lowest, term.highest, term.info.unit));
  }
  return value;
}

}  // namespace

const OwnerTermInfo& info(OwnerTermKind kind) { return term_of(kind).info; }

std::vector<PublishedTerm> read_published_terms(const CsvFile& file) {
  require_only_columns(file, {"publisher", "gpu", "buyer", "term", "value", "per_gpus", "source", "date"});
  require_columns(file, {"publisher", "gpu", "buyer", "term", "value", "per_gpus", "source", "date"});
  std::vector<PublishedTerm> list;
  for (const CsvRecord& record : file.records) {
    PublishedTerm term;
    term.publisher = record.at("publisher");
    term.gpu = record.at("gpu");
    term.buyer = record.at("buyer");
    term.kind = kind_of(file, record);
    term.value = value_of(file, record, term.kind);
    term.source = record.at("source");
    term.date = record.at("date");
    term.place = fmt::format("{}:{}", file.name, record.line);
    if (term.publisher.empty()) throw cell_error(file, record, "publisher", "expected the name of the publisher");
    if (!is_date(term.date)) throw cell_error(file, record, "date", "expected a date as 2025-08");
    list.push_back(std::move(term));
  }
  return list;
}

}  // namespace railyard
