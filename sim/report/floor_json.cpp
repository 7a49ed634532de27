// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sim/report/floor_report.h"
#include "sim/report/json_writing.h"

namespace railyard {
namespace {

Json rack_object(const Rack& rack) {
  Json json{{"name", rack.name},
            {"row", row_name(rack.row)},
            {"place", rack.place + 1},
            {"kind", to_string(rack.kind)},
            {"pod", rack.pod < 0 ? Json() : Json(rack.pod)},
            {"boxes", rack.slots.size()},
            {"power_w", rack.power.in(watt)},
            {"weight_kg", rack.weight.in(kilogram)},
            {"used_units", rack.used_units},
            {"units", rack.units}};
  json["full_by"] = rack.limit == RackLimit::none ? Json() : Json(to_string(rack.limit));
  return json;
}

Json bin_object(const CableBin& bin) {
  return {{"layer", to_string(bin.layer)},
          {"part", bin.part},
          {"medium", bin.medium},
          {"length_m", bin.stock.in(metre)},
          {"cables", bin.cables},
          {"shortest_route_m", bin.shortest.in(metre)},
          {"longest_route_m", bin.longest.in(metre)},
          {"routes_m", bin.routed.in(metre)}};
}

}  // namespace

std::string floor_json(const WiredDesign& wired) {
  const FloorPlan& plan = wired.site->floor;
  const CableSchedule& cables = wired.site->cables;
  const RackLimits& limits = plan.site().rack;
  Json json = json_document();
  json["design"] = wired.design.id;
  json["gpus"] = wired.fabric.shape().gpus;
  json["site"] = plan.site().id;
  json["rack_limits"] = {{"power_w", limits.power.value.low.in(watt)},
                         {"weight_kg", limits.weight.value.low.in(kilogram)},
                         {"units", limits.units - limits.reserved_units}};
  json["rows"] = plan.rows();
  for (const RackKind kind : {RackKind::compute, RackKind::leaf, RackKind::network}) {
    json["racks_by_kind"][std::string(to_string(kind))] = plan.count(kind);
  }
  json["racks"] = Json::array();
  for (const Rack& rack : plan.racks()) json["racks"].push_back(rack_object(rack));
  json["cables"] = Json::array();
  for (const CableBin& bin : cable_bins(cables)) json["cables"].push_back(bin_object(bin));
  bool estimate = false;
  for (const Cable& cable : cables.cables()) estimate = estimate || cable.estimate;
  json["lengths_are_estimates"] = estimate;
  json["bundles"] = Json::array();
  for (const CableBundle& bundle : cable_bundles(cables, wired.fabric, plan)) {
    json["bundles"].push_back(
        {{"from", plan.racks()[bundle.from].name}, {"to", plan.racks()[bundle.to].name}, {"cables", bundle.cables}});
  }
  json["refused"] = cables.refused();
  return json_text(std::move(json));
}

}  // namespace railyard
