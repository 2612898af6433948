#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JAX's own cases of single primitives on the pod, compared with JAX's CPU backend.

usage: tests/pjrt/primitives.py [EVERY [NAME]]   each EVERY-th case (1) whose name begins with
                                                  NAME; the table of docs/pjrt.md
"""
import collections
import functools
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
# The error of a factor in f32 grows with the condition of its matrix, that of a singular vector with
# 1 / (distance of the singular values): two libraries differ by more than the rounding of sums.
FACTOR = 4e-4
FACTORS = ("svd", "cholesky")
# Parts of results that the operation leaves open, taken away before the comparison:
# signs (phases) of singular vectors; the triangle that no factor has; indices of equal values; what
# an unstable sort makes of equal keys.
DEFINED = {"svd": lambda arrays: [np.abs(one) for one in arrays],
           "cholesky": lambda arrays: [np.tril(one) for one in arrays],
           "approx_top_k": lambda arrays: arrays[:1],
           "sort_multiple_arrays": lambda arrays: arrays[:1]}


def defined(name, arrays):
    return next((of for one, of in DEFINED.items() if name.startswith(one)), list)(arrays)


def wide(array):
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def close(name, ours, theirs):
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if ours.dtype.kind in "iub":
        return np.array_equal(ours, theirs)
    element = str(ours.dtype)
    bound = FLOAT8 if element.startswith(("float8", "float4")) else TOLERANCE.get(element, F32)
    if bound == F32 and name.startswith(FACTORS):
        bound = FACTOR
    ours, theirs = wide(ours), wide(theirs)
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
    if [(one.dtype, one.shape) for one in ours] != [(one.dtype, one.shape) for one in theirs]:
        return "differs"
    alike = functools.partial(close, name)
    if all(map(alike, ours, theirs)):
        return "equal"
    if "isstable_True" in name:
        return "differs"
    same = all(map(alike, defined(name, ours), defined(name, theirs)))
    return "equal in what is defined" if same else "differs"


def results(folder, side, every, begin):
    out = folder / f"{side}.pickle"
    words = [str(conftest.SCRIPTS / "primitives.py"), str(out), str(every), begin]
    if side == "pod":
        run = conftest.Pod(folder, *words, slice_name="v6e-1", limit=3600).wait()
        if run.code != 0:
            raise RuntimeError(run.err)
    else:
        subprocess.run([sys.executable, *words], check=True, timeout=7200,
                       env=conftest.environment(JAX_PLATFORMS="cpu"))
    with open(out, "rb") as file:
        return pickle.load(file)


def compared(folder, every, begin=""):
    """{verdict: [names]}"""
    ours, theirs = (results(folder, side, every, begin) for side in ("pod", "cpu"))
    rows = collections.defaultdict(list)
    for name in ours:
        rows[verdict(name, ours[name], theirs[name])].append(name)
    return rows


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as text:
        table = compared(pathlib.Path(text), int((sys.argv + ["1"])[1]), (sys.argv + ["", ""])[2])
    for row, names in sorted(table.items()):
        print(f"| {row} | {len(names)} |")
        if row in ("differs", "fails here"):
            print("\n".join("  " + name for name in names))
    sys.exit("differs" in table or "fails here" in table)
