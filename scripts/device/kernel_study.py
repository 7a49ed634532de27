#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which kernel PyTorch's cuBLASLt takes for single sizes, and how fast it is: the workspace decides what may be taken.

  [CUBLASLT_WORKSPACE_SIZE=KIB] kernel_study.py     rows: operation, size, workspace, rate of three rounds, kernel

Run it without and with CUBLASLT_WORKSPACE_SIZE=65536, the 64 MiB that railyard gives.
"""
import os

import torch
from triton.testing import do_bench

SIZES = [("bf16", 4096, 8192, 28672), ("bf16", 1024, 8192, 28672), ("bf16", 8192, 3584, 7168), ("bf16", 4096, 1024, 1024),
         ("bf16", 8192, 8192, 1024), ("bf16", 1024, 8192, 8192)]


def kernel_of(call):
    call()
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        call()
        torch.cuda.synchronize()
    names = [each.name for each in profile.events() if each.device_type == torch.autograd.DeviceType.CUDA]
    return "; ".join(name.replace(",", " ")[:90] for name in names if "emset" not in name)


def main():
    workspace = os.environ.get("CUBLASLT_WORKSPACE_SIZE", "default")
    large = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    for _ in range(1500):
        large @ large
    torch.cuda.synchronize()
    calls = []
    for name, m, n, k in SIZES:
        a = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
        b = torch.randn(n, k, device="cuda", dtype=torch.bfloat16)
        calls.append((name, m, n, k, lambda a=a, b=b: torch.nn.functional.linear(a, b)))
    rates = {}
    for _ in range(3):
        for name, m, n, k, call in calls:
            for _ in range(int(0.3 / (2e-15 * m * n * k / 0.6))):
                call()
            time = do_bench(call, warmup=30, rep=200, return_mode="median") * 1e-3
            rates.setdefault((name, m, n, k), []).append(2.0 * m * n * k / time)
    for name, m, n, k, call in calls:
        row = ",".join(f"{rate:.4g}" for rate in rates[(name, m, n, k)])
        print(f"gemm {name},{m} x {n} x {k},{workspace},{row},{kernel_of(call)}", flush=True)


if __name__ == "__main__":
    main()
