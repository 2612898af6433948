# SPDX-License-Identifier: Apache-2.0
"""Starts scripts on an emulated pod and on JAX's CPU backend, and compares what they write."""
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("UNDERSTUDY_BUILD", ROOT / "build" / "release"))
SCRIPTS = pathlib.Path(__file__).parent / "scripts"


class Pod:
    """One `understudy run -- python script`: its exit code, its output and its receipt."""

    def __init__(self, folder, script, *words, slice_name="v6e-4", options=(), limit=240,
                 more=None, numerics="ieee"):
        self.receipt_path = folder / f"{pathlib.Path(script).stem}.receipt.json"
        command = [str(BUILD / "bin" / "understudy"), "run", "--slice", slice_name, "--numerics",
                   numerics, "--receipt", str(self.receipt_path), *options, "--", sys.executable,
                   str(script), *map(str, words)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment(**(more or {})))
        self.limit = limit

    def wait(self):
        try:
            self.out, self.err = self.process.communicate(timeout=self.limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise
        self.code = self.process.returncode
        self.receipt = json.loads(self.receipt_path.read_text())
        return self

    def executes(self):
        return [rank["totals"]["executes"] for rank in self.receipt["ranks"]]


def environment(**more):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("JAX_", "TPU_", "XLA_"))}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **more}


@pytest.fixture
def pod(tmp_path):
    def run(script, *words, **options):
        return Pod(tmp_path, SCRIPTS / script, *words, **options).wait()

    return run


@pytest.fixture
def on_cpu(tmp_path):
    def run(script, *words, devices=4):
        subprocess.run([sys.executable, str(SCRIPTS / script), *map(str, words)], check=True,
                       timeout=240, env=environment(
                           JAX_PLATFORMS="cpu",
                           XLA_FLAGS=f"--xla_force_host_platform_device_count={devices}"))

    return run


def assert_equal(ours, theirs, rtol=1e-5, atol=1e-6):
    """f32 under --numerics ieee: other orders of summation and other polynomials, few roundings."""
    ours, theirs = np.load(ours), np.load(theirs)
    assert sorted(ours.files) == sorted(theirs.files)
    for name in ours.files:
        assert ours[name].dtype == theirs[name].dtype, name
        np.testing.assert_allclose(ours[name], theirs[name], rtol=rtol, atol=atol, err_msg=name)
