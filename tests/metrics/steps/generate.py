#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/metrics/steps/*.mlir: training and evaluation steps whose metrics are or are not
globally reduced, lowered by JAX through the package `understudy`.

The first line of each file states the expected output of `understudy metrics --fill random:1`: the
verdict of every result, then the patterns of its warnings; the second one the contributors of
partially reduced results. Table of all programs: README.md, written too.
usage: generate.py [NAME...]   needs JAX and PYTHONPATH=python
"""
import pathlib
import re
import sys
import tempfile

import jax

import understudy

# Each registers its programs, in the order of the table.
import bounded_steps  # noqa: F401
import data_steps  # noqa: F401
import grid_steps  # noqa: F401
from step_kit import PROGRAMS

FOLDER = pathlib.Path(__file__).parent


def lowered(name):
    function, verdicts, warnings, specs, out, arguments, mesh, counts = PROGRAMS[name]

    def mapped(*values):
        return jax.shard_map(function, in_specs=specs, out_specs=out, check_vma=False)(*values)
    with tempfile.TemporaryDirectory() as folder:
        understudy.export(mapped, *arguments, mesh=mesh, out=folder)
        text = (pathlib.Path(folder) / "program.mlir").read_text()
    # Places of this machine are left out; the tests of the package look at them.
    text = "\n".join(line for line in _without_locations(text).splitlines() if line)
    head = f"// {' '.join(verdicts)}{' | ' + ' '.join(warnings) if warnings else ''}\n"
    return f"{head}// {'; '.join(counts)}\n{text}\n"


def _without_locations(text):
    text = re.sub(r"^#loc.*$", "", text, flags=re.MULTILINE)
    return re.sub(r' loc\((#loc\d*|"[^"]*"(\(#loc\d*\))?|unknown)\)', "", text)


def table():
    rows = ["# Steps with known verdicts", "",
            "`generate.py` writes these programs and this table. Warnings are in brackets.", "",
            "| program | mesh | verdicts | only these data count |", "|---|---|---|---|"]
    for name, (_, verdicts, warnings, _, _, _, mesh, counts) in PROGRAMS.items():
        text = ", ".join(verdicts) + (f" ({', '.join(warnings)})" if warnings else "")
        axes = ", ".join(f"{axis}={size}" for axis, size in mesh.items())
        rows.append(f"| `{name}` | {axes} | {text} | {'; '.join(counts)} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    for chosen in sys.argv[1:] or PROGRAMS:
        (FOLDER / f"{chosen}.mlir").write_text(lowered(chosen))
    (FOLDER / "README.md").write_text(table())
