# SPDX-License-Identifier: Apache-2.0
"""Programs of one reduction, scan over an axis, window, pool or its gradient, dot, convolution."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import values as v
from case import BF16, BOOL, COMPLEX, F16, F32, F64, FLOATS, I32, INTS, Case

# Sums in another order: each side is a few last places of the changes that nudged arguments make.
SUM = 24
PLATFORMS = ["cpu", "tpu"]


def exact_reduce(rng):
    name = v.pick(rng, ["max", "min", "and", "or", "sum", "prod", "xor", "argmax", "argmin"])
    dtype = v.pick(rng, INTS + [BOOL] if name in ("and", "or", "xor") else
                   INTS if name in ("sum", "prod") else FLOATS + INTS)
    x = v.array(rng, dtype, v.shape(rng), special=dtype in FLOATS)
    if name in ("argmax", "argmin"):
        x = v.array(rng, dtype, v.shape(rng, least=1, smallest=1), special=dtype in FLOATS, small=True)
        axis, index = int(rng.integers(x.ndim)), v.pick(rng, [np.int32, np.int64, np.int8])
        return Case(f"reduce {name}", lambda x: getattr(lax, name)(x, axis, index), [x])
    axes = v.some_of(rng, range(x.ndim))
    function = getattr(lax, f"reduce_{name}")
    return Case(f"reduce {name}", lambda x: function(x, axes), [x])


def float_sum(rng):
    name = v.pick(rng, ["sum", "prod", "mean", "var", "logsumexp", "softmax", "norm"])
    dtype = v.pick(rng, [F32, F64, BF16, F16] + (COMPLEX if name in ("sum", "prod") else []))
    x = v.array(rng, dtype, v.shape(rng, least=1, smallest=1), low=-2, high=2)
    axis = int(rng.integers(x.ndim))
    if name == "prod":
        x = v.array(rng, dtype, x.shape, low=0.5, high=1.5)
    table = {"sum": lambda x: lax.reduce_sum(x, (axis,)), "prod": lambda x: lax.reduce_prod(x, (axis,)),
             "mean": lambda x: jnp.mean(x, axis), "var": lambda x: jnp.var(x, axis),
             "logsumexp": lambda x: jax.nn.logsumexp(x, axis), "softmax": lambda x: jax.nn.softmax(x, axis),
             "norm": lambda x: jnp.linalg.norm(x, axis=axis)}
    return Case(f"float {name}", table[name], [x], SUM, "noise", platform=v.pick(rng, PLATFORMS))


def variadic_reduce(rng):
    """A reducer of two operands: the largest with its number, ties to the smaller number."""
    x = v.array(rng, v.pick(rng, [F32, I32]), v.shape(rng, least=1, most=3, smallest=1), small=True)
    axes = v.some_of(rng, range(x.ndim), 1)

    def larger(a, b):
        first = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
        return lax.select(first, a[0], b[0]), lax.select(first, a[1], b[1])

    def function(x):
        numbers = lax.reshape(lax.iota(np.int32, x.size), x.shape)
        least = np.asarray(np.finfo(np.float32).min if x.dtype == F32 else -2**31, x.dtype)
        return lax.reduce((x, numbers), (least, np.int32(2**31 - 1)), larger, axes)
    return Case("variadic reduce", function, [x])


def cumulative(rng):
    name = v.pick(rng, ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"])
    dtype = v.pick(rng, [F32, F64] if name == "cumlogsumexp" else FLOATS[:2] + INTS)
    x = v.array(rng, dtype, v.shape(rng, least=1, most=3), small=True)
    axis, backwards = int(rng.integers(x.ndim)), v.chance(rng, 0.4)
    exact = dtype in INTS or name in ("cummax", "cummin")
    return Case(name, lambda x: getattr(lax, name)(x, axis, reverse=backwards), [x], 0 if exact else SUM,
                "noise", platform=v.pick(rng, PLATFORMS))


def window_of(rng, dims, dilation=True):
    one = lambda top: [int(rng.integers(1, top + 1)) for _ in dims]  # noqa: E731
    window, strides = one(3), one(3)
    base, inner = (one(2), one(2)) if dilation else ([1] * len(dims), [1] * len(dims))
    padding = [(int(rng.integers(0, 3)), int(rng.integers(0, 3))) for _ in dims]
    return window, strides, padding, base, inner


def reduce_window(rng):
    name = v.pick(rng, ["max", "min", "sum"])
    dtype = v.pick(rng, [F32, F64, I32, BF16])
    x = v.whole(rng, dtype, v.shape(rng, least=1, most=4, elements=600))
    window, strides, padding, base, inner = window_of(rng, x.shape)
    start = {"max": -np.inf, "min": np.inf, "sum": 0}[name]
    if dtype == I32:
        start = {"max": -2**31, "min": 2**31 - 1, "sum": 0}[name]
    fold = {"max": lax.max, "min": lax.min, "sum": lax.add}[name]
    return Case(f"reduce_window {name}", lambda x: lax.reduce_window(
        x, np.asarray(start, dtype), fold, window, strides, padding, base, inner), [x])


def pool_gradient(rng):
    """select_and_scatter and its like: the gradient of a pool."""
    kind = v.pick(rng, ["max", "mean"])
    x = v.array(rng, F32, v.shape(rng, least=2, most=4, smallest=3, elements=500))
    window, strides, padding, _, _ = window_of(rng, x.shape, dilation=False)
    padding = [(min(low, w - 1), min(high, w - 1)) for (low, high), w in zip(padding, window)]

    def pool(x):
        start, fold = (-jnp.inf, lax.max) if kind == "max" else (0.0, lax.add)
        y = lax.reduce_window(x, np.float32(start), fold, window, strides, padding)
        return jnp.sum(jnp.where(jnp.isfinite(y), y * jnp.cos(lax.iota(F32, y.size).reshape(y.shape)), 0))
    return Case(f"pool gradient {kind}", jax.grad(pool), [x], SUM, "noise")


def dot(rng):
    dtype = v.pick(rng, [F32, F32, F64, BF16, F16, I32, np.dtype(np.int8), np.dtype(np.uint8)] + COMPLEX)
    batch, contract, left, right = (
        [v.size(rng, 0 if v.chance(rng, 0.05) else 1) % 18 for _ in range(int(rng.integers(0, top)))]
        for top in (3, 3, 3, 3))

    def operand(free):
        names = [("b", i, d) for i, d in enumerate(batch)] + [("c", i, d) for i, d in enumerate(contract)]
        names += [("f", i, d) for i, d in enumerate(free)]
        names = [names[i] for i in v.permutation(rng, len(names))]
        places = lambda kind, n: [next(j for j, e in enumerate(names) if e[:2] == (kind, i))  # noqa: E731
                                  for i in range(n)]
        return [e[2] for e in names], places("c", len(contract)), places("b", len(batch))
    lhs, lhs_contract, lhs_batch = operand(left)
    rhs, rhs_contract, rhs_batch = operand(right)
    if max(np.prod(lhs), np.prod(rhs), np.prod(batch + left + right)) > 6000:
        return dot(rng)
    exact = dtype in INTS or v.chance(rng, 0.4)
    draw = v.whole if exact else lambda rng, dtype, dims: v.array(rng, dtype, dims, low=-1, high=1)
    a, b = draw(rng, dtype, tuple(lhs)), draw(rng, dtype, tuple(rhs))
    wider = {BF16: F32, F16: F32, np.dtype(np.int8): I32, np.dtype(np.uint8): I32}
    preferred = wider.get(dtype) if v.chance(rng, 0.5) or dtype == np.uint8 else None
    precision = v.pick(rng, [None, lax.Precision.HIGHEST, lax.Precision.HIGH, lax.Precision.DEFAULT])
    numbers = ((lhs_contract, rhs_contract), (lhs_batch, rhs_batch))
    return Case("dot_general", lambda a, b: lax.dot_general(
        a, b, numbers, precision=precision, preferred_element_type=preferred), [a, b],
        0 if exact else SUM, "value" if exact else "noise")


def convolution(rng):
    spatial = int(rng.integers(0, 4))
    groups, batch_groups = v.pick(rng, [(1, 1), (1, 1), (2, 1), (3, 1), (1, 2), (1, 3)])
    batch = batch_groups * int(rng.integers(1, 3))
    in_features = groups * int(rng.integers(1, 4))
    out_features = groups * batch_groups * int(rng.integers(1, 4))
    image = [int(rng.integers(1, 9)) for _ in range(spatial)]
    kernel = [int(rng.integers(1, 4)) for _ in range(spatial)]
    layouts = []
    letters = "0123456789"[:spatial]
    for first in ("NC", "OI", "NC"):
        text = first + letters
        layouts.append("".join(text[i] for i in v.permutation(rng, len(text))))
    sizes = [dict(zip(letters, image), N=batch, C=in_features),
             dict(zip(letters, kernel), O=out_features, I=in_features // groups)]
    lhs, rhs = (tuple(size[c] for c in layout) for size, layout in zip(sizes, layouts))
    dtype = v.pick(rng, [F32, F32, F64, BF16, F16])
    exact = v.chance(rng, 0.5)
    draw = v.whole if exact else lambda rng, dtype, dims: v.array(rng, dtype, dims, low=-1, high=1)
    options = {
        "window_strides": [int(rng.integers(1, 4)) for _ in kernel],
        "padding": v.pick(rng, ["SAME", "VALID", [(int(rng.integers(-1, 3)), int(rng.integers(0, 3)))
                                                  for _ in kernel]]),
        "lhs_dilation": [int(rng.integers(1, 3)) for _ in kernel],
        "rhs_dilation": [int(rng.integers(1, 3)) for _ in kernel],
        "dimension_numbers": lax.conv_dimension_numbers(lhs, rhs, tuple(layouts)),
        "feature_group_count": groups, "batch_group_count": batch_groups,
    }

    def function(x, k):
        return lax.conv_general_dilated(x, k, **options)
    arguments = [draw(rng, dtype, lhs), draw(rng, dtype, rhs)]
    try:
        out = jax.eval_shape(function, *arguments)
    except (ValueError, TypeError, ZeroDivisionError):
        return convolution(rng)
    if v.chance(rng, 0.3) and min(out.shape, default=1) > 0 and batch_groups == 1:
        return Case("convolution gradient", lambda x, k: jax.vjp(function, x, k)[1](
            jnp.ones(out.shape, out.dtype)), arguments, 0 if exact and dtype in (F32, F64) else SUM, "value" if exact else "noise")
    return Case("convolution", function, arguments, 0 if exact else SUM, "value" if exact else "noise")


FAMILIES = [(exact_reduce, 5), (float_sum, 4), (variadic_reduce, 2), (cumulative, 4), (reduce_window, 5),
            (pool_gradient, 3), (dot, 7), (convolution, 7)]
