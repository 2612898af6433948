# SPDX-License-Identifier: Apache-2.0
"""Data parallel: each chip has a part of the batch, all chips have the parameters.

Trains a small network for ten steps on eight emulated chips, compares with JAX on CPU, and checks
that the loss is that of the whole batch.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

import understudy

MESH = {"data": 8}


def loss_of(params, x, y):
    hidden = jnp.tanh(x @ params["first"])
    return jnp.mean((hidden @ params["second"] - y) ** 2)


def step_of_a_chip(params, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(params, x, y)
    gradients = jax.lax.pmean(gradients, "data")
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)
    return params, {"loss": jax.lax.pmean(loss, "data")}


def step(params, x, y):
    return jax.shard_map(step_of_a_chip, in_specs=(P(), P("data"), P("data")), out_specs=P(),
                         check_vma=False)(params, x, y)


def main():
    draw = np.random.default_rng(0)
    params = {"first": 0.3 * draw.normal(size=(16, 32)), "second": 0.3 * draw.normal(size=(32, 4))}
    params = jax.tree.map(np.float32, params)
    x = draw.normal(size=(64, 16)).astype(np.float32)
    y = np.sin(x[:, :4])

    result = understudy.run(step, params, x, y, mesh=MESH, steps=10)
    print(f"{result.slice}: loss after 10 steps {result.values[1]['loss']:.4f}, "
          f"first {loss_of(params, x, y):.4f}")
    for verdict in result.verdicts:
        print(f"  {verdict.name}: off by {verdict.max_abs_error:.1e}, ok: {verdict.ok}")
    understudy.assert_globally_reduced(step, params, x, y, mesh=MESH, results=("loss",))
    print("the loss is globally reduced")


if __name__ == "__main__":
    main()
