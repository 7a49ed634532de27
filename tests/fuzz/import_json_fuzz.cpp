// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/import_fuzz.h"

using namespace railyard::import_detail;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return railyard::import_fuzz::read_by({&nccl_tests_json, &nvbandwidth_json, &do_bench_json}, data, size);
}
