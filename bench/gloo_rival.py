# SPDX-License-Identifier: Apache-2.0
"""JAX's CPU collectives (gloo) between 4 processes of 2 devices, compared with our 8 ranks.

They cannot share a process group with ours, so this rival alone is not interleaved: our figure is
from the launch before. Run as a program, this file is one of the processes."""
import json
import pathlib
import random
import socket
import statistics
import subprocess
import sys

PROCESSES, DEVICES, CALLS = 4, 2, 15


def median_interval(values):
    """The median and its bootstrap 95 % interval; the same values give the same interval."""
    drawn = random.Random(20240229)
    medians = sorted(statistics.median(drawn.choices(values, k=len(values))) for _ in range(1000))
    return statistics.median(values), medians[25], medians[974]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def python_with_jax():
    """An interpreter that has JAX, or None."""
    root = pathlib.Path(__file__).resolve().parent.parent
    for python in (root / "build/venv/bin/python", pathlib.Path(sys.executable)):
        if python.exists() and subprocess.run([python, "-c", "import jax"], check=False,
                                              capture_output=True).returncode == 0:
            return python
    return None


def gloo_seconds(python, sizes):
    """Seconds of each call, by size: the slowest process of each."""
    port = free_port()
    processes = [subprocess.Popen([python, __file__, str(port), str(i), *map(str, sizes)],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                 for i in range(PROCESSES)]
    tables = []
    for process in processes:
        out, errors = process.communicate(timeout=900)
        if process.returncode != 0:
            print(f"gloo: {errors.strip().splitlines()[-1:]}", file=sys.stderr)
            return {}
        tables.append(json.loads(out.splitlines()[-1]))
    return {int(size): [max(column) for column in zip(*(table[size] for table in tables))]
            for size in tables[0]}


def rows_beside(rows, options):
    """A row for each all_reduce of f32 on 8 ranks that is in `rows`."""
    python = python_with_jax()
    ours = [row for row in rows if row["kind"] == "all_reduce" and row["dtype"] == "f32"
            and row["ranks"] == PROCESSES * DEVICES and row["rival_setting"] == "default"]
    if python is None or not ours:
        print("skipped: gloo needs a Python with JAX (tests/run python) and rows of 8 ranks",
              file=sys.stderr)
        return []
    measured = gloo_seconds(python, sorted({row["bytes"] for row in ours}))
    made = []
    for row in ours:
        if row["bytes"] not in measured:
            print(f"skipped: gloo failed at {row['bytes']} bytes", file=sys.stderr)
            continue
        seconds, low, high = median_interval(measured[row["bytes"]])
        own = row["ours_seconds"]
        made.append({**row, "rival": "gloo", "rival_setting": "JAX, 4 processes x 2 devices",
                     "rival_seconds": seconds, "ratio_median": seconds / own,
                     "ratio_low": low / own, "ratio_high": high / own, "pairs": 0})
    return made


def main(port, number, sizes):
    import os
    import time
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    import jax
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"127.0.0.1:{port}", PROCESSES, number)
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    everybody = jax.devices()
    mesh = Mesh(np.array(everybody), ("x",))
    shards = NamedSharding(mesh, PartitionSpec("x"))
    n = PROCESSES * DEVICES
    table = {}
    for size in sizes:
        elements = max(size // 4, 1)
        local = [jax.device_put(np.full((1, elements), float(everybody.index(device)),
                                        np.float32), device) for device in jax.local_devices()]
        array = jax.make_array_from_single_device_arrays((n, elements), shards, local)
        # Several in one program, each on the mean of the one before, so that the time of a call from
        # Python is not measured.
        many = 20 if size <= 1 << 16 else 4

        def means(v, count=many):
            one = lambda _, w: jax.lax.psum(w, "x") / n  # noqa: E731
            return jax.lax.fori_loop(0, count, one, v)
        add = jax.jit(jax.shard_map(means, mesh=mesh, in_specs=PartitionSpec("x"),
                                    out_specs=PartitionSpec(), check_vma=False))
        result = jax.block_until_ready(add(array))
        if not np.all(np.asarray(result.addressable_shards[0].data) == (n - 1) / 2):
            raise SystemExit("gloo's sum is wrong: nothing is timed")
        seconds = []
        for _ in range(CALLS):
            start = time.perf_counter()
            jax.block_until_ready(add(array))
            seconds.append((time.perf_counter() - start) / many)
        table[size] = seconds
    print(json.dumps(table))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), [int(word) for word in sys.argv[3:]])
