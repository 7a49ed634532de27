// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/dates.h"
#include "base/text.h"
#include "base/yaml_reader.h"
#include "base/yaml_tree.h"

namespace railyard {
namespace {

/// One figure's value or range, read by `read(key)`; low <= typical <= high is checked when each part is a value.
template <class Read>
Range<double> read_range(YamlMap& map, const Diagnostics& diagnostics, const Read& read) {
  if (map.has("value")) {
    if (map.has("low") || map.has("typical") || map.has("high")) {
      map.fail("value", "a value beside a range", "write either 'value' or 'low', 'typical' and 'high'");
    }
    for (const char* key : {"low", "typical", "high"}) {
      if (map.has(key)) read(key);
    }
    return Range<double>::exactly(read("value"));
  }
  const std::size_t mistakes = diagnostics.size();
  const Range<double> range{read("low"), read("typical"), read("high")};
  const bool ordered = range.low <= range.typical && range.typical <= range.high;
  if (!ordered && diagnostics.size() == mistakes) {
    map.fail("typical", "the range is out of order", "expected low <= typical <= high");
  }
  return range;
}
}  // namespace

Evidence YamlMap::evidence(const Sources& sources) {
  Evidence evidence;
  const bool sourced = has("source");
  if (sourced) {
    const std::string id = text("source");
    if (const auto found = sources.find(id); found != sources.end()) {
      evidence = found->second;
    } else {
      std::vector<std::string> names;
      for (const auto& [name, source] : sources) names.push_back(name);
      fail_unknown("source", "source", names);
    }
  }
  evidence.kind = sourced ? EvidenceKind::sourced : EvidenceKind::assumed;
  if (has("assumed")) {
    evidence.kind = EvidenceKind::assumed;
    evidence.rule = text("assumed");
  }
  if (has("derived")) evidence.rule = text("derived");
  if (!sourced && !has("assumed") && node_ != nullptr) {
    report(at_, path_, "a figure without evidence", "add 'source: ID' (an entry of sources) or 'assumed: RULE'");
  }
  return evidence;
}

Figure<double> YamlMap::base_figure(std::string_view key, const UnitKind& kind, const Sources& sources, Bound bound) {
  YamlMap figure = map(key);
  if (figure.node_ == nullptr) return {};
  Figure<double> result;
  result.value =
      read_range(figure, *diagnostics_, [&](std::string_view part) { return figure.base_value(part, kind, bound); });
  result.evidence = figure.evidence(sources);
  figure.finish();
  return result;
}

Figure<double> YamlMap::number_figure(std::string_view key, const Sources& sources, double low, double high) {
  YamlMap figure = map(key);
  if (figure.node_ == nullptr) return {};
  Figure<double> result;
  result.value = read_range(figure, *diagnostics_, [&](std::string_view part) {
    const YamlNode* value = figure.scalar(part);
    if (value == nullptr) return low;
    const bool percent = !value->text.empty() && value->text.back() == '%';
    const QuantityText parsed = percent ? parse_quantity(value->text, units::share) : parse_number(value->text);
    if (!parsed.ok() || parsed.base < low || parsed.base > high) {
      figure.report(value, figure.join(part), fmt::format("found '{}'", shortened(value->text)),
                    fmt::format("expected a number from {:g} to {:g} (or a share in %)", low, high));
      return low;
    }
    return parsed.base;
  });
  result.evidence = figure.evidence(sources);
  figure.finish();
  return result;
}

Figure<InterestRate> YamlMap::interest_figure(std::string_view key, const Sources& sources) {
  YamlMap figure = map(key);
  if (figure.node_ == nullptr) return {};
  Figure<InterestRate> result;
  const auto order = [](const InterestRate& a, const InterestRate& b) {
    return a.compounding == b.compounding && a.per_year <= b.per_year;
  };
  if (figure.has("value")) {
    result.value = Range<InterestRate>::exactly(figure.interest("value"));
  } else {
    const std::size_t mistakes = diagnostics_->size();
    result.value = {figure.interest("low"), figure.interest("typical"), figure.interest("high")};
    const bool read = diagnostics_->size() == mistakes;
    if (read && (!order(result.value.low, result.value.typical) || !order(result.value.typical, result.value.high))) {
      figure.fail("typical", "the range is out of order", "expected low <= typical <= high, all of one compounding");
    }
  }
  result.evidence = figure.evidence(sources);
  figure.finish();
  return result;
}

Sources YamlMap::sources(std::string_view key) {
  Sources result;
  std::optional<YamlMap> list = optional_map(key);
  if (!list) return result;
  for (const std::string& id : list->keys()) {
    YamlMap source = list->map(id);
    Evidence evidence{
        .kind = EvidenceKind::sourced, .source = source.text("title"), .date = source.text("date"), .rule = {}};
    if (!evidence.date.empty() && !is_date(evidence.date) && evidence.date != undated) {
      source.fail("date", "found '" + evidence.date + "'", std::string(date_expected));
    }
    source.finish();
    result.emplace(id, std::move(evidence));
  }
  return result;
}

}  // namespace railyard
