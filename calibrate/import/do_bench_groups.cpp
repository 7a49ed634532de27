// SPDX-License-Identifier: Apache-2.0
#include "calibrate/import/do_bench_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "calibrate/import/text.h"

namespace railyard::import_detail {
namespace {

constexpr std::int64_t most_ranks = 64;  // beyond, busbw/algbw tells them too poorly from 1 % slack

std::optional<Collective> collective_named(std::string_view name) {
  for (const Collective each : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                Collective::all_to_all, Collective::broadcast, Collective::send_receive}) {
    if (name == to_string(each)) return each;
  }
  if (name == "alltoall") return Collective::all_to_all;
  if (name == "sendrecv") return Collective::send_receive;
  return {};
}

bool ranks_fit(Collective collective, std::int64_t ranks, double ratio) {
  const double factor = bus_bandwidth_factor(collective, static_cast<int>(ranks));
  return std::abs(ratio / factor - 1) <= do_bench_slack / static_cast<double>(ranks);
}

// A written count of ranks or nodes; 0, not known, for what can be none.
std::int64_t plausible(std::optional<std::int64_t> count) {
  return count && *count >= 1 && *count <= 10'000'000 ? *count : 0;
}

double ratio_of(const CollectiveSample& sample) { return sample.bus_bandwidth / sample.algorithm_bandwidth; }

// The one number of ranks that every row's busbw/algbw allows; 0 when there is none or several.
std::int64_t recovered_ranks(const ImportedRun& run) {
  std::int64_t found = 0;
  for (std::int64_t ranks = 2; ranks <= most_ranks; ++ranks) {
    const auto fits = [&](const CollectiveSample& sample) {
      return ranks_fit(*run.collective, ranks, ratio_of(sample));
    };
    if (!std::all_of(run.collectives.begin(), run.collectives.end(), fits)) continue;
    if (found > 0) return 0;
    found = ranks;
  }
  return found;
}

void settle_ranks(ImportedRun& run, std::int64_t elsewhere) {
  const int line = run.first_line;
  if (run.ranks == 0) run.ranks = recovered_ranks(run);
  if (run.ranks == 0 && *run.collective == Collective::send_receive) run.ranks = elsewhere;
  if (run.nodes > std::max<std::int64_t>(run.ranks, 1)) {
    run.remarks.push_back({fmt::format("{} nodes of {} ranks cannot be", run.nodes, run.ranks), line});
    run.nodes = 0;
  }
  if (run.ranks == 0) {
    return run.refuse(RefusalReason::ranks_unknown, "no record tells ranks, and busbw/algbw fits none or several",
                      line);
  }
  if (run.ranks == 1) return run.refuse(RefusalReason::one_rank, "one rank has nothing to send", line);
  for (const CollectiveSample& sample : run.collectives) {
    if (ranks_fit(*run.collective, run.ranks, ratio_of(sample))) continue;
    run.refuse(RefusalReason::ranks_disagree,
               fmt::format("busbw/algbw of {:.4f} is not that of {} ranks", ratio_of(sample), run.ranks), sample.line);
  }
}

}  // namespace

bool DoBenchGroups::recognises(std::string_view text) {
  const bool attention = contains(text, "\"head_dim\"") && contains(text, "_tflops\"");
  return attention || (contains(text, "\"op\"") && contains(text, "\"busbw\"") && contains(text, "\"us\""));
}

bool DoBenchGroups::read(const Json& record) { return read_attention(record) || read_collective(record); }

bool DoBenchGroups::read_attention(const Json& record) {
  const auto head_dim = record.count("head_dim"), sequence = record.count("seq");
  const auto forward = record.number("fwd_tflops"), backward = record.number("bwd_tflops");
  if (!head_dim || !sequence || *head_dim < 1 || *sequence < 1 || (!forward && !backward)) return false;
  if (forward.value_or(1) <= 0 || backward.value_or(1) <= 0) return false;
  AttentionSample sample{.sequence = *sequence,
                         .batch = std::max<std::int64_t>(1, record.count("batch").value_or(1)),
                         .heads = std::max<std::int64_t>(1, record.count("heads").value_or(1)),
                         .head_dim = *head_dim,
                         .statistic = statistic_,
                         .line = record.line};
  const Json* const causal = record.find("causal");
  sample.causal = causal != nullptr && causal->text == "true";
  if (forward) sample.forward = *forward * teraflop_per_second;
  if (backward) sample.backward = *backward * teraflop_per_second;
  const std::string backend = record.string("backend");
  attention_[backend.empty() ? "attention" : "attention " + backend].attention.push_back(sample);
  return true;
}

bool DoBenchGroups::read_collective(const Json& record) {
  const std::string name = record.string("op");
  const std::optional<Collective> collective = collective_named(name);
  const auto bytes = record.number("bytes"), microseconds = record.number("us"), bus = record.number("busbw");
  if (!collective || !bytes || !microseconds || !bus || *bytes <= 0 || *microseconds <= 0 || *bus <= 0) return false;
  ImportedRun& run = collectives_[name];
  run.collective = collective;
  if (run.ranks == 0) run.ranks = plausible(record.count("ranks"));
  if (run.nodes == 0) run.nodes = plausible(record.count("nodes"));
  const Bytes size = *bytes * byte;
  const Seconds time = *microseconds * microsecond;
  run.collectives.push_back({.size = size,
                             .time = time,
                             .algorithm_bandwidth = size / time,
                             .bus_bandwidth = *bus * gigabyte_per_second,
                             .line = record.line});
  return true;
}

Runs DoBenchGroups::runs(const ImportedRun& common) const {
  Runs result;
  const auto add = [&](const std::string& operation, ImportedRun run) {
    run.tool = common.tool;
    run.gpu = common.gpu;
    run.software = common.software;
    run.date = common.date;
    run.operation = operation;
    run.rows = static_cast<int>(run.attention.size() + run.collectives.size());
    run.first_line = run.attention.empty() ? run.collectives.front().line : run.attention.front().line;
    result.push_back(std::move(run));
  };
  for (const auto& [name, run] : attention_) add(name, run);
  std::int64_t elsewhere = 0;  // ranks that the other collectives of the file tell
  for (const auto& [name, run] : collectives_) {
    if (*run.collective != Collective::send_receive) elsewhere = std::max(elsewhere, recovered_ranks(run));
  }
  for (const auto& [name, run] : collectives_) {
    add(name, run);
    settle_ranks(result.back(), elsewhere);
  }
  return result;
}

}  // namespace railyard::import_detail
