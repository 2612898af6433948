# SPDX-License-Identifier: Apache-2.0
"""Programs that move elements: all bit for bit."""
import jax.numpy as jnp
import numpy as np
from jax import lax

import values as v
from case import BF16, BOOL, COMPLEX, F8S, FLOATS, I4, I32, INTS, U4, Case

ANY = FLOATS + INTS + COMPLEX + [BOOL] + F8S[:3] + [I4, U4]


def drawn(rng, least=0, most=5, smallest=0):
    return v.array(rng, v.pick(rng, ANY), v.shape(rng, least, most, smallest))


def transpose(rng):
    x = drawn(rng)
    order = v.permutation(rng, x.ndim)
    return Case("transpose", lambda x: lax.transpose(x, order), [x])


def reshape(rng):
    x = drawn(rng)
    dims = list(x.shape) + [1] * int(rng.integers(3))
    dims = [dims[i] for i in v.permutation(rng, len(dims))]
    while len(dims) > 1 and v.chance(rng, 0.5):
        dims = [dims[0] * dims[1]] + dims[2:]
    return Case("reshape", lambda x: lax.reshape(x, tuple(dims)), [x])


def reverse(rng):
    x = drawn(rng)
    dims = v.some_of(rng, range(x.ndim))
    return Case("reverse", lambda x: lax.rev(x, dims), [x])


def broadcast(rng):
    x = drawn(rng, most=3)
    extra = int(rng.integers(3))
    places = sorted(rng.choice(x.ndim + extra, x.ndim, replace=False).tolist())
    dims = [v.size(rng, 1) % 6 + 1 for _ in range(x.ndim + extra)]
    for place, size in zip(places, x.shape):
        dims[place] = size if size != 1 or v.chance(rng, 0.5) else int(rng.integers(1, 5))
    return Case("broadcast_in_dim", lambda x: lax.broadcast_in_dim(x, tuple(dims), places), [x])


def concatenate(rng):
    dims = list(v.shape(rng, least=1, most=4, elements=600))
    axis = int(rng.integers(len(dims)))
    dtype = v.pick(rng, ANY)
    pieces = []
    for _ in range(int(rng.integers(1, 5))):
        dims[axis] = v.size(rng) % 9
        pieces.append(v.array(rng, dtype, tuple(dims)))
    return Case("concatenate", lambda *xs: lax.concatenate(xs, axis), pieces)


def cut(rng):
    x = drawn(rng, least=1, most=4)
    starts = [int(rng.integers(0, d + 1)) for d in x.shape]
    limits = [int(rng.integers(s, d + 1)) for s, d in zip(starts, x.shape)]
    strides = [int(rng.integers(1, 4)) for _ in x.shape]
    return Case("slice", lambda x: lax.slice(x, starts, limits, strides), [x])


def pad(rng):
    x = drawn(rng, most=3)
    edges = []
    for size in x.shape:
        inner = int(rng.integers(0, 3))
        full = size + max(size - 1, 0) * inner
        low = int(rng.integers(-2, 4))
        high = int(rng.integers(-2, 4))
        if full + low + high < 0:
            low = high = 0
        edges.append((low, high, inner))
    value = v.array(rng, x.dtype, ())
    return Case("pad", lambda x, value: lax.pad(x, value, edges), [x, value])


def starts_of(rng, dims, dtype):
    return [np.asarray(rng.integers(-3 if dtype.kind == "i" else 0, d + 3), dtype) for d in dims]


def dynamic_slice(rng):
    x = drawn(rng, least=1, most=4)
    sizes = [int(rng.integers(0 if v.chance(rng, 0.1) else min(1, d), d + 1)) for d in x.shape]
    dtype = v.pick(rng, [np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.int8), np.dtype(np.uint32)])
    starts = starts_of(rng, x.shape, dtype)
    return Case("dynamic_slice", lambda x, *at: lax.dynamic_slice(x, at, sizes), [x] + starts)


def dynamic_update_slice(rng):
    x = drawn(rng, least=1, most=4)
    sizes = tuple(int(rng.integers(0 if v.chance(rng, 0.1) else min(1, d), d + 1)) for d in x.shape)
    update = v.array(rng, x.dtype, sizes)
    starts = starts_of(rng, x.shape, I32)
    return Case("dynamic_update_slice", lambda x, u, *at: lax.dynamic_update_slice(x, u, at),
                [x, update] + starts)


def iota(rng):
    dims = v.shape(rng, least=1, most=4)
    axis = int(rng.integers(len(dims)))
    dtype = v.pick(rng, FLOATS + INTS + COMPLEX)
    return Case("iota", lambda: lax.broadcasted_iota(dtype, dims, axis), [])


def sort(rng):
    dims = v.shape(rng, least=1, most=4, smallest=0)
    axis = int(rng.integers(len(dims)))
    count = int(rng.integers(1, 4))
    keys = int(rng.integers(1, count + 1))
    dtypes = [v.pick(rng, FLOATS + INTS + [BOOL]) for _ in range(count)]
    arrays = [v.array(rng, d, dims, special=d in FLOATS, small=True) for d in dtypes]
    return Case("sort", lambda *xs: lax.sort(xs, dimension=axis, num_keys=keys, is_stable=True), arrays)


def top_k(rng):
    dims = v.shape(rng, least=1, most=3, smallest=1)
    dtype = v.pick(rng, [np.dtype(np.float32), BF16, I32, np.dtype(np.int8), np.dtype(np.float64)])
    x = v.array(rng, dtype, dims, small=True)
    k = int(rng.integers(0 if v.chance(rng, 0.1) else 1, dims[-1] + 1))
    return Case("top_k", lambda x: lax.top_k(x, k), [x], platform=v.pick(rng, ["cpu", "tpu"]))


def numpy_like(rng):
    """What users write: each is several operations."""
    x = v.array(rng, v.pick(rng, [np.dtype(np.float32), I32]), v.shape(rng, least=1, most=3, smallest=1))
    axis = int(rng.integers(x.ndim))
    shift = int(rng.integers(-4, 5))
    table = {
        "roll": lambda x: jnp.roll(x, shift, axis), "tril": lambda x: jnp.tril(jnp.atleast_2d(x), shift),
        "repeat": lambda x: jnp.repeat(x, 3, axis), "tile": lambda x: jnp.tile(x, (2, 1)),
        "flip": jnp.flip, "rot90": lambda x: jnp.rot90(jnp.atleast_2d(x), shift),
        "sort": lambda x: jnp.sort(x, axis), "argsort": lambda x: jnp.argsort(x, axis, stable=True),
        "one_hot": lambda x: jnp.eye(5)[jnp.clip(x.astype(jnp.int32), 0, 4)],
        "diag": lambda x: jnp.diag(x.ravel()[:9]), "unstack": lambda x: jnp.unstack(x, axis=axis),
        "searchsorted": lambda x: jnp.searchsorted(jnp.sort(x.ravel()), x.ravel()),
        "median": lambda x: jnp.quantile(x.ravel().astype(jnp.float32), 0.5, method="lower"),
        "nonzero": lambda x: jnp.nonzero(x, size=4, fill_value=-1), "unique": lambda x: jnp.unique(x, size=5),
        "take_along": lambda x: jnp.take_along_axis(x, jnp.argsort(x, axis, stable=True), axis),
        "bincount": lambda x: jnp.bincount(jnp.abs(x.astype(jnp.int32)).ravel(), length=8),
        "where": lambda x: jnp.where(x > 0, x, -x), "kron": lambda x: jnp.kron(x, x[:1]),
    }
    name = v.pick(rng, list(table))
    return Case(f"numpy {name}", table[name], [x])


FAMILIES = [(transpose, 2), (reshape, 2), (reverse, 2), (broadcast, 2), (concatenate, 2), (cut, 2), (pad, 3),
            (dynamic_slice, 2), (dynamic_update_slice, 2), (iota, 1), (sort, 4), (top_k, 2), (numpy_like, 5)]
