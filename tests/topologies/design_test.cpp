// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/topologies/fixture.h"
#include "topologies/catalogue.h"

using namespace railyard;
using namespace railyard::test;

namespace {

const std::string designs = source_dir + "/topologies/designs";

Design changed(std::string_view key, std::string_view value) {
  return read_design(YamlDocument::load(designs + "/ndr-rail.yaml").with(key, value));
}

Fabric wire(const Design& design, std::string_view server = "hgx-h100") {
  return wire_fabric(design, shipped_parts(), shipped_parts().server(server), 128);
}

}  // namespace

TEST_CASE("design: every shipped design wires its servers", "[topologies]") {
  const std::vector<std::string> names = design_names(designs);
  CHECK(names == std::vector<std::string>{"dual-tor-200g", "hdr-rail", "ndr-dragonfly", "ndr-rail", "ndr200-dragonfly",
                                          "nvl72-spectrum-x", "nvl72-xdr-rail", "rail-only-51t", "roce-25t-200g",
                                          "roce-25t-rail", "roce-51t-rail", "roce-tor-chassis", "scheduled-jericho3",
                                          "single-switch", "spectrum-x-dual-plane", "spectrum-x-rail", "superpod-h100",
                                          "xdr-rail"});
  for (const std::string& name : names) {
    const Design design = load_design(designs, name);
    INFO(name);
    CHECK(!design.description.empty());
    CHECK(!design.source.empty());
    for (const LayerMedia& media : design.media) CHECK(media.length_evidence.assumed());  // no source publishes lengths
    for (const std::string& server : design.servers) {
      INFO(server);
      CHECK(wire(design, server).count(DeviceKind::node) *
                static_cast<std::size_t>(shipped_parts().server(server).gpus) ==
            128);
    }
  }
}

TEST_CASE("design: the options of a file reach the design", "[topologies]") {
  CHECK(changed("tiers", "3").tiers == 3);
  CHECK(changed("tiers", "auto").tiers == 0);
  CHECK(changed("oversubscription", "2").oversubscription == 2);
  CHECK(changed("oversubscribed_by", "more-downlinks").oversubscribed_by == OversubscribedBy::more_downlinks);
  CHECK(changed("spine_group", "rail").spine_group_by_rail);
  CHECK(changed("reserved_ports", "2").reserved_ports == 2);
  CHECK(changed("ufm", "true").ufm);
  CHECK(changed("populate", "full").populate_full);
  CHECK(changed("fill", "unit").fill_unit);
  CHECK_THROWS_WITH(changed("tiers", "4"), ContainsSubstring("expected one of: auto, 1, 2, 3"));
  CHECK_THROWS_WITH(changed("topology", "rail-fat-three"), ContainsSubstring("rail-fat-tree"));
  CHECK_THROWS_WITH(changed("oversubscription", "0"), ContainsSubstring("expected a number from 0.1 to 64"));
  CHECK_THROWS_WITH(changed("media.node_leaf.length", "{value: 30, assumed: a guess}"), ContainsSubstring("length"));
}

TEST_CASE("design: unknown designs and GPUs are refused with what there is", "[topologies]") {
  CHECK_THROWS_WITH(load_design(designs, "ndr-rial"), ContainsSubstring("did you mean 'ndr-rail'?"));
  const Design design = load_design(designs, "roce-51t-rail");
  CHECK(server_for(design, shipped_parts(), "mi300x").id == "mi300x-server");
  CHECK(message_of([&] { (void)server_for(load_design(designs, "spectrum-x-rail"), shipped_parts(), "h10"); }) ==
        "error: design 'spectrum-x-rail' has no server with GPU 'h10'\n   expected one of: h100, h200, b200; did you "
        "mean 'h100'?\n");
  CHECK(server_for(load_design(designs, "ndr-rail"), shipped_parts(), "h100").id == "hgx-h100");
}

TEST_CASE("catalogue: every topology has a sentence, and an unknown one is refused", "[topologies]") {
  for (const TopologyEntry& entry : topologies()) CHECK(!entry.description.empty());
  CHECK(topology("rail-fat-tree").name == "rail-fat-tree");
  CHECK_THROWS_AS(topology("rail-tree"), InputError);
}

TEST_CASE("cabling: ends that do not fit are refused", "[topologies]") {
  const Design design = shipped_design("ndr-rail");
  const auto message = [&](auto change) {
    Design copy = design;
    change(copy);
    return message_of([&] { (void)wire(copy); });
  };
  CHECK(
      message([](Design& d) { d.media[1].upper_module = "osfp-rhs-800g-2xsr4"; }) ==
      "error: design 'ndr-rail', leaf-spine links: connector osfp-rhs of module 'osfp-rhs-800g-2xsr4' against osfp of "
      "switch 'qm9700'\n   choose parts of one connector\n");
  CHECK(message([](Design& d) { d.media[1].upper_module = "osfp-800g-2xdr4"; }) ==
        "error: design 'ndr-rail', leaf-spine links: module 'osfp-800g-2xdr4' is singlemode, but cable "
        "'mpo12-multimode' is "
        "multimode\n   choose modules and fibre of one medium\n");
  CHECK(message([](Design& d) { d.media[1].longest = 80 * metre; }) ==
        "error: design 'ndr-rail', leaf-spine links: cable 'mpo12-multimode' reaches 50 m, but links are up to 80 m "
        "long, 30 "
        "m too much\n   shorten the planning length or choose a medium of longer reach\n");
  CHECK(message([](Design& d) { d.media[1].upper_module.clear(); }) ==
        "error: design 'ndr-rail', leaf-spine links: cable 'mpo12-multimode' needs a module at its upper end\n"
        "   name the module in the design\n");
  CHECK(message([](Design& d) { d.media[1].cable = "dac-800g-twin"; }) ==
        "error: design 'ndr-rail', leaf-spine links: cable 'dac-800g-twin' reaches 2 m, but links are up to 50 m long, "
        "48 m "
        "too much\n   shorten the planning length or choose a medium of longer reach\n");
  CHECK(message([](Design& d) {
          d.media[1].cable = "dac-800g-twin";
          d.media[1].longest = 2 * metre;
        }) ==
        "error: design 'ndr-rail', leaf-spine links: cable 'dac-800g-twin' brings its own ends, but modules are named\n"
        "   leave the modules out, or choose fibre\n");
  CHECK(message([](Design& d) { d.node_modules = {"qsfp112-400g-sr4"}; }) ==
        "error: design 'ndr-rail' has no node module for the cages of server 'hgx-h100' (osfp-rhs, ports per cage: 1)\n"
        "   add one to media.node_leaf.node_modules\n");
  CHECK(message([](Design& d) { d.fabric = "roce"; }) ==
        "error: design 'ndr-rail' is roce, but switch 'qm9700' is not\n   choose parts for ethernet\n");
  CHECK(message([](Design& d) {
          d.ufm = true;
          d.manager_module.clear();
        }) ==
        "error: design 'ndr-rail', UFM ends: no module for the appliances\n"
        "   name manager_module, and use fibre for media.node_leaf\n");
}

TEST_CASE("cabling: NIC and switch agree on speed and lane rate", "[topologies]") {
  TinyCluster tiny(8, 2, 2);
  tiny.parts.switches["tiny"].lane_rate = 50 * gigabit_per_second;
  CHECK(message_of([&] { (void)tiny.wire(8); }) ==
        "error: design 'tiny-rail', node-leaf links: lane rate 100 Gb/s of module 'osfp-800g-2xsr4' against 50 Gb/s "
        "of switch 'tiny'\n   choose parts of one lane rate\n");
  tiny.parts.switches["tiny"].port_speed = 200 * gigabit_per_second;
  CHECK(message_of([&] { (void)tiny.wire(8); }) ==
        "error: design 'tiny-rail', node-leaf links: port speed 400 Gb/s of server 'tiny-server' against 200 Gb/s of "
        "switch "
        "'tiny'\n   choose parts of one port speed\n");
  TinyCluster ethernet(8, 2, 2);
  ethernet.server.nic = "thor-2";
  CHECK(message_of([&] { (void)ethernet.wire(8); }) ==
        "error: design 'tiny-rail' is infiniband, but NIC 'thor-2' is not\n   choose parts for infiniband\n");
}

TEST_CASE("cabling: the two ports of a cage take one module", "[topologies]") {
  TinyCluster tiny(8, 1, 1);
  tiny.design.oversubscription = 1.5;  // 4 node ports and 3 uplinks: ports 0 to 3 and 5 to 7, cages 0, 1 and 2, 3
  tiny.design.media[1] = tiny.design.media[2];  // single-mode above the leaves
  CHECK(tiny.count(tiny.build(16)).cables_by_medium.size() == 2);
  tiny.design.oversubscription = 0.6;  // 3 node ports and 5 uplinks: port 2 and port 3 share a cage
  CHECK(message_of([&] { (void)tiny.wire(16); }) ==
        "error: design 'tiny-rail': two ports of one cage of switch 'tiny' need different modules or cables\n"
        "   make the uplinks of a leaf a multiple of 2, or use one module on both sides\n");
}

TEST_CASE("cabling: a cable from cage to cage needs both of its links between the same cages", "[topologies]") {
  TinyCluster tiny(8, 1, 1);
  tiny.design.media[1] = {"dac-800g-twin", "", "", 2.0 * metre, 2.0 * metre, {}};
  // 16 GPUs: 4 leaves with 4 uplinks to 2 spines, two to each, side by side: 8 cables for 16 links.
  const Fabric fabric = tiny.build(16);
  CHECK(tiny.count(fabric).cables_by_medium["copper"] == 8);
  // 32 GPUs: 8 leaves and 4 spines, one link each: a cage of a spine leads to two leaves.
  CHECK(message_of([&] { (void)tiny.wire(32); }) ==
        "error: design 'tiny-rail', leaf-spine links: cable 'dac-800g-twin' joins one cage to one cage, but the ports "
        "of a "
        "cage lead to different ones\n   use a cable of one link, or fibre\n");
}

TEST_CASE("cabling: electrical lanes meet at the cage, optical lanes on the fibre", "[topologies]") {
  Design design = shipped_design("roce-25t-rail");
  const auto message = [&](const Design& changed) { return message_of([&] { (void)wire(changed, "mi300x-server"); }); };
  CHECK(message(design) == "nothing thrown");  // QSFP112 of 4 x 100 to QSFP-DD of 8 x 50, both 4 x 100 on the fibre
  // The NIC's own module does not fit a cage of 50 Gb/s lanes.
  design.media[0].upper_module = "qsfp112-400g-dr4";
  CHECK_THAT(message(design), ContainsSubstring("connector qsfp112 of module 'qsfp112-400g-dr4' against qsfp-dd"));
  // Modules whose fibre carries other lanes do not link, whatever the cages.
  TinyCluster tiny(8, 2, 2);
  tiny.parts.modules["osfp-rhs-400g-sr4"].optical_lane_rate = 50 * gigabit_per_second;
  CHECK(message_of([&] { (void)tiny.wire(8); }) ==
        "error: design 'tiny-rail', node-leaf links: optical lane rate 50 Gb/s of module 'osfp-rhs-400g-sr4' against "
        "100 Gb/s of module 'osfp-800g-2xsr4'\n   choose parts of one optical lane rate\n");
}

TEST_CASE("design: layers that its tiers leave out need no media", "[topologies]") {
  const YamlDocument file = YamlDocument::load(designs + "/single-switch.yaml");
  CHECK(read_design(file).tiers == 1);
  CHECK_THROWS_WITH(read_design(file.with("tiers", "2")), ContainsSubstring("leaf_spine"));
  CHECK_THROWS_WITH(build_fabric(read_design(file), shipped_parts(), shipped_parts().server("mi300x-server"), 136),
                    ContainsSubstring("the limit is 128 GPUs, 8 too many"));
}

TEST_CASE("design: a network beside the back end is read with its rule", "[topologies]") {
  CHECK_THROWS_WITH(changed("networks.storage.parts.qm9700", "{unit: 0}"), ContainsSubstring("no pieces"));
  CHECK_THROWS_WITH(changed("networks.storage.source", "nowhere"), ContainsSubstring("unknown source 'nowhere'"));
  CHECK_THROWS_WITH(changed("networks.storage.unit", "3"), ContainsSubstring("expected one of: unit_nodes"));
  const SiteNetwork network{"n", 32, {}, {}};
  CHECK(pieces(network, {"p", 2, 60, 1}, 33) == 2 * 33 + 60 * 2 + 1);
}

TEST_CASE("design: its faults are names nobody has, with the nearest one", "[topologies]") {
  for (const std::string& name : design_names(designs)) {
    INFO(name);
    CHECK(design_faults(load_design(designs, name), shipped_parts()).empty());
  }
  Design design = shipped_design("ndr-rail");
  design.switch_id = "qm970";
  design.servers.push_back("hgx-h101");
  design.node_modules.push_back("osfp-rhs-400g-sr5");
  design.media[1].cable = "mpo12-multimod";
  design.media[2].upper_module = "osfp-800g-2xdr5";
  design.manager_module = "osfp-rhs-400g-sr6";
  design.networks[0].lines[0].part = "qm97000";
  const std::vector<Diagnostic> faults = design_faults(design, shipped_parts());
  std::vector<std::string> found;
  for (const Diagnostic& fault : faults) found.push_back(fault.path + ": " + fault.message);
  CHECK(found ==
        std::vector<std::string>{"switch: unknown switch 'qm970'", "servers: unknown server 'hgx-h101'",
                                 "media.leaf_spine.cable: unknown cable 'mpo12-multimod'",
                                 "media.spine_core.upper_module: unknown module 'osfp-800g-2xdr5'",
                                 "media.node_leaf.node_modules: unknown module 'osfp-rhs-400g-sr5'",
                                 "manager_module: unknown module 'osfp-rhs-400g-sr6'",
                                 "networks.storage.parts: unknown switch, module, cable, NIC or equipment 'qm97000'"});
  CHECK_THAT(faults.front().expected, ContainsSubstring("did you mean 'qm9700'?"));
  CHECK_THAT(faults.front().file, ContainsSubstring("ndr-rail.yaml"));
}

TEST_CASE("design: its faults are ends that do not fit, when all names are known", "[topologies]") {
  Design design = shipped_design("ndr-rail");
  design.media[1].longest = 80 * metre;
  const std::vector<Diagnostic> faults = design_faults(design, shipped_parts());
  REQUIRE(faults.size() == 1);  // the same for every server: once
  CHECK_THAT(faults[0].message, ContainsSubstring("30 m too much"));
}

TEST_CASE("design: a file that holds another design than its name is refused", "[topologies]") {
  CHECK_THROWS_WITH(changed("design", "xdr-rail"),
                    ContainsSubstring("design: found 'xdr-rail' in a file named 'ndr-rail'"));
}

TEST_CASE("design: lengths and pieces have bounds", "[topologies]") {
  CHECK_THROWS_WITH(changed("media.leaf_spine.length", "{value: 1e12 m, assumed: a slip}"),
                    ContainsSubstring("expected a length from 0.01 m to 1000 km"));
  CHECK_THROWS_WITH(changed("networks.storage.parts.qm9700", "{node: 65}"), ContainsSubstring("from 0 to 64"));
  CHECK_THROWS_WITH(changed("networks.storage.parts.qm9700", "{unit: 2049}"), ContainsSubstring("from 0 to 2048"));
  // The most pieces of the largest cluster (4 Mi nodes) are counted without overflow: 64 and 64 a node, and a million.
  CHECK(pieces({"n", 1, {}, {}}, {"p", 64, 64, 1'000'000}, 1 << 22) == 128 * (1 << 22) + 1'000'000);
}
