// SPDX-License-Identifier: Apache-2.0
// Prices of parts at one date, each one value or a range, with evidence. Data: pricing/books/*.yaml.
// A part without a price of that time takes the range of a like part, and says so.
#pragma once

#include <filesystem>
#include <map>
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
  /// On top of `each` where a fabric (infiniband, ethernet) takes the switch vendor's brand only.
  std::map<std::string, Figure<Dollars>, std::less<>> brand_surcharge;

  /// Price on a fabric: `each` and its surcharge; assumed when either is.
  [[nodiscard]] Figure<Dollars> on(std::string_view fabric) const;
};

/// Amounts that are priced per GPU or node rather than as a part: storage, installation, software. A server whose price
/// includes the id of an allowance is not charged it again.
struct Allowance {
  std::string id, label, per;  // per: gpu, node, cluster
  std::string category;        // a name of to_string(BomCategory)
  Figure<Dollars> each;
};

struct PriceBook {
  std::string id, date, description;  // date: YYYY-MM
  std::map<std::string, Price, std::less<>> parts;
  std::map<std::string, std::string, std::less<>> not_priced;  // parts that have no price at its date, and why
  std::vector<Allowance> allowances;

  /// Price of a part; throws InputError naming the book and the nearest part, or the reason, when it has none.
  [[nodiscard]] const Price& price(std::string_view part) const;
};

/// Reads a book (format: pricing/FORMAT.md). Quotes far from its date come out `assumed` and widened
/// (pricing/widening.h). Throws InputError.
[[nodiscard]] PriceBook read_price_book(const YamlDocument& document);
/// Ids of the books, oldest first.
[[nodiscard]] std::vector<std::string> price_book_names(const std::filesystem::path& folder);
/// Reads folder/id.yaml; an unknown id is an InputError with the nearest name.
[[nodiscard]] PriceBook load_price_book(const std::filesystem::path& folder, std::string_view id);

}  // namespace railyard
