#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of element-wise operations. Needs numpy, scipy, ml_dtypes."""
import numpy as np
import scipy.special as special

from program_text import BF16, Programs

INF, NAN = np.inf, np.nan
F16, F32, F64 = (np.dtype(t) for t in (np.float16, np.float32, np.float64))
C64, C128 = np.dtype(np.complex64), np.dtype(np.complex128)
np.seterr(all="ignore")

WIDE = [-INF, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, INF, NAN]
POSITIVE = [0.0, 0.125, 0.5, 1.0, 2.0, 10.0, 1000.0, INF, NAN]
UNIT = [-1.0, -0.75, -0.25, -0.0, 0.0, 0.5, 0.875, 1.0, 1.5, NAN]
HALVES = [-2.5, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0.49999997, -INF, NAN]
PLANE = [1 + 2j, -1.5 + 0.5j, 0.25 - 0.75j, -2 - 1j, 0.5 + 0j, 3j]


def half_away(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x) if abs(x) != 0.49999997 else 0.0


# name: (function of f64, inputs, ulps of f32/f64, works on complex)
FLOAT = {
    "cbrt": (np.cbrt, WIDE, 1, False),
    "ceil": (np.ceil, HALVES, 0, False),
    "cosine": (np.cos, WIDE, 1, True),
    "exponential": (np.exp, WIDE, 1, True),
    "exponential_minus_one": (np.expm1, WIDE + [1e-7], 1, True),
    "floor": (np.floor, HALVES, 0, False),
    "log": (np.log, POSITIVE + [-1.0], 1, True),
    "log_plus_one": (np.log1p, POSITIVE + [-0.5, -1.0, 1e-7], 1, True),
    "logistic": (special.expit, WIDE, 1, False),
    "round_nearest_afz": (np.vectorize(half_away, otypes=[float]), HALVES, 0, False),
    "round_nearest_even": (np.rint, HALVES, 0, False),
    "rsqrt": (lambda x: 1 / np.sqrt(x), POSITIVE + [-1.0], 1, True),
    "sine": (np.sin, WIDE, 1, True),
    "sqrt": (np.sqrt, POSITIVE + [-1.0], 0, True),
    "tan": (np.tan, WIDE, 1, True),
    "tanh": (np.tanh, WIDE, 1, True),
    "chlo_acos": (np.arccos, UNIT, 1, True),
    "chlo_acosh": (np.arccosh, POSITIVE, 1, True),
    "chlo_asin": (np.arcsin, UNIT, 1, True),
    "chlo_asinh": (np.arcsinh, WIDE, 1, True),
    "chlo_atan": (np.arctan, WIDE, 1, True),
    "chlo_atanh": (np.arctanh, UNIT, 1, True),
    "chlo_bessel_i1e": (special.i1e, [-3.0, 0.0, 0.5, 1.0, 8.0, 40.0, INF, NAN], 2, False),
    "chlo_cosh": (np.cosh, WIDE, 1, True),
    "chlo_digamma": (special.digamma, [-2.5, 0.5, 1.0, 3.5, 20.0, INF, NAN], 2, False),
    "chlo_erf": (special.erf, WIDE, 1, False),
    "chlo_erf_inv": (special.erfinv, UNIT, 2, False),
    "chlo_erfc": (special.erfc, WIDE, 1, False),
    "chlo_lgamma": (special.gammaln, [-2.5, 0.0, 0.5, 3.0, 20.0, INF, NAN], 2, False),
    "chlo_sinh": (np.sinh, WIDE, 1, True),
    "chlo_square": (np.square, WIDE, 0, True),
    "chlo_tan": (np.tan, WIDE, 1, True),
}


def operation(name):
    return name.replace("chlo_", "chlo.") if name.startswith("chlo_") else "stablehlo." + name


def floats():
    for name, (function, inputs, ulp, on_complex) in FLOAT.items():
        programs = Programs(name, f"{operation(name)}: values, edges, several types, no elements.")
        body = f"%r = {operation(name)} {{0}} : {{t0}}"
        for dtype in (F32, F64, BF16, F16):
            x = np.array(inputs).astype(dtype)
            y = function(x.astype(F64)).astype(dtype)
            if dtype == F64 and ulp:
                y, error = function(x), 3 if ulp == 1 else 16
            else:
                error = ulp
            programs.case(dtype.name, [x], body, [y], error)
        if on_complex:
            for dtype in (C64, C128):
                x = np.array(PLANE).astype(dtype)
                y = function(x.astype(C128)).astype(dtype)
                programs.case(dtype.name, [x], body, [y], 1 if dtype == C64 else 6)
        programs.case("empty", [np.zeros((2, 0), F32)], body, [np.zeros((2, 0), F32)])
        programs.case("scalar", [F32.type(0.5)], body,
                      [np.asarray(function(np.float64(0.5))).astype(F32)], ulp)
        programs.write()


SIGNED = np.array([-128, -7, -1, 0, 1, 5, 127], np.int8)
BITS = np.array([0, 1, 2, 0x55, 0x80, 0xFF], np.uint8)
WORDS = np.array([-(2**31), -1, 0, 1, 65535], np.int32)
LONGS = np.array([-(2**63), -1, 0, 7, 2**40], np.int64)
TRUTH = np.array([True, False])


def count_leading_zeros(x):
    width = 8 * x.dtype.itemsize
    return np.array([width - (int(v) % 2**width).bit_length() for v in x], x.dtype)


def population(x):
    width = 8 * x.dtype.itemsize
    return np.array([bin(int(v) % 2**width).count("1") for v in x], x.dtype)


EXACT = {
    "abs": (np.abs, [SIGNED, np.array(WIDE, F32), np.array(WIDE[:-1], BF16)]),
    "negate": (lambda x: (-x.astype(object) % 2**64).astype(np.uint64).astype(x.dtype)
               if x.dtype.kind in "iu" else -x,
               [SIGNED, BITS, np.array(WIDE[:-1], F32), np.array(PLANE, C64)]),
    "sign": (lambda x: np.sign(x).astype(x.dtype) if x.dtype.kind in "iuc" else
             np.where(x == 0, x, np.sign(x)).astype(x.dtype),
             [SIGNED, np.array(WIDE, F32), np.array(WIDE[:-1], F16)]),
    "not": (np.invert, [SIGNED, BITS, TRUTH, WORDS]),
    "popcnt": (population, [SIGNED, BITS, WORDS, LONGS]),
    "count_leading_zeros": (count_leading_zeros, [SIGNED, BITS, WORDS, LONGS]),
    "is_finite": (np.isfinite, [np.array(WIDE, F32), np.array(WIDE, BF16), np.array(WIDE, F64)]),
    "chlo_is_inf": (np.isinf, [np.array(WIDE, F32), np.array(WIDE, BF16), np.array(WIDE, F64)]),
    "chlo_is_pos_inf": (np.isposinf, [np.array(WIDE, F32), np.array(WIDE, F64)]),
    "chlo_is_neg_inf": (np.isneginf, [np.array(WIDE, F32), np.array(WIDE, F64)]),
    "real": (np.real, [np.array(PLANE, C64), np.array(PLANE, C128), np.array(UNIT, F32)]),
    "imag": (np.imag, [np.array(PLANE, C64), np.array(PLANE, C128), np.array(UNIT, F32)]),
    "chlo_conj": (np.conj, [np.array(PLANE, C64), np.array(PLANE, C128)]),
}


def exact():
    for name, (function, arrays) in EXACT.items():
        programs = Programs(name, f"{operation(name)}, bit for bit.")
        for i, x in enumerate(arrays):
            body = f"%r = {operation(name)} {{0}} : ({{t0}}) -> {{r0}}"
            y = np.asarray(function(x))
            programs.case(f"case{i}_{x.dtype.name}", [x], body, [y])
        x = arrays[0][:0]
        programs.case("empty", [x], body, [np.asarray(function(x)).astype(function(arrays[0]).dtype)])
        programs.write()


INTS = [np.array(v, np.int32) for v in ([7, -7, 7, -7, 5, -2**31, 2**31 - 1],
                                        [3, 3, -3, -3, 0, -1, 2])]
BYTES = [np.array(v, np.uint8) for v in ([0, 1, 200, 255, 7], [3, 255, 100, 1, 2])]
REALS = [np.array(v, F32) for v in ([1.5, -0.0, INF, -INF, NAN, 2.0, 7.5, -7.5, 0.0],
                                    [2.5, 0.0, -INF, INF, 1.0, NAN, 2.0, 2.0, 0.0])]
PLANES = [np.array(v, C64) for v in ([1 + 2j, -1 + 1j, 0.5j], [3 - 1j, 2j, 0.25 + 0j])]
BOTH = [np.array([False, False, True, True]), np.array([False, True, False, True])]
SHIFTS = [np.array(v, np.int32) for v in ([-8, 5, 1, -1, 2**31 - 1], [1, 2, 31, 32, -1])]
SHORT = [np.array(v, np.int8) for v in ([-128, 127, 64, -3], [1, 7, 8, 0])]


def c_divide(a, b):
    if a.dtype.kind not in "iu":
        return a / b
    def one(x, y):
        if y == 0:
            return -1 if a.dtype.kind == "i" else 2**(8 * a.dtype.itemsize) - 1
        q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return (q + 2**31) % 2**32 - 2**31 if a.dtype == np.int32 else q
    return np.array([one(int(x), int(y)) for x, y in zip(a, b)], a.dtype)


def c_remainder(a, b):
    if a.dtype.kind not in "iu":
        return np.fmod(a, b)
    def one(x, y):
        if y == 0:
            return x
        r = abs(x) % abs(y)
        return -r if x < 0 else r
    return np.array([one(int(x), int(y)) for x, y in zip(a, b)], a.dtype)


def shifted(kind):
    def shift(a, b):
        width = 8 * a.dtype.itemsize
        def one(x, by):
            by %= 2**width
            if kind == "left":
                y = x << by if by < width else 0
            elif kind == "logical":
                y = (x % 2**width) >> by if by < width else 0
            else:
                y = x >> min(by, width - 1)
            return (y + 2**(width - 1)) % 2**width - 2**(width - 1)
        return np.array([one(int(x), int(y)) for x, y in zip(a, b)], a.dtype)
    return shift


def ordered(largest):
    def pick(a, b):
        if a.dtype.kind == "b":
            return (a | b) if largest else (a & b)
        y = (np.maximum if largest else np.minimum)(a, b)
        zeros = (a == 0) & (b == 0)  # -0 is below +0
        if a.dtype.kind == "f":
            signs = np.signbit(a) & np.signbit(b) if largest else np.signbit(a) | np.signbit(b)
            y = np.where(zeros, np.where(signs, -0.0, 0.0), y).astype(a.dtype)
        return y
    return pick


def integer_power(a, b):
    if a.dtype.kind != "i":
        return np.power(a.astype(F64), b.astype(F64)).astype(a.dtype)
    def one(x, y):
        if y < 0:
            return 1 if x == 1 else (1 if y % 2 == 0 else -1) if x == -1 else 0
        return (x**y + 2**31) % 2**32 - 2**31
    return np.array([one(int(x), int(y)) for x, y in zip(a, b)], a.dtype)


POWERS = [np.array(v, np.int32) for v in ([2, -3, 0, 5, 1, -1, 2], [10, 3, 0, 1, -1, -3, 31])]
REAL_POWERS = [np.array(v, F32) for v in ([2, 2, -2, 0, 4, INF, 1, -8], [3, -1, 3, 0, .5, -1, NAN, .5])]
DOUBLE = [np.array([1.25, -3.0, 1e300], F64), np.array([0.1, 3.0, 1e10], F64)]
NARROW = [np.array([1.5, -2.0, 256.0], BF16), np.array([0.25, 3.0, 1.0], BF16)]


def wide(function):
    return lambda a, b: (function(a.astype(F64), b.astype(F64)).astype(a.dtype)
                         if a.dtype in (F32, BF16) else function(a, b))


BINARY = {
    "subtract": (np.subtract, [INTS, BYTES, REALS, NARROW, PLANES], 0),
    "multiply": (np.multiply, [INTS, BYTES, REALS, NARROW, PLANES, BOTH], 0),
    "divide": (c_divide, [INTS, BYTES, REALS, DOUBLE, PLANES], 1),
    "remainder": (c_remainder, [INTS, BYTES, REALS, DOUBLE], 0),
    "maximum": (ordered(True), [INTS, BYTES, REALS, BOTH, DOUBLE, PLANES], 0),
    "minimum": (ordered(False), [INTS, BYTES, REALS, BOTH, DOUBLE, PLANES], 0),
    "and": (np.bitwise_and, [INTS, BYTES, BOTH], 0),
    "or": (np.bitwise_or, [INTS, BYTES, BOTH], 0),
    "xor": (np.bitwise_xor, [INTS, BYTES, BOTH], 0),
    "shift_left": (shifted("left"), [SHIFTS, SHORT], 0),
    "shift_right_arithmetic": (shifted("arithmetic"), [SHIFTS, SHORT], 0),
    "shift_right_logical": (shifted("logical"), [SHIFTS, SHORT], 0),
    "power": (integer_power, [POWERS, REAL_POWERS, NARROW], 1),
    "atan2": (wide(np.arctan2), [REALS, DOUBLE, NARROW], 1),
    "complex": (lambda a, b: (a + 1j * b).astype(C64 if a.dtype == F32 else C128),
                [[REALS[0][:2], REALS[1][:2]], DOUBLE], 0),
    "chlo_next_after": (np.nextafter, [
        [np.array([1.0, -1.0, 0.0, 1.0, NAN], F32), np.array([2.0, 2.0, -1.0, 1.0, 1.0], F32)],
        DOUBLE], 0),
    "chlo_polygamma": (wide(special.polygamma), [
        [np.array([0, 1, 2, 3], F32), np.array([1.5, 2.0, 0.5, 4.0], F32)],
        [np.array([1, 2], F64), np.array([2.5, 10.0], F64)]], 4),
    "chlo_zeta": (wide(special.zeta), [
        [np.array([2, 3, 1.5, 1], F32), np.array([1, 2.5, 4, 1], F32)],
        [np.array([2, 4], F64), np.array([1.0, 3.0], F64)]], 4),
}


def binary():
    for name, (function, pairs, ulp) in BINARY.items():
        programs = Programs(name, f"{operation(name)} of several types, edges, no elements.")
        body = f"%r = {operation(name)} {{0}}, {{1}} : ({{t0}}, {{t1}}) -> {{r0}}"
        for i, (a, b) in enumerate(pairs):
            programs.case(f"case{i}_{a.dtype.name}", [a, b], body, [function(a, b)], ulp)
        a, b = pairs[0]
        programs.case("empty", [a[:0], b[:0]], body, [function(a, b)[:0]], ulp)
        programs.write()


def comparisons():
    programs = Programs("compare", "stablehlo.compare: six directions; NaN; total order; types.")
    functions = {"EQ": np.equal, "NE": np.not_equal, "GE": np.greater_equal, "GT": np.greater,
                 "LE": np.less_equal, "LT": np.less}
    order = np.array([-NAN, -INF, -1.0, -0.0, 0.0, 1.0, INF, NAN], F32)
    order[0] = np.copysign(np.float32(NAN), np.float32(-1))
    ranks = np.arange(8)
    for word, function in functions.items():
        body = f"%r = stablehlo.compare {word}, {{0}}, {{1}} : ({{t0}}, {{t1}}) -> {{r0}}"
        for i, (a, b) in enumerate((INTS, BYTES, REALS, BOTH)):
            programs.case(f"{word.lower()}{i}", [a, b], body, [function(a, b)])
        total = body.replace(" : ", ", TOTALORDER : ")
        programs.case(f"{word.lower()}_total", [order, order[::-1]], total,
                      [function(ranks, ranks[::-1])])
    for word in ("EQ", "NE"):
        body = f"%r = stablehlo.compare {word}, {{0}}, {{1}} : ({{t0}}, {{t1}}) -> {{r0}}"
        a, b = PLANES[0], np.array([1 + 2j, 1 + 1j, -0.5j], C64)
        programs.case(f"{word.lower()}_complex", [a, b], body, [functions[word](a, b)])
    programs.write()


if __name__ == "__main__":
    floats()
    exact()
    binary()
    comparisons()
