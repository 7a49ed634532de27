// SPDX-License-Identifier: Apache-2.0
// NVRTC and hipRTC have one C interface but for their names: declared here, opened while the program runs.
#include <algorithm>
#include <cstdlib>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/kernel_image.h"
#include "calibrate/device/gpu/kernel_source.h"
#include "calibrate/device/gpu/shared_library.h"

namespace railyard::device::gpu {
namespace {

struct Functions {
  SharedLibrary library;
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*destroy)(void**) = nullptr;
  int (*compile)(void*, int, const char* const*) = nullptr;
  int (*log_size)(void*, std::size_t*) = nullptr;
  int (*log)(void*, char*) = nullptr;
  int (*code_size)(void*, std::size_t*) = nullptr;
  int (*code)(void*, char*) = nullptr;

  explicit Functions(const RuntimeCompiler& compiler) : library(compiler.libraries) {
    const auto name = [&](const std::string& rest) { return compiler.prefix + rest; };
    library.find(name("CreateProgram").c_str(), create);
    library.find(name("DestroyProgram").c_str(), destroy);
    library.find(name("CompileProgram").c_str(), compile);
    library.find(name("GetProgramLogSize").c_str(), log_size);
    library.find(name("GetProgramLog").c_str(), log);
    library.find(name("Get" + compiler.code + "Size").c_str(), code_size);
    library.find(name("Get" + compiler.code).c_str(), code);
  }
};

/// A program that is destroyed at the end of a scope.
class Program {
 public:
  explicit Program(const Functions& functions) : f_(functions) {
    if (f_.create(&program_, kernel_source().c_str(), "railyard_kernels", 0, nullptr, nullptr) != 0) {
      throw NotPossible(f_.library.name() + " makes no program");
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { (void)f_.destroy(&program_); }

  void compile(const std::string& architecture) const {
    const std::string target = "--gpu-architecture=" + architecture;
    const char* const options[] = {target.c_str(), "-std=c++20"};
    if (f_.compile(program_, 2, options) != 0) {
      throw NotPossible(f_.library.name() + " does not compile for " + architecture + ": " + log());
    }
  }
  [[nodiscard]] std::vector<char> code() const {
    std::size_t size = 0;
    std::vector<char> bytes;
    if (f_.code_size(program_, &size) == 0) bytes.resize(size);
    if (bytes.empty() || f_.code(program_, bytes.data()) != 0) throw NotPossible(f_.library.name() + " gives no code");
    return bytes;
  }

 private:
  /// The compiler's first words.
  [[nodiscard]] std::string log() const {
    constexpr std::size_t most = 400;
    std::size_t size = 0;
    if (f_.log_size(program_, &size) != 0 || size == 0) return "no reason given";
    std::string text(size, '\0');
    if (f_.log(program_, text.data()) != 0) return "no reason given";
    text.resize(std::min(text.find('\0'), std::min(size, most)));
    return text;
  }

  const Functions& f_;
  void* program_ = nullptr;
};

}  // namespace

bool compile_wanted() {
  const char* const text = std::getenv("RAILYARD_KERNELS");
  if (text == nullptr || *text == '\0') return false;
  if (std::string(text) == "compile") return true;
  throw NotPossible("RAILYARD_KERNELS is '" + std::string(text) + "'; it takes 'compile' or nothing");
}

std::vector<char> compile_kernels(const RuntimeCompiler& compiler, const std::string& architecture) {
  const Functions functions(compiler);
  const Program program(functions);
  program.compile(architecture);
  return program.code();
}

}  // namespace railyard::device::gpu
