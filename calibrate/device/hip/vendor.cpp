// SPDX-License-Identifier: Apache-2.0
// The libraries of the HIP plug-in. Not yet run on AMD hardware.
#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/libraries.h"

namespace railyard::device::gpu {

std::vector<std::string> collective_library_names() {
#if defined(__HIP_PLATFORM_NVIDIA__)
  return {"libnccl.so.2"};
#else
  return {"librccl.so.1", "librccl.so"};
#endif
}

std::string back_end_name() { return "hip"; }

std::string runtime_facts() {
  int driver = 0, runtime = 0;
  check(hipDriverGetVersion(&driver), "driver version");
  check(hipRuntimeGetVersion(&runtime), "runtime version");
  std::string text = "HIP driver: " + std::to_string(driver) + "\nHIP runtime: " + std::to_string(runtime) + "\n";
#if defined(__HIP_PLATFORM_NVIDIA__)
  text += "HIP platform: NVIDIA, through CUDA\n";
#else
  text += "HIP platform: AMD (not yet run on AMD hardware)\n";
#endif
  return text;
}

std::unique_ptr<AttentionLibrary> open_attention_library() {
  throw NotPossible("no attention library with a C interface is known for HIP");
}

}  // namespace railyard::device::gpu
