# SPDX-License-Identifier: Apache-2.0
"""Global-view programs of every shape that users write, as program folders with expected results.

    python global_programs.py OUT [NAME...]

Runs in a process of its own: JAX gets 16 CPU devices here. Expected results are those of JAX on
these devices. One function per case: it returns the jitted function and its arguments.
"""
from __future__ import annotations

import functools
import pathlib
import sys
from typing import Any

import global_operations  # registers its cases
from global_kit import (CASES, case, constrain, gspmd, make_mesh, metric, normal, sharded,
                        write)
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P


def mlp(mesh: Any, w1: Any, w2: Any, x: Any) -> Any:
    h = constrain(jax.nn.gelu(x @ w1), mesh, "data", "model")
    return h @ w2


@case
def constraints_only():
    mesh = make_mesh((4, 2), ("data", "model"))

    @jax.jit
    def step(x, y):
        x = constrain(x, mesh, "data", None)
        z = constrain(x @ y, mesh, None, "model")
        return z.sum(axis=0), jnp.tanh(z)

    return step, (normal(0, 16, 8), normal(1, 8, 12))


@case
def train_step_adam():
    mesh = make_mesh((4, 2), ("data", "model"))
    specs = sharded(mesh, (None, "model"), ("model", None), ("data", None))

    def step(w1, w2, x):
        loss, grads = jax.value_and_grad(
            lambda w: jnp.mean(mlp(mesh, *w, x) ** 2))((w1, w2))
        new = jax.tree.map(lambda w, g: w - 0.1 * g / (1e-6 + jnp.sqrt(jnp.mean(g * g))),
                           (w1, w2), grads)
        return new, loss

    return (jax.jit(step, in_shardings=specs),
            (normal(0, 16, 32), normal(1, 32, 16), normal(2, 8, 16)))


@case
def shard_map_in_jit():
    mesh = make_mesh((8,), ("data",))

    @jax.jit
    @functools.partial(jax.shard_map, mesh=mesh, in_specs=P("data"), out_specs=P())
    def total(x):
        return jax.lax.psum(x.sum(0), "data")

    return jax.jit(lambda x: total(x)), (normal(0, 16, 4),)


@case
def shard_map_in_jit_with_work():
    mesh = make_mesh((8,), ("data",))

    @jax.jit
    @functools.partial(jax.shard_map, mesh=mesh, in_specs=P("data"), out_specs=P("data"))
    def center(x):
        return x - jax.lax.pmean(x.mean(0), "data")

    return jax.jit(lambda x: center(x * 2) @ x.T), (normal(0, 16, 4),)


@case
def shard_map_in_scan():
    mesh = make_mesh((8,), ("data",))
    inner = jax.shard_map(lambda c, x: jax.lax.ppermute(c, "data", [(i, (i + 1) % 8)
                                                                   for i in range(8)]) + x,
                          mesh=mesh, in_specs=(P("data"), P("data")), out_specs=P("data"))

    def step(c, xs):
        def body(c, x):
            c = inner(c, x)
            return c, c.sum()
        return jax.lax.scan(body, c, xs)

    return jax.jit(step), (normal(0, 16, 4), normal(1, 3, 16, 4))


@case
def shard_map_in_cond():
    mesh = make_mesh((4,), ("data",))
    total = jax.shard_map(lambda x: jax.lax.psum(x, "data"), mesh=mesh, in_specs=P("data"),
                          out_specs=P())

    def step(flag, x):
        return jax.lax.cond(flag > 0, lambda x: total(x), lambda x: x[:2] * 3, x)

    return jax.jit(step), (np.int32(1), normal(0, 8, 4))


@case
def fsdp_update_outside():
    mesh = make_mesh((8,), ("fsdp",))
    specs = sharded(mesh, ("fsdp", None), ("fsdp", None), ("fsdp", None))

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(P("fsdp"), P("fsdp")),
                       out_specs=(P("fsdp"), P()))
    def gradient(w, x):
        def loss(w):
            whole = jax.lax.all_gather(w, "fsdp", tiled=True)
            return jax.lax.pmean(jnp.mean((x @ whole) ** 2), "fsdp")
        value, grad = jax.value_and_grad(loss)(w)
        return grad, value

    def step(w, m, x):
        grad, loss = gradient(w, x)
        m = 0.9 * m + grad
        return w - 0.1 * m, m, loss, jnp.linalg.norm(w)

    return (jax.jit(step, in_shardings=specs, donate_argnums=(0, 1)),
            (normal(0, 16, 8), normal(1, 16, 8), normal(2, 16, 16)))


@case
def scan_remat_dropout_16():
    mesh = make_mesh((4, 4), ("data", "model"))
    weights = NamedSharding(mesh, P(None, None, "model"))
    batch = NamedSharding(mesh, P("data", None))

    def step(w, x, key):
        def layer(x, inputs):
            w, i = inputs
            h = constrain(jnp.tanh(x @ w), mesh, "data", "model")
            keep = jax.random.bernoulli(jax.random.fold_in(key, i), 0.9, h.shape)
            return constrain(x + jnp.where(keep, h / 0.9, 0), mesh, "data", None), None

        def loss(w):
            out, _ = jax.lax.scan(jax.checkpoint(layer), x, (w, jnp.arange(w.shape[0])))
            return jnp.mean(out ** 2)
        value, grad = jax.value_and_grad(loss)(w)
        return w - 0.01 * grad, value

    return (jax.jit(step, in_shardings=(weights, batch, None), out_shardings=(weights, None)),
            (normal(0, 3, 16, 16), normal(1, 16, 16), np.array([1, 2], np.uint32)))


@case
def partly_manual():
    mesh = make_mesh((2, 4), ("data", "model"))

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(P("data"), P()), out_specs=P("data"),
                       axis_names={"data"})
    def inner(x, w):
        y = jax.lax.with_sharding_constraint(x @ w, P(None, "model"))
        return y - jax.lax.pmean(y.mean(0), "data")

    return (jax.jit(inner, in_shardings=sharded(mesh, ("data",), (None, "model"))),
            (normal(0, 8, 8), normal(1, 8, 16)))


@case
def nested_shard_map():
    mesh = make_mesh((2, 4), ("data", "model"))

    def inner(x):
        return jax.lax.psum(x, "model")

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=P("data", None), out_specs=P("data"),
                       axis_names={"data"})
    def outer(x):
        total = jax.shard_map(inner, in_specs=P(None, "model"), out_specs=P(),
                              axis_names={"model"})(x)
        return total + jax.lax.pmean(x.mean(0)[:total.shape[1]], "data")

    return jax.jit(outer), (normal(0, 8, 16),)


@case
def in_shardings_differ_from_specs():
    mesh = make_mesh((2, 4), ("data", "model"))
    total = jax.shard_map(lambda x: jax.lax.psum(x.sum(0), "data"), mesh=mesh,
                          in_specs=P("data", "model"), out_specs=P("model"))
    return (jax.jit(total, in_shardings=sharded(mesh, ("model", "data"))), (normal(0, 8, 8),))


@case
def explicit_mesh():
    mesh = make_mesh((4, 2), ("data", "model"), explicit=True)
    x = jax.device_put(normal(0, 16, 8), NamedSharding(mesh, P("data", None)))
    w = jax.device_put(normal(1, 8, 12), NamedSharding(mesh, P(None, "model")))

    def step(x, w):
        y = jnp.sin(x @ w)
        return jax.sharding.reshard(y, NamedSharding(mesh, P(None, "model"))).sum(0), y.T * 2

    return jax.jit(step), (x, w)


@gspmd
def gspmd_mlp():
    mesh = make_mesh((4, 2), ("data", "model"))
    specs = sharded(mesh, (None, "model"), ("model", None), ("data", None))
    step = jax.jit(lambda *a: jax.value_and_grad(
        lambda *a: jnp.mean(mlp(mesh, *a) ** 2), argnums=(0, 1))(*a), in_shardings=specs)
    return step, (normal(0, 16, 32), normal(1, 32, 16), normal(2, 8, 16))


@gspmd
def gspmd_shard_map_and_work():
    mesh = make_mesh((2, 4), ("data", "model"))
    total = jax.shard_map(lambda x: jax.lax.psum(x, "model"), mesh=mesh,
                          in_specs=P("data", "model"), out_specs=P("data"))
    return (jax.jit(lambda x: total(x * 2) + x[:, :4],
                    in_shardings=sharded(mesh, (None, "model"))), (normal(0, 8, 16),))


@gspmd
def gspmd_partly_manual():
    mesh = make_mesh((2, 4), ("data", "model"))
    inner = jax.shard_map(lambda x, w: jax.lax.psum(x @ w, "data"), mesh=mesh,
                          in_specs=(P(None, "data"), P("data")), out_specs=P(),
                          axis_names={"data"})
    return (jax.jit(inner, in_shardings=sharded(mesh, (None, "data"), ("data", "model"))),
            (normal(0, 8, 8), normal(1, 8, 16)))


@case
def unspecified_arguments():
    mesh = make_mesh((4, 2), ("data", "model"))

    def step(a, b, c):
        return constrain(a @ b, mesh, "data", "model") + c, a.sum(1)

    return (jax.jit(step, in_shardings=(None, NamedSharding(mesh, P(None, "model")), None)),
            (normal(0, 8, 8), normal(1, 8, 8), normal(2, 8)))


@case
def uneven_constraint():
    mesh = make_mesh((4,), ("x",))

    def step(x):
        y = constrain(x * 2, mesh, "x")
        return jnp.cumsum(y, 0), y.max(0), jnp.sort(y, 0), (y @ y.T).sum()

    return jax.jit(step), (normal(0, 10, 3),)


@case
def experts_three_axes():
    mesh = make_mesh((2, 2, 4), ("data", "model", "expert"))

    def step(tokens, gate, up, down):
        scores = jax.nn.softmax(tokens @ gate)
        top, index = jax.lax.top_k(scores, 2)
        onehot = jax.nn.one_hot(index, gate.shape[1]) * top[..., None]
        dispatch = onehot.sum(1)
        routed = constrain(jnp.einsum("te,td->etd", dispatch, tokens), mesh, "expert", "data")
        h = constrain(jax.nn.relu(jnp.einsum("etd,edh->eth", routed, up)), mesh, "expert", "data",
                      "model")
        out = jnp.einsum("eth,ehd->etd", h, down)
        return constrain(jnp.einsum("etd,te->td", out, dispatch), mesh, "data")

    def train(tokens, gate, up, down):
        return jax.value_and_grad(lambda *w: jnp.mean(step(tokens, *w) ** 2), argnums=(0, 1, 2))(
            gate, up, down)

    specs = sharded(mesh, ("data",), (), ("expert", None, "model"), ("expert", "model", None))
    return (jax.jit(train, in_shardings=specs),
            (normal(0, 16, 8), normal(1, 8, 4), normal(2, 4, 8, 16), normal(3, 4, 16, 8)))


@metric
def metric_mean_of_all():
    """The loss is a mean over data x model, its largest error a maximum."""
    mesh = make_mesh((4, 2), ("data", "model"))

    def metrics(w, x, y):
        error = x @ w - y
        return {"loss": jnp.mean(error ** 2), "worst": jnp.max(jnp.abs(error))}

    specs = sharded(mesh, (None, "model"), ("data",), ("data",))
    return (jax.jit(metrics, in_shardings=specs),
            (normal(0, 8, 4), normal(1, 16, 8), normal(2, 16, 4)))


@metric
def metric_mean_of_a_shard():
    """A shard_map returns the mean of each shard of data as if it were the mean of all."""
    mesh = make_mesh((4, 2), ("data", "model"))
    mean = jax.shard_map(lambda x: jax.lax.pmean(x.mean(), "model"), mesh=mesh,
                         in_specs=P("data", "model"), out_specs=P(), check_vma=False)
    return (jax.jit(lambda x: {"mean": mean(x * 2)},
                    in_shardings=sharded(mesh, ("data", "model"))), (normal(0, 16, 8),))


def main() -> None:
    out, names = pathlib.Path(sys.argv[1]), sys.argv[2:] or list(CASES)
    for name in names:
        write(out / name, name)


if __name__ == "__main__":
    main()
