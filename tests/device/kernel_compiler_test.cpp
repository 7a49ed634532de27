// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/kernel_image.h"
#include "calibrate/device/gpu/kernel_source.h"
#include "calibrate/device/gpu/shared_library.h"
#include "tests/catch.h"

namespace railyard::device::gpu {
namespace {

/// Bytes of code, or the reason why there are none.
std::string outcome(const RuntimeCompiler& compiler, const std::string& architecture) {
  try {
    const std::vector<char> code = compile_kernels(compiler, architecture);
    return std::string(code.begin() + 1, code.begin() + 4);  // ELF
  } catch (const NotPossible& reason) {
    return reason.what();
  }
}

bool here(const std::vector<std::string>& libraries) {
  try {
    (void)SharedLibrary(libraries);
    return true;
  } catch (const NotPossible&) {
    return false;
  }
}

TEST_CASE("kernels at run time: the source that plug-ins carry is whole", "[device]") {
  const std::string source = kernel_source();
  CHECK(source.find("#include \"") == std::string::npos);
  for (const std::string kernel :
       {"railyard_fill", "railyard_check_attention", "railyard_check_pattern", "mfma", "mma.sync"}) {
    CHECK(source.find(kernel) != std::string::npos);
  }
  // Each header once: a second copy would define everything twice.
  const std::string once = "enum class ElementType";
  CHECK(source.find(once) == source.rfind(once));
}

TEST_CASE("kernels at run time: NVRTC and hipRTC compile all of them", "[device]") {
  setenv("RAILYARD_GPU_LIBRARIES", CUDA_LIBRARIES, 1);
  const std::vector<std::string> nvrtc{"libnvrtc.so.13", "libnvrtc.so.12"};
  if (here(nvrtc)) {
    CHECK(outcome({nvrtc, "nvrtc", "CUBIN"}, "sm_90") == "ELF");
    CHECK_THAT(outcome({nvrtc, "nvrtc", "CUBIN"}, "sm_1"), ContainsSubstring("does not compile for sm_1"));
  }
  const std::vector<std::string> hiprtc{"libamdhip64.so.5"};  // of Debian: hipRTC is in it
  if (here(hiprtc)) CHECK(outcome({hiprtc, "hiprtc", "Code"}, "gfx90a") == "ELF");
}

TEST_CASE("kernels at run time: a missing compiler is named, and a wrong wish refused", "[device]") {
  CHECK(outcome({{"libnowhere.so.1", "libnowhere.so"}, "nvrtc", "CUBIN"}, "sm_90") ==
        "no library libnowhere.so.1, libnowhere.so here");
  setenv("RAILYARD_KERNELS", "compiled", 1);
  CHECK_THROWS_AS(compile_wanted(), NotPossible);
  setenv("RAILYARD_KERNELS", "compile", 1);
  CHECK(compile_wanted());
  unsetenv("RAILYARD_KERNELS");
  CHECK(!compile_wanted());
}

}  // namespace
}  // namespace railyard::device::gpu
