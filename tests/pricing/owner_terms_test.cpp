// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "pricing/owner_cost.h"
#include "tests/base/message_of.h"
#include "tests/catch.h"
#include "tests/pricing/fixture.h"

using namespace railyard;

namespace {

OwnerTerms overridden(const std::string& text) {
  const YamlDocument study = YamlDocument::parse(text, "study.yaml");
  Diagnostics diagnostics;
  OwnerTerms terms = read_owner_overrides(load_owner(owner_folder, "neocloud"), study.root(diagnostics).map("owner"));
  diagnostics.throw_if_any();
  return terms;
}

std::string override_error(const std::string& text) {
  return message_of([&] { static_cast<void>(overridden(text)); });
}

template <class T>
void is_users_own(const Figure<T>& figure, T value) {
  CHECK(figure.value == Range<T>::exactly(value));
  CHECK(figure.evidence.kind == EvidenceKind::sourced);
  CHECK(figure.evidence.source == "study");
}

}  // namespace

TEST_CASE("owner: both shipped buyers read and keep the order of their ranges", "[pricing]") {
  const OwnerTerms neocloud = load_owner(owner_folder, "neocloud");
  const OwnerTerms hyperscaler = load_owner(owner_folder, "hyperscaler");
  CHECK(neocloud.buyer == "neocloud");
  CHECK(neocloud.wacc.value.typical.per_year == 0.13);
  CHECK(neocloud.wacc.value.typical.compounding == Compounding::effective);
  CHECK(hyperscaler.wacc.value.typical.per_year < neocloud.wacc.value.typical.per_year);
  CHECK(neocloud.colo.value.typical == 184.06 * dollar / (kilowatt * month));
  CHECK_FALSE(neocloud.colo.evidence.assumed());
  CHECK(hyperscaler.wacc.evidence.assumed());
}

TEST_CASE("owner: a study's plain values are the user's own figures, the rest stays the buyer's", "[pricing]") {
  const OwnerTerms terms = overridden(
      "owner: {buyer: neocloud, wacc: 8 %/year nominal, life: 4 year, salvage: 5 %, colo: 184 $/kW/month, "
      "energy: 0.09 $/kWh, pue: 1.3, load: 85 %, staff: 500 $/year, maintenance: 4 %/year}");
  CHECK(terms.wacc.value.typical == InterestRate{0.08, Compounding::nominal});
  CHECK(terms.wacc.evidence.source == "study");
  is_users_own(terms.life, 4 * year);
  is_users_own(terms.salvage_share, 0.05);
  is_users_own(terms.colo, 184.0 * dollar / (kilowatt * month));
  is_users_own(terms.energy, 0.09 * dollar / kilowatt_hour);
  is_users_own(terms.pue, 1.3);
  is_users_own(terms.load, 0.85);
  is_users_own(terms.staff_per_gpu, 500.0 * dollar / year);
  is_users_own(terms.maintenance, 0.04 / year);
  CHECK(terms.insurance == load_owner(owner_folder, "neocloud").insurance);
  CHECK(terms.software_per_gpu == load_owner(owner_folder, "neocloud").software_per_gpu);
}

TEST_CASE("owner: wrong terms are told in full", "[pricing]") {
  CHECK(override_error("owner:\n  colo: 184 $/kWh\n") ==
        "study.yaml:2:9: error: owner.colo: found '184 $/kWh'\n"
        "    2 |   colo: 184 $/kWh\n"
        "      |         ^~~~~~~~~\n"
        "   '$/kWh' is not a unit of this kind; expected a charge for power capacity with its unit, such as 184 "
        "$/kW/month\n");
  CHECK(override_error("owner:\n  energy: 0.08\n") ==
        "study.yaml:2:11: error: owner.energy: found '0.08'\n"
        "    2 |   energy: 0.08\n"
        "      |           ^~~~\n"
        "   the unit is missing; expected an energy tariff with its unit, such as 0.0826 $/kWh\n");
  CHECK(override_error("owner:\n  wac: 13 %/year\n") ==
        "study.yaml:2:3: error: owner.wac: unknown key\n"
        "    2 |   wac: 13 %/year\n"
        "      |   ^~~\n"
        "   did you mean 'wacc'?\n");
  CHECK(override_error("owner:\n  pue: 0.9\n") ==
        "study.yaml:2:8: error: owner.pue: found '0.9'\n"
        "    2 |   pue: 0.9\n"
        "      |        ^~~\n"
        "   expected a number from 1 to 5\n");
  CHECK(override_error("owner:\n  life: 0 year\n") ==
        "study.yaml:2:9: error: owner.life: found '0 year'\n"
        "    2 |   life: 0 year\n"
        "      |         ^~~~~~\n"
        "   expected a time above zero\n");
  CHECK(override_error("owner:\n  maintenance: -3 %/year\n") ==
        "study.yaml:2:16: error: owner.maintenance: found '-3 %/year'\n"
        "    2 |   maintenance: -3 %/year\n"
        "      |                ^~~~~~~~~\n"
        "   expected a share per year that is not negative\n");
}

TEST_CASE("owner: an unknown buyer is named with the known ones", "[pricing]") {
  try {
    static_cast<void>(load_owner(owner_folder, "neoclod"));
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "error: unknown buyer 'neoclod'\n   expected one of: hyperscaler, neocloud; did you mean 'neocloud'?\n");
  }
}

TEST_CASE("owner: every term has bounds, and the message tells them", "[pricing]") {
  struct Slip {
    const char *key, *value, *expected;
  };
  const auto slip = GENERATE(values<Slip>({
      {"wacc", "201 %/year", "expected a rate of interest from 0 to 200 %/year"},
      {"life", "1e-300 year", "expected a time from 1 month to 50 year"},
      {"life", "51 year", "expected a time from 1 month to 50 year"},
      {"colo", "1e12 $/kW/month", "expected a charge for power capacity from 0 to 100000 $/kW/month"},
      {"energy", "1e12 $/kWh", "expected an energy tariff from 0 to 100 $/kWh"},
      {"pue", "5.1", "expected a number from 1 to 5"},
      {"load", "101 %", "from 0 to 1"},
      {"salvage", "101 %", "from 0 to 1"},
      {"staff", "1e12 $/month", "expected money per time from 0 to 1 M$/year"},
      {"software", "2 M$/year", "expected money per time from 0 to 1 M$/year"},
      {"maintenance", "101 %/year", "expected a share per year from 0 to 100 %/year"},
      {"insurance", "1e12 %/year", "expected a share per year from 0 to 100 %/year"},
  }));
  const std::string key = slip.key;
  CHECK_THAT(override_error("owner:\n  " + key + ": " + slip.value + "\n"), ContainsSubstring(slip.expected));
  // The same in a buyer's file, at the value or at the end of the range that is wrong.
  const YamlDocument file = YamlDocument::load(owner_folder + "/neocloud.yaml");
  CHECK_THROWS_WITH(read_owner(file.with(key, "{value: " + std::string(slip.value) + ", source: cbre}")),
                    ContainsSubstring(key + ".value: found '") && ContainsSubstring(slip.expected));
}

TEST_CASE("owner: the end of a range that is out of bounds is the one told", "[pricing]") {
  const YamlDocument file = YamlDocument::load(owner_folder + "/neocloud.yaml");
  CHECK_THROWS_WITH(
      read_owner(file.with("life", "{low: 1 day, typical: 5 year, high: 6 year, source: filings}")),
      ContainsSubstring("life.low: found '1 day'") && !ContainsSubstring("life.high") && !ContainsSubstring("errors"));
  CHECK_THROWS_WITH(read_owner(file.with("colo",
                                         "{low: 0 $/kW/month, typical: 1 $/kW/month, high: 1e9 $/kW/month, "
                                         "source: cbre}")),
                    ContainsSubstring("colo.high: found '1e9 $/kW/month'") && !ContainsSubstring("errors"));
}

TEST_CASE("owner: terms at their bounds give finite costs", "[pricing]") {
  const OwnedCluster cluster{.capex = Range<Dollars>::exactly(1e12 * dollar),
                             .capex_assumed = 1e12 * dollar,
                             .provisioned = Range<Watts>::exactly(1e7 * kilowatt),
                             .power_assumed = true,
                             .gpus_owned = 1};
  for (const char* text :
       {"{wacc: 200 %/year, life: 50 year, salvage: 0 %, colo: 100000 $/kW/month, energy: 100 $/kWh, pue: 5, load: 100 "
        "%, staff: 1 M$/year, software: 1 M$/year, maintenance: 100 %/year, insurance: 100 %/year}",
        "{wacc: 0 %/year, life: 1 month, salvage: 100 %, colo: 0 $/kW/month, energy: 0 $/kWh, pue: 1, load: 0 %, "
        "staff: "
        "0 $/year, software: 0 $/year, maintenance: 0 %/year, insurance: 0 %/year}",
        "{wacc: 1e-300 %/year effective, life: 50 year}", "{wacc: 1e-13 %/year nominal, salvage: 100 %}"}) {
    INFO(text);
    const OwnerCost cost = owner_cost(overridden(std::string("owner: ") + text), cluster);
    for (const double value : cost.values) CHECK(std::isfinite(value));
    CHECK(std::isfinite(cost.total.high.in(dollar_per_hour)));
    CHECK(cost.assumed_share >= 0);
    CHECK(cost.assumed_share <= 1);
  }
}

TEST_CASE("owner: a file that holds another buyer than its name is refused", "[pricing]") {
  const YamlDocument file = YamlDocument::load(owner_folder + "/neocloud.yaml");
  CHECK_THROWS_WITH(read_owner(file.with("buyer", "newcloud")),
                    ContainsSubstring("buyer: found 'newcloud' in a file named 'neocloud'") &&
                        ContainsSubstring("name the file and what it holds alike: neocloud"));
}
