# SPDX-License-Identifier: Apache-2.0
"""The child of _reference: calls a serialised function on N forced CPU devices.

usage: python -m understudy._reference_child FOLDER, with exported.bin, job.json and argI.npy in
FOLDER; writes outI.npy there. Started with XLA_FLAGS for the number of devices.
"""
from __future__ import annotations

import json
import pathlib
import sys

import jax
import numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from understudy import _arrays


def main(folder: pathlib.Path) -> None:
    job = json.loads((folder / "job.json").read_text())
    exported = export.deserialize(bytearray((folder / "exported.bin").read_bytes()))
    devices = jax.devices()[:exported.nr_devices]
    replicated = NamedSharding(Mesh(np.array(devices), ("device",)), PartitionSpec())
    now = [_arrays.load(folder / f"arg{i}.npy", dtype) for i, dtype in enumerate(job["args"])]
    step = jax.jit(exported.call)
    results: list[np.ndarray] = []
    for _ in range(job["steps"]):
        placed = [jax.device_put(array, replicated) for array in now]
        results = [np.asarray(array) for array in step(*placed)]
        for result, argument in job["carry"]:
            now[argument] = results[result]
    for i, array in enumerate(results):
        _arrays.save(folder / f"out{i}.npy", array)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
