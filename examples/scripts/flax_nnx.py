# SPDX-License-Identifier: Apache-2.0
"""A Flax NNX model with sharded parameters, batch normalisation and dropout, trained by Optax.

    pip install flax
    understudy run --slice v6e-4 -- python examples/scripts/flax_nnx.py
"""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=6)
parser.add_argument("--out", help="write losses and parameters to this .npz file")
arguments = parser.parse_args()

mesh = jax.make_mesh((2, jax.device_count() // 2), ("data", "model"),
                     axis_types=(AxisType.Auto,) * 2)


class Network(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        def split(*axes):
            return nnx.with_partitioning(nnx.initializers.lecun_normal(), axes)

        self.first = nnx.Linear(8, 16, kernel_init=split(None, "model"), rngs=rngs)
        self.second = nnx.Linear(16, 4, kernel_init=split("model", None), rngs=rngs)
        self.norm = nnx.BatchNorm(16, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x):
        return self.second(self.dropout(nnx.relu(self.norm(self.first(x)))))


@nnx.jit
def create():
    network = Network(nnx.Rngs(0))
    state = nnx.state(network)
    nnx.update(network, jax.lax.with_sharding_constraint(state, nnx.get_partition_spec(state)))
    return network


@nnx.jit
def step(network, optimiser, x, y):
    loss, gradient = nnx.value_and_grad(lambda n: jnp.mean((n(x) - y) ** 2))(network)
    optimiser.update(network, gradient)
    return loss


rng, losses = np.random.default_rng(0), []
with jax.set_mesh(mesh):
    network = create()
    optimiser = nnx.Optimizer(network, optax.adam(1e-2, eps=1e-4), wrt=nnx.Param)
    by_batch = NamedSharding(mesh, P("data"))
    for number in range(arguments.steps):
        x = jax.device_put(rng.normal(size=(8, 8)).astype(np.float32), by_batch)
        y = jax.device_put(rng.normal(size=(8, 4)).astype(np.float32), by_batch)
        losses.append(float(step(network, optimiser, x, y)))
        print(f"step {number}: loss {losses[-1]:.4f}")
    leaves = jax.tree_util.tree_leaves_with_path(nnx.state(network, nnx.Param))
    if arguments.out:
        np.savez(arguments.out, losses=np.array(losses),
                 **{jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in leaves})
