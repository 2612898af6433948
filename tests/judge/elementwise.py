# SPDX-License-Identifier: Apache-2.0
"""Programs of one element-wise operation, conversions, comparisons, selections."""
import jax.numpy as jnp
import numpy as np
from jax import lax

import values as v
from case import BF16, BOOL, COMPLEX, F8S, F16, F32, F64, FLOATS, I4, I32, INTS, SIGNED, U4, Case

# Spacings that XLA's own approximations may be off (f32: its vectorised exp, log and tanh are
# within a few; f64: its atanh was seen 46 off where libm is right); a bf16 or f16 result is rounded from f32, where
# both sides may round to neighbours.
NEAR = {F32: 12, F64: 200, BF16: 1.01, F16: 1.01, COMPLEX[0]: 40, COMPLEX[1]: 60}

# name: (low, high) of arguments where it is defined and not steep; None: anything.
REAL = {
    "exp": (-20, 20), "exp2": (-20, 20), "expm1": (-10, 10), "log": (1e-3, 100),
    "log1p": (-0.9, 50), "logistic": (-20, 20), "tanh": (-6, 6), "sin": (-30, 30),
    "cos": (-30, 30), "tan": (-1.4, 1.4), "asin": (-0.99, 0.99), "acos": (-0.99, 0.9),
    "atan": (-20, 20), "sinh": (-10, 10), "cosh": (-10, 10), "asinh": (-20, 20),
    "acosh": (1.1, 50), "atanh": (-0.95, 0.95), "sqrt": (0, 100), "rsqrt": (1e-2, 100),
    "cbrt": (-50, 50), "erf": (-3, 3), "erfc": (-2, 2), "erf_inv": (-0.95, 0.95),
    "lgamma": (3, 40), "digamma": (3, 40), "bessel_i0e": (-10, 10), "bessel_i1e": (0.1, 10),
}
ON_COMPLEX = ["exp", "log", "log1p", "expm1", "tanh", "sin", "cos", "sqrt", "rsqrt", "logistic", "tan",
              "sinh", "cosh", "asinh", "acosh", "atanh", "asin", "acos", "atan"]


def transcendental(rng):
    name = v.pick(rng, list(REAL))
    dtype = v.pick(rng, FLOATS + (COMPLEX if name in ON_COMPLEX else []))
    low, high = REAL[name]
    if dtype in COMPLEX:  # away from branch points and cuts, where both sides lose digits
        low, high = 0.2, 0.9 if name in ("asin", "acos", "atanh") else 2.0
        if name == "acosh":
            low, high = 1.2, 3.0
    x = v.array(rng, dtype, v.shape(rng), low=low, high=high)
    return Case(f"unary {name}", getattr(lax, name), [x], NEAR[dtype],
                platform=v.pick(rng, ["cpu", "tpu"]))


SPECIALS_OF = ["exp", "exp2", "expm1", "log", "log1p", "logistic", "tanh", "asin", "acos", "atan", "sinh",
               "cosh", "asinh", "acosh", "atanh", "sqrt", "rsqrt", "cbrt", "erf", "erfc", "erf_inv"]


def special_values(rng):
    """Infinities, NaN, signed zeros, the ends of the domain, on f32 and f64."""
    name = v.pick(rng, SPECIALS_OF)
    dtype = v.pick(rng, [F32, F64])
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 200.0, -200.0], dtype)
    return Case(f"special {name}", getattr(lax, name), [rng.permutation(x)], NEAR[dtype])


def exact_unary(rng):
    table = {
        "abs": FLOATS + SIGNED, "neg": FLOATS + SIGNED + COMPLEX, "sign": FLOATS + INTS,
        "floor": FLOATS, "ceil": FLOATS, "round": FLOATS, "is_finite": FLOATS,
        "bitwise_not": INTS + [BOOL], "population_count": INTS, "clz": INTS, "real": COMPLEX,
        "imag": COMPLEX, "conj": COMPLEX, "integer_pow": INTS, "square": FLOATS + INTS,
        "reduce_precision": [F32, F64, BF16, F16],
    }
    name = v.pick(rng, list(table))
    dtype = v.pick(rng, table[name])
    x = v.array(rng, dtype, v.shape(rng), special=dtype in FLOATS)
    function = getattr(lax, name)
    if name == "round":
        to_even = v.chance(rng, 0.5)
        method = lax.RoundingMethod.TO_NEAREST_EVEN if to_even else lax.RoundingMethod.AWAY_FROM_ZERO
        function = lambda x: lax.round(x, method)  # noqa: E731
    if name == "integer_pow":
        power = int(rng.integers(0, 6))
        function = lambda x: lax.integer_pow(x, power)  # noqa: E731
    if name == "reduce_precision":
        bits = v.pick(rng, [(8, 7), (5, 10), (4, 3), (8, 23), (5, 2)])
        function = lambda x: lax.reduce_precision(x, *bits)  # noqa: E731
    return Case(f"exact {name}", function, [x])


BINARY = {
    "add": FLOATS + INTS + COMPLEX, "sub": FLOATS + INTS + COMPLEX, "mul": FLOATS + INTS,
    "div": FLOATS + INTS, "rem": FLOATS + INTS, "max": FLOATS + INTS + [BOOL],
    "min": FLOATS + INTS + [BOOL], "nextafter": [F32, F64], "bitwise_and": INTS + [BOOL],
    "bitwise_or": INTS + [BOOL], "bitwise_xor": INTS + [BOOL], "shift_left": INTS,
    "shift_right_arithmetic": INTS, "shift_right_logical": INTS, "eq": FLOATS + INTS + COMPLEX + [BOOL],
    "ne": FLOATS + INTS + COMPLEX + [BOOL], "lt": FLOATS + INTS + [BOOL], "le": FLOATS + INTS,
    "gt": FLOATS + INTS, "ge": FLOATS + INTS + [BOOL],
}


def exact_binary(rng):
    name = v.pick(rng, list(BINARY))
    dtype = v.pick(rng, BINARY[name])
    dims = v.shape(rng)
    special = dtype in FLOATS and name != "nextafter"
    arguments = [v.array(rng, dtype, dims, special=special) for _ in range(2)]
    return Case(f"binary {name}", getattr(lax, name), arguments)


def inexact_binary(rng):
    name = v.pick(rng, ["pow", "atan2", "mul", "div", "igamma", "igammac", "polygamma", "zeta", "complex"])
    dtype = v.pick(rng, [F32, F64])
    if name in ("mul", "div"):
        dtype = v.pick(rng, COMPLEX)
    dims = v.shape(rng, elements=400)
    a = v.array(rng, dtype, dims, low=0.5, high=4)
    b = v.array(rng, dtype, dims, low=0.5, high=4)
    near = NEAR[dtype] * (400 if name in ("igamma", "igammac", "polygamma") else 20 if name == "zeta" else 2)
    if name == "zeta":
        a = a + np.asarray(1.5, dtype)
    if name == "polygamma":
        a = np.floor(a)
    function = getattr(lax, name)
    return Case(f"binary {name}", function, [a, b], near, platform=v.pick(rng, ["cpu", "tpu"]))


def integer_power(rng):
    dtype = v.pick(rng, INTS)
    dims = v.shape(rng)
    base = v.array(rng, dtype, dims, small=True)
    exponent = np.asarray(rng.integers(0, 7, dims)).astype(dtype)
    if v.chance(rng, 0.5):
        base = v.array(rng, F32, dims, low=-3, high=3)
        return Case("binary pow by integers", lax.pow, [base, exponent.astype(np.int32)], NEAR[F32] * 2)
    return Case("binary integer pow", jnp.power, [base, exponent])


def convert(rng):
    every = FLOATS + INTS + [BOOL] + COMPLEX + F8S + [I4, U4]
    source, target = v.pick(rng, every), v.pick(rng, every)
    if source in COMPLEX and target not in COMPLEX:
        source = F32
    # Out of range, the back ends of XLA differ among themselves; NaN too.
    narrow = target in F8S or target in (I4, U4) or target.kind in "iu"
    x = v.whole(rng, source, v.shape(rng))
    if not narrow:
        x = v.array(rng, source, v.shape(rng), special=source in FLOATS)
    elif source in FLOATS and target in F8S:
        x = v.array(rng, source, v.shape(rng), low=-14, high=14)
    elif source in INTS and target in INTS:
        x = v.array(rng, source, v.shape(rng))
    elif source in FLOATS and target in INTS:
        x = v.array(rng, source, v.shape(rng), low=0.0 if target.kind == "u" else -100, high=120)
    return Case(f"convert {source} {target}", lambda x: lax.convert_element_type(x, target), [x])


def bitcast(rng):
    kinds = {1: [np.dtype(np.int8), np.dtype(np.uint8)], 2: [np.dtype(np.int16), np.dtype(np.uint16), F16, BF16],
             4: [I32, np.dtype(np.uint32), F32], 8: [np.dtype(np.int64), np.dtype(np.uint64), F64]}
    a, b = v.pick(rng, list(kinds)), v.pick(rng, list(kinds))
    source, target = v.pick(rng, kinds[a]), v.pick(rng, kinds[b])
    dims = v.shape(rng, most=3, elements=500)
    if a < b:
        dims += (b // a,)
    x = v.array(rng, source, dims)
    if target.kind == "f" or target == BF16 or source.kind == "f":  # no NaN patterns: payloads are free
        x = v.whole(rng, source, dims)
    return Case(f"bitcast {source} {target}", lambda x: lax.bitcast_convert_type(x, target), [x])


def choose(rng):
    dtype = v.pick(rng, FLOATS + INTS + COMPLEX + [BOOL])
    dims = v.shape(rng)
    a, b, c = (v.array(rng, dtype, dims, special=dtype in FLOATS) for _ in range(3))
    if v.chance(rng, 0.5) or dtype in COMPLEX or dtype == BOOL:
        which = v.array(rng, BOOL, dims if v.chance(rng, 0.7) else ())
        if v.chance(rng, 0.3):
            count = int(rng.integers(1, 4))
            index = np.asarray(rng.integers(0, count, dims)).astype(np.int32)
            return Case("select_n", lambda i, *xs: lax.select_n(i, *xs), [index] + [a, b, c][:count])
        return Case("select", lax.select, [which, a, b])
    if v.chance(rng, 0.5):
        a, c = (v.array(rng, dtype, ()) for _ in range(2))
    return Case("clamp", lax.clamp, [a, b, c])


def broadcasting(rng):
    """jnp's rules on two shapes, with mixed types."""
    dims = v.shape(rng, least=1, most=4)
    other = tuple(1 if v.chance(rng, 0.4) else d for d in dims)[int(rng.integers(len(dims) + 1)):]
    dtype = v.pick(rng, [F32, F64, I32])
    function = v.pick(rng, [jnp.add, jnp.multiply, jnp.minimum, jnp.subtract, jnp.greater, jnp.hypot])
    near = 8 if function is jnp.hypot else 0
    return Case("broadcasting", function, [v.array(rng, dtype, dims), v.whole(rng, F32, other)], near)


FAMILIES = [(transcendental, 8), (special_values, 3), (exact_unary, 4), (exact_binary, 6), (inexact_binary, 2),
            (integer_power, 1), (convert, 4), (bitcast, 2), (choose, 3), (broadcasting, 2)]
