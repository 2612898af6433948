# SPDX-License-Identifier: Apache-2.0
"""Runs docs/first-program.md: writes its files, runs its commands, compares what they print.

A block "```python FILE" is a file, "```sh" commands, "```text" the output of the commands before
it, in which "..." stands for anything. "```sh install" is what the other tests of this folder and
the build have done already.
"""
import os
import pathlib
import re
import subprocess
import sys

import understudy

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/first-program.md"
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def matches(pattern, text):
    parts = [re.escape(part) for part in pattern.split("...")]
    return re.fullmatch(".*".join(parts), text, re.DOTALL)


def test_tutorial(understudy_pod, tmp_path):
    folders = (str(pathlib.Path(sys.executable).parent), str(understudy.find_binary().parent))
    environment = {**os.environ, "PATH": os.pathsep.join((*folders, os.environ["PATH"]))}
    if "PYTEST_PLUGINS" not in environment:  # the package is used from its folder here
        environment["PYTEST_PLUGINS"] = "understudy.pytest_plugin"
    printed, ran = "", 0
    for kind, name, body in BLOCK.findall(PAGE.read_text()):
        if kind == "python":
            (tmp_path / name).write_text(body)
        elif kind == "sh" and name != "install":
            done = subprocess.run(["bash", "-euc", body], cwd=tmp_path, env=environment, text=True,
                                  capture_output=True)
            assert done.returncode == 0, done.stdout + done.stderr
            printed, ran = done.stdout, ran + 1
        elif kind == "text":
            assert matches(body, printed), f"expected:\n{body}\nprinted:\n{printed}"
    assert ran == 5
