// SPDX-License-Identifier: Apache-2.0
#include "base/evidence.h"

#include "tests/catch.h"

namespace railyard {
namespace {

TEST_CASE("range: scenarios pick its ends, sums and scales go end by end", "[base]") {
  const Range<Dollars> price{1.0 * dollar, 2.0 * dollar, 4.0 * dollar};
  CHECK(pick(price, Scenario::low) == 1.0 * dollar);
  CHECK(pick(price, Scenario::typical) == 2.0 * dollar);
  CHECK(pick(price, Scenario::high) == 4.0 * dollar);
  Range<Dollars> sum = price + Range<Dollars>::exactly(10.0 * dollar);
  CHECK(sum == Range<Dollars>{11.0 * dollar, 12.0 * dollar, 14.0 * dollar});
  sum += price;
  CHECK(sum == Range<Dollars>{12.0 * dollar, 14.0 * dollar, 18.0 * dollar});
  CHECK(price * 3 == Range<Dollars>{3.0 * dollar, 6.0 * dollar, 12.0 * dollar});
  CHECK(Range<double>::exactly(7).is_exact());
  CHECK_FALSE(price.is_exact());
}

TEST_CASE("evidence: without a source it is assumed", "[base]") { CHECK(Evidence{}.assumed()); }

}  // namespace
}  // namespace railyard
