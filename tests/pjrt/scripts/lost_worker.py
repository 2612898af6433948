# SPDX-License-Identifier: Apache-2.0
"""Kills the worker of the last rank but one while all chips reduce, and prints the error that the script gets."""
import os
import signal
import subprocess
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def worker(rank):
    for pid in map(int, subprocess.run(["pgrep", "-x", "understudy-work"], capture_output=True,
                                       text=True, check=True).stdout.split()):
        try:
            with open(f"/proc/{pid}/environ", encoding="utf-8") as file:
                entries = dict(e.split("=", 1) for e in file.read().split("\0") if "=" in e)
            with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
                words = file.read().split("\0")
        except OSError:
            continue
        here = os.environ["UNDERSTUDY_RUN_FOLDER"] in words
        if here and entries.get("OMPI_COMM_WORLD_RANK") == str(rank):
            return pid
    raise SystemExit(f"no worker of rank {rank}")


if os.environ["MEGASCALE_NUM_SLICES"] != "1":
    jax.distributed.initialize()
mesh = Mesh(np.array(jax.devices()), ("x",))
ones = np.ones((len(jax.devices()) * 1024, 256), np.float32)
x = jax.make_array_from_callback(ones.shape, NamedSharding(mesh, P("x")), lambda at: ones[at])


def body(a):
    return jax.lax.fori_loop(0, 10**6, lambda i, c: jax.lax.psum(c, "x") * 0.25, a)


step = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("x"), out_specs=P("x"),
                             check_vma=False))
victim = worker(len(jax.devices()) - 2)
if jax.process_index() == 0:
    threading.Timer(2, lambda: os.kill(victim, signal.SIGKILL)).start()
begin = time.time()
try:
    step(x).block_until_ready()
except Exception as error:  # the type depends on where JAX notices it
    print("caught", type(error).__name__, error, flush=True)
    print(f"after {time.time() - begin:.1f} s")
