// SPDX-License-Identifier: Apache-2.0
// The readers refuse what is wrong with its place, what was expected and the nearest name.
#include "tests/catch.h"
#include "tests/wiring/random_cluster.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/netbox.h"

using namespace railyard;
using namespace railyard::test;

namespace {

std::string graphml() { return text_of(graphml_of(small_cluster().wiring())); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string graphml_error(const std::string& from, const std::string& to) {
  return message_of([&] { static_cast<void>(read_graphml(replaced(graphml(), from, to), "a.graphml")); });
}

NetboxFiles netbox() {
  const auto files = netbox_of(small_cluster().wiring());
  const auto file = [&](std::string_view name) {
    return NetboxFile{std::string(name), text_of(files.at(std::string(name)))};
  };
  return {file(netbox_sites), file(netbox_devices), file(netbox_interfaces), file(netbox_cables)};
}

std::string netbox_error(NetboxFile NetboxFiles::*file, const std::string& from, const std::string& to) {
  NetboxFiles files = netbox();
  (files.*file).text = replaced((files.*file).text, from, to);
  return message_of([&] { static_cast<void>(read_netbox(files)); });
}

}  // namespace

TEST_CASE("GraphML: mistakes are told with line, column and remedy", "[wiring]") {
  const auto [from, to, message] = GENERATE(table<std::string, std::string, std::string>({
      {"</graphml>", "", "XML: no element found"},
      {"<graph id", "<grph id", "element 'grph' inside 'graphml'"},
      {"<graphml", "<!DOCTYPE graphml [<!ENTITY a \"aa\">]><graphml", "a document type"},
      {"attr.name=\"pod\"", "attr.name=\"pood\"", "did you mean 'pod'?"},
      {"undirected", "directed", "edgedefault 'directed'"},
      {"<node id=\"pod001-node002\"", "<node id=\"pod001-node001\"", "a second node 'pod001-node001'"},
      {"source=\"pod001-node001\"", "source=\"pod001-nod001\"", "did you mean 'pod001-node001'?"},
      {">node</data>", ">nod</data>", "did you mean 'node'?"},
      {">node-leaf</data>", ">node-leef</data>", "did you mean 'node-leaf'?"},
      {">400000000000</data>", ">4e11</data>", "speed_bit_per_s: found '4e11'"},
      {">400000000000</data>", ">-4</data>", "expected a whole number from 1 to"},
      {"<data key=\"e2\">1</data>", "<data key=\"e2\">0</data>", "port 0 of 'pod001-node001' has two links"},
      {"<data key=\"e2\">1</data>", "<data key=\"e2\">2</data>", "expected 0 to 1: 2 rails, 1 plane"},
      {"<data key=\"e2\">1</data>", "", "has no lower_port"},
      {"<data key=\"e2\">1</data>", "<data key=\"e2\">1</data><data key=\"e2\">1</data>", "a second 'lower_port'"},
      {"<data key=\"g2\">16</data>", "<data key=\"g2\">17</data>", "17 GPUs, but 8 nodes of 2"},
      {"<data key=\"g2\">16</data>", "", "the graph has no 'gpus'"},
      {"<data key=\"g0\">railyard-wiring/1", "<data key=\"g0\">railyard-wiring/2", "expected 'railyard-wiring/1'"},
  }));
  INFO(to);
  const std::string error = graphml_error(from, to);
  CHECK_THAT(error, ContainsSubstring(message) && ContainsSubstring("a.graphml:"));
}

TEST_CASE("GraphML: the place is shown with its line", "[wiring]") {
  const std::string error = graphml_error("\"pod001-node003\" target", "\"pod001-nodd003\" target");
  CHECK_THAT(error, ContainsSubstring("<edge source=\"pod001-nodd003\"") && ContainsSubstring("      | ^"));
}

TEST_CASE("GraphML: odd input ends in a message", "[wiring]") {
  for (const std::string text :
       {"", "<", "<graphml/>", "\xff\xfe", "<graphml><graph edgedefault=\"undirected\"/></graphml>"}) {
    CHECK_THAT(message_of([&] { static_cast<void>(read_graphml(text, "odd.graphml")); }), ContainsSubstring("error: "));
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<graphml>";
  CHECK_THAT(message_of([&] { static_cast<void>(read_graphml(deep, "deep.graphml")); }),
             ContainsSubstring("element 'graphml' inside 'graphml'"));
}

TEST_CASE("NetBox: mistakes are told with line, column name and nearest name", "[wiring]") {
  const auto [file, from, to, message] = GENERATE(table<int, std::string, std::string, std::string>({
      {0, "gpus=16", "gpus=x", "description: gpus: found 'x'"},
      {0, "gpus=16", "gpu=16", "did you mean 'gpus'?"},
      {0, "gpus=16 ", "", "no 'gpus='"},
      {1, "name,role", "name,rolle", "did you mean 'role'?"},
      {1, ",node,", ",nod,", "did you mean 'node'?"},
      {1, "pod001-node002", "pod001-node001", "a second device 'pod001-node001'"},
      {2, "pod001-node001,mlx5_0", "pod001-node01,mlx5_0", "device: 'pod001-node01' is no device"},
      {2, "port=0", "port=70000", "expected a whole number from 0 to 65535"},
      {2, "port=0", "part=0", "expected port=NUMBER"},
      {3, "dcim.interface", "dcim.frontport", "side_a_type: found 'dcim.frontport'"},
      {3, "mlx5_0", "mlx5_9", "has no interface 'mlx5_9'"},
      {3, "layer=node-leaf", "layer=nod-leaf", "did you mean 'node-leaf'?"},
      {3, "side_a_name", "side_a_nam", "the column 'side_a_nam' is unknown"},
      {3, ",planned,", ",", "expected 13, as in the header"},
  }));
  INFO(to);
  constexpr std::array files{&NetboxFiles::sites, &NetboxFiles::devices, &NetboxFiles::interfaces,
                             &NetboxFiles::cables};
  CHECK_THAT(netbox_error(files[static_cast<std::size_t>(file)], from, to),
             ContainsSubstring(message) && ContainsSubstring("netbox-"));
}

TEST_CASE("NetBox: layers follow from the roles where the description is gone", "[wiring]") {
  NetboxFiles files = netbox();
  for (const std::string_view layer : {"layer=node-leaf", "layer=leaf-spine"}) {
    for (std::size_t at; (at = files.cables.text.find(layer)) != std::string::npos;)
      files.cables.text.erase(at, layer.size());
  }
  const NamedFabric read = read_netbox(files);
  CHECK(read.fabric.count(Layer::node_leaf) == small_cluster().fabric.count(Layer::node_leaf));
  CHECK(read.fabric.count(Layer::leaf_spine) == small_cluster().fabric.count(Layer::leaf_spine));
}
