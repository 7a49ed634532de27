// SPDX-License-Identifier: Apache-2.0
#include "topologies/exchange/cable_lists.h"

#include <cassert>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "base/csv_scanner.h"
#include "topologies/exchange/row_text.h"

namespace railyard {

namespace {

std::string_view type_word(DeviceKind kind) {
  return kind == DeviceKind::node || kind == DeviceKind::manager ? "Host" : "Switch";
}

/// What rows of one choice have in common, written once: of a hundred thousand rows a few dozen differ.
struct ChoiceCells {
  std::string part;    // "medium,part,"
  std::string length;  // "length_m,colour,"
  std::string rule;    // ends the row
};

ChoiceCells cells_of(const CableChoice& choice) {
  ChoiceCells cells;
  append(cells.part, choice.cable->medium, ',', choice.cable->id, ',');
  cells.length = fmt::format("{:g},{},", choice.stock.in(metre), words_of(choice.cable->medium).colour);
  append_csv_cell(cells.rule, choice.rule);
  cells.rule += '\n';
  return cells;
}

class CutSheet {
 public:
  explicit CutSheet(const Wiring& wiring) : wiring_(wiring) {
    for (const CableChoice& choice : wiring.cables->choices()) cells_.push_back(cells_of(choice));
  }

  void row(const ListedCable& cable, std::string& row) {
    const CableEnd a(wiring_, cable, CableSide::lower), z(wiring_, cable, CableSide::upper);
    const Link& link = wiring_.fabric.link(cable.links.front());
    const ChoiceCells& cells = cells_[cable.cable->choice];
    append_cable_name(row, wiring_, cable);
    append(row, ',', to_string(link.layer), ',');
    end(cable, CableSide::lower, a, z, row);
    end(cable, CableSide::upper, z, a, row);
    row += cells.part;
    fmt::format_to(std::back_inserter(row), "{:.1f},", cable.cable->routed.in(metre));
    row += cells.length;
    bundle(link, row);
    append(row, ',', cable.links.size(), ',', speed(link.speed), cable.cable->estimate ? ",yes," : ",no,", cells.rule);
  }

 private:
  /// rack,u,device,port,module,label,
  void end(const ListedCable& cable, CableSide side, const CableEnd& near, const CableEnd& far,
           std::string& row) const {
    near.append_racks(row, ';');
    row += ',';
    near.append_units(row, ';');
    row += ',';
    near.append_devices(row, ';');
    row += ',';
    near.append_ports(row, ';');
    append(row, ',', module_of(wiring_, cable, side), ',');
    near.append_devices(row, ';');
    row += ':';
    near.append_ports(row, ';');
    row += " > ";
    far.append_devices(row, ';');
    row += ':';
    far.append_ports(row, ';');
    row += ',';
  }

  /// Rack to rack, or the one rack: what runs together is bundled.
  void bundle(const Link& link, std::string& row) const {
    const std::string_view from = wiring_.rack(link.lower), to = wiring_.rack(link.upper);
    row += from;
    if (from != to) append(row, '-', to);
  }

  std::string_view speed(Bandwidth of) {
    if (of != speed_ || speed_text_.empty()) {
      speed_ = of;
      speed_text_ = fmt::format("{:g}", of.in(gigabit_per_second));
    }
    return speed_text_;
  }

  const Wiring& wiring_;
  std::vector<ChoiceCells> cells_;
  Bandwidth speed_;
  std::string speed_text_;
};

}  // namespace

TextSource cut_sheet_of(const Wiring& wiring) {
  assert(wiring.floor != nullptr && wiring.cables != nullptr);
  return [wiring](TextSink& sink) {
    sink.text() +=
        "cable,layer,a_rack,a_u,a_device,a_port,a_module,a_label,z_rack,z_u,z_device,z_port,z_module,z_label,"
        "medium,part,routed_m,length_m,colour,bundle,links,speed_gb_per_s,estimate,rule\n";
    CutSheet sheet(wiring);
    for_each_cable(wiring, [&](const ListedCable& cable) {
      sheet.row(cable, sink.text());
      sink.row_done();
    });
  };
}

TextSource point_to_point_of(const Wiring& wiring) {
  return [wiring](TextSink& sink) {
    sink.text() += "A-Rack,A-U,A-Node Name,A-Type,A-Port,Z-Rack,Z-RU,Z-Node Name,Z-Type,Z-Port\n";
    const bool numbered = wiring.design.fabric == "infiniband";
    for (const Link& link : wiring.fabric.links()) {
      const std::string_view lower = type_word(wiring.kind(link.lower)), upper = type_word(wiring.kind(link.upper));
      std::string& row = sink.text();
      const auto place = [&](DeviceId id) {
        append(row, wiring.rack(id), ',');
        if (wiring.floor != nullptr) append(row, wiring.rack_unit(id));
        append(row, ',', wiring.device(id), ',');
      };
      place(link.lower);
      append(row, lower, ',');
      if (numbered && lower == "Host") {
        append(row, link.lower_port + 1);
      } else {
        row += wiring.lower_port(link);
      }
      row += ',';
      place(link.upper);
      append(row, upper, ',', wiring.upper_port(link), '\n');
      sink.row_done();
    }
  };
}

}  // namespace railyard
