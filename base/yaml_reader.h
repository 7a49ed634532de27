// SPDX-License-Identifier: Apache-2.0
// Reads YAML strictly: every mistake is a diagnostic with place, expectation and nearest name; nothing is ignored.
// The getters of YamlMap note the keys asked for and record mistakes instead of throwing; finish() reports the rest as
// unknown. After a whole file is read, Diagnostics::throw_if_any ends the reading. The only user of yaml-cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/evidence.h"
#include "base/quantity_text.h"
#include "base/units.h"

namespace railyard {

struct YamlNode;  // a scalar, map or sequence with its place; private to the reader
class YamlMap;

/// Where a quantity may lie.
enum class Bound { positive, not_negative, any };

/// Characters of a text that no getter was told to take longer: a description of a few sentences fits.
inline constexpr std::size_t longest_text = 600;

/// A parsed file. Copies share the tree until one is changed.
class YamlDocument {
 public:
  /// Parses text; `name` stands in messages. Throws InputError for what is not UTF-8, control characters (in values
  /// also line breaks and tabs), tabs in indentation, syntax errors, aliases and duplicate keys.
  static YamlDocument parse(std::string text, std::string name);
  /// Reads and parses a file; throws InputError when it is missing or not text.
  static YamlDocument load(const std::filesystem::path& path);

  /// A copy with the value at a dotted key path (owner.wacc, clusters[1].gpu) replaced or added; the value is YAML
  /// text. Throws InputError when the path leads through something that is no map or list.
  [[nodiscard]] YamlDocument with(std::string_view key_path, std::string_view value) const;

  /// The top-level map; `diagnostics` collects the mistakes and must outlive the maps.
  [[nodiscard]] YamlMap root(Diagnostics& diagnostics) const;
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The text as read (before `with`).
  [[nodiscard]] const std::string& text() const { return *text_; }

 private:
  YamlDocument(std::string name, std::shared_ptr<const std::string> text, std::shared_ptr<const YamlNode> root);
  std::string name_;
  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const YamlNode> root_;
};

/// Sources named in a file's `sources:` map, by id.
using Sources = std::map<std::string, Evidence, std::less<>>;

/// A map of the file. Getters without a fallback need the key; those with one give the fallback when it is absent.
/// A getter that meets a mistake records it and gives a harmless value.
class YamlMap {
 public:
  [[nodiscard]] bool has(std::string_view key) const;
  /// The value is there and is a map, for keys that take a name or a map.
  [[nodiscard]] bool has_map(std::string_view key) const;
  /// Keys in file order (of a map whose keys are names, such as `sources`).
  [[nodiscard]] std::vector<std::string> keys() const;
  [[nodiscard]] const std::string& path() const { return path_; }

  /// One line of text, not empty, of at most `longest` characters.
  std::string text(std::string_view key, std::size_t longest = longest_text);
  std::string text(std::string_view key, std::string fallback, std::size_t longest = longest_text);
  std::vector<std::string> texts(std::string_view key);
  /// A whole number within [low, high].
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high);
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t fallback);
  std::vector<std::int64_t> integers(std::string_view key, std::int64_t low, std::int64_t high);
  /// A plain number without dimension within [low, high].
  double number(std::string_view key, double low, double high);
  double number(std::string_view key, double low, double high, double fallback);
  bool flag(std::string_view key, bool fallback);
  InterestRate interest(std::string_view key);

  template <Dimension D>
  Quantity<D> quantity(std::string_view key, const UnitFamily<D>& family, Bound bound = Bound::not_negative) {
    return detail::QuantityAccess::from_base<D>(base_value(key, family, bound));
  }
  template <Dimension D>
  Quantity<D> quantity(std::string_view key, const UnitFamily<D>& family, Bound bound, Quantity<D> fallback) {
    return has(key) ? quantity(key, family, bound) : fallback;
  }
  /// "85 %" as 0.85, within [0, high].
  double share(std::string_view key, double high = 1);

  /// A count with its word: count<SequenceTag>("global_batch", "sequence") reads "2048 sequence" or "2048".
  template <class Tag>
  Count<Tag> count(std::string_view key, std::string_view word) {
    return {counted(key, word)};
  }

  /// A figure with evidence: {value: X, source: ID} or {low: A, typical: B, high: C, source: ID, assumed: RULE};
  /// one of source and assumed is needed; `source` names an entry of `sources`.
  template <Dimension D>
  Figure<Quantity<D>> figure(std::string_view key, const UnitFamily<D>& family, const Sources& sources,
                             Bound bound = Bound::not_negative) {
    const Figure<double> raw = base_figure(key, family, sources, bound);
    const auto wrap = [](double base) { return detail::QuantityAccess::from_base<D>(base); };
    return {{wrap(raw.value.low), wrap(raw.value.typical), wrap(raw.value.high)}, raw.evidence};
  }
  /// The same for a number without dimension, within [low, high]; written as a plain number ("1.25") or a share ("85
  /// %").
  Figure<double> number_figure(std::string_view key, const Sources& sources, double low, double high);
  /// The same for a rate of interest given once: {value: 13 %/year effective, source: ID}.
  Figure<InterestRate> interest_figure(std::string_view key, const Sources& sources);

  /// One of the names in `names`; the index of the one found (0 after a mistake).
  std::size_t choice(std::string_view key, std::span<const std::string> names);

  /// Nested map, list of maps, list-or-map access. An absent `optional_map` gives nothing.
  YamlMap map(std::string_view key);
  std::optional<YamlMap> optional_map(std::string_view key);
  std::vector<YamlMap> maps(std::string_view key);

  /// Reads the file's `sources: {id: {title: ..., date: ...}}`.
  Sources sources(std::string_view key = "sources");

  /// Records a mistake of meaning at the value of `key` (or at this map when the key is absent).
  void fail(std::string_view key, std::string message, std::string expected = {});
  /// "'x' is unknown" at the value of `key`, with the names that would do.
  void fail_unknown(std::string_view key, std::string_view what, std::span<const std::string> names);

  /// Reports keys that were never asked for. Call once, after the last getter.
  void finish();

 private:
  friend class YamlDocument;
  YamlMap(const YamlNode* node, const YamlNode* at, std::string path, const std::shared_ptr<const YamlNode>& keep,
          Diagnostics* diagnostics);

  const YamlNode* find(std::string_view key);
  const YamlNode* need(std::string_view key);
  const YamlNode* scalar(std::string_view key);
  bool is_text(const YamlNode& value, std::string_view key, std::size_t longest);
  [[nodiscard]] std::string join(std::string_view key) const;
  void report(const YamlNode* at, std::string path, std::string message, std::string expected);
  double base_value(std::string_view key, const UnitKind& kind, Bound bound);
  Figure<double> base_figure(std::string_view key, const UnitKind& kind, const Sources& sources, Bound bound);
  Evidence evidence(const Sources& sources);
  std::int64_t counted(std::string_view key, std::string_view word);

  const YamlNode* node_ = nullptr;  // the map; null after a mistake
  const YamlNode* at_ = nullptr;    // where messages about the whole map point: its key
  std::string path_;
  std::shared_ptr<const YamlNode> keep_;
  Diagnostics* diagnostics_ = nullptr;
  std::vector<std::string> asked_;            // read, hence not unknown
  mutable std::vector<std::string> offered_;  // looked for with has(): valid names for messages
};

}  // namespace railyard
