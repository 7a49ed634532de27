// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "base/files.h"
#include "sim/goodput/goodput.h"
#include "topologies/reading.h"

namespace railyard {
namespace {

// Generous bounds: what lies outside is a slip of the pen (sim/goodput/FORMAT.md has them in a table).
constexpr Limits rate{"0", "100 /day"};
constexpr Limits checkpoint{"0", "1 day"};
constexpr Limits outage{"0", "30 day"};
constexpr Limits out_for_repair{"0", "1 year"};
constexpr double least_shortage = 1e-9;
constexpr double most_shortage = 0.5;

/// A node cannot be in repair for more than all of the time.
void check_repair(YamlMap& root, const Reliability& reliability) {
  const double out =
      reliability.node_failure_rate.value.high * reliability.hard_share.value.high * reliability.repair.value.high;
  if (out <= 1) return;
  root.fail("repair", "at the high ends of node_failure_rate, hard_share and repair a node is in repair all the time",
            "expected node_failure_rate x hard_share x repair of at most 1");
}

}  // namespace

Reliability read_reliability(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  const Sources sources = root.sources();
  constexpr std::int64_t most_nodes = 1'000'000;
  check_named_as_file(root, "gpu", root.text("gpu"), document);
  static_cast<void>(root.text("description"));  // for people
  Reliability reliability;
  reliability.node_failure_rate = limited_figure(root, "node_failure_rate", units::frequency, sources, rate);
  reliability.job_failure_rate = limited_figure(root, "job_failure_rate", units::frequency, sources, rate);
  reliability.job_nodes = static_cast<int>(root.integer("job_nodes", 1, most_nodes));
  reliability.checkpoint_blocking = limited_figure(root, "checkpoint_blocking", units::time, sources, checkpoint);
  reliability.checkpoint_write = limited_figure(root, "checkpoint_write", units::time, sources, checkpoint);
  reliability.restart = limited_figure(root, "restart", units::time, sources, outage);
  reliability.hard_share = root.number_figure("hard_share", sources, 0, 1);
  reliability.repair = limited_figure(root, "repair", units::time, sources, out_for_repair);
  reliability.spare_shortage = root.share("spare_shortage");
  if (reliability.spare_shortage < least_shortage || reliability.spare_shortage > most_shortage) {
    root.fail("spare_shortage", "found '" + root.text("spare_shortage") + "'",
              "expected a share from 0.0000001 to 50 %");
  }
  check_repair(root, reliability);
  root.finish();
  diagnostics.throw_if_any();
  return reliability;
}

Reliability load_reliability(const std::filesystem::path& folder, std::string_view gpu) {
  const std::vector<std::string> names = yaml_names(folder);
  const bool measured = std::find(names.begin(), names.end(), gpu) != names.end();
  return read_reliability(YamlDocument::load(yaml_path(folder, "reliability data", measured ? gpu : "unmeasured")));
}

}  // namespace railyard
