// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "sim/report/json_writing.h"
#include "sim/report/wiring_report.h"

namespace railyard {
namespace {

/// The devices, ports and places of one end, one entry a link.
Json end_object(const Wiring& wiring, const ListedCable& cable, CableSide side) {
  Json ports = Json::array();
  for (const LinkId id : cable.links) {
    const Link& link = wiring.fabric.link(id);
    const DeviceId device = side == CableSide::lower ? link.lower : link.upper;
    ports.push_back({{"device", wiring.device(device)},
                     {"port", side == CableSide::lower ? wiring.lower_port(link) : wiring.upper_port(link)},
                     {"rack", wiring.rack(device)},
                     {"rack_unit", wiring.rack_unit(device)}});
  }
  const std::string_view module = module_of(wiring, cable, side);
  return Json{{"ports", std::move(ports)}, {"module", module.empty() ? Json(nullptr) : Json(module)}};
}

Json cable_object(const Wiring& wiring, const ListedCable& cable) {
  const Link& link = wiring.fabric.link(cable.links.front());
  return Json{{"cable", cable_name(wiring, cable)},
              {"layer", to_string(link.layer)},
              {"a", end_object(wiring, cable, CableSide::lower)},
              {"z", end_object(wiring, cable, CableSide::upper)},
              {"medium", cable.choice->cable->medium},
              {"part", cable.choice->cable->id},
              {"routed_m", std::round(cable.cable->routed.in(metre)*10) / 10},
              {"length_m", cable.choice->stock.in(metre)},
              {"speed_bit_per_s", link.speed.in(bit / second)},
              {"estimate", cable.cable->estimate},
              {"rule", cable.choice->rule}};
}

}  // namespace

TextSource wiring_json(const Wiring& wiring) {
  return [wiring](TextSink& sink) {
    Json head = json_document();
    head["design"] = wiring.design.id;
    head["gpus"] = wiring.fabric.shape().gpus;
    head["server"] = wiring.server.id;
    head["site"] = wiring.floor->site().id;
    head["links"] = wiring.fabric.links().size();
    std::string text = json_line(std::move(head));
    text.back() = ',';  // the brace that closes it
    sink.text() += text + "\"cables\":[";
    const char* between = "\n";
    for_each_cable(wiring, [&](const ListedCable& cable) {
      sink.text() += between;
      sink.text() += json_line(cable_object(wiring, cable));
      between = ",\n";
      sink.row_done();
    });
    sink.text() += "\n]}\n";
  };
}

std::string comparison_json(const WiringComparison& comparison, const AsBuilt& built) {
  Json json = json_document();
  json["file"] = built.file;
  json["form"] = built.format;
  json["planned"] = comparison.planned;
  json["built"] = comparison.built;
  json["equal"] = comparison.equal;
  json["differences"] = Json::array();
  for (const WiringDifference& each : comparison.differences) {
    const auto end = [](const std::string& device, const std::string& port) {
      return device.empty() ? Json(nullptr) : Json{{"device", device}, {"port", port}};
    };
    json["differences"].push_back({{"fault", to_string(each.fault)},
                                   {"at", end(each.device, each.port)},
                                   {"planned", end(each.planned_device, each.planned_port)},
                                   {"found", end(each.found_device, each.found_port)},
                                   {"note", each.note},
                                   {"line", each.line}});
  }
  return json_text(std::move(json));
}

}  // namespace railyard
