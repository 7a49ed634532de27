// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sim/report/json_writing.h"
#include "sim/report/wiring_report.h"
#include "topologies/exchange/row_text.h"

namespace railyard {
namespace {

/// Writes cables one by one without a document in memory. Names of devices, ports and racks are ours and need no
/// escapes; texts of parts and rules, and numbers, are written once each.
class CableRows {
 public:
  explicit CableRows(const Wiring& wiring) : wiring_(wiring) {
    for (const CableChoice& choice : wiring.cables->choices()) {
      const CablePart& cable = *choice.cable;
      choices_.push_back(
          {json_line(module_text(choice.upper_module)), json_line(module_text(choice.lower_module)),
           "\"medium\":" + json_line(cable.medium) + ",\"part\":" + json_line(cable.id) + ",\"routed_m\":",
           ",\"length_m\":" + json_line(choice.stock.in(metre)) + ",\"speed_bit_per_s\":",
           ",\"rule\":" + json_line(choice.rule) + "}"});
    }
  }

  void row(const ListedCable& cable, std::string& row) {
    const Link& link = wiring_.fabric.link(cable.links.front());
    const Choice& choice = choices_[cable.cable->choice];
    row += "{\"cable\":\"";
    append_cable_name(row, wiring_, cable);
    append(row, "\",\"layer\":\"", to_string(link.layer), "\",\"a\":");
    const bool manager = wiring_.kind(link.lower) == DeviceKind::manager;
    end(cable, CableSide::lower, manager ? json_line(module_of(wiring_, cable, CableSide::lower)) : choice.lower_module,
        row);
    row += ",\"z\":";
    end(cable, CableSide::upper, choice.upper_module, row);
    append(row, ',', choice.part, tenths(cable.cable->routed), choice.length, speed(link.speed),
           ",\"estimate\":", cable.cable->estimate ? "true" : "false", choice.rule);
  }

 private:
  struct Choice {
    std::string upper_module, lower_module, part, length, rule;
  };

  static Json module_text(const ModulePart* module) { return module == nullptr ? Json(nullptr) : Json(module->id); }

  /// The devices, ports and places of one end, one entry a link.
  void end(const ListedCable& cable, CableSide side, std::string_view module, std::string& row) const {
    row += "{\"ports\":[";
    for (std::size_t i = 0; i < cable.links.size(); ++i) {
      const Link& link = wiring_.fabric.link(cable.links[i]);
      const bool lower = side == CableSide::lower;
      const DeviceId device = lower ? link.lower : link.upper;
      append(row, i == 0 ? "{\"device\":\"" : ",{\"device\":\"", wiring_.device(device), "\",\"port\":\"",
             lower ? wiring_.lower_port(link) : wiring_.upper_port(link), "\",\"rack\":\"", wiring_.rack(device),
             "\",\"rack_unit\":", wiring_.rack_unit(device), '}');
    }
    append(row, "],\"module\":", module, '}');
  }

  /// A length to the tenth of a metre: there are some hundreds of them.
  std::string_view tenths(Metres length) {
    const auto number = static_cast<std::size_t>(std::lround(length.in(metre)*10));
    if (number >= tenths_.size()) tenths_.resize(number + 1);
    if (tenths_[number].empty()) tenths_[number] = json_line(static_cast<double>(number) / 10);
    return tenths_[number];
  }

  std::string_view speed(Bandwidth of) {
    if (of != speed_) speed_ = of, speed_text_ = json_line(of.in(bit / second));
    return speed_text_;
  }

  const Wiring& wiring_;
  std::vector<Choice> choices_;
  std::vector<std::string> tenths_;
  Bandwidth speed_;
  std::string speed_text_;
};

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
    CableRows rows(wiring);
    for_each_cable(wiring, [&](const ListedCable& cable) {
      sink.text() += between;
      rows.row(cable, sink.text());
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
