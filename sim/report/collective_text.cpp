// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/report/collective_report.h"

namespace railyard {
namespace {

/// "64 KiB": sizes of these tables are powers of two, or nearly.
std::string size_text(double bytes) {
  constexpr std::string_view units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

std::string time_text(Seconds time) {
  const double us = time.in(microsecond);
  return us < 1e4 ? fmt::format("{:.4g} us", us) : fmt::format("{:.4g} ms", us / 1e3);
}

std::string gigabytes(double bandwidth) { return fmt::format("{:.4g}", bandwidth / 1e9); }

std::string indefinite(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

}  // namespace

std::string collective_text(std::span<const NamedAnswer> answers) {
  std::string text;
  for (const auto& [name, answer] : answers) {
    if (answer.rows.empty()) continue;
    const CollectiveRow& first = answer.rows.front();
    if (!text.empty()) text += "\n";
    text += wrapped(
        fmt::format("{}: {} of {} {} on {} nodes ({} wired), profile {}, library {}", name, to_string(first.collective),
                    first.gpus, answer.gpu, first.nodes, answer.cluster, answer.profile, answer.library),
        80, "  ");
    for (const HashedSlowdown& slowdown : answer.slowdowns) {
      text += fmt::format(
          "  hashed routes (ECMP), {}: {:.2f} times as long at the median, {:.2f} to\n"
          "  {:.2f}, 90th percentile {:.2f}\n",
          to_string(slowdown.traffic), slowdown.median, slowdown.least, slowdown.most, slowdown.p90);
    }
    Table table{.header = {"size", "time", "algbw\nGB/s", "busbw\nGB/s", "algorithm", "protocol", "limit"},
                .right = {true, true, true, true}};
    for (const CollectiveRow& row : answer.rows) {
      table.rows.push_back({size_text(row.bytes.in(byte)), time_text(row.time),
                            gigabytes(row.algorithm_bandwidth().in(byte / second)),
                            gigabytes(row.bus_bandwidth().in(byte / second)), row.algorithm, row.protocol, row.limit});
    }
    text += "\n" + to_text(table);
  }
  return text;
}

Table collective_table(std::span<const NamedAnswer> answers) {
  Table table{.header = {"cluster", "op", "bytes", "gpus", "nodes", "time_s", "algbw_bytes_per_s", "busbw_bytes_per_s",
                         "algorithm", "protocol", "limit"}};
  for (const auto& [name, answer] : answers) {
    for (const CollectiveRow& row : answer.rows) {
      table.rows.push_back({name, std::string(to_string(row.collective)), exact_text(row.bytes.in(byte)),
                            std::to_string(row.gpus), std::to_string(row.nodes), exact_text(row.time.in(second)),
                            exact_text(row.algorithm_bandwidth().in(byte / second)),
                            exact_text(row.bus_bandwidth().in(byte / second)), row.algorithm, row.protocol, row.limit});
    }
  }
  return table;
}

std::string expect_text(std::span<const ExpectedRun> runs) {
  std::string text;
  for (const ExpectedRun& run : runs) {
    if (!text.empty()) text += "\n";
    std::string heading = run.line > 0 ? fmt::format("{}:{}", run.file, run.line) : run.file;
    if (!run.operation.empty()) heading += ": " + run.operation;
    text += wrapped(heading, 80, "  ");
    if (!run.setting.empty()) text += wrapped("  against " + run.setting, 80, "    ");
    if (!run.rows.empty()) {
      Table table{.header = {"size", "measured\nGB/s", "expected\nGB/s", "ratio\n%"},
                  .right = {true, true, true, true}};
      for (const ExpectedRow& row : run.rows) {
        table.rows.push_back({size_text(row.bytes), gigabytes(row.measured), gigabytes(row.expected),
                              fmt::format("{:.0f}", 100 * row.ratio())});
      }
      text += "\n" + to_text(table) + "\n";
    }
    text += wrapped(fmt::format("{}: {}", to_string(run.verdict), run.reason), 80, "  ");
  }
  const auto slow = std::ranges::count(runs, Expectation::slow, &ExpectedRun::verdict);
  const auto refused = std::ranges::count(runs, Expectation::refused, &ExpectedRun::verdict);
  if (runs.size() > 1) {
    text += fmt::format("\n{}: {} slow, {} refused\n", indefinite(runs.size(), "run"), slow, refused);
  }
  return text;
}

Table expect_table(std::span<const ExpectedRun> runs) {
  Table table{.header = {"file", "line", "operation", "gpu", "gpus", "nodes", "bytes", "measured_busbw_bytes_per_s",
                         "expected_busbw_bytes_per_s", "ratio", "verdict", "reason"}};
  for (const ExpectedRun& run : runs) {
    const std::vector<std::string> head{run.file, std::to_string(run.line),  run.operation,
                                        run.gpu,  std::to_string(run.ranks), std::to_string(run.nodes)};
    const std::vector<std::string> tail{std::string(to_string(run.verdict)), run.reason};
    const auto add = [&](std::vector<std::string> middle) {
      std::vector<std::string> row = head;
      row.insert(row.end(), middle.begin(), middle.end());
      row.insert(row.end(), tail.begin(), tail.end());
      table.rows.push_back(std::move(row));
    };
    if (run.rows.empty()) add({"", "", "", ""});
    for (const ExpectedRow& row : run.rows)
      add({exact_text(row.bytes), exact_text(row.measured), exact_text(row.expected), exact_text(row.ratio())});
  }
  return table;
}

}  // namespace railyard
