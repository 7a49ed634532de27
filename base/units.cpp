// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <cmath>

namespace railyard {

double InterestRate::per_period(int periods) const {
  // expm1/log1p keep small rates exact.
  return compounding == Compounding::nominal ? per_year / periods : std::expm1(std::log1p(per_year) / periods);
}

double InterestRate::effective() const {
  constexpr int months = 12;
  return compounding == Compounding::effective ? per_year : std::expm1(months * std::log1p(per_period(months)));
}

}  // namespace railyard
