// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "base/files.h"
#include "sim/goodput/goodput.h"

namespace railyard {

Reliability read_reliability(const YamlDocument& document) {
  Diagnostics diagnostics;
  YamlMap root = document.root(diagnostics);
  const Sources sources = root.sources();
  constexpr std::int64_t most_nodes = 1'000'000;
  static_cast<void>(root.text("gpu"));          // for people; the file name is the id
  static_cast<void>(root.text("description"));  // for people
  Reliability reliability;
  reliability.node_failure_rate = root.figure("node_failure_rate", units::frequency, sources);
  reliability.job_failure_rate = root.figure("job_failure_rate", units::frequency, sources);
  reliability.job_nodes = static_cast<int>(root.integer("job_nodes", 1, most_nodes));
  reliability.checkpoint_blocking = root.figure("checkpoint_blocking", units::time, sources);
  reliability.checkpoint_write = root.figure("checkpoint_write", units::time, sources);
  reliability.restart = root.figure("restart", units::time, sources);
  reliability.hard_share = root.number_figure("hard_share", sources, 0, 1);
  reliability.repair = root.figure("repair", units::time, sources);
  reliability.spare_shortage = root.share("spare_shortage");
  if (reliability.spare_shortage <= 0)
    root.fail("spare_shortage", "found a risk of zero", "expected a share above 0 %");
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
