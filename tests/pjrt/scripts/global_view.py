# SPDX-License-Identifier: Apache-2.0
"""Programs over sharded arrays, whose collectives the partitioner inserts. Writes its results to
argv[1]."""
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 2), ("a", "b"), axis_types=(AxisType.Auto,) * 2)
explicit = jax.make_mesh((2, 2), ("a", "b"), axis_types=(AxisType.Explicit,) * 2)
results, seen = {}, []


def on(*axes):
    return NamedSharding(mesh, P(*axes))


def values(*shape):
    return np.random.default_rng(len(results)).normal(size=shape).astype(np.float32)


def keep(name, tree):
    for index, leaf in enumerate(jax.tree.leaves(tree)):
        results[f"{name}_{index}"] = np.asarray(leaf)
        sharding = getattr(leaf, "sharding", None)
        if isinstance(sharding, NamedSharding):
            results[f"{name}_{index}_spec"] = np.array(str(sharding.spec))


x = jax.device_put(values(8, 4), on("a", "b"))
w = jax.device_put(values(4, 8), on("b", None))
keep("product", jax.jit(lambda x, w: jnp.tanh(x @ w))(x, w))
keep("eager", (x + 1, x * x, x.T, x[0], x[1:3], x[::2], x.sum(0), jnp.mean(x), x.reshape(-1),
               jnp.where(x > 0, x, 0), jnp.concatenate([x, x]), jnp.sort(x, 0), jnp.cumsum(x, 1),
               jnp.argmax(x, 0), x.at[2, 1].set(5), x @ x.T, jnp.roll(x, 1, 0)))
keep("constraint", jax.jit(lambda x: lax.with_sharding_constraint(x * 2, on("b", None)) + x)(x))
keep("out", jax.jit(lambda x: (x + 1, x.sum(), x.T), out_shardings=(on("b", "a"), on(), on()))(x))
keep("unspecified", jax.jit(lambda x, y: x @ y)(x, values(4, 6)))
# 9 rows over two chips, 7 columns over two: the last shards are padded.
keep("uneven", jax.jit(lambda x: lax.with_sharding_constraint(
    jnp.pad(x, ((0, 1), (0, 3))) * 2, on("a", "b"))[1:].sum(0))(x))
keep("loops", jax.jit(lambda x: (
    lax.while_loop(lambda c: c.sum() < 50, lambda c: c + x.max(), x),
    lax.cond(x.sum() > 0, jnp.sin, lambda x: x - 1, x), lax.map(jnp.sum, x)))(x))


@jax.jit
@jax.value_and_grad
def repeated(w):
    def body(carry, _):
        return jax.checkpoint(jnp.tanh)(carry @ w @ w.T), carry.mean()
    return lax.scan(body, x, None, length=3)[0].sum()


keep("gradient", repeated(w))
keep("gather", jax.jit(jax.grad(lambda e, i: (e[i]**2).sum()))(
    jax.device_put(values(16, 8), on("a", "b")), jax.device_put(np.arange(8) % 5, on("b"))))
keep("random", jax.jit(lambda k: (jax.random.normal(k, (8, 4)), jax.random.randint(k, (8,), 0, 9)),
                       out_shardings=(on("a", "b"), on("a")))(jax.random.key(3)))
keep("solve", jnp.linalg.solve(jax.device_put(values(4, 4) + 4 * np.eye(4), on("a")), values(4)))
keep("mixed", jax.jit(lambda x: (jax.shard_map(
    lambda a: a + lax.pmean(a, "a"), mesh=mesh, in_specs=P("a", "b"), out_specs=P("a", "b"))(
        jnp.sin(x)).sum(0) @ x.T).mean())(x))
keep("some_axes", jax.jit(jax.shard_map(lambda a: lax.psum(jnp.sin(a) @ a.T, "a"), mesh=mesh,
                                        in_specs=P("a"), out_specs=P(), axis_names={"a"}))(x))
# Each chip holds the array, and takes its shard of it.
keep("replicated", jax.jit(jax.shard_map(lambda a: (a * 2, lax.psum(a, "a")), mesh=mesh,
                                         in_specs=P("a"), out_specs=(P("a"), P())))(
    jax.device_put(values(8, 4), on())))

# Devices in another order, and some of them only.
shuffled = Mesh(np.array(jax.devices())[[2, 0, 3, 1]].reshape(2, 2), ("a", "b"))
y = jax.device_put(values(8, 4), NamedSharding(shuffled, P("a", "b")))
keep("shuffled", jax.jit(lambda y: (jnp.roll(y, 1, 0) @ y.T, jnp.cumsum(y, 0)))(y))
pair = Mesh(np.array(jax.devices())[[3, 1]], ("a",))
keep("pair", jax.jit(lambda y: jnp.flip(y, 0) @ y.T)(
    jax.device_put(values(8, 4), NamedSharding(pair, P("a")))))
keep("moved", (jax.device_put(x, on("b", "a")), jax.device_put(x, jax.devices()[3]),
               jax.device_put(x, on())))

with jax.set_mesh(explicit):
    z = jax.device_put(values(8, 4), P("a", "b"))
    keep("explicit", jax.jit(lambda z: (z * 2, z.sum(0), jax.sharding.reshard(z, P("b", None)),
                                        jnp.einsum("ij,kj->ik", z, z, out_sharding=P("a"))))(z))
    if jax.__version_info__ >= (0, 10):
        left = jax.device_put(values(8, 4), P("a", "b"))
        right = jax.device_put(values(4, 6), P("b", None))
        parts = jax.jit(jax.shard_map(lambda a, b: lax.pcast(a @ b, "b", to="unreduced"),
                                      out_specs=P("a", None, unreduced={"b"})))(left, right)
        keep("unreduced", (jax.sharding.reshard(parts, P("a", None)), parts.addressable_data(1)))
        total = jax.lax.reduce_sum(left, [0, 1], out_sharding=P(unreduced={"a", "b"}))
        keep("unreduced_scalar", jax.sharding.reshard(total, P()))
        assert total.sharding.spec.unreduced == {"a", "b"}

given = jax.device_put(values(8, 4), on("a", "b"))
keep("donated", jax.jit(lambda g: g * 2 + g.mean(), donate_argnums=0)(given))
assert given.is_deleted()


@jax.jit
def ordered(x):
    for factor in (1, 2, 3):
        io_callback(lambda v: seen.append(float(v)), None, factor * jnp.sum(x[0]), ordered=True)
    return x + 1


keep("ordered", ordered(jnp.asarray(values(4, 2))))
jax.effects_barrier()
keep("seen", np.array(seen, np.float32))
host = NamedSharding(mesh, P("a", "b"), memory_kind="pinned_host")
if jax.__version_info__ >= (0, 10):  # earlier ones cannot compile this for the CPU
    keep("host", jax.jit(lambda x: x * 2, out_shardings=host)(jax.device_put(x, host)))
compiled = jax.jit(lambda x: jnp.sum(x @ x.T)).lower(x).compile()
results["text"] = np.array("all-reduce" in compiled.as_text())
np.savez(sys.argv[1], **results)
