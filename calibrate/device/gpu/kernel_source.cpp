// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/gpu/kernel_source.h"

#include <array>
#include <set>
#include <sstream>

// The assembler reads the files, from the folder that the build names.
#define RAILYARD_TEXT(symbol, file)                                                                                \
  asm(".pushsection .rodata\n" #symbol ":\n.incbin \"" RAILYARD_SOURCE_DIR "/" file "\"\n.byte 0\n.popsection\n"); \
  extern "C" __attribute__((visibility("hidden"))) const char symbol[];

RAILYARD_TEXT(railyard_text_code, "calibrate/device/gpu/code/code.cu")
RAILYARD_TEXT(railyard_text_kinds, "calibrate/device/work_kinds.h")
RAILYARD_TEXT(railyard_text_pattern, "calibrate/device/collective_pattern.h")
RAILYARD_TEXT(railyard_text_arguments, "calibrate/device/gpu/code/arguments.h")
RAILYARD_TEXT(railyard_text_element, "calibrate/device/gpu/code/element.h")
RAILYARD_TEXT(railyard_text_attention, "calibrate/device/gpu/code/attention_kernels.h")
RAILYARD_TEXT(railyard_text_basic, "calibrate/device/gpu/code/basic_kernels.h")
RAILYARD_TEXT(railyard_text_collective, "calibrate/device/gpu/code/collective_kernels.h")
RAILYARD_TEXT(railyard_text_nvidia, "calibrate/device/gpu/code/own_gemm_nvidia.h")
RAILYARD_TEXT(railyard_text_amd, "calibrate/device/gpu/code/own_gemm_amd.h")

namespace railyard::device::gpu {
namespace {

struct SourceText {
  std::string_view name;  // as it is included
  const char* text;
};

std::string_view text_of(const std::string& name) {
  const std::array<SourceText, 9> headers{{{"calibrate/device/work_kinds.h", railyard_text_kinds},
                                           {"calibrate/device/collective_pattern.h", railyard_text_pattern},
                                           {"calibrate/device/gpu/code/arguments.h", railyard_text_arguments},
                                           {"calibrate/device/gpu/code/element.h", railyard_text_element},
                                           {"calibrate/device/gpu/code/attention_kernels.h", railyard_text_attention},
                                           {"calibrate/device/gpu/code/basic_kernels.h", railyard_text_basic},
                                           {"calibrate/device/gpu/code/collective_kernels.h", railyard_text_collective},
                                           {"calibrate/device/gpu/code/own_gemm_nvidia.h", railyard_text_nvidia},
                                           {"calibrate/device/gpu/code/own_gemm_amd.h", railyard_text_amd}}};
  for (const SourceText& each : headers) {
    if (each.name == name) return each.text;
  }
  return {};  // then the compiler says what it misses
}

void add(const std::string& text, std::set<std::string>& seen, std::string& whole) {
  const std::string start = "#include \"";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == "#pragma once") continue;
    if (!line.starts_with(start)) {
      whole += line + "\n";
      continue;
    }
    const std::string name = line.substr(start.size(), line.rfind('"') - start.size());
    if (seen.insert(name).second) add(std::string(text_of(name)), seen, whole);
  }
}

}  // namespace

std::string kernel_source() {
  std::set<std::string> seen;
  std::string whole;
  add(railyard_text_code, seen, whole);
  return whole;
}

}  // namespace railyard::device::gpu
