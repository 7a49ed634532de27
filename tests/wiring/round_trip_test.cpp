// SPDX-License-Identifier: Apache-2.0
// What is written as GraphML or for NetBox reads back as the same graph, whatever its shape.
#include <algorithm>
#include <optional>
#include <set>

#include "tests/catch.h"
#include "tests/wiring/random_cluster.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/netbox.h"

using namespace railyard;
using namespace railyard::test;

namespace {

bool same(const Device& a, const Device& b) {
  return a.kind == b.kind && a.index == b.index && a.pod == b.pod && a.rail == b.rail && a.group == b.group &&
         a.plane == b.plane;
}

bool same(const Link& a, const Link& b) {
  return a.lower == b.lower && a.upper == b.upper && a.lower_port == b.lower_port && a.upper_port == b.upper_port &&
         a.layer == b.layer && a.speed == b.speed;
}

/// Equal names, devices, links and port names, each in its order.
void check_same(const NamedFabric& read, const NamedFabric& written) {
  CHECK(read.devices == written.devices);
  CHECK(read.design == written.design);
  const auto devices = read.fabric.devices(), expected = written.fabric.devices();
  CHECK(std::equal(devices.begin(), devices.end(), expected.begin(), expected.end(),
                   [](const Device& a, const Device& b) { return same(a, b); }));
  const auto links = read.fabric.links(), expected_links = written.fabric.links();
  CHECK(std::equal(links.begin(), links.end(), expected_links.begin(), expected_links.end(),
                   [](const Link& a, const Link& b) { return same(a, b); }));
  CHECK(std::equal(read.ports.begin(), read.ports.end(), written.ports.begin(), written.ports.end(),
                   [](const PortNames& a, const PortNames& b) { return a.lower == b.lower && a.upper == b.upper; }));
}

NamedFabric through_netbox(const Wiring& wiring, bool crlf = false) {
  const auto files = netbox_of(wiring);
  const auto file = [&](std::string_view name) {
    std::string text = text_of(files.at(std::string(name)));
    if (crlf) {
      for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, 1, '\r');
    }
    return NetboxFile{std::string(name), std::move(text)};
  };
  return read_netbox({file(netbox_sites), file(netbox_devices), file(netbox_interfaces), file(netbox_cables)});
}

}  // namespace

TEST_CASE("round trips: GraphML and NetBox give the same graph for random fabrics", "[wiring]") {
  std::mt19937 random(20261201);
  int seen = 0;
  for (int round = 0; round < 150; ++round) {
    const auto cluster = random_cluster(random);
    if (!cluster) continue;
    ++seen;
    CAPTURE(round, cluster->tiny.design.topology, cluster->fabric.shape().gpus);
    const Wiring wiring = cluster->wiring();
    const NamedFabric written = named(cluster->fabric, cluster->names, cluster->tiny.design.id);
    const std::string text = text_of(graphml_of(wiring));
    const NamedFabric read = read_graphml(text, "fabric.graphml");
    check_same(read, written);
    check_same(through_netbox(wiring), written);
    if (round % 10 == 0) check_same(through_netbox(wiring, true), written);
    CHECK(text == text_of(graphml_of(wiring)));
    CHECK(bisection_bandwidth(read.fabric) == bisection_bandwidth(cluster->fabric));
  }
  CHECK(seen > 50);
}

TEST_CASE("round trips: every shipped design, whatever its family", "[wiring]") {
  std::mt19937 random(5);
  const Parts& parts = shipped_parts();
  int seen = 0;
  for (const std::string& id : design_names(source_dir + "/topologies/designs")) {
    const Design design = shipped_design(id);
    const ServerPart& server = parts.server(design.servers.front());
    for (int round = 0; round < 3; ++round) {
      const int gpus = server.gpus * std::uniform_int_distribution(1, 1024 / server.gpus)(random);
      CAPTURE(id, server.id, gpus);
      std::optional<Fabric> fabric;
      try {
        fabric = build_fabric(design, parts, server, gpus);
      } catch (const InputError&) {
        continue;  // the size does not suit the design
      }
      ++seen;
      const FabricNames names(*fabric, design, parts, server);
      const std::set<std::string> unique(names.devices().begin(), names.devices().end());
      CHECK(unique.size() == fabric->devices().size());
      const Wiring wiring{design, parts, server, *fabric, names};
      const NamedFabric written = named(*fabric, names, id);
      check_same(read_graphml(text_of(graphml_of(wiring)), "fabric.graphml"), written);
      check_same(through_netbox(wiring), written);
    }
  }
  CHECK(seen >= 12);
}
