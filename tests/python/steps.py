# SPDX-License-Identifier: Apache-2.0
"""Data-parallel training steps of a linear model, over a mesh axis "data"."""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH4 = {"data": 4}


def loss_of(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


def _step(params, x, y, reduced):
    loss, gradients = jax.value_and_grad(loss_of)(params, x, y)
    gradients = jax.lax.pmean(gradients, "data")
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)
    return params, {"loss": jax.lax.pmean(loss, "data") if reduced else loss}


def _mapped(reduced, params, x, y):
    return jax.shard_map(lambda *args: _step(*args, reduced), in_specs=(P(), P("data"), P("data")),
                         out_specs=P(), check_vma=False)(params, x, y)


def good_step(params, x, y):
    """The loss is reduced over all chips."""
    return _mapped(True, params, x, y)


def local_step(params, x, y):
    """The loss is that of one chip."""
    return _mapped(False, params, x, y)


def over_chips(fn, in_specs, out_specs):
    """`fn` on each chip's shard."""
    return jax.shard_map(fn, in_specs=in_specs, out_specs=out_specs, check_vma=False)
