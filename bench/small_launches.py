# SPDX-License-Identifier: Apache-2.0
"""How many small programs a second: usage: small_launches.py OUT. Writes JSON."""
import json
import sys
import time

import jax
import jax.numpy as jnp

SECONDS = 2.0


def rate(work):
    """Calls of work() a second; work() returns an array to wait for at the end."""
    work().block_until_ready()
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        for _ in range(20):
            last = work()
        count += 20
    last.block_until_ready()
    return count / (time.perf_counter() - began)


def chain():
    step = jax.jit(lambda x: x * 0.5 + 1)
    state = [jnp.arange(8.0)]

    def work():
        state[0] = step(state[0])
        return state[0]

    return rate(work)


def eager():
    y = jnp.arange(8.0)
    return rate(lambda: jnp.sin(y) + 1.0) * 2  # two operations


def compiles():
    """New functions, compiled and run once."""
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        jax.jit(lambda x, k=count: jnp.sin(x) * k + k)(jnp.arange(8.0)).block_until_ready()
        count += 1
    return count / (time.perf_counter() - began)


with open(sys.argv[1], "w") as file:
    json.dump({"launches_per_second": chain(), "eager_operations_per_second": eager(),
               "compiles_per_second": compiles()}, file)
