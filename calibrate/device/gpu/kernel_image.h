// SPDX-License-Identifier: Apache-2.0
// Where a device's kernels come from: compiled with the plug-in, or on the machine that runs them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calibrate/device/gpu/code/arguments.h"
#include "calibrate/device/gpu/gpu_runtime.h"

namespace railyard::device::gpu {

struct KernelSize {
  unsigned blocks = 1, threads = block_threads, shared_bytes = 0;
};

class KernelImage {
 public:
  virtual ~KernelImage() = default;
  /// `arguments` point to what the kernel takes, in its order.
  virtual void launch(const char* name, KernelSize size, gpuStream stream, void** arguments) = 0;
  [[nodiscard]] virtual std::string origin() const = 0;
};

/// For the current device, number `device`. With RAILYARD_KERNELS=compile the code is compiled here and now, whatever
/// the plug-in carries. Throws NotPossible.
[[nodiscard]] std::unique_ptr<KernelImage> open_kernel_image(int device);

/// True when RAILYARD_KERNELS=compile. Throws NotPossible for any other value than that and none.
[[nodiscard]] bool compile_wanted();

/// Names of a run-time compiler's library and how its functions are called.
struct RuntimeCompiler {
  std::vector<std::string> libraries;  // tried in this order
  std::string prefix;                  // "nvrtc", "hiprtc"
  std::string code;                    // "CUBIN", "Code": what it gives
};

/// Machine code of code/code.cu for `architecture`, "sm_90" or "gfx942". Throws NotPossible with the compiler's words.
[[nodiscard]] std::vector<char> compile_kernels(const RuntimeCompiler& compiler, const std::string& architecture);

}  // namespace railyard::device::gpu
