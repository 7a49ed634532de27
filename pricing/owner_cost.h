// SPDX-License-Identifier: Apache-2.0
// What a cluster costs its owner per hour, as formula rows (DESIGN 5.3).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/evidence.h"
#include "base/units.h"
#include "base/yaml_reader.h"
#include "pricing/corners.h"
#include "pricing/formula.h"

namespace railyard {

/// Level end-of-period payment that repays `price` less the discounted salvage; start of period when `due`.
/// A = (P - S/(1+i)^n) i / (1 - (1+i)^-n); (P - S)/n for i = 0.
[[nodiscard]] double level_payment(double price, double rate_per_period, int periods, double salvage = 0,
                                   bool due = false);
/// Interest part of each payment of that schedule, first to last.
[[nodiscard]] std::vector<double> interest_parts(double price, double rate_per_period, int periods, double salvage = 0);

/// A buyer's terms, each with evidence. Data: pricing/owners/*.yaml; a study overrides single keys.
struct OwnerTerms {
  std::string buyer;
  Figure<InterestRate> wacc;
  Figure<Seconds> life;
  Figure<double> salvage_share;    // of capex, at the end of life
  Figure<DollarsPerJoule> colo;    // capacity charge on provisioned power
  Figure<DollarsPerJoule> energy;  // tariff
  Figure<double> pue;
  Figure<double> load;                     // average over provisioned power
  Figure<DollarsPerSecond> staff_per_gpu;  // per GPU owned
  Figure<Frequency> maintenance;           // share of capex per year
  Figure<Frequency> insurance;
  Figure<DollarsPerSecond> software_per_gpu;  // licences and support
};

/// Reads a buyer's file (format: pricing/FORMAT.md). Throws InputError.
[[nodiscard]] OwnerTerms read_owner(const YamlDocument& document);
/// Reads folder/buyer.yaml; an unknown buyer is an InputError with the nearest name.
[[nodiscard]] OwnerTerms load_owner(const std::filesystem::path& folder, std::string_view buyer);
/// Terms with the keys of `overrides` (a study's `owner:` map) in place of the buyer's defaults. Plain values count as
/// the user's own figure (sourced, source "study"). Finishes the map; mistakes go to its diagnostics.
[[nodiscard]] OwnerTerms read_owner_overrides(OwnerTerms defaults, YamlMap overrides);

/// What the terms are applied to.
struct OwnedCluster {
  Range<Dollars> capex;
  Dollars capex_assumed;     // typical, of lines with assumed prices
  Range<Watts> provisioned;  // IT power, summed from parts
  bool power_assumed = false;
  int gpus_owned = 0;  // spares too
};

/// One ranged input and how far it alone moves the cost of an owned GPU-hour.
struct OwnerSwing {
  std::string id;  // of the input row
  Swing per_gpu_hour;
};

struct OwnerCost {
  std::vector<FormulaRow> rows;     // typical; the printed formula
  std::vector<double> values;       // of `rows`
  Range<DollarsPerSecond> total;    // whole cluster
  Range<DollarsPerSecond> per_gpu;  // per owned GPU
  double assumed_share = 0;         // of the typical total, resting on assumed figures
  std::vector<OwnerSwing> swings;   // ranged inputs, in row order
};

/// An input row of the owner's formula: its range in the row's unit, and whether that is assumed.
struct OwnerInput {
  std::string_view id, label, unit;
  Range<double> range;
  bool assumed = false;
};

/// The formula of one owner and cluster, built once: for the typical cost and its range, and for drawing inputs at
/// random. The inputs are the first rows, in order.
class OwnerModel {
 public:
  /// Needs gpus_owned > 0 and a life above zero; all ranges within pricing/FORMAT.md, so that every result is finite.
  OwnerModel(const OwnerTerms& terms, const OwnedCluster& cluster);
  [[nodiscard]] const std::vector<OwnerInput>& inputs() const { return inputs_; }
  /// $/h per owned GPU with the inputs at `values` (one an input, in order).
  [[nodiscard]] double per_gpu_hour(std::span<const double> values) const;
  [[nodiscard]] OwnerCost cost() const;

 private:
  double gpus_ = 0, capex_assumed_ = 0;  // owned; $, typical
  std::vector<OwnerInput> inputs_;
  Formula formula_;
  std::size_t result_ = 0;  // place of the cost per owned GPU-hour
};

/// The rows, the typical total and its range: every ranged input at the end that lowers (raises) the total. Needs
/// gpus_owned > 0 and a life above zero.
[[nodiscard]] OwnerCost owner_cost(const OwnerTerms& terms, const OwnedCluster& cluster);

}  // namespace railyard
