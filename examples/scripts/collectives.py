# SPDX-License-Identifier: Apache-2.0
"""shard_map with every collective of jax.lax, in loops and conditionals, with donation, gradients
and callbacks.

    understudy run --slice v6e-4 -- python examples/scripts/collectives.py

Needs JAX only, and knows nothing of understudy.
"""
import argparse
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

parser = argparse.ArgumentParser()
parser.add_argument("--out", help="write the results to this .npz file")
arguments = parser.parse_args()

count = jax.device_count()
mesh = jax.make_mesh((count,), ("chips",), axis_types=(AxisType.Auto,))
ring = [(i, (i + 1) % count) for i in range(count)]
x = jax.device_put(np.linspace(-1, 1, count * count * 6, dtype=np.float32).reshape(-1, 6),
                   NamedSharding(mesh, P("chips")))
results, seen = {}, []


def on_chips(name, out=P("chips"), **options):
    """Runs the decorated function on each chip's part of x, and keeps the result."""
    def run(function):
        mapped = jax.shard_map(function, mesh=mesh, in_specs=P("chips"), out_specs=out,
                               check_vma=False, **options)
        results[name] = jax.jit(mapped)(x)
    return run


on_chips("psum", P())(lambda a: lax.psum(a, "chips"))
on_chips("pmean", P())(lambda a: lax.pmean(a, "chips"))
on_chips("pmax", P())(lambda a: lax.pmax(a, "chips"))
on_chips("pmin", P())(lambda a: lax.pmin(a, "chips"))
on_chips("all_gather", P())(lambda a: lax.all_gather(a, "chips", tiled=True))
on_chips("all_gather_rows")(lambda a: lax.all_gather(a, "chips")[:, 0])
on_chips("psum_scatter")(lambda a: lax.psum_scatter(a, "chips", tiled=True))
on_chips("all_to_all")(lambda a: lax.all_to_all(a, "chips", 0, 0, tiled=True))
on_chips("ppermute")(lambda a: lax.ppermute(a, "chips", ring))
on_chips("some")(lambda a: lax.ppermute(a, "chips", ring[:1]))
on_chips("axis_index")(lambda a: a + lax.axis_index("chips"))
on_chips("pairs")(lambda a: lax.psum(a, "chips", axis_index_groups=[
    [i, i + 1] for i in range(0, count, 2)]))


@on_chips("scan")
def _(a):
    def body(carry, _):
        return lax.ppermute(carry, "chips", ring) + a, lax.pmean(carry, "chips")
    last, means = lax.scan(body, a, None, length=4)
    return last + means.sum(0)


@on_chips("while")
def _(a):
    return lax.while_loop(lambda c: lax.psum(jnp.sum(c), "chips") < 50, lambda c: c + 0.5, a)


@on_chips("cond")
def _(a):
    return lax.cond(lax.axis_index("chips") % 2 == 0, jnp.sin, lambda b: b * b, a)


@on_chips("callback")
def _(a):
    jax.debug.callback(lambda total: seen.append(float(total)), jnp.sum(a))
    return jax.pure_callback(np.cos, jax.ShapeDtypeStruct(a.shape, a.dtype), a)


@partial(jax.jit, donate_argnums=0)
@jax.value_and_grad
def loss(w):
    part = jax.shard_map(lambda w, a: lax.pmean(jnp.mean(jnp.tanh(a @ w) ** 2), "chips"),
                         mesh=mesh, in_specs=(P(), P("chips")), out_specs=P())
    return part(w, x)


given = jax.device_put(np.eye(6, dtype=np.float32), NamedSharding(mesh, P()))
results["loss"], results["gradient"] = loss(given)
assert given.is_deleted()

jax.effects_barrier()
assert len(seen) == count, seen
print(f"{len(results)} results, {len(seen)} callbacks")
if arguments.out:
    np.savez(arguments.out, seen=np.sort(seen), **{k: np.asarray(v) for k, v in results.items()})
