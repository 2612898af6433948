#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Losses of 20 steps of dense_data_parallel as JAX computes them on eight host devices.

Prints JSON: {"losses": [...]}. dense_data_parallel_losses.json is its output with JAX 0.10.2. The
tests compare with it, and with a new run of this script if a Python with JAX is available.
"""
import json
import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  (the flags must be set before)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

jax.config.update("jax_default_matmul_precision", "highest")
LEARNING_RATE = 0.1
STEPS = 20


def loss_of(params, x, y):
    bias, first, second = params
    hidden = jnp.tanh(x @ first + bias)
    return jnp.mean((hidden @ second - y) ** 2)


def step(params, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(params, x, y)
    gradients = jax.lax.pmean(gradients, "data")
    params = jax.tree.map(lambda p, g: p - LEARNING_RATE * g, params, gradients)
    return params, jax.lax.pmean(loss, "data")


def main():
    folder = pathlib.Path(__file__).parent / "dense_data_parallel"
    arrays = [np.load(folder / f"arg{i}.npy") for i in range(5)]
    params, x, y = tuple(arrays[:3]), arrays[3], arrays[4]
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("data",))
    sharded = jax.jit(
        jax.shard_map(
            step,
            mesh=mesh,
            in_specs=(P(), P("data"), P("data")),
            out_specs=(P(), P()),
            check_vma=False,
        )
    )
    losses = []
    for _ in range(STEPS):
        params, loss = sharded(params, x, y)
        losses.append(float(loss))
    print(json.dumps({"losses": losses}))


if __name__ == "__main__":
    main()
