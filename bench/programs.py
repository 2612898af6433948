#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Program folders run by understudy and by JAX on CPU with forced host devices: same program,
arguments and machine, in the order A B B A, verified first. Ratios are the time of JAX over ours
(above 1: ours is faster), medians over the pairs with the lowest and highest:

- step: the median step of a run, without the first three;
- process: from the start of the process to its end, with one step; `cold` with an empty compile
  cache, `warm` with what the cold run left.

Peak memory is the sum of Pss of all processes of a run, sampled every 50 ms.

usage: programs.py UNDERSTUDY FOLDER... [--large] [--pairs N] [--steps N] [--out FILE]
       --large: also the two programs of bench/large_programs.py, with fewer steps
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import machine

HERE = pathlib.Path(__file__).resolve().parent


def children(pid):
    """`pid` and all processes below it."""
    found = [pid]
    for one in found:
        try:
            tasks = pathlib.Path(f"/proc/{one}/task").iterdir()
            for task in tasks:
                found += [int(word) for word in (task / "children").read_text().split()]
        except OSError:
            continue
    return found


def pss(pid):
    total = 0
    for one in children(pid):
        try:
            for line in pathlib.Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        except OSError:
            continue
    return total


def run(words, environment, samples=False):
    """Standard output, seconds, and the peak memory where it is sampled."""
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment)
    peak = [0]

    def sample():
        while process.poll() is None:
            peak[0] = max(peak[0], pss(process.pid))
            time.sleep(0.05)

    if samples:
        threading.Thread(target=sample, daemon=True).start()
    out, errors = process.communicate(timeout=900)
    if process.returncode != 0:
        raise RuntimeError(f"{words[0]}: {errors.strip().splitlines()[-1]}")
    return out, time.perf_counter() - start, peak[0]


class Sides:
    def __init__(self, understudy, folder, state):
        self.understudy, self.folder, self.state = understudy, folder, state
        self.environment = dict(os.environ, XDG_STATE_HOME=f"{state}/state")

    def ours(self, steps, cache, samples=False):
        environment = dict(self.environment, XDG_CACHE_HOME=f"{self.state}/{cache}")
        words = [self.understudy, "run", str(self.folder), "--steps", str(steps), "--json",
                 "--numerics", "ieee"]
        out, seconds, peak = run(words, environment, samples)
        return [step["wall_seconds"] for step in json.loads(out)["steps"]], seconds, peak

    def jax(self, steps, out=None, samples=False):
        words = [sys.executable, str(HERE / "jax_program.py"), str(self.folder), "--steps", str(steps)]
        words += ["--out", str(out)] if out else []
        text, seconds, peak = run(words, self.environment, samples)
        return json.loads(text), seconds, peak


def ratio(jax, ours):
    ratios = [a / b for a, b in zip(jax, ours, strict=True)]
    return {"ratio": statistics.median(ratios), "low": min(ratios), "high": max(ratios),
            "jax_ms": statistics.median(jax) * 1e3, "ours_ms": statistics.median(ours) * 1e3}


def measure(sides, pairs, steps):
    # A run of one step compares its results with the expected ones and fails where they differ.
    sides.ours(1, "verified")
    skipped = min(3, steps - 1)
    times = {side: {"step": [], "cold": [], "warm": []} for side in ("jax", "ours")}
    for pair in range(pairs):
        for side in ("jax", "ours") if pair % 2 == 0 else ("ours", "jax"):
            if side == "jax":
                step = sides.jax(steps)[0]
                whole = sides.jax(1)[1]
                times["jax"]["cold"].append(whole)
                times["jax"]["warm"].append(whole)
            else:
                step = sides.ours(steps, "verified")[0]
                times["ours"]["cold"].append(sides.ours(1, f"cold{pair}")[1])
                times["ours"]["warm"].append(sides.ours(1, f"cold{pair}")[1])
            times[side]["step"].append(statistics.median(step[skipped:]))
    found = {name: ratio(times["jax"][name], times["ours"][name]) for name in times["jax"]}
    found["peak_pss"] = {"jax": sides.jax(2, samples=True)[2],
                         "ours": sides.ours(2, "verified", samples=True)[2]}
    return found


def show(name, row):
    cells = "  ".join(f"{kind} {row[kind]['ratio']:.2f} [{row[kind]['low']:.2f} {row[kind]['high']:.2f}]"
                      for kind in ("step", "cold", "warm"))
    memory = row["peak_pss"]["jax"] / row["peak_pss"]["ours"]
    print(f"{name:32} {cells}  memory {memory:.2f}  step {row['step']['ours_ms']:.2f} ms, JAX "
          f"{row['step']['jax_ms']:.2f} ms", flush=True)


def large_folders(into, environment):
    subprocess.run([sys.executable, str(HERE / "large_programs.py"), str(into)], check=True,
                   env=environment)
    for folder in sorted(into.iterdir()):
        subprocess.run([sys.executable, str(HERE / "jax_program.py"), str(folder), "--out", str(folder)],
                       check=True, stdout=subprocess.DEVNULL)
        yield folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("understudy")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        def add(folder, pairs, steps):
            row = {"program": folder.name}
            try:
                sides = Sides(str(pathlib.Path(options.understudy).resolve()), folder,
                              f"{temporary}/state-{folder.name}")
                row |= measure(sides, pairs, steps)
                show(folder.name, row)
            except RuntimeError as error:
                row["error"] = str(error)
                print(f"{folder.name:32} {error}", flush=True)
            rows.append(row)

        for folder in options.folders:
            add(folder, options.pairs, options.steps)
        if options.large:
            for folder in large_folders(pathlib.Path(temporary) / "large", dict(os.environ)):
                add(folder, min(options.pairs, 3), 4)
    if options.out:
        document = {"schema": "understudy/bench-programs/1", "machine": machine.machine(), "rows": rows}
        options.out.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
