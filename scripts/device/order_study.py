#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What comes before a measurement, and what it does to single sizes: one tool, one card.

  order_study.py [SECONDS]     CSV: operation, size, what ran before, round, rate, clock, power, temperature

Each product is timed with do_bench (30 ms warm-up, 200 ms, median, as compare_torch.py) after two seconds (SECONDS) of:
nothing (a rested card), itself, a large product that runs at the power limit, and a copy, which uses little power. The
sizes are those whose figures differed most between railyard's table and compare_torch.py. Clock and power are read by
NVML right after the runs; nothing is set.
"""
import statistics
import sys
import time

import pynvml
import torch
from triton.testing import do_bench

SIZES = [("bf16", 1024, 8192, 8192), ("bf16", 1024, 8192, 28672), ("bf16", 512, 8192, 7168), ("bf16", 4096, 1024, 1024),
         ("bf16", 1024, 24576, 1536), ("bf16", 4096, 8192, 28672), ("fp16", 16384, 1280, 8192), ("fp16", 4096, 1280, 8192)]
TYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}
ROUNDS = 3


def run_for(seconds, call):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(10):
            call()
        torch.cuda.synchronize()


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    pynvml.nvmlInit()
    card = pynvml.nvmlDeviceGetHandleByIndex(0)
    large = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    long = torch.randn(1 << 28, device="cuda")
    target = torch.empty_like(long)
    print("operation,size,before,round,rate,clock_mhz,power_w,temperature_c")
    spreads = []
    for name, m, n, k in SIZES:
        a = torch.randn(m, k, device="cuda", dtype=TYPES[name])
        b = torch.randn(n, k, device="cuda", dtype=TYPES[name])
        call = lambda: torch.nn.functional.linear(a, b)
        before = {"rest": lambda: time.sleep(seconds), "itself": lambda: run_for(seconds, call),
                  "large product": lambda: run_for(seconds, lambda: large @ large),
                  "copy": lambda: run_for(seconds, lambda: target.copy_(long))}
        medians = []
        for what, heat in before.items():
            for turn in range(ROUNDS):
                heat()
                rate = 2.0 * m * n * k / (do_bench(call, warmup=30, rep=200, return_mode="median") * 1e-3)
                clock = pynvml.nvmlDeviceGetClockInfo(card, pynvml.NVML_CLOCK_SM)
                power = pynvml.nvmlDeviceGetPowerUsage(card) / 1000
                heat_now = pynvml.nvmlDeviceGetTemperature(card, pynvml.NVML_TEMPERATURE_GPU)
                print(f"gemm {name},{m} x {n} x {k},{what},{turn},{rate:.5g},{clock},{power:.0f},{heat_now}",
                      flush=True)
                medians.append((what, rate))
        by = {what: statistics.median(rate for each, rate in medians if each == what) for what in before}
        spreads.append(max(by.values()) / min(by.values()) - 1)
        print(f"# {name} {m} x {n} x {k}: " + ", ".join(f"{what} {rate * 1e-12:.0f}" for what, rate in by.items()) +
              f" TFLOP/s, {100 * spreads[-1]:.1f} % apart", flush=True)
    print(f"# what came before moves a size by {100 * statistics.median(spreads):.1f} % (median), "
          f"{100 * max(spreads):.1f} % at most")


if __name__ == "__main__":
    main()
