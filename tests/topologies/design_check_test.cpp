// SPDX-License-Identifier: Apache-2.0
// Checks of a design against hand derivations, and against fabrics with a fault put in.
#include "topologies/design_check.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/topologies/family_cluster.h"

using namespace railyard;
using namespace railyard::test;

namespace {

std::vector<Finding> only(const std::vector<Finding>& findings, std::string_view check) {
  std::vector<Finding> some;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(some),
               [&](const Finding& each) { return each.check == check; });
  return some;
}

std::string row(const Finding& finding) {
  return std::string(to_string(finding.verdict)) + " " + finding.what + ": " + finding.value + " (" + finding.limit +
         ")";
}

std::vector<std::string> rows(const std::vector<Finding>& findings) {
  std::vector<std::string> texts;
  for (const Finding& each : findings) texts.push_back(row(each));
  return texts;
}

Cabling cabling_of(const FamilyCluster& cluster) { return {cluster.design, cluster.parts, cluster.server}; }

std::vector<Finding> checked(std::string_view design, std::string_view server, int gpus) {
  return check_design({shipped_design(design), shipped_parts().server(server), gpus}, shipped_parts(), {});
}

}  // namespace

// DGX SuperPOD, 4 units: every port of 32 leaves and 16 spines is in use. A leaf serves 32 nodes with one of 8 NICs
// each; the NICs have one link, the rest has many. 32 uplinks are 32 ways; half of 1024 x 400 Gb/s are 204.8 Tb/s.
TEST_CASE("check: a whole rail-optimised fabric", "[topologies]") {
  const std::vector<Finding> findings = checked("ndr-rail", "hgx-h100", 1024);
  CHECK(rows(only(findings, "ports")) ==
        std::vector<std::string>{"pass every port in use carries one link: 4096 ports (once each)"});
  CHECK(rows(only(findings, "head-room")) ==
        std::vector<std::string>{"warn 32 leaves without a free port, of 32: 0 free (of 64)",
                                 "warn 16 spines without a free port, of 16: 0 free (of 64)"});
  CHECK(rows(only(findings, "failures")) ==
        std::vector<std::string>{"warn any leaf cuts GPUs off when it is lost: 32 GPUs, 12.5 % of a node (0 GPUs)",
                                 "pass no spine cuts off a GPU: 0 GPUs (0 GPUs)",
                                 "warn any node-leaf link cuts GPUs off when it is lost: 1 GPU (0 GPUs)",
                                 "pass no leaf-spine link cuts off a GPU: 0 GPUs (0 GPUs)"});
  CHECK(rows(only(findings, "bisection")) ==
        std::vector<std::string>{
            "pass max-flow between the halves keeps what the ratios promise: 204.8 Tb/s (at least 204.8 Tb/s)"});
  CHECK(rows(only(findings, "paths")) ==
        std::vector<std::string>{
            "pass between the leaf of the first pod and of 3 others, one rail: 32 ways disjoint (at most 32)",
            "pass between the first node and 8 nodes of other pods: 8 ways disjoint (at most 8)"});
  CHECK(only(findings, "racks").front().verdict == CheckVerdict::not_checked);
  CHECK(
      std::none_of(findings.begin(), findings.end(), [](const Finding& f) { return f.verdict == CheckVerdict::fail; }));
}

TEST_CASE("check: no shipped design fails at 1024 GPUs, whatever the server", "[topologies]") {
  for (const std::string& name : design_names(source_dir + "/topologies/designs")) {
    const Design design = shipped_design(name);
    const ServerPart& server = shipped_parts().server(design.servers.front());
    if (1024 % server.gpus != 0 || misfit_of(design, shipped_parts(), server, 1024)) continue;
    for (const Finding& finding : check_design({design, server, 1024}, shipped_parts(), {})) {
      INFO(name << ": " << finding.check << ": " << row(finding));
      CHECK(finding.verdict != CheckVerdict::fail);
    }
  }
}

// Racks of two nodes: the leaf takes all 8 NICs of both. Dual ToR: half of a GPU's ports, and no GPU is cut off.
TEST_CASE("check: what the loss of a leaf takes depends on the family", "[topologies]") {
  CHECK(row(only(checked("roce-tor-chassis", "hgx-h100", 512), "failures").front()) ==
        "warn any leaf cuts GPUs off when it is lost: 16 GPUs, 100 % of a node (0 GPUs)");
  CHECK(row(only(checked("dual-tor-200g", "hgx-h800-2x200g", 2048), "failures").front()) ==
        "pass no leaf cuts off a GPU: 0 GPUs, 6.25 % of a node (0 GPUs)");
}

// Two leaves with four links each to one spine: without it four NICs lie on either side. No single link parts them.
TEST_CASE("check: the only spine is a single point of failure, one of several links is not", "[topologies]") {
  FamilyCluster tiny("rail-fat-tree", 8, 64, 8, 1, 1);
  tiny.design.tiers = 2;
  const std::vector<std::string> found = rows(check_failures(tiny.build(8)));
  CHECK(found ==
        std::vector<std::string>{"warn any leaf cuts GPUs off when it is lost: 4 GPUs, 100 % of a node (0 GPUs)",
                                 "warn any spine cuts GPUs off when it is lost: 4 GPUs (0 GPUs)",
                                 "warn any node-leaf link cuts GPUs off when it is lost: 1 GPU (0 GPUs)",
                                 "pass no leaf-spine link cuts off a GPU: 0 GPUs (0 GPUs)"});
}

// Three of the four links of a leaf are lost: the last one is a bridge for its NICs.
TEST_CASE("check: a fabric that has lost links is judged as it is", "[topologies]") {
  FamilyCluster tiny("rail-fat-tree", 8, 8, 8, 1, 1);
  const Fabric whole = tiny.build(32);  // 8 leaves, 4 spines
  std::vector<LinkId> lost;
  for (std::size_t i = 0; i < whole.links().size(); ++i) {
    const Link& link = whole.links()[i];
    if (link.layer == Layer::leaf_spine && whole.device(link.lower).index == 0 && lost.size() < 3) {
      lost.push_back(LinkId{static_cast<std::uint32_t>(i)});
    }
  }
  const Fabric cut = whole.without(lost);
  CHECK(row(check_failures(cut)[3]) == "warn 1 of 29, when lost, cut GPUs off: leaf-spine link: 4 GPUs (0 GPUs)");
  CHECK(row(check_paths(cut)[0]) ==
        "warn between the leaf of the first pod and of 7 others, one rail: 1 way disjoint (at most 4)");
  // 16 x 400 Gb/s less the three links.
  CHECK(row(check_bisection(cut, tiny.design)[0]) ==
        "FAIL max-flow between the halves is 81.2 % of what the ratios promise: 5.2 Tb/s (at least 6.4 Tb/s)");
}

TEST_CASE("check: a port used twice, and a link beyond the ports, are found", "[topologies]") {
  const FamilyCluster tiny("rail-fat-tree", 8, 8, 8, 1, 1);
  const Fabric fabric = tiny.build(8);
  std::vector<Device> devices(fabric.devices().begin(), fabric.devices().end());
  std::vector<Link> links(fabric.links().begin(), fabric.links().end());
  links[1].upper_port = links[0].upper_port;
  links[2].upper_port = 8;
  const std::vector<std::string> found = rows(check_ports(Fabric(fabric.shape(), devices, links), cabling_of(tiny)));
  CHECK(found == std::vector<std::string>{"FAIL port 0 of leaf 0 is used 2 times: 2 (1)",
                                          "FAIL 1 link at leaf 0 beyond its ports: 1 (8 ports)"});
}

TEST_CASE("check: half of a split port beside a whole one is found", "[topologies]") {
  const FamilyCluster tiny("rail-fat-tree", 8, 8, 8, 1, 1, 1, true);
  const Fabric fabric = tiny.build(32);
  std::vector<Device> devices(fabric.devices().begin(), fabric.devices().end());
  std::vector<Link> links(fabric.links().begin(), fabric.links().end());
  links[0].upper_port = 9;  // the other half of port 4, the first uplink
  CHECK(row(check_ports(Fabric(fabric.shape(), devices, links), cabling_of(tiny)).front()) ==
        "FAIL port 9 of leaf 0 is used 2 times: 2 (1)");
}

// 2:1 at the leaves and 3:1 at the spines promise a sixth of the NICs.
TEST_CASE("check: the promise follows from the ratios", "[topologies]") {
  const auto terabits = [](Bandwidth value) { return value.in(1000.0 * gigabit_per_second); };
  Design design = shipped_design("ndr-rail");
  const ServerPart& server = shipped_parts().server("hgx-h100");
  const auto promised = [&](int gpus) {
    return terabits(promised_bisection(build_fabric(design, shipped_parts(), server, gpus), design));
  };
  CHECK_THAT(promised(1024), WithinRel(204.8, 1e-12));
  design.oversubscription = 2;
  CHECK_THAT(promised(1024), WithinRel(102.4, 1e-12));
  design.core_oversubscription = 3;
  CHECK_THAT(promised(8192), WithinRel(8192 / 2 * 0.4 / 6, 1e-12));
  // More uplinks than node ports (35 and 28) promise no more than the NICs: of 5 pods, two of 28 nodes are the first
  // half.
  design.oversubscription = 0.8;
  design.core_oversubscription = 1;
  CHECK_THAT(promised(1024), WithinRel(2 * 28 * 8 * 0.4, 1e-12));
}

TEST_CASE("check: what cannot be built says why, and the rest is not checked", "[topologies]") {
  const std::vector<Finding> findings = checked("ndr-rail", "hgx-h100", 70000);
  const Finding build = only(findings, "build").front();
  CHECK(build.verdict == CheckVerdict::fail);
  CHECK_THAT(build.what, ContainsSubstring("the limit is 65536 GPUs, 4464 too many"));
  CHECK_THAT(build.limit, ContainsSubstring("use 65536 GPUs"));
  CHECK(only(findings, "bisection").front().verdict == CheckVerdict::not_checked);
  Design design = shipped_design("ndr-rail");
  design.media[1].longest = 80 * metre;
  const std::vector<Finding> joints = check_joints(design, shipped_parts(), shipped_parts().server("hgx-h100"));
  REQUIRE(joints.size() == 1);
  CHECK(joints[0].verdict == CheckVerdict::fail);
  CHECK_THAT(joints[0].what, ContainsSubstring("30 m too much"));
}

TEST_CASE("check: joints name speed, connectors, lanes and reach of every layer", "[topologies]") {
  const ServerPart& server = shipped_parts().server("hgx-h100");
  const std::vector<Finding> joints = check_joints(shipped_design("ndr-rail"), shipped_parts(), server);
  REQUIRE(joints.size() == 12);
  CHECK(row(joints[0]) == "pass node-leaf: one speed at both ends: 400 Gb/s (400 Gb/s)");
  CHECK(row(joints[1]) == "pass node-leaf: modules sit in their cages: osfp-rhs, osfp (as the cages)");
  CHECK(row(joints[2]) == "pass node-leaf: lanes agree along the fibre: 100 Gb/s (100 Gb/s)");
  CHECK(row(joints[3]) == "pass node-leaf: longest planned run within the reach of mpo12-multimode: 50 m (50 m)");
}

TEST_CASE("check: racks are judged on a site", "[topologies]") {
  const Site site = load_site(source_dir + "/topologies/sites", "air-40kw");
  const Design design = shipped_design("ndr-rail");
  const ServerPart& server = shipped_parts().server("dgx-h100");
  const std::vector<Finding> findings = check_design({design, server, 256, site}, shipped_parts(), {});
  const auto with_rack = std::count_if(findings.begin(), findings.end(),
                                       [](const Finding& each) { return each.check.starts_with("rack "); });
  CHECK(with_rack == 3);  // power, weight, height
  // Two reaches that the design plans for each of its three layers, and the routes of the two that 256 GPUs have.
  CHECK(only(findings, "reach").size() == 3 + 2);
  CHECK(only(findings, "racks").empty());
}

// Multimode ends at 50 m; rows 60 m apart are too far, and then the check says what is
// not.
TEST_CASE("check: cables that do not reach at a site fail, with what would do", "[topologies]") {
  Site site = load_site(source_dir + "/topologies/sites", "air-15kw");
  site.hall.cold_aisle.value = {60 * metre, 60 * metre, 60 * metre};
  WiringCase asked{shipped_design("ndr-rail"), shipped_parts().server("hgx-h100"), 512, site};
  for (LayerMedia& media : asked.design.media) media.alternatives.clear();
  const AdviceSources shipped{{}, {load_site(source_dir + "/topologies/sites", "air-40kw")}};
  const std::vector<Finding> reach = only(check_design(asked, shipped_parts(), shipped), "reach");
  const auto failed = std::ranges::find_if(reach, [](const Finding& f) { return f.verdict == CheckVerdict::fail; });
  REQUIRE(failed != reach.end());
  CHECK_THAT(failed->what, ContainsSubstring(" m too little") || ContainsSubstring("none is sold"));
  CHECK_THAT(failed->limit, ContainsSubstring("site air-40kw"));
}
