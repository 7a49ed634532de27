// SPDX-License-Identifier: Apache-2.0
// What the writers of JSON share: the document with schema and version, ranges, and numbers of 15 significant digits.
// Private to the sources of sim/report, the only users of nlohmann-json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/evidence.h"

namespace railyard {

using Json = nlohmann::ordered_json;

/// {"schema": "railyard/1", "version": ...}
[[nodiscard]] Json json_document();

/// The text of a whole document. Numbers are right in 15 significant digits; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string json_text(Json json);
/// The same on one line, without its end: a row of a long document that is written piece by piece.
[[nodiscard]] std::string json_line(Json json);

/// KEY, KEY_low and KEY_high.
void add_range(Json& json, const std::string& key, const Range<double>& range);

}  // namespace railyard
