// SPDX-License-Identifier: Apache-2.0
// A small builder of cuDNN operation graphs over its C interface, which is opened while the program runs.
#pragma once

#include <cudnn.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "calibrate/device/gpu/shared_library.h"

namespace railyard::device::gpu {

struct CudnnFunctions {
  SharedLibrary library{{"libcudnn.so.9"}};
  decltype(&cudnnCreate) create = nullptr;
  decltype(&cudnnDestroy) destroy = nullptr;
  decltype(&cudnnSetStream) set_stream = nullptr;
  decltype(&cudnnGetVersion) version = nullptr;
  decltype(&cudnnGetErrorString) error_text = nullptr;
  decltype(&cudnnGetLastErrorString) last_error = nullptr;
  decltype(&cudnnBackendCreateDescriptor) make = nullptr;
  decltype(&cudnnBackendDestroyDescriptor) unmake = nullptr;
  decltype(&cudnnBackendSetAttribute) set = nullptr;
  decltype(&cudnnBackendGetAttribute) get = nullptr;
  decltype(&cudnnBackendFinalize) finalize = nullptr;
  decltype(&cudnnBackendExecute) execute = nullptr;

  CudnnFunctions();
  /// Throws NotPossible where the graph is not supported, else std::runtime_error.
  void require(cudnnStatus_t status, const char* what) const;
};

using Dims = std::array<std::int64_t, 4>;

/// One tensor of a graph: [batch][heads][rows][columns].
struct GraphTensor {
  cudnnBackendDescriptor_t descriptor = nullptr;
  Dims dims{};
};

enum class Place { memory, graph, value };  // a buffer, between two operations, a scalar given by value

class CudnnGraph {
 public:
  CudnnGraph(const CudnnFunctions& functions, cudnnHandle_t handle) : f_(functions), handle_(handle) {}
  CudnnGraph(const CudnnGraph&) = delete;
  CudnnGraph& operator=(const CudnnGraph&) = delete;
  ~CudnnGraph();

  GraphTensor buffer(void* data, const Dims& dims, const Dims& strides, cudnnDataType_t type);
  GraphTensor between(const Dims& dims, const Dims& strides, cudnnDataType_t type = CUDNN_DATA_FLOAT);
  GraphTensor between(const Dims& dims, cudnnDataType_t type = CUDNN_DATA_FLOAT);
  GraphTensor scalar(float value);

  void matmul(const GraphTensor& a, const GraphTensor& b, const GraphTensor& c);
  void reduce(cudnnReduceTensorOp_t operation, const GraphTensor& x, const GraphTensor& y);
  void reshape(const GraphTensor& x, const GraphTensor& y);
  void unary(cudnnPointwiseMode_t mode, const GraphTensor& x, const GraphTensor& y);
  void binary(cudnnPointwiseMode_t mode, const GraphTensor& x, const GraphTensor& b, const GraphTensor& y,
              cudnnDataType_t compute = CUDNN_DATA_FLOAT);
  void index(std::int64_t axis, const GraphTensor& x, const GraphTensor& y);
  void select(const GraphTensor& x, const GraphTensor& b, const GraphTensor& mask, const GraphTensor& y);

  /// Chooses an engine; throws NotPossible when none takes the graph.
  void build();
  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }
  void bind_workspace(void* workspace);
  void run() const;

 private:
  cudnnBackendDescriptor_t make(cudnnBackendDescriptorType_t type);
  void set(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
           std::int64_t count, const void* value) const;
  void set(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name, const GraphTensor& tensor) const;
  GraphTensor tensor(Place place, void* data, const Dims& dims, const Dims& strides, cudnnDataType_t type);
  cudnnBackendDescriptor_t pointwise(cudnnPointwiseMode_t mode, cudnnDataType_t compute, std::int64_t axis = -1);
  void add(cudnnBackendDescriptor_t operation);
  bool plan(cudnnBackendDescriptor_t operation_graph, cudnnBackendHeurMode_t mode);

  const CudnnFunctions& f_;
  cudnnHandle_t handle_;
  std::vector<cudnnBackendDescriptor_t> all_, operations_;
  std::vector<std::int64_t> ids_;
  std::vector<void*> data_;
  std::vector<std::unique_ptr<float>> scalars_;
  std::int64_t next_id_ = 1;
  cudnnBackendDescriptor_t plan_ = nullptr, pack_ = nullptr;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace railyard::device::gpu
