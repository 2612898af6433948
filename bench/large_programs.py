#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the two large programs of bench/programs.py as program folders, for 8 chips:

- transformer: a step of a GPT-2-small-shaped model (12 layers, 768 wide, 12 heads, 50,304 words) in
  bf16 with plain SGD, 8-way data parallel, one sequence of 128 tokens a chip;
- mlp: a step of four pairs of 2048 x 8192 and 8192 x 2048 bf16 matrices, split 4 ways, with 2-way
  data parallelism, 256 rows a chip.

Expected results are not there: `jax_program.py FOLDER/NAME --out FOLDER/NAME` makes them.

usage: large_programs.py FOLDER
"""
import json
import os
import pathlib
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax  # noqa: E402  the number of devices is fixed when JAX starts
import jax.export  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P  # noqa: E402

LAYERS, WIDTH, HEADS, TOKENS, WORDS, CHIPS = 12, 768, 12, 128, 50304, 8
RNG = np.random.default_rng(5)


def weights(*shape):
    return jnp.asarray((0.02 * RNG.standard_normal(shape)).astype(np.float32)).astype(jnp.bfloat16)


def norm(x):
    wide = x.astype(jnp.float32)
    wide = wide - wide.mean(-1, keepdims=True)
    return (wide * jax.lax.rsqrt((wide * wide).mean(-1, keepdims=True) + 1e-5)).astype(x.dtype)


def layer(x, p):
    q, k, v = (t.reshape(TOKENS, HEADS, -1) for t in jnp.split(norm(x) @ p["qkv"], 3, -1))
    scores = jnp.einsum("qhd,khd->hqk", q, k).astype(jnp.float32) / 8
    scores = jnp.where(np.tril(np.ones((TOKENS, TOKENS), bool)), scores, -1e9)
    mixed = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores).astype(x.dtype), v)
    x = x + mixed.reshape(TOKENS, WIDTH) @ p["out"]
    return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"], None


def transformer():
    mesh = jax.make_mesh((CHIPS,), ("data",), axis_types=(AxisType.Auto,))

    def loss_of(p, tokens):
        x = p["words"][tokens[0, :-1]] + p["places"]
        x, _ = jax.lax.scan(layer, x, p["layers"])
        scores = jax.nn.log_softmax((norm(x) @ p["words"].T).astype(jnp.float32))
        return -jnp.take_along_axis(scores, tokens[0, 1:, None], -1).mean()

    def step(p, tokens):
        loss, gradient = jax.value_and_grad(loss_of)(p, tokens)
        gradient = jax.lax.pmean(gradient, "data")
        return jax.tree.map(lambda w, g: w - jnp.bfloat16(0.01) * g, p, gradient), \
            jax.lax.pmean(loss, "data")

    p = {"words": weights(WORDS, WIDTH), "places": weights(TOKENS, WIDTH),
         "layers": {"qkv": weights(LAYERS, WIDTH, 3 * WIDTH), "out": weights(LAYERS, WIDTH, WIDTH),
                    "up": weights(LAYERS, WIDTH, 4 * WIDTH), "down": weights(LAYERS, 4 * WIDTH, WIDTH)}}
    tokens = jnp.asarray(RNG.integers(0, WORDS, (CHIPS, TOKENS + 1)).astype(np.int32))
    specs = (jax.tree.map(lambda _: P(), p), P("data"))
    return step, (p, tokens), specs, (specs[0], P()), mesh


def mlp():
    mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)

    def loss_of(p, x):
        for up, down in p:
            x = x + jax.lax.psum(jax.nn.gelu(x @ up) @ down, "model")
        return (x.astype(jnp.float32) ** 2).mean()

    def step(p, x):
        loss, gradient = jax.value_and_grad(loss_of)(p, x)
        gradient = jax.lax.pmean(gradient, "data")
        return jax.tree.map(lambda w, g: w - jnp.bfloat16(0.01) * g, p, gradient), \
            jax.lax.pmean(loss, "data")

    p = [(weights(2048, 8192), weights(8192, 2048)) for _ in range(4)]
    x = 50 * weights(512, 2048)
    specs = ([(P(None, "model"), P("model", None))] * 4, P("data"))
    return step, (p, x), specs, (specs[0], P()), mesh


def listed(tree, specs, mesh):
    """Arrays of a manifest: one per leaf, with the mesh axes of each dimension."""
    leaves = jax.tree.leaves(tree)
    places = jax.tree.leaves(specs, is_leaf=lambda one: isinstance(one, P))
    for leaf, place in zip(leaves, places, strict=True):
        axes = [list(one) if isinstance(one, tuple) else one for one in place]
        yield {"dtype": leaf.dtype.name, "shape": list(leaf.shape),
               "spec": axes + [None] * (leaf.ndim - len(axes)) if axes else []}


def write(folder, name, made):
    step, arguments, specs, out_specs, mesh = made
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    spread = jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=out_specs, check_vma=False)
    placed = jax.tree.map(lambda x, s: jax.ShapeDtypeStruct(x.shape, x.dtype,
                                                            sharding=NamedSharding(mesh, s)),
                          arguments, specs)
    exported = jax.export.export(jax.jit(spread), platforms=["tpu"])(*placed)
    (folder / "program.mlir").write_text(exported.mlir_module())
    args = []
    for i, (entry, leaf) in enumerate(zip(listed(arguments, specs, mesh),
                                          jax.tree.leaves(arguments), strict=True)):
        np.save(folder / f"arg{i}.npy", np.asarray(leaf))
        args.append({"file": f"arg{i}.npy", **entry})
    shapes = jax.tree.unflatten(exported.out_tree, exported.out_avals)
    # bf16 weights differ by a unit in the last place at most where sums are made in another order.
    results = [{"file": f"out{i}.npy", **entry, "rtol": 2**-7, "atol": 1e-4}
               for i, entry in enumerate(listed(shapes, out_specs, mesh))]
    manifest = {"name": name, "devices": CHIPS, "mesh": dict(mesh.shape), "args": args,
                "results": results}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    write(folder, "transformer", transformer())
    write(folder, "mlp", mlp())


main()
