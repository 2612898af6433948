# SPDX-License-Identifier: Apache-2.0
"""The structs of pjrt/abi against an independent description of the API, where it is installed."""
import pathlib
import subprocess
import sys

import pytest


def test_offsets_are_those_of_the_api():
    pytest.importorskip("pypjrt", reason="pypjrt is not installed: offsets are not compared")
    script = pathlib.Path(__file__).parent / "abi_offsets.py"
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
