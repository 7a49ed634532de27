// SPDX-License-Identifier: Apache-2.0
// Errors inside a plug-in; its C functions turn them into a status and a text.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "calibrate/device/gpu/gpu_runtime.h"

namespace railyard::device::gpu {

/// The device cannot do this; what() says why.
class NotPossible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void check(gpuError status, const char* what) {
  if (status == gpu_success) return;
  throw std::runtime_error(std::string(what) + ": " + RAILYARD_GPU(GetErrorString)(status));
}

/// Host memory that devices reach directly.
inline void* pinned(std::size_t bytes) {
  void* data = nullptr;
#if defined(RAILYARD_GPU_HIP)
  check(hipHostMalloc(&data, bytes, hipHostMallocMapped), "pinned memory");
#else
  check(cudaHostAlloc(&data, bytes, cudaHostAllocMapped), "pinned memory");
#endif
  return data;
}
inline void free_pinned(void* data) {
#if defined(RAILYARD_GPU_HIP)
  (void)hipHostFree(data);
#else
  (void)cudaFreeHost(data);
#endif
}

inline std::string device_name(int index) {
#if defined(RAILYARD_GPU_HIP) && !defined(__HIP_PLATFORM_NVIDIA__)
  char name[256] = {};
  check(hipDeviceGetName(name, sizeof name, index), "device name");
  return name;
#elif defined(RAILYARD_GPU_HIP)
  hipDeviceProp_t properties;  // hipDeviceGetName would need the driver's library at load time
  check(hipGetDeviceProperties(&properties, index), "device name");
  return properties.name;
#else
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "device name");
  return properties.name;
#endif
}

}  // namespace railyard::device::gpu
