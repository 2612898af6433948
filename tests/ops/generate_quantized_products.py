#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of dots and convolutions of quantized tensors. Needs numpy, ml_dtypes."""
import dataclasses
import itertools

import numpy as np

from program_text import BF16
from quantized_text import F32, F64, Q, QuantizedPrograms, random_integers

rng = np.random.default_rng(108)


def turned(q, axis):
    return dataclasses.replace(q, axis=axis)


def cut(x, factor, q):
    wide = F64 if q.expressed == F64 else F32
    return np.trunc(x.astype(wide) * factor.astype(wide)).astype(np.int64)


def scaled(products, offset, factors, q):
    """The integer formula: products and offset are scaled and cut off, each by itself."""
    if np.all(np.abs(factors - 1) <= 1e-3):
        total = products - offset
    else:
        total = cut(products, factors, q) - cut(offset, factors, q)
    total += q.along(q.zeros, total.ndim, np.int64)
    return np.clip(total, *q.range()).astype(np.int64).astype(q.dtype)


def factors(p, w, q, ndim, out_axis):
    of_w = turned(w, out_axis if w.axis is not None else None)
    return (p.scales[0] * of_w.along(w.scales, ndim, np.float64) / q.along(q.scales, ndim, np.float64))


def dot_case(programs, name, p, w, q, batch=(), small=None):
    a, b = random_integers(rng, p, batch + (3, 7)), random_integers(rng, w, batch + (7, 4))
    if small:
        a, b = (x.astype(np.int64) % small for x in (a, b))
        a, b = a.astype(p.dtype), b.astype(w.dtype)
    l, r = a.astype(np.int64), b.astype(np.int64)
    products = l @ r
    exact = (l - p.zeros[0]) @ (r - w.along(w.zeros, r.ndim, np.int64))
    want = scaled(products, products - exact, factors(p, w, q, products.ndim, products.ndim - 1), q)
    n = len(batch)
    batching = f"batching_dims = [{0}] x [{0}], " if n else ""
    programs.quantized(name, [(p, a), (w, b)],
                       f"%q = stablehlo.dot_general {{0}}, {{1}}, {batching}contracting_dims = "
                       f"[{n + 1}] x [{n}] : ({{t0}}, {{t1}}) -> {{r0}}", [(q, want)])


def dots():
    programs = QuantizedPrograms("quantized_dot", "Products of integers, with zero points; floats "
                                 "with quantized weights.")
    w = Q("i8", (0.25,), (0,))
    wide, narrow = Q("i32", (0.125,), (0,)), Q("i8", (60.0,), (5,))
    for name, p in {"symmetric": Q("i8", (0.5,), (0,)), "asymmetric": Q("i8", (0.5,), (-128,)),
                    "unsigned": Q("u8", (0.5,), (128,)), "short": Q("i4", (0.5,), (3,))}.items():
        dot_case(programs, f"{name}_to_i32", p, w, wide)
        dot_case(programs, f"{name}_to_i8", p, w, narrow, (2,))
    p = Q("i8", (0.5,), (-3,))
    dot_case(programs, "both_zero_points", p, Q("i8", (0.25,), (9,)), wide)
    dot_case(programs, "both_zero_points_scaled", p, Q("u8", (0.25,), (100,)), narrow)
    dot_case(programs, "saturated", p, w, Q("i8", (0.125,), (0,)))
    dot_case(programs, "nearly_one", p, w, Q("i32", (0.12500001,), (4,)))
    dot_case(programs, "f64", Q("i8", (0.5,), (1,), expressed=F64), Q("i8", (0.3,), (0,), expressed=F64),
             Q("i16", (0.9,), (0,), expressed=F64))
    dot_case(programs, "wide_operands", Q("i32", (0.5,), (1,)), Q("i32", (0.25,), (0,)), wide, small=1000)
    weights = Q("i8", (0.5, 0.25, 1.0, 2.0), (0,) * 4, axis=1)
    sums = Q("i32", (0.25, 0.125, 0.5, 1.0), (0,) * 4, axis=1)
    dot_case(programs, "channels", p, weights, sums)
    dot_case(programs, "channels_to_tensor", p, weights, narrow)
    dot_case(programs, "channels_with_zero_points", p, Q("i8", weights.scales, (1, 0, -9, 3), axis=1),
             Q("i16", (3.0, 1.0, 5.0, 2.0), (0, 4, 0, -9), axis=1))
    hybrid(programs, weights)
    programs.write()


def hybrid(programs, weights):
    x = (rng.integers(-16, 16, (3, 7)) / 8).astype(np.float32)
    b = random_integers(rng, weights, (7, 4))
    real = weights.real(b)
    dot = "%q = stablehlo.dot_general {0}, {1}, contracting_dims = [1] x [0] : ({t0}, {t1}) -> {r0}"
    programs.quantized("float_with_weights", [x, (weights, b)], dot, [x @ real])
    q = Q("i8", (2.0,), (3,))
    programs.quantized("float_with_weights_to_quantized", [x, (weights, b)], dot,
                       [(q, q.stored(x @ real))])
    p = Q("i8", (0.5,), (0,))
    rows = Q("i8", (0.5, 0.25, 1.0, 2.0, 4.0, 8.0, 0.125), (0, 1, 2, 3, 4, 5, 6), axis=0)
    a = random_integers(rng, p, (3, 7))
    wide = Q("i32", (0.0625,), (0,))
    programs.quantized("scales_that_are_summed", [(p, a), (rows, b)], dot,
                       [(wide, wide.stored(p.real(a) @ rows.real(b)))])


def convolved(l, r, strides, padding, dilations, rhs_dilations, groups):
    """NHWC x HWIO in integers. Pads and holes are 0."""
    n, h, w, c = l.shape
    wide = np.zeros((n, (h - 1) * dilations[0] + 1, (w - 1) * dilations[1] + 1, c), np.int64)
    wide[:, ::dilations[0], ::dilations[1]] = l
    cropped = tuple(slice(max(-low, 0), size - max(-high, 0)) for (low, high), size
                    in zip(padding, wide.shape[1:3]))
    wide = np.pad(wide[(slice(None), *cropped)],
                  [(0, 0), *((max(low, 0), max(high, 0)) for low, high in padding), (0, 0)])
    kh, kw, ki, ko = r.shape
    rows = (wide.shape[1] - (kh - 1) * rhs_dilations[0] - 1) // strides[0] + 1
    columns = (wide.shape[2] - (kw - 1) * rhs_dilations[1] - 1) // strides[1] + 1
    out = np.zeros((n, rows, columns, ko), np.int64)
    for i, j, y, x, o in itertools.product(range(kh), range(kw), range(rows), range(columns), range(ko)):
        first = o // (ko // groups) * ki
        window = wide[:, y * strides[0] + i * rhs_dilations[0], x * strides[1] + j * rhs_dilations[1]]
        out[:, y, x, o] += window[:, first:first + ki] @ r[i, j, :, o]
    return out


def convolution_case(programs, name, p, w, q, strides=(1, 1), padding=((0, 0), (0, 0)),
                     dilations=(1, 1), rhs_dilations=(1, 1), groups=1):
    a = random_integers(rng, p, (2, 5, 4, 4))
    b = random_integers(rng, w, (2, 3, 4 // groups, 4))
    l, r = a.astype(np.int64), b.astype(np.int64)
    where = (strides, padding, dilations, rhs_dilations, groups)
    exact = convolved(l - p.zeros[0], r - w.along(w.zeros, 4, np.int64), *where)
    # Pads hold the zero point: what convolving without them misses.
    products = (convolved(l - p.zeros[0], r, *where) +
                p.zeros[0] * np.broadcast_to(r.sum((0, 1, 2)), exact.shape))
    want = scaled(products, products - exact, factors(p, w, q, 4, 3), q)
    pads = ", ".join(f"[{low}, {high}]" for low, high in padding)
    programs.quantized(
        name, [(p, a), (w, b)],
        "%q = stablehlo.convolution({0}, {1}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        f"window = {{{{stride = {list(strides)}, pad = [{pads}], lhs_dilate = {list(dilations)}, "
        f"rhs_dilate = {list(rhs_dilations)}}}}} {{{{batch_group_count = 1 : i64, "
        f"feature_group_count = {groups} : i64}}}} : ({{t0}}, {{t1}}) -> {{r0}}", [(q, want)])


def convolutions():
    programs = QuantizedPrograms("quantized_convolution", "Pads and holes hold the zero point.")
    p, w = Q("i8", (0.5,), (-20,)), Q("i8", (0.25,), (0,))
    wide, narrow = Q("i32", (0.125,), (0,)), Q("i8", (90.0,), (5,))
    case = convolution_case
    case(programs, "plain", Q("i8", (0.5,), (0,)), w, wide)
    case(programs, "padded", p, w, wide, padding=((1, 0), (2, 1)))
    case(programs, "padded_to_i8", p, w, narrow, padding=((1, 0), (2, 1)))
    case(programs, "cropped", p, w, narrow, padding=((-1, 0), (0, 1)))
    case(programs, "strided", p, w, wide, strides=(2, 1), rhs_dilations=(2, 1))
    case(programs, "holes", p, w, narrow, dilations=(2, 3), padding=((0, 1), (1, 1)))
    case(programs, "groups", p, w, narrow, groups=2, padding=((0, 1), (1, 1)))
    case(programs, "kernel_zero_point", p, Q("u8", (0.25,), (100,)), narrow, padding=((1, 1), (1, 1)))
    weights = Q("i8", (0.5, 0.25, 1.0, 2.0), (0,) * 4, axis=3)
    case(programs, "channels", p, weights, Q("i32", (0.25, 0.125, 0.5, 1.0), (0,) * 4, axis=3),
         padding=((1, 1), (1, 1)))
    case(programs, "channels_to_tensor", p, weights, narrow)
    case(programs, "bf16", Q("i8", (0.5,), (3,), expressed=BF16), Q("i8", (0.25,), (0,), expressed=BF16),
         Q("i8", (64.0,), (0,), expressed=BF16), padding=((1, 1), (0, 0)))
    programs.write()


if __name__ == "__main__":
    dots()
    convolutions()
