#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes pod32/: a training step for 32 chips, lowered by JAX, with the results of JAX.

Batch over "data" (8), features over "model" (4): all_reduce over both axes and an all_gather.
"""
import json
import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=32"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  (the flags must be set before)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec as P  # noqa: E402

jax.config.update("jax_default_matmul_precision", "highest")
ARGUMENTS = [((16, 32), P(None, "model")), ((64, 16), P("data", None)), ((64, 32), P("data", None))]
RESULTS = [P(None, "model"), P()]
SPACING = 2.0**-23  # of f32; tests/launcher/run/expected_results_test.cc says why so many of them


def loss_of(weights, x, y):
    out = jax.lax.all_gather(jnp.tanh(x @ weights), "model", axis=1, tiled=True)
    return jnp.mean((out - y) ** 2)


def step(weights, x, y):
    loss, gradient = jax.value_and_grad(loss_of)(weights, x, y)
    return weights - 0.1 * jax.lax.pmean(gradient, "data"), jax.lax.pmean(loss, ("data", "model"))


def entry(name, array, spec, **more):
    spec = [axis for axis in spec]
    return {"file": name, "dtype": str(array.dtype), "shape": list(array.shape), "spec": spec, **more}


def main():
    folder = pathlib.Path(__file__).parent / "pod32"
    folder.mkdir(exist_ok=True)
    mesh = jax.sharding.Mesh(np.array(jax.devices()).reshape(8, 4), ("data", "model"))
    draw = np.random.default_rng(32)
    arrays = [(draw.standard_normal(shape) * 0.3).astype(np.float32) for shape, _ in ARGUMENTS]
    specs = [spec for _, spec in ARGUMENTS]
    sharded = jax.jit(
        jax.shard_map(step, mesh=mesh, in_specs=tuple(specs), out_specs=tuple(RESULTS),
                      check_vma=False),
        in_shardings=[NamedSharding(mesh, spec) for spec in specs],
        out_shardings=tuple(NamedSharding(mesh, spec) for spec in RESULTS),
    )
    (folder / "program.mlir").write_text(sharded.lower(*arrays).as_text())
    results = [np.asarray(result) for result in sharded(*arrays)]
    for kind, group in (("arg", arrays), ("out", results)):
        for index, array in enumerate(group):
            np.save(folder / f"{kind}{index}.npy", array)
    manifest = {
        "name": "pod32",
        "about": "Training step on 32 chips: batch over data, features over model.",
        "rung": None,
        "devices": 32,
        "mesh": {"data": 8, "model": 4},
        "args": [entry(f"arg{i}.npy", a, s) for i, (a, s) in enumerate(zip(arrays, specs))],
        "results": [
            entry(f"out{i}.npy", a, s, rtol=float(f"{4 * SPACING:.2g}"),
                  atol=float(f"{32 * SPACING * np.max(np.abs(a)):.2g}"))
            for i, (a, s) in enumerate(zip(results, RESULTS))
        ],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


if __name__ == "__main__":
    main()
