# SPDX-License-Identifier: Apache-2.0
"""The hosts launch different programs: each prints the error that it gets."""
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.distributed.initialize()
mesh = Mesh(np.array(jax.devices()), ("x",))
x = np.ones(len(jax.devices()), np.float32)
placed = jax.make_array_from_callback(x.shape, NamedSharding(mesh, P("x")), lambda at: x[at])


def one(a):
    return jax.lax.psum(a, "x")


def other(a):
    return jax.lax.pmax(a, "x")


step = one if jax.process_index() == 0 else other
try:
    jax.jit(jax.shard_map(step, mesh=mesh, in_specs=P("x"), out_specs=P()))(placed)
except Exception as error:
    print(jax.process_index(), "caught", error, flush=True)
jax.distributed.shutdown()
