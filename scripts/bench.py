#!/usr/bin/env python3
"""Prints the benchmark's table. Called by scripts/bench, which builds what is measured.

Ours and PyTorch's timings of a size are taken in turns of a few calls each, so that both see the same machine; the numbers
are medians over all turns. PyTorch, and the product that speeds are compared with, run with whatever serves them best on
this machine: OpenBLAS mistakes some processors for old ones, so every kind of kernel that the processor can run is tried, on
one thread and on two. Nothing here passes or fails.
"""
import argparse
import functools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import made_models

THREADS = 2
SIZES = [(12, 64, 8), (12, 512, 8), (128, 512, 8), (512, 512, 8), (1024, 768, 12)]
GOALS = [5, 1.3, 1.3, 1.3, 1.3]
STACKS = [(12, 64, 8, 2), (128, 512, 8, 6), (128, 768, 12, 12), (512, 768, 12, 12), (1024, 768, 12, 12)]  # with the number of layers
TRAINING = [("induction", 2), ("students", 4), ("students", 32), ("grammar", 4)]
PAUSE = 0.1  # seconds; PyTorch's and OpenBLAS's threads spin for a while after their last work


class Bench:
    """A process that answers requests with lists of seconds."""

    def __init__(self, command, name="", **environment):
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})

    def seconds(self, request):
        time.sleep(PAUSE)
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        return [float(word) for word in self.process.stdout.readline().split()]

    def median(self, request):
        return statistics.median(self.seconds(request))


# Ours are kept to AVX2 by HYDRA_KERNELS=avx2: then PyTorch's are as well, as on a processor that has no more.
AVX2_ALONE = os.environ.get("HYDRA_KERNELS") == "avx2"


def core_types():
    """OpenBLAS's names of the kernels that this processor can run; "" is the one that it takes itself."""
    flags = set()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            flags = set(line.split())
            break
    if AVX2_ALONE:
        flags = {flag for flag in flags if not flag.startswith("avx512")}
    needs = {"SkylakeX": {"avx512f", "avx512dq", "avx512bw", "avx512vl"}, "Haswell": {"avx2", "fma"}, "Zen": {"avx2", "fma"},
             "Sandybridge": {"avx"}}
    return [""] + [name for name, flag in needs.items() if flag <= flags]


@functools.lru_cache(maxsize=None)
def settings():
    """PyTorch in every setting, each in a process of its own that keeps freed memory, as ours does (linalg/memory.h)."""
    keep = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40)}
    if AVX2_ALONE:
        keep["ATEN_CPU_CAPABILITY"] = "avx2"
    found = []
    for core_type in core_types():
        for threads in range(1, THREADS + 1):
            environment = {**keep, "OPENBLAS_CORETYPE": core_type} if core_type else keep
            name = f"{core_type or 'its own choice'}, {threads} thread{'s' if threads > 1 else ''}"
            found.append(Bench([sys.executable, str(pathlib.Path(__file__).parent / "bench_theirs.py"), str(threads)], name,
                               OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads), **environment))
    return found


def best_for(request, count):
    """The setting in which the request takes least, each tried a few times in turns."""
    tried = {theirs: [] for theirs in settings()}
    for _ in range(3):
        for theirs in tried:
            tried[theirs] += theirs.seconds(f"{request} {count}")
    return min(tried, key=lambda theirs: statistics.median(tried[theirs]))


def flops(n, d_model):
    """Of the products of a forward pass: four projections, scores and weighted values."""
    return 2 * (4 * n * d_model**2 + 2 * n**2 * d_model)


def forwards(ours, turns, print_row):
    """Medians of ours by size."""
    result = {}
    product = best_for("sgemm 1024", 5)
    print(f"sgemm: {product.name}")
    for size, goal in zip(SIZES, GOALS):
        n, d_model, heads = size
        request = f"forward {n} {d_model} {heads}"
        once = settings()[0].median(f"{request} 3")
        count = max(1, min(400, int(0.1 / once)))
        theirs = best_for(request, max(1, count // 4))
        our_seconds, their_seconds, multiply_seconds = [], [], []
        for _ in range(turns):
            our_seconds += ours.seconds(f"{request} {count}")
            their_seconds += theirs.seconds(f"{request} {count}")
            multiply_seconds += product.seconds("sgemm 1024 3")
        us, them = statistics.median(our_seconds), statistics.median(their_seconds)
        speed = 2 * 1024**3 / statistics.median(multiply_seconds)
        result[size] = us
        print_row(f"forward {n} x {d_model}, {heads} heads", us, them,
                  f"{them / us:.1f} times (goal {goal:g}), PyTorch: {theirs.name};",
                  f"{flops(n, d_model) / us / speed:.0%} of sgemm's {speed / 1e9:.0f} GF/s")
    return result


def stacks(ours, turns, print_row):
    """Whole blocks beside torch.nn.TransformerEncoder: norm before, GELU, four times d_model hidden numbers."""
    for n, d_model, heads, layers in STACKS:
        request = f"stack {n} {d_model} {heads} {layers}"
        count = max(1, min(100, int(0.1 / ours.median(f"{request} 1"))))
        theirs = best_for(request, max(1, count // 4))
        our_seconds, their_seconds = [], []
        for _ in range(turns if count > 1 else 3):
            our_seconds += ours.seconds(f"{request} {count}")
            their_seconds += theirs.seconds(f"{request} {count}")
        us, them = statistics.median(our_seconds), statistics.median(their_seconds)
        print_row(f"{layers} blocks, {n} x {d_model}, {heads} heads", us, them,
                  f"{them / us:.1f} times (goal 1.3), PyTorch: {theirs.name}")


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


def drags(ours, turns, print_row):
    """A weight of the first and of the seventh of twelve layers: until that layer's pictures are new, and all layers'."""
    for focus in (0, 6):
        for request, until in (("drag", "its layer is new"), ("drag_all", "all layers are new")):
            seconds = []
            for _ in range(turns):
                seconds += ours.seconds(f"{request} 128 768 12 12 {focus} 3")
            print_row(f"drag a weight of layer {focus + 1} of 12, 128 x 768, {until}", statistics.median(seconds), None)


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


def writing(ours, turns, print_row):
    """Tokens that a model as Llama writes, of the sizes of stories260K and stories15M, and as wide and deep as GPT-2.
    llama2.c is held beside it by hand (docs/kernels.md)."""
    for name, model in (("stories260K", "64 172 5 8 4 512"), ("stories15M", "288 768 6 6 6 32000"),
                        ("a model of GPT-2's size", "768 3072 12 12 12 32000")):
        for threads in (1, THREADS):
            us = statistics.median(ours.seconds(f"write {model} {threads} {turns}"))
            print_row(f"a token more, {name}, {threads} threads", us, None, f"{1 / us:.0f} tokens a second")


def training(ours, turns, print_row):
    """Steps of the recipes; ours draw their sequences as well, PyTorch's are drawn before."""
    for task, heads in TRAINING:
        count = 30
        theirs = best_for(f"train-{task} {heads}", count)
        our_seconds, kept_seconds, their_seconds = [], [], []
        for _ in range(turns):
            our_seconds += ours.seconds(f"train {task} {heads} {4 * count}")
            kept_seconds += ours.seconds(f"train_kept {task} {heads} {4 * count}")
            their_seconds += theirs.seconds(f"train-{task} {heads} {count}")
        us, them = statistics.median(our_seconds), statistics.median(their_seconds)
        print_row(f"a step of training, {task}, {heads} heads", us, them,
                  f"{1 / us:.0f} steps a second, {them / us:.1f} times, PyTorch: {theirs.name}",
                  f"{100 * (statistics.median(kept_seconds) / us - 1):.1f} % more with a snapshot of every step")


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
            notes += [f"{line['per_second']:.0f} a second"] if "per_second" in line else []
            print_row(line["measure"], None if milliseconds is None else milliseconds / 1e3, None, *notes)
        if result.returncode != 0 or not lines:
            print_row("hydrascope " + " ".join(command[command.index("measure"):]), None, None, "-")


def models(path, print_row):
    """Published sizes, from a cold start with the file cached."""
    def rows(what, folder):
        said = subprocess.run([path, "measure", "--model", folder], stdout=subprocess.PIPE, text=True, check=True).stdout
        for line in map(json.loads, said.splitlines()):
            note = [f"{line['MB']:.0f} MB"] if "MB" in line else []
            yield f"{what}: {line['measure']}", line["ms"] / 1e3 if "ms" in line else None, None, *note

    with tempfile.TemporaryDirectory() as folder:
        made_models.gpt2(folder)
        list(rows("GPT-2 small", folder))  # the first run caches the file
        for row in rows("GPT-2 small", folder):
            print_row(*row)
    with tempfile.TemporaryDirectory() as folder:
        made_models.llama(folder)
        what = "Llama of 8 billion numbers"
        print_row(f"{what}: hydrascope info", statistics.median(took([path, "info", folder])[0] for _ in range(3)), None)
        for row in rows(what, folder):
            print_row(*row)


def took(command):
    """Seconds by the clock and of the processor."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime


def measured(path):
    """What the program measures of its frames, of the processor's time where it says that: name to number."""
    said = subprocess.run([path, "measure"], stdout=subprocess.PIPE, text=True, check=True).stdout
    lines = [json.loads(line) for line in said.splitlines()]
    return {line["measure"]: line["cpu_ms"] for line in lines if "cpu_ms" in line}


def views(built, installed, turns):
    """Of every view a frame at rest, of a drag and of a click, before OpenGL draws it: milliseconds, as a table. Beside an
    installed program its times and their ratio, in turns."""
    programs = [built] + ([installed] if installed else [])
    times = {path: [] for path in programs}
    for turn in range(turns):
        for path in programs[:: 1 if turn % 2 == 0 else -1]:
            said = subprocess.run([path, "measure", "--views"], stdout=subprocess.PIPE, text=True, check=True).stdout
            times[path].append({line["measure"]: line["computing_ms"] for line in map(json.loads, said.splitlines())})
    print(f"medians of {turns}, ms" + ("; / is of the time of the program that was built here" if installed else ""))
    for what in times[built][0]:
        ours, *theirs = (statistics.median(turn[what] for turn in times[path]) for path in programs)
        print(f"{what:40} {ours:8.3f}" + "".join(f" {other:8.3f} / {other / ours:.3f}" for other in theirs), flush=True)


def compare(built, installed, turns):
    """The program built here beside an installed one, in turns: the ratios of what the same work takes them."""
    layer = {"heads": 8, "residual": True, "norm": {}, "feed_forward": {}, "weights": {"kind": "random", "seed": 7}}
    with tempfile.TemporaryDirectory() as folder:
        stack = str(pathlib.Path(folder) / "stack.json")
        pathlib.Path(stack).write_text(json.dumps({"hydrascope": 1, "sentence": " ".join(f"w{k}" for k in range(256)),
                                                   "d_model": 512, "layers": [layer] * 6}))
        works = {"analyze, 6 blocks, 256 x 512": ["analyze", stack, "--layer", "3"],
                 "sweep, 256 x 512": ["sweep", stack, "--seeds", "1", "--heads", "1,8,64"],
                 "train induction, 1500 steps": ["train", "--task", "induction", "--steps", "1500"],
                 "train students, 32 heads, 1000 steps": ["train", "--task", "students", "--heads", "32", "--steps", "1000"],
                 "fit, 1 to 16 heads": ["fit", "--heads", "1,2,4,8,16"]}
        print("medians of processor time, in turns; / is of the time of the program that was built here")
        print(f"{'':70} {'built':>12} {'installed':>12}  / processor  / clock")
        ratios = []

        def report(what, ours, theirs, clock=""):
            ratios.append(theirs / ours)
            print(f"{what:70} {ours:10.2f} ms {theirs:10.2f} ms  {theirs / ours:11.3f}  {clock}", flush=True)

        for what, arguments in works.items():
            times = {built: [], installed: []}
            for turn in range(turns):
                for path in [built, installed][:: 1 if turn % 2 == 0 else -1]:
                    times[path].append(took([path, *arguments]))
            (clock, cpu), (other_clock, other_cpu) = (map(statistics.median, zip(*times[path])) for path in times)
            report(what, 1e3 * cpu, 1e3 * other_cpu, f"{other_clock / clock:.3f}")
    frames = {built: [], installed: []}
    for turn in range(turns):
        for path in [built, installed][:: 1 if turn % 2 == 0 else -1]:
            frames[path].append(measured(path))
    for what in frames[built][0]:
        report(what, *(statistics.median(turn[what] for turn in frames[path]) for path in frames))
    print(f"all {len(ratios)}: {min(ratios):.3f} to {max(ratios):.3f}, median {statistics.median(ratios):.3f}")


def print_row(what, us=None, them=None, *notes):
    def milliseconds(seconds):
        return "" if seconds is None else f"{seconds * 1e3:.3f} ms"

    print(f"{what:60} {milliseconds(us):>12} {milliseconds(them):>12}  {'  '.join(notes)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", help="the hydra_bench program")
    parser.add_argument("--program", required=True, help="the hydrascope program")
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    parser.add_argument("--installed", help="another hydrascope program, which is compared with that one, and nothing else")
    parser.add_argument("--training", action="store_true", help="training alone")
    parser.add_argument("--views", action="store_true", help="frames of every view alone")
    parser.add_argument("--models", action="store_true", help="models of published sizes alone")
    arguments = parser.parse_args()
    turns = 3 if arguments.quick else 9
    if arguments.views:
        return views(arguments.program, arguments.installed, 5)
    if arguments.models:
        return models(arguments.program, print_row)
    if arguments.installed:
        return compare(arguments.program, arguments.installed, turns)
    ours = Bench([arguments.bench])
    print(f"medians; ours on {THREADS} threads, PyTorch and sgemm with the setting that serves each best")
    print(f"{'':60} {'Hydrascope':>12} {'PyTorch':>12}")
    if arguments.training:
        return training(ours, turns, print_row)
    full = forwards(ours, turns, print_row)
    stacks(ours, turns, print_row)
    causal(ours, turns, full, print_row)
    edits(ours, turns, full, print_row)
    drags(ours, turns, print_row)
    ways(ours, turns, print_row)
    decoding(ours, turns, print_row)
    shared_keys(ours, turns, print_row)
    writing(ours, turns, print_row)
    training(ours, turns, print_row)
    program(arguments.program, print_row)
    models(arguments.program, print_row)


if __name__ == "__main__":
    main()
