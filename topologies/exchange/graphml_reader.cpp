// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "base/text.h"
#include "topologies/exchange/graphml.h"
#include "topologies/exchange/graphml_fields.h"
#include "topologies/exchange/xml_reader.h"

namespace railyard {

namespace {

constexpr std::size_t most_keys = 100;
constexpr std::int64_t highest_speed = std::int64_t{1} << 50;  // bit/s, a petabit

std::string expected_among(std::string_view name, const std::vector<std::string_view>& names) {
  return expected_names(name, std::vector<std::string>(names.begin(), names.end()));
}

/// What a <data> fills.
enum class Owner : std::uint8_t { graph, node, edge };
constexpr std::array<std::string_view, 3> owner_names{"graph", "node", "edge"};

struct Key {
  Owner owner = Owner::graph;
  std::string_view name;  // of a table
  int FabricShape::*shape = nullptr;
  std::int32_t Device::*device = nullptr;
  bool remark = false;
};

/// Every attribute there is, by owner and name.
std::vector<Key> all_keys() {
  std::vector<Key> keys;
  for (const auto& each : graphml::graph_attributes)
    keys.push_back({Owner::graph, each.name, nullptr, nullptr, each.remark});
  for (const auto& each : graphml::shape_fields) keys.push_back({Owner::graph, each.name, each.member, nullptr, false});
  for (const auto& each : graphml::node_attributes)
    keys.push_back({Owner::node, each.name, nullptr, nullptr, each.remark});
  for (const auto& each : graphml::device_fields) keys.push_back({Owner::node, each.name, nullptr, each.member, false});
  for (const auto& each : graphml::edge_attributes)
    keys.push_back({Owner::edge, each.name, nullptr, nullptr, each.remark});
  return keys;
}

std::int64_t whole_number(std::string_view what, std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= low && value <= high) return value;
  throw XmlMistake{fmt::format("{}: found '{}'", what, shortened(text)),
                   fmt::format("expected a whole number from {} to {}", low, high)};
}

int port_number(std::string_view what, std::string_view text) {
  return static_cast<int>(whole_number(what, text, 0, std::numeric_limits<std::uint16_t>::max()));
}

template <class Value, class Range>
Value named_value(std::string_view what, std::string_view text, const Range& values) {
  std::vector<std::string_view> names;
  for (const Value value : values) {
    if (to_string(value) == text) return value;
    names.push_back(to_string(value));
  }
  throw XmlMistake{fmt::format("{}: '{}' is unknown", what, shortened(text)), expected_among(text, names)};
}

/// Takes the elements of a GraphML text as they come.
class GraphmlReader : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes& attributes) override {
    const std::string_view parent = open_.empty() ? std::string_view() : std::string_view(open_.back());
    if (name == "graphml" && open_.empty()) {
      // its namespace declarations do not matter
    } else if (name == "key" && parent == "graphml") {
      declare(attributes);
    } else if (name == "graph" && parent == "graphml") {
      begin_graph(attributes);
    } else if (name == "node" && parent == "graph") {
      begin_node(attributes);
    } else if (name == "edge" && parent == "graph") {
      begin_edge(attributes);
    } else if (name == "data" && (parent == "graph" || parent == "node" || parent == "edge")) {
      begin_data(attributes, parent);
    } else if (name != "desc" || (parent != "graphml" && parent != "key" && parent != "graph")) {
      throw XmlMistake{fmt::format("element '{}' {}", shortened(name),
                                   parent.empty() ? "at the top" : fmt::format("inside '{}'", parent)),
                       parent.empty() ? "expected 'graphml'" : "expected key, graph, node, edge and data elements"};
    }
    open_.emplace_back(name);
    text_.clear();
  }

  void characters(std::string_view text) override {
    if (open_.empty() || open_.back() != "data") {
      if (!open_.empty() && open_.back() == "desc") return;
      if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
      throw XmlMistake{fmt::format("text '{}' outside of a data element", shortened(text)), {}};
    }
    if (text_.size() + text.size() > longest_text) throw XmlMistake{"a data element of more than 600 bytes", {}};
    text_ += text;
  }

  void end(std::string_view name) override {
    open_.pop_back();
    if (name == "data") {
      end_data();
    } else if (name == "node") {
      end_node();
    } else if (name == "edge") {
      end_edge();
    }
  }

  [[nodiscard]] FabricDraft take(const std::string& file) {
    if (!graph_) throw InputError({Diagnostic{.file = file, .message = "no graph in the file"}});
    for (const graphml::ShapeField& each : graphml::shape_fields) {
      if (filled_.contains(each.name)) continue;
      throw InputError({Diagnostic{.file = file,
                                   .message = fmt::format("the graph has no '{}'", each.name),
                                   .expected = "expected the data of the shape as in topologies/exchange/FORMAT.md"}});
    }
    return std::move(draft_);
  }

 private:
  static constexpr std::size_t longest_text = 600;

  void declare(const XmlAttributes& attributes) {
    if (graph_) throw XmlMistake{"a key after the graph", "declare keys first"};
    if (keys_.size() >= most_keys) throw XmlMistake{"too many keys", fmt::format("expected at most {}", most_keys)};
    const std::string_view id = attributes.need("id"), of = attributes.need("for"), name = attributes.need("attr.name");
    std::vector<std::string_view> names;
    for (const Key& key : known_) {
      if (owner_names[static_cast<std::size_t>(key.owner)] != of) continue;
      if (key.name == name) {
        if (!keys_.emplace(id, key).second)
          throw XmlMistake{fmt::format("key '{}' is declared twice", shortened(id)), {}};
        return;
      }
      names.push_back(key.name);
    }
    if (names.empty()) {
      throw XmlMistake{fmt::format("a key for '{}'", shortened(of)), expected_among(of, {"graph", "node", "edge"})};
    }
    throw XmlMistake{fmt::format("attribute '{}' of a {} is unknown", shortened(name), of),
                     expected_among(name, names)};
  }

  void begin_graph(const XmlAttributes& attributes) {
    if (graph_) throw XmlMistake{"a second graph", "expected one fabric a file"};
    graph_ = true;
    if (attributes.need("edgedefault") != "undirected") {
      throw XmlMistake{fmt::format("edgedefault '{}'", shortened(attributes.need("edgedefault"))),
                       "expected 'undirected'"};
    }
  }

  void begin_node(const XmlAttributes& attributes) {
    const std::string_view id = attributes.need("id");
    if (id.empty() || id.size() > longest_wiring_name || text_fault(id, Layout::none)) {
      throw XmlMistake{fmt::format("the name '{}'", shortened(id)),
                       fmt::format("expected 1 to {} characters that print", longest_wiring_name)};
    }
    if (!ids_.emplace(id, static_cast<std::uint32_t>(draft_.devices.size())).second) {
      throw XmlMistake{fmt::format("a second node '{}'", id), "expected one name for one device"};
    }
    draft_.devices.emplace_back();
    draft_.names.emplace_back(id);
    filled_.clear_all_but_graph();
  }

  void end_node() {
    if (!filled_.contains("kind")) {
      throw XmlMistake{fmt::format("node '{}' has no kind", draft_.names.back()),
                       "expected node, leaf, spine, core or manager"};
    }
    Device& device = draft_.devices.back();
    std::int32_t& next = next_index_[device.kind];
    if (!filled_.contains("index")) device.index = next;
    next = device.index == std::numeric_limits<std::int32_t>::max() ? 0 : device.index + 1;
  }

  void begin_edge(const XmlAttributes& attributes) {
    const auto device = [&](std::string_view which) {
      const std::string_view name = attributes.need(which);
      const auto found = ids_.find(std::string(name));
      if (found == ids_.end())
        throw XmlMistake{fmt::format("{} '{}' is no node above", which, shortened(name)), nearest(name)};
      return DeviceId{found->second};
    };
    Link link;
    link.lower = device("source");
    link.upper = device("target");
    draft_.links.push_back(link);
    draft_.ports.emplace_back();
    filled_.clear_all_but_graph();
  }

  /// The nearest name of all devices is worth a moment, once.
  [[nodiscard]] std::string nearest(std::string_view name) const {
    if (draft_.names.size() > 20'000 || name.size() > longest_wiring_name) return "expected the name of a node above";
    const std::string near = nearest_name(name, draft_.names);
    return near.empty() ? "expected the name of a node above" : fmt::format("did you mean '{}'?", near);
  }

  void end_edge() {
    for (const graphml::Attribute& each : graphml::edge_attributes) {
      if (each.remark || each.type == "string" || filled_.contains(each.name)) continue;
      const Link& link = draft_.links.back();
      throw XmlMistake{
          fmt::format("the link from '{}' to '{}' has no {}", draft_.names[static_cast<std::size_t>(link.lower)],
                      draft_.names[static_cast<std::size_t>(link.upper)], each.name),
          "expected layer, speed_bit_per_s, lower_port and upper_port"};
    }
    PortNames& ports = draft_.ports.back();
    if (ports.lower.empty()) ports.lower = std::to_string(draft_.links.back().lower_port);
    if (ports.upper.empty()) ports.upper = std::to_string(draft_.links.back().upper_port);
  }

  void begin_data(const XmlAttributes& attributes, std::string_view parent) {
    const std::string_view id = attributes.need("key");
    const auto found = keys_.find(std::string(id));
    if (found == keys_.end())
      throw XmlMistake{fmt::format("key '{}' is not declared", shortened(id)), "declare it above the graph"};
    key_ = &found->second;
    const std::string_view of = owner_names[static_cast<std::size_t>(key_->owner)];
    if (of != parent) throw XmlMistake{fmt::format("'{}' is an attribute of a {}", key_->name, of), {}};
    if (!filled_.add(key_->name, key_->owner)) throw XmlMistake{fmt::format("a second '{}'", key_->name), {}};
  }

  void end_data() {
    const Key& key = *key_;
    if (key.remark) return;
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (key.shape != nullptr) {
      draft_.shape.*key.shape = static_cast<int>(whole_number(key.name, text_, 0, 1 << 23));
    } else if (key.device != nullptr) {
      const std::int64_t low = key.device == &Device::index || key.device == &Device::plane ? 0 : -1;
      draft_.devices.back().*key.device = static_cast<std::int32_t>(whole_number(key.name, text_, low, most));
    } else if (key.owner == Owner::graph) {
      graph_text(key.name);
    } else if (key.owner == Owner::node) {
      draft_.devices.back().kind = named_value<DeviceKind>("kind", text_, device_kinds);
    } else {
      edge_text(key.name);
    }
  }

  void graph_text(std::string_view name) {
    if (name == "design") {
      draft_.design = text_;
    } else if (text_ != graphml::schema) {
      throw XmlMistake{fmt::format("schema '{}'", shortened(text_)), fmt::format("expected '{}'", graphml::schema)};
    }
  }

  void edge_text(std::string_view name) {
    Link& link = draft_.links.back();
    PortNames& ports = draft_.ports.back();
    if (name == "layer") {
      link.layer = named_value<Layer>("layer", text_, all_layers);
    } else if (name == "speed_bit_per_s") {
      link.speed = static_cast<double>(whole_number(name, text_, 1, highest_speed)) * bit / second;
    } else if (name == "lower_port") {
      link.lower_port = static_cast<std::uint16_t>(port_number(name, text_));
    } else if (name == "upper_port") {
      link.upper_port = static_cast<std::uint16_t>(port_number(name, text_));
    } else {
      if (text_.empty() || text_.size() > longest_wiring_name) {
        throw XmlMistake{fmt::format("{}: found '{}'", name, shortened(text_)),
                         fmt::format("expected 1 to {} characters", longest_wiring_name)};
      }
      (name == "lower_port_name" ? ports.lower : ports.upper) = text_;
    }
  }

  /// Attributes that the open element, and the graph, have been given.
  class Filled {
   public:
    bool add(std::string_view name, Owner owner) { return !contains(name) && (of(owner).push_back(name), true); }
    [[nodiscard]] bool contains(std::string_view name) const {
      return std::find(graph_.begin(), graph_.end(), name) != graph_.end() ||
             std::find(element_.begin(), element_.end(), name) != element_.end();
    }
    void clear_all_but_graph() { element_.clear(); }

   private:
    std::vector<std::string_view>& of(Owner owner) { return owner == Owner::graph ? graph_ : element_; }
    std::vector<std::string_view> graph_, element_;
  };

  const std::vector<Key> known_ = all_keys();
  std::map<std::string, Key, std::less<>> keys_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::map<DeviceKind, std::int32_t> next_index_;
  std::vector<std::string> open_;
  const Key* key_ = nullptr;
  std::string text_;
  Filled filled_;
  bool graph_ = false;
  FabricDraft draft_;
};

}  // namespace

NamedFabric read_graphml(std::string_view text, const std::string& file) {
  GraphmlReader reader;
  read_xml(text, file, reader);
  return checked(reader.take(file), file);
}

}  // namespace railyard
