// SPDX-License-Identifier: Apache-2.0
#include "sim/study/evidence_lines.h"

#include <set>

#include "sim/report/explain.h"
#include "sim/study/pipeline.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

using namespace railyard;

namespace {

ResultRow priced_row() {
  return price_cluster({.cluster = {"A", "ndr-rail", "h100", "h100-cuda", {}},
                        .workload = {},
                        .gpus = 512,
                        .owner = shipped().owner("neocloud"),
                        .price_book = "2024-12"},
                       shipped())
      .row;
}

}  // namespace

TEST_CASE("evidence: every line has a source, or a rule that stands for one, and a range in order", "[report]") {
  const ResultRow row = priced_row();
  std::vector<EvidenceLine> lines = row.evidence;
  for (const std::string& id : shipped().profiles()) {
    const Profile profile = shipped().profile(id);
    for (const auto& [fabric, collective] : profile.collectives) {
      for (const EvidenceLine& line : speed_evidence(profile, Precision::bf16, fabric)) lines.push_back(line);
    }
  }
  REQUIRE(lines.size() > 100);
  for (const EvidenceLine& line : lines) {
    INFO(line.item << ": " << line.label);
    CHECK_FALSE((line.evidence.assumed() ? line.evidence.rule : line.evidence.source).empty());
    CHECK(line.value.low <= line.value.typical);
    CHECK(line.value.typical <= line.value.high);
  }
}

TEST_CASE("evidence: a priced row lists terms, reliability, parts and wiring, each figure once", "[report]") {
  const ResultRow row = priced_row();
  std::set<EvidenceGroup> groups;
  std::set<std::string> seen;
  for (const EvidenceLine& line : row.evidence) {
    groups.insert(line.group);
    INFO(line.item << ": " << line.label);
    CHECK(seen.insert(line.item + "\n" + line.label).second);
  }
  CHECK(groups == std::set<EvidenceGroup>{EvidenceGroup::owner, EvidenceGroup::reliability, EvidenceGroup::part,
                                          EvidenceGroup::wiring});
}

TEST_CASE("evidence: values are in the unit that stands beside them", "[report]") {
  OwnerTerms terms = shipped().owner("neocloud");
  terms.wacc.value = Range<InterestRate>::exactly({0.13, Compounding::effective});
  terms.life.value = Range<Seconds>::exactly(5.0 * 8760.0 * hour);
  terms.colo.value = Range<DollarsPerJoule>::exactly(184.0 * dollar / (kilowatt * month));
  const std::vector<EvidenceLine> lines = owner_evidence(terms);
  CHECK(lines.size() == 11);
  CHECK_THAT(lines[0].value.typical, WithinRel(13, 1e-12));
  CHECK(lines[0].unit == "%/year effective");
  CHECK_THAT(lines[1].value.typical, WithinRel(5, 1e-12));
  CHECK(lines[1].unit == "year");
  CHECK_THAT(lines[3].value.typical, WithinRel(184, 1e-12));
  CHECK(lines[3].unit == "$/kW/month");
}

TEST_CASE("explain: prints every figure of the row with its evidence", "[report]") {
  ResultRow row = priced_row();
  row.profile = "h100-cuda";
  const std::vector<EvidenceLine> speeds =
      speed_evidence(shipped().profile("h100-cuda"), Precision::bf16, row.recipe.fabric);
  row.evidence.insert(row.evidence.end(), speeds.begin(), speeds.end());
  std::string text = explain_row(row, shipped());
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });  // lines are wrapped
  for (const EvidenceLine& line : row.evidence) {
    std::string label = line.label;
    std::erase(label, ' ');
    CHECK_THAT(text, ContainsSubstring(label + ":"));
  }
}
