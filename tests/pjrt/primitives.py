#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JAX's own cases of single primitives on the pod, compared with JAX's CPU backend.

usage: tests/pjrt/primitives.py [EVERY]   each EVERY-th case (1); the table of docs/pjrt.md
"""
import collections
import pathlib
import pickle
import subprocess
import sys
import tempfile

import ml_dtypes  # noqa: F401  types of the pickled arrays
import numpy as np

import conftest

# Relative to the largest value of an array. Two roundings of an element for the narrow types; f32
# sums in other orders.
TOLERANCE = {"float64": 1e-10, "complex128": 1e-10, "float16": 2e-3, "bfloat16": 1.6e-2}
F32, FLOAT8 = 2e-5, 0.15
# Cases whose results may differ, with the reason.
FREE = {"svd": "the signs of the vectors are free",
        "cholesky": "the other triangle is undefined",
        "sort_multiple_arrays": "JAX draws the input without a seed",
        "approx_top_k": "the order of equal values is free"}


def family(name):
    return next((one for one in FREE if name.startswith(one)), None)


def close(ours, theirs):
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if ours.dtype.kind in "iub":
        return np.array_equal(ours, theirs)
    name = str(ours.dtype)
    bound = FLOAT8 if name.startswith(("float8", "float4")) else TOLERANCE.get(name, F32)
    wide = np.complex128 if ours.dtype.kind == "c" else np.float64
    ours, theirs = ours.astype(wide), theirs.astype(wide)
    largest = np.max(np.abs(theirs[np.isfinite(theirs)]), initial=1)
    return np.allclose(ours, theirs, rtol=bound, atol=0.1 * bound * largest, equal_nan=True)


def verdict(name, ours, theirs):
    """Of one case: a row of the table."""
    if isinstance(ours, str):
        # JAX itself refuses: nothing reached the plugin.
        if isinstance(theirs, str) or "not found for platform tpu" in ours:
            return "refused by JAX"
        return "fails here"
    if isinstance(theirs, str):
        return "runs here, not on the CPU"
    if len(ours) == len(theirs) and all(map(close, ours, theirs)):
        return "equal"
    return f"free: {family(name)}" if family(name) else "differs"


def results(folder, side, every):
    out = folder / f"{side}.pickle"
    words = [str(conftest.SCRIPTS / "primitives.py"), str(out), str(every)]
    if side == "pod":
        run = conftest.Pod(folder, *words, slice_name="v6e-1", limit=3600).wait()
        if run.code != 0:
            raise RuntimeError(run.err)
    else:
        subprocess.run([sys.executable, *words], check=True, timeout=7200,
                       env=conftest.environment(JAX_PLATFORMS="cpu"))
    with open(out, "rb") as file:
        return pickle.load(file)


def compared(folder, every):
    """{verdict: [names]}"""
    ours, theirs = (results(folder, side, every) for side in ("pod", "cpu"))
    rows = collections.defaultdict(list)
    for name in ours:
        rows[verdict(name, ours[name], theirs[name])].append(name)
    return rows


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as text:
        table = compared(pathlib.Path(text), int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for row, names in sorted(table.items()):
        print(f"| {row} | {len(names)} |")
        if row in ("differs", "fails here"):
            print("\n".join("  " + name for name in names))
    sys.exit("differs" in table or "fails here" in table)
