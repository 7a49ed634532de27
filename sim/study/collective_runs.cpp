// SPDX-License-Identifier: Apache-2.0
#include "sim/study/collective_runs.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace railyard {
namespace {

constexpr double gb = 1e9;

// Speeds of a link by generation that NCCL's topology search counts on: 20, 20.6 and 40.1 GB/s, of which a GPU has 12,
// 18 and 18; of xGMI RCCL counts on 48 GB/s on gfx94x (75 % of 64) and as large a share of 76.8 on gfx950; seven links.
constexpr std::array<CollectiveMachine, 8> machines{{
    {"gh200", "nccl-hopper", false, 4, 4, 18 * 20.6 * gb},
    {"gb200", "nccl-blackwell", false, 72, 4, 18 * 40.1 * gb},
    {"a100", "nccl-ampere", false, 8, 8, 12 * 20 * gb},
    {"h100", "nccl-hopper", false, 8, 8, 18 * 20.6 * gb},
    {"b200", "nccl-blackwell", false, 8, 8, 18 * 40.1 * gb},
    {"mi300x", "rccl", true, 8, 8, 7 * 48 * gb},
    {"mi355x", "rccl", true, 8, 8, 7 * 57.6 * gb},
    {"h800", "nccl-hopper", false, 8, 8, 8 * 20.6 * gb},
}};

// Words of a GPU's name and its machine; the first that is found counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> gpu_words{{{"GH200", "gh200"},
                                                                                   {"GB200", "gb200"},
                                                                                   {"GB300", "gb200"},
                                                                                   {"A100", "a100"},
                                                                                   {"A800", "a100"},
                                                                                   {"H100", "h100"},
                                                                                   {"H200", "h100"},
                                                                                   {"H800", "h800"},
                                                                                   {"H20", "h100"},
                                                                                   {"B200", "b200"},
                                                                                   {"B300", "b200"},
                                                                                   {"MI300X", "mi300x"},
                                                                                   {"MI350X", "mi355x"},
                                                                                   {"MI355X", "mi355x"}}};

bool contains(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// A whole number above zero; 0 for anything else.
int count(const std::string& text) {
  const std::optional<double> value = number(text);
  return value && *value >= 1 && *value < 1e7 && *value == std::floor(*value) ? static_cast<int>(*value) : 0;
}

std::optional<Collective> collective_named(std::string_view name) {
  if (name == "alltoall") return Collective::all_to_all;
  if (name == "sendrecv") return Collective::send_receive;
  if (name == "reduce") return Collective::broadcast;  // the same ring, run backwards
  for (const Collective collective : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                      Collective::all_to_all, Collective::broadcast, Collective::send_receive}) {
    if (to_string(collective) == name) return collective;
  }
  return std::nullopt;
}

/// Why the row says nothing that a law could be held against; empty when it does.
std::string reason_to_leave_out(const CsvRecord& record) {
  const std::string& notes = record.at("notes");
  const std::string& source = record.at("source");
  const auto says = [&](std::string_view word) { return contains(notes, word) || contains(source, word); };
  if (says("pass mark")) return "a pass mark, not a measurement";
  if (says("expected") || says("is the peak")) return "an expected figure, not a measurement";
  if (says("slide") || says("figure data")) return "read off a slide or figure, without message size";
  if (says("training-log")) return "measured inside a running job";
  if (says("wrong=")) return "the results were wrong";
  if (says("one-gpu")) return "two ranks on one GPU";
  if (number(record.at("message_bytes")).value_or(0) <= 0) return "no message size";
  if (count(record.at("gpus")) == 0 || count(record.at("nodes")) == 0) return "no number of GPUs or nodes";
  if (count(record.at("gpus")) == 1) return "one rank";
  if (!collective_named(record.at("collective"))) return fmt::format("{} is not modelled", record.at("collective"));
  if (machine_named(record.at("gpu")) == nullptr)
    return contains(record.at("gpu"), "V100") ? "V100: a hybrid mesh, neither switched nor a link for each pair"
                                              : "no GPU, or one that no machine is known of";
  return {};
}

/// Seconds: printed, or from a bus bandwidth that is printed finely enough. Nothing otherwise.
std::optional<double> seconds_of(const CsvRecord& record, double carried) {
  const std::optional<double> time = number(record.at("time_us"));
  if (time && *time > 0) return *time * 1e-6;
  const std::optional<double> bandwidth = number(record.at("busbw_GBps"));
  // Two decimals: below 0.25 GB/s half of the last digit is more than 2 %.
  constexpr double coarse = 0.25;
  if (!bandwidth || *bandwidth < coarse) return std::nullopt;
  return carried / (*bandwidth * gb);
}

}  // namespace

const CollectiveMachine* machine_of_pool(std::string_view name) {
  const auto* const found = std::ranges::find(machines, name, &CollectiveMachine::name);
  return found == machines.end() ? nullptr : found;
}

std::string_view gpu_word(std::string_view text) {
  const std::string lower = lower_case(text);
  for (const auto& [word, machine] : gpu_words) {
    if (contains(lower, lower_case(word))) return word;
  }
  return {};
}

std::vector<std::string> gpu_word_names() {
  std::vector<std::string> names;
  for (const auto& [word, machine] : gpu_words) names.emplace_back(word);
  return names;
}

const CollectiveMachine* machine_named(std::string_view text) {
  const std::string_view named = gpu_word(text);
  for (const auto& [word, machine] : gpu_words) {
    if (word == named) return machine_of_pool(machine);
  }
  return nullptr;
}

int nics_in(std::string_view fabric) {
  for (std::size_t x = fabric.find('x'); x != std::string_view::npos; x = fabric.find('x', x + 1)) {
    std::size_t begin = x, end = x + 1;
    while (begin > 0 && fabric[begin - 1] >= '0' && fabric[begin - 1] <= '9') --begin;
    while (end < fabric.size() && fabric[end] >= '0' && fabric[end] <= '9') ++end;
    if (begin == x || end == x + 1 || end == fabric.size() || fabric[end] != 'G') continue;
    int nics = 0;
    std::from_chars(fabric.data() + begin, fabric.data() + x, nics);
    return nics;
  }
  return 0;
}

std::string network_kind(std::string_view fabric) {
  if (contains(fabric, "EFA")) return "efa";
  if (contains(fabric, "Slingshot")) return "slingshot";
  if (contains(fabric, "RoCE") && !contains(fabric, "IB")) return "roce";
  return "infiniband";
}

double MeasuredRun::bus_bandwidth() const {
  return bus_bandwidth_factor(run.collective, run.ranks) * run.bytes / run.seconds;
}

std::variant<MeasuredRun, LeftOutRun> read_measured_run(const CsvRecord& record) {
  const auto leave_out = [&](std::string reason) {
    return LeftOutRun{fmt::format("line {}", record.line),
                      record.at("source"),
                      record.at("gpu"),
                      record.at("collective"),
                      record.at("gpus"),
                      record.at("message_bytes"),
                      std::move(reason)};
  };
  if (std::string reason = reason_to_leave_out(record); !reason.empty()) return leave_out(std::move(reason));
  MeasuredRun measured{.id = fmt::format("line {}", record.line),
                       .source = record.at("source"),
                       .gpu = record.at("gpu"),
                       .fabric = record.at("fabric"),
                       .machine = machine_named(record.at("gpu")),
                       .nodes = count(record.at("nodes")),
                       .run = {},
                       .network = {}};
  fit::CollectiveRun& run = measured.run;
  const CollectiveMachine& machine = *measured.machine;
  run.collective = *collective_named(record.at("collective"));
  run.ranks = count(record.at("gpus"));
  run.bytes = *number(record.at("message_bytes"));
  run.domains = machine.domain > machine.node ? (run.ranks + machine.domain - 1) / machine.domain : measured.nodes;
  if (run.ranks % run.domains != 0) return leave_out("GPUs spread unevenly over their domains");
  if (run.domains > 1) {
    const double gigabits = number(record.at("nic_gbps")).value_or(0);
    if (gigabits <= 0) return leave_out("the speed of the NICs is not told");
    const int per_domain = run.ranks / run.domains, nics = nics_in(measured.fabric);
    run.ports = machine.domain > machine.node || nics == 0
                    ? per_domain
                    : std::max(1, nics * std::min(per_domain, machine.node) / machine.node);
    run.port = gigabits * gb / 8;
    measured.network = network_kind(measured.fabric);
  }
  const std::string& algorithm = record.at("algo");
  if (algorithm.starts_with("Ring")) run.enabled.tree = run.enabled.nvls = false;
  if (algorithm.starts_with("Tree")) run.enabled.ring = run.enabled.nvls = false;
  if (contains(record.at("nvls_or_sharp"), "off")) run.enabled.nvls = false;
  const double carried = bus_bandwidth_factor(run.collective, run.ranks) * run.bytes;
  const std::optional<double> time = seconds_of(record, carried);
  if (!time) return leave_out("no time, and the bus bandwidth is missing or printed too coarsely");
  run.seconds = *time;
  return measured;
}

}  // namespace railyard
