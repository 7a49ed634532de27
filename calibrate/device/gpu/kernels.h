// SPDX-License-Identifier: Apache-2.0
// Kernels of our own on one device: inputs, memory traffic, the held stream, a matrix product, checks of results. Their
// code is code/code.cu; where it comes from on a machine is kernel_image.h's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "calibrate/device/gpu/gpu_runtime.h"
#include "calibrate/device/gpu/kernel_image.h"
#include "calibrate/device/gpu/libraries.h"

namespace railyard::device::gpu {

/// Bytes of one element.
[[nodiscard]] std::size_t element_bytes(ElementType type);

class Kernels {
 public:
  /// Of the current device, number `device`. Throws NotPossible when there is no code for it.
  explicit Kernels(int device) : image_(open_kernel_image(device)) {}

  /// "compiled with the plug-in", or for which device at run time.
  [[nodiscard]] std::string origin() const { return image_->origin(); }

  /// `count` elements of the type, drawn from the distribution by a counter-based generator; FP8 is e4m3.
  void fill(void* data, std::size_t count, ElementType type, Inputs inputs, std::uint64_t seed, gpuStream stream) const;

  /// Streams of `bytes` each: copy a = b, read a, write a, add a = b + c, triad a = b + 3 c. `sink` takes what reading
  /// found when it is not what it can be.
  void move(MemoryKernel kernel, void* a, const void* b, const void* c, std::size_t bytes, void* sink,
            gpuStream stream) const;

  void empty(gpuStream stream) const;

  /// Holds the stream until the host sets *flag, or about ten seconds at most.
  void hold(const volatile int* flag, gpuStream stream) const;

  /// C [m,n] = A [m,k] B^T, B stored [n,k], BF16 with FP32 sums; sizes are multiples of own_gemm_tile.
  void own_gemm(const void* a, const void* b, void* c, int m, int n, int k, gpuStream stream) const;
  [[nodiscard]] static std::string own_gemm_name(int n);

  /// `entries` entries of C, spread over it, against sums in double: writes the largest |difference| / (|sum| +
  /// sqrt(k)) to *error, a float on the device that is set to 0 before; so do the other checks.
  void check_product(const ProductCheck& product, int entries, float* error, gpuStream stream) const;

  /// `rows` rows of the output, or backward of all three gradients, spread over batch, heads and sequence: the largest
  /// difference over the largest entry of its row. That the weights of a row add up to one is checked too: a wrong
  /// statistic is an error of its size.
  void check_attention(const WorkRequest& work, const AttentionOperands& operands, int rows, float* error,
                       gpuStream stream) const;

  /// What `rank` sends when a collective or copy is checked (collective_pattern.h): `count` BF16 elements.
  void fill_pattern(void* data, std::size_t count, int rank, gpuStream stream) const;
  /// The largest difference of what `rank` of `ranks` holds from what it must; of long results some elements.
  void check_pattern(const void* data, std::size_t count, CollectiveKind kind, int ranks, int rank, std::int64_t part,
                     float* error, gpuStream stream) const;

 private:
  template <class... Arguments>
  void launch(const char* name, KernelSize size, gpuStream stream, Arguments... arguments) const {
    void* list[] = {static_cast<void*>(&arguments)..., nullptr};
    image_->launch(name, size, stream, list);
  }

  std::unique_ptr<KernelImage> image_;
};

}  // namespace railyard::device::gpu
