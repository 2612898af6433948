# SPDX-License-Identifier: Apache-2.0
"""Pallas kernels: compiled by another compiler, so they are refused unless interpreted."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

from registry import PALLAS, program

GROUP = "Pallas"


def double(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2.0


@program(GROUP, (8, 128), expected=PALLAS, platforms=("tpu",))
def pallas_kernel(x):
    return pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x)


@program(GROUP, (8, 128))
def interpreted_pallas_kernel(x):
    return pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), interpret=True)(x)
