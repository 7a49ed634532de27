// SPDX-License-Identifier: Apache-2.0
// Products through hipBLASLt (ROCm 6 and later), with declarations of our own. Not yet run on AMD hardware. Row-major
// C = A B is column-major C^T = B^T A^T, so the library's first operand is our B.
#include <array>
#include <cstdint>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/shared_library.h"
#include "calibrate/device/hip/gemm_libraries.h"

namespace railyard::device::gpu {
namespace {

// Values of hipblaslt.h, hipblas-common.h and library_types.h.
constexpr int operation_none = 111, operation_transpose = 112;
constexpr int compute_f32 = 2, compute_tf32 = 6;
constexpr int type_f32 = 0, type_f16 = 2, type_bf16 = 14, type_fp8_fnuz = 1000;
constexpr int desc_transpose_first = 0, desc_transpose_other = 1, preference_workspace = 1;
constexpr int oldest_version = 600;  // 0.6.0: before it, types had other numbers
constexpr int most_choices = 8;

/// hipblasLtMatmulHeuristicResult_t.
struct Choice {
  struct Algorithm {
    std::uint8_t data[16];
    bool fallback;
    std::size_t workspace;
  } algorithm;
  std::size_t workspace;
  int status;
  float waves;
  int reserved[4];
};

struct Functions {
  SharedLibrary library{{"libhipblaslt.so.1", "libhipblaslt.so.0", "libhipblaslt.so"}};
  int (*create)(void**) = nullptr;
  int (*destroy)(void*) = nullptr;
  int (*version)(void*, int*) = nullptr;
  int (*desc_create)(void**, int, int) = nullptr;
  int (*desc_destroy)(void*) = nullptr;
  int (*desc_set)(void*, int, const void*, std::size_t) = nullptr;
  int (*layout_create)(void**, int, std::uint64_t, std::uint64_t, std::int64_t) = nullptr;
  int (*layout_destroy)(void*) = nullptr;
  int (*preference_create)(void**) = nullptr;
  int (*preference_destroy)(void*) = nullptr;
  int (*preference_set)(void*, int, const void*, std::size_t) = nullptr;
  int (*heuristic)(void*, void*, void*, void*, void*, void*, void*, int, Choice*, int*) = nullptr;
  int (*matmul)(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*, void*,
                void*, void*, const Choice::Algorithm*, void*, std::size_t, gpuStream) = nullptr;

  Functions() {
    library.find("hipblasLtCreate", create);
    library.find("hipblasLtDestroy", destroy);
    library.find("hipblasLtGetVersion", version);
    library.find("hipblasLtMatmulDescCreate", desc_create);
    library.find("hipblasLtMatmulDescDestroy", desc_destroy);
    library.find("hipblasLtMatmulDescSetAttribute", desc_set);
    library.find("hipblasLtMatrixLayoutCreate", layout_create);
    library.find("hipblasLtMatrixLayoutDestroy", layout_destroy);
    library.find("hipblasLtMatmulPreferenceCreate", preference_create);
    library.find("hipblasLtMatmulPreferenceDestroy", preference_destroy);
    library.find("hipblasLtMatmulPreferenceSetAttribute", preference_set);
    library.find("hipblasLtMatmulAlgoGetHeuristic", heuristic);
    library.find("hipblasLtMatmul", matmul);
  }
};

void require(int status, const char* what) {
  if (status != 0) throw std::runtime_error(std::string(what) + ": hipBLASLt status " + std::to_string(status));
}

int type_of(ElementType type) {
  switch (type) {
    case ElementType::bf16:
      return type_bf16;
    case ElementType::fp16:
      return type_f16;
    case ElementType::fp8:
      return type_fp8_fnuz;
    case ElementType::tf32:
    case ElementType::fp32:
      break;
  }
  return type_f32;
}

/// Descriptors of one product, destroyed with it.
struct Descriptors {
  const Functions& f;
  void *desc = nullptr, *first = nullptr, *other = nullptr, *result = nullptr;

  explicit Descriptors(const Functions& functions) : f(functions) {}
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;
  ~Descriptors() {
    if (desc != nullptr) (void)f.desc_destroy(desc);
    for (void* const each : {first, other, result}) {
      if (each != nullptr) (void)f.layout_destroy(each);
    }
  }
};

class HipBlasLt final : public GemmLibrary {
 public:
  HipBlasLt() {
    require(f_.create(&handle_), "handle");
    require(f_.version(handle_, &version_), "version");
    if (version_ < oldest_version) throw NotPossible("hipBLASLt is older than 0.6.0");
  }
  HipBlasLt(const HipBlasLt&) = delete;
  HipBlasLt& operator=(const HipBlasLt&) = delete;
  ~HipBlasLt() override { (void)f_.destroy(handle_); }

  [[nodiscard]] LibraryWork prepare(const WorkRequest& work, const GemmOperands& operands, gpuStream stream) override {
    auto parts = std::make_shared<Descriptors>(f_);
    describe(work, *parts);
    const Choice::Algorithm algorithm = choose(work, operands, *parts);
    const float alpha = 1, beta = work.accumulate != 0 ? 1.0F : 0.0F;
    LibraryWork result;
    result.kernel = "hipBLASLt " + std::to_string(version_ / 100000) + "." + std::to_string(version_ / 100 % 1000) +
                    " choice " + std::to_string(work.algorithm + 1);
    result.queue = [this, parts, algorithm, operands, alpha, beta, stream] {
      require(f_.matmul(handle_, parts->desc, &alpha, operands.b, parts->first, operands.a, parts->other, &beta,
                        operands.c, parts->result, operands.c, parts->result, &algorithm, operands.workspace,
                        operands.workspace_bytes, stream),
              "product");
    };
    return result;
  }

 private:
  void describe(const WorkRequest& work, Descriptors& parts) const {
    require(f_.desc_create(&parts.desc, work.type == ElementType::tf32 ? compute_tf32 : compute_f32, type_f32),
            "description");
    const bool b_transposed = work.layout == Layout::nt, a_transposed = work.layout == Layout::tn;
    const int first = b_transposed ? operation_transpose : operation_none;
    const int other = a_transposed ? operation_transpose : operation_none;
    require(f_.desc_set(parts.desc, desc_transpose_first, &first, sizeof first), "layout");
    require(f_.desc_set(parts.desc, desc_transpose_other, &other, sizeof other), "layout");
    const auto m = static_cast<std::uint64_t>(work.m), n = static_cast<std::uint64_t>(work.n),
               k = static_cast<std::uint64_t>(work.k);
    const int type = type_of(work.type);
    const auto layout = [&](void*& target, int element, std::uint64_t rows, std::uint64_t columns) {
      require(f_.layout_create(&target, element, rows, columns, static_cast<std::int64_t>(rows)), "layout");
    };
    b_transposed ? layout(parts.first, type, k, n) : layout(parts.first, type, n, k);
    a_transposed ? layout(parts.other, type, m, k) : layout(parts.other, type, k, m);
    layout(parts.result, type_of(work.output), n, m);
  }

  [[nodiscard]] Choice::Algorithm choose(const WorkRequest& work, const GemmOperands& operands,
                                         const Descriptors& parts) const {
    void* preference = nullptr;
    require(f_.preference_create(&preference), "preference");
    std::array<Choice, most_choices> choices{};
    int found = 0;
    int status =
        f_.preference_set(preference, preference_workspace, &operands.workspace_bytes, sizeof operands.workspace_bytes);
    if (status == 0) {
      status = f_.heuristic(handle_, parts.desc, parts.first, parts.other, parts.result, parts.result, preference,
                            work.algorithm == 0 ? 1 : most_choices, choices.data(), &found);
    }
    (void)f_.preference_destroy(preference);
    if (status != 0 || work.algorithm >= found) {
      throw NotPossible("hipBLASLt offers " + std::to_string(found) + " kernels for this product");
    }
    return choices.at(static_cast<std::size_t>(work.algorithm)).algorithm;
  }

  Functions f_;
  void* handle_ = nullptr;
  int version_ = 0;
};

}  // namespace

std::unique_ptr<GemmLibrary> open_hipblaslt() { return std::make_unique<HipBlasLt>(); }

}  // namespace railyard::device::gpu
