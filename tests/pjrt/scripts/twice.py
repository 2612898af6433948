# SPDX-License-Identifier: Apache-2.0
"""Runs one sharded program, and once more where the first attempt fails."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("chips",), axis_types=(AxisType.Auto,))
x = jax.device_put(np.arange(8, dtype=np.float32), NamedSharding(mesh, P("chips")))
try:
    print("first:", float(jnp.sum(x)))
except jax.errors.JaxRuntimeError as error:
    print("first:", error)
print("then:", float(jnp.sum(x)))
