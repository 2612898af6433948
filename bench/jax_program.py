#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program folder (program.mlir, manifest.json, arguments) on JAX's CPU client with as many
forced host devices as the program has chips. Prints the seconds of each step as JSON.

usage: jax_program.py FOLDER [--steps N] [--out DIR]
"""
import argparse
import json
import os
import pathlib
import time

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--steps", type=int, default=1)
parser.add_argument("--out", type=pathlib.Path, help="write the results, as global arrays")
options = parser.parse_args()
manifest = json.loads((options.folder / "manifest.json").read_text())
chips = manifest["devices"]
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={chips}"

import jax  # noqa: E402  the number of devices is fixed when JAX starts
import numpy as np  # noqa: E402
from jax._src import xla_bridge  # noqa: E402  the public way takes a function, not a program
from jax.sharding import NamedSharding, PartitionSpec  # noqa: E402
from jaxlib import _jax  # noqa: E402


def compiled(text):
    build = _jax.CompileOptions()
    build.num_partitions = build.executable_build_options.num_partitions = chips
    build.num_replicas = build.executable_build_options.num_replicas = 1
    build.executable_build_options.use_spmd_partitioning = True
    build.executable_build_options.use_shardy_partitioner = True
    build.executable_build_options.device_assignment = _jax.DeviceAssignment.create(
        np.arange(chips, dtype=np.int32).reshape(1, chips))
    devices = _jax.DeviceList(tuple(jax.devices()[:chips]))
    return xla_bridge.get_backend().compile_and_load(text, devices, build)


def sharding_of(array, mesh):
    spec = [tuple(one) if isinstance(one, list) else one for one in array["spec"]]
    return NamedSharding(mesh, PartitionSpec(*spec))


def loaded(array, mesh):
    values = np.load(options.folder / array["file"])
    if values.dtype.kind == "V":
        values = values.view(array["dtype"])
    return jax.device_put(values, sharding_of(array, mesh))


def whole(array, parts, mesh):
    shape = tuple(array["shape"])
    return jax.make_array_from_single_device_arrays(shape, sharding_of(array, mesh), parts)


def main():
    axes = manifest["mesh"] or {"one": 1}
    mesh = jax.make_mesh(tuple(axes.values()), tuple(axes))
    program = compiled((options.folder / "program.mlir").read_text())
    arguments = [loaded(array, mesh) for array in manifest["args"]]
    seconds = []
    for _ in range(options.steps):
        start = time.perf_counter()
        parts = program.execute_sharded(arguments).disassemble_into_single_device_arrays()
        jax.block_until_ready(parts)
        seconds.append(time.perf_counter() - start)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for i, (array, one) in enumerate(zip(manifest["results"], parts, strict=True)):
            np.save(options.out / f"out{i}.npy", np.asarray(whole(array, one, mesh)))
    print(json.dumps(seconds))


main()
