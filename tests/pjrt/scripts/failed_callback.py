# SPDX-License-Identifier: Apache-2.0
"""A callback fails on one chip, before a collective of all: an exception, and the chips go on."""
import os
import sys

import jax
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("chips",), axis_types=(AxisType.Auto,))
x = jax.device_put(np.arange(8, dtype=np.float32), NamedSharding(mesh, P("chips")))
threshold = 3


def refuse_large(block):
    if block[0] > threshold:
        raise ValueError("too large")
    return block


@jax.jit
def total(x):
    return jax.shard_map(
        lambda a: lax.psum(jax.pure_callback(
            refuse_large, jax.ShapeDtypeStruct(a.shape, a.dtype), a), "chips"),
        mesh=mesh, in_specs=P("chips"), out_specs=P("chips"), check_vma=False)(x)


try:
    print("no error", np.asarray(total(x)))
except jax.errors.JaxRuntimeError as error:
    print("caught", "too large" in str(error))
threshold = 9
print(np.asarray(total(x))[:2])
sys.stdout.flush()
os._exit(0)  # JAX waits for the failed launch again at exit, and prints its error
