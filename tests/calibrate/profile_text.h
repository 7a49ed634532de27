// SPDX-License-Identifier: Apache-2.0
// A small profile with round numbers for tests.
#pragma once

namespace railyard {

inline constexpr const char* small_profile = R"(profile: tiny
gpu: h100
software: none
date: 2024-12
description: round numbers
sources:
  paper: {title: A paper, date: 2024-07}
compute_units: 100
gemm:
  bf16:
    sustained: {low: 80 TFLOP/s, typical: 100 TFLOP/s, high: 125 TFLOP/s, source: paper}
    k_overhead: {low: 0, typical: 50, high: 100, source: paper}
    wave_sharing: {low: 0, typical: 0.5, high: 1, source: paper}
    tile_edge: {value: 0, source: paper}
    start: {low: 0 s, typical: 0 s, high: 0 s, source: paper}
attention:
  d64:
    forward: {value: 40 TFLOP/s, source: paper}
    half_sequence: {value: 1000, source: paper}
    backward: {value: 20 TFLOP/s, source: paper}
    backward_half_sequence: {value: 3000, source: paper}
  d128:
    forward: {value: 60 TFLOP/s, source: paper}
    half_sequence: {value: 1000, source: paper}
    backward: {value: 30 TFLOP/s, source: paper}
    backward_half_sequence: {value: 3000, source: paper}
memory_start: {value: 0 s, source: paper}
memory: {low: 1 TB/s, typical: 2 TB/s, high: 4 TB/s, source: paper}
kernel_gap: {low: 1 us, typical: 2 us, high: 9 us, assumed: a range}
compute_slowdown: {low: 1, typical: 1.2, high: 1.5, source: paper}
collective_slowdown: {value: 1.4, source: paper}
speed_spread: {value: 1 %, assumed: one in a hundred}
collectives:
  infiniband:
    scale_up_ring: {value: 360 GB/s, source: paper}
    scale_up_link: {value: 360 GB/s, source: paper}
    base_latency: {value: 8 us, source: paper}
    scale_up_hop: {value: 3 us, source: paper}
    scale_out_efficiency: {value: 95 %, source: paper}
    scale_out_hop: {value: 5 us, source: paper}
    switch_latency: {value: 0.3 us, assumed: a guess}
)";

}  // namespace railyard
