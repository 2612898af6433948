#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of the other operations. Needs numpy, ml_dtypes, JAX on a CPU."""
import jax
import numpy as np

from program_text import BF16, generic, write

jax.config.update("jax_enable_x64", True)
lax = jax.lax
I, F, D, P, C = (np.dtype(t) for t in (np.int32, np.float32, np.float64, np.bool_, np.complex64))
GRID = np.arange(12, dtype=I).reshape(3, 4)
CUBE = np.arange(24, dtype=F).reshape(2, 3, 4)
ROW = np.array([3, -1, 2, 7, 5], I)
NONE = np.zeros((0, 4), F)


def region(kind, element, op="add", tail=None):
    tail = tail or f"%s = stablehlo.{op} %x, %y : tensor<{element}>"
    result = kind if kind else f"tensor<{element}>"
    return ("{{{{\n^bb0(%x: tensor<E>, %y: tensor<E>):\n".replace("{{{{", "{{").replace("E", element)
            + tail + f"\nstablehlo.return %s : {result}\n" + "}}")


def array(values):
    return f"array<i64: {', '.join(map(str, values))}>" if len(values) else "array<i64>"


def movement():
    s = "stablehlo."
    write("reshape", "The same elements, in the same order.",
          ("matrix", [GRID], generic(s + "reshape"), [GRID.reshape(2, 6)]),
          ("scalar", [np.array([5], I)], generic(s + "reshape"), [np.array(5, I)]),
          ("empty", [NONE], generic(s + "reshape"), [NONE.reshape(2, 0)]))
    write("transpose", "Permuted dimensions.",
          ("matrix", [GRID], generic(s + "transpose", "permutation = array<i64: 1, 0>"), [GRID.T]),
          ("cube", [CUBE], generic(s + "transpose", "permutation = array<i64: 2, 0, 1>"),
           [CUBE.transpose(2, 0, 1)]),
          ("halves", [CUBE.astype(BF16)], generic(s + "transpose", "permutation = array<i64: 0, 2, 1>"),
           [CUBE.transpose(0, 2, 1).astype(BF16)]))
    write("broadcast_in_dim", "Degenerate and absent dimensions are repeated.",
          ("columns", [np.array([[1], [2]], I)],
           generic(s + "broadcast_in_dim", "broadcast_dimensions = array<i64: 0, 2>"),
           [np.broadcast_to(np.array([1, 2], I).reshape(2, 1, 1), (2, 3, 2))]),
          ("scalar", [np.array(True)], generic(s + "broadcast_in_dim", "broadcast_dimensions = array<i64>"),
           [np.ones((2, 2), P)]),
          ("crossed", [GRID], generic(s + "broadcast_in_dim", "broadcast_dimensions = array<i64: 1, 0>"),
           [GRID.T]))
    write("broadcast", "New dimensions in front.",
          ("row", [ROW], generic(s + "broadcast", "broadcast_sizes = array<i64: 2>"),
           [np.stack([ROW, ROW])]))
    write("concatenate", "Along each dimension; with nothing.",
          ("rows", [GRID, GRID[:1]], generic(s + "concatenate", "dimension = 0 : i64", 2),
           [np.concatenate([GRID, GRID[:1]])]),
          ("columns", [GRID, GRID[:, :2], GRID[:, :0]], generic(s + "concatenate", "dimension = 1 : i64", 3),
           [np.concatenate([GRID, GRID[:, :2]], 1)]))
    cut = "start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 4>, strides = array<i64: 2, 2>"
    write("slice", "With strides; nothing.",
          ("strided", [GRID], generic(s + "slice", cut), [GRID[0:3:2, 1:4:2]]),
          ("empty", [ROW], generic(s + "slice", "start_indices = array<i64: 2>, limit_indices = "
                                   "array<i64: 2>, strides = array<i64: 1>"), [ROW[2:2]]))
    write("dynamic_slice", "Starts are clamped.",
          ("inside", [GRID, np.array(1, I), np.array(2, I)],
           generic(s + "dynamic_slice", "slice_sizes = array<i64: 2, 2>", 3), [GRID[1:3, 2:4]]),
          ("clamped", [GRID, np.array(-9, np.int64), np.array(9, np.int64)],
           generic(s + "dynamic_slice", "slice_sizes = array<i64: 2, 2>", 3), [GRID[0:2, 2:4]]))
    patched = GRID.copy()
    patched[1:3, 2:4] = -1
    write("dynamic_update_slice", "Starts are clamped.",
          ("clamped", [GRID, np.full((2, 2), -1, I), np.array(7, I), np.array(2, I)],
           generic(s + "dynamic_update_slice", "", 4), [patched]),
          ("nothing", [ROW, ROW[:0], np.array(1, I)], generic(s + "dynamic_update_slice", "", 3), [ROW]))
    pads = "edge_padding_low = array<i64: {}>, edge_padding_high = array<i64: {}>, interior_padding = array<i64: {}>"
    for name, op, extra in (("pad", s + "pad", None), ("dynamic_pad", s + "dynamic_pad", True)):
        cases = []
        for title, low, high, inner in (("inner", 0, 2, 1), ("negative", -1, -2, 0), ("wide", 2, 1, 2)):
            want = np.asarray(lax.pad(ROW, np.int32(9), [(low, high, inner)]))
            if extra:
                edges = [np.array([v], np.int64) for v in (low, high, inner)]
                cases.append((title, [ROW, np.array(9, I)] + edges, generic(op, "", 5), [want]))
            else:
                cases.append((title, [ROW, np.array(9, I)], generic(op, pads.format(low, high, inner), 2), [want]))
        write(name, "Edges, negative too, and interior.", *cases)
    write("reverse", "One dimension, both, none.",
          ("one", [GRID], generic(s + "reverse", "dimensions = array<i64: 1>"), [GRID[:, ::-1]]),
          ("both", [GRID], generic(s + "reverse", "dimensions = array<i64: 0, 1>"), [GRID[::-1, ::-1]]),
          ("none", [GRID], generic(s + "reverse", "dimensions = array<i64>"), [GRID]))
    write("iota", "Along each dimension, of several types.",
          ("rows", [], generic(s + "iota", "iota_dimension = 0 : i64", 0),
           [np.repeat(np.arange(3, dtype=I), 2).reshape(3, 2)]),
          ("halves", [], generic(s + "iota", "iota_dimension = 1 : i64", 0),
           [np.tile(np.arange(4), (2, 1)).astype(BF16)]),
          ("complex", [], generic(s + "iota", "iota_dimension = 0 : i64", 0), [np.arange(3).astype(C)]))
    write("dynamic_iota", "A shape that is known after all.",
          ("rows", [np.array([2, 3], np.int64)], generic(s + "dynamic_iota", "iota_dimension = 1 : i64"),
           [np.tile(np.arange(3, dtype=I), (2, 1))]))
    write("dynamic_reshape", "A shape that is known after all.",
          ("matrix", [GRID, np.array([2, 6], np.int64)], generic(s + "dynamic_reshape", "", 2),
           [GRID.reshape(2, 6)]))
    write("dynamic_broadcast_in_dim", "A shape that is known after all.",
          ("row", [ROW, np.array([2, 5], np.int64)],
           generic(s + "dynamic_broadcast_in_dim", "broadcast_dimensions = array<i64: 1>", 2),
           [np.stack([ROW, ROW])]))
    write("real_dynamic_slice", "Starts, limits and strides as values.",
          ("strided", [ROW] + [np.array([v], np.int64) for v in (1, 5, 2)],
           generic(s + "real_dynamic_slice", "", 4), [ROW[1:5:2]]))
    write("get_dimension_size", "The size, as i32.",
          ("second", [GRID], generic(s + "get_dimension_size", "dimension = 1 : i64"), [np.array(4, I)]))
    write("bitcast_convert", "The same bits; wider, narrower.",
          ("equal", [np.array([1.0, -0.0], F)], generic(s + "bitcast_convert"),
           [np.array([1.0, -0.0], F).view(I)]),
          ("narrower", [np.array([0x01020304, -1], I)], generic(s + "bitcast_convert"),
           [np.array([0x01020304, -1], I).view(np.uint8).reshape(2, 4)]),
          ("wider", [np.arange(8, dtype=np.uint16).reshape(2, 4)], generic(s + "bitcast_convert"),
           [np.arange(8, dtype=np.uint16).reshape(2, 4).view(np.uint64).reshape(2)]))
    write("reduce_precision", "bf16's bits; overflow.",
          ("bf16", [np.array([1.00390625, 3.4e38, -0.0, np.inf], F)],
           generic(s + "reduce_precision", "exponent_bits = 8 : i32, mantissa_bits = 7 : i32"),
           [np.array([1.00390625, 3.4e38, -0.0, np.inf], F).astype(BF16).astype(F)]),
          ("f16", [np.array([65520.0, 1.0009765625, 1e-9], F)],
           generic(s + "reduce_precision", "exponent_bits = 5 : i32, mantissa_bits = 10 : i32"),
           [np.array([np.inf, 1.0009765625, 0.0], F)]))
    x = np.array([-1.5, 0.0, 2.5, 300.0], F)
    write("convert", "Between floats, integers, booleans and complex numbers.",
          ("to_integer", [x], generic(s + "convert"), [x.astype(I)]),
          ("to_pred", [x], generic(s + "convert"), [x.astype(P)]),
          ("to_bf16", [np.array([1.00390625, 257.0], F)], generic(s + "convert"),
           [np.array([1.00390625, 257.0], F).astype(BF16)]),
          ("wraps", [np.array([300, -1], I)], generic(s + "convert"), [np.array([300, -1], I).astype(np.uint8)]),
          ("to_complex", [x], generic(s + "convert"), [x.astype(C)]))
    p = np.array([True, False, True, False])
    write("select", "By elements, by a scalar.",
          ("elements", [p, x, -x], generic(s + "select", "", 3), [np.where(p, x, -x)]),
          ("scalar", [np.array(False), x, -x], generic(s + "select", "", 3), [-x]))
    write("clamp", "Bounds as scalars and as tensors; NaN stays.",
          ("scalars", [np.array(0, I), ROW, np.array(4, I)], generic(s + "clamp", "", 3), [np.clip(ROW, 0, 4)]),
          ("tensors", [x - 1, np.array([-9, np.nan, 9, 9], F), x + 1], generic(s + "clamp", "", 3),
           [np.array([-2.5, np.nan, 3.5, 299.0], F)]))
    write("constant", "A splat, elements, nothing.",
          ("elements", [], "%r = stablehlo.constant dense<[1, 2]> : {r0}", [np.array([1, 2], I)]),
          ("splat", [], "%r = stablehlo.constant dense<1.5> : {r0}", [np.full((2, 2), 1.5, F)]))


def reductions():
    s = "stablehlo."
    values = np.array([[1.5, np.nan, 2], [4, 5, -6]], F)
    cases = []
    for op, init, fold in (("add", 0, np.add), ("maximum", -2**31, np.maximum), ("multiply", 1, np.multiply),
                           ("or", 0, np.bitwise_or)):
        cases.append((op, [GRID, np.array(init, I)],
                      generic(s + "reduce", "dimensions = array<i64: 1>", 2, 1, region("", "i32", op)),
                      [fold.reduce(GRID, 1).astype(I)]))
    cases.append(("nan", [values, np.array(-np.inf, F)],
                  generic(s + "reduce", "dimensions = array<i64: 1>", 2, 1, region("", "f32", "maximum")),
                  [np.array([np.nan, 5], F)]))
    cases.append(("empty", [NONE, np.array(7, F)],
                  generic(s + "reduce", "dimensions = array<i64: 0>", 2, 1, region("", "f32")),
                  [np.full(4, 7, F)]))
    write("reduce", "Reducers, NaN, no elements.", *cases)
    window = "window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>"
    sums = np.array([3 - 1, -1 + 2 + 7, 7 + 5], I)
    write("reduce_window", "Sums and maxima with padding and strides.",
          ("sums", [ROW, np.array(0, I)], generic(s + "reduce_window", window, 2, 1, region("", "i32")), [sums]),
          ("maxima", [ROW, np.array(-99, I)],
           generic(s + "reduce_window", window, 2, 1, region("", "i32", "maximum")), [np.array([3, 7, 7], I)]))
    pick = "%s = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    two = region("tensor<i1>", "i32", tail=pick) + ", " + region("", "i32")
    write("select_and_scatter", "The spec's example: each window's maximum takes its source.",
          ("spec", [np.array([[1, 5], [2, 5], [3, 6], [4, 4]], I), np.array([[5, 6], [7, 8]], I), np.array(0, I)],
           generic(s + "select_and_scatter", "window_dimensions = array<i64: 3, 1>, window_strides = "
                   "array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>", 3, 1, two),
           [np.array([[0, 0], [0, 0], [5, 14], [7, 0]], I)]))
    less = region("tensor<i1>", "i32", tail=pick.replace("GE", "LT"))
    write("sort", "Upwards, along each dimension.",
          ("row", [ROW], generic(s + "sort", "dimension = 0 : i64, is_stable = true", 1, 1, less), [np.sort(ROW)]),
          ("columns", [GRID[::-1]], generic(s + "sort", "dimension = 0 : i64, is_stable = true", 1, 1, less),
           [np.sort(GRID, 0)]))
    write("map", "A computation for each element.",
          ("product", [ROW, ROW], generic(s + "map", "dimensions = array<i64: 0>", 2, 1, region("", "i32", "multiply")),
           [ROW * ROW]))
    write("chlo_top_k", "The largest, equal ones by index.",
          ("two", [np.array([[1, 9, 9, 3], [4, 4, 0, -1]], I)],
           "%r:2 = chlo.top_k({0}, k = 2) : {t0} -> ({r0}, {r1})",
           [np.array([[9, 9], [4, 4]], I), np.array([[1, 2], [0, 1]], I)]))


def algebra():
    s = "stablehlo."
    a, b = CUBE, np.arange(40, dtype=F).reshape(2, 4, 5)
    numbers = ("dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = "
               "[0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>")
    write("dot_general", "Batches; types; nothing to sum.",
          ("batch", [a, b], generic(s + "dot_general", numbers, 2), [a @ b]),
          ("integers", [a.astype(I), b.astype(I)], generic(s + "dot_general", numbers, 2), [(a @ b).astype(I)]),
          ("doubles", [a.astype(D), b.astype(D)], generic(s + "dot_general", numbers, 2), [(a @ b).astype(D)]),
          ("empty", [a[:, :, :0], b[:, :0]], generic(s + "dot_general", numbers, 2), [np.zeros((2, 3, 5), F)]))
    write("dot", "Vectors and matrices.",
          ("vectors", [ROW, ROW], generic(s + "dot", "", 2), [np.dot(ROW, ROW)]),
          ("matrix", [GRID, GRID[0]], generic(s + "dot", "", 2), [GRID @ GRID[0]]))
    x, k = np.arange(16, dtype=F).reshape(1, 4, 4, 1), np.arange(4, dtype=F).reshape(2, 2, 1, 1)
    want = np.asarray(lax.conv_general_dilated(x, k, (1, 2), ((1, 0), (0, 1)), dimension_numbers=("NHWC", "HWIO", "NHWC")))
    conv = ("dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = "
            "array<i64: 1, 2>, feature_group_count = 1 : i64, batch_group_count = 1 : i64")
    edges = np.array([[1, 0], [0, 1]], np.int64)
    write("convolution", "Strides and padding.",
          ("plain", [x, k], generic(s + "convolution", conv + ", padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>", 2), [want]))
    write("dynamic_conv", "A padding that is known after all.",
          ("plain", [x, k, edges], generic(s + "dynamic_conv", conv, 3), [want]))
    factor = np.array([[2, 0, 0], [1, 3, 0], [-1, 2, 1]], D)
    square = factor @ factor.T
    write("cholesky", "Lower and upper factors.",
          ("lower", [square], generic(s + "cholesky", "lower = true"), [factor], 2),
          ("upper", [square], generic(s + "cholesky", "lower = false"), [factor.T], 2))
    solve = "left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose {}>"
    y = np.array([[1, 2], [3, 4], [5, 6]], D)
    write("triangular_solve", "As given and transposed.",
          ("plain", [factor, factor @ y], generic(s + "triangular_solve", solve.format("NO_TRANSPOSE"), 2), [y], 4),
          ("transposed", [factor, factor.T @ y], generic(s + "triangular_solve", solve.format("TRANSPOSE"), 2), [y], 4))
    z = np.array([1, 2j, -1, 0], C)
    fft = "fft_type = #stablehlo<fft_type {}>, fft_length = array<i64: 4>"
    write("fft", "Four kinds.",
          ("fft", [z], generic(s + "fft", fft.format("FFT")), [np.fft.fft(z).astype(C)], "near"),
          ("ifft", [z], generic(s + "fft", fft.format("IFFT")), [np.fft.ifft(z).astype(C)], "near"),
          ("rfft", [z.real], generic(s + "fft", fft.format("RFFT")), [np.fft.rfft(z.real).astype(C)], "near"),
          ("irfft", [z[:3]], generic(s + "fft", fft.format("IRFFT")), [np.fft.irfft(np.array([1, 2j, -1]), 4).astype(F)], "near"))


def random_bits():
    cases = []
    state = np.array([42, 7], np.uint64)
    for name, code in (("THREE_FRY", 1), ("PHILOX", 2)):
        for dtype, shape in ((np.uint32, (5,)), (np.uint32, (2, 3)), (np.uint64, (3,))):
            new, bits = lax.rng_bit_generator(state, shape, dtype, code)
            label = f"{name.lower()}_{np.dtype(dtype).name}_{len(shape)}"
            cases.append((label, [state], generic("stablehlo.rng_bit_generator", "rng_algorithm = #stablehlo"
                          f"<rng_algorithm {name}>", 1, 2), [np.asarray(new), np.asarray(bits)]))
    write("rng_bit_generator", "The bits that XLA makes on a CPU.", *cases)


if __name__ == "__main__":
    movement()
    reductions()
    algebra()
    random_bits()
