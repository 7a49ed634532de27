// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "tests/catch.h"
#include "tests/topologies/fixture.h"

using namespace railyard;
using namespace railyard::test;

namespace {

/// Reads the text as a parts file named parts.yaml, after the shipped parts when `beside_shipped`.
Parts read(const std::string& text, bool beside_shipped = false) {
  Parts parts = beside_shipped ? shipped_parts() : Parts{};
  Diagnostics diagnostics;
  read_parts(YamlDocument::parse(text, "parts.yaml"), parts, diagnostics);
  diagnostics.throw_if_any();
  return parts;
}

template <class T>
void check_evidence(const std::string& id, const Figure<T>& figure) {
  INFO(id);
  CHECK(figure.value.low <= figure.value.typical);
  CHECK(figure.value.typical <= figure.value.high);
  CHECK(figure.value.typical > T{});
  if (figure.evidence.assumed()) {
    CHECK(!figure.evidence.rule.empty());
    CHECK(!figure.value.is_exact());
  } else {
    CHECK(!figure.evidence.source.empty());
    CHECK(figure.evidence.date.size() >= 4);
  }
}

}  // namespace

TEST_CASE("parts: every shipped figure has a source and a date, or is assumed by a rule", "[topologies]") {
  const Parts& parts = shipped_parts();
  for (const auto& [id, gpu] : parts.gpus) {
    check_evidence(id, gpu.bf16_dense);
    check_evidence(id, gpu.memory);
    check_evidence(id, gpu.memory_bandwidth);
    check_evidence(id, gpu.power);
    check_evidence(id, gpu.scale_up_bandwidth);
  }
  for (const auto& [id, nic] : parts.nics) check_evidence(id, nic.power);
  for (const auto& [id, server] : parts.servers) check_evidence(id, server.power);
  for (const auto& [id, box] : parts.switches) check_evidence(id, box.power);
  for (const auto& [id, module] : parts.modules) check_evidence(id, module.power);
  for (const auto& [id, cable] : parts.cables) {
    CHECK((!cable.power.evidence.source.empty() || cable.power.evidence.assumed()));
  }
}

TEST_CASE("parts: the two clusters have the published figures", "[topologies]") {
  const Parts& parts = shipped_parts();
  CHECK(parts.gpu("h100").bf16_dense.value.typical.in(teraflop_per_second) == 989);
  CHECK(parts.gpu("mi300x").bf16_dense.value.typical.in(teraflop_per_second) == 1307);
  CHECK(parts.gpu("mi300x").scale_up == ScaleUpKind::mesh);
  CHECK(parts.gpu("h100").scale_up == ScaleUpKind::switched);
  CHECK(parts.switch_part("qm9700").ports() == 64);
  CHECK(parts.switch_part("arista-7060x6-64pe").ports() == 128);
  CHECK(parts.server("dgx-h100").cages == 4);
  CHECK(parts.server("dgx-h100").ports() == 8);
  CHECK_THAT(parts.server("mi300x-server").power.value.typical.in(kilowatt), WithinRel(10.5, 1e-12));
  CHECK(parts.nic("connectx-7").power.evidence.assumed());  // recalled, so it must say so
  CHECK(parts.server("mi300x-server").nic == "thor-2");
}

TEST_CASE("parts: every GPU that the question names is there, with a server", "[topologies]") {
  std::set<std::string> gpus;
  for (const auto& [id, server] : shipped_parts().servers) gpus.insert(server.gpu);
  CHECK(gpus == std::set<std::string>{"a100", "a100-40gb", "b200", "b300", "gb200", "gb300", "gh200", "h100", "h20",
                                      "h200", "h800", "mi250x", "mi300x", "mi325x", "mi350x", "mi355x"});
  CHECK(shipped_parts().gpus.size() == gpus.size());
}

TEST_CASE("parts: a rack's scale-up domain spans its trays", "[topologies]") {
  CHECK(shipped_parts().gpu("gb200").scale_up_gpus == 18 * shipped_parts().server("gb200-tray").gpus);
  // 18 trays are the rack of 120 kW.
  CHECK_THAT(18 * shipped_parts().server("gb200-tray").power.value.typical.in(kilowatt), WithinRel(120, 1e-3));
}

TEST_CASE("parts: optical lanes are the electrical ones unless the module changes them", "[topologies]") {
  CHECK(shipped_parts().module("osfp-800g-2xsr4").optical_lane_rate == 100 * gigabit_per_second);
  const ModulePart& dr4 = shipped_parts().module("qsfp-dd-400g-dr4");
  CHECK(dr4.lane_rate == 50 * gigabit_per_second);
  CHECK(dr4.optical_lane_rate == 100 * gigabit_per_second);
}

TEST_CASE("parts: an unknown name is refused with the nearest one", "[topologies]") {
  CHECK(message_of([] { (void)shipped_parts().gpu("mi300"); }) ==
        "error: GPU 'mi300' is unknown\n   did you mean 'mi300x'?\n");
  CHECK(message_of([] { (void)shipped_parts().switch_part("qm970"); }) ==
        "error: switch 'qm970' is unknown\n   did you mean 'qm9700'?\n");
}

TEST_CASE("parts: mistakes in a file are named with their place", "[topologies]") {
  const std::string good =
      "sources:\n"
      "  here: {title: A page, date: 2024-12}\n"
      "nics:\n"
      "  card:\n"
      "    name: A card\n"
      "    fabrics: [ethernet]\n"
      "    ports: 1\n"
      "    connector: qsfp112\n"
      "    port_speed: {value: 400 Gb/s, source: here}\n"
      "    lane_rate: 100 Gb/s\n"
      "    power: {value: 25 W, source: here}\n"
      "    source: here\n";
  CHECK(read(good).nic("card").source == "A page, 2024-12");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(message_of([&] { (void)read(with("lane_rate: 100 Gb/s", "lane_rate: 100")); }) ==
        "parts.yaml:10:16: error: nics.card.lane_rate: found '100'\n"
        "   10 |     lane_rate: 100\n"
        "      |                ^~~\n"
        "   the unit is missing; expected a bandwidth with its unit, such as 400 Gb/s, 3.35 TB/s\n");
  CHECK(message_of([&] { (void)read(with("    ports: 1\n", "    ports: 1\n    prots: 2\n")); }) ==
        "parts.yaml:8:5: error: nics.card.prots: unknown key\n"
        "    8 |     prots: 2\n"
        "      |     ^~~~~\n"
        "   did you mean 'ports'?\n");
  CHECK(message_of([&] { (void)read(with("    source: here\n", "    source: hare\n")); }) ==
        "parts.yaml:12:13: error: nics.card.source: unknown source 'hare'\n"
        "   12 |     source: hare\n"
        "      |             ^~~~\n"
        "   expected one of: here; did you mean 'here'?\n");
  CHECK(message_of([&] { (void)read(with("  card:\n", "  thor-2:\n"), true); }) ==
        "parts.yaml:5:5: error: nics.thor-2: 'thor-2' is defined in another file already\n"
        "    5 |     name: A card\n"
        "      |     ^\n"
        "   give each part one id of its own\n");
  CHECK_THROWS_WITH(read(with("    power: {value: 25 W, source: here}\n", "    power: {value: 25 W}\n")),
                    ContainsSubstring("a figure without evidence"));
  CHECK_THROWS_WITH(read(with("fabrics: [ethernet]", "fabrics: [token-ring]")), ContainsSubstring("nics.card.fabrics"));
}

TEST_CASE("parts: a folder without parts is refused", "[topologies]") {
  CHECK_THROWS_AS(load_parts(source_dir + "/tests/topologies"), InputError);
}

TEST_CASE("parts: every figure has bounds, and the message tells them", "[topologies]") {
  const auto message = [](const std::string& file, const char* key, const std::string& value) {
    return message_of([&] {
      Parts parts;
      Diagnostics diagnostics;
      read_parts(YamlDocument::load(source_dir + "/topologies/parts/" + file).with(key, value), parts, diagnostics);
      diagnostics.throw_if_any();
    });
  };
  const auto figure = [](const std::string& value) { return "{value: " + value + ", assumed: a slip}"; };
  CHECK_THAT(message("gpus.yaml", "gpus.h100.bf16_dense", figure("2000 PFLOP/s")),
             ContainsSubstring("expected a rate of FLOP from 1 GFLOP/s to 1 EFLOP/s"));
  CHECK_THAT(message("gpus.yaml", "gpus.h100.memory", figure("1e-9 GB")),
             ContainsSubstring("expected an amount of data from 1 MB to 1 PB"));
  CHECK_THAT(message("gpus.yaml", "gpus.h100.memory_bandwidth", figure("1e12 GB/s")),
             ContainsSubstring("expected a bandwidth from 1 MB/s to 10 PB/s"));
  CHECK_THAT(message("servers.yaml", "servers.hgx-h100.power", figure("1e12 W")),
             ContainsSubstring("expected a power from 1 W to 1 MW"));
  CHECK_THAT(message("modules.yaml", "modules.osfp-800g-2xsr4.power", figure("11 kW")),
             ContainsSubstring("expected a power from 0 to 10 kW"));
  CHECK_THAT(message("modules.yaml", "modules.osfp-800g-2xsr4.reach", "1e9 m"),
             ContainsSubstring("expected a length from 0.01 m to 1000 km"));
  CHECK_THAT(message("switches.yaml", "switches.qm9700.port_speed", "1e-300 Gb/s"),
             ContainsSubstring("expected a bandwidth from 1 Mb/s to 1 Pb/s"));
}

TEST_CASE("parts: one of a thing is told in the singular", "[topologies]") {
  TinyCluster tiny(8, 2, 2);
  CHECK(message_of([&] { (void)tiny.build(1); }) ==
        "error: 1 GPU is no whole number of nodes: server 'tiny-server' has 2, 1 too many\n   use 2 GPUs\n");
}
