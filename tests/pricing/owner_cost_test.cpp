// SPDX-License-Identifier: Apache-2.0
#include "pricing/owner_cost.h"
#include "tests/catch.h"
#include "tests/pricing/fixture.h"

using namespace railyard;

namespace {

constexpr double gpus_of_d = 1024;

template <class T>
Figure<T> exactly(T value, EvidenceKind kind = EvidenceKind::sourced) {
  return {Range<T>::exactly(value), {.kind = kind, .source = "a test", .date = {}, .rule = {}}};
}

/// Project D: 1 024 H100, 60 months.
OwnerTerms terms_of_d() {
  OwnerTerms terms;
  terms.wacc = exactly(InterestRate{0.10, Compounding::effective});
  terms.life = exactly(5.0 * year);
  terms.salvage_share = exactly(0.10);
  terms.colo = exactly(184.06 * dollar / (kilowatt * month));
  terms.energy = exactly(0.0826 * dollar / kilowatt_hour);
  terms.pue = exactly(1.35);
  terms.load = exactly(0.80);
  terms.staff_per_gpu = exactly(1e6 / gpus_of_d * dollar / year);
  terms.maintenance = exactly(0.03 / year);
  terms.insurance = exactly(0.01 / year);
  terms.software_per_gpu = exactly(0.0 * dollar / year);
  return terms;
}

OwnedCluster cluster_of_d() {
  OwnedCluster cluster;
  cluster.capex = Range<Dollars>::exactly((128 * 283e3 + 2e6) * dollar);
  cluster.provisioned = Range<Watts>::exactly(128 * 10.2 * 1.10 * kilowatt);
  cluster.gpus_owned = 1024;
  return cluster;
}

double value(const OwnerCost& cost, std::string_view id) { return value_of(cost.rows, cost.values, id); }

double hourly(const OwnerCost& cost) { return cost.per_gpu.typical.in(dollar_per_hour); }

template <class T>
Figure<T> around(const Figure<T>& figure, double share) {
  return {{figure.value.typical * (1 - share), figure.value.typical, figure.value.typical * (1 + share)},
          figure.evidence};
}

}  // namespace

TEST_CASE("owner cost: the rows of project D", "[pricing]") {
  const OwnerCost cost = owner_cost(terms_of_d(), cluster_of_d());
  CHECK_THAT(value(cost, "capex"), WithinRel(38'224'000.0, relative));
  CHECK_THAT(value(cost, "power"), WithinRel(1436.16, relative));
  CHECK_THAT(value(cost, "monthly_rate"), WithinRel(0.00797414043, relative));
  CHECK_THAT(value(cost, "colocation"), WithinRel(264339.6096, relative));
  CHECK_THAT(value(cost, "energy_cost"), WithinRel(93525.3817344, relative));
  CHECK_THAT(value(cost, "staff_cost"), WithinRel(83333.3333333333, relative));
  CHECK_THAT(value(cost, "maintenance_cost"), WithinRel(95560.0, relative));
  CHECK_THAT(value(cost, "insurance_cost"), WithinRel(31853.3333333333, relative));
  CHECK_THAT(value(cost, "opex"), WithinRel(568611.65800107, relative));
  CHECK_THAT(value(cost, "opex_per_gpu_hour"), WithinRel(568611.65800107 / 1024 / 730, relative));
  CHECK_THAT(value(cost, "total_per_gpu_hour"), WithinRel(1.7695174379201135, relative));
  // Printed with fewer digits: 1.0088533 and 0.76066414.
  CHECK_THAT(value(cost, "capital_per_gpu_hour"), WithinAbs(1.0088533, 5e-8));
  CHECK_THAT(value(cost, "opex_per_gpu_hour"), WithinAbs(0.76066414, 5e-9));
  CHECK_THAT(hourly(cost), WithinRel(1.7695174379201135, relative));
  CHECK_THAT(cost.total.typical.in(dollar / month), WithinRel(1.7695174379201135 * 1024 * 730, relative));
  CHECK(cost.per_gpu.is_exact());
}

TEST_CASE("owner cost: the capital row is the level payment of the annuity", "[pricing]") {
  const double rate = InterestRate{0.10, Compounding::effective}.per_period(12);
  const OwnerCost cost = owner_cost(terms_of_d(), cluster_of_d());
  CHECK_THAT(value(cost, "capital"), WithinRel(level_payment(38'224'000, rate, 60, 3'822'400), relative));
  OwnerTerms debt = terms_of_d();
  debt.wacc = exactly(InterestRate{0.08, Compounding::nominal});
  CHECK_THAT(value(owner_cost(debt, cluster_of_d()), "capital"),
             WithinRel(level_payment(38'224'000, 0.08 / 12, 60, 3'822'400), relative));
  debt.wacc = exactly(InterestRate{0, Compounding::nominal});
  CHECK_THAT(value(owner_cost(debt, cluster_of_d()), "capital"), WithinRel(0.9 * 38'224'000 / 60, relative));
}

TEST_CASE("owner cost: the tornado of project D, inputs 20 % either way", "[pricing]") {
  // low and high of the published table are the results at the input's low and high end; eight decimals are printed.
  struct Bar {
    const char* id;
    double low, high;
  };
  const Bar bar = GENERATE(Bar{"capex", 1.53365717, 2.00537771}, Bar{"life", 1.95914702, 1.64404739},
                           Bar{"colo", 1.69879301, 1.84024186}, Bar{"wacc", 1.72056721, 1.81868666},
                           Bar{"maintenance", 1.74395023, 1.79508465}, Bar{"pue", 1.74449459, 1.79454028},
                           Bar{"energy", 1.74449459, 1.79454028}, Bar{"staff", 1.74722149, 1.79181339},
                           Bar{"salvage_share", 1.78287522, 1.75615965});
  OwnerTerms terms = terms_of_d();
  OwnedCluster cluster = cluster_of_d();
  constexpr double share = 0.2;
  const std::string id = bar.id;
  if (id == "capex") cluster.capex = {0.8 * cluster.capex.typical, cluster.capex.typical, 1.2 * cluster.capex.typical};
  if (id == "life") terms.life.value = {48.0 * month, 60.0 * month, 72.0 * month};
  if (id == "colo") terms.colo = around(terms.colo, share);
  if (id == "wacc")
    terms.wacc.value = {{0.08, Compounding::effective}, {0.10, Compounding::effective}, {0.12, Compounding::effective}};
  if (id == "maintenance") terms.maintenance = around(terms.maintenance, share);
  if (id == "pue") terms.pue = around(terms.pue, share);
  if (id == "energy") terms.energy = around(terms.energy, share);
  if (id == "staff") terms.staff_per_gpu = around(terms.staff_per_gpu, share);
  if (id == "salvage_share") terms.salvage_share = around(terms.salvage_share, share);
  INFO(id);
  const OwnerCost cost = owner_cost(terms, cluster);
  REQUIRE(cost.swings.size() == 1);
  CHECK(cost.swings[0].id == id);
  CHECK_THAT(cost.swings[0].per_gpu_hour.at_low, WithinAbs(bar.low, 6e-9));
  CHECK_THAT(cost.swings[0].per_gpu_hour.at_high, WithinAbs(bar.high, 6e-9));
  CHECK_THAT(cost.per_gpu.low.in(dollar_per_hour), WithinAbs(std::min(bar.low, bar.high), 6e-9));
  CHECK_THAT(cost.per_gpu.high.in(dollar_per_hour), WithinAbs(std::max(bar.low, bar.high), 6e-9));
}

TEST_CASE("owner cost: with many ranges no mix of their ends leaves the corners", "[pricing]") {
  OwnerTerms terms = terms_of_d();
  terms.life.value = {48.0 * month, 60.0 * month, 72.0 * month};
  terms.salvage_share = around(terms.salvage_share, 1.0);
  terms.colo = around(terms.colo, 0.2);
  terms.wacc.value = {{0.07, Compounding::effective}, {0.10, Compounding::effective}, {0.18, Compounding::effective}};
  const OwnerCost cost = owner_cost(terms, cluster_of_d());
  CHECK(cost.swings.size() == 4);
  for (int mask = 0; mask < 16; ++mask) {
    const auto end = [&](int input) { return (mask >> input & 1) != 0 ? Scenario::high : Scenario::low; };
    OwnerTerms mix = terms_of_d();
    mix.life = exactly(pick(terms.life.value, end(0)));
    mix.salvage_share = exactly(pick(terms.salvage_share.value, end(1)));
    mix.colo = exactly(pick(terms.colo.value, end(2)));
    mix.wacc = exactly(pick(terms.wacc.value, end(3)));
    const DollarsPerSecond mixed = owner_cost(mix, cluster_of_d()).per_gpu.typical;
    CHECK(mixed >= cost.per_gpu.low * (1 - 1e-12));
    CHECK(mixed <= cost.per_gpu.high * (1 + 1e-12));
  }
}

TEST_CASE("owner cost: parts sum to the total", "[pricing]") {
  const OwnerCost cost = owner_cost(terms_of_d(), cluster_of_d());
  double sum = 0;
  for (const char* id :
       {"capital", "colocation", "energy_cost", "staff_cost", "maintenance_cost", "insurance_cost", "software_cost"}) {
    sum += value(cost, id);
  }
  CHECK_THAT(sum, WithinRel(value(cost, "total"), 1e-14));
}

TEST_CASE("owner cost: software is charged per GPU owned", "[pricing]") {
  OwnerTerms terms = terms_of_d();
  terms.software_per_gpu = exactly(8760.0 * dollar / year);  // a dollar an hour
  CHECK_THAT(hourly(owner_cost(terms, cluster_of_d())), WithinRel(2.7695174379201135, relative));
}

TEST_CASE("owner cost: the assumed share counts what rests on assumed figures", "[pricing]") {
  OwnerTerms terms = terms_of_d();
  OwnedCluster cluster = cluster_of_d();
  const OwnerCost none = owner_cost(terms, cluster);
  CHECK(none.assumed_share == 0);
  const double total = value(none, "total");

  // A quarter of capex assumed: a quarter of capital, maintenance and insurance.
  cluster.capex_assumed = 0.25 * cluster.capex.typical;
  const double by_capex = value(none, "capital") + value(none, "maintenance_cost") + value(none, "insurance_cost");
  CHECK_THAT(owner_cost(terms, cluster).assumed_share, WithinRel(0.25 * by_capex / total, 1e-12));

  // Maintenance assumed counts whole, not a quarter more.
  terms.maintenance.evidence.kind = EvidenceKind::assumed;
  CHECK_THAT(owner_cost(terms, cluster).assumed_share,
             WithinRel((0.25 * by_capex + 0.75 * value(none, "maintenance_cost")) / total, 1e-12));

  // An assumed PUE makes energy count, not colocation.
  cluster.capex_assumed = {};
  terms = terms_of_d();
  terms.pue.evidence.kind = EvidenceKind::assumed;
  CHECK_THAT(owner_cost(terms, cluster).assumed_share, WithinRel(value(none, "energy_cost") / total, 1e-12));

  // An assumed salvage counts with what it takes off: salvage x capital / (capex - salvage).
  terms = terms_of_d();
  terms.salvage_share.evidence.kind = EvidenceKind::assumed;
  const double taken_off =
      value(none, "capital") * value(none, "salvage") / (value(none, "capex") - value(none, "salvage"));
  CHECK_THAT(owner_cost(terms, cluster).assumed_share, WithinRel(taken_off / total, 1e-12));
}

TEST_CASE("owner cost: when all is assumed the share is one", "[pricing]") {
  OwnerTerms terms = terms_of_d();
  OwnedCluster cluster = cluster_of_d();
  for (Evidence* evidence :
       {&terms.wacc.evidence, &terms.life.evidence, &terms.salvage_share.evidence, &terms.colo.evidence,
        &terms.energy.evidence, &terms.pue.evidence, &terms.load.evidence, &terms.staff_per_gpu.evidence,
        &terms.maintenance.evidence, &terms.insurance.evidence, &terms.software_per_gpu.evidence}) {
    evidence->kind = EvidenceKind::assumed;
  }
  cluster.capex_assumed = cluster.capex.typical;
  cluster.power_assumed = true;
  const double share = owner_cost(terms, cluster).assumed_share;
  CHECK(share <= 1);
  CHECK_THAT(share, WithinRel(1.0, 1e-12));
}

TEST_CASE("owner cost: a tiny cost of capital is no cost of capital", "[pricing]") {
  // 1 - (1 + r)^-n would lose all digits: at 1e-13 % a year the annuity is the straight line to 1e-14.
  OwnerTerms terms = terms_of_d();
  for (const Compounding compounding : {Compounding::effective, Compounding::nominal}) {
    for (const double rate : {1e-300, 1e-17, 1e-15}) {
      terms.wacc = exactly(InterestRate{rate, compounding});
      CHECK_THAT(value(owner_cost(terms, cluster_of_d()), "capital"), WithinRel(0.9 * 38'224'000 / 60, 1e-12));
    }
  }
}

TEST_CASE("owner cost: a range that starts at no cost of capital is finite and starts at the straight line",
          "[pricing]") {
  OwnerTerms terms = terms_of_d();
  terms.wacc.value = {{0, Compounding::effective}, {0.10, Compounding::effective}, {0.20, Compounding::effective}};
  const OwnerCost cost = owner_cost(terms, cluster_of_d());
  const double straight = (0.9 * 38'224'000 / 60 + value(cost, "opex")) / (1024 * 730);
  CHECK_THAT(cost.per_gpu.low.in(dollar_per_hour), WithinRel(straight, relative));
  terms.wacc.value.typical.per_year = 0;  // typical, but not throughout
  CHECK_THAT(hourly(owner_cost(terms, cluster_of_d())), WithinRel(straight, relative));
}

TEST_CASE("owner cost: a model built once gives the costs at any inputs", "[pricing]") {
  const OwnerModel model(terms_of_d(), cluster_of_d());
  std::vector<double> point;
  std::size_t energy = 0;
  for (const OwnerInput& input : model.inputs()) {
    if (input.id == "energy") energy = point.size();
    point.push_back(input.range.typical);
  }
  CHECK_THAT(model.per_gpu_hour(point), WithinRel(hourly(model.cost()), relative));
  OwnerTerms dear = terms_of_d();
  dear.energy = exactly(0.2 * dollar / kilowatt_hour);
  point[energy] = 0.2;
  CHECK_THAT(model.per_gpu_hour(point), WithinRel(hourly(owner_cost(dear, cluster_of_d())), relative));
}
