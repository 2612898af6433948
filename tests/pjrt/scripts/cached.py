# SPDX-License-Identifier: Apache-2.0
"""Compiles with JAX's persistent cache in the folder argv[1]; prints its hits, misses and a sum."""
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
events = []
jax.monitoring.register_event_listener(lambda event, **_: events.append(event.split("/")[-1]))
mesh = jax.make_mesh((4,), ("chips",), axis_types=(AxisType.Auto,))
x = jax.device_put(np.linspace(0, 1, 32, dtype=np.float32).reshape(8, 4),
                   NamedSharding(mesh, P("chips")))
total = float(jax.jit(lambda x: jnp.sum(x @ x.T))(x))
drawn = float(jnp.sum(jax.random.normal(jax.random.key(0), (3,))))
print(events.count("cache_hits"), events.count("cache_misses"), f"{total:.4f} {drawn:.4f}")
