#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Single operations on one chip compared with JAX on CPU: same function, arguments and core.

Results are compared first; then both run in the order A B B A. A figure is the time of JAX over
ours (above 1: ours is faster): the median over the pairs, and the lowest and highest. JAX and the
chip are confined to one core, and their CPU time counts, so that other load on the machine matters
little; a time of JAX includes the call from Python (about 5 us).

usage: operations.py BENCH_OPERATIONS [--only WORD] [--pairs N] [--seconds S] [--out FILE]
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["OMP_NUM_THREADS"] = "1"
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax  # noqa: E402  the core must be chosen before JAX makes its threads
import jax.export  # noqa: E402
import numpy as np  # noqa: E402

import machine  # noqa: E402
import operation_rows  # noqa: E402


class Ours:
    """The process that runs programs on a chip."""

    def __init__(self, binary, folder):
        self.folder = folder
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("error"):
            raise RuntimeError(answer or f"bench_operations ended at {line!r}")
        return answer

    def load(self, function, arguments):
        text = jax.export.export(jax.jit(function), platforms=["tpu"])(*arguments).mlir_module()
        program = self.folder / "program.mlir"
        program.write_text(text)
        for i, argument in enumerate(jax.tree.leaves(arguments)):
            np.asarray(argument).tofile(self.folder / f"in{i}")
        self.ask(f"load {program} {self.folder}")

    def results(self, like):
        self.ask("run")
        return [np.fromfile(self.folder / f"out{i}", dtype=one.dtype).reshape(one.shape)
                for i, one in enumerate(like)]

    def time(self, runs):
        seconds, instructions = self.ask(f"time {runs}").split()
        self.instructions = int(instructions) // runs
        return float(seconds)


def compare(name, ours, theirs, tolerance):
    for mine, other in zip(ours, theirs, strict=True):
        wide = np.complex128 if np.iscomplexobj(other) else np.float64
        mine, other = mine.astype(wide), np.asarray(other).astype(wide)
        scale = np.abs(np.where(np.isfinite(other), other, 0)).max(initial=0) + 1e-30
        # Equal infinities are no difference.
        far = np.where(mine == other, 0, np.abs(mine - np.where(mine == other, 0, other)))
        far = far.max(initial=0) / scale
        if not far <= tolerance:
            raise RuntimeError(f"{name}: results differ by {far:.3g} of the largest value")


def time_jax(call, arguments, runs):
    start = time.process_time()
    for _ in range(runs):
        jax.block_until_ready(call(*arguments))
    return time.process_time() - start


def runs_for(measure, seconds):
    """How many runs fill `seconds`."""
    runs = 1
    while (took := measure(runs)) < seconds / 4 and runs < 1 << 20:
        runs *= 2
    return max(1, round(runs * seconds / took))


def measure(ours, name, function, arguments, tolerance, options):
    call = jax.jit(function)
    expected = jax.tree.leaves(jax.block_until_ready(call(*arguments)))
    ours.load(function, arguments)
    compare(name, ours.results(expected), expected, tolerance)
    theirs = runs_for(lambda n: time_jax(call, arguments, n), options.seconds)
    mine = runs_for(ours.time, options.seconds)
    ratios, times = [], []
    for pair in range(options.pairs):
        sides = {}
        for side in ("ours", "jax") if pair % 2 == 0 else ("jax", "ours"):
            sides[side] = (ours.time(mine) / mine if side == "ours"
                           else time_jax(call, arguments, theirs) / theirs)
        ratios.append(sides["jax"] / sides["ours"])
        times.append(sides)
    return {"ratio": statistics.median(ratios), "low": min(ratios), "high": max(ratios),
            "instructions": ours.instructions,
            "chains": dict(zip(("compiled", "stay", "refused"), map(int, ours.ask("chains").split()))),
            "ours_us": statistics.median(t["ours"] for t in times) * 1e6,
            "jax_us": statistics.median(t["jax"] for t in times) * 1e6}


def sizes(arguments):
    return " ".join("x".join(map(str, a.shape)) or "1" for a in jax.tree.leaves(arguments))


def options_of(description, only):
    """The options of a comparison of rows with another side; `only`: what its words are part of."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--only", default="", help=f"part of {only}")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.03, help="of one sample")
    parser.add_argument("--out", type=pathlib.Path)
    return parser.parse_args()


def store(path, schema, found):
    if path:
        document = {"schema": schema, "machine": machine.machine(jax=jax.__version__), "rows": found}
        path.write_text(json.dumps(document, indent=1) + "\n")


def main():
    options = options_of(__doc__, "a row's or group's name")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(str(pathlib.Path(options.binary).resolve()), pathlib.Path(folder))
        for group, name, function, cases, tolerance in operation_rows.rows():
            if options.only not in group and options.only not in name:
                continue
            for arguments in cases:
                row = {"group": group, "operation": name, "arguments": sizes(arguments)}
                try:
                    row |= measure(ours, name, function, arguments, tolerance, options)
                    print(f"{name:24} {row['arguments'][:34]:34} {row['ratio']:8.2f} "
                          f"[{row['low']:.2f} {row['high']:.2f}]  ours {row['ours_us']:.1f} us  "
                          f"JAX {row['jax_us']:.1f} us", flush=True)
                except RuntimeError as error:
                    row["error"] = str(error)
                    print(f"{name:24} {row['arguments'][:34]:34} {error}", flush=True)
                found.append(row)
        ours.process.stdin.close()
    ratios = [row["ratio"] for row in found if "ratio" in row]
    print(f"{len(ratios)} cells, geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, "
          f"{sum(r < 1 for r in ratios)} below 1, {len(found) - len(ratios)} failed")
    store(options.out, "understudy/bench-operations/1", found)


if __name__ == "__main__":
    main()
