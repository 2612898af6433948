#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares our reader with jaxlib's MLIR parser on the same files: paired ratios, order A B B A.
Both parse and verify. First the modules are compared: jaxlib must read the same from the text and from
our output.

usage: read_text.py BENCH_READ_TEXT [--megabytes N] [--pairs N] [--out FILE]
Needs an interpreter that has JAX, for instance build/venv/bin/python.
"""
import argparse
import json
import pathlib
import random
import statistics
import subprocess
import tempfile
import time

import jaxlib
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

import machine


def ours_seconds(binary, path):
    words = [binary, "--file", str(path), "--repeats", "1"]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def rival_seconds(text):
    start = time.perf_counter()
    module = ir.Module.parse(text)
    seconds = time.perf_counter() - start
    del module
    return seconds


def expect_equal(binary, path):
    """Whether jaxlib reads the same operations and bits from our printed module."""
    ours = path.with_suffix(".ours")
    subprocess.run([binary, "--file", str(path), "--print", str(ours)], check=True)
    with mlir.make_ir_context():
        texts = [
            ir.Module.parse(p.read_text()).operation.get_asm(print_generic_op_form=True)
            for p in (path, ours)
        ]
    if texts[0] != texts[1]:
        raise SystemExit(f"read_text: {path.stem}: our module differs from jaxlib's")


def interval(ratios):
    draw = random.Random(20240229)
    medians = sorted(
        statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(2000)
    )
    return medians[50], medians[-51]


def measure(binary, path, pairs):
    text = path.read_text()
    ours, rival = [], []
    with mlir.make_ir_context():
        for i in range(pairs):
            if i % 2 == 0:
                ours.append(ours_seconds(binary, path))
            rival.append(rival_seconds(text))
            if i % 2 == 1:
                ours.append(ours_seconds(binary, path))
    ratios = [b / a for a, b in zip(ours, rival)]
    low, high = interval(ratios)
    megabytes = path.stat().st_size / 1e6
    return {
        "sample": path.stem,
        "megabytes": megabytes,
        "ratio_median": statistics.median(ratios),
        "ratio_low": low,
        "ratio_high": high,
        "pairs": pairs,
        "ours_megabytes_per_second": megabytes / statistics.median(ours),
        "jaxlib_megabytes_per_second": megabytes / statistics.median(rival),
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("binary")
    arguments.add_argument("--megabytes", type=int, default=20)
    arguments.add_argument("--pairs", type=int, default=20)
    arguments.add_argument("--out")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = [given.binary, "--write-samples", folder, "--megabytes", str(given.megabytes)]
        subprocess.run(words, check=True)
        files = sorted(pathlib.Path(folder).glob("*.mlir"))
        for path in files:
            expect_equal(given.binary, path)
        rows = [measure(given.binary, path, given.pairs) for path in files]
    for row in rows:
        print(
            "{sample:<12} ratio {ratio_median:.2f} [{ratio_low:.2f}, {ratio_high:.2f}]"
            "  ours {ours_megabytes_per_second:.0f} MB/s"
            "  jaxlib {jaxlib_megabytes_per_second:.0f} MB/s".format(**row)
        )
    if given.out:
        document = {"schema": "understudy/bench-read-text/2", "machine": machine.machine(jaxlib=jaxlib.__version__), "rows": rows}
        pathlib.Path(given.out).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
