// SPDX-License-Identifier: Apache-2.0
#include "sim/app/measure_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace railyard {
namespace {

using device::Measurement;

constexpr std::size_t terminal = 80;

bool counts_flops(const Measurement& measurement) { return device::flops(measurement.planned.work) > 0; }

std::string rate_text(const Measurement& measurement) {
  const double rate = measurement.rate();
  if (!(rate > 0)) return {};
  return counts_flops(measurement) ? fmt::format("{:.1f} TFLOP/s", rate * 1e-12)
                                   : fmt::format("{:.1f} GB/s", rate * 1e-9);
}

std::string title_of(const Measurement& measurement) {
  const device::PlannedMeasurement& planned = measurement.planned;
  std::string text = planned.operation + (planned.variant.empty() ? "" : ", " + planned.variant);
  if (planned.work.kind == device::WorkKind::collective) text += fmt::format(", {} ranks", planned.work.ranks);
  return text;
}

std::string known(double value, double unit, const char* format) {
  return value > 0 ? fmt::format(fmt::runtime(format), value / unit) : std::string();
}

std::string facts_text(const device::DeviceFacts& facts) {
  std::string text = fmt::format("{}: {}, {} compute units, {:.0f} GiB\n", facts.back_end, devices_text(facts),
                                 facts.compute_units, facts.memory_bytes / 1073741824.0);
  for (const device::Fact& fact : facts.facts) text += fmt::format("  {}: {}\n", fact.key, fact.text);
  return text;
}

/// Lines of the operation's sizes.
std::string group_text(const std::string& title, const std::vector<const Measurement*>& measurements) {
  Table table{.header = {"size", "rate", "time us", "noise", "n", "ended", "GHz", "W"},
              .rows = {},
              .right = {false, true, true, true, true, false, true, true}};
  for (const Measurement* each : measurements) {
    const device::Timing& timing = each->timing;
    table.rows.push_back({device::size_label(each->planned.work), rate_text(*each),
                          number_text(timing.time.median * 1e6, 4), fmt::format("{:.1f} %", 100 * timing.time.noise()),
                          std::to_string(timing.time.count), std::string(to_string(timing.ended)),
                          known(timing.clock_hz, 1e9, "{:.2f}"), known(timing.power_w, 1, "{:.0f}")});
  }
  return title + "\n" + to_text(table);
}

std::string pair_line(const Measurement& each) {
  return fmt::format("{}: the product takes {:.2f} times as long, the collective {:.2f} times\n",
                     each.planned.operation, each.beside_s / each.alone_s, each.other_beside_s / each.other_alone_s);
}

/// The plug-in's own product against the library's, where both were measured.
std::string own_lines(const device::MeasureReport& report) {
  std::string text;
  for (const Measurement& own : report.measurements) {
    if (own.planned.group != "own" || !own.measured()) continue;
    for (const Measurement& other : report.measurements) {
      const bool same = other.planned.group == "gemm" && other.planned.operation == own.planned.operation &&
                        other.planned.variant.empty() && other.measured() &&
                        device::size_label(other.planned.work) == device::size_label(own.planned.work);
      if (!same) continue;
      text += fmt::format("{}: {} reaches {:.1f} % of {}\n", device::size_label(own.planned.work), own.kernel,
                          100 * own.rate() / other.rate(), other.kernel);
      break;
    }
  }
  return text;
}

/// Which GPUs are slower than their like, when each was timed apart.
std::string slow_line(const device::MeasureReport& report) {
  std::vector<device::DeviceSpeed> speeds;
  for (const Measurement& each : report.measurements) {
    if (each.planned.group != "gpus" || !each.measured()) continue;
    const double rate = each.rate();
    speeds.push_back({each.planned.variant, rate, rate * each.timing.time.noise()});
  }
  if (speeds.size() < 2) return {};
  std::string text;
  for (const device::SlowDevice& each : device::slow_devices(speeds)) {
    text += fmt::format("slow: {}, {:.1f} % below the others\n", each.name, 100 * each.below);
  }
  if (!text.empty()) return text;
  const auto [low, high] =
      std::minmax_element(speeds.begin(), speeds.end(), [](const auto& a, const auto& b) { return a.rate < b.rate; });
  return fmt::format("no GPU is slow: {} lies {:.1f} % below the fastest\n", low->name,
                     100 * (1 - low->rate / high->rate));
}

/// How the node's GPUs are joined, where copies between them were measured.
std::string links_line(const device::MeasureReport& report) {
  const device::NodeLinks links = node_links(report);
  const std::string text = device::describe_links(device::link_shape(links), links);
  return text.empty() ? "" : "links between GPUs: " + text + "\n";
}

}  // namespace

device::NodeLinks node_links(const device::MeasureReport& report) {
  device::NodeLinks links;
  const auto count = static_cast<std::size_t>(report.facts.devices);
  for (const Measurement& each : report.measurements) {
    if (!each.measured()) continue;
    const device::WorkRequest& work = each.planned.work;
    if (work.kind == device::WorkKind::peer_copy) {
      if (links.pairs.empty()) links.pairs.assign(count, std::vector<double>(count));
      links.pairs.at(static_cast<std::size_t>(work.device)).at(static_cast<std::size_t>(work.peer)) = each.rate();
    } else if (work.kind == device::WorkKind::fan_copy) {
      links.fan = each.rate();
    } else if (work.kind == device::WorkKind::host_copy) {
      links.host = std::max(links.host, each.rate());
    }
  }
  return links;
}

std::string devices_text(const device::DeviceFacts& facts) {
  const std::string node = fmt::format("{} x {}", facts.devices, facts.name);
  return facts.nodes > 1 ? fmt::format("{} nodes of {}", facts.nodes, node) : node;
}

std::string measure_text(const device::MeasureReport& report) {
  std::string text = facts_text(report.facts);
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Measurement*>> groups;
  for (const Measurement& each : report.measurements) {
    if (!each.measured() || each.planned.beside) continue;
    std::vector<const Measurement*>& group = groups[title_of(each)];
    if (group.empty()) order.push_back(title_of(each));
    group.push_back(&each);
  }
  for (const std::string& title : order) text += "\n" + group_text(title, groups[title]);
  std::string notes = own_lines(report) + links_line(report) + slow_line(report);
  std::set<std::string> told;
  for (const Measurement& each : report.measurements) {
    if (each.planned.beside && each.measured()) notes += pair_line(each);
    if (each.timing.dropped > 0) {
      notes += fmt::format("{}, {}: {} samples dropped, taken while throttled\n", title_of(each),
                           device::size_label(each.planned.work), each.timing.dropped);
    }
    if (!each.measured() && told.insert(title_of(each) + each.waived).second) {
      notes += wrapped(fmt::format("waived: {}: {}", title_of(each), each.waived), terminal, "  ") + "\n";
    }
  }
  if (!notes.empty()) text += "\n" + notes;
  return text + fmt::format("\nmeasured in {:.0f} s\n", report.wall_s);
}

Table measure_table(const device::MeasureReport& report) {
  Table table{.header = {"group",           "operation", "variant", "size",          "rate",    "unit",
                         "median_s",        "low_s",     "high_s",  "noise",         "samples", "dropped",
                         "runs_per_sample", "mode",      "ended",   "clock_hz",      "power_w", "power_capped",
                         "flop_per_j",      "window_s",  "error",   "allowed_error", "kernel",  "waived"},
              .rows = {},
              .right = {}};
  for (const Measurement& each : report.measurements) {
    const device::Timing& timing = each.timing;
    const bool measured = each.measured();
    const auto value = [&](double number) { return measured && number >= 0 ? exact_text(number) : std::string(); };
    table.rows.push_back({each.planned.group,
                          each.planned.operation,
                          each.planned.variant,
                          device::size_label(each.planned.work),
                          value(each.rate()),
                          counts_flops(each) ? "FLOP/s" : "B/s",
                          value(timing.time.median),
                          value(timing.time.low),
                          value(timing.time.high),
                          value(timing.time.noise()),
                          std::to_string(timing.time.count),
                          std::to_string(timing.dropped),
                          std::to_string(timing.batch),
                          std::string(to_string(each.planned.loop.mode)),
                          std::string(to_string(timing.ended)),
                          value(timing.clock_hz),
                          value(timing.power_w),
                          timing.power_capped ? "yes" : "no",
                          value(each.flop_per_joule()),
                          value(timing.window_s),
                          each.verification ? exact_text(each.verification->error) : "",
                          each.verification ? exact_text(each.verification->limit) : "",
                          each.kernel,
                          each.waived});
  }
  return table;
}

std::string method_study_text(const device::MeasureReport& report) {
  std::string text = facts_text(report.facts) +
                     "\nEach way of measuring against: warm-up 30 ms, 200 ms of runs, cache flushed, normal inputs, "
                     "median.\n";
  std::map<std::string, double> reference, best;
  for (const Measurement& each : report.measurements) {
    if (!each.measured()) continue;
    const std::string size = device::size_label(each.planned.work);
    const bool plain = each.planned.operation == "gemm bf16";
    if (plain && each.planned.variant == "compatible") reference[size] = best[size] = each.rate();
    if (each.planned.variant.starts_with("choice")) best[size] = std::max(best[size], each.rate());
  }
  std::string last;
  const auto line = [&](const std::string& size, const std::string& what, double rate, const std::string& more) {
    text += fmt::format("  {:<34} {:>7.1f} TFLOP/s {:>+6.1f} %{}\n", what, rate * 1e-12,
                        100 * (rate / reference[size] - 1), more);
  };
  for (const Measurement& each : report.measurements) {
    const std::string size = device::size_label(each.planned.work);
    if (!each.measured() || !reference.contains(size) || each.planned.variant.starts_with("choice") ||
        each.planned.variant == "preheating") {
      continue;
    }
    if (size != last) {
      text += fmt::format("\n{}\n", size);
      line(size, fmt::format("best of {} kernels", 8), best[size], "");
    }
    last = size;
    const double joules = each.flop_per_joule();
    const std::string more =
        joules > 0 ? fmt::format("  {:.0f} W, {:.2f} TFLOP/J", each.timing.power_w, joules * 1e-12) : "";
    const bool fp16 = each.planned.operation != "gemm bf16";
    line(size, (fp16 ? "FP16, " : "") + each.planned.variant, each.rate(), more);
    if (each.planned.variant == "no flush") {
      line(size, "no flush, the best run", each.rate_of(each.timing.time.low), "");
    }
  }
  return text;
}

}  // namespace railyard
