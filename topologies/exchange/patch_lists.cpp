// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "topologies/exchange/cable_lists.h"
#include "topologies/exchange/row_text.h"

namespace railyard {

namespace {

/// Cables that end in each rack, from the top box down and by port, with the side that does; a cable inside one rack
/// stands there once.
class RackCables {
 public:
  explicit RackCables(const Wiring& wiring) : first_(wiring.floor->racks().size() + 1) {
    const auto racks_of = [&](const Cable& cable, const auto& action) {
      const Link& link = wiring.fabric.link(wiring.cables->links_of(cable).front());
      const std::uint32_t lower = wiring.floor->place(link.lower).rack, upper = wiring.floor->place(link.upper).rack;
      action(upper, CableSide::upper);
      if (lower != upper) action(lower, CableSide::lower);
    };
    for (const Cable& cable : wiring.cables->cables())
      racks_of(cable, [&](std::uint32_t rack, CableSide) { ++first_[rack + 1]; });
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    ends_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < wiring.cables->cables().size(); ++i) {
      const Cable& cable = wiring.cables->cable(i);
      const Link& link = wiring.fabric.link(wiring.cables->links_of(cable).front());
      racks_of(cable, [&](std::uint32_t rack, CableSide side) {
        const bool up = side == CableSide::upper;
        ends_[next[rack]++] = {static_cast<std::uint32_t>(i), side, wiring.rack_unit(up ? link.upper : link.lower),
                               up ? link.upper_port : link.lower_port};
      });
    }
    for (std::size_t rack = 0; rack + 1 < first_.size(); ++rack) {
      const auto begin = ends_.begin() + static_cast<std::ptrdiff_t>(first_[rack]),
                 end = ends_.begin() + static_cast<std::ptrdiff_t>(first_[rack + 1]);
      std::stable_sort(begin, end, [](const End& a, const End& b) {
        return std::pair(-a.unit, a.port) < std::pair(-b.unit, b.port);
      });
    }
  }
  struct End {
    std::uint32_t cable = 0;
    CableSide side = CableSide::lower;
    int unit = 0, port = 0;
  };
  [[nodiscard]] std::span<const End> of(std::size_t rack) const {
    return std::span(ends_).subspan(first_[rack], first_[rack + 1] - first_[rack]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<End> ends_;
};

/// What the cables of one choice have in common.
struct PatchCells {
  std::string length, part;
};

/// Pieces, filled up with blanks to a width, and a blank.
template <class... Pieces>
void append_padded(std::string& page, std::size_t width, const Pieces&... pieces) {
  const std::size_t end = page.size() + width;
  append(page, pieces...);
  page.append(page.size() < end ? end - page.size() : 0, ' ').push_back(' ');
}

void write_rack(const Wiring& wiring, std::size_t index, const RackCables& cables,
                const std::vector<PatchCells>& choices, std::string& page) {
  const Rack& rack = wiring.floor->racks()[index];
  const auto out = std::back_inserter(page);
  fmt::format_to(out, "Rack {}   {} rack of {} at site {}\n{:.1f} kW, {:.0f} kg, {} of {} U; {} cables end here\n\n",
                 rack.name, to_string(rack.kind), wiring.design.id, wiring.floor->site().id, rack.power.in(kilowatt),
                 rack.weight.in(kilogram), rack.used_units, rack.units, cables.of(index).size());
  page += "  U      device                  part\n";
  for (std::size_t i = rack.slots.size(); i-- > 0;) {
    const RackSlot& slot = rack.slots[i];
    const std::string units = slot.height == 1 ? fmt::format("{}", slot.bottom)
                                               : fmt::format("{}-{}", slot.bottom, slot.bottom + slot.height - 1);
    const std::string name = slot.device == RackSlot::no_device ? fmt::format("({} network)", slot.network)
                                                                : std::string(wiring.device(slot.device));
    fmt::format_to(out, "  {:<6} {:<23} {}\n", units, name, slot.part);
  }
  fmt::format_to(out, "\n  {:<28} {:<28} {:<5} {:>4}  {:>6}  {:<}\n", "here", "to", "rack", "U", "m", "part");
  for (const RackCables::End& each : cables.of(index)) {
    const Cable& cable = wiring.cables->cable(each.cable);
    for (const LinkId id : wiring.cables->links_of(cable)) {
      const Link& link = wiring.fabric.link(id);
      const bool up_here = each.side == CableSide::upper, first = id == wiring.cables->links_of(cable).front();
      const DeviceId here = up_here ? link.upper : link.lower, there = up_here ? link.lower : link.upper;
      const std::string_view port = up_here ? wiring.upper_port(link) : wiring.lower_port(link),
                             far_port = up_here ? wiring.lower_port(link) : wiring.upper_port(link);
      page += "  ";
      append_padded(page, 28, wiring.device(here), ' ', port);
      append_padded(page, 28, wiring.device(there), ' ', far_port);
      append_padded(page, 5, wiring.rack(there));
      const fmt::format_int unit(wiring.rack_unit(there));
      page.append(unit.size() < 4 ? 4 - unit.size() : 0, ' ').append(unit.data(), unit.size());
      const PatchCells& cells = choices[cable.choice];
      append(page, cells.length, first ? std::string_view(cells.part) : std::string_view("same cable"), '\n');
    }
  }
}

}  // namespace

TextSource patch_lists_of(const Wiring& wiring) {
  assert(wiring.floor != nullptr && wiring.cables != nullptr);
  return [wiring](TextSink& sink) {
    const RackCables cables(wiring);
    std::vector<PatchCells> choices;
    for (const CableChoice& choice : wiring.cables->choices()) {
      choices.push_back({fmt::format("  {:>6g}  ", choice.stock.in(metre)), choice.cable->id});
    }
    for (std::size_t i = 0; i < wiring.floor->racks().size(); ++i) {
      if (i > 0) sink.text() += '\f';
      write_rack(wiring, i, cables, choices, sink.text());
      sink.row_done();
    }
  };
}

}  // namespace railyard
