# SPDX-License-Identifier: Apache-2.0
"""An Optax optimiser on sharded parameters: AdamW with a schedule and clipping by the global norm,
which is a collective over all parameters. Its state is sharded as the parameters are.

    pip install optax
    understudy run --slice v6e-4 -- python examples/scripts/optax_adamw.py
"""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=8)
parser.add_argument("--out", help="write losses and parameters to this .npz file")
arguments = parser.parse_args()

mesh = jax.make_mesh((2, jax.device_count() // 2), ("data", "model"),
                     axis_types=(AxisType.Auto,) * 2)
rng = np.random.default_rng(0)


def on(array, *axes):
    return jax.device_put(np.asarray(array, np.float32), NamedSharding(mesh, P(*axes)))


parameters = {"first": on(rng.normal(size=(16, 32)) / 4, None, "model"),
              "bias": on(np.zeros(32), "model"),
              "second": on(rng.normal(size=(32, 4)) / 6, "model", None)}
schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-2, 2, arguments.steps)
optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adamw(schedule, eps=1e-4))
state = optimiser.init(parameters)


@jax.jit
def step(parameters, state, x, y):
    def loss_of(p):
        hidden = jax.nn.relu(x @ p["first"] + p["bias"])
        return jnp.mean(optax.squared_error(hidden @ p["second"], y))

    loss, gradient = jax.value_and_grad(loss_of)(parameters)
    updates, state = optimiser.update(gradient, state, parameters)
    return optax.apply_updates(parameters, updates), state, loss


losses = []
for number in range(arguments.steps):
    x, y = on(rng.normal(size=(8, 16)), "data", None), on(rng.normal(size=(8, 4)), "data", None)
    parameters, state, loss = step(parameters, state, x, y)
    losses.append(float(loss))
    print(f"step {number}: loss {losses[-1]:.4f}")
moments = optax.tree_utils.tree_get(state, "mu")
assert moments["first"].sharding == parameters["first"].sharding
if arguments.out:
    np.savez(arguments.out, losses=np.array(losses),
             **{name: np.asarray(array) for name, array in parameters.items()})
