// SPDX-License-Identifier: Apache-2.0
#include "pricing/capex.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace railyard {
namespace {

template <class Map>
const std::string* name_in(const Map& map, std::string_view id) {
  const auto found = map.find(id);
  return found == map.end() ? nullptr : &found->second.name;
}

std::string label_of(const Parts& parts, const std::string& id) {
  for (const std::string* name :
       {name_in(parts.servers, id), name_in(parts.nics, id), name_in(parts.switches, id), name_in(parts.line_cards, id),
        name_in(parts.equipment, id), name_in(parts.modules, id), name_in(parts.cables, id), name_in(parts.gpus, id)}) {
    if (name != nullptr) return *name;
  }
  return id;
}

bool includes(const Price& price, std::string_view what) {
  return std::find(price.includes.begin(), price.includes.end(), what) != price.includes.end();
}

/// Pieces of `part` that come with the servers of the bill, and the server that brings them.
struct Included {
  int pieces = 0;
  std::string server, date;  // date: of the server's price
};

/// What the server prices of a bill cover: NICs by part id, and boxes by allowance id.
class ServerContents {
 public:
  ServerContents(const BillOfMaterials& bill, const PriceBook& book, const Parts& parts) {
    for (const BomLine& line : bill.lines) {
      if (line.category != BomCategory::server) continue;
      const ServerPart& server = parts.server(line.part);
      const Price& price = book.price(line.part);
      if (includes(price, "nic")) add(nics_[server.nic], line.quantity * server.nics, line.part, price);
      for (const Allowance& allowance : book.allowances) {
        if (includes(price, allowance.id)) add(boxes_[allowance.id], line.quantity, line.part, price);
      }
    }
  }
  [[nodiscard]] Included nics(const std::string& part) const { return find(nics_, part); }
  [[nodiscard]] Included boxes(const std::string& allowance) const { return find(boxes_, allowance); }

 private:
  using Map = std::map<std::string, Included, std::less<>>;
  static void add(Included& included, int pieces, const std::string& server, const Price& price) {
    included.pieces += pieces;
    included.server = server;
    included.date = price.each.evidence.date;
  }
  static Included find(const Map& map, const std::string& key) {
    const auto found = map.find(key);
    return found == map.end() ? Included{} : found->second;
  }
  Map nics_, boxes_;
};

/// Equipment without a price of its own that an allowance of the book covers, all pieces.
Included covered_by_allowance(const BomLine& line, const PriceBook& book, const Parts& parts) {
  const auto part = parts.equipment.find(line.part);
  if (part == parts.equipment.end() || book.parts.contains(line.part)) return {};
  for (const Allowance& allowance : book.allowances) {
    if (allowance.id == part->second.allowance) return {line.quantity, "the allowance for " + allowance.label, {}};
  }
  return {};
}

/// The fabric of a network's switches (of the back end when it has no name): it decides whether modules must carry a
/// brand. Empty without switches.
std::string fabric_of(const BillOfMaterials& bill, const Parts& parts, std::string_view network) {
  for (const BomLine& line : bill.lines) {
    if (line.category != BomCategory::switch_ || line.network != network) continue;
    if (parts.line_cards.contains(line.part)) continue;  // the chassis tells
    if (line.back_end || !network.empty()) return parts.switch_part(line.part).fabric;
  }
  return {};
}

/// Appends a line, and before it a line of 0 $ for the pieces that came with a server.
void append(std::vector<CapexLine>& lines, CapexLine line, const Included& included) {
  const int covered = std::min(included.pieces, line.quantity);
  if (covered > 0) {
    CapexLine free = line;
    free.quantity = covered;
    free.unit = {};
    free.evidence = {.kind = EvidenceKind::sourced,
                     .source = fmt::format("included in the price of {}", included.server),
                     .date = included.date,
                     .rule = {}};
    lines.push_back(std::move(free));
    line.quantity -= covered;
    if (line.quantity == 0) return;
  }
  line.total = line.unit * line.quantity;
  lines.push_back(std::move(line));
}

}  // namespace

Range<Dollars> Capex::total() const {
  Range<Dollars> sum;
  for (const CapexLine& line : lines) sum += line.total;
  return sum;
}

Range<Dollars> Capex::network() const {
  Range<Dollars> sum;
  for (const CapexLine& line : lines) {
    if (line.back_end) sum += line.total;
  }
  return sum;
}

Dollars Capex::assumed() const {
  Dollars sum;
  for (const CapexLine& line : lines) {
    if (line.evidence.assumed()) sum += line.total.typical;
  }
  return sum;
}

Capex price_bill(const BillOfMaterials& bill, const PriceBook& book, const Parts& parts, int gpus, int nodes) {
  const ServerContents contents(bill, book, parts);
  std::map<std::string, std::string, std::less<>> fabrics;  // by network
  for (const BomLine& line : bill.lines) {
    if (!fabrics.contains(line.network)) fabrics.emplace(line.network, fabric_of(bill, parts, line.network));
  }
  Capex capex;
  std::set<std::tuple<std::string, BomCategory, std::string, Metres>> seen;
  for (const BomLine& line : bill.lines) {
    if (!seen.emplace(line.part, line.category, line.network, line.length).second) {
      throw InputError(
          fmt::format("{}: part '{}' is listed twice as {}", book.name(), line.part, to_string(line.category)),
          "expected one line a part and category, so that nothing is billed twice");
    }
    const Included included =
        line.category == BomCategory::nic ? contents.nics(line.part) : covered_by_allowance(line, book, parts);
    CapexLine priced{.part = line.part,
                     .label = label_of(parts, line.part),
                     .category = std::string(to_string(line.category)),
                     .back_end = line.back_end,
                     .quantity = line.quantity,
                     .unit = {},
                     .total = {},
                     .evidence = {},
                     .network = line.network,
                     .length = line.length};
    const bool cut = line.length > Metres{};
    if (cut) priced.label += fmt::format(", {:g} m", line.length.in(metre));
    if (included.pieces < line.quantity) {
      Figure<Dollars> price =
          book.price(line.part).on(fabrics.at(line.network), cut ? std::optional(line.length) : std::nullopt);
      priced.unit = price.value;
      priced.evidence = std::move(price.evidence);
    }
    append(capex.lines, std::move(priced), included);
  }
  for (const Allowance& allowance : book.allowances) {
    const bool by_gpu = allowance.per == "gpu";
    const int units = by_gpu ? gpus : allowance.per == "node" ? nodes : 1;
    Included included = contents.boxes(allowance.id);
    if (by_gpu && nodes > 0) included.pieces *= gpus / nodes;
    append(capex.lines,
           {.part = allowance.id,
            .label = allowance.label,
            .category = allowance.category,
            .back_end = false,
            .quantity = units,
            .unit = allowance.each.value,
            .total = {},
            .evidence = allowance.each.evidence},
           included);
  }
  return capex;
}

PartCost part_cost(const PriceBook& book, std::string fabric) {
  return [&book, fabric = std::move(fabric)](std::string_view part,
                                             std::optional<Metres> length) -> std::optional<double> {
    const auto found = book.parts.find(part);
    if (found == book.parts.end()) return std::nullopt;
    return found->second.on(fabric, length).value.typical.in(dollar);
  };
}

}  // namespace railyard
