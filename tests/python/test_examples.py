# SPDX-License-Identifier: Apache-2.0
"""Runs examples/ as a user does, and compares what they print."""
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PRINTED = {
    "data_parallel": r"v6e-8: loss after 10 steps 0\.45\d\d.*ok: True\n"
                     r"the loss is globally reduced",
    "tensor_parallel": r"result bfloat16 \(8, 16\), ok: True\n  1 all_reduce a chip, 128 bytes",
    "pipeline": r"v6e-4: loss 1\.4\d+, ok: True\nthe loss is globally_reduced",
    "wrong_metric": r"result\.accuracy: globally_reduced.*result\.loss: local: .* over data"
                    r".*warning: result\.perplexity: mean_of_exponentials",
    "restored_run": r"restored: compiled in this run: False\nrestore: proven",
}


def test_every_example_is_listed():
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == sorted(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_example(understudy_pod, name):
    path = EXAMPLES / f"{name}.py"
    assert len(path.read_text().splitlines()) <= 60
    done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(PRINTED[name], done.stdout, re.DOTALL), done.stdout
