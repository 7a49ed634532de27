// SPDX-License-Identifier: Apache-2.0
// The shipped catalogue, read once for all tests of this program, and a small study.
#pragma once

#include <string>

#include "sim/study/catalogue.h"

inline const railyard::Catalogue& shipped() {
  static const railyard::Catalogue catalogue{RAILYARD_SOURCE_DIR};
  return catalogue;
}

inline std::string small_study() {
  return R"(study: small
workload: {model: llama3-70b, sequence: 8192, global_batch: 512 sequence, precision: bf16}
gpus: [512]
price_book: 2024-12
owner: {buyer: neocloud}
clusters:
  - {name: A, design: ndr-rail, gpu: h100, profile: h100-cuda}
  - {name: B, design: roce-51t-rail, gpu: mi300x, profile: mi300x-rocm-stable}
)";
}
