#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the operations of a table of `railyard calibrate measure` with PyTorch and Triton's do_bench, side by side.

  compare_torch.py MEASURED.csv [MEASURED.csv ...]     median rates of the tables against PyTorch's, and the differences

Each size is timed as people do: do_bench(warmup=30, rep=200, return_mode="median"), normal inputs, cache flushed. That
is done in three rounds, each in another order of the sizes: how far a size is apart between the rounds (`torch_apart`),
or between the tables (`railyard_apart`), tells how much of a difference is one tool's own scatter.
"""
import csv
import random
import statistics
import sys
import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from triton.testing import do_bench

GEMM_TYPES = {"gemm bf16": torch.bfloat16, "gemm fp16": torch.float16}


def seconds(function):
    """The median, with the card as warm as in a row of measurements: between two of them Python rests it for a while,
    and a rested card runs above its power limit at first."""
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        for _ in range(10):
            function()
        torch.cuda.synchronize()
    return do_bench(function, warmup=30, rep=200, return_mode="median") * 1e-3


def product(dtype, m, n, k):
    a = torch.randn(m, k, device="cuda", dtype=dtype)
    b = torch.randn(n, k, device="cuda", dtype=dtype)
    return 2.0 * m * n * k / seconds(lambda: torch.nn.functional.linear(a, b))


def fp8_product(m, n, k):
    a = torch.randn(m, k, device="cuda", dtype=torch.bfloat16).to(torch.float8_e4m3fn)
    b = torch.randn(n, k, device="cuda", dtype=torch.bfloat16).to(torch.float8_e4m3fn).t()
    one = torch.ones((), device="cuda")
    call = lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
    return 2.0 * m * n * k / seconds(call)


def copy(kernel, size):
    streams = {"copy": 2, "add": 3}[kernel]
    count = size // streams // 4
    x = torch.randn(count, device="cuda")
    y = torch.randn(count, device="cuda")
    out = torch.empty_like(x)
    if kernel == "copy":
        return size / seconds(lambda: out.copy_(x))
    return size / seconds(lambda: torch.add(x, y, out=out))


def attention(direction, dim, sequence):
    batch = max(1, 16384 // sequence)
    q, k, v = (torch.randn(batch, 32, sequence, dim, device="cuda", dtype=torch.bfloat16, requires_grad=True)
               for _ in range(3))
    flop = 4.0 * batch * 32 * sequence * sequence * dim * 0.5
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        call = lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        if direction == "forward":
            return flop / seconds(call)
        out = call()
        grad = torch.randn_like(out)
        return 2.5 * flop / seconds(lambda: torch.autograd.grad(out, (q, k, v), grad, retain_graph=True))


def torch_rate(operation, size):
    words = operation.split()
    if operation in GEMM_TYPES:
        return product(GEMM_TYPES[operation], *(int(word) for word in size.split(" x ")))
    if operation == "gemm fp8":
        return fp8_product(*(int(word) for word in size.split(" x ")))
    if words[0] == "memory" and words[1] in ("copy", "add"):
        return copy(words[1], int(size.split()[0]))
    if words[0] == "attention":
        return attention(words[1], int(words[2][1:]), int(size))
    return None


def wanted(row):
    """Samples for the laws; of the grid of products every fourth."""
    if row["waived"] or row["mode"] != "compatible" or row["variant"]:
        return False
    return True


ROUNDS = 3


def apart(rates):
    return 100 * (max(rates) / min(rates) - 1)


def main():
    tables = [list(csv.DictReader(open(name, newline=""))) for name in sys.argv[1:]]
    rates = {}
    for table in tables:
        for row in filter(wanted, table):
            rates.setdefault((row["operation"], row["size"]), []).append(float(row["rate"]))
    groups = {}
    heat = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    for _ in range(2000):
        heat @ heat
    torch.cuda.synchronize()
    chosen, seen = [], {}
    for operation, size in rates:  # of the products every fourth
        seen[operation] = seen.get(operation, 0) + 1
        if not operation.startswith("gemm") or seen[operation] % 4 == 1:
            chosen.append((operation, size))
    others = {}
    for turn in range(ROUNDS):
        order = list(chosen)
        if turn == 1:
            order.reverse()
        elif turn > 1:
            random.Random(turn).shuffle(order)
        for operation, size in order:
            try:
                other = torch_rate(operation, size)
            except Exception as error:  # pylint: disable=broad-except
                print(f"# {operation}, {size}: {str(error).splitlines()[0]}", flush=True)
                continue
            if other is not None:
                others.setdefault((operation, size), []).append(other)
            torch.cuda.empty_cache()
    scatter = []
    print("operation,size,railyard,torch,difference,railyard_apart,torch_apart")
    for operation, size in chosen:
        if (operation, size) not in others:
            continue
        list_of_rates, list_of_others = rates[(operation, size)], others[(operation, size)]
        ours, other = statistics.median(list_of_rates), statistics.median(list_of_others)
        difference = ours / other - 1
        groups.setdefault(operation, []).append(difference)
        scatter.append((abs(difference) * 100, apart(list_of_rates) + apart(list_of_others)))
        print(f"{operation},{size},{ours:.5g},{other:.5g},{100 * difference:+.2f} %,{apart(list_of_rates):.2f} %,"
              f"{apart(list_of_others):.2f} %", flush=True)
    within = sum(1 for off, spread in scatter if off <= max(spread, 1))
    print(f"# {within} of {len(scatter)} sizes differ by no more than both tools' own scatter, or 1 %")
    for operation, differences in groups.items():
        print(f"# {operation}: {len(differences)} sizes, median difference {100 * statistics.median(differences):+.2f} %, "
              f"median size {100 * statistics.median(map(abs, differences)):.2f} %")


if __name__ == "__main__":
    main()
