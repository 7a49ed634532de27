// SPDX-License-Identifier: Apache-2.0
#include "sim/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

#include "base/text.h"
#include "sim/study/limits.h"
#include "sim/study/speed.h"

namespace railyard {
namespace {

/// Reads a name and checks that it is one of `names`.
std::string known_name(YamlMap& map, std::string_view key, std::string_view what,
                       const std::vector<std::string>& names) {
  std::string name = map.text(key);
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) map.fail_unknown(key, what, names);
  return name;
}

/// The id of a site; empty for `none`, which takes back a site named elsewhere.
std::string site_name(YamlMap& map, const Catalogue& catalogue) {
  std::vector<std::string> names = catalogue.sites();
  names.emplace_back(no_site);
  std::string name = known_name(map, "site", "site", names);
  return name == no_site ? std::string() : name;
}

/// A GPU, which may be named in any case: H100.
std::string gpu_name(YamlMap& map, const Catalogue& catalogue) {
  std::string name = map.text("gpu");
  const std::vector<std::string> names = catalogue.gpus();
  std::string lower = lower_case(name);
  if (std::ranges::find(names, lower) != names.end()) return lower;
  if (!name.empty()) map.fail_unknown("gpu", "GPU", names);
  return name;
}

/// The id of a shipped profile, or a file of one's own, named from where the document lies.
std::string profile_name(YamlMap& map, const YamlDocument& document, const Catalogue& catalogue) {
  const std::string name = map.text("profile");
  if (names_file(name)) return (std::filesystem::path(document.name()).parent_path() / name).string();
  const std::vector<std::string> names = catalogue.profiles();
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
    map.fail_unknown("profile", "profile", names);
  }
  return name;
}

/// Runs `work` and reports its input errors at `key`.
template <class Work>
void report_at(YamlMap& map, std::string_view key, const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      const std::string place = diagnostic.file.empty() ? ""
                                : diagnostic.line == 0  ? diagnostic.file + ": "
                                                        : fmt::format("{}:{}: ", diagnostic.file, diagnostic.line);
      const std::string path = place.empty() || diagnostic.path.empty() ? "" : diagnostic.path + ": ";
      map.fail(key, place + path + diagnostic.message, diagnostic.expected);
    }
  }
}

}  // namespace

Study::Study(YamlDocument document, const Catalogue& catalogue, std::string_view replaced)
    : document_(std::move(document)), fingerprint_(document_.text()) {
  fingerprint_ += replaced;
  read(catalogue);
}

Study Study::with(std::string_view key_path, std::string_view value, const Catalogue& catalogue) const {
  Study changed = *this;
  changed.document_ = document_.with(key_path, value);
  changed.fingerprint_ += fmt::format("\n{}={}", key_path, value);
  changed.read(catalogue);
  return changed;
}

void Study::read(const Catalogue& catalogue) {
  Diagnostics diagnostics;
  YamlMap root = document_.root(diagnostics);
  title_ = root.text("study");
  read_workload(root.map("workload"), catalogue);

  gpus_.clear();
  for (const std::int64_t count : root.integers("gpus", 1, largest_cluster)) gpus_.push_back(static_cast<int>(count));
  if (std::set<int>(gpus_.begin(), gpus_.end()).size() != gpus_.size()) root.fail("gpus", "a count stands twice");

  price_book_ = catalogue.newest_price_book();
  if (root.has("price_book")) price_book_ = known_name(root, "price_book", "price book", catalogue.price_books());

  const std::vector<std::string> buyers = catalogue.owners();
  YamlMap owner = root.map("owner");
  const std::string buyer = known_name(owner, "buyer", "buyer", buyers);
  if (std::find(buyers.begin(), buyers.end(), buyer) != buyers.end()) {
    owner_ = read_owner_overrides(catalogue.owner(buyer), std::move(owner));
  }

  site_.clear();
  if (root.has("site")) site_ = site_name(root, catalogue);
  fabric_.clear();
  if (root.optional_map("fabric")) {
    fabric_ = read_design_changes([&](Diagnostics& mistakes) { return document_.root(mistakes).map("fabric"); });
  }
  clusters_.clear();
  for (YamlMap& cluster : root.maps("clusters")) read_cluster(std::move(cluster), catalogue);
  root.finish();
  diagnostics.throw_if_any();
}

void Study::read_workload(YamlMap map, const Catalogue& catalogue) {
  workload_.model = known_name(map, "model", "model", catalogue.models());
  workload_.sequence = static_cast<int>(map.integer("sequence", 1, 10'000'000));
  workload_.global_batch = map.count<SequenceTag>("global_batch", "sequence");
  std::vector<std::string> precisions;
  for (const Precision precision : all_precisions) precisions.emplace_back(to_string(precision));
  workload_.precision = all_precisions[map.choice("precision", precisions)];
  map.finish();
}

void Study::read_cluster(YamlMap map, const Catalogue& catalogue) {
  ClusterSpec cluster;
  cluster.name = map.text("name");
  constexpr std::size_t longest_name = 60;
  if (cluster.name.size() > longest_name) map.fail("name", "the name is long", "expected at most 60 characters");
  const auto same_name = [&](const ClusterSpec& other) { return other.name == cluster.name; };
  if (std::any_of(clusters_.begin(), clusters_.end(), same_name)) map.fail("name", "two clusters have this name");
  cluster.design = known_name(map, "design", "design", catalogue.designs());
  cluster.gpu = gpu_name(map, catalogue);
  cluster.profile = profile_name(map, document_, catalogue);
  cluster.site = map.has("site") ? site_name(map, catalogue) : site_;
  const auto known = [](const std::string& name, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool names_known = known(cluster.design, catalogue.designs()) && known(cluster.gpu, catalogue.gpus()) &&
                           (names_file(cluster.profile) || known(cluster.profile, catalogue.profiles()));
  (void)map.optional_map("fabric");  // a key that is read, even when the design is not known
  const bool fabric_sound = names_known && read_fabric(map, cluster, catalogue);
  if (fabric_sound) check_sizes(map, cluster, catalogue);
  if (map.has("strategy")) read_strategy(map, cluster, catalogue);
  map.finish();
  clusters_.push_back(std::move(cluster));
}

/// The design with the study's and the cluster's changes must still be one; true when it is.
bool Study::read_fabric(YamlMap& map, ClusterSpec& cluster, const Catalogue& catalogue) const {
  cluster.fabric = fabric_;
  if (map.optional_map("fabric")) {
    const std::size_t index = clusters_.size();
    const std::vector<DesignChange> own = read_design_changes(
        [&](Diagnostics& mistakes) { return document_.root(mistakes).maps("clusters")[index].map("fabric"); });
    cluster.fabric.insert(cluster.fabric.end(), own.begin(), own.end());
  }
  if (cluster.fabric.empty()) return true;
  const std::string what = fmt::format("design '{}' with {}", cluster.design, to_text(cluster.fabric));
  const auto refuse = [&](const std::vector<Diagnostic>& faults) {
    for (const Diagnostic& fault : faults) {
      const std::string place = fault.path.empty() ? "" : fault.path + ": ";
      map.fail("fabric", fmt::format("{}: {}{}", what, place, fault.message), fault.expected);
    }
    return faults.empty();
  };
  try {
    return refuse(design_faults(catalogue.design(cluster.design, cluster.fabric), catalogue.parts()));
  } catch (const InputError& error) {
    return refuse(error.diagnostics());
  }
}

/// What can be told before anything is wired: the profile's GPU and precision, the design's servers, whole nodes.
void Study::check_sizes(YamlMap& map, const ClusterSpec& cluster, const Catalogue& catalogue) const {
  report_at(map, "profile", [&] {
    check_profile(catalogue.profile(cluster.profile), catalogue.parts().gpu(cluster.gpu), workload_.precision);
  });
  report_at(map, "gpu", [&] {
    const int per_node =
        server_for(catalogue.design(cluster.design, cluster.fabric), catalogue.parts(), cluster.gpu).gpus;
    for (const int gpus : gpus_) {
      if (gpus % per_node == 0) continue;
      const int below = gpus / per_node * per_node;
      map.fail("gpu", fmt::format("{} GPUs are no whole nodes of {}", gpus, per_node),
               below > 0 ? fmt::format("use {} or {}", below, below + per_node) : fmt::format("use {}", per_node));
    }
  });
}

/// The workload's keys lead; a strategy that states them otherwise is a contradiction.
void Study::read_strategy(YamlMap& map, ClusterSpec& cluster, const Catalogue& catalogue) const {
  const std::string text = map.text("strategy");
  report_at(map, "strategy", [&] {
    Strategy strategy = parse_strategy(text);
    const std::vector<std::string> keys = strategy_keys(text);
    const auto gives = [&](const char* key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
    if ((gives("seq") && strategy.sequence != workload_.sequence) ||
        (gives("gbs") && strategy.global_batch != workload_.global_batch) ||
        (gives("precision") && strategy.precision != workload_.precision)) {
      map.fail("strategy", "seq, gbs or precision differ from the workload's", "leave them out of the strategy");
      return;
    }
    strategy.sequence = workload_.sequence;
    strategy.global_batch = workload_.global_batch;
    strategy.precision = workload_.precision;
    cluster.strategy = strategy;
    const std::vector<std::string> models = catalogue.models(), gpu_names = catalogue.gpus();
    if (std::find(models.begin(), models.end(), workload_.model) == models.end() ||
        std::find(gpu_names.begin(), gpu_names.end(), cluster.gpu) == gpu_names.end()) {
      return;
    }
    const Model model = catalogue.model(workload_.model);
    const GpuPart& gpu = catalogue.parts().gpu(cluster.gpu);
    for (const int gpus : gpus_) check_strategy(strategy, model, gpus, gpu);
  });
}

std::vector<std::string> strategy_keys(std::string_view text) {
  std::vector<std::string> keys;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) keys.push_back(word.substr(0, word.find('=')));
  return keys;
}

std::string starter_study() {
  return R"(# A railyard study: what does an effective training PFLOP cost per hour?
# Run it with: railyard report study.yaml -o out
study: H100 on InfiniBand against MI300X on Ethernet

workload:
  model: llama3-70b            # railyard list models
  sequence: 8192               # tokens
  global_batch: 2048 sequence
  precision: bf16              # bf16, fp8 or fp16

gpus: [1024, 2048]             # GPUs in the job; spares come on top

price_book: 2024-12            # railyard list books; left out: the newest

owner:
  buyer: neocloud              # railyard list owners; every other key of a buyer may be replaced:
  # wacc: 13 %/year effective
  # life: 5 year
  # colo: 184 $/kW/month
  # energy: 0.0826 $/kWh
  # pue: 1.25

# site: air-40kw               # railyard list sites; racks and real cable lengths instead of the designs' planning
# fabric: {oversubscription: 2}  # replaces keys of the designs (topologies/FORMAT.md), here of all clusters

clusters:
  - {name: H100 InfiniBand, design: ndr-rail, gpu: h100, profile: h100-cuda}   # fabric: {...} for one cluster alone
  - {name: MI300X Ethernet, design: roce-51t-rail, gpu: mi300x, profile: mi300x-rocm-stable}
  # A strategy may be given; without one railyard searches:
  # - {name: H100 by hand, design: ndr-rail, gpu: h100, profile: h100-cuda,
  #    strategy: "tp=4 sp=1 pp=4 vpp=4 mbs=1 recompute=none zero=1"}
)";
}

}  // namespace railyard
