#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates random programs, lowers and runs them with JAX on a CPU, and writes each as a folder
for `understudy run`: program.mlir, argI.npy, outI.npy, manifest.json with tolerances.

    draw.py --out DIR --count 300 --seed 1 [--only WORD] [--sharded|--global-view] [--first I]
        [--indexes 3,17] [--format hlo-text] [--expected sharded]

Program I of a seed does not depend on the number of programs. A program that JAX itself refuses is
omitted and counted.
"""
import argparse
import json
import os
import pathlib
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  (the flags must be set before)
import numpy as np  # noqa: E402
from jax.sharding import NamedSharding  # noqa: E402

jax.config.update("jax_enable_x64", True)

import compositions  # noqa: E402
import elementwise  # noqa: E402
import global_view  # noqa: E402
import indexing  # noqa: E402
import movement  # noqa: E402
import reductions  # noqa: E402
import sharded  # noqa: E402
import users  # noqa: E402
from case import flat, nudged, tolerance  # noqa: E402

# JAX keeps everything that it compiled: memory against functions that are traced again.
PROGRAMS_BETWEEN_CLEARINGS = 20

SINGLE = (elementwise.FAMILIES + movement.FAMILIES + reductions.FAMILIES + indexing.FAMILIES
          + compositions.FAMILIES + users.FAMILIES)


def jitted(case):
    if case.mesh is None:
        return jax.jit(case.function, keep_unused=True)
    places = lambda specs: jax.tree_util.tree_map(  # noqa: E731
        lambda spec: NamedSharding(case.mesh, spec), specs,
        is_leaf=lambda s: isinstance(s, jax.sharding.PartitionSpec))
    return jax.jit(
        jax.shard_map(case.function, mesh=case.mesh, in_specs=case.in_specs, out_specs=case.out_specs,
                      check_vma=False),
        in_shardings=places(case.in_specs), out_shardings=places(case.out_specs), keep_unused=True)


def stored(array):
    """NumPy's .npy has no bf16, f8 and 4-bit integers: they travel as bit patterns."""
    array = np.array(array, order="C")
    if array.dtype.kind in "V" or array.dtype.name in ("bfloat16", "int4", "uint4") or "float8" in array.dtype.name:
        return array.view(np.dtype(f"u{array.dtype.itemsize}"))
    return array


def program_in(form, lowered):
    """The bytes of the program: StableHLO text, or the HLO that XLA makes of it, before or after its
    CPU compiler has optimised it. The reader tells them apart by their first bytes."""
    if form == "mlir":
        return lowered.as_text().encode()
    if form == "optimised":
        return lowered.compile().runtime_executable().hlo_modules()[0].to_string().encode()
    hlo = lowered.compiler_ir("hlo")
    if form == "hlo-proto":
        return hlo.as_serialized_hlo_module_proto()
    return hlo.as_hlo_text(print_large_constants=True).encode()


def results_of(function, case, rng):
    """The results, and those of arguments that are off by their last place where the case needs them."""
    want = flat(function(*case.arguments))
    if not case.near or case.relative_to != "noise":
        return want, []
    return want, [flat(function(*[nudged(a, rng) for a in case.arguments])) for _ in range(3)]


def write(case, name, folder, rng, form, expected):
    if case.global_mesh is None:
        function = jitted(case)
        program = program_in(form, function.trace(*case.arguments).lower(lowering_platforms=(case.platform,)))
        want, noisy = results_of(function, case, rng)
    else:
        partitioned = global_view.ProgramOfChip(case)
        try:
            want, noisy = results_of(global_view.reference(case, expected), case, rng)
        finally:
            program = partitioned.receive()
    folder.mkdir(parents=True)
    (folder / "program.mlir").write_bytes(program)
    mesh = case.mesh or case.global_mesh
    manifest = {"name": name, "about": case.family, "devices": 1 if mesh is None else mesh.size,
                "args": [], "results": []}
    for i, array in enumerate(flat(case.arguments)):
        np.save(folder / f"arg{i}.npy", stored(array))
        manifest["args"].append({"file": f"arg{i}.npy", "dtype": array.dtype.name, "shape": list(array.shape)})
    for i, array in enumerate(want):
        np.save(folder / f"out{i}.npy", stored(array))
        rtol, atol = tolerance(case, array, [results[i] for results in noisy])
        manifest["results"].append({"file": f"out{i}.npy", "dtype": array.dtype.name, "shape": list(array.shape),
                                    "rtol": rtol, "atol": atol})
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", required=True, type=pathlib.Path)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--indexes", default="", help="these programs, such as 3,17, and no others")
    options.add_argument("--only", default="", help="only families whose name contains WORD")
    options.add_argument("--sharded", action="store_true")
    options.add_argument("--global-view", action="store_true")
    options.add_argument("--format", default="mlir", choices=("mlir", "hlo-text", "hlo-proto", "optimised"))
    options.add_argument("--expected", default="plain", choices=("plain", "sharded"),
                         help="of global-view programs: JAX's results without shardings, or with them")
    options.add_argument("--verbose", action="store_true")
    given = options.parse_args()
    families = sharded.FAMILIES if given.sharded else SINGLE
    families = global_view.FAMILIES if given.global_view else families
    families = [(f, w) for f, w in families if given.only in f.__name__]
    weights = np.array([w for _, w in families], float)
    refused = 0
    indexes = [int(word) for word in given.indexes.split(",") if word]
    indexes = indexes or range(given.first, given.first + given.count)
    for index in indexes:
        rng = np.random.default_rng([given.seed, index])
        family = families[int(rng.choice(len(families), p=weights / weights.sum()))][0]
        name = f"{family.__name__}_{given.seed}_{index}"
        try:
            write(family(rng), name, given.out / name, rng, given.format, given.expected)
        except Exception as error:  # JAX raises many kinds of error; the summary shows their count
            refused += 1
            if given.verbose:
                print(f"{name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
        if index % PROGRAMS_BETWEEN_CLEARINGS == 0:
            jax.clear_caches()
    print(f"{len(indexes) - refused} drawn, {refused} that JAX refused")


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
