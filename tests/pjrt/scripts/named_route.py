# SPDX-License-Identifier: Apache-2.0
"""JAX with the named plugin, as JAX_PLATFORMS=understudy in the shell of a script asks for it."""
import os

os.environ["JAX_PLATFORMS"] = "understudy"
import jax
import jax.numpy as jnp

x = jnp.arange(2.0) * 2
(device,) = x.devices()
print(device.platform, device.device_kind, x)
