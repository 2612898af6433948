# SPDX-License-Identifier: Apache-2.0
"""The operations that bench/operations.py compares: name, function, three sets of arguments.

A row is (name, function, [arguments, ...], tolerance); arguments are made by size. Rows that end in
"gradient" differentiate the sum of the function by its first argument.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import algebra_rows
import arithmetic_rows
import convolution_rows
import elementwise_rows
import model_rows
import pattern_rows

_random = np.random.default_rng(7)


def normal(*shape, dtype=np.float32):
    return jnp.asarray(_random.standard_normal(shape).astype(np.float32)).astype(dtype)


def whole(high, *shape, low=0, dtype=np.int32):
    return jnp.asarray(_random.integers(low, high, shape).astype(dtype))


def within(*shape):
    return jnp.asarray(_random.uniform(0.9, 1.1, shape).astype(np.float32))


def wave(*shape):
    return jnp.asarray((_random.standard_normal(shape) + 1j * _random.standard_normal(shape))
                       .astype(np.complex64))


def gradient(function):
    return jax.grad(lambda *all: (function(*all).astype(np.float32) ** 2).sum())


def rnn(carry, inputs, weights):
    return lax.scan(lambda h, x: (jnp.tanh(h @ weights + x), h.sum()), carry, inputs)


def attention(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k).astype(np.float32) / 8
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores).astype(q.dtype), v)


def convolution(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def average(x):
    return lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME") / 9


def sorts():
    lines = [(64, 64), (4, 16384), (4, 262144)]
    flat = [1024, 65536, 1 << 20]
    yield "top_k 50", lambda x: lax.top_k(x, 50), [(normal(*s),) for s in lines], 0
    yield "top_k 8 of rows", lambda x: lax.top_k(x, 8), [(normal(n, 128),) for n in (16, 512, 8192)], 0
    yield "top_k bf16", lambda x: lax.top_k(x, 50), [(normal(*s, dtype=jnp.bfloat16),) for s in lines], 0
    yield "sort f32", jnp.sort, [(normal(n),) for n in flat], 0
    yield "sort i32", jnp.sort, [(whole(1 << 30, n),) for n in flat], 0
    yield "sort bf16", jnp.sort, [(normal(n, dtype=jnp.bfloat16),) for n in flat], 0
    yield "sort rows", jnp.sort, [(normal(n, 128),) for n in (16, 512, 8192)], 0
    yield "sort columns", lambda x: jnp.sort(x, axis=0), [(normal(128, n),) for n in (16, 512, 8192)], 0
    yield "argsort f32", jnp.argsort, [(normal(n),) for n in flat], 0
    yield "sort two keys", lambda a, b: lax.sort((a, b), num_keys=2), [
        (whole(100, n), normal(n)) for n in flat], 0
    yield "median", lambda x: jnp.median(x, axis=-1), [(normal(16, n),) for n in (64, 4096, 65536)], 1e-6
    yield "argmax rows", lambda x: jnp.argmax(x, -1), [(normal(n, 256),) for n in (16, 512, 16384)], 0
    yield "argmax columns", lambda x: jnp.argmax(x, 0), [(normal(n, 256),) for n in (16, 512, 16384)], 0
    yield "cumsum", lambda x: jnp.cumsum(x, -1), [(normal(8, n),) for n in (128, 8192, 262144)], 1e-3
    yield "cumsum columns", lambda x: jnp.cumsum(x, 0), [(normal(n, 256),) for n in (16, 512, 8192)], 1e-3
    yield "cummax", lambda x: lax.cummax(x, 1), [(normal(8, n),) for n in (128, 8192, 262144)], 0
    yield "cumlogsumexp", lambda x: lax.cumlogsumexp(x, 1), [(normal(8, n),) for n in (128, 4096, 65536)], 1e-4
    yield "sort gradient", gradient(jnp.sort), [(normal(n),) for n in flat], 1e-5
    yield "top_k gradient", gradient(lambda x: lax.top_k(x, 50)[0]), [(normal(*s),) for s in lines], 1e-5


def products():
    square = [64, 256, 1024]
    near = 3e-2  # operands of f32 products are rounded to bf16
    yield "dot f32", jnp.dot, [(normal(n, n), normal(n, n)) for n in square], near
    yield "dot bf16", jnp.dot, [(normal(n, n, dtype=jnp.bfloat16), normal(n, n, dtype=jnp.bfloat16))
                                for n in square], near
    yield "dot f32 highest", lambda a, b: jnp.dot(a, b, precision="highest"), [
        (normal(n, n), normal(n, n)) for n in square], 1e-4
    int8 = lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32)
    yield "dot int8", int8, [
        (whole(127, m, k, low=-128, dtype=np.int8), whole(127, k, n, low=-128, dtype=np.int8))
        for m, k, n in ((64, 64, 64), (512, 1024, 512), (1024, 1024, 1024))], 0
    yield "dot int32", jnp.dot, [(whole(1000, n, n), whole(1000, n, n)) for n in (64, 256, 512)], 0
    yield "dot transposed", lambda a, b: jnp.dot(a.T, b.T), [
        (normal(n, n), normal(n, n)) for n in square], near
    yield "matrix vector", jnp.dot, [(normal(n, n), normal(n)) for n in (128, 512, 2048)], near
    yield "batched 8x8", jnp.matmul, [(normal(n, 8, 8), normal(n, 8, 8)) for n in (16, 1024, 65536)], near
    yield "batched 32x32", jnp.matmul, [(normal(n, 32, 32), normal(n, 32, 32)) for n in (4, 64, 1024)], near
    yield "batched 64x64 bf16", jnp.matmul, [
        (normal(n, 64, 64, dtype=jnp.bfloat16), normal(n, 64, 64, dtype=jnp.bfloat16))
        for n in (2, 32, 256)], near
    yield "einsum heads", lambda a, b: jnp.einsum("bqhd,bkhd->bhqk", a, b), [
        (normal(2, n, 4, 32), normal(2, n, 4, 32)) for n in (16, 64, 256)], near
    yield "dot gradient", gradient(jnp.dot), [(normal(n, n), normal(n, n)) for n in square], near
    yield "batched 8x8 gradient", gradient(jnp.matmul), [
        (normal(n, 8, 8), normal(n, 8, 8)) for n in (16, 1024, 65536)], near
    yield "attention", attention, [tuple(normal(4, n, 64) for _ in range(3)) for n in (32, 128, 512)], near
    yield "attention bf16", attention, [tuple(normal(4, n, 64, dtype=jnp.bfloat16) for _ in range(3))
                                        for n in (32, 128, 512)], near
    yield "attention gradient", gradient(attention), [tuple(normal(4, n, 64) for _ in range(3))
                                                      for n in (32, 128, 512)], near
    images = [(2, 8, 8), (4, 32, 16), (8, 56, 32)]
    yield "convolution", convolution, [(normal(b, s, s, c), normal(3, 3, c, 2 * c))
                                       for b, s, c in images], near
    yield "convolution gradient", jax.grad(lambda w, x: (convolution(x, w) ** 2).sum()), [
        (normal(3, 3, c, 2 * c), normal(b, s, s, c)) for b, s, c in images], near
    yield from convolution_rows.rows(images, near, convolution, gradient, normal)
    yield from algebra_rows.products(near, normal, wave)


def decompositions():
    yield from algebra_rows.decompositions(3e-2, normal)


def transforms():
    yield "fft 2^n", jnp.fft.fft, [(wave(64, n),) for n in (16, 1024, 16384)], 1e-4
    yield "fft prime", jnp.fft.fft, [(wave(16, n),) for n in (17, 509, 4099)], 1e-4
    yield "fft composite", jnp.fft.fft, [(wave(16, n),) for n in (60, 1500, 30000)], 1e-4
    yield "ifft", jnp.fft.ifft, [(wave(64, n),) for n in (16, 1024, 16384)], 1e-4
    yield "rfft", jnp.fft.rfft, [(normal(64, n),) for n in (16, 1024, 16384)], 1e-4
    yield "irfft", jnp.fft.irfft, [(wave(64, n + 1),) for n in (8, 512, 8192)], 1e-4
    yield "fft2", jnp.fft.fft2, [(wave(4, n, n),) for n in (16, 64, 256)], 1e-4
    yield "fft one line", jnp.fft.fft, [(wave(1, n),) for n in (1000, 65536, 1 << 20)], 1e-4
    yield "fft columns", lambda x: jnp.fft.fft(x, axis=0), [(wave(n, 64),) for n in (16, 1024, 16384)], 1e-4
    yield "rfft2", jnp.fft.rfft2, [(normal(4, n, n),) for n in (16, 64, 256)], 1e-4
    yield "irfft gradient", jax.grad(lambda x: (jnp.fft.irfft(x) ** 2).sum(), holomorphic=False), [
        (wave(64, n + 1),) for n in (8, 512, 8192)], 1e-4
    yield "rfft gradient", jax.grad(lambda x: jnp.abs(jnp.fft.rfft(x)).sum()), [
        (normal(64, n),) for n in (16, 1024, 16384)], 1e-4


def indexing():
    many = (1024, 65536, 1 << 20)
    sized = lambda n: max(n // 1000, 16)
    yield "bincount", lambda x: jnp.bincount(x, length=1000), [(whole(1000, n),) for n in many], 0
    yield "segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 1000), [
        (normal(n), whole(1000, n)) for n in many], 1e-4
    yield "segment_sum rows", lambda x, i: jax.ops.segment_sum(x, i, 512), [
        (normal(n, 64), whole(512, n)) for n in (64, 1024, 16384)], 1e-4
    yield "segment_max", lambda x, i: jax.ops.segment_max(x, i, 1000), [
        (normal(n), whole(1000, n)) for n in many], 0
    yield "scatter min i32", lambda x, i, u: x.at[i].min(u), [
        (whole(100, 1000), whole(1000, n), whole(100, n)) for n in many], 0
    yield "scatter multiply", lambda x, i, u: x.at[i].mul(u), [
        (normal(n), whole(n, n // 4), within(n // 4)) for n in many], 1e-4
    yield "scatter set", lambda x, i, u: x.at[i].set(u), [
        (normal(n), jnp.asarray(_random.permutation(n)[: n // 4].astype(np.int32)), normal(n // 4))
        for n in many], 0
    yield "scatter 2d", lambda x, i, j, u: x.at[i, j].add(u), [
        (normal(256, 256), whole(256, n), whole(256, n), normal(n)) for n in (1024, 16384, 262144)], 1e-4
    yield "take elements", lambda x, i: x[i], [(normal(n), whole(n, n)) for n in many], 0
    yield "take rows", lambda x, i: x[i], [
        (normal(4096, 128), whole(4096, n)) for n in (16, 1024, 16384)], 0
    yield "take_along_axis", lambda x, i: jnp.take_along_axis(x, i, 1), [
        (normal(64, n), whole(n, 64, n)) for n in (16, 1024, 16384)], 0
    yield "take_along_axis gradient", gradient(lambda x, i: jnp.take_along_axis(x, i, 1)), [
        (normal(64, n), whole(n, 64, n)) for n in (16, 1024, 16384)], 1e-4
    yield "embedding gradient", gradient(lambda x, i: x[i]), [
        (normal(4096, 128), whole(4096, n)) for n in (16, 1024, 16384)], 1e-4
    yield "dynamic_update_slice", lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)), [
        (normal(n, 256), normal(n // 4, 256), jnp.int32(3)) for n in (16, 512, 8192)], 0
    yield "dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i, 0), (x.shape[0] // 2, 128)), [
        (normal(n, 256), jnp.int32(3)) for n in (16, 512, 8192)], 0


def reductions():
    sides = (32, 256, 2048)
    plane = [(normal(n, n),) for n in sides]
    yield "sum all", jnp.sum, plane, 1e-3
    yield "sum rows", lambda x: x.sum(1), plane, 1e-3
    yield "sum columns", lambda x: x.sum(0), plane, 1e-3
    yield "max rows", lambda x: x.max(1), plane, 0
    yield "max columns", lambda x: x.max(0), plane, 0
    yield "mean bf16", lambda x: x.mean(1), [(normal(n, n, dtype=jnp.bfloat16),) for n in sides], 1e-2
    yield "sum middle", lambda x: x.sum(1), [(normal(16, n, 64),) for n in (8, 128, 2048)], 1e-3
    for side, axis in (("rows", 1), ("columns", 0)):
        yield f"sum {side} bf16", lambda x, axis=axis: x.sum(axis), [
            (normal(n, n, dtype=jnp.bfloat16),) for n in sides], 2e-2
        yield f"max {side} bf16", lambda x, axis=axis: x.max(axis), [
            (normal(n, n, dtype=jnp.bfloat16),) for n in sides], 0
        yield f"max {side} i32", lambda x, axis=axis: x.max(axis), [
            (whole(1000, n, n),) for n in sides], 0
        yield f"max {side} i8", lambda x, axis=axis: x.max(axis), [
            (whole(100, n, n, dtype=np.int8),) for n in sides], 0
        yield f"sum {side} i32", lambda x, axis=axis: x.sum(axis), [
            (whole(100, n, n),) for n in sides], 0
        yield f"any {side}", lambda x, axis=axis: x.any(axis), [
            (whole(2, n, n) > 1,) for n in sides], 0
    yield "max plane", jnp.max, plane, 0
    yield "product rows", lambda x: (1 + x / 1000).prod(1), plane, 1e-3
    yield "max middle", lambda x: x.max(1), [(normal(16, n, 64),) for n in (8, 128, 2048)], 0
    yield "sum leading two", lambda x: x.sum((0, 1)), [
        (normal(n, 16, 64),) for n in (8, 128, 2048)], 1e-3
    yield "sum outer and inner", lambda x: x.sum((0, 2)), [
        (normal(n, 16, 64),) for n in (8, 128, 2048)], 1e-3
    yield "max short rows", lambda x: x.max(-1), [(normal(n, 3),) for n in (128, 8192, 262144)], 0
    yield "sum narrow columns", lambda x: x.sum(0), [
        (normal(n, 3),) for n in (128, 8192, 262144)], 1e-3
    yield "variance rows", lambda x: x.var(1), plane, 1e-3
    yield "max rows gradient", gradient(lambda x: x.max(1)), plane, 1e-5
    yield "sum short rows", lambda x: x.sum(-1), [(normal(n, 8),) for n in (128, 8192, 262144)], 1e-5
    yield "sum i32", jnp.sum, [(whole(100, n, n),) for n in sides], 0
    yield "any", jnp.any, [(whole(2, n, n) > 1,) for n in sides], 0
    yield "max pool", pool, [(normal(4, n, n, 16),) for n in (8, 32, 128)], 0
    yield "average pool", average, [(normal(4, n, n, 16),) for n in (8, 32, 128)], 1e-5
    yield "max pool gradient", gradient(pool), [(normal(4, n, n, 16),) for n in (8, 32, 128)], 1e-5
    yield "max pool NCHW", lambda x: lax.reduce_window(
        x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME"), [
        (normal(4, 16, n, n),) for n in (8, 32, 128)], 0
    yield "average pool gradient", gradient(average), [(normal(4, n, n, 16),) for n in (8, 32, 128)], 1e-5
    yield "sum rows gradient", gradient(lambda x: x.sum(1)), plane, 1e-3


def movement():
    sides = (32, 256, 2048)
    plane = [(normal(n, n),) for n in sides]
    yield "transpose", lambda x: x.T, plane, 0
    yield "transpose bf16", lambda x: x.T, [(normal(n, n, dtype=jnp.bfloat16),) for n in sides], 0
    yield "transpose heads", lambda x: x.transpose(0, 2, 1, 3), [
        (normal(4, n, 8, 64),) for n in (8, 64, 1024)], 0
    yield "transpose i8", lambda x: x.T, [(whole(100, n, n, dtype=np.int8),) for n in sides], 0
    yield "transpose c64", lambda x: x.T, [(wave(n, n),) for n in (32, 256, 1024)], 0
    yield "transpose 1000", lambda x: x.T, [(normal(n, n - 1),) for n in (33, 301, 1000)], 0
    yield "transpose last two", lambda x: x.transpose(0, 2, 1), [
        (normal(n, 128, 64),) for n in (2, 16, 256)], 0
    yield "transpose reversed", lambda x: x.transpose(2, 1, 0), [
        (normal(n, 16, 96),) for n in (8, 128, 1024)], 0
    yield "transpose NHWC NCHW", lambda x: x.transpose(0, 3, 1, 2), [
        (normal(4, n, n, 16),) for n in (8, 32, 128)], 0
    yield "transpose image", lambda x: x.transpose(0, 3, 1, 2), [
        (normal(4, n, n, 3),) for n in (16, 64, 256)], 0
    yield "transpose pairs", lambda x: x.transpose(1, 0, 2), [
        (normal(n, 64, 2),) for n in (8, 128, 4096)], 0
    yield "broadcast rows", lambda x: jnp.broadcast_to(x, (256, x.size)), [
        (normal(n),) for n in (16, 256, 16384)], 0
    yield "broadcast columns", lambda x: jnp.broadcast_to(x[:, None], (x.size, 2048)), [
        (normal(n),) for n in (8, 128, 2048)], 0
    yield "concatenate", lambda x: jnp.concatenate([x, x], 1), plane, 0
    yield "pad", lambda x: jnp.pad(x, 1), plane, 0
    yield "strided slice", lambda x: x[:, ::2], plane, 0
    yield "reverse", lambda x: x[:, ::-1], plane, 0
    yield "roll", lambda x: jnp.roll(x, 3, 1), plane, 0
    yield "tile", lambda x: jnp.tile(x, (2, 2)), plane, 0
    yield "repeat", lambda x: jnp.repeat(x, 2, 1), plane, 0
    yield "repeat rows", lambda x: jnp.repeat(x, 2, 0), plane, 0
    yield "repeat 3 bf16", lambda x: jnp.repeat(x, 3, 1), [
        (normal(n, n, dtype=jnp.bfloat16),) for n in sides], 0
    yield "reverse rows", lambda x: x[::-1], plane, 0
    yield "reverse i8", lambda x: x[:, ::-1], [(whole(100, n, n, dtype=np.int8),) for n in sides], 0
    yield "narrow slice", lambda x: x[:, 1:4], [(normal(n, 8),) for n in (128, 8192, 262144)], 0
    yield "stack last", lambda a, b: jnp.stack([a, b], -1), [
        (normal(n), normal(n)) for n in (1024, 65536, 1 << 20)], 0
    yield "interior pad", lambda x: lax.pad(x, np.float32(0), ((0, 0, 1), (0, 0, 1))), [
        (normal(n, n),) for n in (32, 256, 1024)], 0
    yield "pad gradient", gradient(lambda x: jnp.pad(x, 1)), plane, 1e-6
    yield "where", lambda x: jnp.where(x > 0, x, 0.0), plane, 0


def loops():
    yield "scan of tiny steps", lambda x, xs: lax.scan(lambda c, v: (c * 0.5 + v, c), x, xs), [
        (jnp.float32(1), normal(n)) for n in (100, 1000, 10000)], 1e-5
    yield "fori of tiny steps", lambda x: lax.fori_loop(0, x.size, lambda i, s: s + x[i], 0.0), [
        (normal(n),) for n in (100, 1000, 10000)], 1e-3
    yield "rnn", rnn, [(normal(8, 32), normal(n, 8, 32), normal(32, 32) / 8) for n in (20, 100, 500)], 5e-2
    yield "while of vectors", lambda x: lax.while_loop(
        lambda s: s[0] < 1000, lambda s: (s[0] + 1, s[1] * 0.999 + 0.001), (0, x)), [
        (normal(n),) for n in (4, 64, 1024)], 1e-4


def rows():
    """All rows: (group, name, function, cases, tolerance)."""
    for group in (sorts, products, decompositions, transforms, indexing, reductions, movement, loops,
                  *elementwise_rows.GROUPS, *arithmetic_rows.GROUPS, *model_rows.GROUPS,
                  *pattern_rows.GROUPS):
        for name, function, cases, tolerance in group():
            yield group.__name__, name, function, cases, tolerance
