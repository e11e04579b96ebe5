#!/usr/bin/env python3
"""PyTorch and OpenBLAS's product, answering requests ("forward N D_MODEL HEADS COUNT", "stack N D_MODEL HEADS LAYERS COUNT", "sgemm
SIZE COUNT", "train-TASK HEADS COUNT", a line each) with seconds, a line each. A process of its own for every setting that bench.py tries: OpenBLAS chooses its kernels once.

Usage: bench_theirs.py THREADS, with OPENBLAS_CORETYPE in the environment.
"""
import ctypes
import sys
import time

import torch

from bench_training import STEPS

WARM = 0.05  # seconds, the same as ours (tests/bench/bench.cpp)


def forward(n, d_model, heads):
    """One forward of nn.MultiheadAttention that returns every head's attention."""
    layer = torch.nn.MultiheadAttention(d_model, heads, bias=True, batch_first=True).eval()
    x = torch.randn(1, n, d_model)
    return lambda: layer(x, x, x, need_weights=True, average_attn_weights=False)


def stack(n, d_model, heads, layers):
    """One forward of blocks with the norm before, by the fused layers that PyTorch takes where nothing is trained."""
    layer = torch.nn.TransformerEncoderLayer(d_model, heads, 4 * d_model, dropout=0, activation="gelu", norm_first=True,
                                             batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False).eval()
    x = torch.randn(1, n, d_model)
    return lambda: encoder(x)


def sgemm(size, threads):
    """OpenBLAS's product of two square matrices."""
    blas = ctypes.CDLL("libopenblas.so.0")
    blas.openblas_set_num_threads(threads)
    A, B, C = (torch.randn(size, size) for _ in range(3))
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    address = [ctypes.c_void_p(m.data_ptr()) for m in (A, B, C)]
    row_major, plain = 101, 111

    def work():
        blas.cblas_sgemm(row_major, plain, plain, size, size, size, one, address[0], size, address[1], size, zero,
                         address[2], size)
        return A, B, C

    return work


def timed(work, count):
    """Of so many calls after as many as make caches and clock warm; like ours, the last result dies with the next."""
    cold = time.perf_counter()
    while time.perf_counter() - cold < WARM:
        kept = work()
    seconds = []
    for _ in range(count):
        begin = time.perf_counter()
        kept = work()
        seconds.append(time.perf_counter() - begin)
    del kept
    return seconds


def main():
    threads = int(sys.argv[1])
    torch.set_num_threads(threads)
    made = {}
    with torch.no_grad():
        for line in sys.stdin:
            what, *sizes, count = line.split()
            key = (what, *map(int, sizes))
            if key not in made:
                made.pop(next((k for k in made if k[0] == "stack"), None), None)  # one at a time: they are large
                made[key] = (forward(*key[1:]) if what == "forward" else
                             stack(*key[1:]) if what == "stack" else
                             STEPS[what.removeprefix("train-")](key[1]) if what.startswith("train-") else
                             sgemm(key[1], threads))
            print(*timed(made[key], int(count)), flush=True)


if __name__ == "__main__":
    main()
