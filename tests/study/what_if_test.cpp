// SPDX-License-Identifier: Apache-2.0
#include "sim/study/what_if.h"

#include "tests/catch.h"
#include "tests/study/fixture.h"

using namespace railyard;

namespace {

const std::string& text() {
  static const std::string study = R"(study: what if
workload: {model: llama3-70b, sequence: 8192, global_batch: 1024 sequence, precision: bf16}
gpus: [1024]
price_book: 2024-12
owner: {buyer: neocloud}
clusters:
  - {name: A, design: ndr-rail, gpu: h100, profile: h100-cuda, strategy: "tp=8 sp=1 pp=4 vpp=2 mbs=1"}
  - {name: B, design: roce-51t-rail, gpu: mi300x, profile: mi300x-rocm-stable, strategy: "tp=8 sp=1 pp=4 vpp=2 mbs=1"}
)";
  return study;
}
const Study& study() {
  static const Study read(YamlDocument::parse(text(), "study.yaml"), shipped());
  return read;
}
Study with(const std::string& path, const std::string& value) { return study().with(path, value, shipped()); }

WhatIf ask(const Study& changed, const std::vector<std::string>& fails = {}) {
  std::vector<Failure> failures;
  for (const std::string& each : fails) failures.push_back(parse_failure(each));
  return what_if(study(), changed, failures, 1024, 1024, shipped());
}

}  // namespace

TEST_CASE("what if: a value that is set to what it was changes nothing", "[study]") {
  for (const WhatIfRow& row : ask(with("fabric.oversubscription", "1")).rows) CHECK(unchanged(row));
}

TEST_CASE("what if: half the uplinks are half the links and cost less, for every cluster", "[study]") {
  const WhatIf result = ask(with("fabric.oversubscription", "2"));
  REQUIRE(result.rows.size() == 2);
  for (const WhatIfRow& row : result.rows) {
    INFO(row.base.cluster);
    CHECK(row.runs);
    CHECK(row.changed.design_changes == "oversubscription=2");
    CHECK(row.base.bill.counts.links[1] == 1024);
    CHECK(row.changed.bill.counts.links[1] == 512);
    CHECK(row.changed.bill.counts.switches < row.base.bill.counts.switches);
    CHECK(row.changed.capex.total().typical < row.base.capex.total().typical);
    CHECK(row.changed.provisioned.typical < row.base.provisioned.typical);
    CHECK(row.changed_network.bisection <= row.base_network.bisection);
    // Less network is never faster; what is paid less for is cheaper.
    CHECK(row.changed.step_time.typical >= row.base.step_time.typical);
    CHECK(row.by_cost < 0);
    CHECK(row.by_speed >= 0);
  }
}

TEST_CASE("what if: the parts sum to the change of the headline and of the capex", "[study]") {
  for (const WhatIfRow& row : ask(with("fabric.oversubscription", "4"), {"spine:1"}).rows) {
    CHECK_THAT(row.by_cost + row.by_speed,
               WithinAbs(row.changed.usd_per_pflop_hour.typical - row.base.usd_per_pflop_hour.typical, 1e-12));
    Dollars sum;
    for (const CategoryDifference& each : row.capex.categories) sum += each.difference.typical;
    CHECK_THAT(sum.in(dollar),
               WithinRel((row.changed.capex.total().typical - row.base.capex.total().typical).in(dollar), 1e-9));
  }
}

TEST_CASE("what if: a change of one cluster leaves the others", "[study]") {
  const WhatIf result = ask(with("clusters[0].fabric.oversubscription", "2"));
  CHECK_FALSE(unchanged(result.rows[0]));
  CHECK(unchanged(result.rows[1]));
}

TEST_CASE("what if: what fails costs what it did, and more failures are never faster", "[study]") {
  Seconds before;
  for (const char* failure : {"spine:1", "spine:4", "spine:7"}) {
    const WhatIf result = ask(study(), {failure});
    const WhatIfRow& row = result.rows[0];
    INFO(failure);
    CHECK(row.runs);
    CHECK(row.changed.capex.total() == row.base.capex.total());
    CHECK(row.changed.bill.counts.switches == row.base.bill.counts.switches);
    CHECK(row.by_cost == 0);
    CHECK(row.changed.step_time.typical >= std::max(before, row.base.step_time.typical));
    CHECK(row.changed.choice.strategy == row.base.choice.strategy);
    before = row.changed.step_time.typical;
  }
}

TEST_CASE("what if: a job whose GPUs are cut off has no headline, and the fault tells whom", "[study]") {
  const WhatIfRow row = ask(study(), {"node:#1"}).rows[0];
  CHECK_FALSE(row.runs);
  CHECK(row.changed_network.reach.cut_off.size() == 8);
  CHECK(row.fault == "the network no longer reaches 8 of the GPUs: 8-15");
  CHECK(row.by_cost == 0);
  CHECK(row.changed.owner.total == row.base.owner.total);  // it is paid for all the same
}

TEST_CASE("what if: a term of the owner changes cost alone", "[study]") {
  for (const WhatIfRow& row : ask(with("owner.pue", "1.5")).rows) {
    CHECK(row.by_cost > 0);
    CHECK(row.by_speed == 0);
    CHECK(row.changed.step_time == row.base.step_time);
  }
}

TEST_CASE("studies: keys of designs are changed for all clusters or one, and read as designs are", "[study]") {
  const Study all = with("fabric.populate", "full");
  CHECK(all.clusters()[0].fabric == std::vector<DesignChange>{{"populate", "full"}});
  const Study one = all.with("clusters[1].fabric.media.leaf_spine.length", "{typical: 40 m}", shipped());
  CHECK(one.clusters()[0].fabric.size() == 1);
  // The study's first, then the cluster's own; maps are opened.
  CHECK(to_text(one.clusters()[1].fabric) == "populate=full media.leaf_spine.length.typical=40 m");
  CHECK(all.fingerprint() != study().fingerprint());
  CHECK(ask(with("clusters[1].fabric.switch", "sn5600")).rows[1].changed.recipe.switch_id == "sn5600");
}

TEST_CASE("studies: a key that no design has, and a part nobody has, are mistakes of the study", "[study]") {
  CHECK_THROWS_WITH(
      with("fabric.oversubscripton", "2"),
      ContainsSubstring("clusters[0]: design 'ndr-rail' with oversubscripton=2: oversubscripton: unknown") &&
          ContainsSubstring("did you mean 'oversubscription'?"));
  CHECK_THROWS_WITH(with("clusters[1].fabric.switch", "sn5601"),
                    ContainsSubstring("sn5601") && ContainsSubstring("did you mean 'sn5600'?"));
  CHECK_THROWS_WITH(with("fabric", "2"), ContainsSubstring("expected a map"));
  CHECK_THROWS_WITH(with("fabric.oversubscription", "1000"), ContainsSubstring("oversubscription"));
}
