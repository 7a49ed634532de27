// SPDX-License-Identifier: Apache-2.0
// Elements of matrices as floats, on the device. FP8 is e4m3 without infinities (OCP 8-bit floating point, 2023). All
// are coded here by hand: not every toolkit has types for them, and a compiler at run time has no headers.
#pragma once

#include "calibrate/device/gpu/code/arguments.h"

namespace railyard::device::gpu {

__device__ inline float from_bf16(U16 value) { return __uint_as_float(static_cast<U32>(value) << 16U); }
__device__ inline U16 to_bf16(float value) {
  const U32 bits = __float_as_uint(value);
  return static_cast<U16>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

#if defined(__CUDACC__)
__device__ inline float from_fp16(U16 value) {
  float result = 0;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value));
  return result;
}
__device__ inline U16 to_fp16(float value) {
  U16 result = 0;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
}
#else
__device__ inline float from_fp16(U16 value) { return static_cast<float>(__builtin_bit_cast(_Float16, value)); }
__device__ inline U16 to_fp16(float value) { return __builtin_bit_cast(U16, static_cast<_Float16>(value)); }
#endif

// MI300's units take e4m3 FNUZ: the exponent's bias is 8, 240 the largest, and what would be minus zero is no number.
#if defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
constexpr int fp8_bias = 8, fp8_largest_code = 0x7f;
constexpr float fp8_largest = 240.0F;
constexpr bool fp8_minus_zero = false;
#else
constexpr int fp8_bias = 7, fp8_largest_code = 0x7e;
constexpr float fp8_largest = 448.0F;
constexpr bool fp8_minus_zero = true;
#endif

/// Sign, four bits of exponent, three of mantissa.
__device__ inline float from_fp8(U8 value) {
  const int exponent = (value >> 3U) & 15, mantissa = value & 7;
  const float size = exponent == 0 ? ldexpf(static_cast<float>(mantissa), -2 - fp8_bias)
                                   : ldexpf(static_cast<float>(8 + mantissa), exponent - 3 - fp8_bias);
  return (value & 0x80U) != 0 ? -size : size;
}
__device__ inline U8 to_fp8(float value) {
  const int sign = value < 0 ? 0x80 : 0;
  const float size = fminf(fabsf(value), fp8_largest);
  if (size < ldexpf(1, 1 - fp8_bias)) {
    const int small = static_cast<int>(rintf(ldexpf(size, 2 + fp8_bias)));
    return static_cast<U8>(small == 0 && !fp8_minus_zero ? 0 : sign | small);
  }
  int exponent = 0;
  frexpf(size, &exponent);                                           // size = f 2^exponent, f in [1/2, 1)
  int scaled = static_cast<int>(rintf(ldexpf(size, 4 - exponent)));  // 8 to 16
  int code = ((exponent - 1 + fp8_bias) << 3U) + (scaled - 8);       // a carry to 16 moves the exponent on
  if (code > fp8_largest_code) code = fp8_largest_code;
  return static_cast<U8>(sign | code);
}

__device__ inline float load_element(const void* data, U64 index, ElementType type) {
  switch (type) {
    case ElementType::bf16:
      return from_bf16(static_cast<const U16*>(data)[index]);
    case ElementType::fp16:
      return from_fp16(static_cast<const U16*>(data)[index]);
    case ElementType::fp8:
      return from_fp8(static_cast<const U8*>(data)[index]);
    case ElementType::tf32:
    case ElementType::fp32:
      break;
  }
  return static_cast<const float*>(data)[index];
}

__device__ inline void store_element(void* data, U64 index, ElementType type, float value) {
  switch (type) {
    case ElementType::bf16:
      static_cast<U16*>(data)[index] = to_bf16(value);
      return;
    case ElementType::fp16:
      static_cast<U16*>(data)[index] = to_fp16(value);
      return;
    case ElementType::fp8:
      static_cast<U8*>(data)[index] = to_fp8(value);
      return;
    case ElementType::tf32:
    case ElementType::fp32:
      break;
  }
  static_cast<float*>(data)[index] = value;
}

/// The largest error so far; not a number counts as far off. Errors are not negative, so their bits order as integers.
__device__ inline void note_error(float* error, float off) {
  atomicMax(reinterpret_cast<int*>(error), __float_as_int(off >= 0 ? off : 1e30F));
}

/// splitmix64 (Steele, Lea, Flood 2014).
__device__ inline U64 mixed(U64 value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

}  // namespace railyard::device::gpu
