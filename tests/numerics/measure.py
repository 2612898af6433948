#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the kernels against mpmath, in units of the last place, and writes the table of
docs/numerics.md.

    measure.py [--write] [--only FUNCTION] [--isa portable]

f16 and bf16: every argument. f32: a million arguments over all exponents, over the function's range
and at its edges; f64: a hundred thousand; complex: a grid. Where numpy or scipy have the function,
long double (f32, f16 and bf16 also: f64) replaces mpmath, because its own error is far below the
measured one; a sample and the worst arguments are measured again with mpmath. Needs numpy, scipy, ml_dtypes, mpmath, and
build/release/bin/map_kernels.
"""
import argparse
import pathlib
import subprocess
import sys

import ml_dtypes
import mpmath as mp
import numpy as np

from references import BINARY, COMPLEX, LONG, RANGES, UNARY

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "numerics.md"
BEGIN, END = "<!-- table of measure.py -->", "<!-- end of the table -->"
F16, F32, F64 = (np.dtype(t) for t in (np.float16, np.float32, np.float64))
BF16 = np.dtype(ml_dtypes.bfloat16)
C64, C128 = np.dtype(np.complex64), np.dtype(np.complex128)
NAMES = {F32: "f32", F64: "f64", F16: "f16", BF16: "bf16", C64: "complex<f32>", C128: "complex<f64>"}
HEAD = "| function | f32 | f64 | f16 | bf16 | complex<f32> | complex<f64> |\n|---|---|---|---|---|---|---|"
# Bits of the mantissa with the leading one; exponent of the smallest normal number; largest number.
FORMATS = {F16: (11, -14, 65504.0), BF16: (8, -126, 3.3895313892515355e38), F32: (24, -126, 3.4028234663852886e38),
           F64: (53, -1022, 1.7976931348623157e308)}
MP_SAMPLE = {F32: 1500, F64: 1500, F16: 500, BF16: 500}
WORST = 60


def run_kernel(isa, function, arrays):
    dtype = arrays[0].dtype
    ran = subprocess.run([ROOT / "build/release/bin/map_kernels", isa, function, NAMES[dtype]],
                         input=b"".join(a.tobytes() for a in arrays), capture_output=True, check=False)
    if ran.returncode:
        sys.exit(ran.stderr.decode())
    return np.frombuffer(ran.stdout, dtype)


def units(exact, dtype):
    """The last place of results near `exact` (long doubles)."""
    bits, least, _ = FORMATS[dtype]
    _, exponent = np.frexp(np.abs(exact))
    return np.ldexp(LONG(1), np.maximum(exponent - 1, least) - (bits - 1))


# Functions with irrational zeros, near which no relative bound holds: errors count in the last place of
# values of this size at least.
LEAST_SIZE = {"digamma": 0.25, "polygamma": 0.25}


def errors(function, got, exact, dtype):
    """In last places. A result that overflows is right where the exact value, rounded, does."""
    largest = LONG(FORMATS[dtype][2])
    top = largest + units(np.array([largest]), dtype)[0] / 2
    wide = got.astype(F64).astype(LONG)
    with np.errstate(all="ignore"):
        error = np.abs(wide - exact) / units(np.maximum(np.abs(exact), LEAST_SIZE.get(function, 0)), dtype)
    error = np.where(np.isnan(wide) & np.isnan(exact), 0, error)
    error = np.where(np.isinf(wide) & (np.abs(exact) >= top) & (np.sign(wide) == np.sign(exact)), 0, error)
    error = np.where(np.isinf(exact) & (wide == exact), 0, error)
    return np.where(np.isnan(error), np.inf, error)


def exact_by_mpmath(function, arrays):
    mp.mp.prec = 120

    def one(*values):
        try:
            y = function(*[mp.mpf(float(v)) for v in values])
        except (ValueError, ZeroDivisionError, mp.libmp.NoConvergence):
            return LONG(np.nan)
        if isinstance(y, mp.mpc):
            y = mp.nan if abs(y.imag) > 0 else y.real
        if not mp.isfinite(y):
            return LONG(float(y))
        high = float(y) if abs(y) < mp.mpf(2)**1000 else None
        if high is None:
            return LONG(mp.nstr(y, 25)) if abs(y) < mp.mpf(2)**16000 else LONG(np.inf) * int(mp.sign(y))
        return LONG(high) + LONG(float(y - mp.mpf(high)))
    return np.array([one(*values) for values in zip(*arrays)], LONG)


def edges(dtype):
    bits, least, largest = FORMATS[dtype]
    powers = 2.0 ** np.arange(max(least, -200), min(-least, 200))
    near = np.concatenate([powers, powers * (1 + 2.0**(1 - bits)), powers * (1 - 2.0**-bits)])
    turns = np.arange(1, 4000) * (np.pi / 2)
    rest = [0.0, largest, 1.4616321449683623, 2.0**(least - bits + 1), 2.0**least]
    near = np.concatenate([near, turns, np.arange(0, 200) / 2, rest])
    return np.concatenate([near, -near]).astype(dtype)


def arguments(function, dtype, rng):
    if dtype in (F16, BF16):
        every = np.arange(65536, dtype=np.uint16).view(dtype)
        return every[np.isfinite(every.astype(F32))]
    count = 1_000_000 if dtype == F32 else 100_000
    low, high = RANGES[function]
    scale = 8 if dtype == F64 and function in ("exponential", "sinh", "cosh", "exponential_minus_one") else 1
    word = np.uint32 if dtype == F32 else np.uint64
    patterns = rng.integers(0, np.iinfo(word).max, count // 2, dtype=word, endpoint=True).view(dtype)
    inside = rng.uniform(low * scale, high * scale, count // 2).astype(dtype)
    return np.concatenate([patterns[np.isfinite(patterns)], inside, edges(dtype)])


def pairs(function, dtype, rng, few):
    count = 6000 if few else (200_000 if dtype == F32 else 50_000)
    if dtype in (F16, BF16):
        count = 3000 if few else 60_000
    if function == "atan2":
        sizes = np.exp2(rng.uniform(-14, 14, (2, count)))
        return list((sizes * rng.choice([-1.0, 1.0], (2, count))).astype(dtype))
    if function == "power":
        half = count // 2
        a = np.concatenate([rng.uniform(0, 10, half), np.exp2(rng.uniform(-12, 12, half))])
        b = np.concatenate([rng.uniform(-10, 10, half), rng.integers(-6, 7, half)])
        return [a.astype(dtype), b.astype(dtype)]
    if function == "zeta":
        return [rng.uniform(1.05, 20, count).astype(dtype), rng.uniform(0.1, 30, count).astype(dtype)]
    return [np.maximum(rng.integers(-3, 7, count), 0).astype(dtype), np.exp2(rng.uniform(-3.3, 5, count)).astype(dtype)]


def cheap_exact(function, arrays, dtype):
    """By long double or, for the narrower types, f64; None if neither is available."""
    _, long, double = (UNARY | BINARY)[function]
    with np.errstate(all="ignore"):
        if long is not None:
            return long(*[a.astype(F64).astype(LONG) for a in arrays])
        if double is not None and dtype != F64:
            return double(*[a.astype(F64) for a in arrays]).astype(LONG)
    return None


def measure(isa, function, dtype, rng):
    """(error in last places, arguments there)"""
    exact_function = (UNARY | BINARY)[function][0]
    _, long, double = (UNARY | BINARY)[function]
    slow = long is None and (double is None or dtype == F64)
    if function in BINARY:
        arrays = pairs(function, dtype, rng, few=slow)
    else:
        arrays = [arguments(function, dtype, rng)]
        if slow:
            low, high = RANGES[function]
            wide = arrays[0].astype(F64)
            kept = arrays[0][(wide >= low) & (wide <= high) & ((np.abs(wide) > 1e-30) | (wide == 0))]
            arrays = [kept if dtype in (F16, BF16) else rng.permutation(kept)[:20_000]]
    got = run_kernel(isa, function, arrays)
    if slow:
        exact = exact_by_mpmath(exact_function, arrays)
        error = errors(function, got, exact, dtype)
        worst = int(np.argmax(error))
        return float(error[worst]), [a[worst] for a in arrays]
    cheap = cheap_exact(function, arrays, dtype)
    error = errors(function, got, cheap, dtype)
    again = np.concatenate([np.argsort(error)[-WORST:], rng.integers(0, len(error), MP_SAMPLE[dtype])])
    # mpmath has no infinite results, and is slow where arguments are huge.
    again = again[[np.isfinite(cheap[i]) and all(abs(float(a[i])) < 1e15 for a in arrays) for i in again]]
    sure = errors(function, got[again], exact_by_mpmath(exact_function, [a[again] for a in arrays]), dtype)
    error[again] = sure
    worst = int(np.argmax(error))
    return float(error[worst]), [a[worst] for a in arrays]


def measure_complex(isa, function, dtype, rng):
    """Distance over the last place of the exact value's size, on a grid over all quadrants."""
    part = F32 if dtype == C64 else F64
    axis = np.concatenate([np.exp2(np.arange(-24, 7, 1.7)), [0.5, 1.0, 1.5, 3.0], rng.uniform(0, 4, 6)]).astype(part)
    axis = np.concatenate([axis, -axis])
    re, im = (a.ravel() for a in np.meshgrid(axis, axis))
    # Where functions have zeros, poles and branch points: near 0, 1, i, pi / 2 and the unit circle.
    turns, off = np.exp(2j * np.pi * rng.random(300)), 1 + np.exp2(rng.uniform(-30, -1, 300))
    specials = rng.choice([1, -1, 1j, -1j, np.pi / 2, 1j * np.pi / 2, np.pi, 1j * np.pi, 0], 400)
    near = np.concatenate([turns * off, turns - 1, specials + np.exp2(rng.uniform(-40, 0, 400)) *
                           np.exp(2j * np.pi * rng.random(400))])
    re, im = (np.concatenate([a, b]).astype(part) for a, b in ((re, near.real), (im, near.imag)))
    x = np.empty(re.size, dtype)
    x.real, x.imag = re, im
    got = run_kernel(isa, function, [x])
    mp.mp.prec = 120
    worst = (0.0, [x[0]])
    for value, result in zip(x, got):
        exact = UNARY[function][0](mp.mpc(float(value.real), float(value.imag)))
        size = abs(exact)
        if size == 0 or size > FORMATS[part][2] / 4:
            continue
        bits, least, _ = FORMATS[part]
        unit = mp.mpf(2) ** (max(int(mp.floor(mp.log(size, 2))), least) - bits + 1)
        miss = abs(mp.mpc(float(result.real), float(result.imag)) - exact) / unit
        miss = float(miss) if mp.isfinite(miss) else np.inf
        if miss > worst[0]:
            worst = (miss, [value])
    return worst


def rows(isa, only):
    for function in list(UNARY) + list(BINARY):
        if only and function not in only.split(","):
            continue
        row = {}
        for dtype in (F32, F64, F16, BF16, C64, C128):
            rng = np.random.default_rng(20)
            if dtype not in (C64, C128):
                row[dtype], at = measure(isa, function, dtype, rng)
            elif function in COMPLEX:
                row[dtype], at = measure_complex(isa, function, dtype, rng)
            else:
                continue
            print(f"{function} {NAMES[dtype]}: {row[dtype]:.4g} at {at}", flush=True)
        yield function, row


def text_of(error):
    """Rounded up with a margin for other arguments and other C libraries."""
    if error <= 0.503:
        return "0.51"
    return f"{np.ceil(error * 11.5) / 10:.1f}" if error < 2 else f"{np.ceil(error * 2.5) / 2:.1f}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="write the table into docs/numerics.md")
    options.add_argument("--only", default="", help="functions, separated by commas; other rows are kept")
    options.add_argument("--isa", default="portable")
    given = options.parse_args()
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    old, after = rest.split(END)
    table = {line.split("|")[1].strip(): line for line in old.strip().splitlines()[2:]}
    for function, row in rows(given.isa, given.only):
        cells = [text_of(row[d]) if d in row else "" for d in (F32, F64, F16, BF16, C64, C128)]
        table[function] = f"| {function} | " + " | ".join(cells) + " |"
        print(table[function], flush=True)
    order = [f for f in list(UNARY) + list(BINARY) if f in table]
    text = "\n".join([HEAD] + [table[f] for f in order])
    if given.write:
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
