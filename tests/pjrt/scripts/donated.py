# SPDX-License-Identifier: Apache-2.0
"""usage: donated.py; prints JSON: the peak of HBM of update loops with and without donation, and
whether arrays that were read to the host while they were donated came through."""
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

MIB = 1 << 20


def update(state):
    return jax.tree.map(lambda x: x * 0.5 + 1.0, state)


def peak(device):
    return device.memory_stats()["peak_bytes_in_use"] / MIB


def on_one_chip(device, donate):
    """Two arrays of 8 MiB on a chip that nothing else uses."""
    state = [jax.device_put(jnp.ones((2 * MIB,), jnp.float32) * i, device) for i in range(2)]
    step = jax.jit(update, donate_argnums=0 if donate else ())
    for _ in range(5):
        state = step(state)
    first = float(state[0][0])
    return {"peak": peak(device), "first": first,
            "alias": step.lower(state).compile().memory_analysis().alias_size_in_bytes / MIB}


def sharded(devices):
    """jit over a mesh: the partitioner's program keeps the donation."""
    mesh = Mesh(np.array(devices), ("x",))
    state = jax.device_put(np.ones((4 * MIB,), np.float32), NamedSharding(mesh, P("x")))
    step = jax.jit(lambda x: x + x.sum() * 0 + 1, donate_argnums=0)
    compiled = step.lower(state).compile()
    return {"alias": compiled.memory_analysis().alias_size_in_bytes / MIB,
            "value": float(step(state)[3])}


def read_while_donated(device):
    """The copy to the host began before the donation: it has the old values."""
    step = jax.jit(lambda x: x + 1, donate_argnums=0)
    right = True
    for i in range(8):
        array = jax.device_put(np.full((MIB,), i, np.float32), device)
        array = jax.jit(lambda x: jnp.cumsum(x * 0) + x)(array)
        array.copy_to_host_async()
        after = step(array)
        right = right and bool((np.asarray(after) == i + 1).all())
    return right


devices = jax.devices()
print(json.dumps({"plain": on_one_chip(devices[0], False), "donated": on_one_chip(devices[1], True),
                  "sharded": sharded(devices[2:]), "read": read_while_donated(devices[3])}))
