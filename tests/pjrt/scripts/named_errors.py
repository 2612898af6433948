# SPDX-License-Identifier: Apache-2.0
"""What the plugin does not have: prints one line per error."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("chips",), axis_types=(AxisType.Auto,))
x = jnp.arange(8, dtype=jnp.float32)


@custom_partitioning
def doubled(x):
    return x * 2


doubled.def_partition(
    lambda mesh, arguments, results: (mesh, lambda x: x * 2, arguments[0].sharding,
                                      (arguments[0].sharding,)), sharding_rule="i -> i")


def compiled_with(**options):
    return jax.jit(lambda x: x + 1).lower(x).compile(compiler_options=options)


assert compiled_with(xla_embed_ir_in_executable=True)(x)[1] == 2
ATTEMPTS = {
    "dlpack": lambda: np.from_dlpack(x),
    "custom_partitioning": lambda: jax.jit(doubled)(
        jax.device_put(x, NamedSharding(mesh, P("chips")))),
    "option": lambda: compiled_with(invalid_key="x"),
    "switch": lambda: compiled_with(xla_embed_ir_in_executable="x"),
}
for name, attempt in ATTEMPTS.items():
    try:
        print(name, "works", attempt())
    except Exception as error:
        print(name, "refused:", str(error).replace("\n", " "))
