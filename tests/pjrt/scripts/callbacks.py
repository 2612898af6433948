# SPDX-License-Identifier: Apache-2.0
"""Host callbacks inside programs. Writes its results to argv[1]."""
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

seen, results = [], {}


@jax.jit
def f(x):
    jax.debug.callback(lambda v: seen.append(float(v)), x.sum())
    y = jax.pure_callback(lambda a: np.sin(a), jax.ShapeDtypeStruct(x.shape, x.dtype), x)
    z = io_callback(lambda a: np.float32(a.max()), jax.ShapeDtypeStruct((), np.float32), y)
    return y * 2 + z


x = jnp.arange(6, dtype=jnp.float32)
results["f"] = np.asarray(f(x))


@jax.jit
def narrow(x):
    return jax.pure_callback(lambda a: a, jax.ShapeDtypeStruct(x.shape, x.dtype), x).astype(jnp.int32)


results["narrow"] = np.asarray(narrow(np.arange(-8, 8, dtype=np.int8).astype(jnp.int4)))


@jax.jit
def loop(x):
    def body(i, c):
        jax.debug.print("step {i}: {c}", i=i, c=c[0])
        return c + 1
    return jax.lax.fori_loop(0, 3, body, x)


results["loop"] = np.asarray(loop(x))
jax.effects_barrier()
results["seen"] = np.array(seen)
np.savez(sys.argv[1], **results)
