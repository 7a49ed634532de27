// SPDX-License-Identifier: Apache-2.0
#include "sim/study/published_costs.h"

#include <fmt/format.h>

#include "base/dates.h"
#include "base/quantity_text.h"
#include "sim/study/limits.h"

namespace railyard {
namespace {

double number_of(const CsvFile& file, const CsvRecord& record, std::string_view column, double low, double high) {
  const QuantityText parsed = parse_number(record.at(column));
  if (parsed.ok() && parsed.base >= low && parsed.base <= high) return parsed.base;
  throw cell_error(file, record, column, fmt::format("expected a number from {:g} to {:g}", low, high));
}

}  // namespace

std::vector<PublishedOwnerCost> read_published_costs(const CsvFile& file) {
  require_only_columns(file, {"publisher", "gpu", "buyer", "design", "gpus", "usd_per_gpu_hour", "source", "date"});
  require_rows(file);
  require_columns(file, {"gpu", "buyer", "design", "gpus", "usd_per_gpu_hour", "source", "date"});
  std::vector<PublishedOwnerCost> list;
  for (const CsvRecord& record : file.records) {
    PublishedOwnerCost cost;
    cost.gpu = record.at("gpu");
    cost.buyer = record.at("buyer");
    cost.design = record.at("design");
    cost.source = record.at("source");
    cost.date = record.at("date");
    cost.publisher = record.at("publisher");
    cost.gpus = static_cast<int>(number_of(file, record, "gpus", 1, largest_cluster));
    cost.usd_per_gpu_hour = number_of(file, record, "usd_per_gpu_hour", 0.01, 1000);
    if (!is_date(cost.date)) throw cell_error(file, record, "date", "expected a date as 2025-08");
    cost.place = fmt::format("{}:{}", file.name, record.line);
    list.push_back(std::move(cost));
  }
  return list;
}

}  // namespace railyard
