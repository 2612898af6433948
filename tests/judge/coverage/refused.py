# SPDX-License-Identifier: Apache-2.0
"""Programs that leave the device: they are refused by name, with advice."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import CALLBACK, program

GROUP = "host callbacks"


@program(GROUP, (4,), expected=CALLBACK, platforms=("cpu",))
def debug_print(x):
    jax.debug.print("x {x}", x=x)
    return x * 2


@program(GROUP, (4,), expected=CALLBACK, platforms=("cpu",))
def pure_callback(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct((4,), jnp.float32), x)
