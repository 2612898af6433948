# SPDX-License-Identifier: Apache-2.0
"""Random shapes and arrays."""
import numpy as np

from case import BOOL, COMPLEX, F8S, F16, F64, I4, INTS, U4


def pick(rng, options):
    return options[int(rng.integers(len(options)))]


def chance(rng, part):
    return rng.random() < part


def size(rng, least=0):
    sizes = [s for s in (0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 16, 17, 33) if s >= least]
    return pick(rng, sizes)


def shape(rng, least=0, most=5, smallest=0, elements=3000):
    """A shape of least to most dimensions, each of size `smallest` or more."""
    while True:
        ndims = int(rng.integers(least, most + 1))
        smallest_here = smallest if chance(rng, 0.12) else max(1, smallest)
        drawn = tuple(size(rng, smallest_here) for _ in range(ndims))
        if np.prod(drawn, dtype=np.int64) <= elements:
            return drawn


def permutation(rng, n):
    return tuple(int(i) for i in rng.permutation(n))


def some_of(rng, items, least=0):
    """A random subset, in order."""
    items = list(items)
    count = int(rng.integers(least, len(items) + 1)) if len(items) >= least else len(items)
    return tuple(sorted(rng.choice(len(items), count, replace=False).tolist())) if items else ()


SPECIAL = [np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.0, 1e30, -1e-30, 0.5, 2.5, -2.5, 65504.0]


def floats(rng, dtype, dims, special=False, low=None, high=None):
    """Numbers of several kinds: small whole ones, eighths, normal ones; special ones where asked
    for; uniform between low and high where these are given."""
    if low is not None:
        return np.asarray(rng.uniform(low, high, dims)).astype(dtype)
    kind = int(rng.integers(4))
    if kind == 0:
        drawn = rng.integers(-4, 5, dims).astype(F64)
    elif kind == 1:
        drawn = rng.integers(-32, 33, dims) / 8.0
    else:
        drawn = rng.standard_normal(dims) * (1.0 if kind == 2 else 3.0)
    drawn = np.asarray(drawn)
    if special:
        odd = rng.random(dims) < 0.15
        drawn = np.where(odd, rng.choice(SPECIAL, dims), drawn)
    with np.errstate(all="ignore"):
        return drawn.astype(dtype)


def integers(rng, dtype, dims, small=False):
    if dtype in (I4, U4):
        low, high = (-8, 8) if dtype == I4 else (0, 16)
        return np.asarray(rng.integers(low, high, dims)).astype(dtype)
    info = np.iinfo(dtype)
    if small or chance(rng, 0.6):
        low, high = (-9, 10) if dtype.kind == "i" else (0, 12)
        return np.asarray(rng.integers(low, high, dims)).astype(dtype)
    drawn = rng.integers(info.min, info.max, dims, dtype=dtype, endpoint=True)
    edges = np.array([info.min, info.max, 0, 1], dtype)
    return np.where(rng.random(dims) < 0.2, rng.choice(edges, dims), drawn).astype(dtype)


def array(rng, dtype, dims, special=False, small=False, low=None, high=None):
    if dtype == BOOL:
        return np.asarray(rng.random(dims) < 0.5)
    if dtype in INTS or dtype in (I4, U4):
        return integers(rng, dtype, dims, small)
    if dtype in COMPLEX:
        part = np.float32 if dtype == COMPLEX[0] else np.float64
        re, im = (floats(rng, part, dims, special, low, high) for _ in range(2))
        out = np.empty(dims, dtype)
        out.real, out.imag = re, im
        return out
    if dtype in F8S or dtype == F16:
        return floats(rng, dtype, dims, special, low, high)
    return floats(rng, dtype, dims, special, low, high)


def whole(rng, dtype, dims):
    """Small whole numbers in any type: sums and products of few of them are exact."""
    drawn = rng.integers(0 if dtype.kind == "u" else -3, 4, dims)
    if dtype.kind == "c":
        return (drawn + 1j * rng.integers(-3, 4, dims)).astype(dtype)
    return np.asarray(drawn).astype(dtype)
