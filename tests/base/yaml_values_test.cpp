// SPDX-License-Identifier: Apache-2.0
// What the reader gives for right input, and its fallbacks. Wrong input: yaml_messages_test.cpp.
#include <string>
#include <vector>

#include "base/yaml_reader.h"
#include "tests/catch.h"

namespace railyard {
namespace {

TEST_CASE("yaml: every kind of value reads as written", "[base]") {
  const YamlDocument document = YamlDocument::parse(
      "name: H100 InfiniBand   # a comment\n"
      "empty_looking: \"quoted: text\"\n"
      "count: 64\n"
      "negative: -3\n"
      "list: [1024, 2048]\n"
      "names: [a, b]\n"
      "factor: 1.25\n"
      "flag: true\n"
      "wacc: 13 %/year\n"
      "energy: 0.0826 $/kWh\n"
      "global_batch: 2048 sequence\n"
      "tokens: 4096\n"
      "resale: 20 %\n"
      "buyer: neocloud\n",
      "a.yaml");
  Diagnostics diagnostics;
  YamlMap map = document.root(diagnostics);
  CHECK(map.text("name") == "H100 InfiniBand");
  CHECK(map.text("empty_looking") == "quoted: text");
  CHECK(map.integer("count", 1, 100) == 64);
  CHECK(map.integer("negative", -3, 0) == -3);
  CHECK(map.integers("list", 1, 10000) == std::vector<std::int64_t>{1024, 2048});
  CHECK(map.texts("names") == std::vector<std::string>{"a", "b"});
  CHECK(map.number("factor", 1, 2) == 1.25);
  CHECK(map.flag("flag", false));
  CHECK(map.interest("wacc") == InterestRate{0.13, Compounding::effective});
  CHECK_THAT(map.quantity("energy", units::tariff).in(dollar / kilowatt_hour), WithinRel(0.0826, 1e-15));
  CHECK(map.count<struct SequenceTag>("global_batch", "sequence").value == 2048);
  CHECK(map.count<struct TokenTag>("tokens", "token").value == 4096);
  CHECK(map.share("resale") == 0.2);
  const std::vector<std::string> buyers = {"hyperscaler", "neocloud"};
  CHECK(map.choice("buyer", buyers) == 1);
  map.finish();
  CHECK_NOTHROW(diagnostics.throw_if_any());
}

TEST_CASE("yaml: absent keys give their fallback and no mistake", "[base]") {
  const YamlDocument document = YamlDocument::parse("here: 1\n", "a.yaml");
  Diagnostics diagnostics;
  YamlMap map = document.root(diagnostics);
  CHECK_FALSE(map.has("x"));
  CHECK(map.has("here"));
  CHECK(map.text("x", "fallback") == "fallback");
  CHECK(map.integer("x", 0, 9, 5) == 5);
  CHECK(map.number("x", 0, 9, 0.5) == 0.5);
  CHECK(map.flag("x", true));
  CHECK(map.quantity("x", units::power, Bound::positive, 3.0 * watt) == 3.0 * watt);
  CHECK_FALSE(map.optional_map("x").has_value());
  CHECK(map.sources().empty());
  CHECK(map.integer("here", 0, 9, 5) == 1);
  map.finish();
  CHECK(diagnostics.empty());
}

TEST_CASE("yaml: a figure carries its source, its range and its rule", "[base]") {
  const YamlDocument document = YamlDocument::parse(
      "sources:\n"
      "  sheet: {title: H100 datasheet, date: 2023-03}\n"
      "peak: {value: 989 TFLOP/s, source: sheet}\n"
      "price: {low: 12 k$, typical: 16 k$, high: 20 k$, assumed: quotes of that month}\n"
      "power: {low: 9 kW, typical: 10 kW, high: 11 kW, source: sheet, assumed: widened by 10 %}\n"
      "pue: {value: 1.25, source: sheet}\n"
      "share: {value: 85 %, source: sheet}\n"
      "wacc: {value: 8 %/year nominal, source: sheet}\n",
      "a.yaml");
  Diagnostics diagnostics;
  YamlMap map = document.root(diagnostics);
  const Sources sources = map.sources();
  const Figure<FlopRate> peak = map.figure("peak", units::flop_rate, sources);
  CHECK(peak.value == Range<FlopRate>::exactly(989.0 * teraflop_per_second));
  CHECK(peak.evidence == Evidence{EvidenceKind::sourced, "H100 datasheet", "2023-03", ""});
  const Figure<Dollars> price = map.figure("price", units::money, sources);
  CHECK(price.value == Range<Dollars>{12e3 * dollar, 16e3 * dollar, 20e3 * dollar});
  CHECK(price.evidence == Evidence{EvidenceKind::assumed, "", "", "quotes of that month"});
  const Figure<Watts> power = map.figure("power", units::power, sources);
  CHECK(power.evidence == Evidence{EvidenceKind::assumed, "H100 datasheet", "2023-03", "widened by 10 %"});
  CHECK(map.number_figure("pue", sources, 1, 3).value.typical == 1.25);
  CHECK(map.number_figure("share", sources, 0, 1).value.typical == 0.85);
  CHECK(map.interest_figure("wacc", sources).value.typical == InterestRate{0.08, Compounding::nominal});
  map.finish();
  CHECK_NOTHROW(diagnostics.throw_if_any());
}

TEST_CASE("yaml: nested maps and lists of maps know their dotted path", "[base]") {
  const YamlDocument document =
      YamlDocument::parse("owner: {wacc: 1}\nclusters:\n  - {name: a}\n  - {name: b}\n", "a.yaml");
  Diagnostics diagnostics;
  YamlMap map = document.root(diagnostics);
  CHECK(map.keys() == std::vector<std::string>{"owner", "clusters"});
  CHECK(map.map("owner").path() == "owner");
  std::vector<YamlMap> clusters = map.maps("clusters");
  REQUIRE(clusters.size() == 2);
  CHECK(clusters[1].path() == "clusters[1]");
  CHECK(clusters[1].text("name") == "b");
}

TEST_CASE("yaml: a map outlives the document it came from", "[base]") {
  Diagnostics diagnostics;
  YamlMap map = YamlDocument::parse("name: kept\n", "a.yaml").root(diagnostics);
  CHECK(map.text("name") == "kept");
}

}  // namespace
}  // namespace railyard
