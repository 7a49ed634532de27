// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/validation_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "topologies/exchange/row_text.h"

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
      append(sink_.text(), type_of(id), ' ', wiring_.device(id), '\n');
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
    append(sink_.text(), "   P", port + 1, lanes(link.speed));
    if (is_host(peer)) {
      append(sink_.text(), "HCA_mlx5_", wiring_.names.ports(wiring_.kind(peer)).size(), ' ', wiring_.device(peer), ' ',
             wiring_.lower_port(link), "/P1\n");
    } else {
      append(sink_.text(), type_of(peer), ' ', wiring_.device(peer), " P", peer_port + 1, '\n');
    }
  }

  /// The word for a switch's kind.
  const std::string& type_of(DeviceId id) {
    std::string& type = types_[static_cast<std::size_t>(wiring_.kind(id))];
    if (type.empty()) type = system_type(wiring_.part(id));
    return type;
  }

  /// " -4x-100G-> ".
  const std::string& lanes(Bandwidth speed) {
    if (speed != speed_) {
      speed_ = speed;
      lanes_ = fmt::format(" -{}x-{:g}G-> ", std::lround(speed / lane_rate_), lane_rate_.in(gigabit_per_second));
    }
    return lanes_;
  }

  const Wiring& wiring_;
  TextSink& sink_;
  Bandwidth lane_rate_, speed_;
  std::string lanes_;
  std::array<std::string, device_kinds.size()> types_;
};

}  // namespace

TextSource dot_of(const Wiring& wiring) {
  return [wiring](TextSink& sink) {
    sink.text() += "graph network {\n";
    for (std::size_t i = 0; i < wiring.fabric.devices().size(); ++i) {
      const DeviceId id{static_cast<std::uint32_t>(i)};
      append(sink.text(), "  \"", wiring.device(id), "\" [ label=\"", wiring.device(id), "\" role=\"",
             role_of(wiring.kind(id)), "\" ]\n");
      sink.row_done();
    }
    for (const Link& link : wiring.fabric.links()) {
      append(sink.text(), "  \"", wiring.device(link.upper), "\":\"", wiring.upper_port(link), "\" -- \"",
             wiring.device(link.lower), "\":\"", wiring.lower_port(link), "\"\n");
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
