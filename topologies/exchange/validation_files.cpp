// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/validation_files.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/diagnostic.h"

namespace railyard {

namespace {

std::string_view role_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::leaf:
    case DeviceKind::spine:
      return to_string(kind);
    case DeviceKind::core:
      return "super_spine";
    default:
      return "host";
  }
}

/// ibdiagnet's word for a switch: MQM9700 for qm9700; other parts by their id in capitals.
std::string system_type(std::string_view part) {
  std::string type = part.starts_with("qm") ? "m" : "";
  type += part;
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return type;
}

class TopoWriter {
 public:
  TopoWriter(const Wiring& wiring, TextSink& sink)
      : wiring_(wiring), sink_(sink), lane_rate_(wiring.parts.switch_part(wiring.design.switch_id).lane_rate) {}

  void write() {
    for (std::size_t i = 0; i < wiring_.fabric.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      if (is_host(id)) continue;
      fmt::format_to(std::back_inserter(sink_.text()), "{} {}\n", system_type(wiring_.part(id)), wiring_.device(id));
      for (const LinkId link : wiring_.fabric.links_of(id)) write_link(id, wiring_.fabric.link(link));
      sink_.text() += '\n';
      sink_.row_done();
    }
  }

 private:
  [[nodiscard]] bool is_host(DeviceId id) const {
    return wiring_.kind(id) == DeviceKind::node || wiring_.kind(id) == DeviceKind::manager;
  }

  void write_link(DeviceId id, const Link& link) {
    const bool up = link.lower == id;
    const DeviceId peer = up ? link.upper : link.lower;
    const int port = up ? link.lower_port : link.upper_port, peer_port = up ? link.upper_port : link.lower_port;
    const auto out = std::back_inserter(sink_.text());
    fmt::format_to(out, "   P{} -{}x-{:g}G-> ", port + 1, std::lround(link.speed / lane_rate_),
                   lane_rate_.in(gigabit_per_second));
    if (is_host(peer)) {
      const std::size_t hcas = wiring_.names.ports(wiring_.kind(peer)).size();
      fmt::format_to(out, "HCA_mlx5_{} {} {}/P1\n", hcas, wiring_.device(peer), wiring_.lower_port(link));
    } else {
      fmt::format_to(out, "{} {} P{}\n", system_type(wiring_.part(peer)), wiring_.device(peer), peer_port + 1);
    }
  }

  const Wiring& wiring_;
  TextSink& sink_;
  Bandwidth lane_rate_;
};

}  // namespace

TextSource dot_of(const Wiring& wiring) {
  return [wiring](TextSink& sink) {
    sink.text() += "graph network {\n";
    for (std::size_t i = 0; i < wiring.fabric.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      fmt::format_to(std::back_inserter(sink.text()), "  \"{0}\" [ label=\"{0}\" role=\"{1}\" ]\n", wiring.device(id),
                     role_of(wiring.kind(id)));
      sink.row_done();
    }
    for (const Link& link : wiring.fabric.links()) {
      fmt::format_to(std::back_inserter(sink.text()), "  \"{}\":\"{}\" -- \"{}\":\"{}\"\n", wiring.device(link.upper),
                     wiring.upper_port(link), wiring.device(link.lower), wiring.lower_port(link));
      sink.row_done();
    }
    sink.text() += "}\n";
  };
}

TextSource topo_of(const Wiring& wiring) {
  if (wiring.design.fabric != "infiniband") {
    throw InputError(
        fmt::format("a .topo file is for InfiniBand, and design '{}' is {}", wiring.design.id, wiring.design.fabric),
        "use dot, which the same tools read for Ethernet");
  }
  return [wiring](TextSink& sink) { TopoWriter(wiring, sink).write(); };
}

}  // namespace railyard
