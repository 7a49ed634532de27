// SPDX-License-Identifier: Apache-2.0
// Products through cuBLASLt: what PyTorch and training frameworks call. Row-major C = A B is column-major C^T = B^T
// A^T, so the library's first operand is our B.
#include <cublasLt.h>

#include <array>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/libraries.h"
#include "calibrate/device/gpu/shared_library.h"

namespace railyard::device::gpu {
namespace {

constexpr int most_choices = 16;

struct Functions {
  SharedLibrary library{{"libcublasLt.so.13", "libcublasLt.so.12"}};
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtDestroy) destroy = nullptr;
  decltype(&cublasLtMatmulDescCreate) desc_create = nullptr;
  decltype(&cublasLtMatmulDescDestroy) desc_destroy = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) desc_set = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) layout_create = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
  decltype(&cublasLtMatmulAlgoConfigGetAttribute) algo_get = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;

  Functions() {
    find("cublasLtCreate", create);
    find("cublasLtDestroy", destroy);
    find("cublasLtMatmulDescCreate", desc_create);
    find("cublasLtMatmulDescDestroy", desc_destroy);
    find("cublasLtMatmulDescSetAttribute", desc_set);
    find("cublasLtMatrixLayoutCreate", layout_create);
    find("cublasLtMatrixLayoutDestroy", layout_destroy);
    find("cublasLtMatmulPreferenceCreate", preference_create);
    find("cublasLtMatmulPreferenceDestroy", preference_destroy);
    find("cublasLtMatmulPreferenceSetAttribute", preference_set);
    find("cublasLtMatmulAlgoGetHeuristic", heuristic);
    find("cublasLtMatmulAlgoConfigGetAttribute", algo_get);
    find("cublasLtMatmul", matmul);
  }

 private:
  template <class Function>
  void find(const char* name, Function& function) const {
    library.find(name, function);
  }
};

void require(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string text = std::string(what) + ": cuBLASLt status " + std::to_string(static_cast<int>(status));
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) throw NotPossible(text);
  throw std::runtime_error(text);
}

cudaDataType_t type_of(ElementType type) {
  switch (type) {
    case ElementType::bf16:
      return CUDA_R_16BF;
    case ElementType::fp16:
      return CUDA_R_16F;
    case ElementType::fp8:
      return CUDA_R_8F_E4M3;
    case ElementType::tf32:
    case ElementType::fp32:
      break;
  }
  return CUDA_R_32F;
}

/// Descriptors of one product, destroyed with it.
struct Descriptors {
  const Functions& f;
  cublasLtMatmulDesc_t desc = nullptr;
  cublasLtMatrixLayout_t first = nullptr, other = nullptr, result = nullptr;

  explicit Descriptors(const Functions& functions) : f(functions) {}
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;
  ~Descriptors() {
    if (desc != nullptr) (void)f.desc_destroy(desc);
    for (const cublasLtMatrixLayout_t each : {first, other, result}) {
      if (each != nullptr) (void)f.layout_destroy(each);
    }
  }
};

class CublasLt final : public GemmLibrary {
 public:
  CublasLt() { require(functions_.create(&handle_), "handle"); }
  ~CublasLt() override { (void)functions_.destroy(handle_); }

  [[nodiscard]] LibraryWork prepare(const WorkRequest& work, const GemmOperands& operands, gpuStream stream) override {
    auto parts = std::make_shared<Descriptors>(functions_);
    describe(work, *parts);
    const cublasLtMatmulAlgo_t algorithm = choose(work, operands, *parts);
    const float alpha = 1, beta = work.accumulate != 0 ? 1.0F : 0.0F;
    LibraryWork result;
    result.kernel = name_of(algorithm);
    result.queue = [this, parts, algorithm, operands, alpha, beta, stream] {
      require(functions_.matmul(handle_, parts->desc, &alpha, operands.b, parts->first, operands.a, parts->other, &beta,
                                operands.c, parts->result, operands.c, parts->result, &algorithm, operands.workspace,
                                operands.workspace_bytes, stream),
              "product");
    };
    return result;
  }

 private:
  void describe(const WorkRequest& work, Descriptors& parts) const {
    const cublasComputeType_t compute =
        work.type == ElementType::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    require(functions_.desc_create(&parts.desc, compute, CUDA_R_32F), "description");
    const bool b_transposed = work.layout == Layout::nt, a_transposed = work.layout == Layout::tn;
    const cublasOperation_t first = b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t other = a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    require(functions_.desc_set(parts.desc, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof first), "layout");
    require(functions_.desc_set(parts.desc, CUBLASLT_MATMUL_DESC_TRANSB, &other, sizeof other), "layout");
    const auto m = static_cast<std::uint64_t>(work.m), n = static_cast<std::uint64_t>(work.n),
               k = static_cast<std::uint64_t>(work.k);
    const cudaDataType_t type = type_of(work.type);
    const auto layout = [&](cublasLtMatrixLayout_t& target, cudaDataType_t element, std::uint64_t rows,
                            std::uint64_t columns) {
      require(functions_.layout_create(&target, element, rows, columns, static_cast<std::int64_t>(rows)), "layout");
    };
    b_transposed ? layout(parts.first, type, k, n) : layout(parts.first, type, n, k);
    a_transposed ? layout(parts.other, type, m, k) : layout(parts.other, type, k, m);
    layout(parts.result, type_of(work.output), n, m);
  }

  [[nodiscard]] cublasLtMatmulAlgo_t choose(const WorkRequest& work, const GemmOperands& operands,
                                            const Descriptors& parts) const {
    cublasLtMatmulPreference_t preference = nullptr;
    require(functions_.preference_create(&preference), "preference");
    std::array<cublasLtMatmulHeuristicResult_t, most_choices> choices{};
    int found = 0;
    cublasStatus_t status = functions_.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                      &operands.workspace_bytes, sizeof operands.workspace_bytes);
    if (status == CUBLAS_STATUS_SUCCESS) {
      const int wanted = work.algorithm == 0 ? 1 : most_choices;
      status = functions_.heuristic(handle_, parts.desc, parts.first, parts.other, parts.result, parts.result,
                                    preference, wanted, choices.data(), &found);
    }
    (void)functions_.preference_destroy(preference);
    require(status, "choice of a kernel");
    if (work.algorithm >= found) {
      throw NotPossible("cuBLASLt offers " + std::to_string(found) + " kernels for this product");
    }
    return choices.at(static_cast<std::size_t>(work.algorithm)).algo;
  }

  [[nodiscard]] std::string name_of(const cublasLtMatmulAlgo_t& algorithm) const {
    const auto number = [&](cublasLtMatmulAlgoConfigAttributes_t which) {
      std::int32_t value = -1;
      std::size_t written = 0;
      (void)functions_.algo_get(&algorithm, which, &value, sizeof value, &written);
      return std::to_string(value);
    };
    return functions_.library.name() + " algorithm " + number(CUBLASLT_ALGO_CONFIG_ID) + ", tile " +
           number(CUBLASLT_ALGO_CONFIG_TILE_ID) + ", stages " + number(CUBLASLT_ALGO_CONFIG_STAGES_ID) + ", split " +
           number(CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
  }

  Functions functions_;
  cublasLtHandle_t handle_ = nullptr;
};

}  // namespace

std::unique_ptr<GemmLibrary> open_gemm_library() { return std::make_unique<CublasLt>(); }

}  // namespace railyard::device::gpu
