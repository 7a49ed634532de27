// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/graphml_fields.h"
#include "topologies/exchange/row_text.h"

namespace railyard {

namespace {

class GraphmlWriter {
 public:
  GraphmlWriter(const Wiring& wiring, TextSink& sink) : wiring_(wiring), sink_(sink) {
    for (std::size_t i = 0; i < wiring.fabric.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      std::string& part = parts_[static_cast<std::size_t>(wiring.kind(id))];
      if (part.empty()) part = escaped(wiring.part(id));
    }
    if (wiring.cables == nullptr) return;
    for (const CableChoice& choice : wiring.cables->choices()) {
      choices_.push_back(
          fmt::format("</data><data key=\"e7\">{}</data><data key=\"e8\">{}</data><data key=\"e9\">{:.2f}</data>",
                      escaped(choice.cable->id), choice.cable->medium, choice.stock.in(metre)));
    }
  }

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
    std::string& row = sink_.text();
    append(row, "<node id=\"", wiring_.device(id), "\"><data key=\"n0\">", to_string(device.kind),
           "</data><data key=\"n1\">", part_of(id), "</data>");
    if (wiring_.floor != nullptr) {
      append(row, "<data key=\"n2\">", wiring_.rack(id), "</data><data key=\"n3\">", wiring_.rack_unit(id), "</data>");
    }
    for (std::size_t i = 0; i < graphml::device_fields.size(); ++i) {
      append(row, "<data key=\"n", graphml::node_attributes.size() + i, "\">", device.*graphml::device_fields[i].member,
             "</data>");
    }
    row += "</node>\n";
    sink_.row_done();
  }

  void edge(LinkId id) {
    const Link& link = wiring_.fabric.link(id);
    std::string& row = sink_.text();
    append(row, "<edge source=\"", wiring_.device(link.lower), "\" target=\"", wiring_.device(link.upper),
           "\"><data key=\"e0\">", to_string(link.layer), "</data><data key=\"e1\">",
           std::llround(link.speed.in(bit / second)), "</data><data key=\"e2\">", link.lower_port,
           "</data><data key=\"e3\">", link.upper_port, "</data><data key=\"e4\">", wiring_.lower_port(link),
           "</data><data key=\"e5\">", wiring_.upper_port(link), "</data>");
    if (wiring_.cables != nullptr) {
      const std::size_t index = wiring_.cables->cable_of(id);
      append(row, "<data key=\"e6\">", index + 1, choices_[wiring_.cables->cable(index).choice]);
    }
    row += "</edge>\n";
    sink_.row_done();
  }

  /// Part of a device, escaped; the parts of all kinds are known beforehand.
  [[nodiscard]] std::string_view part_of(DeviceId id) const {
    return parts_[static_cast<std::size_t>(wiring_.kind(id))];
  }

  std::map<char, int> next_key_;
  std::array<std::string, device_kinds.size()> parts_;
  std::vector<std::string> choices_;  // the end of an edge's cable number, and what follows it
  const Wiring& wiring_;
  TextSink& sink_;
};

}  // namespace

TextSource graphml_of(const Wiring& wiring) {
  return [wiring](TextSink& sink) { GraphmlWriter(wiring, sink).write(); };
}

}  // namespace railyard
