// SPDX-License-Identifier: Apache-2.0
// How each kind of work is prepared: its buffers and what queues one run.
#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/gpu_session.h"

namespace railyard::device::gpu {
namespace {

constexpr std::size_t product_workspace = std::size_t{64} << 20U;

std::size_t elements(std::int64_t rows, std::int64_t columns) { return static_cast<std::size_t>(rows * columns); }

/// Why no library multiplies here; empty when one does.
std::string no_gemm_library(GpuDevice& device) {
  try {
    (void)device.gemm();
    return {};
  } catch (const NotPossible& reason) {
    return reason.what();
  }
}

LibraryWork own_product(GpuDevice& on, const WorkRequest& r, const GemmOperands& operands, const std::string& why) {
  const bool fits = r.m % own_gemm_tile == 0 && r.n % own_gemm_tile == 0 && r.k % own_gemm_tile == 0;
  const bool known = r.type == ElementType::bf16 && r.output == ElementType::bf16 && r.layout == Layout::nt;
  if (!fits || !known || r.accumulate != 0) {
    throw NotPossible((why.empty() ? "the own kernel" : why + "; the own kernel in its place") +
                      " does BF16, NT, sizes in whole tiles of " + std::to_string(own_gemm_tile));
  }
  const auto m = static_cast<int>(r.m), n = static_cast<int>(r.n), k = static_cast<int>(r.k);
  LibraryWork work;
  work.queue = [&on, operands, m, n, k, stream = on.stream(r.lane)] {
    on.use();
    on.kernels().own_gemm(operands.a, operands.b, operands.c, m, n, k, stream);
  };
  work.kernel = Kernels::own_gemm_name(n);
  return work;
}

}  // namespace

void GpuSession::prepare_product(SessionWork& work) {
  const WorkRequest& r = work.request;
  GpuDevice& on = device(r.device);
  const gpuStream stream = on.stream(r.lane);
  GemmOperands operands;
  operands.a = on.operand(0, elements(r.m, r.k), r.type, r.inputs);
  operands.b = on.operand(1, elements(r.k, r.n), r.type, r.inputs);
  operands.c = on.scratch(0).reserve(elements(r.m, r.n) * element_bytes(r.output));
  work.check = ProductCheck{operands.a, operands.b, operands.c, r.type, r.output, r.layout, r.m, r.n, r.k};
  const std::string why = r.library == Library::own ? "" : no_gemm_library(on);
  if (r.library == Library::own || !why.empty()) {
    work.library = own_product(on, r, operands, why);
    return;
  }
  operands.workspace = on.scratch(1).reserve(product_workspace);
  operands.workspace_bytes = product_workspace;
  work.library = on.gemm().prepare(r, operands, stream);
}

void GpuSession::prepare_memory(SessionWork& work) {
  const WorkRequest& r = work.request;
  GpuDevice& on = device(r.device);
  const std::size_t bytes = static_cast<std::size_t>(r.bytes) / static_cast<std::size_t>(streams(r.memory)) / 256 * 256;
  if (bytes > (std::size_t{4} << 30U)) on.release_buffers();  // so that a quarter of the memory is free
  void* const a = on.scratch(0).reserve(bytes);
  void* b = a;
  void* c = a;
  if (r.memory != MemoryKernel::write) b = on.operand(0, bytes / sizeof(float), ElementType::fp32, r.inputs);
  if (streams(r.memory) == 3) c = on.operand(1, bytes / sizeof(float), ElementType::fp32, r.inputs);
  void* const sink = on.scratch(3).reserve(256);
  if (r.memory == MemoryKernel::copy) {  // the runtime's own, as frameworks copy
    work.library.queue = [&on, a, b, bytes, stream = on.stream(r.lane)] {
      on.use();
      gpu::check(RAILYARD_GPU(MemcpyAsync)(a, b, bytes, RAILYARD_GPU(MemcpyDeviceToDevice), stream), "copy");
    };
    return;
  }
  work.library.queue = [&on, kernel = r.memory, a, b, c, bytes, sink, stream = on.stream(r.lane)] {
    on.use();
    on.kernels().move(kernel, a, b, c, bytes, sink, stream);
  };
}

void GpuSession::prepare_attention(SessionWork& work) {
  const WorkRequest& r = work.request;
  GpuDevice& on = device(r.device);
  const std::size_t rows = elements(r.batch * r.heads, r.sequence);
  const std::size_t count = rows * static_cast<std::size_t>(r.head_dim), bytes = 2 * count;
  AttentionOperands operands;
  operands.q = on.operand(0, count, ElementType::bf16, r.inputs);
  operands.k = on.operand(1, count, ElementType::bf16, r.inputs);
  operands.v = on.operand(2, count, ElementType::bf16, r.inputs);
  auto* const results = static_cast<char*>(on.scratch(0).reserve(2 * bytes));
  operands.o = results;
  operands.grad_o = results + bytes;
  auto* const gradients = static_cast<char*>(on.scratch(2).reserve(3 * bytes));
  operands.grad_q = gradients;
  operands.grad_k = gradients + bytes;
  operands.grad_v = gradients + 2 * bytes;
  operands.statistics = on.scratch(3).reserve(rows * sizeof(float));
  const gpuStream stream = on.stream(r.lane);
  if (r.backward != 0) {
    // The backward pass needs what a forward pass leaves.
    on.kernels().fill(operands.grad_o, count, ElementType::bf16, r.inputs, 4, stream);
    WorkRequest forward = r;
    forward.backward = 0;
    const LibraryWork first = on.attention().prepare(forward, operands, stream);
    first.queue();
    gpu::check(RAILYARD_GPU(StreamSynchronize)(stream), "attention forward");
  }
  work.library = on.attention().prepare(r, operands, stream);
  work.attention = operands;
}

void GpuSession::prepare_host_copy(SessionWork& work) {
  const WorkRequest& r = work.request;
  GpuDevice& on = device(r.device);
  const auto bytes = static_cast<std::size_t>(r.bytes);
  void* const there = on.scratch(0).reserve(bytes);
  work.host = pinned(bytes);
  void* const to = r.to_host != 0 ? work.host : there;
  const void* const from = r.to_host != 0 ? there : work.host;
  work.library.queue = [&on, to, from, bytes, r, stream = on.stream(r.lane)] {
    on.use();
    const auto way = r.to_host != 0 ? RAILYARD_GPU(MemcpyDeviceToHost) : RAILYARD_GPU(MemcpyHostToDevice);
    gpu::check(RAILYARD_GPU(MemcpyAsync)(to, from, bytes, way, stream), "copy over the host link");
  };
}

void GpuSession::prepare_empty(SessionWork& work) {
  GpuDevice& on = device(work.request.device);
  work.library.queue = [&on, stream = on.stream(work.request.lane)] {
    on.use();
    on.kernels().empty(stream);
  };
}

}  // namespace railyard::device::gpu
