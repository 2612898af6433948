# SPDX-License-Identifier: Apache-2.0
"""The package as pip installs it: typed, with its pytest plugin, and without JAX until used."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "python"

PLUGIN_TEST = """
def test_pod(understudy_pod):
    assert understudy_pod.slice == "v6e-4"
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Environment of a process that sees the installed package alone."""
    pytest.importorskip("setuptools", "70.1")  # older ones need the package wheel
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"  # a build leaves files in the source folder
    leave = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    shutil.copytree(SOURCE, source, ignore=leave)
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                    "--no-build-isolation", "--target", folder / "site", source], check=True)
    return {**os.environ, "PYTHONPATH": str(folder / "site")}


def test_import_without_jax(installed, tmp_path):
    code = ("import sys, pathlib, understudy; print('jax' in sys.modules, "
            "(pathlib.Path(understudy.__file__).parent / 'py.typed').exists())")
    done = subprocess.run([sys.executable, "-c", code], env=installed, cwd=tmp_path, text=True,
                          capture_output=True)
    assert done.stdout == "False True\n", done.stderr


def test_plugin_is_found(installed, understudy_pod, tmp_path):
    (tmp_path / "test_pod.py").write_text(PLUGIN_TEST)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "--understudy-slice", "v6e-4"],
                          env=installed, cwd=tmp_path, text=True, capture_output=True)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
