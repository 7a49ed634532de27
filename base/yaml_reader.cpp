// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/files.h"
#include "base/nearest_name.h"
#include "base/text.h"
#include "base/yaml_tree.h"

namespace railyard {
namespace {

constexpr std::size_t largest_yaml = 8U << 20U;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '-') digits.remove_prefix(1);
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

YamlDocument::YamlDocument(std::string name, std::shared_ptr<const std::string> text,
                           std::shared_ptr<const YamlNode> root)
    : name_(std::move(name)), text_(std::move(text)), root_(std::move(root)) {}

YamlDocument YamlDocument::parse(std::string text, std::string name) {
  if (text.size() > largest_yaml) {
    throw InputError(
        {Diagnostic{.file = name, .message = "the file is too large", .expected = "expected at most 8 MiB of YAML"}});
  }
  auto root = std::make_shared<const YamlNode>(parse_yaml(text, name));
  return {std::move(name), std::make_shared<const std::string>(std::move(text)), std::move(root)};
}

YamlDocument YamlDocument::load(const std::filesystem::path& path) { return parse(read_file(path), path.string()); }

YamlDocument YamlDocument::with(std::string_view key_path, std::string_view value) const {
  const std::string setting = fmt::format("{}={}", key_path, shortened(value));
  const std::size_t start = value.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || value[start] == '#') {
    throw InputError({Diagnostic{.file = setting,
                                 .message = "the value is empty",
                                 .expected = start == std::string_view::npos
                                                 ? fmt::format("expected {}=VALUE", shortened(key_path))
                                                 : "'#' begins a comment; put quotes around the value"}});
  }
  YamlNode root = *root_;
  set_value(root, key_path, parse_yaml(std::string(value), setting));
  return {name_, text_, std::make_shared<const YamlNode>(std::move(root))};
}

YamlMap YamlDocument::root(Diagnostics& diagnostics) const {
  YamlMap map(root_.get(), root_.get(), "", root_, &diagnostics);
  if (root_->kind != YamlNode::Kind::map) {
    map.report(root_.get(), "", fmt::format("found {}", kind_name(root_->kind)), "expected a map of keys");
    map.node_ = nullptr;
  }
  return map;
}

YamlMap::YamlMap(const YamlNode* node, const YamlNode* at, std::string path,
                 const std::shared_ptr<const YamlNode>& keep, Diagnostics* diagnostics)
    : node_(node), at_(at), path_(std::move(path)), keep_(keep), diagnostics_(diagnostics) {}

std::string YamlMap::join(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void YamlMap::report(const YamlNode* at, std::string path, std::string message, std::string expected) {
  if (node_ == nullptr && at == nullptr) return;
  Diagnostic diagnostic;
  diagnostic.path = std::move(path);
  diagnostic.message = std::move(message);
  diagnostic.expected = std::move(expected);
  if (at != nullptr && at->source) {
    diagnostic.file = at->source->name;
    diagnostic.line = at->line;
    diagnostic.column = at->column;
    diagnostic.source_line = at->source->line(at->line);
    diagnostic.width = static_cast<int>(std::clamp<std::size_t>(at->text.size(), 1, 80));
  }
  diagnostics_->add(std::move(diagnostic));
}

bool YamlMap::has(std::string_view key) const {
  if (std::find(offered_.begin(), offered_.end(), key) == offered_.end()) offered_.emplace_back(key);
  return node_ != nullptr && node_->find(key) != nullptr;
}

bool YamlMap::has_map(std::string_view key) const {
  if (!has(key)) return false;
  return node_->find(key)->value.kind == YamlNode::Kind::map;
}

std::vector<std::string> YamlMap::keys() const {
  std::vector<std::string> names;
  if (node_ != nullptr) {
    for (const YamlEntry& entry : node_->entries) names.push_back(entry.key.text);
  }
  return names;
}

const YamlNode* YamlMap::find(std::string_view key) {
  if (node_ == nullptr) return nullptr;
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  const YamlEntry* entry = node_->find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

const YamlNode* YamlMap::need(std::string_view key) {
  const YamlNode* value = find(key);
  if (value == nullptr && node_ != nullptr) report(at_, path_, fmt::format("the key '{}' is missing", key), {});
  return value;
}

const YamlNode* YamlMap::scalar(std::string_view key) {
  const YamlNode* value = need(key);
  if (value != nullptr && value->kind != YamlNode::Kind::scalar) {
    report(value, join(key), fmt::format("found {}", kind_name(value->kind)), "expected a value");
    return nullptr;
  }
  return value;
}

bool YamlMap::is_text(const YamlNode& value, std::string_view key, std::size_t longest) {
  if (value.text.empty()) {
    report(&value, join(key), "the text is empty", "expected some text");
  } else if (const std::size_t length = characters(value.text); length > longest) {
    report(&value, join(key), fmt::format("the text has {} characters", length),
           fmt::format("expected at most {} characters", longest));
  } else {
    return true;
  }
  return false;
}

std::string YamlMap::text(std::string_view key, std::size_t longest) {
  const YamlNode* value = scalar(key);
  return value != nullptr && is_text(*value, key, longest) ? value->text : std::string();
}

std::string YamlMap::text(std::string_view key, std::string fallback, std::size_t longest) {
  return find(key) == nullptr ? std::move(fallback) : text(key, longest);
}

std::vector<std::string> YamlMap::texts(std::string_view key) {
  std::vector<std::string> result;
  const YamlNode* value = need(key);
  if (value == nullptr) return result;
  if (value->kind != YamlNode::Kind::list) {
    report(value, join(key), fmt::format("found {}", kind_name(value->kind)), "expected a list of names: [a, b]");
    return result;
  }
  for (const YamlNode& item : value->items) {
    if (item.kind != YamlNode::Kind::scalar) {
      report(&item, join(key), fmt::format("found {}", kind_name(item.kind)), "expected a name");
    } else if (is_text(item, key, longest_text)) {
      result.push_back(item.text);
    }
  }
  return result;
}

std::int64_t YamlMap::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return low;
  const std::optional<std::int64_t> number = whole_number(value->text);
  if (!number || *number < low || *number > high) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           fmt::format("expected a whole number from {} to {}", low, high));
    return low;
  }
  return *number;
}

std::int64_t YamlMap::integer(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t fallback) {
  return find(key) == nullptr ? fallback : integer(key, low, high);
}

std::vector<std::int64_t> YamlMap::integers(std::string_view key, std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> result;
  const YamlNode* value = need(key);
  if (value == nullptr) return result;
  const std::string expected = fmt::format("expected a list of whole numbers from {} to {}: [1024, 2048]", low, high);
  if (value->kind != YamlNode::Kind::list || value->items.empty()) {
    report(value, join(key),
           fmt::format("found {}", value->kind == YamlNode::Kind::list ? "an empty list" : kind_name(value->kind)),
           expected);
    return result;
  }
  for (const YamlNode& item : value->items) {
    const std::optional<std::int64_t> number =
        item.kind == YamlNode::Kind::scalar ? whole_number(item.text) : std::nullopt;
    if (number && *number >= low && *number <= high) {
      result.push_back(*number);
    } else {
      report(&item, join(key), fmt::format("found '{}'", shortened(item.text)), expected);
    }
  }
  return result;
}

double YamlMap::number(std::string_view key, double low, double high) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return low;
  const QuantityText parsed = parse_number(value->text);
  if (!parsed.ok() || parsed.base < low || parsed.base > high) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           fmt::format("expected a number from {:g} to {:g}", low, high));
    return low;
  }
  return parsed.base;
}

double YamlMap::number(std::string_view key, double low, double high, double fallback) {
  return find(key) == nullptr ? fallback : number(key, low, high);
}

bool YamlMap::flag(std::string_view key, bool fallback) {
  if (find(key) == nullptr) return fallback;
  const YamlNode* value = scalar(key);
  if (value == nullptr) return fallback;
  if (value->text != "true" && value->text != "false") {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)), "expected true or false");
  }
  return value->text == "true";
}

InterestRate YamlMap::interest(std::string_view key) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return {};
  const InterestText parsed = parse_interest(value->text);
  if (!parsed.error.empty()) report(value, join(key), fmt::format("found '{}'", shortened(value->text)), parsed.error);
  return parsed.rate;
}

double YamlMap::share(std::string_view key, double high) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return 0;
  const QuantityText parsed = parse_quantity(value->text, units::share);
  if (!parsed.ok() || parsed.base < 0 || parsed.base > high) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           parsed.ok() ? fmt::format("expected a share from 0 to {:g} %", high * 100) : parsed.error);
    return 0;
  }
  return parsed.base;
}

double YamlMap::base_value(std::string_view key, const UnitKind& kind, Bound bound) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return 0;
  const QuantityText parsed = parse_quantity(value->text, kind);
  if (!parsed.ok()) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)), parsed.error);
    return 0;
  }
  const bool inside = bound == Bound::any || (bound == Bound::positive ? parsed.base > 0 : parsed.base >= 0);
  if (!inside) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           fmt::format("expected {} {}", kind.what, bound == Bound::positive ? "above zero" : "that is not negative"));
  }
  return parsed.base;
}

std::int64_t YamlMap::counted(std::string_view key, std::string_view word) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return 1;
  std::string_view number = value->text;
  if (number.ends_with(word)) {
    number.remove_suffix(word.size());
    while (!number.empty() && number.back() == ' ') number.remove_suffix(1);
  }
  const std::optional<std::int64_t> parsed = whole_number(number);
  constexpr std::int64_t most = 1'000'000'000'000;
  if (!parsed || *parsed < 1 || *parsed > most) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)),
           fmt::format("expected a whole number of {}s above zero, such as '2048 {}', at most {}", word, word, most));
    return 1;
  }
  return *parsed;
}

std::size_t YamlMap::choice(std::string_view key, std::span<const std::string> names) {
  const YamlNode* value = scalar(key);
  if (value == nullptr) return 0;
  const auto found = std::find(names.begin(), names.end(), value->text);
  if (found == names.end()) {
    report(value, join(key), fmt::format("found '{}'", shortened(value->text)), expected_names(value->text, names));
    return 0;
  }
  return static_cast<std::size_t>(found - names.begin());
}

YamlMap YamlMap::map(std::string_view key) {
  const YamlNode* value = need(key);
  if (value != nullptr && value->kind != YamlNode::Kind::map) {
    report(value, join(key), fmt::format("found {}", kind_name(value->kind)), "expected a map of keys");
    value = nullptr;
  }
  const YamlNode* at = value == nullptr ? nullptr : &node_->find(key)->key;
  return {value, at, join(key), keep_, diagnostics_};
}

std::optional<YamlMap> YamlMap::optional_map(std::string_view key) {
  if (find(key) == nullptr) return std::nullopt;
  return map(key);
}

std::vector<YamlMap> YamlMap::maps(std::string_view key) {
  std::vector<YamlMap> result;
  const YamlNode* value = need(key);
  if (value == nullptr) return result;
  if (value->kind != YamlNode::Kind::list || value->items.empty()) {
    report(value, join(key),
           fmt::format("found {}", value->kind == YamlNode::Kind::list ? "an empty list" : kind_name(value->kind)),
           "expected a list of maps");
    return result;
  }
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    const YamlNode& item = value->items[i];
    const std::string path = fmt::format("{}[{}]", join(key), i);
    if (item.kind != YamlNode::Kind::map) {
      report(&item, path, fmt::format("found {}", kind_name(item.kind)), "expected a map of keys");
      continue;
    }
    result.push_back(YamlMap(&item, &item, path, keep_, diagnostics_));
  }
  return result;
}

void YamlMap::fail(std::string_view key, std::string message, std::string expected) {
  if (node_ == nullptr) return;
  const YamlEntry* entry = node_->find(key);
  report(entry == nullptr ? at_ : &entry->value, entry == nullptr ? path_ : join(key), std::move(message),
         std::move(expected));
}

void YamlMap::fail_unknown(std::string_view key, std::string_view what, std::span<const std::string> names) {
  if (node_ == nullptr) return;
  const YamlEntry* entry = node_->find(key);
  const std::string found = entry == nullptr ? std::string() : entry->value.text;
  fail(key, fmt::format("unknown {} '{}'", what, shortened(found)), expected_names(found, names));
}

void YamlMap::finish() {
  if (node_ == nullptr) return;
  std::vector<std::string> names = asked_;
  for (const std::string& name : offered_) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (const YamlEntry& entry : node_->entries) {
    if (std::find(asked_.begin(), asked_.end(), entry.key.text) == asked_.end()) {
      report(&entry.key, join(entry.key.text), "unknown key", expected_names(entry.key.text, names));
    }
  }
}

}  // namespace railyard
