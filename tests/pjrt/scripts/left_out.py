# SPDX-License-Identifier: Apache-2.0
"""Both hosts make one launch; then host 0 makes another, which host 1 leaves out."""
import time

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.distributed.initialize()
mesh = Mesh(np.array(jax.devices()), ("chips",))  # make_mesh refuses joined slices
total = jax.jit(lambda x: x.sum(), out_shardings=NamedSharding(mesh, P()))
x = jax.make_array_from_callback((16,), NamedSharding(mesh, P("chips")),
                                 lambda at: np.arange(16, dtype=np.float32)[at])
print(f"first {float(total(x))}\n", end="", flush=True)
if jax.process_index() == 0:
    try:
        print(f"second {float(total(x))}\n", end="", flush=True)
    except jax.errors.JaxRuntimeError as error:
        print("caught", error, flush=True)
        raise
time.sleep(60)
