#!/usr/bin/env python3
"""Prints the benchmark's table. Called by scripts/bench, which builds what is measured.

Ours and PyTorch's timings of a size are taken in turns of a few calls each, so that both see the same machine; the numbers
are medians over all turns. Nothing here passes or fails.
"""
import argparse
import ctypes
import json
import statistics
import subprocess
import time

import torch

THREADS = 2
SIZES = [(12, 64, 8), (12, 512, 8), (128, 512, 8), (512, 512, 8), (1024, 768, 12)]
GOALS = [5, 1.3, 1.3, 1.3, 1.3]
PAUSE = 0.05  # seconds; PyTorch's and OpenBLAS's threads spin for a while after their last work


class OurBench:
    """hydra_bench, answering requests with lists of seconds."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self, request):
        time.sleep(PAUSE)
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        return [float(word) for word in self.process.stdout.readline().split()]


def torch_forward(n, d_model, heads):
    """One forward of nn.MultiheadAttention that returns every head's attention."""
    layer = torch.nn.MultiheadAttention(d_model, heads, bias=True, batch_first=True).eval()
    x = torch.randn(1, n, d_model)
    return lambda: layer(x, x, x, need_weights=True, average_attn_weights=False)


def timed(work, count):
    time.sleep(PAUSE)
    work()
    seconds = []
    for _ in range(count):
        begin = time.perf_counter()
        kept = work()  # like ours, the last result dies with the next
        seconds.append(time.perf_counter() - begin)
    del kept
    return seconds


def sgemm(size):
    """OpenBLAS's product of two square matrices, as a callable."""
    blas = ctypes.CDLL("libopenblas.so.0")
    blas.openblas_set_num_threads(THREADS)
    A, B, C = (torch.randn(size, size) for _ in range(3))
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    address = [ctypes.c_void_p(m.data_ptr()) for m in (A, B, C)]
    row_major, plain = 101, 111

    def work():
        blas.cblas_sgemm(row_major, plain, plain, size, size, size, one, address[0], size, address[1], size, zero,
                         address[2], size)
        return A, B, C

    return work


def flops(n, d_model):
    """Of the products of a forward pass: four projections, scores and weighted values."""
    return 2 * (4 * n * d_model**2 + 2 * n**2 * d_model)


def forwards(ours, turns, print_row):
    """Medians of ours by size."""
    result = {}
    multiply = sgemm(1024)
    for size, goal in zip(SIZES, GOALS):
        n, d_model, heads = size
        theirs = torch_forward(*size)
        count = max(1, min(400, int(0.1 / statistics.median(timed(theirs, 3)))))
        our_seconds, their_seconds, multiply_seconds = [], [], []
        for _ in range(turns):
            our_seconds += ours.seconds(f"forward {n} {d_model} {heads} {count}")
            their_seconds += timed(theirs, count)
            multiply_seconds += timed(multiply, 3)
        us, them = statistics.median(our_seconds), statistics.median(their_seconds)
        speed = 2 * 1024**3 / statistics.median(multiply_seconds)
        result[size] = us
        print_row(f"forward {n} x {d_model}, {heads} heads", us, them, f"{them / us:.1f} times (goal {goal:g})",
                  f"{flops(n, d_model) / us / speed:.0%} of sgemm's {speed / 1e9:.0f} GF/s")
    return result


def causal(ours, turns, full, print_row):
    for n, d_model, heads in SIZES[-2:]:
        seconds = []
        for _ in range(turns):
            seconds += ours.seconds(f"forward {n} {d_model} {heads} 3 causal")
        us = statistics.median(seconds)
        print_row(f"forward {n} x {d_model}, {heads} heads, causal mask", us, None,
                  f"{us / full[n, d_model, heads]:.0%} of that without a mask")


def edits(ours, turns, full, print_row):
    n, d_model, heads = size = (128, 512, 8)
    for parameter in ("W_Q", "W_V", "W_O"):
        seconds = []
        for _ in range(turns):
            seconds += ours.seconds(f"edit {parameter} {n} {d_model} {heads} 20")
        us = statistics.median(seconds)
        goal = "" if parameter == "W_Q" else " (goal 25%)"
        print_row(f"edit one cell of {parameter}, {n} x {d_model}", us, None, f"{us / full[size]:.0%} of a forward{goal}")


def ways(ours, turns, print_row):
    """The loop over heads, the combined projection and the tiles, beside each other: 8 heads, d_k 64."""
    d_model, heads = 512, 8
    for n in (64, 256, 1024, 2048, 4096):
        count = max(1, 1024 // n)
        seconds = {key: [] for key in ("per_head", "combined", "tiled")}
        for _ in range(turns if n < 2048 else 3):
            for key in seconds:
                seconds[key] += ours.seconds(f"way {key} {n} {d_model} {heads} {count}")
        loop = statistics.median(seconds["per_head"])
        for key in seconds:
            us = statistics.median(seconds[key])
            (peak,) = ours.seconds(f"way_bytes {key} {n} {d_model} {heads}")
            # Q, K, V and the concatenation are the same for combined and tiled; the loop has those of one head only.
            beyond = peak - 4 * n * (4 * d_model if key != "per_head" else d_model + 3 * d_model // heads)
            print_row(f"output alone, {key}, {n} x {d_model}, {heads} heads", us, None,
                      f"{loop / us:.2f} times as fast as the loop",
                      f"{peak / 2**20:.1f} MiB at most, {beyond / 2**20:.2f} MiB of it patterns or tiles")


def decoding(ours, turns, print_row):
    """One more token with the keys and values kept, beside computing all tokens anew."""
    for n in (64, 256, 1024):
        step, anew = [], []
        for _ in range(turns):
            step += ours.seconds(f"decode {n} 512 8 8 20")
            anew += ours.seconds(f"way tiled {n} 512 8 {max(1, 512 // n)}")
        us, them = statistics.median(step), statistics.median(anew)
        print_row(f"token {n}, kept keys and values, d_model 512, 8 heads", us, None,
                  f"{them / us:.0f} times as fast as all anew")


def shared_keys(ours, turns, print_row):
    """One more token where 8 heads share 2 keys and values, beside 8 of their own."""
    for n in (256, 1024, 4096, 16384):
        seconds = {8: [], 2: []}
        for _ in range(turns):
            for kv_heads in seconds:
                seconds[kv_heads] += ours.seconds(f"decode {n} 512 8 {kv_heads} 20")
        own = statistics.median(seconds[8])
        for kv_heads in seconds:
            us = statistics.median(seconds[kv_heads])
            (kept,) = ours.seconds(f"cache_bytes {n} 512 8 {kv_heads}")
            print_row(f"token {n}, 8 heads of queries, {kv_heads} of keys and values", us, None,
                      f"{own / us:.2f} times as fast as with 8", f"{kept / 2**20:.2f} MiB kept")


def program(path, print_row):
    """Frame times, time to first frame and memory, as the program itself measures them; "-" where it cannot."""
    window = ["xvfb-run", "-a", path, "measure", "--window"]
    for command in ([path, "measure"], window):
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
        for line in lines:
            milliseconds = line.get("ms")
            notes = [f"{line['cpu_ms']:.1f} ms of processor time"] if "cpu_ms" in line else []
            notes += [f"{line['computing_ms']:.1f} ms before OpenGL draws"] if "computing_ms" in line else []
            notes += [f"{line['MB']:.0f} MB"] if "MB" in line else []
            print_row(line["measure"], None if milliseconds is None else milliseconds / 1e3, None, *notes)
        if result.returncode != 0 or not lines:
            print_row("hydrascope " + " ".join(command[command.index("measure"):]), None, None, "-")


def print_row(what, us=None, them=None, *notes):
    def milliseconds(seconds):
        return "" if seconds is None else f"{seconds * 1e3:.3f} ms"

    print(f"{what:60} {milliseconds(us):>12} {milliseconds(them):>12}  {'  '.join(notes)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="the hydra_bench program")
    parser.add_argument("--program", required=True, help="the hydrascope program")
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    arguments = parser.parse_args()
    torch.set_num_threads(THREADS)
    turns = 3 if arguments.quick else 9
    ours = OurBench(arguments.bench)
    print(f"{THREADS} threads, PyTorch {torch.__version__}, medians")
    print(f"{'':60} {'Hydrascope':>12} {'PyTorch':>12}")
    with torch.no_grad():
        full = forwards(ours, turns, print_row)
    causal(ours, turns, full, print_row)
    edits(ours, turns, full, print_row)
    ways(ours, turns, print_row)
    decoding(ours, turns, print_row)
    shared_keys(ours, turns, print_row)
    program(arguments.program, print_row)


if __name__ == "__main__":
    main()
