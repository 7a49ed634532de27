// SPDX-License-Identifier: Apache-2.0
// Prices of parts at one date, each one value or a range, with evidence. Data: pricing/books/*.yaml.
// A part without a price of that time takes the range of a like part, and says so.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/evidence.h"
#include "base/units.h"
#include "base/yaml_reader.h"
#include "topologies/parts.h"

namespace railyard {

/// Price of a cable by its length: fixed + per_metre x metres.
struct PriceByLength {
  Figure<Dollars> fixed, per_metre;  // per_metre: of one metre
};

struct Price {
  Figure<Dollars> each;  // for one piece (a cable: one cable at the design's length)
  std::optional<PriceByLength> by_length;
  std::vector<std::string> includes;  // servers: what is in the price (gpu, nic, dpu, cpu, ...)
  /// On top of `each` where a fabric (infiniband, ethernet) takes the switch vendor's brand only.
  std::map<std::string, Figure<Dollars>, std::less<>> brand_surcharge;

  /// Price of one piece; of a cable of this length where the book prices it by length, else `each`.
  [[nodiscard]] Figure<Dollars> of(std::optional<Metres> length) const;
  /// Price on a fabric: that of one piece and its surcharge; assumed when either is.
  [[nodiscard]] Figure<Dollars> on(std::string_view fabric, std::optional<Metres> length = {}) const;
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
  std::string file;                   // it was read from; for messages
  std::map<std::string, Price, std::less<>> parts;
  std::map<std::string, std::string, std::less<>> not_priced;  // parts that have no price at its date, and why
  std::vector<Allowance> allowances;
  std::set<std::string, std::less<>> references;  // parts whose price stands for others (like, between)

  /// Price of a part; throws InputError naming the book and the nearest part, or the reason, when it has none.
  [[nodiscard]] const Price& price(std::string_view part) const;
  /// "price book '2024-12' (its file)", for messages.
  [[nodiscard]] std::string name() const;
};

/// Reads a book (format: pricing/FORMAT.md). Quotes far from its date come out `assumed` and widened
/// (pricing/widening.h). Throws InputError.
[[nodiscard]] PriceBook read_price_book(const YamlDocument& document);
/// Parts that the book prices (or leaves without a price) and `parts` does not have: names that no bill can have, most
/// likely misspelt. Those that stand for others are left out. Not an error when a book is used, since a catalogue may
/// be smaller than a book.
[[nodiscard]] std::vector<Diagnostic> unknown_parts(const PriceBook& book, const Parts& parts);
/// Ids of the books, oldest first.
[[nodiscard]] std::vector<std::string> price_book_names(const std::filesystem::path& folder);
/// Reads folder/id.yaml; an unknown id is an InputError with the nearest name.
[[nodiscard]] PriceBook load_price_book(const std::filesystem::path& folder, std::string_view id);

}  // namespace railyard
