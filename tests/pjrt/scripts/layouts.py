# SPDX-License-Identifier: Apache-2.0
"""Arrays whose dimensions a program orders: their contents, and which layouts they say they have."""
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.layout import Format, Layout
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("chips",), axis_types=(AxisType.Auto,))
x = np.arange(48, dtype=np.float32).reshape(8, 6)
results = {}


def keep(name, array, order):
    assert array.format.layout.major_to_minor == order, (name, array.format)
    results[name] = np.asarray(array)


for name, sharding in {"one": jax.sharding.SingleDeviceSharding(jax.devices()[1]),
                       "all": NamedSharding(mesh, P("chips"))}.items():
    rows, columns = (Format(Layout(order), sharding) for order in ((0, 1), (1, 0)))
    keep(name + " put", jax.device_put(x, columns), (1, 0))
    keep(name + " back", jax.device_put(jax.device_put(x, columns), rows), (0, 1))
    keep(name + " result", jax.jit(lambda a: a * 2, out_shardings=columns)(x), (1, 0))
    keep(name + " argument", jax.jit(jnp.sin, in_shardings=columns)(
        jax.device_put(x, columns)), (0, 1))
    auto = Format(Layout.AUTO, sharding)
    chosen = jax.jit(lambda a: a @ a.T, in_shardings=auto, out_shardings=auto).lower(
        jax.ShapeDtypeStruct(x.shape, x.dtype)).compile()
    results[name + " auto"] = np.asarray(chosen(jax.device_put(x, chosen.input_formats[0][0])))
try:
    jax.device_put(x, Format(Layout((1, 0), tiling=((8, 128),)),
                             jax.sharding.SingleDeviceSharding(jax.devices()[0])))
except Exception as error:
    print(error)
np.savez(sys.argv[1], **results)
