# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries by DLPack: copied to the chip that is named; and back by a copy."""
import jax
import jax.numpy as jnp
import numpy as np

x = np.arange(6, dtype=np.float32)
there = jnp.from_dlpack(x, device=jax.devices()[1])
assert there.devices() == {jax.devices()[1]}
assert (np.asarray(there * 2) == x * 2).all()
# Without a device JAX keeps the array where it is.
assert {device.platform for device in jnp.from_dlpack(x).devices()} == {"cpu"}
back = jax.device_put(there, jax.devices("cpu")[0])
assert (np.from_dlpack(back) == x).all()
for attempt in (lambda: np.from_dlpack(there), lambda: there.__dlpack__()):
    try:
        print("works", attempt())
    except Exception as error:
        print(error)
