// SPDX-License-Identifier: Apache-2.0
#include "pricing/owner_cost.h"
#include "tests/catch.h"

using namespace railyard;

namespace {

const std::string owners = RAILYARD_SOURCE_DIR "/pricing/owners";

OwnerTerms overridden(const std::string& text) {
  const YamlDocument study = YamlDocument::parse(text, "study.yaml");
  Diagnostics diagnostics;
  OwnerTerms terms = read_owner_overrides(load_owner(owners, "neocloud"), study.root(diagnostics).map("owner"));
  diagnostics.throw_if_any();
  return terms;
}

std::string message_of(const std::string& text) {
  try {
    static_cast<void>(overridden(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

template <class T>
void is_users_own(const Figure<T>& figure, T value) {
  CHECK(figure.value == Range<T>::exactly(value));
  CHECK(figure.evidence.kind == EvidenceKind::sourced);
  CHECK(figure.evidence.source == "study");
}

}  // namespace

TEST_CASE("owner: both shipped buyers read and keep the order of their ranges", "[pricing]") {
  const OwnerTerms neocloud = load_owner(owners, "neocloud");
  const OwnerTerms hyperscaler = load_owner(owners, "hyperscaler");
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
  CHECK(terms.insurance == load_owner(owners, "neocloud").insurance);
  CHECK(terms.software_per_gpu == load_owner(owners, "neocloud").software_per_gpu);
}

TEST_CASE("owner: wrong terms are told in full", "[pricing]") {
  CHECK(message_of("owner:\n  colo: 184 $/kWh\n") ==
        "study.yaml:2:9: error: owner.colo: found '184 $/kWh'\n"
        "    2 |   colo: 184 $/kWh\n"
        "      |         ^~~~~~~~~\n"
        "   '$/kWh' is not a unit of this kind; expected a charge for power capacity with its unit, such as 184 "
        "$/kW/month\n");
  CHECK(message_of("owner:\n  energy: 0.08\n") ==
        "study.yaml:2:11: error: owner.energy: found '0.08'\n"
        "    2 |   energy: 0.08\n"
        "      |           ^~~~\n"
        "   the unit is missing; expected an energy tariff with its unit, such as 0.0826 $/kWh\n");
  CHECK(message_of("owner:\n  wac: 13 %/year\n") ==
        "study.yaml:2:3: error: owner.wac: unknown key\n"
        "    2 |   wac: 13 %/year\n"
        "      |   ^~~\n"
        "   did you mean 'wacc'?\n");
  CHECK(message_of("owner:\n  pue: 0.9\n") ==
        "study.yaml:2:8: error: owner.pue: found '0.9'\n"
        "    2 |   pue: 0.9\n"
        "      |        ^~~\n"
        "   expected a number from 1 to 3\n");
  CHECK(message_of("owner:\n  life: 0 year\n") ==
        "study.yaml:2:9: error: owner.life: found '0 year'\n"
        "    2 |   life: 0 year\n"
        "      |         ^~~~~~\n"
        "   expected a time above zero\n");
  CHECK(message_of("owner:\n  maintenance: -3 %/year\n") ==
        "study.yaml:2:16: error: owner.maintenance: found '-3 %/year'\n"
        "    2 |   maintenance: -3 %/year\n"
        "      |                ^~~~~~~~~\n"
        "   expected a share per year that is not negative\n");
}

TEST_CASE("owner: an unknown buyer is named with the known ones", "[pricing]") {
  try {
    static_cast<void>(load_owner(owners, "neoclod"));
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "error: unknown buyer 'neoclod'\n   expected one of: hyperscaler, neocloud; did you mean 'neocloud'?\n");
  }
}
