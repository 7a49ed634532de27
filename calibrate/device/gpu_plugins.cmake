# SPDX-License-Identifier: Apache-2.0
# Device code is one unit, gpu/code/code.cu, compiled by commands of its own: nvcc makes an object that is linked in,
# hipcc and clang make a code object a kind of GPU, which the plug-in carries as bytes. Every plug-in carries the text
# too, for compilers at run time. The rest of the build knows one language.

set(plugin_sources gpu/collectives.cpp gpu/gpu_device.cpp gpu/gpu_session.cpp gpu/kernel_compiler.cpp
  gpu/kernel_source.cpp gpu/kernels.cpp gpu/plugin.cpp gpu/session_exchange.cpp gpu/session_work.cpp
  gpu/shared_library.cpp work.cpp)
set(code_headers work_kinds.h collective_pattern.h gpu/code/arguments.h gpu/code/attention_kernels.h
  gpu/code/basic_kernels.h gpu/code/collective_kernels.h gpu/code/element.h gpu/code/own_gemm_amd.h
  gpu/code/own_gemm_nvidia.h)
list(TRANSFORM code_headers PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE code_files)
list(APPEND code_files ${CMAKE_CURRENT_SOURCE_DIR}/gpu/code/code.cu)
set_source_files_properties(gpu/kernel_source.cpp PROPERTIES OBJECT_DEPENDS "${code_files}"
  COMPILE_DEFINITIONS RAILYARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# plugin_wanted(NAME RESULT found what...): AUTO follows `found`, ON insists.
function(plugin_wanted option result found missing)
  set(${result} OFF PARENT_SCOPE)
  if(${option} STREQUAL "OFF")
    return()
  elseif(found)
    set(${result} ON PARENT_SCOPE)
  elseif(${option} STREQUAL "ON")
    message(FATAL_ERROR "${option}=ON, but ${missing}")
  else()
    message(STATUS "${option}: not built, ${missing}")
  endif()
endfunction()

# railyard_plugin(TARGET FILE HOST sources DEFINITIONS d... OPTIONS o... COMPILE command... LINK l...)
function(railyard_plugin target)
  cmake_parse_arguments(P "" "FILE;FOLDER" "HOST;DEFINITIONS;OPTIONS;INCLUDES;COMPILE;LINK;LINK_FOLDERS" ${ARGN})
  set(objects)
  if(P_COMPILE)
    set(objects ${CMAKE_CURRENT_BINARY_DIR}/${target}.code.o)
    add_custom_command(OUTPUT ${objects}
      COMMAND ${P_COMPILE} -std=c++20 -O2 -DRAILYARD_BUILTIN_KERNELS -I${PROJECT_SOURCE_DIR}
        -c ${CMAKE_CURRENT_SOURCE_DIR}/gpu/code/code.cu -o ${objects}
      DEPENDS ${code_files} VERBATIM)
  endif()
  add_library(${target} MODULE ${P_HOST} ${plugin_sources} ${objects})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${P_FILE} LINKER_LANGUAGE CXX
    CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${P_FOLDER})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(${target} SYSTEM PRIVATE ${P_INCLUDES})
  target_compile_definitions(${target} PRIVATE ${P_DEFINITIONS} FMT_HEADER_ONLY)
  target_compile_options(${target} PRIVATE ${P_OPTIONS} -Wall -Wextra $<$<BOOL:${RAILYARD_WERROR}>:-Werror>)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_link_directories(${target} PRIVATE ${P_LINK_FOLDERS})
  target_link_libraries(${target} PRIVATE ${P_LINK} ${CMAKE_DL_LIBS})
  if(RAILYARD_INSTALL)
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/railyard OPTIONAL)
  endif()
endfunction()

# hip_code_object(ARCHITECTURE command...): machine code of all kernels for one kind of AMD GPU; adds to code_objects,
# and to the texts of code_objects.cpp.
macro(hip_code_object architecture)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/kernels.${architecture}.co)
  add_custom_command(OUTPUT ${object}
    COMMAND ${ARGN} --offload-arch=${architecture} --cuda-device-only --no-gpu-bundle-output -std=c++20 -O2
      -I${PROJECT_SOURCE_DIR} -x hip -c ${CMAKE_CURRENT_SOURCE_DIR}/gpu/code/code.cu -o ${object}
    DEPENDS ${code_files} VERBATIM)
  list(APPEND code_objects ${object})
  string(APPEND code_object_texts "RAILYARD_CODE(${architecture}, \"${object}\")\n")
  string(APPEND code_object_entries "{\"${architecture}\", railyard_${architecture}},")
endmacro()

find_program(RAILYARD_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
find_program(RAILYARD_HIPCC hipcc HINTS /opt/rocm/bin)
mark_as_advanced(RAILYARD_NVCC RAILYARD_HIPCC)
if(RAILYARD_NVCC)
  get_filename_component(cuda_root ${RAILYARD_NVCC} REALPATH)
  get_filename_component(cuda_root ${cuda_root} DIRECTORY)
  get_filename_component(cuda_root ${cuda_root} DIRECTORY)
  find_path(cuda_include cuda_runtime.h HINTS ${cuda_root}/include NO_CACHE)
  find_path(cublaslt_include cublasLt.h HINTS ${cuda_root}/include NO_CACHE)
  find_path(cudnn_include cudnn.h HINTS ${cuda_root}/include NO_CACHE)
  find_library(cuda_runtime cudart_static HINTS ${cuda_root}/lib64 ${cuda_root}/lib NO_CACHE)
endif()
find_path(hip_include hip/hip_runtime.h HINTS /opt/rocm/include NO_CACHE)

set(nvcc_architectures)
foreach(architecture IN LISTS RAILYARD_CUDA_ARCHITECTURES)
  list(APPEND nvcc_architectures -gencode=arch=compute_${architecture},code=sm_${architecture})
  set(newest ${architecture})
endforeach()
list(APPEND nvcc_architectures -gencode=arch=compute_${newest},code=compute_${newest})
set(nvcc ${RAILYARD_NVCC} ${nvcc_architectures} -Xcompiler=-fPIC,-fvisibility=hidden -x cu)

set(found OFF)
if(RAILYARD_NVCC AND cuda_include AND cublaslt_include AND cudnn_include AND cuda_runtime)
  set(found ON)
endif()
plugin_wanted(RAILYARD_CUDA build_cuda ${found} "nvcc with the headers of cuBLASLt and cuDNN is not here")
if(build_cuda)
  railyard_plugin(railyard_cuda FILE railyard_cuda FOLDER bin COMPILE ${nvcc}
    HOST cuda/cublaslt.cpp cuda/cudnn_attention.cpp cuda/cudnn_graph.cpp cuda/kernel_image.cpp cuda/nvml.cpp
      cuda/vendor.cpp
    INCLUDES ${cuda_include} ${cublaslt_include} ${cudnn_include} LINK ${cuda_runtime} rt pthread)
endif()

set(found OFF)
if(RAILYARD_HIPCC AND hip_include)
  set(found ON)
endif()
plugin_wanted(RAILYARD_HIP build_hip ${found} "hipcc with the HIP headers is not here")
if(build_hip)
  set(code_objects)
  foreach(architecture IN LISTS RAILYARD_HIP_ARCHITECTURES)
    hip_code_object(${architecture} ${RAILYARD_HIPCC})
  endforeach()
  # Debian's hipcc does not know MI300X's number; clang 19 does, and takes gfx940's library, the same instructions, for it.
  find_program(RAILYARD_CLANG19 clang++-19)
  find_program(RAILYARD_LLD19 ld.lld-19)
  find_path(hip_bitcode oclc_isa_version_940.bc HINTS /usr/lib/x86_64-linux-gnu/amdgcn/bitcode NO_CACHE)
  mark_as_advanced(RAILYARD_CLANG19 RAILYARD_LLD19)
  if(RAILYARD_CLANG19 AND RAILYARD_LLD19 AND hip_bitcode AND NOT gfx942 IN_LIST RAILYARD_HIP_ARCHITECTURES)
    set(overlay ${CMAKE_CURRENT_BINARY_DIR}/bitcode-gfx942)
    file(GLOB bitcode_files ${hip_bitcode}/*.bc)
    file(MAKE_DIRECTORY ${overlay})
    foreach(each IN LISTS bitcode_files)
      get_filename_component(name ${each} NAME)
      file(CREATE_LINK ${each} ${overlay}/${name} SYMBOLIC)
    endforeach()
    file(CREATE_LINK ${hip_bitcode}/oclc_isa_version_940.bc ${overlay}/oclc_isa_version_942.bc SYMBOLIC)
    hip_code_object(gfx942 ${RAILYARD_CLANG19} --rocm-path=/usr --hip-version=5.2.21153
      --rocm-device-lib-path=${overlay})
  else()
    message(STATUS "RAILYARD_HIP: no code for gfx942 (clang++-19 and ld.lld-19): hipRTC compiles it there")
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/code_objects.cpp CONTENT [[
// Written by the build (calibrate/device/gpu_plugins.cmake).
#include "calibrate/device/hip/code_objects.h"

#define RAILYARD_CODE(name, file)                                                                                    \
  asm(".pushsection .rodata\n.balign 4096\nrailyard_" #name ":\n.incbin \"" file "\"\n.popsection\n"); \
  extern "C" __attribute__((visibility("hidden"))) const char railyard_##name[];
@code_object_texts@
namespace railyard::device::gpu {

std::vector<CodeObject> code_objects() { return {@code_object_entries@}; }

}  // namespace railyard::device::gpu
]] @ONLY)
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/code_objects.cpp PROPERTIES OBJECT_DEPENDS "${code_objects}")
  # No library of HIP is linked: the runtime is opened while the program runs (hip/hip_library.cpp).
  railyard_plugin(railyard_hip FILE railyard_hip FOLDER bin
    HOST hip/amd_smi.cpp hip/gemm_libraries.cpp hip/hip_library.cpp hip/hipblaslt.cpp hip/kernel_image.cpp
      hip/rocblas.cpp hip/rocm_smi.cpp hip/vendor.cpp ${CMAKE_CURRENT_BINARY_DIR}/code_objects.cpp
    DEFINITIONS RAILYARD_GPU_HIP __HIP_PLATFORM_AMD__ __HIP_PLATFORM_HCC__ INCLUDES ${hip_include})
endif()

set(found OFF)
if(RAILYARD_NVCC AND hip_include AND cublaslt_include AND cuda_runtime)
  set(found ON)
endif()
plugin_wanted(RAILYARD_HIP_NVIDIA build_hip_nvidia ${found} "nvcc with the headers of HIP and cuBLASLt is not here")
if(build_hip_nvidia)
  # The shim and the HIP headers are not ours to warn about.
  set(shim -include ${CMAKE_CURRENT_SOURCE_DIR}/hip/nvidia_shim.h)
  set(hip_as_cuda RAILYARD_GPU_HIP __HIP_PLATFORM_NVIDIA__ __HIP_PLATFORM_NVCC__)
  list(TRANSFORM hip_as_cuda PREPEND -D OUTPUT_VARIABLE hip_as_cuda_flags)
  railyard_plugin(railyard_hip_nvidia FILE railyard_hip FOLDER bin/hip-nvidia
    COMPILE ${nvcc} ${hip_as_cuda_flags} ${shim} -I${hip_include}
    HOST cuda/cublaslt.cpp cuda/kernel_image.cpp cuda/nvml.cpp hip/vendor.cpp
    DEFINITIONS ${hip_as_cuda} OPTIONS ${shim} INCLUDES ${hip_include} ${cuda_include} ${cublaslt_include} LINK ${cuda_runtime} rt pthread)
endif()
