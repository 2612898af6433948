# SPDX-License-Identifier: Apache-2.0
"""Addresses of arrays: one per shard, the same for views, another one for a copy."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("chips",), axis_types=(AxisType.Auto,))
x = jax.device_put(np.arange(64, dtype=np.float32), NamedSharding(mesh, P("chips")))
host = NamedSharding(mesh, P("chips"), memory_kind="pinned_host")


def pointers(array):
    return [shard.data.unsafe_buffer_pointer() for shard in array.addressable_shards]


arrays = [x, jnp.array(x, copy=True), jax.device_put(x, host)]
seen = [pointer for array in arrays for pointer in pointers(array)]
assert len(set(seen)) == len(seen) == 12 and 0 not in seen, seen
assert pointers(x) == pointers(jnp.array(x, copy=False)) == seen[:4]
x.delete()
for array in arrays[1:]:
    np.testing.assert_array_equal(array, np.arange(64, dtype=np.float32))
print("distinct")
