// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "sim/report/fabric_svg/drawing.h"
#include "sim/report/fabric_svg/fabric_svg.h"
#include "sim/report/fabric_svg/rack_kinds.h"
#include "sim/report/table.h"

namespace railyard {
namespace {

using drawing::Box;
using html::Anchor;
using html::Markup;

constexpr int elevations_width = 1080, elevations_margin = 24, unit_pixels = 14, rack_width = 196, rack_step = 258,
              label_height = 76;
constexpr std::size_t most_kinds = 16;  // elevations; what is rarer is told in words

/// Letters of the kinds of rack, A to Z and on.
std::string letter_of(std::size_t kind) { return row_name(static_cast<int>(kind)); }

class RackElevations {
 public:
  explicit RackElevations(const Wiring& wiring)
      : wiring_(wiring), floor_(*wiring.floor), kinds_(alike_racks(floor_)), kind_of_(floor_.racks().size()) {
    std::stable_sort(kinds_.begin(), kinds_.end(),
                     [](const RackGroup& a, const RackGroup& b) { return a.racks.size() > b.racks.size(); });
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      for (const std::size_t rack : kinds_[kind].racks) kind_of_[rack] = kind;
    }
  }

  std::string draw() {
    const std::string title =
        fmt::format("{}: {} GPUs in {} racks, site {}", wiring_.design.id, count_text(wiring_.fabric.shape().gpus),
                    count_text(static_cast<double>(floor_.racks().size())), floor_.site().id);
    content_ = drawing::text(elevations_margin, 34, Anchor::start, "heading", title);
    down_ = 62;
    draw_hall();
    draw_legend();
    draw_elevations();
    return drawing::page(title, "The hall from above, and one rack of each kind from the front.", elevations_width,
                         down_ + elevations_margin, content_);
  }

 private:
  [[nodiscard]] std::string colour_of(const Rack& rack) const {
    const DeviceKind kind = rack.kind == RackKind::compute ? DeviceKind::node
                            : rack.kind == RackKind::leaf  ? DeviceKind::leaf
                                                           : DeviceKind::spine;
    return drawing::colour_of(kind);
  }

  /// Every rack a small box at its row and place; letters where they fit.
  void draw_hall() {
    int places = 1;
    for (const Rack& rack : floor_.racks()) places = std::max(places, rack.place + 1);
    const double cell = std::min((elevations_width - 2.0 * elevations_margin - 34) / places, 26.0);
    const double row_height = std::clamp(900.0 / std::max(floor_.rows(), 1), 7.0, 22.0);
    content_ += drawing::text(elevations_margin, down_, Anchor::start, "strong", "The hall from above");
    const bool letters = cell >= 13 && row_height >= 12;
    content_ += drawing::text(
        elevations_margin + 160, down_, Anchor::start, "tick",
        letters ? "rows down, places across; letters are the kinds of rack below" : "rows down, places across");
    const double first = down_ + 14;
    int named = -1;
    for (std::size_t i = 0; i < floor_.racks().size(); ++i) {
      const Rack& rack = floor_.racks()[i];
      const double y = first + rack.row * (row_height + 3), x = elevations_margin + 34 + rack.place * cell;
      const bool room = row_height >= 12 || rack.row % 5 == 0;
      if (rack.row != named && room) {
        content_ +=
            drawing::text(elevations_margin + 26, y + row_height / 2 + 4, Anchor::end, "small", row_name(rack.row));
      }
      named = rack.row;
      content_ += drawing::box({x, y, std::max(cell - 1.5, 1.0), row_height}, colour_of(rack) + " solid", rack.name);
      if (letters) {
        content_ += drawing::text(x + (cell - 1.5) / 2, y + row_height / 2 + 4, Anchor::middle, "inside letter",
                                  letter_of(kind_of_[i]));
      }
    }
    down_ = static_cast<int>(first + floor_.rows() * (row_height + 3)) + 22;
  }

  void draw_legend() {
    struct Entry {
      std::string colour, name;
    };
    double x = elevations_margin;
    for (const Entry& entry : {Entry{drawing::colour_of(DeviceKind::node), "compute racks, nodes"},
                               Entry{drawing::colour_of(DeviceKind::leaf), "leaf racks, leaves"},
                               Entry{drawing::colour_of(DeviceKind::spine), "network racks, spines"},
                               Entry{drawing::colour_of(DeviceKind::core), "cores"},
                               Entry{drawing::colour_of(DeviceKind::manager), "appliances"},
                               Entry{drawing::colour_beside(), "beside the back end"}}) {
      content_ += drawing::box({x, static_cast<double>(down_) - 10, 11, 11}, entry.colour + " solid", {});
      content_ += drawing::text(x + 17, down_, Anchor::start, "tick", entry.name);
      x += 34 + 7.0 * static_cast<double>(entry.name.size());
    }
    down_ += 36;
  }

  void draw_elevations() {
    const std::size_t shown = std::min(kinds_.size(), most_kinds);
    constexpr std::size_t across = (elevations_width - 2 * elevations_margin) / rack_step;
    for (std::size_t first = 0; first < shown; first += across) {
      int units = 1;
      const std::size_t end = std::min(first + across, shown);
      for (std::size_t i = first; i < end; ++i) units = std::max(units, floor_.racks()[kinds_[i].first].units);
      for (std::size_t i = first; i < end; ++i) {
        draw_rack(i, elevations_margin + static_cast<double>(i - first) * rack_step + 22, down_ + label_height, units);
      }
      down_ += label_height + units * unit_pixels + 34;
    }
    std::size_t rest = 0;
    for (std::size_t i = shown; i < kinds_.size(); ++i) rest += kinds_[i].racks.size();
    if (rest == 0) return;
    content_ += drawing::text(elevations_margin, down_, Anchor::start, "tick",
                              fmt::format("{} more racks are of {} rarer kinds; the patch lists have every one.", rest,
                                          kinds_.size() - shown));
    down_ += 20;
  }

  void draw_rack(std::size_t kind, double x, double y, int tallest) {
    const RackGroup& group = kinds_[kind];
    const Rack& rack = floor_.racks()[group.first];
    const double floor_line = y + tallest * unit_pixels;
    content_ +=
        drawing::text(x, y - 58, Anchor::start, "strong",
                      fmt::format("{}: {} {} {}", letter_of(kind), count_text(static_cast<double>(group.racks.size())),
                                  to_string(rack.kind), group.racks.size() == 1 ? "rack" : "racks"));
    content_ += drawing::text(x, y - 41, Anchor::start, "small",
                              drawing::fitted(rack_list(floor_, group.racks, 3), rack_step - 24));
    content_ += drawing::text(x, y - 25, Anchor::start, "small",
                              fmt::format("{:.1f} kW, {:.0f} kg, {} of {} U", rack.power.in(kilowatt),
                                          rack.weight.in(kilogram), rack.used_units, rack.units));
    content_ += drawing::text(x, y - 9, Anchor::start, "small", fmt::format("drawn: {}", rack.name));
    content_ += drawing::box(
        {x, floor_line - rack.units * unit_pixels, rack_width, static_cast<double>(rack.units) * unit_pixels}, "frame",
        {});
    for (int unit = 1; unit <= rack.units; unit += unit == 1 ? 4 : 5) {
      content_ +=
          drawing::text(x - 4, floor_line - (unit - 0.5) * unit_pixels + 4, Anchor::end, "small", std::to_string(unit));
    }
    for (const RackSlot& slot : rack.slots) draw_slot(slot, x, floor_line);
  }

  void draw_slot(const RackSlot& slot, double x, double floor_line) {
    const bool beside = slot.device == RackSlot::no_device;
    const double height = static_cast<double>(slot.height) * unit_pixels;
    const double y = floor_line - (slot.bottom - 1) * unit_pixels - height;
    const std::string name =
        beside ? fmt::format("{} ({})", slot.part, slot.network) : std::string(wiring_.device(slot.device));
    const std::string css = beside ? drawing::colour_beside() : drawing::colour_of(wiring_.kind(slot.device));
    content_ += drawing::box({x + 2, y + 0.5, rack_width - 4, height - 1}, css + " box",
                             fmt::format("{}, {}, U{}", name, slot.part, slot.bottom));
    content_ +=
        drawing::text(x + 8, y + height / 2 + 4, Anchor::start, "inside", drawing::fitted(name, rack_width - 16));
  }

  const Wiring& wiring_;
  const FloorPlan& floor_;
  std::vector<RackGroup> kinds_;
  std::vector<std::size_t> kind_of_;  // by rack
  Markup content_;
  int down_ = 0;
};

}  // namespace

std::string rack_elevations_svg(const Wiring& wiring) {
  assert(wiring.floor != nullptr);
  return RackElevations(wiring).draw();
}

}  // namespace railyard
