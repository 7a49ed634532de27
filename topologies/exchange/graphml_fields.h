// SPDX-License-Identifier: Apache-2.0
// The attributes of our GraphML, one table for writer and reader. Private to topologies/exchange.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "topologies/fabric.h"

namespace railyard::graphml {

struct ShapeField {
  std::string_view name;
  int FabricShape::*member;
};
inline constexpr std::array shape_fields{ShapeField{"gpus", &FabricShape::gpus},
                                         ShapeField{"gpus_per_node", &FabricShape::gpus_per_node},
                                         ShapeField{"nodes", &FabricShape::nodes},
                                         ShapeField{"rails", &FabricShape::rails},
                                         ShapeField{"tiers", &FabricShape::tiers},
                                         ShapeField{"radix", &FabricShape::radix},
                                         ShapeField{"nodes_per_pod", &FabricShape::nodes_per_pod},
                                         ShapeField{"pods", &FabricShape::pods},
                                         ShapeField{"uplinks_per_leaf", &FabricShape::uplinks_per_leaf},
                                         ShapeField{"planes", &FabricShape::planes},
                                         ShapeField{"breakout", &FabricShape::breakout},
                                         ShapeField{"groups", &FabricShape::groups}};
static_assert(sizeof(FabricShape) == shape_fields.size() * sizeof(int), "a member of FabricShape is no field here");

struct DeviceField {
  std::string_view name;
  std::int32_t Device::*member;
};
inline constexpr std::array device_fields{DeviceField{"index", &Device::index}, DeviceField{"pod", &Device::pod},
                                          DeviceField{"rail", &Device::rail}, DeviceField{"group", &Device::group},
                                          DeviceField{"plane", &Device::plane}};
static_assert(sizeof(Device) == (1 + device_fields.size()) * sizeof(std::int32_t),
              "a member of Device is no field here");

// What else is written, with its type. Readers need the first ones and take the rest as remarks.
struct Attribute {
  std::string_view name, type;
  bool remark = false;
};
inline constexpr std::array graph_attributes{Attribute{"schema", "string"}, Attribute{"design", "string"}};
inline constexpr std::array node_attributes{Attribute{"kind", "string"}, Attribute{"part", "string", true},
                                            Attribute{"rack", "string", true}, Attribute{"rack_unit", "int", true}};
inline constexpr std::array edge_attributes{
    Attribute{"layer", "string"},           Attribute{"speed_bit_per_s", "long"},
    Attribute{"lower_port", "int"},         Attribute{"upper_port", "int"},
    Attribute{"lower_port_name", "string"}, Attribute{"upper_port_name", "string"},
    Attribute{"cable", "int", true},        Attribute{"cable_part", "string", true},
    Attribute{"medium", "string", true},    Attribute{"length_m", "double", true}};

inline constexpr std::string_view schema = "railyard-wiring/1";

}  // namespace railyard::graphml
