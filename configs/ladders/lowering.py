# SPDX-License-Identifier: Apache-2.0
"""Writes a step, lowered by JAX, as a folder of programs/ with the results of JAX."""
import json
import pathlib
import shutil

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

HERE = pathlib.Path(__file__).parent / "programs"
# How far results may be off, in spacings of f32 at the largest value of each: sums in other orders
# give up to 2 in these steps of SGD, and room for other machines. AdamW divides by the root of the
# second moment, which turns the noise of a small gradient into a step: up to 5 in twenty steps of
# one layer, up to 36 in three of the hybrid model.
SGD_NEAR, ADAMW_NEAR, HYBRID_NEAR = 32, 128, 256


def entry(name, array, spec, **more):
    axes = [list(axis) if isinstance(axis, tuple) else axis for axis in spec]
    return {"file": name, "dtype": str(array.dtype), "shape": list(array.shape), "spec": axes, **more}


def flatten(tree):
    return jax.tree.leaves(tree, is_leaf=lambda leaf: isinstance(leaf, P))


def tolerance(want, near):
    """A result is large or small, as moments are: it is compared by its own largest value."""
    if near == 0:
        return {"rtol": 0, "atol": 0}
    spacing = float(np.finfo(np.float32).eps)
    atol = near * spacing * float(np.max(np.abs(want)))
    return {"rtol": float(f"{4 * spacing:.2g}"), "atol": float(f"{atol:.2g}")}


def mesh_of(axes):
    shape = tuple(axes.values())
    devices = np.array(jax.devices()[: int(np.prod(shape))]).reshape(shape)
    return jax.sharding.Mesh(devices, tuple(axes))


def lowered(step, mesh, arguments, in_specs, out_specs):
    def named(tree):
        return jax.tree.map(lambda spec: NamedSharding(mesh, spec), tree,
                            is_leaf=lambda leaf: isinstance(leaf, P))

    mapped = jax.shard_map(step, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False)
    jitted = jax.jit(mapped, in_shardings=named(in_specs), out_shardings=named(out_specs))
    return jitted, jitted.lower(*arguments).as_text()


def write(rung, chips, about, axes, step, arguments, in_specs, out_specs, carried=0, steps=1,
          near=SGD_NEAR, text_of_step=None):
    """The first `carried` arguments of `step` are its first results again in the next step."""
    folder = HERE / rung / str(chips)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mesh = mesh_of(axes)
    jitted, text = lowered(step, mesh, arguments, in_specs, out_specs)
    (folder / "program.mlir").write_text(text)
    now = tuple(arguments)
    for index in range(steps):
        if text_of_step is not None:
            jitted, text = text_of_step(index, mesh)
            if index > 0:
                (folder / f"step{index}.mlir").write_text(text)
        results = jax.tree.map(np.asarray, jitted(*now))
        now = tuple(results[:carried]) + now[carried:]
    flat_in, flat_out = jax.tree.leaves(tuple(arguments)), jax.tree.leaves(results)
    specs_in, specs_out = flatten(tuple(in_specs)), flatten(out_specs)
    for kind, group in (("arg", flat_in), ("out", flat_out)):
        for index, array in enumerate(group):
            np.save(folder / f"{kind}{index}.npy", array)
    pairs = len(jax.tree.leaves(tuple(arguments[:carried])))
    manifest = {
        "name": rung,
        "about": about,
        "rung": rung,
        "devices": chips,
        "mesh": axes,
        "steps": steps,
        "carry": [[i, i] for i in range(pairs)],
        **({} if text_of_step is None else
           {"step_programs": [[i, f"step{i}.mlir"] for i in range(1, steps)]}),
        "args": [entry(f"arg{i}.npy", a, s) for i, (a, s) in enumerate(zip(flat_in, specs_in))],
        "results": [entry(f"out{i}.npy", a, s, **tolerance(a, near))
                    for i, (a, s) in enumerate(zip(flat_out, specs_out))],
    }
    (folder / "manifest.json").write_text(compact(manifest))


def compact(manifest):
    """Readable, with one line for each argument and result."""
    lines = []
    for key, value in manifest.items():
        if key in ("args", "results"):
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            lines.append(f' "{key}": [\n{rows}\n ]')
        else:
            lines.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
