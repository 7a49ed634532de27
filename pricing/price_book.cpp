// SPDX-License-Identifier: Apache-2.0
#include "pricing/price_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/dates.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "pricing/widening.h"
#include "topologies/bill_of_materials.h"
#include "topologies/reading.h"

namespace railyard {
namespace {

constexpr std::array<std::string_view, 5> server_contents = {"gpu", "cpu", "memory", "nic", "dpu"};
constexpr Limits piece{"0", "1000 M$"};
constexpr std::string_view dates_expected = "expected YYYY, YYYY-MM or YYYY-MM-DD from 1990 to 2100";
const std::array<std::string, 3> bases = {"gpu", "node", "cluster"};
const std::array<std::string, 2> fabric_names = {"infiniband", "ethernet"};

std::vector<std::string> category_names() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(BomCategory::services); ++i) {
    names.emplace_back(to_string(static_cast<BomCategory>(i)));
  }
  return names;
}

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

void check_source_dates(YamlMap& root, const Sources& sources) {
  for (const auto& [id, source] : sources) {
    if (source.date == undated) {  // enough for other facts, not for a price
      root.map("sources").map(id).fail("date", fmt::format("found '{}'", source.date), std::string(dates_expected));
    }
  }
}

/// An assumption about money needs a range, not a point.
void check_assumed_range(YamlMap& map, std::string_view key, const Figure<Dollars>& each) {
  if (!each.evidence.rule.empty() && each.evidence.assumed() && each.value.is_exact() &&
      each.value.typical > Dollars{}) {
    map.fail(key, "an assumed price without a range", "expected 'low', 'typical' and 'high' beside 'assumed'");
  }
}

const Figure<Dollars>* priced_above(YamlMap& entry, std::string_view key, const std::string& id, PriceBook& book) {
  book.references.insert(id);
  const auto found = book.parts.find(id);
  if (found != book.parts.end()) return &found->second.each;
  entry.fail(key, fmt::format("no part '{}' stands above", id), expected_names(id, keys_of(book.parts)));
  return nullptr;
}

/// "rule (source, date); part: its own rule": what an assumed price rests on.
std::string extended(std::string rule, const std::string& part, const Evidence& evidence) {
  if (!evidence.source.empty()) rule += fmt::format("; {}: {}, {}", part, evidence.source, evidence.date);
  if (!evidence.rule.empty()) rule += fmt::format("; {}: {}", part, evidence.rule);
  return rule;
}

/// The price of a part that has none of its own: that of a like part above it.
Figure<Dollars> like_price(YamlMap& entry, PriceBook& book) {
  const std::string like = entry.text("like");
  const std::string rule = entry.text("assumed");
  const Figure<Dollars>* base = priced_above(entry, "like", like, book);
  if (base == nullptr) return {};
  return {base->value,
          {EvidenceKind::assumed, base->evidence.source, base->evidence.date, extended(rule, like, base->evidence)}};
}

/// From the low end of one part above to the high end of another, typically their middle.
Figure<Dollars> price_between(YamlMap& entry, PriceBook& book) {
  const std::vector<std::string> ends = entry.texts("between");
  std::string rule = entry.text("assumed");
  if (ends.size() != 2) {
    entry.fail("between", fmt::format("found {} {}", ends.size(), ends.size() == 1 ? "part" : "parts"),
               "expected two parts: [cheaper, dearer]");
    return {};
  }
  const Figure<Dollars>* low = priced_above(entry, "between", ends[0], book);
  const Figure<Dollars>* high = priced_above(entry, "between", ends[1], book);
  if (low == nullptr || high == nullptr) return {};
  const Range<Dollars> range{low->value.low, (low->value.typical + high->value.typical) / 2, high->value.high};
  const bool ordered = range.low <= range.typical && range.typical <= range.high;
  if (!ordered && low->value.high > Dollars{} && high->value.high > Dollars{}) {  // not after a mistake in either
    entry.fail("between", fmt::format("'{}' is dearer than '{}'", ends[0], ends[1]),
               "expected two parts: [cheaper, dearer]");
  }
  rule = extended(extended(std::move(rule), ends[0], low->evidence), ends[1], high->evidence);
  return {range, {EvidenceKind::assumed, low->evidence.source, low->evidence.date, std::move(rule)}};
}

/// What the brand costs on top: (times - 1) of each listed part's price, end by end.
void read_branding(YamlMap entry, PriceBook& book, const Sources& sources) {
  const std::string& fabric = fabric_names[entry.choice("fabric", fabric_names)];
  constexpr double most = 100;
  const Figure<double> times = entry.number_figure("times", sources, 1, most);
  for (const std::string& id : entry.texts("parts")) {
    const auto found = book.parts.find(id);
    if (found == book.parts.end()) {
      entry.fail("parts", fmt::format("unknown part '{}'", id), expected_names(id, keys_of(book.parts)));
      continue;
    }
    const Range<Dollars>& each = found->second.each.value;
    Figure<Dollars> surcharge{{each.low * (times.value.low - 1), each.typical * (times.value.typical - 1),
                               each.high * (times.value.high - 1)},
                              times.evidence};
    if (!found->second.brand_surcharge.emplace(fabric, std::move(surcharge)).second) {
      entry.fail("parts", fmt::format("'{}' is branded twice on {}", id, fabric), "expected one factor a part");
    }
  }
  entry.finish();
}

/// A price by length: {fixed: figure, per_metre: figure}.
PriceByLength read_by_length(YamlMap map, const PriceBook& book, const Sources& sources) {
  PriceByLength price;
  price.fixed = at_book_date(limited_figure(map, "fixed", units::money, sources, piece), book.date);
  const Figure<DollarsPerMetre> metre_price =
      limited_figure(map, "per_metre", units::price_of_length, sources, {"0", "1000 k$/m"});
  const auto of_a_metre = [](DollarsPerMetre value) { return value * metre; };
  price.per_metre = at_book_date(
      {{of_a_metre(metre_price.value.low), of_a_metre(metre_price.value.typical), of_a_metre(metre_price.value.high)},
       metre_price.evidence},
      book.date);
  check_assumed_range(map, "fixed", price.fixed);
  check_assumed_range(map, "per_metre", price.per_metre);
  map.finish();
  return price;
}

Price read_price(YamlMap entry, PriceBook& book, const Sources& sources) {
  Price price;
  if (entry.has("like")) {
    price.each = like_price(entry, book);
  } else if (entry.has("between")) {
    price.each = price_between(entry, book);
  } else {
    price.each = at_book_date(limited_figure(entry, "each", units::money, sources, piece), book.date);
    check_assumed_range(entry, "each", price.each);
    if (entry.has("by_length")) price.by_length = read_by_length(entry.map("by_length"), book, sources);
  }
  if (entry.has("includes")) price.includes = entry.texts("includes");
  for (std::size_t i = 0; i < price.includes.size(); ++i) {
    const std::string& word = price.includes[i];
    std::vector<std::string> valid(server_contents.begin(), server_contents.end());
    for (const Allowance& allowance : book.allowances) valid.push_back(allowance.id);
    if (std::find(valid.begin(), valid.end(), word) == valid.end()) {
      entry.fail("includes", fmt::format("unknown content '{}'", word), expected_names(word, valid));
    }
    if (std::count(price.includes.begin(), price.includes.end(), word) > 1 &&
        std::find(price.includes.begin(), price.includes.end(), word) - price.includes.begin() ==
            static_cast<std::ptrdiff_t>(i)) {
      entry.fail("includes", fmt::format("'{}' is included twice", word), "expected every content once");
    }
  }
  entry.finish();
  return price;
}

/// Parts that a book leaves without a price on purpose, with the reason.
void read_not_priced(YamlMap entry, PriceBook& book) {
  for (const std::string& id : entry.keys()) {
    if (book.parts.contains(id)) entry.fail(id, fmt::format("'{}' has a price above", id), "expected either of them");
    book.not_priced.emplace(id, entry.text(id));
  }
  entry.finish();
}

Allowance read_allowance(const std::string& id, YamlMap entry, const PriceBook& book, const Sources& sources) {
  Allowance allowance;
  allowance.id = id;
  allowance.label = entry.text("label");
  allowance.per = bases[entry.choice("per", bases)];
  const std::vector<std::string> categories = category_names();
  allowance.category = categories[entry.choice("category", categories)];
  allowance.each = at_book_date(limited_figure(entry, "each", units::money, sources, piece), book.date);
  check_assumed_range(entry, "each", allowance.each);
  entry.finish();
  return allowance;
}

}  // namespace

Figure<Dollars> Price::of(std::optional<Metres> length) const {
  if (!length || !by_length) return each;
  const auto& [fixed, per_metre] = *by_length;
  Figure<Dollars> figure{fixed.value + per_metre.value * length->in(metre), fixed.evidence};
  if (per_metre.evidence.assumed()) figure.evidence.kind = EvidenceKind::assumed;
  if (per_metre.evidence != fixed.evidence) {
    const std::string rule = fixed.evidence.rule.empty() ? "by length" : fixed.evidence.rule;
    figure.evidence.rule = extended(rule, "a metre", per_metre.evidence);
  }
  return figure;
}

Figure<Dollars> Price::on(std::string_view fabric, std::optional<Metres> length) const {
  Figure<Dollars> figure = of(length);
  const auto found = brand_surcharge.find(fabric);
  if (found == brand_surcharge.end()) return figure;
  const Evidence& brand = found->second.evidence;
  figure.value += found->second.value;
  if (brand.assumed()) figure.evidence.kind = EvidenceKind::assumed;
  figure.evidence.rule =
      extended(figure.evidence.rule.empty() ? "branded" : figure.evidence.rule + "; branded", "brand", brand);
  return figure;
}

std::string PriceBook::name() const {
  return file.empty() ? fmt::format("price book '{}'", id) : fmt::format("price book '{}' ({})", id, file);
}

const Price& PriceBook::price(std::string_view part) const {
  const auto found = parts.find(part);
  if (const auto none = not_priced.find(part); none != not_priced.end()) {
    throw InputError(fmt::format("{} has no price for part '{}': {}", name(), part, none->second),
                     "choose a later price book, or add the price");
  }
  if (found == parts.end()) {
    throw InputError(fmt::format("{} has no price for part '{}'", name(), part), expected_names(part, keys_of(parts)));
  }
  return found->second;
}

std::vector<Diagnostic> unknown_parts(const PriceBook& book, const Parts& parts) {
  std::vector<std::string> names{std::string(manager_part)};
  const auto add = [&names](const auto& map) {
    for (const auto& [id, part] : map) names.push_back(id);
  };
  add(parts.servers);
  add(parts.nics);
  add(parts.switches);
  add(parts.line_cards);
  add(parts.equipment);
  add(parts.modules);
  add(parts.cables);
  std::vector<Diagnostic> faults;
  const auto check = [&](const std::string& id, const std::string& path) {
    if (std::find(names.begin(), names.end(), id) != names.end()) return;
    faults.push_back({.file = book.file,
                      .path = path + "." + id,
                      .message = fmt::format("no part '{}' is known, so no bill has it", id),
                      .expected = expected_names(id, names)});
  };
  for (const auto& [id, price] : book.parts) {
    if (!book.references.contains(id)) check(id, "parts");
  }
  for (const auto& [id, reason] : book.not_priced) check(id, "not_priced");
  return faults;
}

PriceBook read_price_book(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  PriceBook book;
  book.id = root.text("book");
  book.file = document.name();
  check_named_as_file(root, "book", book.id, document);
  book.date = root.text("date");
  book.description = root.text("description");
  if (!is_date(book.date) || book.date.size() < std::string_view("YYYY-MM").size()) {
    root.fail("date", fmt::format("found '{}'", book.date),
              "expected the month of the prices: YYYY-MM, from 1990 to 2100");
    diagnostics.throw_if_any();
  }
  const Sources sources = root.sources();
  check_source_dates(root, sources);
  if (std::optional<YamlMap> allowances = root.optional_map("allowances")) {
    for (const std::string& id : allowances->keys()) {
      book.allowances.push_back(read_allowance(id, allowances->map(id), book, sources));
    }
    allowances->finish();
  }
  YamlMap parts = root.map("parts");
  for (const std::string& id : parts.keys()) {
    const bool twice = std::any_of(book.allowances.begin(), book.allowances.end(),
                                   [&](const Allowance& allowance) { return allowance.id == id; });
    if (twice) parts.fail(id, fmt::format("'{}' is an allowance too", id), "expected one price for one thing");
    Price price = read_price(parts.map(id), book, sources);
    book.parts.emplace(id, std::move(price));
  }
  parts.finish();
  if (root.has("not_priced")) read_not_priced(root.map("not_priced"), book);
  if (root.has("branding")) {
    for (YamlMap& entry : root.maps("branding")) read_branding(std::move(entry), book, sources);
  }
  root.finish();
  diagnostics.throw_if_any();
  return book;
}

std::vector<std::string> price_book_names(const std::filesystem::path& folder) { return yaml_names(folder); }

PriceBook load_price_book(const std::filesystem::path& folder, std::string_view id) {
  return read_price_book(YamlDocument::load(yaml_path(folder, "price book", id)));
}

}  // namespace railyard
