// SPDX-License-Identifier: Apache-2.0
#include "calibrate/profile/collective_library.h"

#include <cassert>

#include "base/diagnostic.h"
#include "base/nearest_name.h"

namespace railyard {
namespace {

constexpr double us = 1e-6, gb = 1e9;

// NCCL 2.30, src/graph/tuning.cc: base and hop latencies (LL, LL128, Simple) on NVLink and on the network. The hop of
// NVLSTree over the network was 14 us from 2.21 to 2.28 and is 20.9 us since; measured runs are of the former.
constexpr CollectiveLibrary nccl{
    .name = "nccl",
    .start_over_quick = {0, 7.4 * us, 1.8 * us},
    .inside = {.ring = {0.6 * us, 1.9 * us, 3.4 * us},
               .tree = {0.6 * us, 1.25 * us, 4 * us},
               .nvls = 25 * us,
               .nvls_tree = 25 * us,
               .collnet_direct = 3.7 * us,
               .collnet_chain = 2.8 * us,
               .pat = 4 * us},
    .outside = {.ring = {2.7 * us, 4 * us, 14 * us},
                .tree = {5 * us, 8.5 * us, 14 * us},
                .nvls = 18 * us,
                .nvls_tree = 14 * us,
                .collnet_direct = 31 * us,
                .collnet_chain = 30 * us,
                .pat = 14 * us},
    .inside_reference = 3.4 * us,
    .outside_reference = 5 * us,
    .network_waits = {1, 1, 2},
    .inside_at_least = {1 * us, 1 * us, 3 * us},  // Intel; AMD twice that
    .payload = {0.5, 0.9375, 1},
    .tree_ll_payload = 1 / 3.8,
    .ll_limit = {39 * gb, 39 * gb, 20.4 * gb},  // two domains and more: by the CPU, here Intel
    .channels_inside = 24,
    .pair_part = 32 * 524288.0,
    .channel = 20 * gb,
    // A buffer of 4 MiB in 8 steps. An LL step holds 64 KiB with its flags, and the proxies of 16 channels share what
    // the CPU copies.
    .chunk = 524288,
    .nvls_chunk = 131072,
    .ll_chunk = 65536,
    .ll_rate = 39 * gb / 16};

constexpr CollectiveLibrary nccl_of(std::string_view name, double ll_limit, CollectiveLibrary::ByDomains tree,
                                    CollectiveLibrary::ByDomains tree_ll128, double ring_ll128) {
  CollectiveLibrary library = nccl;
  library.name = name;
  library.ll_limit[0] = ll_limit;
  library.tree_channel = tree;
  library.tree_ll128_channel = tree_ll128;
  library.ring_ll128_channel = ring_ll128;
  return library;
}

constexpr CollectiveLibrary with_nvls(CollectiveLibrary library, double efficiency, int ranks, int channels) {
  library.nvls_efficiency = efficiency;
  library.nvls_ranks = ranks;
  library.channels_inside = channels;
  library.doubles_ring_channels = true;  // connect.cc: "<8 PPN", since Hopper
  return library;
}

constexpr CollectiveLibrary volta =
    nccl_of("nccl-volta", 39 * gb, {26.5 * gb, 18.5 * gb, 10 * gb}, {20 * gb, 20 * gb, 20 * gb}, 20 * gb);
constexpr CollectiveLibrary ampere =
    nccl_of("nccl-ampere", 87.7 * gb, {24 * gb, 23.6 * gb, 17.8 * gb}, {20 * gb, 20 * gb, 20 * gb}, 20 * gb);
// NVLS is taken from five ranks on Hopper and from six on Blackwell (published runs by rank count, NCCL 2.27).
constexpr CollectiveLibrary hopper = with_nvls(
    nccl_of("nccl-hopper", 141 * gb, {38.7 * gb, 41.4 * gb, 36 * gb}, {36.7 * gb, 36.7 * gb, 29 * gb}, 36.7 * gb), 0.85,
    5, 24);
constexpr CollectiveLibrary make_blackwell() {
  CollectiveLibrary library = with_nvls(
      nccl_of("nccl-blackwell", 282 * gb, {70 * gb, 42.8 * gb, 24 * gb}, {55.6 * gb, 31.7 * gb, 20 * gb}, 40 * gb),
      0.74, 6, 32);
  library.channel = 0;  // no published run shows it
  return library;
}
constexpr CollectiveLibrary blackwell = make_blackwell();

// RCCL of ROCm 6 (base 2.21.5): no LL128 and no NVLS on gfx94x, 12 / 12 / 17 us to start, hops of xGMI 0.8 to 1.5 us
// (LL) and 2.1 to 4.5 us (Simple). Its network hops are tuned by hand for six topologies, from 5 us (LL) and 15 us
// (Simple) on; the smallest stand here.
constexpr CollectiveLibrary make_rccl() {
  CollectiveLibrary library = nccl;
  library.name = "rccl";
  library.has_ll128 = false;
  library.start_over_quick = {0, 0, 5 * us};
  library.inside.ring = {0.8 * us, 0.8 * us, 3.4 * us};
  library.inside.tree = {0.8 * us, 0.8 * us, 3.4 * us};
  library.outside.ring = {5 * us, 5 * us, 15 * us};
  library.outside.tree = {5 * us, 5 * us, 15 * us};
  library.channel = 0;
  library.ll_limit = {87.7 * gb, 22.5 * gb, 19 * gb};
  library.tree_channel = library.tree_ll128_channel = {24 * gb, 23.6 * gb, 17.8 * gb};
  return library;
}
constexpr CollectiveLibrary rccl = make_rccl();

constexpr CollectiveLibrary plain{.name = "plain", .plain = true, .has_ll = false, .has_ll128 = false};

constexpr std::array<const CollectiveLibrary*, 6> libraries{&volta, &ampere, &hopper, &blackwell, &rccl, &plain};

}  // namespace

std::string_view to_string(CollectiveAlgorithm algorithm) {
  constexpr std::array<std::string_view, algorithm_count> names{
      "ring", "tree",   "hierarchical ring",      "nvls", "nvls tree", "collnet direct", "collnet chain",
      "pat",  "direct", "hierarchical all-to-all"};
  return names[static_cast<std::size_t>(algorithm)];
}

std::optional<CollectiveAlgorithm> algorithm_named(std::string_view name) {
  for (int i = 0; i < algorithm_count; ++i) {
    const auto algorithm = static_cast<CollectiveAlgorithm>(i);
    if (to_string(algorithm) == name) return algorithm;
  }
  return std::nullopt;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (int i = 0; i < algorithm_count; ++i) names.emplace_back(to_string(static_cast<CollectiveAlgorithm>(i)));
  return names;
}

std::string_view to_string(CollectiveProtocol protocol) {
  constexpr std::array<std::string_view, protocol_count> names{"LL", "LL128", "Simple"};
  return names[static_cast<std::size_t>(protocol)];
}

const CollectiveLibrary& collective_library(std::string_view name) {
  for (const CollectiveLibrary* library : libraries) {
    if (library->name == name) return *library;
  }
  throw InputError("collective library '" + std::string(name) + "' is unknown",
                   expected_names(name, collective_library_names()));
}

std::vector<std::string> collective_library_names() {
  std::vector<std::string> names;
  for (const CollectiveLibrary* library : libraries) names.emplace_back(library->name);
  return names;
}

}  // namespace railyard
