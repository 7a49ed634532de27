// SPDX-License-Identifier: Apache-2.0
// Lets Debian's HIP 5.2 headers for NVIDIA compile against CUDA 13: supplies what CUDA 13 removed, and the old
// parameters of what it changed. Included before everything else.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000

struct RailyardDeviceProperties : cudaDeviceProp {
  int clockRate, memoryClockRate, computeMode, cooperativeMultiDeviceLaunch, kernelExecTimeoutEnabled;
};
inline cudaError_t railyard_device_properties(RailyardDeviceProperties* properties, int device) {
  if (const cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(properties), device)) return error;
  properties->cooperativeMultiDeviceLaunch = 0;
  (void)cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
  (void)cudaDeviceGetAttribute(&properties->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  (void)cudaDeviceGetAttribute(&properties->computeMode, cudaDevAttrComputeMode, device);
  return cudaDeviceGetAttribute(&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
}
#define cudaDeviceProp RailyardDeviceProperties
#undef cudaGetDeviceProperties
#define cudaGetDeviceProperties railyard_device_properties
#define cudaDevAttrCooperativeMultiDeviceLaunch cudaDevAttrReserved96

// Texture references and multi-device launches are gone; nothing here uses them.
template <class T, int dimension, enum cudaTextureReadMode mode>
struct texture;
template <class... Arguments>
cudaError_t cudaBindTexture(Arguments&&...) {
  return cudaErrorNotSupported;
}
template <class... Arguments>
cudaError_t cudaBindTexture2D(Arguments&&...) {
  return cudaErrorNotSupported;
}
template <class... Arguments>
cudaError_t cudaBindTextureToArray(Arguments&&...) {
  return cudaErrorNotSupported;
}
template <class... Arguments>
cudaError_t cudaUnbindTexture(Arguments&&...) {
  return cudaErrorNotSupported;
}
template <class... Arguments>
cudaError_t cudaGetTextureAlignmentOffset(Arguments&&...) {
  return cudaErrorNotSupported;
}
template <class... Arguments>
cudaError_t cudaLaunchCooperativeKernelMultiDevice(Arguments&&...) {
  return cudaErrorNotSupported;
}

inline cudaMemLocation railyard_location(int device) {
  cudaMemLocation location{};
  location.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device < 0 ? 0 : device;
  return location;
}
inline cudaError_t cudaMemAdvise(const void* data, size_t size, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(data, size, advice, railyard_location(device));
}
inline cudaError_t cudaMemPrefetchAsync(const void* data, size_t size, int device, cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, size, railyard_location(device), 0u, stream);
}
inline CUresult cuCtxCreate_v4(CUcontext* context, unsigned flags, CUdevice device) {
  return cuCtxCreate_v4(context, nullptr, flags, device);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* list, size_t* count) {
  return cudaGraphNodeGetDependencies(node, list, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* list, size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, list, nullptr, count);
}
inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id, cudaGraph_t* graph, const cudaGraphNode_t** list,
                                               size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, list, nullptr, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* list, size_t count,
                                                       unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, list, nullptr, count, flags);
}

#endif
