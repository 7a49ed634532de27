// SPDX-License-Identifier: Apache-2.0
#include "sim/report/fields.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace railyard {
namespace {

Range<double> exact(double value) { return Range<double>::exactly(value); }

std::vector<Field> make_fields() {
  using Row = const ResultRow&;
  return {
      {"nodes", "nodes", "", 1, false, [](Row r) { return exact(r.nodes); }, "servers of the job"},
      {"spare_nodes", "spare nodes", "", 1, false, [](Row r) { return exact(r.spare_nodes); },
       "servers bought beside the job"},
      {"step_time_s", "step", "s", 1, true, [](Row r) { return in_unit(r.step_time, second); }, "one training step"},
      {"tokens_per_s_per_gpu", "tokens/s/GPU", "", 1, true, [](Row r) { return r.tokens_per_second_per_gpu; },
       "while stepping"},
      {"model_flops_per_s_per_gpu", "model TFLOP/s/GPU", "", 1e12, true,
       [](Row r) { return in_unit(r.model_flops_per_gpu, flop / second); },
       "model FLOP, causal attention counted half"},
      {"mfu", "MFU", "%", 0.01, true, [](Row r) { return r.mfu; }, "of the dense peak"},
      {"goodput", "goodput", "%", 0.01, true, [](Row r) { return r.goodput; },
       "share of wall-clock on steps that count"},
      {"effective_pflops", "effective PFLOP/s", "", 1, true, [](Row r) { return r.effective_pflops; }, "of the job"},
      {"capex_usd", "capex", "M$", 1e6, true, [](Row r) { return in_unit(r.capex.total(), dollar); },
       "everything bought"},
      {"capex_network_usd", "of which network", "M$", 1e6, true,
       [](Row r) { return in_unit(r.capex.network(), dollar); },
       "back-end network: switches, modules, cables, fabric managers"},
      {"power_w", "provisioned power", "MW", 1e6, true, [](Row r) { return in_unit(r.provisioned, watt); }, "IT power"},
      {"owner_usd_per_hour", "owner cost", "$/h", 1, true,
       [](Row r) { return in_unit(r.owner.total, dollar_per_hour); }, "everything bought, at owned hours"},
      {"owner_usd_per_gpu_hour", "owner cost per GPU", "$/h", 1, true,
       [](Row r) { return in_unit(r.owner.per_gpu, dollar_per_hour); }, "per owned GPU-hour"},
      {"usd_per_effective_pflop_hour", "$/h per effective PFLOP/s", "", 1, true,
       [](Row r) { return r.usd_per_pflop_hour; }, "the headline"},
      {"assumed_cost_share", "assumed share of cost", "%", 0.01, false,
       [](Row r) { return exact(r.owner.assumed_share); }, "of typical owner cost resting on assumed figures"},
  };
}

const std::vector<Field>& fields() {
  static const std::vector<Field> list = make_fields();
  return list;
}

}  // namespace

std::span<const Field> result_fields() { return fields(); }

const Field& result_field(std::string_view key) {
  const auto found =
      std::find_if(fields().begin(), fields().end(), [&](const Field& field) { return field.key == key; });
  assert(found != fields().end());
  return *found;
}

std::string design_of(const ResultRow& row) {
  return row.design + (row.design_changes.empty() ? "" : " with " + row.design_changes);
}

}  // namespace railyard
