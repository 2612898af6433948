# SPDX-License-Identifier: Apache-2.0
"""What scripts on several hosts do with global arrays: prints one line per process."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.distributed.initialize()
process, processes, chips = jax.process_index(), jax.process_count(), jax.device_count()
mesh = jax.make_mesh((chips,), ("chips",), axis_types=(AxisType.Auto,))
split, whole = NamedSharding(mesh, P("chips")), NamedSharding(mesh, P())
own = np.full((2 * chips // processes, 3), process, np.float32)
x = jax.make_array_from_process_local_data(split, own)
# The mesh orders the chips along a ring, which need not be the order of their hosts.
expected = np.repeat([chip.process_index for chip in mesh.devices.flat], 2)[:, None] * np.ones(3)
np.testing.assert_array_equal(multihost_utils.process_allgather(x, tiled=True), expected)
assert multihost_utils.process_allgather(np.int32(process)).tolist() == list(range(processes))
multihost_utils.sync_global_devices("before the sums")
assert float(multihost_utils.broadcast_one_to_all(np.float32(process + 5))) == 5
mean = float(jnp.mean(x * 2 + 1))
np.testing.assert_allclose(mean, np.mean(expected * 2 + 1), rtol=1e-6)
moved = jax.device_put(x, whole)
assert moved.is_fully_replicated and np.asarray(moved).tolist() == expected.tolist()
product = jax.jit(lambda x: jnp.roll(x, 1, 0) @ x.T, out_shardings=whole)(x)
np.testing.assert_allclose(np.asarray(product), np.roll(expected, 1, 0) @ expected.T)
drawn = jax.jit(lambda k: jax.random.normal(k, (2 * chips, 3)), out_shardings=split)(
    jax.random.key(0))
print(f"process {process} of {processes}: {float(jnp.sum(drawn)):.5f}\n", end="", flush=True)
