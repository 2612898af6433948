# SPDX-License-Identifier: Apache-2.0
"""All hosts pause between two launches for longer than --launch-timeout of the test."""
import time

import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.distributed.initialize()
mesh = jax.make_mesh((jax.device_count(),), ("chips",), axis_types=(AxisType.Auto,))
total = jax.jit(lambda x: x.sum(), out_shardings=NamedSharding(mesh, P()))
x = jax.make_array_from_callback((16,), NamedSharding(mesh, P("chips")),
                                 lambda at: np.arange(16, dtype=np.float32)[at])
print(f"first {float(total(x))}\n", end="", flush=True)
time.sleep(6)
print(f"second {float(total(x))}\n", end="", flush=True)
