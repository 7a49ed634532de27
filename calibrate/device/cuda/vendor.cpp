// SPDX-License-Identifier: Apache-2.0
// The libraries of the CUDA plug-in.
#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/libraries.h"

namespace railyard::device::gpu {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::vector<std::string> collective_library_names() { return {"libnccl.so.2", "libnccl.so"}; }

std::string back_end_name() { return "cuda"; }

std::string runtime_facts() {
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "driver version");
  check(cudaRuntimeGetVersion(&runtime), "runtime version");
  return "CUDA of the driver: " + version_text(driver) + "\nCUDA runtime: " + version_text(runtime) + "\n";
}

}  // namespace railyard::device::gpu
