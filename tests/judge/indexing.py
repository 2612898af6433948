# SPDX-License-Identifier: Apache-2.0
"""Gathers and scatters with all of their dimension numbers and modes."""
import jax.numpy as jnp
import numpy as np
from jax import lax

import values as v
from case import BF16, BOOL, F32, F64, I32, INTS, Case

MODES = [lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP]


def layout(rng):
    """An operand, which of its dimensions are indexed, cut whole and batched, and the indices."""
    dims = list(v.shape(rng, least=1, most=4, smallest=1, elements=300))
    kinds = ["index" if v.chance(rng, 0.5) else "window" for _ in dims]
    batch_dims = []
    for d in range(len(dims)):
        if v.chance(rng, 0.2):
            kinds[d] = "batch"
            batch_dims.append(d)
    indexed = [d for d, kind in enumerate(kinds) if kind == "index"]
    order = [indexed[i] for i in v.permutation(rng, len(indexed))]
    free = [int(rng.integers(1, 4)) for _ in range(int(rng.integers(0, 3)))]
    index_dims = [("free", s) for s in free] + [("batch", d) for d in batch_dims]
    index_dims = [index_dims[i] for i in v.permutation(rng, len(index_dims))]
    index_batching = tuple(next(i for i, e in enumerate(index_dims) if e == ("batch", d)) for d in batch_dims)
    index_shape = [s if kind == "free" else dims[s] for kind, s in index_dims]
    sizes = [1 if kind == "batch" else int(rng.integers(0 if v.chance(rng, 0.05) else 1, d + 1))
             for kind, d in zip(kinds, dims)]
    collapsed = tuple(d for d in indexed if sizes[d] == 1 and v.chance(rng, 0.6))
    indices = np.zeros(tuple(index_shape) + (len(order),), np.int64)
    for i, d in enumerate(order):  # some out of range, at both ends
        indices[..., i] = rng.integers(-2, dims[d] + 2, index_shape)
    if rng.random() < 0.3:
        indices = indices.astype(np.int32)
    return dims, order, batch_dims, index_batching, index_shape, sizes, collapsed, indices


def window_places(rng, index_shape, windows):
    """Which dimensions of the result (or of the updates) are the window's."""
    total = len(index_shape) + windows
    return tuple(sorted(rng.choice(total, windows, replace=False).tolist())) if windows else ()


def gather(rng):
    dims, order, batch, index_batching, index_shape, sizes, collapsed, indices = layout(rng)
    windows = len(dims) - len(collapsed) - len(batch)
    numbers = lax.GatherDimensionNumbers(
        offset_dims=window_places(rng, index_shape, windows), collapsed_slice_dims=collapsed,
        start_index_map=tuple(order), operand_batching_dims=tuple(batch),
        start_indices_batching_dims=index_batching)
    x = v.array(rng, v.pick(rng, [F32, F64, BF16, BOOL] + INTS), tuple(dims))
    mode = v.pick(rng, MODES)
    fill = v.pick(rng, [None, 7 if x.dtype != BOOL else True])
    fill = fill if mode == MODES[1] else None
    return Case(f"gather {mode.name}", lambda x, i: lax.gather(x, i, numbers, sizes, mode=mode, fill_value=fill),
                [x, indices])


def scatter(rng):
    dims, order, batch, index_batching, index_shape, sizes, inserted, indices = layout(rng)
    if not order and np.prod(index_shape, dtype=int) > 1:
        return scatter(rng)  # index vectors of no elements: XLA on a CPU applies only the last update
    window_sizes = [s for d, s in enumerate(sizes) if d not in inserted and d not in batch]
    places = window_places(rng, index_shape, len(window_sizes))
    rest_sizes, rest_windows = iter(index_shape), iter(window_sizes)
    update_shape = tuple(next(rest_windows) if i in places else next(rest_sizes)
                         for i in range(len(index_shape) + len(window_sizes)))
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=places, inserted_window_dims=inserted, scatter_dims_to_operand_dims=tuple(order),
        operand_batching_dims=tuple(batch), scatter_indices_batching_dims=index_batching)
    name = v.pick(rng, ["scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max", "scatter_sub",
                        "scatter_apply"])
    dtype = v.pick(rng, [F32, F64, I32, BF16] + INTS[:2])
    x, updates = v.whole(rng, dtype, tuple(dims)), v.whole(rng, dtype, update_shape)
    if name == "scatter_mul":  # powers of two stay exact
        x, updates = (np.abs(np.asarray(a)).astype(dtype) for a in (x, updates))
    if name in ("scatter", "scatter_apply"):
        # Which of several updates of one place wins is left open: write the same number everywhere.
        updates = np.full(update_shape, 5).astype(dtype)
    mode = v.pick(rng, MODES)
    if name == "scatter_apply":
        return Case(name, lambda x, i: lax.scatter_apply(
            x, i, lambda a: a * 0 + 3, numbers, update_shape=update_shape, mode=mode), [x, indices])
    function = getattr(lax, name)
    return Case(f"{name} {mode.name}", lambda x, i, u: function(x, i, u, numbers, mode=mode), [x, indices, updates])


def indexed(rng):
    """x[...] and x.at[...] as users write them."""
    x = v.whole(rng, v.pick(rng, [F32, I32]), v.shape(rng, least=2, most=3, smallest=2, elements=500))
    rows = rng.integers(-x.shape[0], x.shape[0], int(rng.integers(1, 6)))
    columns = rng.integers(-x.shape[1], x.shape[1], rows.shape)
    unique = np.unique(rows % x.shape[0])
    table = {
        "take": lambda x, r, c: x[r], "pairs": lambda x, r, c: x[r, c], "columns": lambda x, r, c: x[:, c],
        "mesh": lambda x, r, c: x[r[:, None], c[None, :]], "step": lambda x, r, c: x[::-2, 1:],
        "add": lambda x, r, c: x.at[r, c].add(2), "max": lambda x, r, c: x.at[:, c].max(1),
        "set": lambda x, r, c: x.at[unique].set(9), "get fill": lambda x, r, c: x.at[r * 2].get(mode="fill"),
        "multiply": lambda x, r, c: x.at[r].multiply(2), "apply": lambda x, r, c: x.at[unique].apply(jnp.square),
        "dynamic": lambda x, r, c: lax.dynamic_index_in_dim(x, r[0], 1),
        "row update": lambda x, r, c: lax.dynamic_update_index_in_dim(x, x[0] + 1, r[0], 0),
    }
    name = v.pick(rng, list(table))
    return Case(f"index {name}", table[name], [x, rows, columns])


FAMILIES = [(gather, 5), (scatter, 6), (indexed, 3)]
