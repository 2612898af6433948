#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of batch normalisation, CHLO's broadcasting operations, dynamic_gather and
torch_index_select. Needs numpy, scipy, ml_dtypes."""
import numpy as np
import scipy.special as special

from program_text import generic, write

I, F, D, C = (np.dtype(t) for t in (np.int32, np.float32, np.float64, np.complex64))
np.seterr(all="ignore")


# ---- batch normalisation: the formulas of the specification, in f64 -----------------------------

def along(values, x, feature):
    shape = [1] * x.ndim
    shape[feature] = -1
    return values.reshape(shape)


def inference(x, scale, offset, mean, variance, epsilon, feature):
    centred = x - along(mean, x, feature)
    return (centred / along(np.sqrt(variance + epsilon), x, feature) * along(scale, x, feature)
            + along(offset, x, feature))


def training(x, scale, offset, epsilon, feature):
    others = tuple(d for d in range(x.ndim) if d != feature)
    mean, variance = x.mean(others), x.var(others)
    return [inference(x, scale, offset, mean, variance, epsilon, feature), mean, variance]


def gradient(x, scale, mean, variance, grad, epsilon, feature):
    others = tuple(d for d in range(x.ndim) if d != feature)
    count = x.size // x.shape[feature]
    centred = x - along(mean, x, feature)
    stddev = along(np.sqrt(variance + epsilon), x, feature)
    spread = lambda v: along(v.sum(others), x, feature)  # noqa: E731
    inner = count * grad - spread(grad) - spread(grad * centred) * centred / stddev ** 2
    return [along(scale, x, feature) / stddev / count * inner,
            (grad * centred / stddev).sum(others), grad.sum(others)]


def batch_norms():
    x = np.array([[1.0, 2.0, -1.5], [3.0, 4.5, 0.25], [2.0, -7.0, 5.0], [0.5, 8.0, 2.0]])
    scale, offset = np.array([1.5, -2.0, 0.75]), np.array([1.0, 0.0, -3.0])
    mean, variance = np.array([0.25, 1.0, -0.5]), np.array([2.0, 0.5, 0.0])
    grad = np.array([[0.5, -1.0, 2.0], [1.0, 0.25, 0.0], [-0.5, 1.0, -3.0], [2.0, 2.0, 1.0]])
    image = np.arange(24.0).reshape(2, 3, 4) ** 1.5 / 32
    attributes = "epsilon = 1.0e-03 : f32, feature_index = {} : i64"
    epsilon = float(np.float32(1e-3))
    runs = {
        "batch_norm_inference": (5, 1, lambda v, f: [inference(*v, epsilon, f)],
                                 lambda x: [scale, offset, mean, variance]),
        "batch_norm_training": (3, 3, lambda v, f: training(*v, epsilon, f),
                                lambda x: [scale, offset]),
        "batch_norm_grad": (5, 3, lambda v, f: gradient(*v, epsilon, f),
                            lambda x: [scale, mean, variance + 1, grad if x.ndim == 2 else x / 9]),
    }
    for name, (operands, results, function, rest) in runs.items():
        body = generic("stablehlo." + name, attributes.format(1), operands, results)
        cases = []
        for dtype, ulp in ((D, 4096), (F, "near")):
            for title, value in (("matrix", x), ("image", image)):
                inputs = [v.astype(dtype) for v in [value] + rest(value)]
                wide = [v.astype(D) for v in inputs]
                want = [np.asarray(v).astype(dtype) for v in function(wide, 1)]
                # Sums that cancel to about zero have no last place to count in.
                near = "near" if title == "image" else ulp
                cases.append((f"{title}_{dtype.name}", inputs, body, want, near))
        write(name, "The feature is dimension 1; formulas of the specification.", *cases)


# ---- chlo.broadcast_* ---------------------------------------------------------------------------

def truncated_divide(a, b):
    return (np.sign(a) * np.sign(b) * (abs(a) // abs(b))).astype(a.dtype)


def broadcasts():
    ints = (np.array([[7, -8, 9], [-1, 5, 2**30]], I), np.array([3, -2, 4], I))
    reals = (np.array([[1.5, -0.0, 2.0], [0.25, 7.5, -3.0]], F), np.array([2.0, 0.5, 3.0], F))
    positive = (np.array([[2.0, 1.5], [4.0, 3.25]], F), np.array([0.5, 2.0], F))
    orders = (np.array([[1.0, 2.0], [3.0, 0.0]], F), np.array([0.5, 2.0], F))
    table = {
        "add": (np.add, ints), "subtract": (np.subtract, reals), "multiply": (np.multiply, ints),
        "divide": (truncated_divide, ints), "maximum": (np.maximum, reals),
        "minimum": (np.minimum, ints), "remainder": (np.fmod, ints), "and": (np.bitwise_and, ints),
        "or": (np.bitwise_or, ints), "xor": (np.bitwise_xor, ints), "atan2": (np.arctan2, reals),
        "power": (np.power, positive), "next_after": (np.nextafter, reals),
        "polygamma": (special.polygamma, orders), "zeta": (special.zeta, positive),
        "complex": (lambda a, b: (a + 1j * b).astype(C), reals),
        "shift_left": (np.left_shift, (ints[0], abs(ints[1]))),
        "shift_right_arithmetic": (np.right_shift, (ints[0], abs(ints[1]))),
        "shift_right_logical": (lambda a, b: (a.view(np.uint32) >> b.view(np.uint32)).view(I),
                                (ints[0], abs(ints[1]))),
    }
    inexact = {"atan2", "power", "polygamma", "zeta"}
    for name, (function, (a, b)) in table.items():
        wide = D if name in inexact else a.dtype

        def apply(x, y):
            out = np.asarray(function(x.astype(wide), y.astype(wide)))
            return out if out.dtype == C else out.astype(a.dtype)
        body = f"%r = chlo.broadcast_{name} {{0}}, {{1}} : ({{t0}}, {{t1}}) -> {{r0}}"
        placed = (f'%r = "chlo.broadcast_{name}"({{0}}, {{1}}) '
                  "{{broadcast_dimensions = array<i64: 1>}} : ({t0}, {t1}) -> {r0}")
        column = a[:, :1]
        ulp = 2 if name in inexact else 0
        write(f"chlo_broadcast_{name}", "Trailing dimensions meet; ones are repeated.",
              ("row", [a, b], body, [apply(a, b)], ulp),
              ("placed", [a, b], placed, [apply(a, b)], ulp),
              ("column", [column, b], body, [apply(column, b)], ulp),
              ("scalar", [a, b[0]], body, [apply(a, b[0])], ulp),
              ("equal", [a, a], body, [apply(a, a)], ulp) if name in ("add", "complex", "xor") else
              ("none", [a[:0], b], body, [apply(a[:0], b)], ulp))


def mulhi():
    cases = []
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32):
        info = np.iinfo(dtype)
        a = np.array([info.max, info.min, 3, info.max, info.max // 3, 1], dtype)
        b = np.array([info.max, info.max, 5, 2, info.max // 5, info.min], dtype)
        want = [(int(x) * int(y)) >> info.bits for x, y in zip(a, b)]
        cases.append((np.dtype(dtype).name, [a, b], "%r = chlo.mulhi {0}, {1} : {t0}",
                      [np.array(want, dtype)]))
    write("chlo_mulhi", "The high half of the product.", *cases)


# ---- gathers ------------------------------------------------------------------------------------

def gathers():
    grid = np.arange(12, dtype=I).reshape(3, 4)
    cube = np.arange(24, dtype=F).reshape(2, 3, 4)
    numbers = ("dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
               "start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false")
    rows, sizes = np.array([2, 0, 9, -4], np.int64), np.array([1, 4], np.int64)
    write("dynamic_gather", "Slice sizes that are known after all; starts are clamped.",
          ("rows", [grid, rows, sizes], generic("stablehlo.dynamic_gather", numbers, 3),
           [grid[[2, 0, 2, 0]]]))
    select = "dim = {} : i64, batch_dims = {} : i64"
    pick = np.array([1, 0, 1], I)
    each = np.array([[2, 0], [1, 1]], I)
    write("torch_index_select", "Along a dimension; with a batch dimension.",
          ("rows", [grid, pick], generic("stablehlo.torch_index_select", select.format(0, 0), 2),
           [grid[pick]]),
          ("columns", [cube, pick], generic("stablehlo.torch_index_select", select.format(2, 0), 2),
           [cube[:, :, pick]]),
          ("batch", [cube, each], generic("stablehlo.torch_index_select", select.format(1, 1), 2),
           [np.stack([cube[i][each[i]] for i in range(2)])]))


if __name__ == "__main__":
    batch_norms()
    broadcasts()
    mulhi()
    gathers()
