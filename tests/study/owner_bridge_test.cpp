// SPDX-License-Identifier: Apache-2.0
#include "sim/study/owner_bridge.h"

#include <cmath>

#include "sim/study/owner_validation.h"
#include "sim/study/pipeline.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

using namespace railyard;

namespace {

OwnerTerms neocloud() { return shipped().owner("neocloud"); }

ResultRow priced(const OwnerTerms& owner) {
  RowRequest request;
  request.cluster.name = "A";
  request.cluster.design = "ndr-rail";
  request.cluster.gpu = "h100";
  request.gpus = 256;
  request.owner = owner;
  request.price_book = "2024-12";
  return price_cluster(request, shipped()).row;
}

PublishedOwnerCost published(double cost) {
  return {.gpu = "h100",
          .buyer = "neocloud",
          .source = "s",
          .date = "2025-08",
          .publisher = "P",
          .gpus = 256,
          .usd_per_gpu_hour = cost};
}

PublishedTerm stated(OwnerTermKind kind, double value, const char* gpu = "h100", const char* buyer = "neocloud",
                     const char* date = "2025-08") {
  return {.publisher = "P",
          .gpu = gpu,
          .buyer = buyer,
          .kind = kind,
          .value = value,
          .source = "s",
          .date = date,
          .place = "t"};
}

double ours_of(const ResultRow& row) { return row.owner.per_gpu.typical.in(dollar_per_hour); }

double sum_of(const OwnerBridge& bridge) {
  double sum = bridge.unexplained;
  for (const BridgeStep& step : bridge.steps) sum += step.change;
  return sum;
}

}  // namespace

TEST_CASE("owner bridge: without published terms the whole difference is not explained", "[study]") {
  const ResultRow row = priced(neocloud());
  const OwnerBridge bridge = owner_bridge(row, neocloud(), published(1.69), {});
  CHECK(bridge.steps.empty());
  CHECK_THAT(bridge.unexplained, WithinRel(1.69 - ours_of(row), 1e-12));
  CHECK(bridge.not_stated.size() == owner_term_count);
}

TEST_CASE("owner bridge: steps and what is left sum to the difference, for every shipped row", "[study]") {
  const std::vector<PublishedTerm> terms = shipped().published_owner_terms();
  int steps = 0;
  for (const PublishedOwnerCost& each : shipped().published_owner_costs()) {
    if (each.gpu == "mi300x" || each.gpu == "b200") continue;  // as H200: power alone
    RowRequest request;
    request.cluster.name = each.gpu;
    request.cluster.design = each.design;
    request.cluster.gpu = each.gpu;
    request.gpus = 288;  // boxes of 8 and racks of 72
    request.owner = shipped().owner(each.buyer);
    request.price_book = "2026-09";
    const ResultRow row = price_cluster(request, shipped()).row;
    const OwnerBridge bridge = owner_bridge(row, request.owner, each, terms);
    INFO(each.gpu << " " << each.buyer);
    CHECK_THAT(sum_of(bridge), WithinAbs(each.usd_per_gpu_hour - ours_of(row), 1e-12));
    CHECK(bridge.steps.size() + bridge.stated_elsewhen.size() + bridge.not_stated.size() == owner_term_count);
    CHECK_FALSE(bridge.steps.empty());
    steps += static_cast<int>(bridge.steps.size());
  }
  // H100: server, capex and power of the one buyer, server, capex without storage and power of the other; H200: the
  // capital charge of one and the power of both; GB200: server, capex and power, and power.
  CHECK(steps == 6 + 3 + 4);
}

TEST_CASE("owner bridge: no figure of ours changes by published terms", "[study]") {
  const ResultRow row = priced(neocloud());
  const PublishedTerm terms[] = {stated(OwnerTermKind::capex, 20), stated(OwnerTermKind::wacc, 5)};
  const PublishedOwnerCost costs[] = {published(1.69)};
  const std::vector<OwnerComparison> without = beside_published({&row, 1}, neocloud(), costs, {});
  const std::vector<OwnerComparison> with = beside_published({&row, 1}, neocloud(), costs, terms);
  REQUIRE(with.size() == 1);
  CHECK(with[0].bridge.steps.size() == 2);
  CHECK(with[0].ours == without[0].ours);
  CHECK(with[0].ours.typical == ours_of(row));
  CHECK(with[0].items == without[0].items);
  CHECK(with[0].difference == without[0].difference);
}

TEST_CASE("owner bridge: our own terms, stated again, change nothing", "[study]") {
  // The neocloud's rate is effective; a term of the table is turned into an effective rate too.
  const OwnerTerms owner = neocloud();
  const ResultRow row = priced(owner);
  const double gpus = value_of(row.owner.rows, row.owner.values, "gpus");
  const double pue = owner.pue.value.typical;
  const PublishedTerm terms[] = {stated(OwnerTermKind::capex, row.capex.total().typical.in(1e3 * dollar) / gpus),
                                 stated(OwnerTermKind::wacc, 100 * owner.wacc.value.typical.per_year),
                                 stated(OwnerTermKind::life, owner.life.value.typical.in(year)),
                                 stated(OwnerTermKind::pue, pue),
                                 stated(OwnerTermKind::power, row.provisioned.typical.in(kilowatt)*pue / gpus)};
  const OwnerBridge bridge = owner_bridge(row, owner, published(1.69), terms);
  REQUIRE(bridge.steps.size() == 5);
  for (const BridgeStep& step : bridge.steps) {
    INFO(step.term);
    CHECK_THAT(step.ours, WithinRel(step.published, 1e-12));
    CHECK_THAT(step.change, WithinAbs(0, 1e-12));
    CHECK_THAT(step.alone, WithinAbs(0, 1e-12));
  }
}

TEST_CASE("owner bridge: each kind of term does by hand what it says", "[study]") {
  const OwnerTerms owner = neocloud();
  const ResultRow row = priced(owner);
  const auto value = [&](const char* id) { return value_of(row.owner.rows, row.owner.values, id); };
  const double gpu_hours = value("gpus") * value("hours");
  const auto alone = [&](OwnerTermKind kind, double stated_value) {
    const PublishedTerm term = stated(kind, stated_value);
    const OwnerBridge bridge = owner_bridge(row, owner, published(1.69), {&term, 1});
    REQUIRE(bridge.steps.size() == 1);
    CHECK(bridge.steps[0].change == bridge.steps[0].alone);
    return bridge.steps[0].change;
  };
  // Capital, maintenance and insurance are proportional to the capex: half of it takes half of them away.
  const double of_capex = (value("capital") + value("maintenance_cost") + value("insurance_cost")) / gpu_hours;
  CHECK_THAT(alone(OwnerTermKind::capex, 0.5 * value("capex") / value("gpus") / 1e3), WithinRel(-0.5 * of_capex, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::capital, 0.25), WithinRel(0.25 - value("capital") / gpu_hours, 1e-9));
  // Twice the power at the meter is twice the colocation and twice the energy.
  const double of_power = (value("colocation") + value("energy_cost")) / gpu_hours;
  CHECK_THAT(alone(OwnerTermKind::power, 2 * value("power") * value("pue") / value("gpus")), WithinRel(of_power, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::pue, 2 * value("pue")), WithinRel(value("energy_cost") / gpu_hours, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::colo, 0), WithinRel(-value("colocation") / gpu_hours, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::energy, 0), WithinRel(-value("energy_cost") / gpu_hours, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::load, 0), WithinRel(-value("energy_cost") / gpu_hours, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::staff, 0), WithinRel(-value("staff_cost") / gpu_hours, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::software, 0), WithinRel(-value("software_cost") / gpu_hours, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::maintenance, 0), WithinRel(-value("maintenance_cost") / gpu_hours, 1e-9));
  CHECK_THAT(alone(OwnerTermKind::insurance, 0), WithinRel(-value("insurance_cost") / gpu_hours, 1e-9));
  // Without interest and salvage the capex is repaid in equal parts; longer lives cost less.
  const PublishedTerm plain[] = {stated(OwnerTermKind::wacc, 0), stated(OwnerTermKind::life, 4),
                                 stated(OwnerTermKind::salvage, 0)};
  const OwnerBridge bridge = owner_bridge(row, owner, published(1.69), plain);
  REQUIRE(bridge.steps.size() == 3);
  double change = 0;
  for (const BridgeStep& step : bridge.steps) change += step.change;
  const double straight = value("capex") / (4 * 8760) / value("gpus");
  CHECK_THAT(change, WithinRel(straight - value("capital") / gpu_hours, 1e-9));
  CHECK(alone(OwnerTermKind::life, 4) > alone(OwnerTermKind::life, 6));
}

TEST_CASE("owner bridge: a capex that is stated leaves no trace of the servers before it", "[study]") {
  const ResultRow row = priced(neocloud());
  const PublishedTerm chain[] = {stated(OwnerTermKind::server_price, 20),
                                 stated(OwnerTermKind::capex_without_storage, 30), stated(OwnerTermKind::capex, 31)};
  const OwnerBridge bridge = owner_bridge(row, neocloud(), published(1.69), chain);
  REQUIRE(bridge.steps.size() == 3);
  CHECK_THAT(bridge.steps[0].change + bridge.steps[1].change + bridge.steps[2].change,
             WithinRel(bridge.steps[2].alone, 1e-9));
  CHECK_THAT(bridge.steps[0].ours, WithinRel(256.4 / 8, 1e-9));  // the trimmed server of the book
}

TEST_CASE("owner bridge: terms of others, of other GPUs and of other times stay out", "[study]") {
  const ResultRow row = priced(neocloud());
  PublishedTerm other = stated(OwnerTermKind::wacc, 5);
  other.publisher = "Q";
  const PublishedTerm terms[] = {
      other, stated(OwnerTermKind::capex, 20, "h200"), stated(OwnerTermKind::capex, 20, "h100", "hyperscaler"),
      stated(OwnerTermKind::energy, 0.07, "", "", "2024-07"), stated(OwnerTermKind::colo, 100, "", "", "2024-08")};
  const OwnerBridge bridge = owner_bridge(row, neocloud(), published(1.69), terms);
  REQUIRE(bridge.steps.size() == 1);  // twelve months away
  CHECK(bridge.steps[0].term == "colo");
  REQUIRE(bridge.stated_elsewhen.size() == 1);  // thirteen
  CHECK(bridge.stated_elsewhen[0].term == "energy");
  CHECK(bridge.not_stated.size() == owner_term_count - 2);
}

TEST_CASE("owner bridge: the most closely meant term counts, two alike are an error", "[study]") {
  const ResultRow row = priced(neocloud());
  const PublishedTerm terms[] = {stated(OwnerTermKind::colo, 100, "", ""), stated(OwnerTermKind::colo, 150),
                                 stated(OwnerTermKind::colo, 120, "", "neocloud")};
  const OwnerBridge bridge = owner_bridge(row, neocloud(), published(1.69), terms);
  REQUIRE(bridge.steps.size() == 1);
  CHECK(bridge.steps[0].published == 150);
  const PublishedTerm alike[] = {stated(OwnerTermKind::colo, 100), stated(OwnerTermKind::colo, 150)};
  CHECK_THROWS_WITH(owner_bridge(row, neocloud(), published(1.69), alike), ContainsSubstring("is stated at t too"));
}

TEST_CASE("published terms: values with units a GPU, and a nominal rate becomes an effective one", "[study]") {
  const CsvFile file = parse_csv(
      "publisher,gpu,buyer,term,value,per_gpus,source,date\n"
      "P,h100,,server_price,190 k$,8,s,2025-08\n"
      "P,,,wacc,12 %/year nominal,,s,2025-08\n"
      "P,,,energy,78 $/MWh,,s,2025\n"
      "P,,,pue,1.25,,s,2025-08\n"
      "P,,,maintenance,3 %/year,,s,2025-08-31\n",
      "terms.csv");
  const std::vector<PublishedTerm> terms = read_published_terms(file);
  REQUIRE(terms.size() == 5);
  CHECK_THAT(terms[0].value, WithinRel(23.75, 1e-12));
  CHECK_THAT(terms[1].value, WithinRel(100 * (std::pow(1.01, 12) - 1), 1e-12));
  CHECK_THAT(terms[2].value, WithinRel(0.078, 1e-12));
  CHECK(terms[3].value == 1.25);
  CHECK_THAT(terms[4].value, WithinRel(3, 1e-12));
}

TEST_CASE("published terms: what cannot be read names file, line and column", "[study]") {
  const auto [row, message] = GENERATE(table<std::string, std::string>(
      {{"P,,,colocation,184 $/kW/month,,s,2025-08", "terms.csv:2:1: error: term: found 'colocation'"},
       {"P,,,waac,13 %/year,,s,2025-08", "did you mean 'wacc'?"},
       {"P,,,energy,0.08 $/kW/month,,s,2025-08", "value: found '0.08 $/kW/month'"},
       {"P,,,pue,0.9,,s,2025-08", "expected from 1 to 5"},
       {"P,,,capex,250 k$,,s,2025-08", "per_gpus: found ''"},
       {"P,,,pue,1.2,8,s,2025-08", "per_gpus: found '8'"},
       {"P,,,pue,1.2,,s,lately", "date: found 'lately'"},
       {",,,pue,1.2,,s,2025-08", "publisher: found ''"}}));
  const CsvFile file = parse_csv("publisher,gpu,buyer,term,value,per_gpus,source,date\n" + row + "\n", "terms.csv");
  CHECK_THROWS_WITH(read_published_terms(file), ContainsSubstring(message));
}

TEST_CASE("published costs and terms: a column that is unknown is an error", "[study]") {
  const CsvFile costs = parse_csv("gpu,buyer,design,gpus,usd_per_gpu_hour,source,date,publishre\n", "costs.csv");
  CHECK_THROWS_WITH(read_published_costs(costs), ContainsSubstring("the column 'publishre' is unknown"));
}
