#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of quantized elements: conversions and element-wise operations. Needs numpy,
scipy, ml_dtypes."""
import numpy as np
import scipy.special as special

from program_text import BF16
from quantized_text import F32, Q, QuantizedPrograms, random_integers

F16, F64 = np.dtype(np.float16), np.dtype(np.float64)
SHAPE = (3, 5)
rng = np.random.default_rng(27)
QUANTIZE = "%q = stablehlo.uniform_quantize {0} : ({t0}) -> {r0}"
DEQUANTIZE = "%q = stablehlo.uniform_dequantize {0} : ({t0}) -> {r0}"
# One of each storage, expressed type and granularity; scales of a calibration and powers of two.
TYPES = {
    "i8": Q("i8", (0.0039172410964965817,), (-128,)),
    "u8": Q("u8", (0.25,), (128,)),
    "i4": Q("i4", (0.5,), (1,)),
    "u4": Q("u4", (0.3,), (7,)),
    "i16": Q("i16", (0.001,), (-5,)),
    "u16": Q("u16", (0.002,), (32768,)),
    "i32": Q("i32", (1e-5,), (0,)),
    "u32": Q("u32", (0.5,), (2147483648,), expressed=F64),
    "i32_f64": Q("i32", (1e-9,), (-2147483648,), expressed=F64),
    "narrow": Q("i8", (0.1,), (3,), bounds=(-127, 100)),
    "bf16": Q("i8", (0.125,), (-3,), expressed=BF16),
    "f16": Q("i8", (1e-5,), (3,), expressed=F16),
    "f16_u4": Q("u4", (0.1,), (0,), expressed=F16),
    "f64": Q("i16", (1 / 3,), (9,), expressed=F64),
    "rows": Q("i8", (0.1, 0.2, 3.0), (-3, 0, 127), axis=0),
    "columns": Q("u8", (0.5, 0.25, 1.0, 2.0, 0.1), (0, 255, 7, 128, 1), axis=1),
    "narrow_columns": Q("i8", (0.5, 0.25, 1.0, 2.0, 0.1), (0,) * 5, axis=1, bounds=(-127, 127)),
    "rows_bf16": Q("i4", (0.5, 0.25, 1.0), (0, -8, 7), axis=0, expressed=BF16),
}


def reals(q):
    """Around the range: ties of odd and even zero points, beyond both ends, everything else."""
    low, high = q.range()
    scale = q.along(q.scales, 2, np.float64)
    zero = q.along(q.zeros, 2, np.float64)
    reach = min(high - low, 40)
    x = rng.integers(-2 * reach, 2 * reach, SHAPE) / 2
    x[0, 0], x[0, 1], x[1, 2] = high - 0.4, high + 10, low - 10
    x = np.where(np.arange(15).reshape(SHAPE) < 3, x - zero, x) * scale
    x[2, :4] = np.inf, -np.inf, np.nan, -0.0
    with np.errstate(all="ignore"):
        return x.astype(q.expressed)


def conversions():
    programs = QuantizedPrograms("uniform_quantize", "Floats to nearest quanta, ties to even; "
                                 "one quantization to another.")
    for name, q in TYPES.items():
        x = reals(q)
        programs.quantized(name, [x], QUANTIZE, [(q, q.stored(x))])
    pairs = [("i8", "narrow"), ("u8", "i8"), ("i8", "u4"), ("i16", "i8"), ("i32", "i8"),
             ("rows", "i8"), ("i8", "rows"), ("columns", "narrow_columns"), ("i8", "i8"),
             ("rows", "rows"), ("i32_f64", "f64"), ("bf16", "rows_bf16")]
    for a, b in pairs:
        p, q = TYPES[a], TYPES[b]
        s = random_integers(rng, p, SHAPE)
        if a == "i32":
            s //= 1000
        programs.quantized(f"{a}_to_{b}", [(p, s)], QUANTIZE, [(q, requantized(s, p, q))])
    programs.write()
    programs = QuantizedPrograms("uniform_dequantize", "Quanta to floats.")
    for name, q in TYPES.items():
        s = random_integers(rng, q, SHAPE)
        s[0, 0], s[0, 1] = q.range()
        programs.quantized(name, [(q, s)], DEQUANTIZE, [q.real(s)])
    programs.quantized("scalar", [(TYPES["i8"], np.array(5, np.int8))], DEQUANTIZE,
                       [TYPES["i8"].real(np.array(5, np.int8))])
    programs.write()


def rescaled(s, p, q):
    """Integers of p as quanta of q, not rounded: one product and one sum, in f32 at least."""
    wide = F64 if q.expressed == F64 else F32
    factor = p.along(p.scales, s.ndim, np.float64) / q.along(q.scales, s.ndim, np.float64)
    offset = (q.along(q.zeros, s.ndim, np.float64) - p.along(p.zeros, s.ndim, np.float64) * factor)
    return s.astype(np.int64).astype(wide) * factor.astype(wide) + offset.astype(wide)


def requantized(s, p, q):
    return s if p == q else q.bounded(rescaled(s, p, q))


# ---- element-wise ------------------------------------------------------------------------------

def away_from_zero(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


UNARY = {
    "abs": np.abs, "cbrt": np.cbrt, "ceil": np.ceil, "cosine": np.cos, "exponential": np.exp,
    "exponential_minus_one": np.expm1, "floor": np.floor, "log": np.log, "log_plus_one": np.log1p,
    "logistic": special.expit, "negate": np.negative, "round_nearest_afz": away_from_zero,
    "round_nearest_even": np.rint, "rsqrt": lambda x: 1 / np.sqrt(x), "sign": np.sign,
    "sine": np.sin, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh,
}
BINARY = {
    "atan2": np.arctan2, "divide": np.divide, "maximum": np.maximum, "minimum": np.minimum,
    "multiply": np.multiply, "power": np.power, "remainder": np.fmod, "subtract": np.subtract,
}
# Operands and results of a case: alike, of other scales, along an axis, of other storages.
KINDS = {
    "alike": (Q("i8", (0.03,), (-20,)),) * 3,
    "other_scales": (Q("i8", (0.05,), (-100,)), Q("i8", (0.02,), (3,)), Q("i8", (0.04,), (-7,))),
    "rows": (Q("i8", (0.05, 0.01, 0.2), (-10, 3, 0), axis=0),) * 2 +
            (Q("u8", (0.02, 0.05, 0.1), (9, 100, 128), axis=0),),
    "storages": (Q("i16", (0.001,), (0,)), Q("i4", (0.3,), (1,)), Q("i16", (0.0007,), (-40,))),
    "f64": (Q("i8", (0.03,), (0,), expressed=F64), Q("u4", (0.25,), (8,), expressed=F64),
            Q("i16", (0.003,), (0,), expressed=F64)),
}


def far_from_ties(q, exact):
    """Whether no result is so near the middle of two quanta that a last bit decides."""
    with np.errstate(all="ignore"):
        x = exact / q.along(q.scales, exact.ndim, np.float64)
        x = np.clip(x + q.along(q.zeros, exact.ndim, np.float64), *q.range())
        return np.all(np.isnan(x) | (np.abs(x - np.floor(x) - 0.5) > 1e-3))


def applied(function, operands, q):
    """The stored results, or None where the functions of numpy are not exact enough to tell."""
    wide = [x.astype(np.float64) for x in operands]
    with np.errstate(all="ignore"):
        exact = function(*wide)
    return q.stored(exact.astype(q.expressed)) if far_from_ties(q, exact) else None


def elementwise():
    programs = QuantizedPrograms("quantized_elementwise", "Dequantized, computed, quantized.")
    for op, function in (UNARY | BINARY).items():
        for kind, (p0, p1, q) in KINDS.items():
            types = (p0, p1)[:1 if op in UNARY else 2]
            want = None
            while want is None:
                stored = [random_integers(rng, p, SHAPE) for p in types]
                want = applied(function, [p.real(s) for p, s in zip(types, stored)], q)
            text = ", ".join(f"{{{i}}}" for i in range(len(types)))
            kinds = ", ".join(f"{{t{i}}}" for i in range(len(types)))
            programs.quantized(f"{op}_{kind}", list(zip(types, stored)),
                               f"%q = stablehlo.{op} {text} : ({kinds}) -> {{r0}}", [(q, want)])
    others(programs)
    programs.write()


def others(programs):
    p, p1, q = KINDS["other_scales"]
    a, b, c = (random_integers(rng, t, SHAPE) for t in (p, p1, p1))
    mask = rng.integers(0, 2, SHAPE).astype(bool)
    programs.quantized("compare", [(p, a), (p1, b)],
                       "%q = stablehlo.compare LT, {0}, {1}, FLOAT : ({t0}, {t1}) -> {r0}",
                       [p.real(a) < p1.real(b)])
    programs.quantized("select", [mask, (p, a), (p1, b)],
                       "%q = stablehlo.select {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r0}",
                       [(q, q.stored(np.where(mask, p.real(a), p1.real(b))))])
    programs.quantized("select_alike", [mask, (p1, b), (p1, c)],
                       "%q = stablehlo.select {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r0}",
                       [(p1, np.where(mask, b, c))])
    least, most = np.array(-20, np.int8), np.array(60, np.int8)
    clamp = "%q = stablehlo.clamp {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r0}"
    programs.quantized("clamp", [(p1, least), (p, a), (p1, most)], clamp,
                       [(q, q.stored(np.clip(p.real(a), p1.real(least), p1.real(most))))])
    programs.quantized("clamp_alike", [(p1, least), (p1, b), (p1, most)], clamp,
                       [(p1, np.clip(b, least, most))])
    x = p1.real(b)
    programs.quantized("float_and_quantized", [x, (p, a)],
                       "%q = stablehlo.multiply {0}, {1} : ({t0}, {t1}) -> {r0}",
                       [(q, q.stored(x * p.real(a)))])
    programs.quantized("quantized_to_float", [(p, a), (p1, b)],
                       "%q = stablehlo.subtract {0}, {1} : ({t0}, {t1}) -> {r0}",
                       [p.real(a) - p1.real(b)])
    programs.quantized("reduce_precision", [(p, a)],
                       "%q = stablehlo.reduce_precision {0}, format = e5m2 : ({t0}) -> {r0}",
                       [(q, q.stored(e5m2(p.real(a))))])


def e5m2(x):
    import ml_dtypes
    return x.astype(ml_dtypes.float8_e5m2).astype(np.float32)


def sums():
    """Operands are rounded to the result's quantization, then integers are added."""
    programs = QuantizedPrograms("quantized_add", "Sums of integers of one scale.")
    for kind, types in (KINDS | {
            "calibrated": (TYPES["i8"], Q("i8", (0.0039188104517319626,), (-128,)),
                           Q("i8", (0.0077341673420924769,), (-128,))),
            "saturated": (Q("i8", (1.0,), (0,)),) * 3,
            "narrow": (Q("i8", (1.0,), (0,)),) * 2 + (Q("i8", (1.0,), (5,), bounds=(-90, 90)),),
            "rows_alike": (Q("i32", (0.05, 0.01, 0.2), (-10, 3, 0), axis=0),) * 3}).items():
        p0, p1, q = types
        a, b = random_integers(rng, p0, SHAPE), random_integers(rng, p1, SHAPE)
        if kind == "rows_alike":
            a, b = a // 4, b // 4
        if any(t.axis is not None for t in types) and not p0 == p1 == q:
            want = q.stored(p0.real(a) + p1.real(b))
        else:
            l, r = (s.astype(np.int64) if p == q else np.rint(rescaled(s, p, q)).astype(np.int64)
                    for s, p in ((a, p0), (b, p1)))
            want = q.bounded(l + r - q.along(q.zeros, 2, np.int64))
        programs.quantized(kind, [(p0, a), (p1, b)],
                           "%q = stablehlo.add {0}, {1} : ({t0}, {t1}) -> {r0}", [(q, want)])
    programs.write()


if __name__ == "__main__":
    conversions()
    elementwise()
    sums()
