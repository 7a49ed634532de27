// SPDX-License-Identifier: Apache-2.0
// Kernels on AMD: a code object that the plug-in carries for the GPU found, or one that hipRTC compiles there. Not yet
// run on AMD hardware.
#include "calibrate/device/gpu/kernel_image.h"

#include <map>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/hip/code_objects.h"
#include "calibrate/device/hip/hip_library.h"

namespace railyard::device::gpu {
namespace {

class ModuleImage final : public KernelImage {
 public:
  ModuleImage(const void* code, std::string origin) : origin_(std::move(origin)) { load(code); }
  ModuleImage(std::vector<char> code, std::string origin) : code_(std::move(code)), origin_(std::move(origin)) {
    load(code_.data());
  }
  ModuleImage(const ModuleImage&) = delete;
  ModuleImage& operator=(const ModuleImage&) = delete;
  ~ModuleImage() override { (void)hipModuleUnload(module_); }

  void launch(const char* name, KernelSize size, gpuStream stream, void** arguments) override {
    hipFunction_t& function = functions_[name];
    if (function == nullptr) check(hipModuleGetFunction(&function, module_, name), name);
    check(hipModuleLaunchKernel(function, size.blocks, 1, 1, size.threads, 1, 1, size.shared_bytes, stream, arguments,
                                nullptr),
          name);
  }
  [[nodiscard]] std::string origin() const override { return origin_; }

 private:
  void load(const void* code) { check(hipModuleLoadData(&module_, code), "kernels"); }

  std::vector<char> code_;
  std::string origin_;
  hipModule_t module_ = nullptr;
  std::map<std::string, hipFunction_t> functions_;
};

}  // namespace

std::unique_ptr<KernelImage> open_kernel_image(int device) {
  const std::string architecture = device_architecture(device);
  if (!compile_wanted()) {
    for (const CodeObject& each : code_objects()) {
      if (architecture == each.architecture) {
        return std::make_unique<ModuleImage>(each.code, "compiled with the plug-in for " + architecture);
      }
    }
  }
  std::vector<std::string> libraries{"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so"};
  for (const std::string& each : hip_library_names()) libraries.push_back(each);  // older ones hold hipRTC themselves
  return std::make_unique<ModuleImage>(compile_kernels({libraries, "hiprtc", "Code"}, architecture),
                                       "compiled here by hipRTC for " + architecture);
}

}  // namespace railyard::device::gpu
