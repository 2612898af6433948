# SPDX-License-Identifier: Apache-2.0
"""Rows of bench/operation_rows.py: what programs write around single operations.

Selections by several conditions, updates by index in loops, groups of channels, short rows, long
products of two vectors, repetitions and their gradients, tiny matrices, complex products, f16.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

MANY = (1024, 65536, 2 << 20)
SIDES = (32, 256, 2048)
_random = np.random.default_rng(23)


def normal(*shape, dtype=np.float32):
    return jnp.asarray(_random.standard_normal(shape).astype(np.float32)).astype(dtype)


def whole(high, *shape, dtype=np.int32):
    return jnp.asarray(_random.integers(0, high, shape).astype(dtype))


def wave(*shape):
    return jnp.asarray((_random.standard_normal(shape) + 1j * _random.standard_normal(shape))
                       .astype(np.complex64))


def gradient(function):
    return jax.grad(lambda *all: (function(*all).astype(np.float32) ** 2).sum())


def group_norm(x):
    n, h, w, c = x.shape
    y = x.reshape(n, h, w, 8, c // 8)
    mean = y.mean((1, 2, 4), keepdims=True)
    return ((y - mean) * lax.rsqrt(y.var((1, 2, 4), keepdims=True) + 1e-5)).reshape(x.shape)


def prefix(x):
    return lax.fori_loop(1, x.size, lambda i, a: a.at[i].add(0.5 * a[i - 1]), x)


def select(x):
    return jnp.select([x < -1, x < 0, x < 1], [-jnp.ones_like(x), x, 2 * x], 3 * x)


def repeat_twice(x):
    return jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)


def descent(w, x, y):
    return lax.fori_loop(0, 5, lambda _, w: w - 2e-4 * (x.T @ (x @ w - y)), w)


def patterns():
    many = [(normal(n),) for n in MANY]
    pairs = [(normal(n), normal(n)) for n in MANY]
    images = [(normal(4, n, n, 32),) for n in (4, 32, 128)]
    yield "vdot", jnp.vdot, [(normal(n) + 1, normal(n) + 1) for n in MANY], 2e-2
    yield "vdot bf16", jnp.dot, [(normal(n, dtype=jnp.bfloat16) + 1, normal(n, dtype=jnp.bfloat16) + 1)
                                 for n in (1024, 65536, 1 << 20)], 2e-2
    yield "complex vdot", jnp.vdot, [(wave(n) + 1, wave(n) + 1) for n in MANY], 2e-2
    yield "prefix in a loop", prefix, [(normal(n),) for n in (100, 1000, 10000)], 1e-4
    yield "group norm", group_norm, images, 1e-3
    yield "select by conditions", select, many, 1e-6
    yield "argmax i8", lambda x: jnp.argmax(x, -1), [(whole(100, n, n, dtype=np.int8),) for n in SIDES], 0
    yield "argmax short rows", lambda x: jnp.argmax(x, -1), [
        (normal(n, 10),) for n in (128, 8192, 262144)], 0
    yield "first true", lambda x: jnp.argmax(x > 2, 1), [(normal(n, n),) for n in SIDES], 0
    yield "grey", lambda x: x @ jnp.array([0.3, 0.6, 0.1], np.float32), [
        (normal(2, n, n, 3),) for n in (16, 128, 1024)], 2e-2
    yield "gradient descent", descent, [
        (normal(16), normal(n, 16), normal(n)) for n in (32, 256, 4096)], 5e-2
    yield "repeat gradient", gradient(repeat_twice), [(normal(4, n, n, 8),) for n in (4, 32, 128)], 1e-5
    yield "tile gradient", gradient(lambda x: jnp.tile(x, (2, 3))), [(normal(n, n),) for n in SIDES], 1e-5
    yield "polyval gradient", gradient(lambda x, c: jnp.polyval(c, x)), [
        (normal(n) / 4, normal(8)) for n in MANY], 1e-4
    yield "matmul 3x3", jnp.matmul, [(normal(n, 3, 3), normal(n, 3, 3)) for n in (100, 7000, 200000)], 2e-2
    yield "matrix vector i32", jnp.dot, [(whole(100, n, n), whole(100, n)) for n in (64, 512, 2048)], 0
    yield "cross product", jnp.cross, [(normal(n, 3), normal(n, 3)) for n in (341, 21845, 699050)], 1e-5
    yield "reduce precision", lambda x: lax.reduce_precision(x, 5, 10), many, 0
    yield "hard_swish f16", jax.nn.hard_swish, [(normal(n, dtype=jnp.float16),) for n in MANY], 2e-3
    yield "complex tanh", jnp.tanh, [(wave(n),) for n in (1024, 65536, 1 << 20)], 1e-4
    yield "take pairs", lambda x, i, j: x[i, j], [
        (normal(512, 512), whole(512, n), whole(512, n)) for n in MANY], 0
    yield "choose", lambda i, a, b, c: jnp.choose(i, [a, b, c], mode="clip"), [
        (whole(3, n), normal(n), normal(n), normal(n)) for n in (1024, 65536, 1 << 20)], 0
    yield "sum of products of vectors", lambda a, b: (a * b).sum(), pairs, 1e-2


GROUPS = (patterns,)
