# SPDX-License-Identifier: Apache-2.0
"""Metrics with bounds: a chip that holds the bound hides all others, and some chips may never show.
See generate.py."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P
from step_kit import GLOBAL, PARTIAL, F32, program


def chip():
    return lax.axis_index("data").astype(F32)


@program([GLOBAL, GLOBAL, GLOBAL], out=(P(), P(), P()))
def largest_of_bounded_functions(x):
    return (lax.pmax(jnp.max(jnp.tanh(20 * x)), "data"),
            lax.pmin(jnp.min(jnp.clip(x, -0.5, 0.5)), "data"),
            lax.pmax(jnp.max(jax.nn.softmax(x)), "data"))


@program([GLOBAL, GLOBAL], out=(P(), P()))
def bounded_with_an_offset_of_each_chip(x):
    """Chip 0 wins as long as its own largest value is far above its bound's other end."""
    return (lax.pmax(jnp.max(jnp.tanh(x)) - 0.25 * chip(), "data"),
            lax.pmin(jnp.min(jnp.clip(x, -1, 1)) + 0.5 * chip(), "data"))


@program([PARTIAL, PARTIAL], out=(P(), P()), counts=("data=0 to 2", "data=0"))
def bounded_with_too_large_an_offset(x):
    """tanh is between -1 and 1: chip 3 stays below -1.25, which chip 0 always has; a clipped value
    that is 3 larger than another never is the smaller one."""
    return (lax.pmax(jnp.max(jnp.tanh(x)) - 0.75 * chip(), "data"),
            lax.pmin(jnp.min(jnp.clip(x, -1, 1)) + 3 * chip(), "data"))


@program([PARTIAL, PARTIAL], out=(P(), P()), counts=("data=0,1", "data=2"))
def bounded_of_some_chips(x):
    value = jnp.max(jax.nn.sigmoid(x))
    return (lax.pmax(jnp.where(lax.axis_index("data") < 2, value, 0.0), "data"),
            lax.all_gather(value, "data")[2])


@program([GLOBAL, GLOBAL], out=(P(), P()))
def at_the_bound_everywhere(x):
    """Every chip has the largest value, so no change of one chip shows."""
    signs = jnp.max(jnp.sign(x))
    by_chip = lax.all_to_all(jnp.broadcast_to(signs, (4,)), "data", 0, 0)
    return lax.pmax(signs, "data"), jnp.max(by_chip)


@program([GLOBAL, GLOBAL], out=(P(), P()))
def place_of_the_largest(x):
    return (jnp.argmax(lax.all_gather(jnp.max(jnp.tanh(x)), "data")).astype(jnp.int32),
            lax.pmax(jnp.any(x > 0.5).astype(jnp.int32), "data"))
