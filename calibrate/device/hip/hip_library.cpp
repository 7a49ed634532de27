// SPDX-License-Identifier: Apache-2.0
// Not yet run on AMD hardware.
#include "calibrate/device/hip/hip_library.h"

#include <hip/hip_runtime.h>

#include <algorithm>
#include <memory>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/shared_library.h"

namespace railyard::device::gpu {
namespace {

/// The runtime, opened at the first call and kept: what it started does not survive its closing. Null: not here.
const SharedLibrary* runtime() {
  static const std::unique_ptr<SharedLibrary> library = [] {
    try {
      return std::make_unique<SharedLibrary>(hip_library_names());
    } catch (const NotPossible&) {
      return std::unique_ptr<SharedLibrary>();
    }
  }();
  return library.get();
}

template <class Function>
Function* find(const char* name) {
  Function* function = nullptr;
  if (runtime() != nullptr) runtime()->try_find(name, function);
  return function;
}

}  // namespace

std::vector<std::string> hip_library_names() {
  return {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
}

std::string device_architecture(int device) {
  // The record of properties has another layout from release to release, and no attribute gives the name: it is looked
  // for in the bytes, which are more than any release writes.
  std::vector<char> bytes(65536);
  using GetProperties = hipError_t(void*, int);
  for (const char* const name : {"hipGetDevicePropertiesR0600", "hipGetDeviceProperties"}) {
    GetProperties* const get = find<GetProperties>(name);
    if (get == nullptr || get(bytes.data(), device) != hipSuccess) continue;
    const std::string start = "gfx";
    const auto at = std::search(bytes.begin(), bytes.end(), start.begin(), start.end());
    if (at == bytes.end()) continue;
    const auto end = std::find_if(at, bytes.end(), [](char c) { return c == '\0' || c == ':'; });  // gfx90a:sramecc+
    return {at, end};
  }
  throw std::runtime_error("the HIP runtime does not tell which GPU device " + std::to_string(device) + " is");
}

}  // namespace railyard::device::gpu

// Without a runtime, or a function in it, a call ends with "no device".
#define RAILYARD_HIP_CALL(name, parameters, arguments)                                       \
  hipError_t name parameters {                                                               \
    static auto* const function = railyard::device::gpu::find<hipError_t parameters>(#name); \
    return function == nullptr ? hipErrorNoDevice : function arguments;                      \
  }

extern "C" {

RAILYARD_HIP_CALL(hipDeviceCanAccessPeer, (int* can, int device, int peer), (can, device, peer))
RAILYARD_HIP_CALL(hipDeviceEnablePeerAccess, (int peer, unsigned flags), (peer, flags))
RAILYARD_HIP_CALL(hipDeviceGetAttribute, (int* value, hipDeviceAttribute_t which, int device), (value, which, device))
RAILYARD_HIP_CALL(hipDeviceGetName, (char* name, int size, hipDevice_t device), (name, size, device))
RAILYARD_HIP_CALL(hipDeviceGetPCIBusId, (char* id, int size, int device), (id, size, device))
RAILYARD_HIP_CALL(hipDeviceSynchronize, (), ())
RAILYARD_HIP_CALL(hipDriverGetVersion, (int* version), (version))
RAILYARD_HIP_CALL(hipEventCreate, (hipEvent_t * event), (event))
RAILYARD_HIP_CALL(hipEventDestroy, (hipEvent_t event), (event))
RAILYARD_HIP_CALL(hipEventElapsedTime, (float* ms, hipEvent_t first, hipEvent_t last), (ms, first, last))
RAILYARD_HIP_CALL(hipEventRecord, (hipEvent_t event, hipStream_t stream), (event, stream))
RAILYARD_HIP_CALL(hipFree, (void* data), (data))
RAILYARD_HIP_CALL(hipGetDeviceCount, (int* count), (count))
RAILYARD_HIP_CALL(hipGetLastError, (), ())
RAILYARD_HIP_CALL(hipHostFree, (void* data), (data))
RAILYARD_HIP_CALL(hipHostMalloc, (void** data, std::size_t size, unsigned flags), (data, size, flags))
RAILYARD_HIP_CALL(hipMalloc, (void** data, std::size_t size), (data, size))
RAILYARD_HIP_CALL(hipMemGetInfo, (std::size_t * left, std::size_t* all), (left, all))
RAILYARD_HIP_CALL(hipMemcpyAsync,
                  (void* to, const void* from, std::size_t size, hipMemcpyKind kind, hipStream_t stream),
                  (to, from, size, kind, stream))
RAILYARD_HIP_CALL(hipMemcpyPeerAsync,
                  (void* to, int to_device, const void* from, int from_device, std::size_t size, hipStream_t stream),
                  (to, to_device, from, from_device, size, stream))
RAILYARD_HIP_CALL(hipMemsetAsync, (void* data, int value, std::size_t size, hipStream_t stream),
                  (data, value, size, stream))
RAILYARD_HIP_CALL(hipModuleGetFunction, (hipFunction_t * found, hipModule_t module, const char* name),
                  (found, module, name))
RAILYARD_HIP_CALL(hipModuleLaunchKernel,
                  (hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, hipStream_t stream, void** arguments, void** extra),
                  (f, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra))
RAILYARD_HIP_CALL(hipModuleLoadData, (hipModule_t * module, const void* image), (module, image))
RAILYARD_HIP_CALL(hipModuleUnload, (hipModule_t module), (module))
RAILYARD_HIP_CALL(hipRuntimeGetVersion, (int* version), (version))
RAILYARD_HIP_CALL(hipSetDevice, (int device), (device))
RAILYARD_HIP_CALL(hipStreamCreateWithFlags, (hipStream_t * stream, unsigned flags), (stream, flags))
RAILYARD_HIP_CALL(hipStreamDestroy, (hipStream_t stream), (stream))
RAILYARD_HIP_CALL(hipStreamWaitEvent, (hipStream_t stream, hipEvent_t event, unsigned flags), (stream, event, flags))
RAILYARD_HIP_CALL(hipStreamSynchronize, (hipStream_t stream), (stream))

const char* hipGetErrorString(hipError_t error) {
  static auto* const function = railyard::device::gpu::find<const char*(hipError_t)>("hipGetErrorString");
  if (function != nullptr) return function(error);
  return "the HIP runtime is not here (libamdhip64.so.7, .6 or .5)";
}

}  // extern "C"
