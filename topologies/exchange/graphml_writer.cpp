// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/graphml_fields.h"

namespace railyard {

namespace {

class GraphmlWriter {
 public:
  GraphmlWriter(const Wiring& wiring, TextSink& sink) : wiring_(wiring), sink_(sink) {}

  void write() {
    sink_.text() +=
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    keys("graph", graphml::graph_attributes);
    keys("graph", graphml::shape_fields);
    keys("node", graphml::node_attributes);
    keys("node", graphml::device_fields);
    keys("edge", graphml::edge_attributes);
    sink_.text() += "<graph id=\"fabric\" edgedefault=\"undirected\">\n";
    data("graph", 0, graphml::schema);
    data("graph", 1, escaped(wiring_.design.id));
    for (std::size_t i = 0; i < graphml::shape_fields.size(); ++i) {
      data("graph", graphml::graph_attributes.size() + i, wiring_.fabric.shape().*graphml::shape_fields[i].member);
    }
    sink_.text() += '\n';
    for (std::size_t i = 0; i < wiring_.fabric.devices().size(); ++i) node(DeviceId{static_cast<std::uint32_t>(i)});
    for (std::size_t i = 0; i < wiring_.fabric.links().size(); ++i) edge(LinkId{static_cast<std::uint32_t>(i)});
    sink_.text() += "</graph>\n</graphml>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(sink_.text()), format, std::forward<Values>(values)...);
  }

  /// Keys are numbered within what they are for, in the order of the tables: g0, n4, e2.
  template <class Table>
  void keys(std::string_view of, const Table& table) {
    for (const auto& each : table) {
      std::string_view type = "int";
      if constexpr (requires { each.type; }) type = each.type;
      add("<key id=\"{}{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n", of.front(), next_key_[of.front()]++, of,
          each.name, type);
    }
  }
  template <class Value>
  void data(std::string_view of, std::size_t number, const Value& value) {
    add("<data key=\"{}{}\">{}</data>", of.front(), number, value);
  }

  void node(DeviceId id) {
    const Device& device = wiring_.fabric.device(id);
    add("<node id=\"{}\">", wiring_.device(id));
    data("node", 0, to_string(device.kind));
    data("node", 1, escaped(wiring_.part(id)));
    if (wiring_.floor != nullptr) {
      data("node", 2, escaped(wiring_.rack(id)));
      data("node", 3, wiring_.rack_unit(id));
    }
    for (std::size_t i = 0; i < graphml::device_fields.size(); ++i) {
      data("node", graphml::node_attributes.size() + i, device.*graphml::device_fields[i].member);
    }
    sink_.text() += "</node>\n";
    sink_.row_done();
  }

  void edge(LinkId id) {
    const Link& link = wiring_.fabric.link(id);
    add("<edge source=\"{}\" target=\"{}\"><data key=\"e0\">{}</data><data key=\"e1\">{}</data>"
        "<data key=\"e2\">{}</data><data key=\"e3\">{}</data><data key=\"e4\">{}</data><data key=\"e5\">{}</data>",
        wiring_.device(link.lower), wiring_.device(link.upper), to_string(link.layer),
        std::llround(link.speed.in(bit / second)), link.lower_port, link.upper_port, wiring_.lower_port(link),
        wiring_.upper_port(link));
    if (wiring_.cables != nullptr) {
      const std::size_t index = wiring_.cables->cable_of(id);
      const CableChoice& choice = wiring_.cables->choice_of(wiring_.cables->cable(index));
      add("<data key=\"e6\">{}</data><data key=\"e7\">{}</data><data key=\"e8\">{}</data><data "
          "key=\"e9\">{:.2f}</data>",
          index + 1, escaped(choice.cable->id), choice.cable->medium, choice.stock.in(metre));
    }
    sink_.text() += "</edge>\n";
    sink_.row_done();
  }

  std::map<char, int> next_key_;
  const Wiring& wiring_;
  TextSink& sink_;
};

}  // namespace

TextSource graphml_of(const Wiring& wiring) {
  return [wiring](TextSink& sink) { GraphmlWriter(wiring, sink).write(); };
}

}  // namespace railyard
