// SPDX-License-Identifier: Apache-2.0
// Products through rocBLAS, with declarations of our own. Not yet run on AMD hardware. Row-major C = A B is
// column-major C^T = B^T A^T, so the library's first operand is our B.
#include <cstdint>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/libraries.h"
#include "calibrate/device/gpu/shared_library.h"
#include "calibrate/device/hip/gemm_libraries.h"

namespace railyard::device::gpu {
namespace {

// Values of rocblas-types.h.
constexpr int operation_none = 111, operation_transpose = 112;
constexpr int type_f16 = 150, type_f32 = 151, type_bf16 = 168;
constexpr int standard_algorithm = 0, solution_by_index = 1;

using GemmEx = int(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
                   const void*, const void*, int, int, void*, int, int, int, int, std::int32_t, std::uint32_t);

struct Functions {
  SharedLibrary library{{"librocblas.so.5", "librocblas.so.4", "librocblas.so.3", "librocblas.so.0", "librocblas.so"}};
  int (*create)(void**) = nullptr;
  int (*destroy)(void*) = nullptr;
  int (*set_stream)(void*, gpuStream) = nullptr;
  GemmEx* gemm = nullptr;

  Functions() {
    library.find("rocblas_create_handle", create);
    library.find("rocblas_destroy_handle", destroy);
    library.find("rocblas_set_stream", set_stream);
    library.find("rocblas_gemm_ex", gemm);
  }
};

void require(int status, const char* what) {
  if (status != 0) throw std::runtime_error(std::string(what) + ": rocBLAS status " + std::to_string(status));
}

int type_of(ElementType type) {
  switch (type) {
    case ElementType::bf16:
      return type_bf16;
    case ElementType::fp16:
      return type_f16;
    case ElementType::fp32:
      return type_f32;
    case ElementType::fp8:
    case ElementType::tf32:
      break;
  }
  throw NotPossible(std::string("rocBLAS does not multiply ") + std::string(to_string(type)));
}

class RocBlas final : public GemmLibrary {
 public:
  RocBlas() { require(f_.create(&handle_), "handle"); }
  ~RocBlas() override { (void)f_.destroy(handle_); }

  [[nodiscard]] LibraryWork prepare(const WorkRequest& work, const GemmOperands& operands, gpuStream stream) override {
    const int type = type_of(work.type), output = type_of(work.output);
    const bool b_transposed = work.layout == Layout::nt, a_transposed = work.layout == Layout::tn;
    const auto m = static_cast<int>(work.m), n = static_cast<int>(work.n), k = static_cast<int>(work.k);
    const float beta = work.accumulate != 0 ? 1.0F : 0.0F;
    require(f_.set_stream(handle_, stream), "stream");
    LibraryWork result;
    result.kernel = f_.library.name();
    result.queue = [=, this, choice = work.algorithm] {
      const float alpha = 1;
      require(f_.gemm(handle_, b_transposed ? operation_transpose : operation_none,
                      a_transposed ? operation_transpose : operation_none, n, m, k, &alpha, operands.b, type,
                      b_transposed ? k : n, operands.a, type, a_transposed ? m : k, &beta, operands.c, output, n,
                      operands.c, output, n, type_f32, choice == 0 ? standard_algorithm : solution_by_index, choice, 0),
              "product");
    };
    return result;
  }

 private:
  Functions f_;
  void* handle_ = nullptr;
};

}  // namespace

std::unique_ptr<GemmLibrary> open_rocblas() { return std::make_unique<RocBlas>(); }

}  // namespace railyard::device::gpu
