// SPDX-License-Identifier: Apache-2.0
// Every kind of limit: what is refused says which, by how much, and what near it can be had; all that is advised is
// had.
#include "tests/topologies/advice_case.h"

using namespace railyard;
using namespace railyard::test;

namespace {

/// A case to be changed, and parts that may be invented.
struct Subject {
  Parts parts = shipped_parts();
  WiringCase asked;
  Subject(std::string_view design, std::string_view server, int gpus)
      : asked{shipped_design(design), parts.server(server), gpus} {}
  void stand_at(std::string_view site) { asked.site = shipped_site_of(site); }
  Design& design() { return asked.design; }
};

/// A switch as QM9700 with another number of ports.
void invent_switch(Parts& parts, const std::string& id, int ports) {
  SwitchPart part = parts.switch_part("qm9700");
  part.id = id;
  part.cages = ports / 2;
  parts.switches[id] = part;
}

template <class Q>
void exactly(Figure<Q>& figure, Q value) {
  figure.value = {value, value, value};
}

struct Limit {
  const char* what;
  Subject (*subject)();
  std::vector<std::string> says;  // limit, excess, remedy
};

// Figures by hand: QM9700 has 64 ports, so 32 to nodes, 32 x 32 x 64 = 65 536 GPUs in three tiers; a pod of 32 nodes.
const std::vector<Limit>& limits() {
  static const std::vector<Limit> list{
      {"radix's reach",
       [] { return Subject("ndr-rail", "hgx-h100", 65544); },
       {"3 tiers of qm9700 with 64 ports", "the limit is 65536 GPUs, 8 too many", "use 65536 GPUs",
        "oversubscription: 1.5 with oversubscribed_by: more-downlinks", "design "}},
      {"one switch",
       [] {
         Subject of("ndr-rail", "hgx-h100", 72);
         of.design().tiers = 1;
         return of;
       },
       {"one switch of qm9700 with 64 ports", "the limit is 64 GPUs, 8 too many", "use 64 GPUs", "tiers: 2"}},
      {"tiers",
       [] {
         Subject of("ndr-rail", "hgx-h100", 4096);
         of.design().tiers = 2;
         return of;
       },
       {"2 tiers of qm9700", "the limit is 2048 GPUs, 2048 too many", "use 2048 GPUs", "tiers: 3"}},
      {"management ends",
       [] {
         Subject of("ndr-rail", "hgx-h100", 256);
         of.design().ufm = true;
         return of;
       },
       {"room for 248 GPUs, 8 too many", "use 248 GPUs, or 264, which takes another pod"}},
      {"ports kept free",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.design().reserved_ports = 63;
         return of;
       },
       {"a leaf has 1 port left and needs 2, 1 too few", "use at most 62 reserved_ports"}},
      {"fixed leaf ports",
       [] {
         Subject of("ndr-rail", "hgx-h100", 1024);
         of.design().leaf_ports = LeafPorts{60, 20};
         return of;
       },
       {"a leaf has 64 ports left and needs 80, 16 too few", "leaf_ports: {node: 44, up: 20}"}},
      {"ports of a spine",
       [] {
         Subject of("ndr-rail", "hgx-h100", 1024);
         invent_switch(of.parts, "four-ports", 4);
         of.design().spine_switch_id = of.design().core_switch_id = "four-ports";
         return of;
       },
       {"a spine has 4 ports left and needs 8, 4 too few", "switch: qm9700"}},
      {"whole nodes",
       [] { return Subject("ndr-rail", "hgx-h100", 1001); },
       {"server 'hgx-h100' has 8, 1 too many", "use 1000 GPUs, or 1008"}},
      {"whole trays of an NVL72 rack",
       [] { return Subject("nvl72-xdr-rail", "gb300-tray", 73); },
       {"server 'gb300-tray' has 4, 1 too many", "use 72 GPUs, or 76"}},
      {"GPUs that can be wired",
       [] { return Subject("ndr-rail", "hgx-h100", most_wired_gpus + 8); },
       {"the limit is 4194304, 8 too many", "use 65536 GPUs"}},
      {"seven NICs for eight GPUs",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.asked.server.nics = of.asked.server.cages = 7;
         return of;
       },
       {"8 GPUs of server 'hgx-h100' cannot share 7 rails evenly: 1 left over", "a server of 4 NICs",
        "a server of 8 NICs", "design "}},
      {"NICs by planes",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.design().planes = 3;
         return of;
       },
       {"8 NIC ports of server 'hgx-h100' cannot be divided among 3 planes: 2 left over", "planes: 2",
        "a server of 6 NICs"}},
      {"more NIC ports than GPUs",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.asked.server.nics = of.asked.server.cages = 16;
         return of;
       },
       {"16 NIC ports for 8 GPUs, but the fabric is one plane: 8 too many", "planes: 2", "a server of 8 NICs"}},
      {"planes of a dual ToR",
       [] {
         Subject of("dual-tor-200g", "hgx-h800-2x200g", 512);
         of.design().planes = 1;
         return of;
       },
       {"has one plane: 1 too few", "planes: 2"}},
      {"breakout",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.design().breakout = 2;
         return of;
       },
       {"port speed 400 Gb/s", "200 Gb/s", "breakout: 1"}},
      {"management ends on several networks",
       [] {
         Subject of("rail-only-51t", "mi300x-server", 512);
         of.design().ufm = true;
         return of;
       },
       {"UFM ends", "ufm: false"}},
      {"leaves of a scheduled fabric",
       [] {
         Subject of("scheduled-jericho3", "hgx-h100", 512);
         of.design().leaf_ports.reset();
         return of;
       },
       {"has fixed ports", "leaf_ports: {node: "}},
      {"uplinks that do not spread over the spines of a group",
       [] {
         Subject of("ndr-dragonfly", "hgx-h100", 512);
         of.design().group_spines = 5;
         return of;
       },
       {"do not spread evenly over 5 spines of a group: ", " left over", "group_spines: "}},
      {"leaves of a dragonfly group",
       [] {
         Subject of("ndr-dragonfly", "hgx-h100", 512);
         of.design().group_leaves = 70;
         return of;
       },
       {"too few", "group_leaves: "}},
      {"groups of a dragonfly",
       [] {
         Subject of("ndr-dragonfly", "hgx-h100", 512);
         of.design().group_leaves = 2;
         of.design().global_links = 1000;
         return of;
       },
       {"the limit is ", " too many", "use "}},
      {"planes of a dragonfly",
       [] {
         Subject of("ndr-dragonfly", "hgx-h100", 512);
         of.design().planes = 2;
         return of;
       },
       {"2 planes of a dragonfly, which has one, 1 too many", "planes: 1"}},
      {"connector of a module",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.design().media[1].upper_module = "osfp-rhs-400g-sr4";
         return of;
       },
       {"connector osfp-rhs", "against osfp", "media.leaf_spine: {upper_module: osfp-800g-2xsr4}"}},
      {"medium of a cable",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.design().media[1].cable = "mpo12-singlemode";
         return of;
       },
       {"is multimode, but cable 'mpo12-singlemode' is singlemode", "media.leaf_spine: {cable: mpo12-multimode}"}},
      {"reach of planned lengths",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.design().media[1].longest = 80 * metre;
         return of;
       },
       {"reaches 50 m, but links are up to 80 m long, 30 m too much", "media.leaf_spine: {cable: "}},
      {"a ratio that does not divide into cages",
       [] {
         Subject of("ndr-rail", "hgx-h100", 512);
         of.design().oversubscription = 0.94;  // 31 node ports and 33 uplinks: port 31 shares a cage with an uplink
         of.design().media[1] = of.design().media[2];
         return of;
       },
       {"two ports of one cage", "oversubscription: "}},
      {"power of a rack",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.stand_at("air-40kw");
         exactly(of.asked.site->rack.power, 9 * kilowatt);
         return of;
       },
       {" kW more than the 9 kW of a rack", "site air-15kw", "racks of "}},
      {"height of a rack",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.stand_at("air-40kw");
         of.asked.site->rack.units = 10;
         return of;
       },
       {"is 8 U high, 2 U more than the 6 U of a rack", "site air-15kw", "racks of 12 U"}},
      {"weight of a rack",
       [] {
         Subject of("ndr-rail", "hgx-h100", 64);
         of.stand_at("air-40kw");
         exactly(of.asked.site->rack.weight, 100 * kilogram);
         return of;
       },
       {" kg more than the 100 kg of a rack", "site air-15kw", "racks of 145 kg"}},
      {"whole NVL72 racks in an air-cooled hall",
       [] {
         Subject of("nvl72-xdr-rail", "gb300-tray", 144);
         of.stand_at("air-40kw");
         return of;
       },
       {"a rack of 18 servers", "more than the 42 kW of a rack", "site liquid-135kw", "racks of "}},
      {"reach along the routes of a site",
       [] {
         Subject of("ndr-rail", "hgx-h100", 1024);
         of.stand_at("air-15kw");
         exactly(of.asked.site->hall.cold_aisle, 60 * metre);
         for (LayerMedia& media : of.design().media) media.alternatives.clear();
         return of;
       },
       {" m too little", "site air-40kw", "media.", "GPUs"}},
      {"lengths that are sold",
       [] {
         Subject of("ndr-rail", "hgx-h100", 512);
         of.stand_at("air-40kw");
         of.asked.site->stock.at("multimode").lengths = {3 * metre};
         for (LayerMedia& media : of.design().media) media.alternatives.clear();
         return of;
       },
       {"none is sold in such a length", "site "}},
  };
  return list;
}

}  // namespace

TEST_CASE("advice: every kind of limit says which, by how much, and what can be had instead", "[topologies][slow]") {
  const AdviceSources shipped = everything_shipped();
  for (const Limit& limit : limits()) {
    const Subject subject = limit.subject();
    const std::string message = refusal_with_tried_advice(subject.asked, subject.parts, shipped);
    INFO(limit.what << ":\n" << message);
    CHECK_FALSE(message.empty());
    for (const std::string& words : limit.says) CHECK_THAT(message, ContainsSubstring(words));
    CHECK_THAT(message, ContainsSubstring("\n   use "));
  }
}

// A rail-optimised design asked for what none of its size can hold: of those that can, the one that differs in fewest
// ways is named first, and says in which.
TEST_CASE("advice: designs come nearest first, and say what differs", "[topologies]") {
  const Subject subject("ndr-rail", "hgx-h100", 70000);
  const WiringCheck check = [&](const WiringCase& changed) { have(changed, subject.parts); };
  std::vector<std::size_t> differences;
  for (const Remedy& each : remedies(subject.asked, subject.parts, everything_shipped(), check)) {
    if (each.kind != RemedyKind::design) continue;
    CHECK(each.changed.gpus == 70000);
    CHECK(each.changed.server.gpu == "h100");
    CHECK_THAT(each.words, ContainsSubstring("(other "));
    differences.push_back(static_cast<std::size_t>(std::count(each.words.begin(), each.words.end(), ',')) + 1);
  }
  REQUIRE(differences.size() >= 2);
  CHECK(std::is_sorted(differences.begin(), differences.end()));
}

// The largest count of whole pods whose cables reach: one pod more does not.
TEST_CASE("advice: where cables do not reach, one pod more than advised does not work either", "[topologies]") {
  Subject subject("ndr-rail", "hgx-h100", 2048);
  subject.stand_at("air-15kw");
  exactly(subject.asked.site->hall.cold_aisle, 12 * metre);
  for (LayerMedia& media : subject.design().media) media.alternatives.clear();
  const WiringCheck check = [&](const WiringCase& changed) { have(changed, subject.parts); };
  REQUIRE_THROWS_AS(check(subject.asked), InputError);
  int counts = 0;
  for (const Remedy& each : remedies(subject.asked, subject.parts, {}, check)) {
    if (each.kind != RemedyKind::gpus) continue;
    ++counts;
    CHECK(each.changed.gpus % 256 == 0);
    WiringCase more = each.changed;
    more.gpus += 256;
    CHECK_THROWS_AS(check(more), InputError);
  }
  CHECK(counts == 1);
}
