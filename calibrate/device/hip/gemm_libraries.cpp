// SPDX-License-Identifier: Apache-2.0
// hipBLASLt first, which frameworks use for BF16 and FP8; rocBLAS for what it does not offer, or where it is missing.
#include "calibrate/device/hip/gemm_libraries.h"

#include "calibrate/device/gpu/gpu_error.h"

namespace railyard::device::gpu {
namespace {

class TwoLibraries final : public GemmLibrary {
 public:
  TwoLibraries() {
    try {
      first_ = open_hipblaslt();
    } catch (const NotPossible& reason) {
      why_ = reason.what();
    }
    try {
      other_ = open_rocblas();
    } catch (const NotPossible& reason) {
      if (first_ == nullptr) throw NotPossible(why_ + "; " + reason.what());
    }
  }

  [[nodiscard]] LibraryWork prepare(const WorkRequest& work, const GemmOperands& operands, gpuStream stream) override {
    if (first_ == nullptr) return other_->prepare(work, operands, stream);
    try {
      return first_->prepare(work, operands, stream);
    } catch (const NotPossible&) {
      if (other_ == nullptr) throw;
    }
    return other_->prepare(work, operands, stream);
  }

 private:
  std::unique_ptr<GemmLibrary> first_, other_;
  std::string why_;
};

}  // namespace

std::unique_ptr<GemmLibrary> open_gemm_library() { return std::make_unique<TwoLibraries>(); }

}  // namespace railyard::device::gpu
