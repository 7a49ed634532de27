// SPDX-License-Identifier: Apache-2.0
// Everything shipped as data, found under one folder: parts are read at once, the rest on demand.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calibrate/profile/profile.h"
#include "pricing/owner_cost.h"
#include "pricing/price_book.h"
#include "sim/goodput/goodput.h"
#include "sim/study/design_changes.h"
#include "sim/study/published_costs.h"
#include "sim/study/published_terms.h"
#include "sim/workload/model.h"
#include "topologies/design.h"
#include "topologies/parts.h"
#include "topologies/site.h"

namespace railyard {

/// True when `name` is meant as a file of one's own rather than as the id of something shipped: it ends in .yaml.
[[nodiscard]] bool names_file(std::string_view name);

class Catalogue {
 public:
  /// Reads the parts. Throws InputError.
  explicit Catalogue(std::filesystem::path data);

  [[nodiscard]] const Parts& parts() const { return parts_; }
  /// With keys of the design's file replaced (sim/study/design_changes.h).
  [[nodiscard]] Design design(std::string_view id, std::span<const DesignChange> changes = {}) const;
  [[nodiscard]] Site site(std::string_view id) const;
  /// Nothing for an empty name and for `none`.
  [[nodiscard]] std::optional<Site> site_or_none(std::string_view id) const;
  /// The shipped profile of that id, or that of a file when the name is one's (names_file). Throws InputError.
  [[nodiscard]] Profile profile(std::string_view name) const;
  [[nodiscard]] PriceBook price_book(std::string_view id) const;
  [[nodiscard]] OwnerTerms owner(std::string_view buyer) const;
  [[nodiscard]] Model model(std::string_view id) const;
  [[nodiscard]] Reliability reliability(std::string_view gpu) const;

  /// Owner costs that others published, to stand beside ours.
  [[nodiscard]] std::vector<PublishedOwnerCost> published_owner_costs() const;
  /// What their publishers say about the terms behind them: the shipped table, or that of a file. Throws InputError,
  /// also for a GPU or buyer that is unknown.
  [[nodiscard]] std::vector<PublishedTerm> published_owner_terms(const std::string& file = {}) const;

  [[nodiscard]] std::vector<std::string> designs() const;
  [[nodiscard]] std::vector<std::string> sites() const;
  [[nodiscard]] std::vector<std::string> profiles() const;
  [[nodiscard]] std::vector<std::string> price_books() const;  // oldest first
  [[nodiscard]] std::vector<std::string> owners() const;
  [[nodiscard]] std::vector<std::string> models() const;
  [[nodiscard]] std::vector<std::string> gpus() const;
  [[nodiscard]] std::string newest_price_book() const;
  /// The shipped table of measured collectives (sim/study/validation).
  [[nodiscard]] std::filesystem::path measured_collectives() const;
  /// Name of the content of all data files, for the input hash.
  [[nodiscard]] std::string data_hash() const;

 private:
  std::filesystem::path data_;
  Parts parts_;
};

}  // namespace railyard
