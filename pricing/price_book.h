// SPDX-License-Identifier: Apache-2.0
// Prices of parts at one date, each one value or a range, with evidence. Data: pricing/books/*.yaml.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/evidence.h"
#include "base/units.h"
#include "base/yaml_reader.h"

namespace railyard {

struct Price {
  Figure<Dollars> each;               // for one piece (a cable: one cable at the design's length)
  std::vector<std::string> includes;  // servers: what is in the price (gpu, nic, dpu, cpu, ...)
};

/// Amounts that are priced per GPU or node rather than as a part: storage, installation, software.
struct Allowance {
  std::string id, label, per;  // per: gpu, node, cluster
  Figure<Dollars> each;
};

struct PriceBook {
  std::string id, date, description;
  std::map<std::string, Price, std::less<>> parts;
  std::vector<Allowance> allowances;

  /// Price of a part; throws InputError naming the book when it has none.
  [[nodiscard]] const Price& price(std::string_view part) const;
};

[[nodiscard]] PriceBook read_price_book(const YamlDocument& document);
/// Ids of the books, oldest first.
[[nodiscard]] std::vector<std::string> price_book_names(const std::filesystem::path& folder);
[[nodiscard]] PriceBook load_price_book(const std::filesystem::path& folder, std::string_view id);

}  // namespace railyard
