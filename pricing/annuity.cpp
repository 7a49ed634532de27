// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cmath>

#include "pricing/owner_cost.h"

namespace railyard {

double level_payment(double price, double rate_per_period, int periods, double salvage, bool due) {
  assert(periods > 0 && rate_per_period > -1);
  const double discount = std::exp(-periods * std::log1p(rate_per_period));  // (1+i)^-n
  const double payment = (price - salvage * discount) * annuity_factor(rate_per_period, periods);
  return due ? payment / (1 + rate_per_period) : payment;
}

std::vector<double> interest_parts(double price, double rate_per_period, int periods, double salvage) {
  const double payment = level_payment(price, rate_per_period, periods, salvage);
  std::vector<double> parts;
  double balance = price;
  for (int period = 0; period < periods; ++period) {
    parts.push_back(balance * rate_per_period);
    balance += parts.back() - payment;
  }
  return parts;
}

}  // namespace railyard
