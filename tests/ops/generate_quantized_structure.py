#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of quantized tensors that move, are reduced or pass through control flow.
Needs numpy, ml_dtypes."""
import dataclasses

import numpy as np

from quantized_text import Q, QuantizedPrograms, random_integers

rng = np.random.default_rng(72)
TENSOR = Q("i8", (0.05,), (-7,))
ROWS = Q("i8", (0.5, 0.25, 0.1), (-3, 0, 5), axis=0)
COLUMNS = Q("u8", (0.5, 0.25, 1.0, 2.0), (0, 255, 7, 128), axis=1)
I = np.dtype(np.int32)


def turned(q, axis):
    return dataclasses.replace(q, axis=axis)


def movement():
    programs = QuantizedPrograms("quantized_movement", "Stored integers move; a quantized dimension "
                                 "moves along.")
    add = programs.quantized
    t, r = random_integers(rng, TENSOR, (3, 4)), random_integers(rng, ROWS, (3, 4))
    c = random_integers(rng, COLUMNS, (3, 4))
    one = lambda op, tail="": f"%q = stablehlo.{op} {{0}}{tail} : ({{t0}}) -> {{r0}}"
    two = lambda op, tail="": f"%q = stablehlo.{op} {{0}}, {{1}}{tail} : ({{t0}}, {{t1}}) -> {{r0}}"
    add("reshape", [(TENSOR, t)], one("reshape"), [(TENSOR, t.reshape(2, 6))])
    add("reshape_rows", [(ROWS, r)], one("reshape"), [(turned(ROWS, 1), r.reshape(1, 3, 2, 2))])
    add("transpose", [(TENSOR, t)], one("transpose", ", dims = [1, 0]"), [(TENSOR, t.T)])
    add("transpose_columns", [(COLUMNS, c)], one("transpose", ", dims = [1, 0]"),
        [(turned(COLUMNS, 0), c.T)])
    add("broadcast_rows", [(ROWS, r)], one("broadcast_in_dim", ", dims = [1, 2]"),
        [(turned(ROWS, 1), np.broadcast_to(r, (2, 3, 4)))])
    single = Q("i8", (0.5,), (3,), axis=0)
    add("broadcast_one", [(single, t[:1])], one("broadcast_in_dim", ", dims = [0, 1]"),
        [(Q("i8", (0.5,) * 3, (3,) * 3, axis=0), np.broadcast_to(t[:1], (3, 4)))])
    add("broadcast", [(TENSOR, t)], one("broadcast", ", sizes = [2]"), [(TENSOR, np.stack([t, t]))])
    add("slice", [(TENSOR, t)], one("slice", " [0:3:2, 1:4]"), [(TENSOR, t[::2, 1:4])])
    add("reverse", [(TENSOR, t)], "%q = stablehlo.reverse {0}, dims = [1] : {t0}",
        [(TENSOR, t[:, ::-1])])
    add("concatenate", [(TENSOR, t), (TENSOR, t[:1])], two("concatenate", ", dim = 0"),
        [(TENSOR, np.concatenate([t, t[:1]]))])
    zero = np.array(TENSOR.zeros[0], np.int8)
    padded = np.full((4, 8), zero)
    padded[1:, 1::2] = t
    add("pad", [(TENSOR, t), (TENSOR, zero)],
        two("pad", ", low = [1, 1], high = [0, 0], interior = [0, 1]"), [(TENSOR, padded)])
    at = np.array([[2, 1], [0, 3]], I)
    add("gather", [(TENSOR, t), at],
        '%q = "stablehlo.gather"({0}, {1}) <{{dimension_numbers = #stablehlo.gather<'
        "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, "
        "slice_sizes = array<i64: 1, 1>}}> : ({t0}, {t1}) -> {r0}", [(TENSOR, t[at[:, 0], at[:, 1]])])
    start = [np.array(1, I), np.array(9, I)]
    add("dynamic_slice", [(TENSOR, t)] + start,
        "%q = stablehlo.dynamic_slice {0}, {1}, {2}, sizes = [2, 2] : ({t0}, {t1}, {t2}) -> {r0}",
        [(TENSOR, t[1:3, 2:4])])
    updated = t.copy()
    updated[1:3, 2:4] = t[:2, :2]
    add("dynamic_update_slice", [(TENSOR, t), (TENSOR, t[:2, :2])] + start,
        "%q = stablehlo.dynamic_update_slice {0}, {1}, {2}, {3} : ({t0}, {t1}, {t2}, {t3}) -> {r0}",
        [(TENSOR, updated)])
    add("dynamic_broadcast_in_dim", [(TENSOR, t[:1]), np.array([3, 4], I)],
        two("dynamic_broadcast_in_dim", ", dims = [0, 1]"),
        [(TENSOR, np.broadcast_to(t[:1], (3, 4)))])
    add("optimization_barrier", [(ROWS, r)], "%q = stablehlo.optimization_barrier {0} : {t0}",
        [(ROWS, r)])
    add("tuple", [(ROWS, r), (TENSOR, t)],
        "%p = stablehlo.tuple {0}, {1} : tuple<{t0}, {t1}>\n"
        "%q = stablehlo.get_tuple_element %p[1] : (tuple<{t0}, {t1}>) -> {r0}", [(TENSOR, t)])
    programs.write()


# ---- regions -----------------------------------------------------------------------------------

def reducer(op, q):
    e = q.text()
    return (f"^bb0(%x: tensor<{e}>, %y: tensor<{e}>):\n  %z = stablehlo.{op} %x, %y : tensor<{e}>\n"
            f"  stablehlo.return %z : tensor<{e}>\n}}}}")


def folded(q, integers, start):
    """Sums of one scale, clamped at each step, in the order of the elements."""
    total = int(start)
    low, high = q.range()
    for x in integers:
        total = min(max(total + int(x) - q.zeros[0], low), high)
    return total


def regions():
    programs = QuantizedPrograms("quantized_regions", "Reductions, windows, sorts and control flow.")
    add = programs.quantized
    t = random_integers(rng, TENSOR, (3, 4))
    wide = Q("i32", TENSOR.scales, TENSOR.zeros)
    low, zero = np.array(-128, np.int8), np.array(TENSOR.zeros[0], np.int8)
    reduce = ('%q = "stablehlo.reduce"({{0}}, {{1}}) ({{{{\n{0}) {{{{dimensions = array<i64: 1>}}}} : '
              "({{t0}}, {{t1}}) -> {{r0}}")
    add("maximum", [(TENSOR, t), (TENSOR, low)], reduce.format(reducer("maximum", TENSOR)),
        [(TENSOR, t.max(1))])
    add("sum", [(TENSOR, t), (TENSOR, zero)], reduce.format(reducer("add", TENSOR)),
        [(TENSOR, np.array([folded(TENSOR, row, zero) for row in t], np.int8))])
    add("wide_sum", [(TENSOR, t), (TENSOR, zero)], reduce.format(reducer("add", wide)),
        [(wide, np.array([folded(wide, row, zero) for row in t], np.int32))])
    other, out = Q("i16", (0.01,), (40,)), Q("i16", (0.02,), (3,))
    start = np.array(90, np.int8)
    real = np.concatenate([np.full((3, 1), TENSOR.real(start), np.float32), TENSOR.real(t)], 1)
    total = np.array([folded(other, row[1:], row[0]) for row in other.stored(real)], np.int16)
    add("sum_in_another_scale", [(TENSOR, t), (TENSOR, start)],
        reduce.format(reducer("add", other)), [(out, out.stored(other.real(total)))])
    plain = Q("i32", (0.5,), (0,))
    p = rng.integers(-9, 9, (3, 4)).astype(np.int32)
    add("applied", [(plain, p), (plain, np.array(0, np.int32))],
        "%q = stablehlo.reduce({0} init: {1}) applies stablehlo.add across dimensions = [0] : "
        "({t0}, {t1}) -> {r0}", [(plain, p.sum(0).astype(np.int32))])
    windows = np.lib.stride_tricks.sliding_window_view(t, (2, 2))[::1, ::2].max((2, 3))
    add("max_pool", [(TENSOR, t), (TENSOR, low)],
        '%q = "stablehlo.reduce_window"({0}, {1}) ({{\n' + reducer("maximum", TENSOR) +
        ") {{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}} : "
        "({t0}, {t1}) -> {r0}", [(TENSOR, windows)])
    scatters(programs, t)
    e = TENSOR.text()
    add("sort", [(TENSOR, t)],
        '%q = "stablehlo.sort"({0}) ({{\n' + f"^bb0(%x: tensor<{e}>, %y: tensor<{e}>):\n"
        f"  %z = stablehlo.compare LT, %x, %y, FLOAT : (tensor<{e}>, tensor<{e}>) -> tensor<i1>\n"
        "  stablehlo.return %z : tensor<i1>\n}}) {{dimension = 1 : i64}} : ({t0}) -> {r0}",
        [(TENSOR, np.sort(t, 1))])
    programs.lines += ["", f"func.func private @negated(%x: tensor<3x4x{e}>) -> tensor<3x4x{e}> {{",
                       f"  %y = stablehlo.negate %x : tensor<3x4x{e}>",
                       f"  return %y : tensor<3x4x{e}>", "}"]
    add("called", [(TENSOR, t)], "%q = func.call @negated({0}) : ({t0}) -> {r0}",
        [(TENSOR, TENSOR.stored(-TENSOR.real(t)))])
    add("branch", [np.array(False), (TENSOR, t)],
        '%q = "stablehlo.if"({0}) ({{\n  stablehlo.return {1} : {t1}\n}}, {{\n'
        "  %n = stablehlo.negate {1} : {t1}\n  stablehlo.return %n : {t1}\n}}) : ({t0}) -> {r0}",
        [(TENSOR, TENSOR.stored(-TENSOR.real(t)))])
    add("loop", [(TENSOR, t), np.array(0, I)],
        "%three = stablehlo.constant dense<3> : tensor<i32>\n"
        "%one = stablehlo.constant dense<1> : tensor<i32>\n"
        "%q:2 = stablehlo.while(%v = {0}, %i = {1}) : {t0}, {t1} cond {{\n"
        "  %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "  stablehlo.return %c : tensor<i1>\n}} do {{\n"
        "  %n = stablehlo.add %v, %v : {t0}\n  %j = stablehlo.add %i, %one : tensor<i32>\n"
        "  stablehlo.return %n, %j : {t0}, {t1}\n}}",
        [(TENSOR, doubled(t, 3)), np.array(3, I)])
    add("mapped", [(TENSOR, t)],
        '%q = "stablehlo.map"({0}) ({{\n' + f"^bb0(%x: tensor<{e}>):\n"
        f"  %y = stablehlo.uniform_dequantize %x : (tensor<{e}>) -> tensor<f32>\n"
        "  stablehlo.return %y : tensor<f32>\n}}) {{dimensions = array<i64: 0, 1>}} : "
        "({t0}) -> {r0}", [TENSOR.real(t)])
    programs.write()


def scatters(programs, t):
    at = np.array([[2], [0], [2]], I)
    updates = random_integers(rng, TENSOR, (3, 4))
    want = t.astype(np.int64)
    for row, update in zip(at[:, 0], updates):
        want[row] = np.clip(want[row] + update - TENSOR.zeros[0], *TENSOR.range())
    programs.quantized(
        "scatter", [(TENSOR, t), at, (TENSOR, updates)],
        '%q = "stablehlo.scatter"({0}, {1}, {2}) ({{\n' + reducer("add", TENSOR) +
        ") {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], "
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : "
        "({t0}, {t1}, {t2}) -> {r0}", [(TENSOR, want.astype(np.int8))])
    row, source = np.array([5, 9, -3, 60], np.int8), np.array([11, -20], np.int8)
    zero = np.array(TENSOR.zeros[0], np.int8)
    e = TENSOR.text()
    programs.quantized(
        "select_and_scatter", [(TENSOR, row), (TENSOR, source), (TENSOR, zero)],
        '%q = "stablehlo.select_and_scatter"({0}, {1}, {2}) ({{\n'
        f"^bb0(%x: tensor<{e}>, %y: tensor<{e}>):\n"
        f"  %z = stablehlo.compare GE, %x, %y : (tensor<{e}>, tensor<{e}>) -> tensor<i1>\n"
        "  stablehlo.return %z : tensor<i1>\n}}, {{\n" + reducer("add", TENSOR) +
        ") {{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}} : "
        "({t0}, {t1}, {t2}) -> {r0}",
        [(TENSOR, np.array([zero, 11, zero, -20], np.int8))])


def doubled(t, times):
    x = t.astype(np.int64)
    for _ in range(times):
        x = np.clip(2 * x - TENSOR.zeros[0], *TENSOR.range())
    return x.astype(np.int8)


if __name__ == "__main__":
    movement()
    regions()
