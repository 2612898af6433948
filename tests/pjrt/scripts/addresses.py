# SPDX-License-Identifier: Apache-2.0
"""unsafe_buffer_pointer() names the memory of an array: prints what can be told from it."""
import json

import jax
import jax.numpy as jnp
from jax import lax

x = jax.device_put(jnp.arange(5, dtype=jnp.float32))
same = lax.convert_element_type(x, jnp.float32)  # JAX returns its argument
other = lax.convert_element_type(x, jnp.int32)
seen = {"same array": x.unsafe_buffer_pointer() == same.unsafe_buffer_pointer(),
        "two arrays": x.unsafe_buffer_pointer() == other.unsafe_buffer_pointer(),
        "aligned": x.unsafe_buffer_pointer() % 16 == 0}
del same
jax.jit(lambda x: x + 1, donate_argnums=0)(x)
try:
    seen["donated"] = x.unsafe_buffer_pointer()
except Exception:  # JAX or the plugin: the kind differs between versions of JAX
    seen["donated"] = "refused"
print(json.dumps(seen))
