# SPDX-License-Identifier: Apache-2.0
"""Cases of global_programs.py that are about operations rather than about shardings."""
from __future__ import annotations

import functools

from global_kit import case, constrain, make_mesh, normal, sharded
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P


@case
def convolution_halo_and_rolls():
    mesh = make_mesh((2, 4), ("data", "space"))

    def step(image, kernel):
        y = jax.lax.conv_general_dilated(image, kernel, (1, 1), "SAME",
                                         dimension_numbers=("NHWC", "HWIO", "NHWC"))
        y = constrain(y, mesh, "data", "space")
        rolled = jnp.roll(y, 3, axis=1) + jnp.roll(y, -1, axis=2)
        pooled = jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1),
                                       "VALID")
        return rolled, pooled

    def train(image, kernel):
        return jax.value_and_grad(lambda k: sum(jnp.mean(r ** 2) for r in step(image, k)))(
            kernel), step(image, kernel)[0]

    return (jax.jit(train, in_shardings=sharded(mesh, ("data", "space"), ())),
            (normal(0, 4, 16, 8, 3), normal(1, 3, 3, 3, 4)))


@case
def permuted_devices():
    mesh = make_mesh((4, 2), ("data", "model"), order=[3, 1, 0, 2, 7, 6, 4, 5])
    specs = sharded(mesh, ("data", "model"), ("model",))
    return (jax.jit(lambda x, w: (jnp.sin(x @ w), x.sum(0)), in_shardings=specs),
            (normal(0, 8, 8), normal(1, 8, 6)))


@case
def two_orders_of_devices():
    one = make_mesh((4, 2), ("a", "b"))

    @functools.partial(jax.shard_map, mesh=one, in_specs=P(("b", "a")), out_specs=P(("b", "a")))
    def inner(x):
        return x + jax.lax.axis_index("b")

    return (jax.jit(lambda x: inner(x) * 2, in_shardings=sharded(one, (("a", "b"),))),
            (normal(0, 16, 2),))


@case
def embedding_gather_scatter():
    mesh = make_mesh((2, 4), ("data", "vocab"))

    def loss(table, ids):
        return jnp.mean(jnp.tanh(table[ids]) ** 2)

    return (jax.jit(jax.value_and_grad(loss), in_shardings=sharded(mesh, ("vocab",), ("data",))),
            (normal(0, 32, 8), np.arange(24, dtype=np.int32).reshape(8, 3) * 7 % 32))


@case
def slices_and_updates():
    mesh = make_mesh((8,), ("x",))

    def step(cache, new, at):
        cache = jax.lax.dynamic_update_slice(cache, new, (at, 0))
        read = jax.lax.dynamic_slice(cache, (at + 1, 0), (4, 8))
        return cache, read, cache[3:11:2], jnp.concatenate([cache, new]), cache[::-1]

    return (jax.jit(step, in_shardings=sharded(mesh, ("x",), (), ())),
            (normal(0, 16, 8), normal(1, 3, 8), np.int32(5)))


@case
def sorts_and_scans():
    mesh = make_mesh((4,), ("x",))

    def step(x):
        return (jnp.sort(x, 0), jnp.argsort(x, 1), jnp.cumsum(x, 0), jnp.cumprod(x, 1),
                jax.lax.top_k(x, 3)[0], jnp.argmax(x, 0), jnp.median(x, 0))

    return jax.jit(step, in_shardings=sharded(mesh, ("x",))), (normal(0, 16, 8),)


@case
def random_numbers():
    mesh = make_mesh((2, 4), ("data", "model"))

    def step(key):
        a = constrain(jax.random.normal(key, (16, 8)), mesh, "data", "model")
        b = jax.random.randint(jax.random.fold_in(key, 1), (8, 8), 0, 100)
        return a, constrain(b, mesh, "model"), jax.random.permutation(key, 16)

    return jax.jit(step), (np.array([3, 4], np.uint32),)


@case
def while_loop():
    mesh = make_mesh((4, 2), ("data", "model"))

    def step(x, w):
        def body(state):
            i, x = state
            x = constrain(jnp.tanh(x @ w), mesh, "data", None)
            return i + 1, x / jnp.sqrt(jnp.sum(x * x))
        return jax.lax.while_loop(lambda s: (s[0] < 5) & (jnp.sum(s[1]) < 100), body, (0, x))

    return (jax.jit(step, in_shardings=sharded(mesh, ("data",), (None, "model"))),
            (normal(0, 8, 8), normal(1, 8, 8)))


@case
def linear_algebra():
    mesh = make_mesh((4,), ("x",))

    def step(x, b):
        a = x @ x.T + 8 * jnp.eye(8)
        return jnp.linalg.cholesky(a), jax.scipy.linalg.solve_triangular(
            jnp.linalg.cholesky(a), b, lower=True), jnp.fft.fft(x, axis=1).real

    return (jax.jit(step, in_shardings=sharded(mesh, ("x",), ("x",))),
            (normal(0, 8, 8), normal(1, 8, 4)))


@case
def attention_sequence_parallel():
    mesh = make_mesh((2, 2, 4), ("data", "model", "seq"))

    def attend(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2.0
        mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
        p = jax.nn.softmax(jnp.where(mask, scores, -1e9))
        return constrain(jnp.einsum("bhqk,bkhd->bqhd", p, v), mesh, "data", "seq", "model")

    specs = sharded(mesh, *[("data", "seq", "model")] * 3)
    return (jax.jit(jax.value_and_grad(lambda *a: jnp.sum(attend(*a) ** 2), argnums=(0, 1, 2)),
                    in_shardings=specs),
            tuple(normal(i, 4, 8, 4, 4) for i in range(3)))


@case
def bf16_and_integers():
    mesh = make_mesh((4, 2), ("data", "model"))

    def step(x, n):
        y = x.astype(jnp.bfloat16)
        z = constrain((y * 2).T, mesh, "model", "data")
        return z.astype(jnp.float32), (n // 3) % 5, (n > 4).sum(0), n.astype(jnp.int8).min()

    return (jax.jit(step, in_shardings=sharded(mesh, ("data", "model"), ("model",))),
            (normal(0, 8, 8), np.arange(32, dtype=np.int32).reshape(8, 4)))
