// SPDX-License-Identifier: Apache-2.0
// The libraries of the CUDA plug-in.
#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/libraries.h"
#include "calibrate/device/gpu/shared_library.h"

namespace railyard::device::gpu {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// "cuBLASLt 13.1.0, cuDNN 9.19.0", or that one is not here.
std::string library_versions() {
  std::string text;
  std::size_t (*version)() = nullptr;
  try {
    SharedLibrary({"libcublasLt.so.13", "libcublasLt.so.12"}).find("cublasLtGetVersion", version);
    const std::size_t number = version();
    text = "cuBLASLt " + std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
  } catch (const NotPossible& reason) {
    text = reason.what();
  }
  try {
    SharedLibrary({"libcudnn.so.9"}).find("cudnnGetVersion", version);
    const std::size_t number = version();
    return text + ", cuDNN " + std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
  } catch (const NotPossible& reason) {
    return text + ", " + reason.what();
  }
}

}  // namespace

std::vector<std::string> collective_library_names() { return {"libnccl.so.2", "libnccl.so"}; }

std::string back_end_name() { return "cuda"; }

std::string runtime_facts() {
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "driver version");
  check(cudaRuntimeGetVersion(&runtime), "runtime version");
  return "CUDA of the driver: " + version_text(driver) + "\nCUDA runtime: " + version_text(runtime) +
         "\nlibrary: " + library_versions() + "\n";
}

}  // namespace railyard::device::gpu
