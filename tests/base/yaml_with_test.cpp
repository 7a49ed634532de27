// SPDX-License-Identifier: Apache-2.0
// YamlDocument::with: the one mechanism behind --set, sweeps and scenarios.
#include <string>

#include "base/yaml_reader.h"
#include "tests/catch.h"

namespace railyard {
namespace {

const char* const study =
    "owner: {wacc: 13 %/year, pue: 1.25}\n"
    "clusters:\n"
    "  - {name: a, gpu: h100}\n"
    "  - {name: b, gpu: mi300x}\n";

std::string gpu_of(const YamlDocument& document, std::size_t index) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  return root.maps("clusters").at(index).text("gpu");
}

TEST_CASE("with: a value inside a list is replaced in the copy, the original stays", "[base]") {
  const YamlDocument original = YamlDocument::parse(study, "study.yaml");
  const YamlDocument changed = original.with("clusters[1].gpu", "h200");
  CHECK(gpu_of(changed, 1) == "h200");
  CHECK(gpu_of(changed, 0) == "h100");
  CHECK(gpu_of(original, 1) == "mi300x");
}

TEST_CASE("with: absent keys are added, also below absent maps", "[base]") {
  const YamlDocument changed = YamlDocument::parse(study, "study.yaml").with("owner.colo.price", "184 $/kW/month");
  Diagnostics diagnostics;
  YamlMap root = changed.root(diagnostics);
  YamlMap owner = root.map("owner");
  YamlMap colo = owner.map("colo");
  CHECK_THAT(colo.quantity("price", units::capacity_charge).in(dollar / kilowatt / month), WithinRel(184, 1e-15));
  CHECK(owner.number("pue", 1, 2) == 1.25);
  CHECK(diagnostics.empty());
}

TEST_CASE("with: a whole map or list can be the value", "[base]") {
  const YamlDocument changed = YamlDocument::parse(study, "study.yaml").with("clusters", "[{gpu: h200}]");
  CHECK(gpu_of(changed, 0) == "h200");
}

TEST_CASE("with: a wrong value is reported under the name it was given by", "[base]") {
  const YamlDocument changed = YamlDocument::parse(study, "study.yaml").with("owner.pue", "nine");
  Diagnostics diagnostics;
  YamlMap root = changed.root(diagnostics);
  YamlMap owner = root.map("owner");
  owner.number("pue", 1, 2);
  try {
    diagnostics.throw_if_any();
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(error.what() == std::string("owner.pue=nine:1:1: error: owner.pue: found 'nine'\n"
                                      "    1 | nine\n"
                                      "      | ^~~~\n"
                                      "   expected a number from 1 to 2\n"));
  }
}

TEST_CASE("with: paths that lead nowhere are refused", "[base]") {
  const YamlDocument document = YamlDocument::parse(study, "study.yaml");
  const char* path = GENERATE("", ".", "owner.", "owner..pue", "owner.wacc.deeper", "clusters[2].gpu",
                              "clusters[x].gpu", "clusters[-1].gpu", "clusters[0", "clusters[0]gpu",
                              "clusters[99999999999999999999].gpu", "nothing[0]", "owner[0]", "[0]");
  CAPTURE(path);
  CHECK_THROWS_AS(document.with(path, "1"), InputError);
}

TEST_CASE("with: text that is no YAML is refused", "[base]") {
  const YamlDocument document = YamlDocument::parse(study, "study.yaml");
  CHECK_THROWS_AS(document.with("owner.pue", "[1, 2"), InputError);
  CHECK_THROWS_AS(document.with("owner.pue", ""), InputError);
  CHECK_THROWS_AS(document.with("owner", "{pue: 1, pue: 2}"), InputError);
}

}  // namespace
}  // namespace railyard
