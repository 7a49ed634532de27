// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/floor/fixture.h"

namespace railyard {
namespace {

constexpr double unit = 0.04445;  // of a rack, in metres

double route_m(const FloorPlan& plan, DeviceId a, DeviceId b) { return CableRoutes(plan).route(a, b).length.in(metre); }

/// A plan of boxes of 2 U at the floor: device i in racks[i] = {row, place}.
FloorPlan plan_of(const Site& site, const std::vector<Place>& at) {
  std::vector<Rack> racks;
  std::vector<DevicePlace> places;
  for (std::size_t i = 0; i < at.size(); ++i) {
    Rack rack;
    rack.name = row_name(at[i].row) + std::to_string(at[i].place + 1);
    rack.row = at[i].row;
    rack.place = at[i].place;
    rack.units = site.rack.units;
    racks.push_back(rack);
    places.push_back({static_cast<std::uint32_t>(i), 1, 2});
  }
  return FloorPlan(site, racks, places);
}

// Boxes of 2 U at the floor of racks of 42 U: the middle of a box is one unit high, so each rises 41 units and 1 m to
// its tray; half a metre of slack at each end. Between two racks: 2 x (41 U + 1 m) + 1 m, and the way along the trays.
const double ends = 2 * (41 * unit + 1) + 1;

TEST_CASE("route: along a row it is the pitch times the places between", "[floor]") {
  const FloorPlan plan = plan_of(test::round_site(), {{0, 2}, {0, 7}});
  CHECK(route_m(plan, DeviceId{0}, DeviceId{1}) == Approx(ends + 5));
}

// Racks 1 m deep, cold aisles of 2 m between rows A and B, hot ones of 3 m between B and C: rows at 0, 3, 7, 10 m.
TEST_CASE("route: rows lie apart by depth and by cold and hot aisles in turn", "[floor]") {
  const FloorPlan plan = plan_of(test::round_site(), {{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  const CableRoutes routes(plan);
  CHECK(routes.row_position(1).in(metre) == Approx(3));
  CHECK(routes.row_position(2).in(metre) == Approx(7));
  CHECK(routes.row_position(3).in(metre) == Approx(10));
  CHECK(route_m(plan, DeviceId{0}, DeviceId{3}) == Approx(ends + 10));
  CHECK(route_m(plan, DeviceId{1}, DeviceId{2}) == Approx(ends + 4));
}

// A tray leads across at places 0, 5 and 10. From place 1 to 3 of the next row: by 0 it is 1 + 3, by 5 it is 4 + 2 = 6.
// From 6 to 8: by 5 it is 1 + 3 = 4, by 10 it is 4 + 2 = 6. From 3 to 8: 5 lies between, no detour.
TEST_CASE("route: the best tray across is taken", "[floor]") {
  Site site = test::round_site();
  site.hall.cross_trays_every = 5;
  const FloorPlan plan = plan_of(site, {{0, 1}, {1, 3}, {0, 6}, {1, 8}, {0, 3}});
  CHECK(route_m(plan, DeviceId{0}, DeviceId{1}) == Approx(ends + 3 + 4));
  CHECK(route_m(plan, DeviceId{2}, DeviceId{3}) == Approx(ends + 3 + 4));
  CHECK(route_m(plan, DeviceId{4}, DeviceId{3}) == Approx(ends + 3 + 5));
  // In one row no tray across is needed.
  CHECK(route_m(plan, DeviceId{0}, DeviceId{4}) == Approx(ends + 2));
}

// Two boxes in one rack: from the middle of 2 U at the floor (1 U) to the middle of 1 U at unit 40 (39.5 U), out to the
// side and back (one pitch) and slack.
TEST_CASE("route: inside a rack it is the height between, the way to the side and slack", "[floor]") {
  Rack rack;
  rack.name = "A1";
  rack.units = 42;
  const FloorPlan plan(test::round_site(), {rack}, {{0, 1, 2}, {0, 40, 1}});
  CHECK(route_m(plan, DeviceId{0}, DeviceId{1}) == Approx(38.5 * unit + 1 + 1));
}

TEST_CASE("route: both directions are alike", "[floor]") {
  Site site = test::round_site();
  site.hall.cross_trays_every = 4;
  const FloorPlan plan = plan_of(site, {{0, 1}, {3, 6}, {2, 11}, {5, 0}});
  for (std::uint32_t a = 0; a < 4; ++a) {
    for (std::uint32_t b = 0; b < 4; ++b) {
      CHECK(route_m(plan, DeviceId{a}, DeviceId{b}) == route_m(plan, DeviceId{b}, DeviceId{a}));
    }
  }
}

TEST_CASE("route: what a site has measured replaces the estimate", "[floor]") {
  Site site = test::round_site();
  site.measured = {{"A3", "A8", 9.5 * metre}};
  const FloorPlan plan = plan_of(site, {{0, 2}, {0, 7}, {0, 8}});
  const CableRoutes routes(plan);
  CHECK(routes.route(DeviceId{1}, DeviceId{0}).length.in(metre) == Approx(9.5));
  CHECK_FALSE(routes.route(DeviceId{1}, DeviceId{0}).estimate);
  CHECK(routes.route(DeviceId{0}, DeviceId{2}).estimate);
}

TEST_CASE("route: a measured rack that is not there is told with the nearest name", "[floor]") {
  Site site = test::round_site();
  site.measured = {{"A3", "A9", 9.5 * metre}};
  const FloorPlan plan = plan_of(site, {{0, 2}, {0, 7}});
  CHECK(message_of([&] { CableRoutes routes(plan); }) == "error: there is no rack 'A9'\n   expected one of: A3, A8\n");
}

}  // namespace
}  // namespace railyard
