# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of this folder: JAX programs with annotations in inner functions and regions.

refused/ holds those that only a partitioner can run, accepted/ those whose annotations change
nothing. Each is lowered with Shardy and with GSPMD, as text, and a few as portable artifacts.
Written with JAX 0.10.2: python3 generate.py
"""
import os
import pathlib
import re

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
from jax import export, lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

HERE = pathlib.Path(__file__).parent
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
grid = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto, AxisType.Auto))
sharded = NamedSharding(mesh, P("x"))
whole = NamedSharding(mesh, P())
open_sharding = NamedSharding(mesh, P(P.UNCONSTRAINED, None))
argument = jax.ShapeDtypeStruct((8, 2), jnp.float32)


def inner(function):
    """A function of its own in the lowered program."""
    return jax.jit(function, inline=False)


def constrain(value, sharding=sharded):
    return lax.with_sharding_constraint(value, sharding)


def shard_map(function, in_specs=P("x"), out_specs=P("x"), **options):
    return jax.shard_map(function, in_specs=in_specs, out_specs=out_specs,
                         **{"mesh": mesh, "check_vma": False, **options})


@jax.custom_vjp
def square(value):
    return (value * value).sum()


square.defvjp(lambda value: (square(value), value), lambda value, t: (constrain(2 * value) * t,))

refused = {
    "inner_jit": inner(lambda v: constrain(v * 2) + 1),
    "inner_of_inner": inner(lambda v: inner(lambda u: constrain(u))(v) + 1),
    "inner_shardings": jax.jit(lambda v: v * 2, in_shardings=sharded, out_shardings=sharded,
                               inline=False),
    "scan_body": lambda v: lax.scan(lambda a, b: (constrain(a + b.sum()), b), v, v)[0],
    "cond_branch": lambda v: lax.cond(v.sum() > 0, constrain, lambda u: u * 2, v),
    "switch_branch": lambda v: lax.switch(v.sum().astype(jnp.int32),
                                          [jnp.sin, constrain, jnp.cos], v),
    "while_body": lambda v: lax.while_loop(lambda u: u.sum() < 9, lambda u: constrain(u + 1), v),
    "while_condition": lambda v: lax.while_loop(lambda u: constrain(u).sum() < 9,
                                                lambda u: u + 1, v),
    "custom_vjp": jax.grad(lambda v: inner(square)(v)),
    "remat": jax.grad(lambda v: jax.checkpoint(lambda u: jnp.sin(constrain(jnp.sin(u))).sum())(v)),
    "composite": lambda v: lax.composite(lambda u: constrain(u) + 1, "tests.composite")(v),
    "scan_cond_inner": inner(lambda v: lax.scan(
        lambda a, b: (lax.cond(b > 2, constrain, jnp.sin, a), b), v, jnp.arange(3))[0]),
    "vmap_inner": jax.vmap(inner(lambda v: constrain(v * 2)), in_axes=1),
    "shard_map_inner": inner(shard_map(lambda v: v * 2)),
    "shard_map_in_scan": lambda v: lax.scan(lambda a, b: (shard_map(jnp.sin)(a), b), v, v)[0],
    "shard_map_of_one_axis": shard_map(lambda v: v * 2, mesh=grid, axis_names={"x"}),
    "result": lambda v: v * 2,
}
accepted = {
    "whole_inner": inner(lambda v: constrain(v * 2, whole) + 1),
    "open_inner": inner(lambda v: constrain(v * 2, open_sharding) + 1),
    "whole_in_scan": lambda v: lax.scan(lambda a, b: (constrain(a + b.sum(), whole), b), v, v)[0],
    "shard_map": shard_map(lambda v: v * lax.axis_index("x")),
    "shard_map_with_inner": shard_map(lambda v: inner(lambda u: lax.psum(u * 2, "x"))(v),
                                      out_specs=P()),
    "shard_map_with_scan": shard_map(lambda v: lax.scan(lambda a, b: (a + b, b), v, v)[0]),
}
artifacts = {"inner_jit", "scan_body", "composite", "whole_inner", "shard_map_with_inner"}


def write(folder, name, function):
    options = {"out_shardings": sharded} if name == "result" else {}
    if not name.startswith("shard_map"):
        options["in_shardings"] = whole
    jitted = jax.jit(function, **options)
    for shardy in (True, False):
        jax.config.update("jax_use_shardy_partitioner", shardy)
        jax.clear_caches()
        stem = HERE / folder / f"{name}.{'shardy' if shardy else 'gspmd'}"
        stem.parent.mkdir(exist_ok=True)
        text = jitted.lower(argument).as_text()
        pathlib.Path(f"{stem}.mlir").write_text(text)
        if name in artifacts:
            exported = export.export(jitted, platforms=["tpu"])(argument)
            pathlib.Path(f"{stem}.mlirbc").write_bytes(exported.mlir_module_serialized)


# Names of files without the folders of the machine that wrote them.
jax.config.update("jax_hlo_source_file_canonicalization_regex", re.escape(str(HERE.resolve()) + "/"))
for each, function in refused.items():
    write("refused", each, function)
for each, function in accepted.items():
    write("accepted", each, function)
