// SPDX-License-Identifier: Apache-2.0
// One set of names for the CUDA and the HIP runtime, so that everything but the vendors' libraries is written once. The
// HIP names may themselves stand for CUDA (hip/nvidia_shim.h): then what runs on an NVIDIA GPU is HIP code.
#pragma once

#if defined(RAILYARD_GPU_HIP)
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#define RAILYARD_GPU(name) hip##name
using gpuEvent = hipEvent_t;
using gpuStream = hipStream_t;
using gpuError = hipError_t;
inline constexpr gpuError gpu_success = hipSuccess;
using gpuAttribute = hipDeviceAttribute_t;
inline constexpr gpuAttribute gpu_compute_units = hipDeviceAttributeMultiprocessorCount;
inline constexpr gpuAttribute gpu_clock_khz = hipDeviceAttributeClockRate;
inline constexpr gpuAttribute gpu_cache_bytes = hipDeviceAttributeL2CacheSize;
#else
#include <cuda_runtime.h>
#define RAILYARD_GPU(name) cuda##name
using gpuEvent = cudaEvent_t;
using gpuStream = cudaStream_t;
using gpuError = cudaError_t;
inline constexpr gpuError gpu_success = cudaSuccess;
using gpuAttribute = cudaDeviceAttr;
inline constexpr gpuAttribute gpu_compute_units = cudaDevAttrMultiProcessorCount;
inline constexpr gpuAttribute gpu_clock_khz = cudaDevAttrClockRate;
inline constexpr gpuAttribute gpu_cache_bytes = cudaDevAttrL2CacheSize;
#endif
