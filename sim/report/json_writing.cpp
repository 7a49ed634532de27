// SPDX-License-Identifier: Apache-2.0
#include "sim/report/json_writing.h"

#include <cmath>
#include <cstdlib>

#include "sim/report/table.h"
#include "sim/report/version.h"

namespace railyard {
namespace {

void round_numbers(Json& json) {
  if (json.is_number_float()) {
    const double value = json.get<double>();
    if (std::isfinite(value)) json = std::strtod(exact_text(value).c_str(), nullptr);
  } else if (json.is_structured()) {
    for (Json& each : json) round_numbers(each);
  }
}

}  // namespace

Json json_document() { return Json{{"schema", "railyard/1"}, {"version", version()}}; }

std::string json_text(Json json) {
  round_numbers(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_line(Json json) {
  round_numbers(json);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_range(Json& json, const std::string& key, const Range<double>& range) {
  json[key] = range.typical;
  json[key + "_low"] = range.low;
  json[key + "_high"] = range.high;
}

}  // namespace railyard
