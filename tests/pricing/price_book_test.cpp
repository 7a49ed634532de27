// SPDX-License-Identifier: Apache-2.0
#include "pricing/price_book.h"

#include <cmath>

#include "base/dates.h"
#include "tests/base/message_of.h"
#include "tests/catch.h"
#include "tests/pricing/fixture.h"

using namespace railyard;

namespace {

constexpr const char* good = R"(book: test
date: 2024-12
description: a test
sources:
  near: {title: A list, date: 2024-10}
  far: {title: A late list, date: 2026-12}
parts:
  box: {each: {low: 190 k$, typical: 256.4 k$, high: 317 k$, source: near}, includes: [gpu, nic, storage]}
  nic-a: {each: {value: 1600 $, source: far}}
  nic-b: {like: nic-a, assumed: "no price found"}
  big: {each: {value: 4000 $, source: near}}
  mid: {between: [nic-a, big], assumed: "quote-only"}
branding:
  - {fabric: infiniband, times: {low: 2, typical: 2.5, high: 3, source: near, assumed: "2 to 3 times"}, parts: [big]}
allowances:
  storage: {label: file storage, per: gpu, category: storage, each: {value: 1000 $, source: near}}
)";

PriceBook read(const std::string& text) { return read_price_book(YamlDocument::parse(text, "test.yaml")); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

std::string book_error(const std::string& text) {
  return message_of([&] { static_cast<void>(read(text)); });
}

}  // namespace

TEST_CASE("price book: prices, ranges and what servers include are read", "[pricing]") {
  const PriceBook book = read(good);
  CHECK(book.id == "test");
  const Price& box = book.price("box");
  CHECK_THAT(box.each.value.typical.in(dollar), WithinRel(256'400, 1e-12));
  CHECK_FALSE(box.each.evidence.assumed());
  CHECK(box.each.evidence.source == "A list");
  CHECK(box.includes == std::vector<std::string>{"gpu", "nic", "storage"});
  REQUIRE(book.allowances.size() == 1);
  CHECK(book.allowances[0].per == "gpu");
  CHECK(book.allowances[0].category == "storage");
}

TEST_CASE("price book: a like part takes the widened range and is assumed", "[pricing]") {
  const PriceBook book = read(good);
  const Figure<Dollars>& nic = book.price("nic-b").each;
  CHECK_THAT(nic.value.low.in(dollar), WithinRel(1600 / 1.2544, 1e-12));
  CHECK(nic.value == book.price("nic-a").each.value);
  CHECK(nic.evidence.assumed());
  CHECK(nic.evidence.rule ==
        "no price found; nic-a: A late list, 2026-12; nic-a: quote of 2026-12, 24 months from the book: range widened "
        "by 1.25 each way");
}

TEST_CASE("price book: between two parts lies low of one, middle, high of the other", "[pricing]") {
  const Figure<Dollars> mid = read(good).price("mid").each;
  CHECK_THAT(mid.value.low.in(dollar), WithinRel(1600 / 1.2544, 1e-12));
  CHECK_THAT(mid.value.typical.in(dollar), WithinRel(2800, 1e-12));
  CHECK_THAT(mid.value.high.in(dollar), WithinRel(4000, 1e-12));
  CHECK(mid.evidence.assumed());
}

TEST_CASE("price book: a brand multiplies the price on its fabric only", "[pricing]") {
  const Price module = read(good).price("big");
  CHECK(module.on("ethernet") == module.each);
  const Figure<Dollars> branded = module.on("infiniband");
  CHECK_THAT(branded.value.low.in(dollar), WithinRel(8'000, 1e-12));
  CHECK_THAT(branded.value.typical.in(dollar), WithinRel(10'000, 1e-12));
  CHECK_THAT(branded.value.high.in(dollar), WithinRel(12'000, 1e-12));
  CHECK(branded.evidence.assumed());
}

TEST_CASE("price book: a part without a price is named with the book and its neighbour", "[pricing]") {
  try {
    static_cast<void>(read(good).price("nic-c"));
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "error: price book 'test' (test.yaml) has no price for part 'nic-c'\n"
          "   expected one of: big, box, mid, nic-a, nic-b; did you mean 'nic-a'?\n");
  }
}

TEST_CASE("price book: wrong books are told in full", "[pricing]") {
  CHECK(book_error(replaced(good, "value: 4000 $", "value: -4000 $")) ==
        "test.yaml:11:23: error: parts.big.each.value: found '-4000 $'\n"
        "   11 |   big: {each: {value: -4000 $, source: near}}\n"
        "      |                       ^~~~~~~\n"
        "   expected an amount of money that is not negative\n");
  CHECK(book_error(replaced(good, "value: 4000 $", "value: 4000 W")) ==
        "test.yaml:11:23: error: parts.big.each.value: found '4000 W'\n"
        "   11 |   big: {each: {value: 4000 W, source: near}}\n"
        "      |                       ^~~~~~\n"
        "   'W' is not a unit of this kind; expected an amount of money with its unit, such as 1500 $, 256.4 k$\n");
  CHECK(book_error(replaced(good, "{value: 4000 $, source: near}", "{value: 4000 $}")) ==
        "test.yaml:11:9: error: parts.big.each: a figure without evidence\n"
        "   11 |   big: {each: {value: 4000 $}}\n"
        "      |         ^~~~\n"
        "   add 'source: ID' (an entry of sources) or 'assumed: RULE'\n");
  CHECK(book_error(replaced(good, "includes: [gpu,", "includs: [gpu,")) ==
        "test.yaml:8:77: error: parts.box.includs: unknown key\n"
        "    8 |   box: {each: {low: 190 k$, typical: 256.4 k$, high: 317 k$, source: near}, includs: [gpu, nic, stor\n"
        "      |                                                                             ^~~~~~~\n"
        "   expected one of: each, like, between, by_length, includes; did you mean 'includes'?\n");
  CHECK(book_error(replaced(good, "[gpu, nic, storage]", "[gpu, nics]")) ==
        "test.yaml:8:87: error: parts.box.includes: unknown content 'nics'\n"
        "    8 |   box: {each: {low: 190 k$, typical: 256.4 k$, high: 317 k$, source: near}, includes: [gpu, nics]}\n"
        "      |                                                                                       ^\n"
        "   expected one of: gpu, cpu, memory, nic, dpu, storage; did you mean 'nic'?\n");
  CHECK(book_error(replaced(good, "[gpu, nic, storage]", "[gpu, nic, gpu]")) ==
        "test.yaml:8:87: error: parts.box.includes: 'gpu' is included twice\n"
        "    8 |   box: {each: {low: 190 k$, typical: 256.4 k$, high: 317 k$, source: near}, includes: [gpu, nic, gpu\n"
        "      |                                                                                       ^\n"
        "   expected every content once\n");
  CHECK(book_error(replaced(good, "like: nic-a", "like: nic-q")) ==
        "test.yaml:10:17: error: parts.nic-b.like: no part 'nic-q' stands above\n"
        "   10 |   nic-b: {like: nic-q, assumed: \"no price found\"}\n"
        "      |                 ^~~~~\n"
        "   expected one of: box, nic-a; did you mean 'nic-a'?\n");
  CHECK(book_error(replaced(good, "source: near}}\n  mid", "assumed: guess}}\n  mid")) ==
        "test.yaml:11:15: error: parts.big.each: an assumed price without a range\n"
        "   11 |   big: {each: {value: 4000 $, assumed: guess}}\n"
        "      |               ^\n"
        "   expected 'low', 'typical' and 'high' beside 'assumed'\n");
  CHECK(book_error(replaced(good, "low: 190 k$", "low: 290 k$")) ==
        "test.yaml:8:38: error: parts.box.each.typical: the range is out of order\n"
        "    8 |   box: {each: {low: 290 k$, typical: 256.4 k$, high: 317 k$, source: near}, includes: [gpu, nic, sto\n"
        "      |                                      ^~~~~~~~\n"
        "   expected low <= typical <= high\n");
  CHECK(book_error(replaced(good, "date: 2024-10", "date: last year")) ==
        "test.yaml:5:31: error: sources.near.date: found 'last year'\n"
        "    5 |   near: {title: A list, date: last year}\n"
        "      |                               ^~~~~~~~~\n"
        "   expected YYYY, YYYY-MM or YYYY-MM-DD from 1990 to 2100, or 'undated'\n");
  CHECK_THAT(
      book_error(replaced(good, "date: 2024-10", "date: undated")),
      ContainsSubstring("found 'undated'") && ContainsSubstring("expected YYYY, YYYY-MM or YYYY-MM-DD from 1990"));
  CHECK(book_error(replaced(good, "  storage: {label", "  mid: {label")) ==
        "test.yaml:8:87: error: parts.box.includes: unknown content 'storage'\n"
        "    8 |   box: {each: {low: 190 k$, typical: 256.4 k$, high: 317 k$, source: near}, includes: [gpu, nic, sto\n"
        "      |                                                                                       ^\n"
        "   expected one of: gpu, cpu, memory, nic, dpu, mid\n"
        "test.yaml:12:8: error: parts.mid: 'mid' is an allowance too\n"
        "   12 |   mid: {between: [nic-a, big], assumed: \"quote-only\"}\n"
        "      |        ^\n"
        "   expected one price for one thing\n"
        "2 errors\n");
  CHECK(book_error(replaced(good, "parts: [big]", "parts: [bag]")) ==
        "test.yaml:14:112: error: branding[0].parts: unknown part 'bag'\n"
        "   expected one of: big, box, mid, nic-a, nic-b; did you mean 'big'?\n");
  CHECK(book_error(replaced(good, "[nic-a, big]", "[big, nic-a]")) ==
        "test.yaml:12:18: error: parts.mid.between: 'big' is dearer than 'nic-a'\n"
        "   12 |   mid: {between: [big, nic-a], assumed: \"quote-only\"}\n"
        "      |                  ^\n"
        "   expected two parts: [cheaper, dearer]\n");
  CHECK(book_error(replaced(good, "date: 2024-12", "date: 2024")) ==
        "test.yaml:2:7: error: date: found '2024'\n"
        "    2 | date: 2024\n"
        "      |       ^~~~\n"
        "   expected the month of the prices: YYYY-MM, from 1990 to 2100\n");
}

TEST_CASE("price book: in the shipped books what is assumed has a rule and a range, what is not has a near source",
          "[pricing]") {
  for (const std::string& name : price_book_names(book_folder)) {
    for (const auto& [id, price] : load_price_book(book_folder, name).parts) {
      INFO(name << " " << id);
      if (price.each.evidence.assumed()) {
        CHECK_FALSE(price.each.evidence.rule.empty());
        CHECK_FALSE(price.each.value.is_exact());
      } else {
        CHECK_FALSE(price.each.evidence.source.empty());
        CHECK(months_between(name, price.each.evidence.date).value_or(99) <= 12);
      }
    }
  }
  const PriceBook book = load_price_book(book_folder, "2024-12");
  // Issue: eight GPUs at 12 to 20 k$ and a box at 44 to 80 k$.
  CHECK(book.price("mi300x-server").each.value.low == (8 * 12e3 + 44e3) * dollar);
  CHECK(book.price("mi300x-server").each.value.high == (8 * 20e3 + 80e3) * dollar);
  CHECK(book.price("thor-2").each.value == book.price("connectx-7").each.value);
}

TEST_CASE("price book: a part may be left without a price for a stated reason", "[pricing]") {
  const PriceBook book = read(std::string(good) + "not_priced: {later: not sold before 2025}\n");
  CHECK(book.not_priced.at("later") == "not sold before 2025");
  CHECK_THROWS_WITH(
      book.price("later"),
      ContainsSubstring("price book 'test' (test.yaml) has no price for part 'later': not sold before 2025"));
  CHECK_THAT(book_error(std::string(good) + "not_priced: {big: too big}\n"),
             ContainsSubstring("'big' has a price above"));
}

TEST_CASE("price book: prices and dates have bounds, and the message tells them", "[pricing]") {
  CHECK_THAT(book_error(replaced(good, "value: 4000 $", "value: 1e12 $")),
             ContainsSubstring("parts.big.each.value: found '1e12 $'") &&
                 ContainsSubstring("expected an amount of money from 0 to 1000 M$"));
  CHECK_THAT(book_error(replaced(good, "value: 1000 $", "value: 1001 M$")),
             ContainsSubstring("allowances.storage.each.value: found '1001 M$'"));
  for (const char* date : {"9999-12", "1989-12", "2101-01", "2024-13", "2024-12-xx", "2024-12-00", "2024-12-011"}) {
    INFO(date);
    CHECK_THAT(book_error(replaced(good, "date: 2024-12", std::string("date: ") + date)),
               ContainsSubstring("expected the month of the prices: YYYY-MM, from 1990 to 2100"));
    CHECK_THAT(book_error(replaced(good, "date: 2024-10", std::string("date: ") + date)),
               ContainsSubstring("expected YYYY, YYYY-MM or YYYY-MM-DD from 1990 to 2100"));
  }
  // A quote 443 months away: 1.12^(443/12) = 65.7.
  const PriceBook book = read(replaced(good, "date: 2024-12", "date: 1990-01"));
  CHECK_THAT(book.price("nic-a").each.value.high.in(dollar), WithinRel(1600 * std::pow(1.12, 443.0 / 12), 1e-12));
}

TEST_CASE("price book: a file that holds another book than its name is refused", "[pricing]") {
  CHECK(book_error(replaced(good, "book: test", "book: 2024-12")) ==
        "test.yaml:1:7: error: book: found '2024-12' in a file named 'test'\n"
        "    1 | book: 2024-12\n"
        "      |       ^~~~~~~\n"
        "   name the file and what it holds alike: test\n");
}

TEST_CASE("price book: parts that nobody knows can be listed, with the nearest name", "[pricing]") {
  const Parts parts = load_parts(RAILYARD_SOURCE_DIR "/topologies/parts");
  for (const std::string& name : price_book_names(book_folder)) {
    INFO(name);
    CHECK(unknown_parts(load_price_book(book_folder, name), parts).empty());
  }
  PriceBook book = load_price_book(book_folder, "2024-12");
  book.parts["qm970"] = book.parts.at("qm9700");
  book.not_priced["connectx-77"] = "a slip";
  const std::vector<Diagnostic> faults = unknown_parts(book, parts);
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].path == "parts.qm970");
  CHECK(faults[0].message == "no part 'qm970' is known, so no bill has it");
  CHECK(faults[0].expected == "did you mean 'qm9700'?");
  CHECK(faults[1].path == "not_priced.connectx-77");
}
