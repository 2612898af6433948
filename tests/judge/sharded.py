# SPDX-License-Identifier: Apache-2.0
"""Programs over several chips: shard_map with every collective, alone, in sequence, in loops and
branches."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

import values as v
from case import BF16, F32, F64, I32, Case

MESHES = [((2,), "x"), ((3,), "x"), ((4,), "x"), ((5,), "x"), ((8,), "x"), ((2, 2), "xy"), ((2, 4), "xy"),
          ((4, 2), "xy"), ((3, 2), "xy"), ((2, 2, 2), "xyz"), ((1, 4), "xy"), ((6,), "x")]


def mesh_of(rng):
    sizes, names = v.pick(rng, MESHES)
    devices = np.array(jax.devices()[:int(np.prod(sizes))]).reshape(sizes)
    return jax.sharding.Mesh(devices, tuple(names))


def axes_of(rng, mesh):
    """One axis, or several in some order."""
    names = list(mesh.axis_names)
    count = int(rng.integers(1, len(names) + 1))
    return tuple(names[i] for i in v.permutation(rng, len(names))[:count])


def size_of(mesh, axes):
    return int(np.prod([mesh.shape[a] for a in axes]))


def groups_of(rng, mesh, axes):
    """axis_index_groups over one axis whose members fall into equal groups."""
    size = mesh.shape[axes[0]]
    if len(axes) > 1 or size not in (2, 4, 6, 8) or not v.chance(rng, 0.4):
        return None, size_of(mesh, axes)
    each = v.pick(rng, [d for d in (1, 2, 4) if size % d == 0])
    order = v.permutation(rng, size)
    return [list(order[i:i + each]) for i in range(0, size, each)], each


def one_collective(rng, mesh, rows):
    """A function of a local [rows, columns] array to one of the same shape."""
    axes = axes_of(rng, mesh)
    groups, n = groups_of(rng, mesh, axes)
    one, size = axes[0], mesh.shape[axes[0]]
    name = axes if len(axes) > 1 else one
    pairs = [(int(a), int(b)) for a, b in zip(v.permutation(rng, size), v.permutation(rng, size))]
    pairs = pairs[:int(rng.integers(size + 1))]

    def gathered(x, tiled):
        y = lax.all_gather(x, name, axis_index_groups=groups, axis=1 if tiled else 0, tiled=tiled)
        return y[:, :x.shape[1]] + y[:, -x.shape[1]:] if tiled else y[0] - y[-1]

    def scattered(x, tiled):
        y = jnp.concatenate([x] * n, 0) if tiled else jnp.stack([x] * n)
        return lax.psum_scatter(y, name, scatter_dimension=0, axis_index_groups=groups, tiled=tiled)

    def exchanged(x):
        y = jnp.concatenate([x + i for i in range(n)], 1)
        return lax.all_to_all(y, name, 1, 0, axis_index_groups=groups, tiled=True)[-rows:]

    def exchanged_untiled(x):
        return lax.all_to_all(jnp.stack([x + i for i in range(n)], 1), name, 1, 0, axis_index_groups=groups)[-1]
    table = {
        "psum": lambda x: lax.psum(x, name, axis_index_groups=groups),
        "pmax": lambda x: lax.pmax(x, name, axis_index_groups=groups),
        "pmin": lambda x: lax.pmin(x, name, axis_index_groups=groups),
        "gather": lambda x: gathered(x, False), "gather tiled": lambda x: gathered(x, True),
        "psum_scatter": lambda x: scattered(x, False), "psum_scatter tiled": lambda x: scattered(x, True),
        "all_to_all": exchanged, "all_to_all untiled": exchanged_untiled,
        "ppermute": lambda x: lax.ppermute(x, one, pairs),
        "axis_index": lambda x: x + lax.axis_index(one).astype(x.dtype) * 2,
        "pshuffle": lambda x: lax.pshuffle(x, one, list(v_order)),
    }
    v_order = v.permutation(rng, size)
    chosen = v.pick(rng, list(table))
    return chosen, table[chosen]


def wrapped(rng, mesh, f):
    """The collective inside a loop, a branch that every chip takes, or under a gradient."""
    kind = v.pick(rng, ["plain", "plain", "scan", "cond", "while", "switch"])
    turns = int(rng.integers(1, 4))
    shrink = lambda x: (x // 2 if x.dtype.kind == "i" else x * 0.5).astype(x.dtype)  # noqa: E731
    table = {
        "plain": f,
        "scan": lambda x: lax.scan(lambda c, _: (shrink(f(c)), None), x, None, length=turns)[0],
        "while": lambda x: lax.while_loop(lambda c: c[0] < turns, lambda c: (c[0] + 1, shrink(f(c[1]))), (0, x))[1],
        "cond": lambda x: lax.cond(turns > 1, lambda x: f(x), lambda x: x, x),
        "switch": lambda x: lax.switch(lax.psum(jnp.int32(1), mesh.axis_names[0]) % 2, [f, lambda x: -f(x)], x),
    }
    return kind, table[kind]


def collectives(rng):
    mesh = mesh_of(rng)
    over = axes_of(rng, mesh) if v.chance(rng, 0.8) else ()
    rows, columns = int(rng.integers(1, 4)), v.pick(rng, [1, 2, 3, 5, 16, 33])
    dtype = v.pick(rng, [F32, F32, I32, BF16, F64, np.dtype(np.uint8)])
    names, functions = [], []
    for _ in range(int(rng.integers(1, 4))):
        name, function = one_collective(rng, mesh, rows)
        kind, function = wrapped(rng, mesh, function)
        names.append(f"{name} {kind}")
        functions.append(function)

    def local(x):
        y = x
        for function in functions:
            y = function(y)
        return y, x + y
    spec = P(over if over else None)
    x = v.whole(rng, dtype, (rows * size_of(mesh, over), columns))
    # Each chip's own value, stacked: nothing is taken for replicated.
    outs = P(tuple(mesh.axis_names))
    return Case("sharded " + ", ".join(names), local, [x], 0, "value", mesh=mesh, in_specs=(spec,), out_specs=(outs, outs))


def sharded_training(rng):
    """Data and tensor parallel losses with their gradients."""
    mesh = mesh_of(rng)
    data, model = mesh.axis_names[0], mesh.axis_names[-1]
    n, inner = mesh.shape[data], int(rng.integers(1, 5)) * mesh.shape[model]
    x = v.array(rng, F32, (n * int(rng.integers(1, 4)), 5), low=-1, high=1)
    w1, w2 = v.array(rng, F32, (5, inner), low=-1, high=1), v.array(rng, F32, (inner, 3), low=-1, high=1)

    def loss(w1, w2, x):
        h = jnp.tanh(jnp.dot(x, w1, precision="highest"))
        y = jnp.dot(h, w2, precision="highest")
        if model != data:
            y = lax.psum(y, model)
        return lax.pmean(jnp.mean(y ** 2), data)

    def step(w1, w2, x):
        value, (g1, g2) = jax.value_and_grad(loss, (0, 1))(w1, w2, x)
        return value, w1 - lax.pmean(g1, data), w2 - lax.psum(g2, data)
    cut = model != data
    specs = (P(None, model if cut else None), P(model if cut else None), P(data))
    return Case("sharded training", step, [w1, w2, x], 100, "noise", mesh=mesh, in_specs=specs,
                out_specs=(P(), specs[0], specs[1]), largest=1.0)


def parallel_sums(rng):
    """Sums of numbers that are not whole, over all chips: orders differ."""
    mesh = mesh_of(rng)
    dtype = v.pick(rng, [F32, F64, BF16])
    axes = tuple(mesh.axis_names)
    chips = size_of(mesh, axes)
    x = v.array(rng, dtype, (chips * 2, int(rng.integers(1, 20))), low=-1, high=1)
    f = v.pick(rng, [lambda x: lax.psum(x, axes), lambda x: lax.pmean(x, axes[0]),
                     lambda x: lax.psum(jnp.sum(x, keepdims=True), axes), lambda x: lax.psum(x * x, axes[-1])])
    return Case("sharded sums", f, [x], 24, "noise", mesh=mesh, in_specs=(P(axes),), out_specs=P(axes),
                largest=float(chips))


def several_operands(rng):
    """Collectives of tuples, of booleans and counts, along other dimensions, in several types at once."""
    mesh = mesh_of(rng)
    axis = v.pick(rng, list(mesh.axis_names))
    n, rest = mesh.shape[axis], tuple(mesh.axis_names)
    x = v.whole(rng, v.pick(rng, [F32, I32, BF16]), (size_of(mesh, rest), 2 * n, 3))
    y = v.array(rng, np.dtype(np.bool_), (size_of(mesh, rest), 4))
    table = {
        "tuple": lambda x, y: lax.psum((x, y.astype(jnp.int32), 1), axis),
        "any": lambda x, y: (lax.pmax(y.astype(jnp.uint8), rest), lax.pmin(x, rest)),
        "gather": lambda x, y: (lax.all_gather(y, axis, axis=1), lax.all_gather(x, axis, axis=2, tiled=True)),
        "scatter": lambda x, y: lax.psum_scatter(x, axis, scatter_dimension=1, tiled=True),
        "exchange": lambda x, y: (lax.all_to_all(x, axis, 1, 2, tiled=True),
                                  lax.all_to_all(x.reshape(1, n, 2, 3), axis, 1, 3)),
        "ring": lambda x, y: lax.fori_loop(0, n, lambda i, c: (
            c[0] + c[1] * i.astype(x.dtype), lax.ppermute(c[1], axis, [(j, (j + 1) % n) for j in range(n)])),
            (jnp.zeros_like(x), x)),
        "where": lambda x, y: jnp.where(lax.axis_index(axis) == 0, x, lax.pmax(x, axis)),
        "index": lambda x, y: (lax.axis_index(rest)[None], x + lax.axis_size(axis)),
        "shift and mask": lambda x, y: lax.ppermute(y, axis, [(j, j + 1) for j in range(n - 1)]),
    }
    name = v.pick(rng, list(table))
    out = P(rest)
    local = lambda x, y: jax.tree_util.tree_map(lambda a: jnp.asarray(a)[None], table[name](x, y))  # noqa: E731
    return Case(f"sharded {name}", local, [x, y], 0, "value", mesh=mesh, in_specs=(out, out), out_specs=out)


def gradients(rng):
    """Gradients through collectives: their transposes are collectives too."""
    mesh = mesh_of(rng)
    axis = v.pick(rng, list(mesh.axis_names))
    n, rest = mesh.shape[axis], tuple(mesh.axis_names)
    x = v.array(rng, v.pick(rng, [F32, F64]), (size_of(mesh, rest) * n, int(rng.integers(1, 9))), low=-1, high=1)
    table = {
        "psum": lambda x: lax.psum(x, axis), "gather": lambda x: lax.all_gather(x, axis, tiled=True),
        "scatter": lambda x: lax.psum_scatter(x, axis, tiled=True),
        "exchange": lambda x: lax.all_to_all(x, axis, 0, 1, tiled=True),
        "permute": lambda x: lax.ppermute(x, axis, [(j, (j + 1) % n) for j in range(n)]),
        "mean": lambda x: lax.pmean(x * x, axis),
    }
    name = v.pick(rng, list(table))

    def local(x):
        def loss(x):
            y = jnp.sin(table[name](x))
            return jnp.sum(y * jnp.cos(lax.iota(x.dtype, y.size).reshape(y.shape)))
        return jax.grad(loss)(x)
    return Case(f"sharded gradient of {name}", local, [x], 60, "noise", mesh=mesh, in_specs=(P(rest),),
                out_specs=P(rest), largest=float(n))


FAMILIES = [(collectives, 8), (sharded_training, 3), (parallel_sums, 2), (several_operands, 4), (gradients, 3)]
