# SPDX-License-Identifier: Apache-2.0
"""Several host processes; each prints what it sees and what its chips computed."""
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.distributed.initialize()
count = len(jax.devices())
mesh = Mesh(np.array(jax.devices()), ("x",))
x = np.arange(count * 2, dtype=np.float32)
placed = jax.make_array_from_callback(x.shape, NamedSharding(mesh, P("x")), lambda at: x[at])
total = jax.jit(jax.shard_map(lambda a: jax.lax.psum(a.sum(), "x") * np.ones(1, np.float32),
                              mesh=mesh, in_specs=P("x"), out_specs=P("x")))(placed)
ring = jax.jit(jax.shard_map(
    lambda a: jax.lax.ppermute(a, "x", [(i, (i + 1) % count) for i in range(count)]),
    mesh=mesh, in_specs=P("x"), out_specs=P("x")))(placed)
print(f"{jax.process_index()} of {jax.process_count()}: {len(jax.local_devices())} of {count}; "
      f"{[float(s.data[0]) for s in total.addressable_shards]} "
      f"{[float(s.data[0]) for s in ring.addressable_shards]}", flush=True)
jax.distributed.shutdown()
