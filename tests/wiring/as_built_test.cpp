// SPDX-License-Identifier: Apache-2.0
// What was built against what was planned, in each of the forms that are written.
#include "topologies/exchange/as_built.h"

#include "tests/catch.h"
#include "tests/wiring/planned_cluster.h"
#include "tests/wiring/random_cluster.h"
#include "topologies/exchange/cable_lists.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/netbox.h"
#include "topologies/exchange/validation_files.h"

using namespace railyard;
using namespace railyard::test;

namespace {

NamedFabric plan() { return named(small_cluster().fabric, small_cluster().names, "tiny-rail"); }

/// The point-to-point sheet with these replacements of lines (from the one that starts so).
WiringComparison compared(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string text = text_of(point_to_point_of(small_cluster().wiring()));
  for (const auto& [from, to] : changes) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  }
  return compare_wiring(plan(), read_as_built(text, "built.csv", plan()));
}

/// Every LF as CR LF.
std::string with_crlf(const std::string& text) {
  std::string changed;
  for (const char letter : text) {
    if (letter == '\n') changed += '\r';
    changed += letter;
  }
  return changed;
}

}  // namespace

TEST_CASE("as built: every form that is written equals the plan it is written from", "[wiring]") {
  const PlannedCluster planned("ndr-rail", "h100", 512);
  const Wiring wiring = planned.wiring();
  const NamedFabric fabric = named(planned.fabric, planned.names, "ndr-rail");
  const auto netbox = netbox_of(wiring);
  for (const TextSource& source : {cut_sheet_of(wiring), point_to_point_of(wiring), graphml_of(wiring), topo_of(wiring),
                                   dot_of(wiring), netbox.at(std::string(netbox_cables))}) {
    // As written, as an editor on Windows saves it, and with a byte-order mark in front.
    const std::string text = text_of(source), crlf = with_crlf(text);
    for (const std::string& each : {text, crlf, "\xef\xbb\xbf" + crlf}) {
      const AsBuilt built = read_as_built(each, "built", fabric);
      const WiringComparison comparison = compare_wiring(fabric, built);
      CAPTURE(built.format);
      CHECK(comparison.differences.empty());
      CHECK(comparison.equal == planned.fabric.links().size());
    }
  }
}

TEST_CASE("as built: DOT of every family's shape reads back as its own plan, and what is taken out is missing",
          "[wiring]") {
  std::mt19937 random(11);
  int seen = 0;
  for (int round = 0; round < 60; ++round) {
    const auto drawn = random_cluster(random);
    if (!drawn) continue;
    ++seen;
    const NamedFabric fabric = named(drawn->fabric, drawn->names, "drawn");
    std::string text;
    std::size_t removed = 0;
    for (const std::string& line : lines_of(text_of(dot_of(drawn->wiring())))) {
      const bool link = line.find(" -- ") != std::string::npos;
      if (link && std::bernoulli_distribution(0.1)(random)) {
        ++removed;
      } else {
        text += line + "\n";
      }
    }
    const AsBuilt built = read_as_built(text, "built.dot", fabric);
    CHECK(built.format == "DOT");
    CHECK(built.links.size() == drawn->fabric.links().size() - removed);
    const WiringComparison comparison = compare_wiring(fabric, built);
    CHECK(comparison.differences.size() == removed);
    for (const WiringDifference& each : comparison.differences) CHECK(each.fault == WiringFault::missing);
  }
  CHECK(seen > 20);
}

TEST_CASE("as built: DOT is read strictly, with the place of what is wrong", "[wiring]") {
  const auto read = [](const std::string& text) {
    return message_of([&] { (void)read_as_built(text, "x.dot", plan()); });
  };
  CHECK(read("// built on Monday\ngraph G { a:b -- c:d; \"e\" [label=\"e\", role=leaf] /* spare */ }\n") ==
        "nothing thrown");
  CHECK(read("graph { \"with \\\"quotes\\\"\":1 -- c:d }") == "nothing thrown");
  CHECK_THAT(read("digraph G { a:b -> c:d }"), ContainsSubstring("x.dot:1:1") && ContainsSubstring("undirected"));
  CHECK_THAT(read("graph G {\n  a:b -> c:d\n}"), ContainsSubstring("x.dot:2:7") && ContainsSubstring("expected --"));
  CHECK_THAT(read("graph G {\n  a -- c\n}"), ContainsSubstring("x.dot:2:5") && ContainsSubstring("port"));
  CHECK_THAT(read("graph G {\n  a:b -- c:d\n"), ContainsSubstring("expected }"));
  CHECK_THAT(read("graph G {\n  a [rool=leaf]\n}"), ContainsSubstring("x.dot:2:6") && ContainsSubstring("role"));
  CHECK_THAT(read("graph G {\n  a [role=lief]\n}"),
             ContainsSubstring("did you mean 'leaf'?") || ContainsSubstring("leaf"));
  CHECK_THAT(read("graph G {\n  \"a:b -- c:d\n}"), ContainsSubstring("x.dot:2:3") && ContainsSubstring("not closed"));
  CHECK_THAT(read("graph G { a:b -- c:d } x"), ContainsSubstring("nothing after"));
  CHECK_THAT(read("graph G { /* a:b -- c:d }"), ContainsSubstring("does not end"));
  CHECK_THAT(read("graph G { a:\x01 -- c:d }"), ContainsSubstring("control character"));
}

TEST_CASE("as built: a missing cable, one too many, a swap and a wrong port", "[wiring]") {
  // A line removed.
  const WiringComparison missing = compared({{",,pod001-node002,Host,1,,,pod001-leaf-r1,Switch,1/2\n", ""}});
  REQUIRE(missing.differences.size() == 1);
  CHECK(missing.differences[0].fault == WiringFault::missing);
  CHECK(missing.differences[0].device == "pod001-node002");
  CHECK(missing.differences[0].planned_port == "1/2");

  // The leaf ports of two nodes exchanged: one swap, not two wrong cables.
  const WiringComparison swapped = compared(
      {{"pod001-node001,Host,1,,,pod001-leaf-r1,Switch,1/1", "X"},
       {"pod001-node002,Host,1,,,pod001-leaf-r1,Switch,1/2", "pod001-node002,Host,1,,,pod001-leaf-r1,Switch,1/1"},
       {"X", "pod001-node001,Host,1,,,pod001-leaf-r1,Switch,1/2"}});
  REQUIRE(swapped.differences.size() == 1);
  CHECK(swapped.differences[0].fault == WiringFault::swapped);
  CHECK(swapped.differences[0].device == "pod001-node001");
  CHECK(swapped.differences[0].found_port == "1/2");
  CHECK(swapped.differences[0].note == "exchanged with the cable from pod001-node002:mlx5_0");
  CHECK(swapped.equal == small_cluster().fabric.links().size() - 2);

  // Rails exchanged at one node: its two cables, one swap too.
  CHECK(compared({{"pod001-node001,Host,1", "pod001-node001,Host,9"},
                  {"pod001-node001,Host,2", "pod001-node001,Host,1"},
                  {"pod001-node001,Host,9", "pod001-node001,Host,2"}})
            .differences.size() == 1);

  // Into a port that the plan leaves free: the second pod has none, so a device that the plan does not know.
  const WiringComparison misplaced =
      compared({{"Host,1,,,pod001-leaf-r1,Switch,1/1", "Host,1,,,pod001-leef-r1,Switch,1/1"}});
  REQUIRE(misplaced.differences.size() == 1);
  CHECK(misplaced.differences[0].fault == WiringFault::misplaced);
  CHECK_THAT(misplaced.differences[0].note, ContainsSubstring("did you mean pod001-leaf-r1?"));

  const WiringComparison extra =
      compared({{"A-Rack", "A-Rack"}, {"Z-Port\n", "Z-Port\n,,old-node,Host,1,,,old-leaf,Switch,9/1\n"}});
  REQUIRE(extra.differences.size() == 1);
  CHECK(extra.differences[0].fault == WiringFault::extra);
  CHECK(extra.differences[0].line == 2);
}

TEST_CASE("as built: random damage is counted exactly", "[wiring]") {
  // k lines taken out are k missing links and nothing else.
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    auto lines = lines_of(text_of(point_to_point_of(small_cluster().wiring())));
    std::size_t removed = 0;
    std::string text = lines.front() + "\n";
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (std::bernoulli_distribution(0.2)(random)) {
        ++removed;
      } else {
        text += lines[i] + "\n";
      }
    }
    const WiringComparison comparison = compare_wiring(plan(), read_as_built(text, "built.csv", plan()));
    CHECK(comparison.differences.size() == removed);
    for (const WiringDifference& each : comparison.differences) CHECK(each.fault == WiringFault::missing);
  }
}

TEST_CASE("as built: a speed that is not as planned, told by GraphML", "[wiring]") {
  std::string text = text_of(graphml_of(small_cluster().wiring()));
  const std::size_t at = text.find(">400000000000<");
  REQUIRE(at != std::string::npos);
  text.replace(at, 14, ">200000000000<");
  const WiringComparison comparison = compare_wiring(plan(), read_as_built(text, "built.graphml", plan()));
  REQUIRE(comparison.differences.size() == 1);
  CHECK(comparison.differences[0].note == "200 Gb/s, planned 400 Gb/s");
}

TEST_CASE("as built: what a fabric manager saw, links between switches told twice", "[wiring]") {
  std::string text = text_of(topo_of(small_cluster().wiring()));
  CHECK(compare_wiring(plan(), read_as_built(text, "live.topo", plan())).differences.empty());
  // A cable that came up at half its speed, seen from the leaf; then one that did not come up at all.
  const std::string line = "   P1 -4x-100G-> HCA_mlx5_2 pod001-node001 mlx5_0/P1\n";
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  text.replace(at, line.size(), "   P1 -2x-100G-> HCA_mlx5_2 pod001-node001 mlx5_0/P1\n");
  WiringComparison comparison = compare_wiring(plan(), read_as_built(text, "live.topo", plan()));
  REQUIRE(comparison.differences.size() == 1);
  CHECK(comparison.differences[0].note == "200 Gb/s, planned 400 Gb/s");
  CHECK(comparison.differences[0].line == 2);
  text.erase(at, line.size());
  comparison = compare_wiring(plan(), read_as_built(text, "live.topo", plan()));
  REQUIRE(comparison.differences.size() == 1);
  CHECK(comparison.differences[0].fault == WiringFault::missing);
}

TEST_CASE("as built: a .topo that is wrong is refused with its place", "[wiring]") {
  const auto [text, message] = GENERATE(table<const char*, const char*>({
      {"TINY a b\n   P1 -4x-100G-> TINY c P1\n", "expected MODEL SYSTEM"},
      {"   P1 -4x-100G-> TINY c P1\n", "a port before its system"},
      {"TINY a\n   P1 -4x-100G-> TINY c\n", "live.topo:2:4: error: 4 words"},
      {"TINY a\n   P1 -4-100G-> TINY c P1\n", "expected lanes and rate"},
      {"TINY a\n   P0 -4x-100G-> TINY c P1\n", "expected a port: P7"},
  }));
  CHECK_THAT(message_of([&] { static_cast<void>(read_as_built(text, "live.topo", plan())); }),
             ContainsSubstring(message));
}

TEST_CASE("as built: files that are no wiring are refused", "[wiring]") {
  CHECK_THAT(message_of([] { static_cast<void>(read_as_built("a,b\n1,2\n", "x.csv", plan())); }),
             ContainsSubstring("no wiring that is known"));
  CHECK_THAT(message_of([] { static_cast<void>(read_as_built("", "x.csv", plan())); }),
             ContainsSubstring("the file is empty"));
  CHECK_THAT(
      message_of([] { static_cast<void>(read_as_built("A-Node Name,A-Port,Z-Node Name,Z-Prt\n", "x.csv", plan())); }),
      ContainsSubstring("did you mean 'Z-Port'?"));
}
