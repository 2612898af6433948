#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes loops/*.mlir: the loops of bench/operations.py that have to be machine code, on their
smallest arguments. Needs JAX.

usage: make_loops.py
"""
import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[3] / "bench"))

import jax  # noqa: E402  the platform must be chosen before
import operation_rows  # noqa: E402

OTHERS = ("scan of tiny steps", "fori of tiny steps", "while of vectors", "newton", "cond in scan")


def main():
    for group, name, function, cases, _ in operation_rows.rows():
        if group == "scalar_loops" or name in OTHERS:
            text = jax.jit(function).lower(*cases[0]).as_text()
            (HERE / "loops" / f"{name.replace(' ', '_')}.mlir").write_text(text)


if __name__ == "__main__":
    main()
