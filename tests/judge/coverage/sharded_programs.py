# SPDX-License-Identifier: Apache-2.0
"""Per-device programs (shard_map) that need no partitioner, on four devices."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from registry import ints, normals, program

GROUP = "several devices"


def over(shape, names, in_specs, out_specs):
    """shard_map inside of jit, on a mesh of the first devices."""
    mesh = Mesh(np.array(jax.devices()[:4]).reshape(shape), names)

    def wrap(f):
        try:
            mapped = jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False)
        except (AttributeError, TypeError):  # before JAX 0.7
            from jax.experimental.shard_map import shard_map
            mapped = shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_rep=False)
        jitted = jax.jit(mapped, in_shardings=tuple(NamedSharding(mesh, s) for s in in_specs))
        jitted.__name__ = f.__name__
        return jitted
    return wrap


@program(GROUP, (8, 6), normals(6, 3))
@over((4,), ("d",), (P("d"), P()), P())
def data_parallel_gradient(x, w):
    return lax.pmean(jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w), "d")


@program(GROUP, (6, 8), normals(8, 8), normals(8, 6))
@over((4,), ("t",), (P(), P(None, "t"), P("t", None)), P())
def tensor_parallel_layer(x, w1, w2):
    return lax.psum(jax.nn.gelu(x @ w1) @ w2, "t")


@program(GROUP, (8, 4), normals(8, 4))
@over((4,), ("f",), (P("f"), P("f")), P("f"))
def fully_sharded_step(x, w):
    full = lax.all_gather(w, "f", tiled=True)
    g = jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w.T) ** 2))(full)
    return w - 0.1 * lax.psum_scatter(g, "f", tiled=True)


@program(GROUP, (4, 6), normals(4, 6, 6, scale=0.4))
@over((4,), ("p",), (P(), P("p")), P())
def pipeline(x, w):
    me = lax.axis_index("p")
    def tick(c, i):
        held, out = c
        held = jnp.where(me == 0, x[jnp.minimum(i, 3)], held)
        held = jnp.tanh(held @ w[0])
        at = jnp.maximum(i - 3, 0)
        out = jnp.where((me == 3) & (i >= 3), out.at[at].set(held), out)
        return (lax.ppermute(held, "p", [(j, (j + 1) % 4) for j in range(4)]), out), None
    (_, out), _ = lax.scan(tick, (jnp.zeros(6), jnp.zeros((4, 6))), jnp.arange(7))
    return lax.psum(out, "p")


@program(GROUP, (2, 16, 4), (2, 16, 4), (2, 16, 4))
@over((4,), ("s",), (P(None, "s"),) * 3, P(None, "s"))
def ring_attention(q, k, v):
    def step(c, _):
        k, v, out, top, total = c
        s = jnp.einsum("bqd,bkd->bqk", q, k)
        new = jnp.maximum(top, s.max(-1))
        p, keep = jnp.exp(s - new[..., None]), jnp.exp(top - new)
        out = out * keep[..., None] + jnp.einsum("bqk,bkd->bqd", p, v)
        k, v = (lax.ppermute(a, "s", [(j, (j + 1) % 4) for j in range(4)]) for a in (k, v))
        return (k, v, out, new, total * keep + p.sum(-1)), None
    start = (k, v, jnp.zeros_like(q), jnp.full(q.shape[:2], -jnp.inf), jnp.zeros(q.shape[:2]))
    _, _, out, _, total = lax.scan(step, start, None, length=4)[0]
    return out / total[..., None]


@program(GROUP, (2, 16, 8))
@over((4,), ("s",), (P(None, "s"),), P(None, "s"))
def all_to_all_heads(x):
    heads = lax.all_to_all(x, "s", 2, 1, tiled=True)
    return lax.all_to_all(jnp.cumsum(heads, 1), "s", 1, 2, tiled=True)


@program(GROUP, (16, 4), normals(4, 8, scale=0.5))
@over((4,), ("e",), (P("e"), P()), P("e"))
def expert_parallel_exchange(x, router):
    expert = jnp.argmax(x @ router[:, :4], -1)
    slots = jnp.zeros((4, 4, 4)).at[expert, jnp.arange(4)].set(x)
    back = lax.all_to_all(jnp.tanh(lax.all_to_all(slots, "e", 0, 0)), "e", 0, 0)
    return back[expert, jnp.arange(4)]


@program(GROUP, (8, 8), normals(8, 8))
@over((2, 2), ("d", "t"), (P("d", None), P(None, "t")), (P(), P()))
def two_axes_loss_and_norm(x, w):
    def loss(w):
        return jnp.mean((x @ w) ** 2)
    g = lax.pmean(jax.grad(loss)(w), "d")
    return lax.pmean(loss(w), ("d", "t")), jnp.sqrt(lax.psum(jnp.sum(g * g), "t"))


@program(GROUP, (8, 3), ints(0, 5, 8))
@over((4,), ("d",), (P("d"), P("d")), (P(), P(), P()))
def reductions_of_all_kinds(x, i):
    return lax.pmax(x.max(0), "d"), lax.pmin(i.min(), "d"), lax.psum((x.sum(), i.sum(), x.mean()), "d")


@program(GROUP, (4, 6, 6, 2), normals(3, 3, 2, 3, scale=0.3))
@over((4,), ("h",), (P(None, None, None, None), P()), P("h"))
def halo_exchange(x, k):
    me = lax.axis_index("h")
    mine = lax.dynamic_index_in_dim(x, me, 0)
    left = lax.ppermute(mine[:, :, -1:], "h", [(j, j + 1) for j in range(3)])
    right = lax.ppermute(mine[:, :, :1], "h", [(j + 1, j) for j in range(3)])
    wide = jnp.concatenate([left, mine, right], 2)
    return lax.conv_general_dilated(wide, k, (1, 1), ((1, 1), (0, 0)), dimension_numbers=("NHWC", "HWIO", "NHWC"))


@program(GROUP, (8, 4))
@over((4,), ("d",), (P("d"),), P("d"))
def synchronised_batch_norm(x):
    mean = lax.pmean(x.mean(0), "d")
    var = lax.pmean(((x - mean) ** 2).mean(0), "d")
    return (x - mean) * lax.rsqrt(var + 1e-5)


@program(GROUP, (8, 4))
@over((4,), ("d",), (P("d"),), P("d"))
def dropout_per_device(x):
    key = jax.random.fold_in(jax.random.key(0), lax.axis_index("d"))
    return x * jax.random.bernoulli(key, 0.5, x.shape)
