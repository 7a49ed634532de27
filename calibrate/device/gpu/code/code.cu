// SPDX-License-Identifier: Apache-2.0
// All device code in one unit: compiled with the plug-in, into code objects that it carries, or on the machine that runs
// it. Kernels are C functions, so that they can be found by name.
#define RAILYARD_KERNEL extern "C" __global__ void

#if !defined(__CUDACC__) && !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

#include "calibrate/device/gpu/code/attention_kernels.h"
#include "calibrate/device/gpu/code/basic_kernels.h"
#include "calibrate/device/gpu/code/collective_kernels.h"
#if defined(__CUDACC__)
#include "calibrate/device/gpu/code/own_gemm_nvidia.h"
#else
#include "calibrate/device/gpu/code/own_gemm_amd.h"
#endif

#if defined(RAILYARD_BUILTIN_KERNELS)
// Kernels of this object by name, for cuda/kernel_image.cpp.
namespace railyard::device::gpu {

#define RAILYARD_ENTRY(name) BuiltinKernel{#name, reinterpret_cast<const void*>(&name)}
#define RAILYARD_MEMORY_ENTRIES(kind) RAILYARD_ENTRY(railyard_memory_##kind##_1), RAILYARD_ENTRY(railyard_memory_##kind##_4)

extern const BuiltinKernel builtin_kernels[];
const BuiltinKernel builtin_kernels[] = {RAILYARD_ENTRY(railyard_fill),
                                         RAILYARD_ENTRY(railyard_empty),
                                         RAILYARD_ENTRY(railyard_hold),
                                         RAILYARD_MEMORY_ENTRIES(copy),
                                         RAILYARD_MEMORY_ENTRIES(read),
                                         RAILYARD_MEMORY_ENTRIES(write),
                                         RAILYARD_MEMORY_ENTRIES(add),
                                         RAILYARD_MEMORY_ENTRIES(triad),
                                         RAILYARD_ENTRY(railyard_check_product),
                                         RAILYARD_ENTRY(railyard_check_attention),
                                         RAILYARD_ENTRY(railyard_fill_pattern),
                                         RAILYARD_ENTRY(railyard_check_pattern),
                                         RAILYARD_ENTRY(railyard_own_gemm),
                                         RAILYARD_ENTRY(railyard_own_gemm_wide),
                                         {nullptr, nullptr}};

}  // namespace railyard::device::gpu
#endif
