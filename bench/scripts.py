#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unchanged scripts on the pod beside JAX's CPU backend with forced devices, in pairs, ours and
JAX's in turn first. Checks that the losses agree, then prints the table of docs/pjrt.md as JSON.

usage: scripts.py [--python PYTHON] [--pairs N] [--steps N] [--out FILE]
PYTHON has JAX; the build is that of UNDERSTUDY_BUILD or build/release.
"""
import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("UNDERSTUDY_BUILD", ROOT / "build" / "release"))
TIMED = ROOT / "bench" / "timed_script.py"
GPT = ROOT / "examples" / "scripts" / "gpt.py"
SMALL = ROOT / "bench" / "small_launches.py"
LIMIT = 600  # seconds of one run


def environment(**more):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("JAX_", "TPU_", "XLA_", "UNDERSTUDY_"))}
    return {**kept, **{name: value for name, value in os.environ.items()
                       if name == "UNDERSTUDY_PYTHON"}, **more}


def run_ours(python, out, hosts, words):
    subprocess.run([str(BUILD / "bin" / "understudy"), "run", "--slice", "v6e-4", "--hosts",
                    str(hosts), "--numerics", "ieee", "--", python, str(TIMED), str(out),
                    *map(str, words)], check=True, timeout=LIMIT, env=environment(),
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def run_cpu(python, out, hosts, words):
    devices = f"--xla_force_host_platform_device_count={4 // hosts}"
    coordinator = f"127.0.0.1:{free_port()}"
    started = []
    for number in range(hosts):
        more = {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": devices}
        if hosts > 1:
            more |= {"BENCH_PROCESS": f"{number}/{hosts}", "BENCH_COORDINATOR": coordinator,
                     "JAX_CPU_COLLECTIVES_IMPLEMENTATION": "gloo"}
        started.append(subprocess.Popen(
            [python, str(TIMED), str(out), *map(str, words)], env=environment(**more),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    for process in started:
        if process.wait(timeout=LIMIT) != 0:
            raise RuntimeError(f"JAX on the CPU ended with {process.returncode}")


def gpt(run, python, folder, hosts, steps):
    """Seconds of the first step since the start of Python, and the median of the others."""
    out, results = folder / "steps.json", folder / "results.npz"
    words = [GPT, "--steps", steps, "--out", results]
    run(python, out, hosts, words + (["--distributed"] if hosts > 1 else []))
    times = json.loads(out.read_text())
    rests = [later - earlier for earlier, later in zip(times[2:], times[3:])]
    losses = subprocess.run([python, "-c", "import numpy, sys; print(*numpy.load(sys.argv[1])"
                             "['losses'])", str(results)], check=True, capture_output=True,
                            text=True).stdout.split()
    return {"first_step_seconds": times[0], "step_seconds": statistics.median(rests),
            "losses": [float(one) for one in losses]}


def small(run, python, folder):
    out = folder / "rates.json"
    run(python, folder / "unused.json", 1, [SMALL, out])
    return json.loads(out.read_text())


def agree(ours, theirs):
    return all(abs(a - b) <= 1e-3 for a, b in zip(ours, theirs, strict=True))


def paired(name, pairs, measure):
    """`measure(run)` gives a dict of numbers. Ours / JAX of each pair, and the medians."""
    seen = {"ours": [], "jax": []}
    for number in range(pairs):
        order = [("ours", run_ours), ("jax", run_cpu)]
        for side, run in order if number % 2 == 0 else reversed(order):
            seen[side].append(measure(run))
        losses = [seen[side][-1].pop("losses", []) for side in seen]
        if not agree(*losses):
            sys.exit(f"{name}: the losses differ: {losses}")
    table = {}
    for key in seen["ours"][0]:
        ours, theirs = ([one[key] for one in seen[side]] for side in ("ours", "jax"))
        ratios = sorted(a / b for a, b in zip(ours, theirs))
        table[key] = {"ours": statistics.median(ours), "jax": statistics.median(theirs),
                      "ours_over_jax": [ratios[0], statistics.median(ratios), ratios[-1]]}
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--only", choices=("one_host", "four_hosts", "small"))
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    result = {"pairs": options.pairs, "load_before": os.getloadavg()[0], "cpus": os.cpu_count()}
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        for name, measure in {
                "one_host": lambda run: gpt(run, options.python, folder, 1, options.steps),
                "four_hosts": lambda run: gpt(run, options.python, folder, 4, options.steps),
                "small": lambda run: small(run, options.python, folder)}.items():
            if options.only in (None, name):
                result[name] = paired(name, options.pairs, measure)
    result["load_after"] = os.getloadavg()[0]
    text = json.dumps(result, indent=1)
    print(text)
    if options.out:
        options.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
