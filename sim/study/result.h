// SPDX-License-Identifier: Apache-2.0
// The answer: one row a cluster and size, and what stands behind it. Ranges are bounds: every assumed or quoted range
// at its cheaper or dearer, faster or slower end at once; they are no percentiles.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/evidence.h"
#include "base/units.h"
#include "pricing/capex.h"
#include "pricing/owner_cost.h"
#include "sim/engine/step.h"
#include "sim/goodput/goodput.h"
#include "sim/study/evidence_lines.h"
#include "sim/workload/operators.h"
#include "topologies/bill_of_materials.h"

namespace railyard {

/// How the strategy was found.
struct StrategyChoice {
  Strategy strategy;
  bool searched = false;
  std::size_t screened = 0, simulated = 0;
};

struct ResultRow {
  std::string cluster, design, gpu, profile, server, price_book;
  std::string site = {};            // empty: cables as the design plans them
  std::string profile_file = {};    // of a profile of one's own; else empty
  std::string design_changes = {};  // keys of the design stated otherwise: "oversubscription=2"
  int gpus = 0, nodes = 0, spare_nodes = 0;
  std::string model;
  int sequence = 0;
  StrategyChoice choice;

  Design recipe;  // `design` as read
  BillOfMaterials bill;
  FabricShape shape;
  Capex capex;
  OwnerCost owner;
  Range<Watts> provisioned;

  StepResult step;  // typical speeds
  MemoryUse memory;
  Bytes gpu_memory;
  FlopRate peak;  // dense, of the precision, one GPU
  Range<Seconds> step_time;
  Range<double> tokens_per_second_per_gpu;
  Range<FlopRate> model_flops_per_gpu;
  Range<double> mfu, goodput;
  Goodput goodput_detail;              // typical
  Range<double> effective_pflops;      // of the job
  Range<double> usd_per_pflop_hour;    // the headline
  bool speed_assumed = false;          // a figure that times the step is assumed
  std::vector<EvidenceLine> evidence;  // of all figures it rests on but prices, which stand in `capex`
};

/// Which of two clusters is better at one size, if the evidence can tell.
struct Verdict {
  int gpus = 0;
  bool resolved = false;
  std::string better;    // cluster name when resolved
  std::string lowest;    // the cluster of the lowest typical figure
  std::string rival;     // the one whose range reaches into it, or the next when none does
  std::string sentence;  // for people
};

/// A term of the publisher in place of ours.
struct BridgeStep {
  std::string term, label, unit;   // key, words, and the unit of the next two
  double ours = 0, published = 0;  // what stood there, what took its place
  double change = 0, alone = 0;    // of the cost, $ per owned GPU-hour: after the steps before it, and by itself
  std::string source, date;        // of the published term
};

/// From our owner cost to the published one (sim/study/owner_bridge.h): the steps and `unexplained` sum to published -
/// ours.
struct OwnerBridge {
  std::vector<BridgeStep> steps;
  double unexplained = 0;                   // by terms that are published, $ per owned GPU-hour
  std::vector<BridgeStep> stated_elsewhen;  // too far from the date of the published cost: not put in
  std::vector<std::string> not_stated;      // labels of the terms that are stated nowhere
};

/// Our owner cost beside a published one; ours is not derived from it. All figures in $ per owned GPU-hour.
struct OwnerComparison {
  std::string cluster, gpu, buyer, design, source, date;
  int gpus = 0;  // of ours
  double published = 0;
  Range<double> ours;
  double difference = 0;  // ours typical - published
  /// Ours by item, typical: capital by what it buys (each with its share of the annuity), then the running costs.
  std::vector<std::pair<std::string, double>> items;
  OwnerBridge bridge;
};

struct StudyResult {
  std::string title, workload, precision, price_book, buyer, input_hash;
  std::vector<ResultRow> rows;
  std::vector<Verdict> verdicts;
  std::vector<OwnerComparison> published_costs;  // of the clusters whose GPU and buyer have one
};

}  // namespace railyard
