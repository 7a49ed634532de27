// SPDX-License-Identifier: Apache-2.0
#include "tests/report/tiny_result.h"

#include "sim/study/owner_validation.h"
#include "sim/study/pipeline.h"

using namespace railyard;

namespace {

Evidence sourced(const char* source) {
  return {.kind = EvidenceKind::sourced, .source = source, .date = "2024-10", .rule = ""};
}
Evidence assumed(const char* rule) { return {.kind = EvidenceKind::assumed, .source = "", .date = "", .rule = rule}; }

OwnerTerms terms() {
  OwnerTerms all;
  all.buyer = "neocloud";
  all.wacc = {Range<InterestRate>::exactly({0.12, Compounding::nominal}), sourced("A lender")};
  all.life = {{4.0 * year, 5.0 * year, 6.0 * year}, sourced("Filings")};
  all.salvage_share = {Range<double>::exactly(0.1), assumed("a tenth")};
  all.colo = {Range<DollarsPerJoule>::exactly(180.0 * dollar / (kilowatt * month)), sourced("A broker")};
  all.energy = {Range<DollarsPerJoule>::exactly(0.08 * dollar / kilowatt_hour), sourced("A utility")};
  all.pue = {{1.1, 1.25, 1.4}, sourced("A site")};
  all.load = {Range<double>::exactly(0.8), assumed("as others do")};
  all.staff_per_gpu = {Range<DollarsPerSecond>::exactly(960.0 * dollar / year), assumed("five people")};
  all.maintenance = {Range<Frequency>::exactly(0.03 / year), sourced("A book")};
  all.insurance = {Range<Frequency>::exactly(0.01 / year), assumed("one in a hundred")};
  all.software_per_gpu = {Range<DollarsPerSecond>::exactly(0.0 * dollar / year), assumed("own")};
  return all;
}

CapexLine line(const char* part, const char* category, bool back_end, int quantity, double each,
               const Evidence& evidence) {
  const Range<Dollars> unit{0.9 * each * dollar, each * dollar, 1.2 * each * dollar};
  return {part, std::string("The ") + part, category, back_end, quantity, unit, unit * quantity, evidence};
}

ResultRow row(const std::string& cluster, int gpus, int radix, double headline) {
  ResultRow result;
  result.cluster = cluster;
  result.design = radix == 64 ? "wide" : "narrow";
  result.gpu = "gpu";
  result.profile = "gpu-soft";
  result.server = "box";
  result.price_book = "2024-12";
  result.model = "model";
  result.sequence = 4096;
  result.gpus = gpus;
  result.nodes = gpus / 8;
  result.spare_nodes = 1;
  result.recipe.id = result.design;
  result.recipe.fabric = "roce";
  result.recipe.topology = "rail-fat-tree";
  result.recipe.switch_id = radix == 64 ? "switch-64" : "switch-32";
  result.shape.radix = radix;
  result.shape.rails = 8;
  const int switches = 3 * gpus / radix;
  result.bill.counts.tiers = 2;
  result.bill.counts.layers = {{"leaf", 2 * gpus / radix, gpus, gpus}, {"spine", gpus / radix, gpus, 0}};
  result.bill.counts.links = {gpus, gpus, 0};
  result.bill.counts.cables_by_medium = {{"multimode", 2 * gpus}};
  result.bill.counts.cables = 2 * gpus;
  result.bill.counts.node_modules = gpus;
  result.bill.counts.leaf_modules = 2 * gpus;
  result.bill.counts.spine_modules = gpus;
  result.bill.counts.switches = switches;
  result.bill.network_power = Range<Watts>::exactly(1000.0 * switches * watt);
  result.capex.lines = {line("box", "server", false, result.nodes + 1, 200000, sourced("A list")),
                        line(result.recipe.switch_id.c_str(), "switch", true, switches, 30000, sourced("A list")),
                        line("optic", "module", true, 4 * gpus, 700, assumed("as a like part")),
                        line("fibre", "cable", true, 2 * gpus, 100, assumed("by length"))};
  result.provisioned = Range<Watts>::exactly(1250.0 * gpus * watt);
  result.owner = owner_cost(terms(), {.capex = result.capex.total(),
                                      .capex_assumed = result.capex.assumed(),
                                      .provisioned = result.provisioned,
                                      .power_assumed = false,
                                      .gpus_owned = gpus + 8});
  result.choice.strategy = parse_strategy(gpus == 64 ? "tp=8 pp=2 gbs=64 seq=4096" : "tp=8 pp=4 gbs=64 seq=4096");
  result.step.breakdown[0] = 1.5 * second;
  result.step.breakdown[1] = 0.5 * second;
  result.step.breakdown[4] = 0.0004 * second;
  result.step.step_time = 2.0004 * second;
  result.step_time = {1.8 * second, 2.0004 * second, 2.5 * second};
  result.mfu = {0.4, 0.45, 0.5};
  result.goodput = {0.9, 0.95, 0.99};
  result.effective_pflops = {20, 25, 30};
  result.usd_per_pflop_hour = {0.8 * headline, headline, 1.5 * headline};
  result.speed_assumed = radix == 32;
  result.evidence = owner_evidence(terms());
  result.evidence.push_back({EvidenceGroup::speed, "gpu-soft", "HBM", {2.9, 3, 3.1}, "TB/s", sourced("A benchmark")});
  return result;
}

}  // namespace

StudyResult tiny_result(const std::string& name) {
  StudyResult result{
      .title = "A tiny study",
      .workload = "model seq=4096 gbs=64",
      .precision = "bf16",
      .price_book = "2024-12",
      .buyer = "neocloud",
      .input_hash = "0123456789abcdef",
      .rows = {row(name, 64, 64, 4), row(name, 128, 64, 5), row("Beta", 64, 32, 4.5), row("Beta", 128, 32, 20)},
      .verdicts = {},
      .published_costs = {}};
  for (const auto& [one, other] : {std::pair{0, 2}, std::pair{1, 3}}) {
    const ResultRow* rows[] = {&result.rows[static_cast<std::size_t>(one)],
                               &result.rows[static_cast<std::size_t>(other)]};
    result.verdicts.push_back(compare_rows(rows));
  }
  const PublishedOwnerCost published[] = {{.gpu = "gpu",
                                           .buyer = "neocloud",
                                           .source = "A newsletter",
                                           .date = "2025-08",
                                           .publisher = "A publisher",
                                           .design = "wide",
                                           .gpus = 80,
                                           .usd_per_gpu_hour = 1.6,
                                           .place = ""}};
  const auto stated = [](OwnerTermKind kind, double value, const char* date) {
    return PublishedTerm{.publisher = "A publisher",
                         .gpu = "gpu",
                         .buyer = "neocloud",
                         .kind = kind,
                         .value = value,
                         .source = "A page",
                         .date = date,
                         .place = ""};
  };
  const PublishedTerm terms_stated[] = {stated(OwnerTermKind::capex, 30, "2025-06"),
                                        stated(OwnerTermKind::power, 1.8, "2025-08"),
                                        stated(OwnerTermKind::energy, 0.07, "2023-01")};
  result.published_costs = beside_published(result.rows, terms(), published, terms_stated);
  return result;
}
