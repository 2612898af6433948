#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the list of programs as folders for `judge DIR`, each lowered for cpu and tpu, as text
and as artifact, with results of JAX on CPU. A program that this JAX cannot lower for a platform
is left out and printed.

    write.py --out DIR [--only WORD] [--platforms cpu,tpu]
"""
import argparse
import json
import os
import pathlib
import re
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
os.environ["JAX_PLATFORMS"] = "cpu"
sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent))

import jax  # noqa: E402  (the flags must be set before)
import jax.export  # noqa: E402
import numpy as np  # noqa: E402


from case import F64, SPACING, TINY, finite_max, nudged  # noqa: E402
from draw import stored  # noqa: E402
from registry import CALLBACK, PROGRAMS, RUNS  # noqa: E402

# `draw` enables 64-bit types; most users do not.
jax.config.update("jax_enable_x64", False)
jax.config.update("jax_default_matmul_precision", "highest")

MODULES = ["attention", "control", "libraries", "linalg", "moe", "number_programs", "pallas_programs", "refused",
           "sharded_programs", "training", "vision", "primitives", "science", "sequences"]


def load_all():
    for module in MODULES:
        try:
            __import__(module)
        except ImportError as error:
            print(f"skipped {module}: {error}")


def exported(function, arguments, platform):
    """An Exported; custom calls whose stability JAX does not promise are allowed one by one."""
    allowed = []
    while True:
        try:
            return jax.export.export(function, platforms=[platform], disabled_checks=allowed)(*arguments)
        except ValueError as error:
            names = re.findall(r"'([\w.$]+)'", str(error)) if "custom call" in str(error) else []
            if not names or len(allowed) > 40:
                raise
            allowed += [jax.export.DisabledSafetyCheck.custom_call(name) for name in names]


def flat(results):
    return [np.asarray(jax.random.key_data(leaf) if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key) else leaf)
            for leaf in map(jax.numpy.asarray, jax.tree_util.tree_leaves(results))]


def tolerance(program, want, noisy):
    """Relative and absolute: what the result changes by when arguments change in their last place,
    and spacings of its largest element, times the program's allowance."""
    if want.dtype not in SPACING:
        return 0.0, 0.0
    spacing, wide = SPACING[want.dtype], np.complex128 if want.dtype.kind == "c" else F64
    change = 0.0
    for other in noisy:
        with np.errstate(all="ignore"):
            change = max(change, finite_max(np.abs(other.astype(wide) - want.astype(wide))))
    if program.through is not None:
        return 4 * spacing, 4 * SPACING[np.dtype(program.through)] * finite_max(want)
    allowed = program.spacings if want.dtype.itemsize > 2 else 4
    return 4 * spacing, allowed * (change + spacing * finite_max(want)) + float(TINY[want.dtype])


def write(program, platform, index, out):
    rng = np.random.default_rng([7, index])
    arguments = program.arguments(rng)
    function = program.function if hasattr(program.function, "lower") else jax.jit(program.function, keep_unused=True)
    # JAX does not serialise host callbacks: they only have a text.
    unit = exported(function, arguments, platform) if program.expected != CALLBACK else None
    text = unit.mlir_module() if unit else function.lower(*arguments).as_text()
    want, noisy = [], []
    if program.expected == RUNS:
        want = flat(function(*arguments))
        noisy = [flat(function(*[nudged(a, rng) for a in arguments])) for _ in range(3)]
    devices = getattr(unit, "nr_devices", 1)
    forms = ("text", "artifact") if unit else ("text",)
    manifest = {"name": program.name, "about": program.group, "devices": devices, "args": [], "results": []}
    for form in forms:
        folder = out / f"{program.name}.{platform}.{form}"
        folder.mkdir(parents=True)
        if form == "text":
            (folder / "program.mlir").write_text(text)
        else:
            (folder / "program.mlir").write_bytes(unit.mlir_module_serialized)
        for i, array in enumerate(arguments):
            np.save(folder / f"arg{i}.npy", stored(array))
        for i, array in enumerate(want):
            np.save(folder / f"out{i}.npy", stored(array))
        manifest["args"] = [{"file": f"arg{i}.npy", "dtype": a.dtype.name, "shape": list(a.shape)}
                            for i, a in enumerate(arguments)]
        manifest["results"] = [dict(zip(("file", "dtype", "shape", "rtol", "atol"),
                                        (f"out{i}.npy", a.dtype.name, list(a.shape),
                                         *tolerance(program, a, [n[i] for n in noisy]))))
                               for i, a in enumerate(want)]
        (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", required=True, type=pathlib.Path)
    options.add_argument("--only", default="")
    options.add_argument("--platforms", default="cpu,tpu")
    given = options.parse_args()
    load_all()
    failed = 0
    for index, program in enumerate(PROGRAMS):
        if given.only not in program.name or jax.__version_info__ < program.since:
            continue
        for platform in (p for p in given.platforms.split(",") if p in program.platforms):
            try:
                write(program, platform, index, given.out)
            except Exception as error:  # JAX raises many kinds of error
                failed += 1
                print(f"not lowered: {program.name} for {platform}: {type(error).__name__}: {str(error)[:200]}")
    print(f"{len(PROGRAMS)} programs, {failed} lowerings failed")


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
