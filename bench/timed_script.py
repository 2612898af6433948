# SPDX-License-Identifier: Apache-2.0
"""Runs a script unchanged and notes when it prints. Each line that starts with "step" is one step;
the JSON that is written at the end has the seconds of each, from before the import of JAX.

usage: timed_script.py OUT SCRIPT [ARGUMENT...]
A process of several on the CPU: BENCH_PROCESS=i/n and BENCH_COORDINATOR=host:port.
"""
import time

BEGAN = time.perf_counter()

import builtins  # noqa: E402  the clock starts before the imports
import json  # noqa: E402
import os  # noqa: E402
import runpy  # noqa: E402
import sys  # noqa: E402

out, script = sys.argv[1:3]
sys.argv = sys.argv[2:]
steps, real_print = [], builtins.print


def noting_print(*words, **options):
    if words and str(words[0]).startswith("step"):
        steps.append(time.perf_counter() - BEGAN)
    real_print(*words, **options)


builtins.print = noting_print
if "BENCH_PROCESS" in os.environ:
    import jax

    number, count = map(int, os.environ["BENCH_PROCESS"].split("/"))
    real_initialize = jax.distributed.initialize
    jax.distributed.initialize = lambda: real_initialize(
        os.environ["BENCH_COORDINATOR"], num_processes=count, process_id=number)
runpy.run_path(script, run_name="__main__")
if steps:
    with open(out, "w") as file:
        json.dump(steps, file)
