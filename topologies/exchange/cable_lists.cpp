// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/cable_lists.h"

#include <cassert>
#include <iterator>

#include <fmt/format.h>

#include "base/csv_scanner.h"

namespace railyard {

namespace {

std::string_view type_word(DeviceKind kind) {
  return kind == DeviceKind::node || kind == DeviceKind::manager ? "Host" : "Switch";
}

/// Rack to rack, or the one rack: what runs together is bundled.
std::string bundle_of(const Wiring& wiring, const ListedCable& cable) {
  const Link& link = wiring.fabric.link(cable.links.front());
  const std::string_view from = wiring.rack(link.lower), to = wiring.rack(link.upper);
  return from == to ? std::string(from) : fmt::format("{}-{}", from, to);
}

void cut_sheet_row(const Wiring& wiring, const ListedCable& cable, std::string& row) {
  const CableEnd a = end_of(wiring, cable, CableSide::lower, ';'), z = end_of(wiring, cable, CableSide::upper, ';');
  const Link& link = wiring.fabric.link(cable.links.front());
  const CableChoice& choice = *cable.choice;
  const auto out = std::back_inserter(row);
  fmt::format_to(out, "{},{},", cable_name(wiring, cable), to_string(link.layer));
  fmt::format_to(out, "{},{},{},{},{},{}:{} > {}:{},", a.racks, a.units, a.devices, a.ports,
                 module_of(wiring, cable, CableSide::lower), a.devices, a.ports, z.devices, z.ports);
  fmt::format_to(out, "{},{},{},{},{},{}:{} > {}:{},", z.racks, z.units, z.devices, z.ports,
                 module_of(wiring, cable, CableSide::upper), z.devices, z.ports, a.devices, a.ports);
  fmt::format_to(out, "{},{},{:.1f},{:g},{},{},{},{:g},{},", choice.cable->medium, choice.cable->id,
                 cable.cable->routed.in(metre), choice.stock.in(metre), words_of(choice.cable->medium).colour,
                 bundle_of(wiring, cable), cable.links.size(), link.speed.in(gigabit_per_second),
                 cable.cable->estimate ? "yes" : "no");
  append_csv_cell(row, choice.rule);
  row += '\n';
}

}  // namespace

TextSource cut_sheet_of(const Wiring& wiring) {
  assert(wiring.floor != nullptr && wiring.cables != nullptr);
  return [wiring](TextSink& sink) {
    sink.text() +=
        "cable,layer,a_rack,a_u,a_device,a_port,a_module,a_label,z_rack,z_u,z_device,z_port,z_module,z_label,"
        "medium,part,routed_m,length_m,colour,bundle,links,speed_gb_per_s,estimate,rule\n";
    for_each_cable(wiring, [&](const ListedCable& cable) {
      cut_sheet_row(wiring, cable, sink.text());
      sink.row_done();
    });
  };
}

TextSource point_to_point_of(const Wiring& wiring) {
  return [wiring](TextSink& sink) {
    sink.text() += "A-Rack,A-U,A-Node Name,A-Type,A-Port,Z-Rack,Z-RU,Z-Node Name,Z-Type,Z-Port\n";
    const bool numbered = wiring.design.fabric == "infiniband";
    for (const Link& link : wiring.fabric.links()) {
      const DeviceKind lower = wiring.kind(link.lower), upper = wiring.kind(link.upper);
      const auto out = std::back_inserter(sink.text());
      const auto unit = [&](DeviceId id) {
        return wiring.floor == nullptr ? std::string() : std::to_string(wiring.rack_unit(id));
      };
      fmt::format_to(out, "{},{},{},{},", wiring.rack(link.lower), unit(link.lower), wiring.device(link.lower),
                     type_word(lower));
      if (numbered && type_word(lower) == "Host") {
        fmt::format_to(out, "{}", link.lower_port + 1);
      } else {
        sink.text() += wiring.lower_port(link);
      }
      fmt::format_to(out, ",{},{},{},{},{}\n", wiring.rack(link.upper), unit(link.upper), wiring.device(link.upper),
                     type_word(upper), wiring.upper_port(link));
      sink.row_done();
    }
  };
}

}  // namespace railyard
