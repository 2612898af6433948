# SPDX-License-Identifier: Apache-2.0
"""Writes shardings.txt: shardings as JAX prints them, and which part of the array each device holds.

    python make_shardings.py >shardings.txt      (JAX 0.10.2)

A line has fields separated by ";": axes and dimensions (Shardy), sharding string (GSPMD), shape; for
each position in the mesh the first index of its part in every dimension (devices_indices_map) and
the id of its device.
"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16"
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

AXES = ("x", "y", "z")


def listed(values):
    return ",".join(str(value) for value in values)


def draw(random):
    sizes = [int(random.choice([1, 2, 2, 3, 4])) for _ in range(random.integers(1, 4))]
    count = int(np.prod(sizes))
    if count > 16:
        return None
    order = random.permutation(count) if random.random() < 0.4 else np.arange(count)
    devices = np.array(jax.devices())[order].reshape(sizes)
    mesh = Mesh(devices, AXES[:len(sizes)])
    rank = int(random.integers(1, 4))
    spec = [[] for _ in range(rank)]
    for axis in random.permutation(len(sizes)):
        if random.random() < 0.75:
            spec[random.integers(rank)].append(AXES[axis])
    named = NamedSharding(mesh, PartitionSpec(*[tuple(one) or None for one in spec]))
    shape = tuple(int(np.prod([dict(mesh.shape)[a] for a in one], dtype=int)) *
                  int(random.integers(1, 4)) for one in spec)
    hlo = named._to_xla_hlo_sharding(rank)
    held = named.devices_indices_map(shape)
    starts = [listed(part.indices(size)[0] for part, size in zip(held[device], shape))
              for device in devices.flat]
    axes = listed(f'"{name}"={size}' for name, size in zip(AXES, sizes))
    dimensions = listed("{" + listed(f'"{name}"' for name in one) + "}" for one in spec)
    ids = listed(device.id for device in devices.flat)
    return f"[{axes}];[{dimensions}];{hlo};{listed(shape)};{'|'.join(starts)};{ids}"


def main():
    random = np.random.default_rng(7)
    lines = set()
    while len(lines) < 400:
        line = draw(random)
        if line:
            lines.add(line)
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    main()
