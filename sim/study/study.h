// SPDX-License-Identifier: Apache-2.0
// What was asked: a study file, read strictly. Format: sim/study/FORMAT.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml_reader.h"
#include "pricing/owner_cost.h"
#include "sim/study/catalogue.h"
#include "sim/workload/strategy.h"

namespace railyard {

struct Workload {
  std::string model;
  int sequence = 0;  // tokens
  Sequences global_batch{0};
  Precision precision = Precision::bf16;
};

struct ClusterSpec {
  std::string name, design, gpu;
  std::string profile;                    // id, or file (names_file)
  std::optional<Strategy> strategy;       // none: search
  std::string site = {};                  // empty: cables as the design plans them
  std::vector<DesignChange> fabric = {};  // keys of the design stated otherwise: the study's, then the cluster's own
};

class Study {
 public:
  /// Reads a document; names are checked against the catalogue. `replaced` tells what was replaced in it before, for
  /// the input hash. Throws InputError with every mistake found.
  Study(YamlDocument document, const Catalogue& catalogue, std::string_view replaced = {});

  /// The study with the value at a dotted key path replaced (owner.wacc, clusters[0].gpu); the value is YAML text. The
  /// one mechanism behind --set, sweeps, scenarios and what-if. Throws InputError.
  [[nodiscard]] Study with(std::string_view key_path, std::string_view value, const Catalogue& catalogue) const;

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const Workload& workload() const { return workload_; }
  [[nodiscard]] const std::vector<int>& gpus() const { return gpus_; }
  [[nodiscard]] const std::string& price_book() const { return price_book_; }
  [[nodiscard]] const OwnerTerms& owner() const { return owner_; }
  [[nodiscard]] const std::vector<ClusterSpec>& clusters() const { return clusters_; }
  /// Text that determines the answer, for the input hash: the file as read and every replacement.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }

 private:
  void read(const Catalogue& catalogue);
  void read_workload(YamlMap map, const Catalogue& catalogue);
  void read_cluster(YamlMap map, const Catalogue& catalogue);
  [[nodiscard]] bool read_fabric(YamlMap& map, ClusterSpec& cluster, const Catalogue& catalogue) const;
  void read_strategy(YamlMap& map, ClusterSpec& cluster, const Catalogue& catalogue) const;
  void check_sizes(YamlMap& map, const ClusterSpec& cluster, const Catalogue& catalogue) const;

  YamlDocument document_;
  std::string title_, price_book_, site_, fingerprint_;
  Workload workload_;
  std::vector<int> gpus_;
  OwnerTerms owner_;
  std::vector<DesignChange> fabric_;  // of every cluster
  std::vector<ClusterSpec> clusters_;
};

/// The keys that the text of a strategy gives, in order ("tp=8 mbs=1": tp, mbs).
[[nodiscard]] std::vector<std::string> strategy_keys(std::string_view text);

/// The commented study that `railyard init` writes.
[[nodiscard]] std::string starter_study();

}  // namespace railyard
