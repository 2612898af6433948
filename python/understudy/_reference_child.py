# SPDX-License-Identifier: Apache-2.0
"""The child of _reference: calls a serialised function on N forced CPU devices.

usage: python -m understudy._reference_child FOLDER, with exported.bin, job.json and argI.npy in
FOLDER; writes outI.npy and spread.json there. Started with XLA_FLAGS for the number of devices.
"""
from __future__ import annotations

import json
import pathlib
import sys
from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from understudy import _arrays

# Of the spread; each costs one more execution. The change of one number may be small by chance, but
# hardly three times.
_SAMPLES = 3

Arrays = list[np.ndarray]


def _whole(array: np.ndarray) -> np.ndarray:
    """For differences: as f64 or complex128, so that nothing overflows or is rounded."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _is_float(array: np.ndarray) -> bool:
    return bool(jnp.issubdtype(array.dtype, jnp.inexact))


def _to_nudge(arrays: Arrays, job: dict[str, Any]) -> set[int]:
    """The float arguments, without the carried ones if there are others: a change of a carried
    value would add up over the steps, and roundings of operands do not."""
    floats = {i for i, array in enumerate(arrays) if _is_float(array)}
    return floats - {argument for _, argument in job["carry"]} or floats


def _nudged(arrays: Arrays, chosen: set[int], unit: float, draw: np.random.Generator) -> Arrays:
    """Every element of the chosen ones off by up to `unit` of its value, as roundings leave it."""
    return [(_whole(array) * (1 + unit * draw.uniform(-1, 1, array.shape))).astype(array.dtype)
            if i in chosen else array for i, array in enumerate(arrays)]


def _spread(want: np.ndarray, got: np.ndarray) -> float:
    """The largest difference of finite elements."""
    if not _is_float(want):
        return 0.0
    apart = np.abs(_whole(want) - _whole(got))
    apart = apart[np.isfinite(apart)]
    return float(apart.max()) if apart.size else 0.0


def _stepper(serialised: bytes, job: dict[str, Any]) -> Callable[[Arrays], Arrays]:
    exported = export.deserialize(bytearray(serialised))
    devices = np.array(jax.devices()[:exported.nr_devices])
    sizes = job["mesh"] if exported.nr_devices > 1 else {}
    mesh = Mesh(devices.reshape(tuple(sizes.values()) or (1,)), tuple(sizes) or ("device",))
    replicated = NamedSharding(mesh, PartitionSpec())
    call = jax.jit(exported.call, out_shardings=replicated)  # the whole array of each result

    def step(arrays: Arrays) -> Arrays:
        return [np.asarray(a) for a in call(*(jax.device_put(a, replicated) for a in arrays))]

    return step


def _run(step: Callable[[Arrays], Arrays], start: Arrays, job: dict[str, Any],
         chosen: set[int], seed: int = 0) -> Arrays:
    """All steps, with the chosen arguments nudged before each step."""
    draw = np.random.default_rng(seed)
    now, results = list(start), []
    for number in range(job["steps"]):
        for i in job["per_step"]:
            now[i] = start[i][number]
        results = step(_nudged(now, chosen, job["unit"], draw))
        for result, argument in job["carry"]:
            now[argument] = results[result]
    return results


def main(folder: pathlib.Path) -> None:
    job = json.loads((folder / "job.json").read_text())
    step = _stepper((folder / "exported.bin").read_bytes(), job)
    start = [_arrays.load(folder / f"arg{i}.npy", dtype) for i, dtype in enumerate(job["args"])]
    want = _run(step, start, job, set())
    chosen = _to_nudge(start, job)
    samples = [_run(step, start, job, chosen, seed) for seed in range(_SAMPLES)] if chosen else []
    spread = [max((_spread(one, sample[i]) for sample in samples), default=None)
              for i, one in enumerate(want)]
    for i, array in enumerate(want):
        _arrays.save(folder / f"out{i}.npy", array)
    (folder / "spread.json").write_text(json.dumps(spread))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
