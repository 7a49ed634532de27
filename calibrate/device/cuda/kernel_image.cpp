// SPDX-License-Identifier: Apache-2.0
// Kernels on NVIDIA: those of the plug-in's own object, or compiled by NVRTC on the machine that runs them. The HIP
// plug-in for NVIDIA uses this too: there HIP is CUDA.
#include "calibrate/device/gpu/kernel_image.h"

#include <cuda_runtime.h>

#include <cstring>
#include <map>

#include "calibrate/device/gpu/gpu_error.h"

namespace railyard::device::gpu {

extern const BuiltinKernel builtin_kernels[];

namespace {

constexpr unsigned large_shared_bytes = 48 * 1024;  // more has to be asked for

void require(cudaError_t status, const std::string& what) {
  if (status != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(status));
}

void start(const void* function, const std::string& name, KernelSize size, cudaStream_t stream, void** arguments) {
  require(cudaLaunchKernel(function, dim3(size.blocks), dim3(size.threads), arguments, size.shared_bytes, stream),
          name);
}

class BuiltinImage final : public KernelImage {
 public:
  void launch(const char* name, KernelSize size, gpuStream stream, void** arguments) override {
    for (const BuiltinKernel* each = builtin_kernels; each->name != nullptr; ++each) {
      if (std::strcmp(each->name, name) != 0) continue;
      if (size.shared_bytes > large_shared_bytes) {
        require(cudaFuncSetAttribute(each->function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(size.shared_bytes)),
                name);
      }
      start(each->function, name, size, stream, arguments);
      return;
    }
    throw std::runtime_error(std::string("no kernel ") + name);
  }
  [[nodiscard]] std::string origin() const override { return "compiled with the plug-in"; }
};

class CompiledImage final : public KernelImage {
 public:
  CompiledImage(int device, std::string architecture)
      : device_(device),
        architecture_(std::move(architecture)),
        code_(compile_kernels({{"libnvrtc.so.13", "libnvrtc.so.12"}, "nvrtc", "CUBIN"}, architecture_)) {
    require(cudaLibraryLoadData(&library_, code_.data(), nullptr, nullptr, 0, nullptr, nullptr, 0), "kernels");
  }
  ~CompiledImage() override { (void)cudaLibraryUnload(library_); }
  CompiledImage(const CompiledImage&) = delete;
  CompiledImage& operator=(const CompiledImage&) = delete;

  void launch(const char* name, KernelSize size, gpuStream stream, void** arguments) override {
    cudaKernel_t& kernel = kernels_[name];
    if (kernel == nullptr) require(cudaLibraryGetKernel(&kernel, library_, name), name);
    if (size.shared_bytes > large_shared_bytes) {
      require(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              static_cast<int>(size.shared_bytes), device_),
              name);
    }
    start(kernel, name, size, stream, arguments);
  }
  [[nodiscard]] std::string origin() const override { return "compiled here by NVRTC for " + architecture_; }

 private:
  int device_;
  std::string architecture_;
  std::vector<char> code_;
  cudaLibrary_t library_ = nullptr;
  std::map<std::string, cudaKernel_t> kernels_;
};

}  // namespace

std::unique_ptr<KernelImage> open_kernel_image(int device) {
  if (!compile_wanted()) return std::make_unique<BuiltinImage>();
  int major = 0, minor = 0;
  require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "compute capability");
  require(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "compute capability");
  return std::make_unique<CompiledImage>(device, "sm_" + std::to_string(10 * major + minor));
}

}  // namespace railyard::device::gpu
