# SPDX-License-Identifier: Apache-2.0
"""Expected results: the function on JAX's CPU backend, in a child process with N devices.

An ordinary process has one CPU device, and the number cannot change after JAX has started. The
function travels as a serialised jax.export.Exported of plain arrays, so the child needs neither
the caller's module nor its types.
"""
from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any, Optional, Sequence

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from understudy import _arrays
from understudy._errors import ExportError
from understudy._lower import Lowered, abstract_mesh, mesh_context

_DEVICE_COUNT = re.compile(r"--xla_force_host_platform_device_count=\d+")


def _replicated(lowered: Lowered, mesh: Any) -> dict[str, Any]:
    """Arguments on every device of the program's mesh. Without it JAX takes a program over a mesh
    without devices for one of a single device."""
    if lowered.devices == 1:
        return {}
    return {"in_shardings": NamedSharding(mesh or abstract_mesh(lowered.mesh), PartitionSpec())}


# The global array, and how far its elements move if the arguments change by a rounding; None if
# no argument is a float.
Expected = tuple[np.ndarray, Optional[float]]


def serialise(lowered: Lowered, mesh: Any) -> bytes:
    """The function for platform "cpu". Raises ExportError if JAX cannot export it."""
    from jax import export
    shapes = [jax.ShapeDtypeStruct(leaf.shape, _arrays.numpy_dtype(leaf.dtype))
              for leaf in lowered.leaves]
    try:
        with mesh_context(mesh):
            flat = jax.jit(lowered.flat, **_replicated(lowered, mesh))
            exported = export.export(flat, platforms=("cpu",))(*shapes)
        return bytes(exported.serialize())
    except Exception as error:
        raise ExportError("no expected results: JAX cannot export this function for its CPU "
                          f"backend ({error}); pass expect=False to go without them") from error


def _environment(devices: int) -> dict[str, str]:
    flags = _DEVICE_COUNT.sub("", os.environ.get("XLA_FLAGS", ""))
    package = str(pathlib.Path(__file__).resolve().parents[1])
    path = os.pathsep.join(p for p in (package, os.environ.get("PYTHONPATH", "")) if p)
    return {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": path,
            "JAX_ENABLE_X64": str(int(getattr(jax.config, "jax_enable_x64"))),
            "XLA_FLAGS": f"{flags} --xla_force_host_platform_device_count={devices}".strip()}


def _call(folder: pathlib.Path, devices: int, deadline_seconds: float) -> None:
    command = [sys.executable, "-m", "understudy._reference_child", str(folder)]
    try:
        done = subprocess.run(command, env=_environment(devices), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=deadline_seconds)
    except subprocess.TimeoutExpired:
        raise ExportError(f"JAX did not compute the expected results within {deadline_seconds:g} "
                          "s; raise deadline_seconds or pass expect=False") from None
    if done.returncode != 0:
        raise ExportError("JAX could not compute the expected results on its CPU backend "
                          f"(exit code {done.returncode}):\n{done.stderr[-4000:]}")


def expected_results(lowered: Lowered, mesh: Any, steps: int, carry: Sequence[tuple[int, int]],
                     unit: float, deadline_seconds: float) -> list[Expected]:
    """Each result after `steps` steps. carry: (result, argument of the program); unit: the
    relative change of the arguments that gives the spread.

    Raises ExportError if JAX fails or takes longer than the deadline.
    """
    serialised = serialise(lowered, mesh)
    with tempfile.TemporaryDirectory(prefix="understudy-reference-") as name:
        folder = pathlib.Path(name)
        (folder / "exported.bin").write_bytes(serialised)
        for i, leaf in enumerate(lowered.leaves):
            assert leaf.value is not None  # export() asks for results of concrete arguments only
            value = leaf.value if leaf.stacked is None else leaf.stacked
            _arrays.save(folder / f"arg{i}.npy", value)
        job = {"mesh": lowered.mesh, "steps": steps, "unit": unit,
               "carry": [[result, lowered.kept[argument]] for result, argument in carry],
               "args": [leaf.dtype for leaf in lowered.leaves],
               "per_step": [i for i, leaf in enumerate(lowered.leaves)
                            if leaf.stacked is not None]}
        (folder / "job.json").write_text(json.dumps(job))
        _call(folder, lowered.devices, deadline_seconds)
        spread = json.loads((folder / "spread.json").read_text())
        return [(_arrays.load(folder / f"out{i}.npy", leaf.dtype), spread[i])
                for i, leaf in enumerate(lowered.results)]
