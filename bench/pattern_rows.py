# SPDX-License-Identifier: Apache-2.0
"""Rows of bench/operation_rows.py: what programs write around single operations.

Selections by several conditions, updates by index in loops, groups of channels, short rows, long
products of two vectors, repetitions and their gradients, tiny matrices, complex products, f16.
"""
import jax
import jax.numpy as jnp
import jax.scipy.ndimage
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


def grey_by_sum(x):
    return 0.3 * x[..., 0] + 0.6 * x[..., 1] + 0.1 * x[..., 2]


def fir(x):
    return sum(w * jnp.roll(x, k) for k, w in enumerate((0.1, 0.2, 0.4, 0.2, 0.1)))


def layer_norm_of(x, scale):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * scale


def largest_size(x):
    return lax.reduce(x, np.float32(0), lambda a, b: jnp.maximum(jnp.abs(a), jnp.abs(b)), (1,))


def voxels(places, values):
    return jnp.zeros((16, 16, 16)).at[places[:, 0], places[:, 1], places[:, 2]].add(values)


def at_points(image, points):
    return jax.scipy.ndimage.map_coordinates(image, list(points), order=1)


# Parts of arrays, several indices for each element, and complex functions.
def parts_and_places():
    waves = [(wave(n),) for n in (1024, 65536, 1 << 20)]
    planes = [(normal(n, n),) for n in SIDES]
    yield "complex sign", jnp.sign, waves, 1e-5
    yield "complex tan", jnp.tan, waves, 1e-3
    yield "complex pow", jnp.power, [(wave(n), wave(n)) for n in (1024, 65536, 1 << 20)], 1e-3
    yield "complex polyval", lambda x: jnp.polyval(jnp.array([1, 2, 3, 4], np.complex64), x), waves, 1e-4
    yield "complex scatter add", lambda x, i, v: x.at[i].add(v), [
        (wave(1000), whole(1000, n), wave(n)) for n in (1024, 65536, 1 << 20)], 1e-3
    yield "grey by sum", grey_by_sum, [(normal(2, n, n, 3),) for n in (16, 128, 1024)], 1e-5
    yield "determinant 3x3", jnp.linalg.det, [(normal(n, 3, 3),) for n in (100, 7000, 200000)], 1e-3
    yield "every second column gradient", gradient(lambda x: x[:, ::2]), planes, 1e-6
    yield "roll", lambda x: jnp.roll(x, (3, 5), (0, 1)), planes, 0
    yield "weighted rolls", fir, [(normal(n),) for n in MANY], 1e-5
    yield "triu", jnp.triu, planes, 0
    yield "pixel mean u8", lambda x: x.astype(np.float32).mean((0, 1, 2)), [
        (whole(256, 4, n, n, 3, dtype=np.uint8),) for n in (8, 64, 512)], 1e-6
    yield "layer norm bf16", layer_norm_of, [
        (normal(n, 256, dtype=jnp.bfloat16), normal(256, dtype=jnp.bfloat16)) for n in (4, 256, 8192)], 5e-2
    yield "voxels", voxels, [(whole(16, n, 3), normal(n)) for n in (512, 16384, 262144)], 1e-4
    yield "image at points", at_points, [
        (normal(n, n), jnp.abs(normal(2, n, n)) * n / 3) for n in (32, 256, 1024)], 1e-4
    yield "isin", jnp.isin, [(whole(1000, n), whole(1000, 32)) for n in (1024, 65536, 1 << 20)], 0
    yield "insert", lambda x: jnp.insert(x, 5, 1.0), [(normal(n),) for n in MANY], 0
    yield "custom reduce", largest_size, planes, 1e-6
    yield "matrices 4x4 times vectors", lambda m, v: jnp.einsum("nij,nj->ni", m, v), [
        (normal(n, 4, 4), normal(n, 4)) for n in (64, 4096, 131072)], 2e-2
    yield "matrices 16x16 times vectors", lambda m, v: jnp.einsum("nij,nj->ni", m, v), [
        (normal(n, 16, 16), normal(n, 16)) for n in (4, 256, 8192)], 2e-2
    yield "matrices int8 32x32", lambda a, b: jnp.einsum(
        "bij,bjk->bik", a, b, preferred_element_type=np.int32), [
            (whole(127, n, 32, 32, dtype=np.int8), whole(127, n, 32, 32, dtype=np.int8))
            for n in (1, 64, 1024)], 0


def laplacian(x):
    return sum(jnp.roll(x, k, d) for k in (1, -1) for d in (0, 1, 2)) - 6 * x


def central_differences(x, y):
    return (jnp.roll(x, -1, 1) - jnp.roll(x, 1, 1) + jnp.roll(y, -1, 0) - jnp.roll(y, 1, 0)) / 2


def by_pieces(x):
    return jnp.piecewise(x, [x < -1, x > 1], [lambda v: -1 - v, lambda v: v - 1, 0])


def viterbi(transitions, scores):
    def step(best, score):
        both = best[:, None] + transitions
        return both.max(0) + score, jnp.argmax(both, 0)
    return lax.scan(step, scores[0], scores[1:])


# Joined arrays, functions by pieces, sums along lines, f16.
def joined_and_pieces():
    many = [(normal(n),) for n in MANY]
    halves = [(normal(n, dtype=jnp.float16),) for n in MANY]
    yield "laplacian by rolls", laplacian, [(normal(n, n, n),) for n in (10, 40, 128)], 1e-5
    yield "central differences", central_differences, [(normal(n, n), normal(n, n)) for n in SIDES], 1e-5
    yield "padded multiply", lambda x: 2 * jnp.pad(x, ((1, 2), (3, 4))) + 1, [
        (normal(n, n),) for n in SIDES], 1e-6
    yield "piecewise", by_pieces, many, 1e-6
    yield "expi", jax.scipy.special.expi, [(jnp.abs(normal(n)) + 0.1,) for n in (1024, 16384, 262144)], 1e-4
    yield "spence", jax.scipy.special.spence, [(jnp.abs(normal(n)),) for n in (1024, 65536, 1 << 20)], 1e-4
    yield "power of negative", lambda x: x ** jnp.float32(3) + (-2.0) ** jnp.round(x), many, 1e-4
    yield "cumulative sum from the end", lambda x: jnp.cumsum(x[::-1])[::-1], many, 1e-3
    yield "cumulative sum i32", jnp.cumsum, [(whole(9, n),) for n in MANY], 0
    yield "softmax 10 classes", jax.nn.softmax, [(normal(n, 10),) for n in (100, 6500, 200000)], 1e-5
    yield "maximum of 10 columns", lambda x: x.max(-1), [(normal(n, 10),) for n in (100, 6500, 200000)], 0
    yield "viterbi", viterbi, [(normal(16, 16), normal(n, 16)) for n in (20, 200, 2000)], 1e-4
    yield "silu f16", jax.nn.silu, halves, 2e-3
    yield "silu f16 gradient", gradient(jax.nn.silu), halves, 5e-3
    yield "gelu f16", jax.nn.gelu, halves, 5e-3
    yield "leaky relu f16", jax.nn.leaky_relu, halves, 2e-3
    yield "softmax f16", jax.nn.softmax, [(normal(n, n, dtype=jnp.float16),) for n in SIDES], 5e-3
    yield "top 1 of 16 bf16", lambda x: jnp.argmax(x, -1), [
        (normal(n, 16, dtype=jnp.bfloat16),) for n in (64, 4096, 131072)], 0


GROUPS = (patterns, parts_and_places, joined_and_pieces)
