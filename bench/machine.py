# SPDX-License-Identifier: Apache-2.0
"""The machine on which a stored result was measured."""
import os
import pathlib
import subprocess


def _first(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0].strip() if done.stdout else "unknown"


def machine(**more):
    """CPU, cores, load at the start, MPI and the revision of this tree; `more` is added."""
    names = [line for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if "model name" in line]
    root = str(pathlib.Path(__file__).resolve().parent)
    return {
        "cpu": names[0].split(": ")[1] if names else "unknown",
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "mpi": _first(["mpirun", "--version"]),
        "revision": _first(["git", "-C", root, "rev-parse", "--short", "HEAD"]),
        **more,
    }
