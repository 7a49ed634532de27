// SPDX-License-Identifier: Apache-2.0
// Output of nccl-tests as its writer would print it, made from sizes and times, so that every figure is known.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railyard::fixture {

/// Size in bytes and time in microseconds of each row; both placements take the same time.
using Rows = std::vector<std::pair<long, double>>;

inline const Rows three_rows = {{33554432, 182.87}, {67108864, 313.66}, {17179869184, 62340.7}};

inline std::string settings(int iterations = 20) {
  return fmt::format(
      "# nThread 1 nGpus 1 minBytes 33554432 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: {} agg iters: "
      "1 validation: 1 graph: 0\n#\n# Using devices\n",
      iterations);
}

inline std::string device(int rank, int node, int index, std::string_view bus) {
  return fmt::format("#  Rank {:2} Group  0 Pid {:6} on node{:02} device {:2} [{}] NVIDIA H100 80GB HBM3\n", rank,
                     4000 + rank, node, index, bus);
}

/// `per_node` GPUs on each node, with full bus ids.
inline std::string devices(int ranks, int per_node) {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank) {
    text += device(rank, 1 + rank / per_node, rank % per_node, fmt::format("0000:{:02x}:00", 16 + rank % per_node));
  }
  return text;
}

inline std::string header() {
  return "#\n#                                                              out-of-place                       "
         "in-place          \n"
         "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   "
         "busbw "
         "#wrong\n"
         "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  "
         "(GB/s)       \n";
}

/// algbw = S/t, busbw = factor algbw: the arithmetic of nccl-tests with its rounding.
inline std::string row(long size, double time, double factor, std::string_view redop = "sum",
                       std::string_view wrong = "0", int ranks_of_count = 1) {
  const double algorithm = static_cast<double>(size) / time / 1e3;
  const std::string group = fmt::format("{:8.2f} {:7.2f} {:7.2f}", time, algorithm, factor * algorithm);
  return fmt::format("{:12} {:13} {:>9} {:>7} {:7} {} {:>6} {} {:>6}\n", size, size / 4 / ranks_of_count, "float",
                     redop, -1, group, wrong, group, wrong);
}

inline std::string rows(const Rows& sizes, double factor) {
  std::string text;
  for (const auto& [size, time] : sizes) text += row(size, time, factor);
  return text;
}

inline std::string footer(std::string_view check = "0 OK") {
  return fmt::format("# Out of bounds values : {}\n# Avg bus bandwidth    : 437.957 \n#\n", check);
}

/// An all_reduce over `ranks` GPUs, eight a node.
inline std::string all_reduce(int ranks, const Rows& sizes = three_rows) {
  return settings() + devices(ranks, 8) + header() + rows(sizes, 2.0 * (ranks - 1) / ranks) + footer();
}

/// `text` with `prefix` before every line, as launchers tag output.
inline std::string tagged(std::string_view text, std::string_view prefix) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result += fmt::format("{}{}\n", prefix, text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return result;
}

}  // namespace railyard::fixture
