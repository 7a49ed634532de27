// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/cuda/cudnn_graph.h"

#include "calibrate/device/gpu/gpu_error.h"

namespace railyard::device::gpu {
namespace {

constexpr std::int64_t alignment = 16;  // bytes
constexpr std::int64_t most_engines = 16;

Dims packed(const Dims& dims) { return {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1}; }

}  // namespace

CudnnFunctions::CudnnFunctions() {
  const auto find = [this](const char* name, auto& function) { library.find(name, function); };
  find("cudnnCreate", create);
  find("cudnnDestroy", destroy);
  find("cudnnSetStream", set_stream);
  find("cudnnGetVersion", version);
  find("cudnnGetErrorString", error_text);
  find("cudnnGetLastErrorString", last_error);
  find("cudnnBackendCreateDescriptor", make);
  find("cudnnBackendDestroyDescriptor", unmake);
  find("cudnnBackendSetAttribute", set);
  find("cudnnBackendGetAttribute", get);
  find("cudnnBackendFinalize", finalize);
  find("cudnnBackendExecute", execute);
}

void CudnnFunctions::require(cudnnStatus_t status, const char* what) const {
  if (status == CUDNN_STATUS_SUCCESS) return;
  std::array<char, 512> detail{};
  last_error(detail.data(), detail.size());
  const std::string text = std::string("cuDNN ") + what + ": " + error_text(status) + " " + detail.data();
  const int kind = static_cast<int>(status) / 1000;
  if (kind == static_cast<int>(CUDNN_STATUS_NOT_SUPPORTED) / 1000) throw NotPossible(text);
  throw std::runtime_error(text);
}

CudnnGraph::~CudnnGraph() {
  for (auto each = all_.rbegin(); each != all_.rend(); ++each) (void)f_.unmake(*each);
}

cudnnBackendDescriptor_t CudnnGraph::make(cudnnBackendDescriptorType_t type) {
  cudnnBackendDescriptor_t descriptor = nullptr;
  f_.require(f_.make(type, &descriptor), "descriptor");
  all_.push_back(descriptor);
  return descriptor;
}

void CudnnGraph::set(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                     cudnnBackendAttributeType_t type, std::int64_t count, const void* value) const {
  const cudnnStatus_t status = f_.set(descriptor, name, type, count, value);
  if (status != CUDNN_STATUS_SUCCESS) {
    f_.require(status, ("attribute " + std::to_string(static_cast<int>(name))).c_str());
  }
}

void CudnnGraph::set(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                     const GraphTensor& tensor) const {
  set(descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &tensor.descriptor);
}

GraphTensor CudnnGraph::tensor(Place place, void* data, const Dims& dims, const Dims& strides, cudnnDataType_t type) {
  const cudnnBackendDescriptor_t made = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const std::int64_t id = next_id_++;
  const bool yes = true;
  set(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &id);
  set(made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
  set(made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
  set(made, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, dims.data());
  set(made, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, strides.data());
  if (place == Place::graph) set(made, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &yes);
  if (place == Place::value) set(made, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &yes);
  f_.require(f_.finalize(made), "tensor");
  if (place != Place::graph) {
    ids_.push_back(id);
    data_.push_back(data);
  }
  return {made, dims};
}

GraphTensor CudnnGraph::buffer(void* data, const Dims& dims, const Dims& strides, cudnnDataType_t type) {
  return tensor(Place::memory, data, dims, strides, type);
}
GraphTensor CudnnGraph::between(const Dims& dims, const Dims& strides, cudnnDataType_t type) {
  return tensor(Place::graph, nullptr, dims, strides, type);
}
GraphTensor CudnnGraph::between(const Dims& dims, cudnnDataType_t type) { return between(dims, packed(dims), type); }

GraphTensor CudnnGraph::scalar(float value) {
  scalars_.push_back(std::make_unique<float>(value));
  return tensor(Place::value, scalars_.back().get(), {1, 1, 1, 1}, {1, 1, 1, 1}, CUDNN_DATA_FLOAT);
}

void CudnnGraph::add(cudnnBackendDescriptor_t operation) {
  f_.require(f_.finalize(operation), "operation");
  operations_.push_back(operation);
}

void CudnnGraph::matmul(const GraphTensor& a, const GraphTensor& b, const GraphTensor& c) {
  const cudnnBackendDescriptor_t how = make(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  const cudnnDataType_t compute = CUDNN_DATA_FLOAT;
  set(how, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
  f_.require(f_.finalize(how), "product");
  const cudnnBackendDescriptor_t made = make(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
  set(made, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
  set(made, CUDNN_ATTR_OPERATION_MATMUL_CDESC, c);
  set(made, CUDNN_ATTR_OPERATION_MATMUL_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &how);
  add(made);
}

void CudnnGraph::reduce(cudnnReduceTensorOp_t operation, const GraphTensor& x, const GraphTensor& y) {
  const cudnnBackendDescriptor_t how = make(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  const cudnnDataType_t compute = CUDNN_DATA_FLOAT;
  set(how, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
  set(how, CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &operation);
  f_.require(f_.finalize(how), "reduction");
  const cudnnBackendDescriptor_t made = make(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x);
  set(made, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
  set(made, CUDNN_ATTR_OPERATION_REDUCTION_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &how);
  add(made);
}

void CudnnGraph::reshape(const GraphTensor& x, const GraphTensor& y) {
  const cudnnBackendDescriptor_t made = make(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x);
  set(made, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, y);
  add(made);
}

cudnnBackendDescriptor_t CudnnGraph::pointwise(cudnnPointwiseMode_t mode, cudnnDataType_t compute, std::int64_t axis) {
  const cudnnBackendDescriptor_t how = make(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  set(how, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode);
  set(how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &compute);
  if (axis >= 0) set(how, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &axis);
  f_.require(f_.finalize(how), "pointwise");
  const cudnnBackendDescriptor_t made = make(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &how);
  return made;
}

void CudnnGraph::unary(cudnnPointwiseMode_t mode, const GraphTensor& x, const GraphTensor& y) {
  const cudnnBackendDescriptor_t made = pointwise(mode, CUDNN_DATA_FLOAT);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  add(made);
}

void CudnnGraph::binary(cudnnPointwiseMode_t mode, const GraphTensor& x, const GraphTensor& b, const GraphTensor& y,
                        cudnnDataType_t compute) {
  const cudnnBackendDescriptor_t made = pointwise(mode, compute);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  add(made);
}

void CudnnGraph::index(std::int64_t axis, const GraphTensor& x, const GraphTensor& y) {
  const cudnnBackendDescriptor_t made = pointwise(CUDNN_POINTWISE_GEN_INDEX, CUDNN_DATA_INT32, axis);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  add(made);
}

void CudnnGraph::select(const GraphTensor& x, const GraphTensor& b, const GraphTensor& mask, const GraphTensor& y) {
  const cudnnBackendDescriptor_t made = pointwise(CUDNN_POINTWISE_BINARY_SELECT, CUDNN_DATA_FLOAT);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, mask);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  add(made);
}

bool CudnnGraph::plan(cudnnBackendDescriptor_t operation_graph, cudnnBackendHeurMode_t mode) {
  const cudnnBackendDescriptor_t heuristic = make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  set(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &operation_graph);
  set(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
  if (f_.finalize(heuristic) != CUDNN_STATUS_SUCCESS) return false;
  std::vector<cudnnBackendDescriptor_t> engines;
  for (std::int64_t i = 0; i < most_engines; ++i) engines.push_back(make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
  std::int64_t found = 0;
  f_.require(f_.get(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, most_engines, &found,
                    engines.data()),
             "engines");
  for (std::int64_t i = 0; i < found; ++i) {
    const cudnnBackendDescriptor_t made = make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    set(made, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle_);
    set(made, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
        &engines[static_cast<std::size_t>(i)]);
    if (f_.finalize(made) != CUDNN_STATUS_SUCCESS) continue;
    std::int64_t bytes = 0, count = 0;
    f_.require(f_.get(made, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &count, &bytes),
               "workspace");
    plan_ = made;
    workspace_bytes_ = static_cast<std::size_t>(bytes);
    return true;
  }
  return false;
}

void CudnnGraph::build() {
  const cudnnBackendDescriptor_t operation_graph = make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  set(operation_graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
      static_cast<std::int64_t>(operations_.size()), operations_.data());
  set(operation_graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle_);
  f_.require(f_.finalize(operation_graph), "graph");
  for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK}) {
    if (plan(operation_graph, mode)) return;
  }
  std::array<char, 512> detail{};
  f_.last_error(detail.data(), detail.size());
  throw NotPossible(std::string("cuDNN has no engine for this attention: ") + detail.data());
}

void CudnnGraph::bind_workspace(void* workspace) {
  pack_ = make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  set(pack_, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, static_cast<std::int64_t>(ids_.size()), ids_.data());
  set(pack_, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, static_cast<std::int64_t>(data_.size()),
      data_.data());
  set(pack_, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
  f_.require(f_.finalize(pack_), "arguments");
}

void CudnnGraph::run() const { f_.require(f_.execute(handle_, plan_, pack_), "run"); }

}  // namespace railyard::device::gpu
