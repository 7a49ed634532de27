// SPDX-License-Identifier: Apache-2.0
// Every shipped design with every server that it takes, at every shipped book.
#include <set>

#include "pricing/capex.h"
#include "tests/catch.h"
#include "tests/pricing/fixture.h"
#include "tests/topologies/fixture.h"
#include "topologies/design.h"

using namespace railyard;
using namespace railyard::test;

namespace {

std::vector<PriceBook> shipped_books() {
  std::vector<PriceBook> all;
  for (const std::string& id : price_book_names(book_folder)) {
    all.push_back(load_price_book(book_folder, id));
  }
  return all;
}

/// 16 nodes of 8 GPUs, or as many GPUs in other nodes.
BillOfMaterials bill_of(const Design& design, const ServerPart& server) {
  constexpr int gpus = 128;
  return list_parts(build_fabric(design, shipped_parts(), server, gpus), design, shipped_parts(), server,
                    gpus / server.gpus);
}

template <class Kind>
void check_all_priced(const PriceBook& book, const std::map<std::string, Kind, std::less<>>& kind) {
  for (const auto& [id, part] : kind) {
    INFO(id);
    REQUIRE(book.parts.contains(id) != book.not_priced.contains(id));
    if (book.parts.contains(id)) CHECK(book.price(id).each.value.low > Dollars{});
  }
}

}  // namespace

TEST_CASE("shipped books: every part has a price or a reason why not", "[pricing]") {
  const std::vector<PriceBook> all = shipped_books();
  REQUIRE(all.size() == 2);
  CHECK(all[0].id == "2024-12");
  CHECK(all[1].id == "2026-09");
  for (const PriceBook& book : all) {
    INFO(book.id);
    check_all_priced(book, shipped_parts().servers);
    check_all_priced(book, shipped_parts().nics);
    check_all_priced(book, shipped_parts().switches);
    check_all_priced(book, shipped_parts().modules);
    check_all_priced(book, shipped_parts().cables);
    CHECK(book.parts.contains("ufm-appliance"));
  }
  CHECK(all[1].not_priced.empty());
}

TEST_CASE("shipped books: every design is priced with every server, unless the server came later", "[pricing]") {
  std::set<std::string> refused;
  for (const PriceBook& book : shipped_books()) {
    for (const std::string& name : design_names(source_dir + "/topologies/designs")) {
      const Design design = shipped_design(name);
      for (const std::string& id : design.servers) {
        INFO(book.id << " " << name << " " << id);
        const ServerPart& server = shipped_parts().server(id);
        try {
          const Capex capex = price_bill(bill_of(design, server), book, shipped_parts(), 128, 128 / server.gpus);
          CHECK(capex.network().typical > Dollars{});
          CHECK(capex.total().low <= capex.total().typical);
          CHECK(capex.total().typical <= capex.total().high);
        } catch (const InputError& error) {
          CHECK_THAT(std::string(error.what()), ContainsSubstring("not sold before 2025"));
          refused.insert(book.id + " " + id);
        }
      }
    }
  }
  CHECK(refused == std::set<std::string>{"2024-12 gb300-tray", "2024-12 hgx-b300", "2024-12 hgx-b300-2x400g",
                                         "2024-12 mi350x-server", "2024-12 mi355x-server"});
}

TEST_CASE("shipped books: quotes more than a year away are assumed and widened", "[pricing]") {
  const PriceBook now = load_price_book(book_folder, "2026-09");
  const PriceBook then = load_price_book(book_folder, "2024-12");
  // One list of September 2026: as it stands in the later book, 21 months later than the earlier one.
  CHECK_FALSE(now.price("osfp-800g-2xsr4").each.evidence.assumed());
  CHECK(now.price("osfp-800g-2xsr4").each.value.is_exact());
  CHECK(then.price("osfp-800g-2xsr4").each.evidence.assumed());
  CHECK(then.price("osfp-800g-2xsr4").each.value.low < then.price("osfp-800g-2xsr4").each.value.typical);
  // Quotes of 2024 the other way round.
  CHECK_FALSE(then.price("hgx-h100").each.evidence.assumed());
  CHECK(now.price("hgx-h100").each.evidence.assumed());
}

TEST_CASE("shipped books: the brand costs two to three times the generic module, on InfiniBand only", "[pricing]") {
  for (const PriceBook& book : shipped_books()) {
    for (const auto& [id, module] : shipped_parts().modules) {
      if (!book.parts.contains(id) || id == "qsfp-dd-400g-dr4") continue;  // that one fits Ethernet boxes only
      INFO(book.id << " " << id);
      const Range<Dollars> generic = book.price(id).on("ethernet").value, brand = book.price(id).on("infiniband").value;
      CHECK_THAT(brand.low / generic.low, WithinRel(2, 1e-9));
      CHECK_THAT(brand.high / generic.high, WithinRel(3, 1e-9));
    }
  }
}

TEST_CASE("shipped books: networks beside the back end are billed at their own fabric's prices", "[pricing]") {
  const PriceBook book = load_price_book(book_folder, "2024-12");
  const Design design = shipped_design("ndr-rail");
  const ServerPart& server = shipped_parts().server("dgx-h100");
  const BillOfMaterials bill = bill_of(design, server);
  const Capex capex = price_bill(bill, book, shipped_parts(), 128, 16);
  int storage = 0;
  for (const CapexLine& line : capex.lines) {
    if (line.network == "storage") ++storage;
    if (line.network == "storage" && line.part == "osfp-800g-2xsr4") {
      CHECK(line.unit == book.price(line.part).on("infiniband").value);
      CHECK_FALSE(line.back_end);
    }
    if (line.network == "in-band" && line.category == "cable") {
      CHECK(line.unit == book.price(line.part).on("ethernet").value);
    }
  }
  CHECK(storage == 5);
}
