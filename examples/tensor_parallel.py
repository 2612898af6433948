# SPDX-License-Identifier: Apache-2.0
"""Tensor parallel: each chip has some columns of the first matrix and some rows of the second.

Two axes: four chips share the hidden dimension of a feed-forward block, two groups of them share
the batch. The only collective of a forward pass is one sum over axis "model".
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

import understudy

MESH = {"data": 2, "model": 4}


def block_of_a_chip(x, up, down):
    """x [batch/2, 16], up [16, hidden/4], down [hidden/4, 16]."""
    hidden = jax.nn.gelu(x @ up)
    return x + jax.lax.psum(hidden @ down, "model")


def block(x, up, down):
    return jax.shard_map(block_of_a_chip,
                         in_specs=(P("data"), P(None, "model"), P("model", None)),
                         out_specs=P("data"), check_vma=False)(x, up, down)


def main():
    draw = np.random.default_rng(0)
    x = draw.normal(size=(8, 16)).astype(jnp.bfloat16)
    up, down = (0.2 * draw.normal(size=shape) for shape in ((16, 64), (64, 16)))
    up, down = up.astype(jnp.bfloat16), down.astype(jnp.bfloat16)

    result = understudy.run(block, x, up, down, mesh=MESH)
    print(f"{result.slice}: result {result.values.dtype} {result.values.shape}, "
          f"ok: {result.verdict('result').ok}")
    for one in result.collectives:
        print(f"  {one.count} {one.kind} a chip, {one.operand_bytes} bytes")
    print(f"  HBM: {result.hbm_peak.observed_bytes} bytes of the fullest chip")


if __name__ == "__main__":
    main()
