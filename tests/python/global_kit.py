# SPDX-License-Identifier: Apache-2.0
"""What the cases of global_programs.py and global_operations.py are made with: the table of cases,
meshes and values of arguments, and the writer of program folders. Importing this gives JAX 16 CPU
devices.
"""
from __future__ import annotations

import json
import os
import pathlib
import re
from typing import Any, Callable

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from jaxlib import _jax
from jaxlib.mlir.dialects import stablehlo

jax.config.update("jax_default_matmul_precision", "highest")

CASES: dict[str, Callable[[], tuple[Any, tuple[Any, ...]]]] = {}
GSPMD: set[str] = set()  # lowered with Shardy switched off


def case(function: Callable[[], Any]) -> Callable[[], Any]:
    CASES[function.__name__] = function
    return function


def gspmd(function: Callable[[], Any]) -> Callable[[], Any]:
    GSPMD.add(function.__name__)
    return case(function)


def metric(function: Callable[[], Any]) -> Callable[[], Any]:
    """For `understudy metrics`: the chips may hold different values."""
    return case(function)


def make_mesh(sizes: tuple[int, ...], names: tuple[str, ...], explicit: bool = False,
              order: Any = None) -> jax.sharding.Mesh:
    count = int(np.prod(sizes))
    devices = np.array(jax.devices()[:count])
    if order is not None:
        devices = devices[list(order)]
    kind = AxisType.Explicit if explicit else AxisType.Auto
    return jax.sharding.Mesh(devices.reshape(sizes), names, axis_types=(kind,) * len(sizes))


def normal(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def constrain(x: Any, mesh: Any, *spec: Any) -> Any:
    return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))


def sharded(mesh, *specs):
    return tuple(NamedSharding(mesh, P(*spec)) for spec in specs)


def write(folder: pathlib.Path, name: str) -> None:
    """The program folder of a case (docs/formats.md)."""
    jax.config.update("jax_use_shardy_partitioner", name not in GSPMD)
    function, args = CASES[name]()
    write_program(folder, name, function, args)


def write_program(folder: pathlib.Path, name: str, function: Any, args: tuple[Any, ...],
                  rtol: float = 2e-4, atol: float = 2e-5) -> None:
    folder.mkdir(parents=True)
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(args)]
    lowered = function.trace(*args).lower(lowering_platforms=("tpu",))
    (folder / "program.mlir").write_text(lowered.as_text(debug_info=True))
    if name in GSPMD:  # artifacts have no operations of Shardy
        (folder / "program.mlirbc").write_bytes(_jax.mlir.serialize_portable_artifact(
            lowered.compiler_ir("stablehlo"), stablehlo.get_minimum_version()))
    results = [np.asarray(leaf) for leaf in jax.tree.leaves(function(*args))]
    rows: dict[str, list[dict[str, Any]]] = {"args": [], "results": []}
    for key, kind, arrays in (("args", "arg", leaves), ("results", "out", results)):
        for i, array in enumerate(arrays):
            np.save(folder / f"{kind}{i}.npy", array)
            row = {"file": f"{kind}{i}.npy", "dtype": str(array.dtype), "shape": list(array.shape)}
            exact = {"rtol": 0.0, "atol": 0.0} if array.dtype.kind in "iub" else \
                {"rtol": rtol, "atol": atol}
            rows[key].append({**row, **(exact if key == "results" else {})})
    devices = int(re.search(r"num_partitions = (\d+)", lowered.as_text()).group(1))
    manifest = {"name": name, "devices": devices, **rows}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))
