// SPDX-License-Identifier: Apache-2.0
// Elements of matrices as floats, on the device. FP8 is e4m3 without infinities (OCP 8-bit floating point, 2023),
// coded here by hand: not every toolkit has a type for it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "calibrate/device/gpu/gpu_runtime.h"
#include "calibrate/device/work.h"
#if !defined(RAILYARD_GPU_HIP)
#include <cuda_fp16.h>
#endif

namespace railyard::device::gpu {

__device__ inline float from_bf16(std::uint16_t value) {
  return __uint_as_float(static_cast<std::uint32_t>(value) << 16U);
}
__device__ inline std::uint16_t to_bf16(float value) {
  const std::uint32_t bits = __float_as_uint(value);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

/// Sign, four bits of exponent with bias 7, three of mantissa; 0x7f is no number, 448 the largest.
__device__ inline float from_fp8(std::uint8_t value) {
  const int exponent = (value >> 3U) & 15, mantissa = value & 7;
  const float size = exponent == 0 ? ldexpf(static_cast<float>(mantissa), -9)
                                   : ldexpf(static_cast<float>(8 + mantissa), exponent - 10);
  return (value & 0x80U) != 0 ? -size : size;
}
__device__ inline std::uint8_t to_fp8(float value) {
  const std::uint8_t sign = value < 0 ? 0x80 : 0;
  const float size = fminf(fabsf(value), 448.0F);
  if (size < 0x1p-6F) return static_cast<std::uint8_t>(sign | static_cast<int>(rintf(size * 512.0F)));
  int exponent = 0;
  frexpf(size, &exponent);                                           // size = f 2^exponent, f in [1/2, 1)
  int scaled = static_cast<int>(rintf(ldexpf(size, 4 - exponent)));  // 8 to 16
  int code = ((exponent + 6) << 3U) + (scaled - 8);                  // a carry to 16 moves the exponent on
  if (code > 0x7e) code = 0x7e;
  return static_cast<std::uint8_t>(sign | code);
}

__device__ inline float load_element(const void* data, std::size_t index, ElementType type) {
  switch (type) {
    case ElementType::bf16:
      return from_bf16(static_cast<const std::uint16_t*>(data)[index]);
    case ElementType::fp16:
      return __half2float(static_cast<const __half*>(data)[index]);
    case ElementType::fp8:
      return from_fp8(static_cast<const std::uint8_t*>(data)[index]);
    case ElementType::tf32:
    case ElementType::fp32:
      break;
  }
  return static_cast<const float*>(data)[index];
}

__device__ inline void store_element(void* data, std::size_t index, ElementType type, float value) {
  switch (type) {
    case ElementType::bf16:
      static_cast<std::uint16_t*>(data)[index] = to_bf16(value);
      return;
    case ElementType::fp16:
      static_cast<__half*>(data)[index] = __float2half(value);
      return;
    case ElementType::fp8:
      static_cast<std::uint8_t*>(data)[index] = to_fp8(value);
      return;
    case ElementType::tf32:
    case ElementType::fp32:
      break;
  }
  static_cast<float*>(data)[index] = value;
}

}  // namespace railyard::device::gpu
