// SPDX-License-Identifier: Apache-2.0
// The pipeline: design -> fabric -> bill -> price -> simulate -> goodput -> headline, for every cluster and size.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "sim/study/result.h"
#include "sim/study/study.h"
#include "topologies/advice.h"

namespace railyard {

/// Where a fabric stands and what its cables are.
struct SitePlan {
  FloorPlan floor;
  CableSchedule cables;
};

/// The wired fabric and its bill of materials; of its cables by a floor plan when a site is given.
struct WiredDesign {
  Design design;
  const ServerPart* server = nullptr;
  Fabric fabric;
  BillOfMaterials bill;
  std::optional<SitePlan> site = {};
};
/// At a site racks and cables are planned (spares are not), media chosen by the typical prices of a book. Throws
/// InputError when it cannot be wired; then with remedies that can (topologies/advice.h), and whose parts have prices
/// where there is a book.
[[nodiscard]] WiredDesign wire_design(const Design& design, const Catalogue& catalogue, std::string_view gpu, int gpus,
                                      int spare_nodes, const std::optional<Site>& site = {},
                                      const PriceBook* book = nullptr);

/// The designs and sites of a catalogue; those that cannot be read are no advice.
[[nodiscard]] AdviceSources advice_sources(const Catalogue& catalogue);

/// What one row is computed from, apart from the catalogue.
struct RowRequest {
  ClusterSpec cluster;
  Workload workload;
  int gpus = 0;
  OwnerTerms owner;
  std::string price_book;
};

/// A row with all that money can say about it (fabric, bill, capex, owner cost, goodput), and the wired fabric.
struct PricedCluster {
  ResultRow row;
  WiredDesign wired;
};
/// Needs no workload, profile or strategy. Throws InputError for what cannot be built or priced.
[[nodiscard]] PricedCluster price_cluster(const RowRequest& request, const Catalogue& catalogue);

/// Computes one row. Throws InputError for what cannot be built, priced or run. With `remaining`, the step runs on what
/// is left of the network, in the layout that was chosen for the whole.
[[nodiscard]] ResultRow evaluate_row(const RowRequest& request, const Catalogue& catalogue,
                                     const Fabric* remaining = nullptr);

/// Called after each finished row with rows done and rows in all; may come from any thread, one call at a time.
using Progress = std::function<void(std::size_t, std::size_t)>;

/// Runs a study; rows come in the study's order whatever the number of threads.
[[nodiscard]] StudyResult run_study(const Study& study, const Catalogue& catalogue, const Progress& progress = {});

/// Compares the clusters of one size: ranks only where the ranges do not overlap (DESIGN 5.4).
[[nodiscard]] Verdict compare_rows(std::span<const ResultRow* const> rows);

}  // namespace railyard
