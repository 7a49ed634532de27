# SPDX-License-Identifier: Apache-2.0
# Device code is compiled by commands of its own: one rule serves nvcc, hipcc, and nvcc with the HIP headers, and the
# rest of the build knows one language.

set(plugin_sources gpu/collectives.cpp gpu/gpu_device.cpp gpu/gpu_session.cpp gpu/plugin.cpp gpu/session_work.cpp
  gpu/shared_library.cpp work.cpp)
set(device_sources gpu/attention_check.cu gpu/kernels.cu gpu/own_gemm.cu)

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
  foreach(source IN LISTS device_sources)
    get_filename_component(name ${source} NAME)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${P_COMPILE} -std=c++20 -O2 -I${PROJECT_SOURCE_DIR} -MD -MF ${object}.d
        -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d VERBATIM)
    list(APPEND objects ${object})
  endforeach()
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
find_library(hip_runtime amdhip64 HINTS /opt/rocm/lib NO_CACHE)

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
    HOST cuda/cublaslt.cpp cuda/cudnn_attention.cpp cuda/cudnn_graph.cpp cuda/nvml.cpp cuda/vendor.cpp
    INCLUDES ${cuda_include} ${cublaslt_include} ${cudnn_include} LINK ${cuda_runtime} rt pthread)
endif()

set(found OFF)
if(RAILYARD_HIPCC AND hip_include AND hip_runtime)
  set(found ON)
endif()
plugin_wanted(RAILYARD_HIP build_hip ${found} "hipcc with the HIP headers is not here")
if(build_hip)
  list(TRANSFORM RAILYARD_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE hip_architectures)
  railyard_plugin(railyard_hip FILE railyard_hip FOLDER bin
    COMPILE ${RAILYARD_HIPCC} ${hip_architectures} -DRAILYARD_GPU_HIP -fPIC -fvisibility=hidden -x hip
    HOST hip/rocblas.cpp hip/rocm_smi.cpp hip/vendor.cpp
    DEFINITIONS RAILYARD_GPU_HIP __HIP_PLATFORM_AMD__ __HIP_PLATFORM_HCC__ INCLUDES ${hip_include}
    LINK ${hip_runtime})
endif()

set(found OFF)
if(RAILYARD_NVCC AND hip_include AND cuda_runtime)
  set(found ON)
endif()
plugin_wanted(RAILYARD_HIP_NVIDIA build_hip_nvidia ${found} "nvcc with the HIP headers is not here")
if(build_hip_nvidia)
  # The shim and the HIP headers are not ours to warn about.
  set(shim -include ${CMAKE_CURRENT_SOURCE_DIR}/hip/nvidia_shim.h)
  set(hip_as_cuda RAILYARD_GPU_HIP __HIP_PLATFORM_NVIDIA__ __HIP_PLATFORM_NVCC__)
  list(TRANSFORM hip_as_cuda PREPEND -D OUTPUT_VARIABLE hip_as_cuda_flags)
  railyard_plugin(railyard_hip_nvidia FILE railyard_hip FOLDER bin/hip-nvidia
    COMPILE ${nvcc} ${hip_as_cuda_flags} ${shim} -I${hip_include}
    HOST hip/rocblas.cpp cuda/nvml.cpp hip/vendor.cpp
    DEFINITIONS ${hip_as_cuda} OPTIONS ${shim} INCLUDES ${hip_include} ${cuda_include} LINK ${cuda_runtime} rt pthread)
endif()
