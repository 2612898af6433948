# SPDX-License-Identifier: Apache-2.0
"""shard_map programs with every collective, on all devices. Writes its results to argv[1]."""
import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

count = len(jax.devices())
mesh = Mesh(np.array(jax.devices()), ("x",))
results = {}
x = np.arange(count * 8 * 4, dtype=np.float32).reshape(count * 8, 4) / 7
placed = jax.device_put(x, NamedSharding(mesh, P("x")))
assert len(placed.addressable_shards) == len(jax.local_devices())


def run(name, function, out=P("x"), argument=placed):
    program = jax.jit(jax.shard_map(function, mesh=mesh, in_specs=P("x"), out_specs=out,
                                    check_vma=False))
    result = program(argument)
    if result.is_fully_addressable:
        results[name] = np.asarray(result)
    else:
        for shard in result.addressable_shards:
            results[f"{name}_{shard.index}"] = np.asarray(shard.data)


run("psum", lambda a: jax.lax.psum(a, "x"), P())
run("pmean", lambda a: jax.lax.pmean(a * 2, "x"), P())
run("pmax", lambda a: jax.lax.pmax(a, "x"), P())
run("all_gather", lambda a: jax.lax.all_gather(a, "x", tiled=True) * 2, P())
run("psum_scatter", lambda a: jax.lax.psum_scatter(jnp.tile(a, (count, 1)), "x", tiled=True))
run("all_to_all", lambda a: jax.lax.all_to_all(a, "x", 0, 1, tiled=True))
run("ppermute", lambda a: jax.lax.ppermute(a, "x", [(i, (i + 1) % count) for i in range(count)]))
run("axis_index", lambda a: a + jax.lax.axis_index("x"))


def looped(a):
    def body(carry, _):
        carry = jax.lax.ppermute(carry, "x", [(i, (i + 1) % count) for i in range(count)])
        return carry + a, jax.lax.psum(carry, "x")

    last, sums = jax.lax.scan(body, a, None, length=3)
    return last + sums.sum(0)


run("loop", looped)

# Two axes, and devices in an order that is not that of their ids.
if count % 2 == 0:
    shuffled = np.array(jax.devices())[::-1].reshape(2, count // 2)
    square = Mesh(shuffled, ("a", "b"))
    spread = jax.device_put(x, NamedSharding(square, P(("b", "a"))))

    @jax.jit
    @partial(jax.shard_map, mesh=square, in_specs=P(("b", "a")), out_specs=P("b"),
             check_vma=False)
    def mixed(a):
        return jax.lax.psum(a * (1 + jax.lax.axis_index("b")), "a")

    result = mixed(spread)
    if result.is_fully_addressable:
        results["mixed"] = np.asarray(result)
    else:
        for shard in result.addressable_shards:
            results[f"mixed_{shard.index}"] = np.asarray(shard.data)

# A training step with donated parameters: gradients are averaged over the chips.
def train(weights, batch):
    def loss(w, b):
        return jnp.mean((jnp.tanh(b @ w) - 0.5) ** 2)

    value, slope = jax.value_and_grad(loss)(weights, batch)
    # Small steps: larger ones cross a steep slope, where one rounding grows by ten each step.
    return weights - 0.001 * jax.lax.pmean(slope, "x"), jax.lax.pmean(value, "x")


step = jax.jit(jax.shard_map(train, mesh=mesh, in_specs=(P(), P("x")), out_specs=(P(), P()),
                             check_vma=False), donate_argnums=0)
weights = jax.device_put(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3),
                         NamedSharding(mesh, P()))
losses = []
for _ in range(20):
    weights, value = step(weights, placed)
    losses.append(value)
results["losses"] = np.array([float(np.asarray(v.addressable_data(0))) for v in losses])
results["weights"] = np.asarray(weights.addressable_data(0))
np.savez(sys.argv[1], **results)
