#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small all_reduces in a bucket (`--collectives auto`) compared with single ones (`direct`), in one
program of 40 on 8 chips. Runs in the order A B B A, after comparing the results. Prints the
milliseconds of a step: the median over the steps of a run, and median, minimum and maximum of runs.

usage: combining.py UNDERSTUDY [--pairs N] [--steps N] [--out FILE]
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import machine

CALLS = 40
ALL_REDUCE = """  %r{i} = "stablehlo.all_reduce"(%a{i}) <{{channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>,
    replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : ({type}) -> {type}
"""


def program(kibibytes):
    kind = f"tensor<{kibibytes * 256}xf32>"
    numbers = range(CALLS)
    arguments = ", ".join(f"%a{i}: {kind}" for i in numbers)
    body = "".join(ALL_REDUCE.format(i=i, channel=i + 1, type=kind) for i in numbers)
    results = ", ".join(f"%r{i}" for i in numbers)
    kinds = ", ".join([kind] * CALLS)
    return (
        "module @combining attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n"
        f"func.func public @main({arguments}) -> ({kinds}) {{\n{body}  return {results} : {kinds}\n}}\n}}\n"
    )


def run(understudy, path, how, steps):
    words = [understudy, "run", path.name, "--slice", "v6e-8", "--fill", "random:1", "--json"]
    words += ["--steps", str(steps), "--collectives", how]
    ran = subprocess.run(words, cwd=path.parent, check=True, capture_output=True, text=True, timeout=120)
    document = json.loads(ran.stdout)
    seconds = [step["wall_seconds"] for step in document["steps"][2:]]
    return statistics.median(seconds) * 1e3, [one["digest"] for one in document["results"]]


def figures(values):
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def measure(understudy, folder, kibibytes, options):
    path = folder / f"combining_{kibibytes}.mlir"
    path.write_text(program(kibibytes))
    times = {"auto": [], "direct": []}
    digests = set()
    for _ in range(options.pairs):
        for how in ("auto", "direct", "direct", "auto"):
            milliseconds, results = run(understudy, path, how, options.steps)
            times[how].append(milliseconds)
            digests.add(tuple(results))
    if len(digests) != 1:
        raise SystemExit(f"combining: the results of {kibibytes} KiB differ")
    row = {"kibibytes": kibibytes, **{how: figures(values) for how, values in times.items()}}
    print("{kibibytes:>4} KiB  auto {auto[median]:.2f} ms  direct {direct[median]:.2f} ms".format(**row))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("understudy")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    understudy = str(pathlib.Path(options.understudy).resolve())
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(understudy, pathlib.Path(folder), k, options) for k in (1, 8, 16, 32)]
    if options.out:
        document = {"schema": "understudy/bench-combining/1", "machine": machine.machine(),
                    "calls": CALLS, "rows": rows}
        options.out.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
