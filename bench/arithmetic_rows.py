# SPDX-License-Identifier: Apache-2.0
"""Rows of bench/operation_rows.py: integers, conversions, comparisons, gradients of functions, more
reductions and loops."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

_random = np.random.default_rng(13)
MANY = (1024, 65536, 2 << 20)
SIDES = (32, 256, 2048)
WIDE = 16 << 20


def normal(*shape, dtype=np.float32):
    return jnp.asarray(_random.standard_normal(shape).astype(np.float32)).astype(dtype)


def within(low, high, *shape):
    return jnp.asarray(_random.uniform(low, high, shape).astype(np.float32))


def whole(low, high, *shape, dtype=np.int32):
    return jnp.asarray(_random.integers(low, high, shape).astype(dtype))


def wave(*shape):
    return jnp.asarray((_random.standard_normal(shape) + 1j * _random.standard_normal(shape))
                       .astype(np.complex64))


def gradient(function):
    return jax.grad(lambda *all: (function(*all).astype(np.float32) ** 2).sum())


def integers():
    for bits, dtype in (("i32", np.int32), ("u32", np.uint32), ("i8", np.int8), ("i16", np.int16)):
        low = 0 if bits == "u32" else -100
        pairs = [(whole(low, 100, n, dtype=dtype), whole(1, 50, n, dtype=dtype)) for n in MANY]
        yield f"{bits} multiply", jnp.multiply, pairs, 0
        yield f"{bits} divide", lax.div, pairs, 0
        yield f"{bits} remainder", lax.rem, pairs, 0
        yield f"{bits} shift left", lax.shift_left, [(x, y % 8) for x, y in pairs], 0
        yield f"{bits} shift right", lax.shift_right_logical, [(x, y % 8) for x, y in pairs], 0
        yield f"{bits} popcount", lax.population_count, [(x,) for x, _ in pairs], 0
        yield f"{bits} clz", lax.clz, [(x,) for x, _ in pairs], 0
        yield f"{bits} max", jnp.maximum, pairs, 0
        yield f"{bits} xor", jnp.bitwise_xor, pairs, 0
        yield f"{bits} sign", jnp.sign, [(x,) for x, _ in pairs], 0
    i32 = [(whole(-100, 100, n), whole(1, 50, n)) for n in MANY]
    yield "i32 floor divide", jnp.floor_divide, i32, 0
    yield "i32 mod 7", lambda x: x % 7, [(x,) for x, _ in i32], 0
    yield "i32 divide by 10", lambda x: lax.div(x, jnp.full_like(x, 10)), [(x,) for x, _ in i32], 0
    yield "i32 power 3", lambda x: x ** 3, [(x,) for x, _ in i32], 0
    yield "i32 abs", jnp.abs, [(x,) for x, _ in i32], 0
    yield "i32 pow", jnp.power, [(x, y % 7) for x, y in i32], 0


def pixels():
    """Chains of integers of 8 and 16 bits."""
    wide = np.uint16
    images = [(whole(0, 256, n, dtype=np.uint8), whole(0, 256, n, dtype=np.uint8)) for n in MANY]
    yield "blend u8", lambda a, b: ((a.astype(wide) * 3 + b.astype(wide) * 5) >> 3).astype(np.uint8), images, 0
    yield "gray u8", lambda r, g: (
        (r.astype(wide) * 77 + g.astype(wide) * 150 + 128) >> 8).astype(np.uint8) ^ 255, images, 0
    sound = [(whole(-9000, 9000, n, dtype=np.int16), whole(-128, 128, n, dtype=np.int8)) for n in MANY]
    yield "gain i16", lambda x, y: jnp.clip((x >> 4) * (y.astype(np.int16) >> 2), -8192, 8191), sound, 0
    yield "life i8", life, [(whole(0, 2, n, n, dtype=np.int8),) for n in (32, 256, 1024)], 0


def life(cells):
    """Conway's game, ten generations on a torus."""
    def step(_, x):
        rows = x + jnp.roll(x, 1, 0) + jnp.roll(x, -1, 0)
        near = rows + jnp.roll(rows, 1, 1) + jnp.roll(rows, -1, 1) - x
        return ((near == 3) | ((near == 2) & (x == 1))).astype(x.dtype)
    return lax.fori_loop(0, 10, step, cells)


def conversions():
    types = {"f32": np.float32, "bf16": jnp.bfloat16, "f16": np.float16, "i8": np.int8, "i32": np.int32,
             "u8": np.uint8, "i16": np.int16, "bool": np.bool_, "u32": np.uint32, "c64": np.complex64,
             "f8e4m3fn": jnp.float8_e4m3fn, "f8e5m2": jnp.float8_e5m2}
    for pair in ("f32 bf16", "bf16 f32", "f32 f16", "f16 f32", "f32 i32", "i32 f32", "f32 i8", "i8 f32",
                 "u8 f32", "f32 u8", "bf16 i8", "i8 bf16", "i32 i8", "i8 i32", "bf16 f16", "f32 bool",
                 "bool f32", "i32 bf16", "bf16 i32", "i16 f32", "f32 i16", "f32 u32", "u32 f32",
                 "f32 c64", "bool i32", "i32 bool", "f32 f8e4m3fn", "f8e4m3fn f32", "bf16 f8e5m2",
                 "f8e5m2 bf16", "bool bf16", "f16 bf16"):
        before, after = pair.split()
        yield f"convert {before} to {after}", lambda x, after=after: x.astype(types[after]), [
            (jnp.abs(normal(n) * 30).astype(types[before]),) for n in MANY], 1e-6


def comparisons():
    one = [(normal(n),) for n in MANY]
    two = [(normal(n), normal(n)) for n in MANY]
    half = [(normal(n, dtype=jnp.bfloat16), normal(n, dtype=jnp.bfloat16)) for n in MANY]
    i32 = [(whole(0, 100, n), whole(0, 100, n)) for n in MANY]
    yield "less", jnp.less, two, 0
    yield "less bf16", jnp.less, half, 0
    yield "equal i32", jnp.equal, i32, 0
    yield "isnan", jnp.isnan, one, 0
    yield "isfinite", jnp.isfinite, one, 0
    yield "maximum", jnp.maximum, two, 0
    yield "maximum bf16", jnp.maximum, half, 0
    yield "clamp", lambda x: jnp.clip(x, -1, 1), one, 0
    yield "clamp bf16", lambda x, y: jnp.clip(x, -1, 1), half, 0
    yield "clamp i32", lambda x, y: jnp.clip(x, 3, y), i32, 0
    yield "relu", jax.nn.relu, one, 0
    yield "relu bf16", lambda x, y: jax.nn.relu(x), half, 0
    yield "leaky relu", jax.nn.leaky_relu, one, 1e-6
    yield "relu6 gradient", gradient(jax.nn.relu6), one, 1e-6
    yield "where three", lambda x, y: jnp.where(x > 0, x, jnp.where(y > 0, y, x * y)), two, 1e-6
    yield "where bf16", lambda x, y: jnp.where(x > y, x, y * 2), half, 1e-2
    yield "between", lambda x, y: (x > -1) & (x < 1) | (y > 2), two, 0
    yield "sign", jnp.sign, one, 0
    yield "floor", jnp.floor, one, 0
    yield "round", jnp.round, one, 0
    yield "round away", lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), one, 0
    yield "remainder", jnp.fmod, two, 1e-6
    yield "mod", jnp.mod, two, 1e-5
    yield "nextafter", jnp.nextafter, two, 0
    yield "nan_to_num", jnp.nan_to_num, one, 0
    yield "heaviside", lambda x: jnp.heaviside(x, 0.5), one, 0
    yield "select n", lambda x, y: lax.select_n((x > 0).astype(np.int32) + (y > 0), x, y, x + y), two, 1e-6


def gradients():
    one = [(normal(n),) for n in MANY]
    positive = [(within(0.1, 3, n),) for n in MANY]
    inside = [(within(-0.9, 0.9, n),) for n in MANY]
    pairs = [(within(0.1, 3, n), normal(n)) for n in MANY]
    for name, function, cases in (
            ("exp", jnp.exp, one), ("tanh", jnp.tanh, one), ("sigmoid", jax.nn.sigmoid, one),
            ("softplus", jax.nn.softplus, one), ("silu", jax.nn.silu, one), ("elu", jax.nn.elu, one),
            ("selu", jax.nn.selu, one), ("mish", jax.nn.mish, one), ("log", jnp.log, positive),
            ("log1p", jnp.log1p, positive), ("expm1", jnp.expm1, one), ("sqrt", jnp.sqrt, positive),
            ("rsqrt", lax.rsqrt, positive), ("sin", jnp.sin, one), ("tan", jnp.tan, inside),
            ("erf", jax.scipy.special.erf, one), ("asin", jnp.arcsin, inside),
            ("atan", jnp.arctan, one), ("cbrt", jnp.cbrt, positive), ("pow", jnp.power, pairs),
            ("atan2", jnp.arctan2, pairs), ("maximum", jnp.maximum, pairs), ("divide", jnp.divide, pairs),
            ("lgamma", jax.scipy.special.gammaln, positive), ("logaddexp", jnp.logaddexp, pairs),
            ("gelu exact", lambda x: jax.nn.gelu(x, approximate=False), one),
            ("log_sigmoid", jax.nn.log_sigmoid, one), ("hypot", jnp.hypot, pairs)):
        yield f"{name} forward", function, cases, 1e-5
        yield f"{name} gradient", gradient(function), cases, 1e-4
    half = [(normal(n, dtype=jnp.bfloat16),) for n in MANY]
    for name, function in (("exp", jnp.exp), ("tanh", jnp.tanh), ("sigmoid", jax.nn.sigmoid),
                           ("gelu", jax.nn.gelu), ("sin", jnp.sin)):
        yield f"{name} bf16", function, half, 2e-2
        yield f"{name} bf16 gradient", gradient(function), half, 4e-2
    plane = [(normal(n, n),) for n in SIDES]
    yield "cumsum gradient", gradient(lambda x: jnp.cumsum(x, 1)), plane, 1e-3
    yield "logsumexp gradient", gradient(lambda x: jax.nn.logsumexp(x, -1)), plane, 1e-4
    yield "norm gradient", jax.grad(lambda x: jnp.linalg.norm(x)), plane, 1e-4
    yield "variance gradient", gradient(lambda x: x.var(-1)), plane, 1e-4
    yield "mean bf16 gradient", gradient(lambda x: x.mean(-1)), [
        (normal(n, n, dtype=jnp.bfloat16),) for n in SIDES], 4e-2


def more_reductions():
    plane = [(normal(n, n),) for n in SIDES]
    half = [(normal(n, n, dtype=jnp.bfloat16),) for n in SIDES]
    for name, function in (("mean", jnp.mean), ("min", jnp.min), ("max", jnp.max)):
        yield f"{name} all", function, plane, 1e-3
        yield f"{name} all bf16", function, half, 2e-2
        yield f"{name} columns 0 bf16", lambda x, f=function: f(x, 0), half, 2e-2
    yield "sum all bf16", jnp.sum, half, 2e-2
    yield "prod rows", lambda x: jnp.prod(x, 1), [(within(0.9, 1.1, n, n),) for n in SIDES], 1e-3
    yield "std rows", lambda x: x.std(1), plane, 1e-4
    yield "std columns", lambda x: x.std(0), plane, 1e-4
    yield "norm", jnp.linalg.norm, plane, 1e-4
    yield "argmin all", jnp.argmin, plane, 0
    yield "argmax bf16", lambda x: jnp.argmax(x, -1), half, 0
    yield "sum f16", lambda x: x.sum(1), [(normal(n, n, dtype=np.float16),) for n in SIDES], 1e-2
    yield "sum 1d", jnp.sum, [(normal(n),) for n in (*MANY, WIDE)], 1e-3
    yield "dot product", lambda x, y: (x * y).sum(), [(normal(n), normal(n)) for n in (*MANY, WIDE)], 1e-3
    yield "sum squares", lambda x: (x * x).sum(), [(normal(n),) for n in MANY], 1e-3
    yield "mean abs difference", lambda x, y: jnp.abs(x - y).mean(), [(normal(n), normal(n)) for n in MANY], 1e-4
    yield "sum of exp", lambda x: jnp.exp(x).sum(), [(normal(n),) for n in MANY], 1e-4
    yield "sum columns of squares", lambda x: (x * x).sum(0), plane, 1e-4
    yield "count nonzero", lambda x: jnp.count_nonzero(x > 0, axis=1), plane, 0
    yield "sum complex", jnp.sum, [(wave(n),) for n in MANY], 1e-3
    yield "min max", lambda x: (x.min(1), x.max(1)), plane, 0
    yield "mean and variance", lambda x: (x.mean(0), x.var(0)), plane, 1e-3
    yield "sum outer", lambda x: x.sum((0, 2)), [(normal(n, 32, 32),) for n in (1, 64, 2048)], 1e-3
    yield "sum two of four", lambda x: x.sum((1, 2)), [(normal(8, n, n, 16),) for n in (4, 16, 128)], 1e-3
    yield "cumprod", lambda x: jnp.cumprod(x, 1), [(within(0.9, 1.1, n, n),) for n in SIDES], 1e-3
    yield "cumsum rows", lambda x: jnp.cumsum(x, 1), plane, 1e-3
    yield "cumsum 1d", jnp.cumsum, [(normal(n),) for n in (1024, 65536, 1 << 20)], 1e-3
    yield "cumsum i32", jnp.cumsum, [(whole(0, 100, n),) for n in (1024, 65536, 1 << 20)], 0
    # Each side rounds to bf16 after each sum, in its own order.
    yield "cumsum bf16", lambda x: jnp.cumsum(x, 1), half, 0.1


def more_loops():
    yield "fori of vectors", lambda x: lax.fori_loop(0, 100, lambda i, s: jnp.sin(s) + x, x), [
        (normal(n),) for n in (16, 1024, 65536)], 1e-4
    yield "scan of rows", lambda x: lax.scan(lambda c, r: (c * 0.9 + r, c.sum()), x[0], x), [
        (normal(n, 64),) for n in (16, 256, 4096)], 1e-3
    yield "scan gradient", jax.grad(lambda x: lax.scan(
        lambda c, r: (jnp.tanh(c + r), c), x[0], x)[1].sum()), [
        (normal(n, 64),) for n in (16, 256, 4096)], 1e-3
    yield "newton", lambda x: lax.while_loop(
        lambda s: s[0] < 50, lambda s: (s[0] + 1, s[1] - (s[1] * s[1] - x) / (2 * s[1])),
        (0, x)), [(within(1, 2, n),) for n in (1, 256, 65536)], 1e-4
    yield "mandelbrot", lambda c: lax.fori_loop(0, 10, lambda i, z: jnp.where(
        jnp.abs(z) < 2, z * z + c, z), jnp.zeros_like(c)), [(wave(n),) for n in (16, 1024, 65536)], 1e-2
    yield "cond in scan", lambda xs: lax.scan(
        lambda c, v: (lax.cond(v > 0, lambda: c + v, lambda: c * 0.5), c), jnp.float32(0), xs), [
        (normal(n),) for n in (100, 1000, 10000)], 1e-4
    yield "collatz", lambda x: lax.while_loop(
        lambda s: jnp.any(s[0] > 1), lambda s: (
            jnp.where(s[0] > 1, jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[0]),
            s[1] + (s[0] > 1)), (x, jnp.zeros_like(x))), [(whole(1, 1000, n),) for n in (16, 256, 4096)], 0


def scalar_loops():
    """Loops of single elements, which JAX and understudy compile to machine code."""
    one = lambda x: (np.int32(x),)
    yield "collatz of one", lambda x: lax.while_loop(
        lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1),
        (x, 0)), [one(27), one(6171), one(837799)], 0
    yield "collatz by shifts", lambda x: lax.while_loop(
        lambda s: s[0] > 1, lambda s: (jnp.where((s[0] & 1) == 0, s[0] >> 1, 3 * s[0] + 1), s[1] + 1),
        (x, 0)), [one(27), one(6171), one(837799)], 0
    yield "newton of one", lambda x: lax.fori_loop(
        0, 1000, lambda i, s: s - (s * s - x) / (2 * s), x), [(np.float32(2),)], 1e-6
    yield "random numbers", lambda x: lax.fori_loop(
        0, 10000, lambda i, s: s * np.uint32(1664525) + np.uint32(1013904223), x), [(np.uint32(1),)], 0
    yield "random numbers modulo", lambda x: lax.fori_loop(
        0, 10000, lambda i, s: (s * 16807) % 65537, x), [one(1)], 0
    yield "gcd", lambda a, b: lax.while_loop(
        lambda s: s[1] != 0, lambda s: (s[1], s[0] % s[1]), (a, b))[0], [
        (np.int32(1836311903), np.int32(1134903170))], 0
    yield "binary search", lambda x, y: lax.map(lambda q: lax.while_loop(
        lambda s: s[0] < s[1], lambda s: (lambda m: (
            jnp.where(x[m] < q, m + 1, s[0]), jnp.where(x[m] < q, s[1], m)))((s[0] + s[1]) // 2),
        (0, x.size))[0], y), [(np.sort(normal(n)), normal(1000)) for n in (100, 10000)], 0
    yield "loop in a loop", lambda n: lax.fori_loop(0, n, lambda i, s: lax.fori_loop(
        0, i, lambda j, t: t + j * i, s), 0), [one(n) for n in (10, 100)], 0
    yield "fibonacci", lambda x: lax.scan(
        lambda c, v: (jnp.stack([c[1], c[0] + v]), c[0]), x[:2], x), [(whole(0, 9, n),) for n in (100, 10000)], 0
    yield "second order filter", lambda x: lax.scan(
        lambda c, v: (jnp.stack([1.6 * c[0] - 0.7 * c[1] + v, c[0]]), c[1]), x[:2], x), [
        (normal(n),) for n in (100, 10000)], 1e-4
    yield "kalman filter", kalman, [(normal(n),) for n in (100, 1000)], 1e-4
    yield "recurrence with exp", lambda x: lax.scan(
        lambda c, v: (jnp.exp(-c * c) + 0.1 * v, c), np.float32(0), x), [
        (normal(n),) for n in (100, 10000)], 1e-3


def kalman(measured):
    """Position and speed, with matrices of 2 x 2 written out."""
    def step(state, z):
        x, p = state
        predicted = x[0] + 0.1 * x[1]
        p00 = p[0, 0] + 0.1 * (p[1, 0] + p[0, 1]) + 0.01 * p[1, 1] + 0.001
        p01, p10, p11 = p[0, 1] + 0.1 * p[1, 1], p[1, 0] + 0.1 * p[1, 1], p[1, 1] + 0.001
        k0, k1, rest = p00 / (p00 + 0.5), p10 / (p00 + 0.5), z - predicted
        return (jnp.stack([predicted + k0 * rest, x[1] + k1 * rest]),
                jnp.array([[(1 - k0) * p00, (1 - k0) * p01], [p10 - k1 * p00, p11 - k1 * p01]])), predicted
    return lax.scan(step, (jnp.zeros(2), jnp.eye(2)), measured)


def wide():
    """16 M elements: beyond every cache."""
    one = [(normal(WIDE),)]
    two = [(normal(WIDE), normal(WIDE))]
    for name, function in (("exp", jnp.exp), ("tanh", jnp.tanh), ("gelu", jax.nn.gelu),
                           ("relu", jax.nn.relu), ("sqrt", lambda x: jnp.sqrt(jnp.abs(x)))):
        yield f"{name} wide", function, one, 1e-5
    yield "add wide", jnp.add, two, 1e-6
    yield "multiply add wide", lambda x, y: x * y + x, two, 1e-6
    yield "convert wide", lambda x: x.astype(jnp.bfloat16), one, 1e-6
    yield "sum wide", jnp.sum, one, 1e-3
    yield "softmax wide", jax.nn.softmax, [(normal(4096, 4096),)], 1e-6
    yield "bias relu wide", lambda x, b: jax.nn.relu(x + b), [(normal(4096, 4096), normal(4096))], 1e-6


GROUPS = (integers, pixels, conversions, comparisons, gradients, more_reductions, more_loops, scalar_loops, wide)
