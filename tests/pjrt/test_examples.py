# SPDX-License-Identifier: Apache-2.0
"""The scripts of examples/scripts, compared with themselves on JAX's CPU backend."""
import importlib.util
import subprocess
import sys

import pytest

import conftest
from conftest import ROOT, assert_equal

FOLDER = ROOT / "examples" / "scripts"
# What a script imports beside JAX: (module, package).
NEEDS = {"gpt": (), "collectives": (), "optax_adamw": (("optax", "optax"),),
         "flax_nnx": (("flax", "flax"),),
         "orbax_checkpoint": (("orbax.checkpoint", "orbax-checkpoint"),)}


def is_there(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def require(name):
    for module, package in NEEDS[name]:
        if not is_there(module):
            pytest.skip(f"{sys.executable} has no {module}: install it with pip install {package}")


def words_for(name, folder, side):
    return [str(folder / f"checkpoints-{side}")] if name == "orbax_checkpoint" else []


def test_every_script_is_tested():
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == sorted(NEEDS)


@pytest.mark.parametrize("name", NEEDS)
def test_script(tmp_path, name):
    require(name)
    script = FOLDER / f"{name}.py"
    run = conftest.Pod(tmp_path, script, *words_for(name, tmp_path, "ours"), "--out",
                       tmp_path / "ours.npz").wait()
    assert run.code == 0, run.err
    theirs = subprocess.run(
        [sys.executable, str(script), *words_for(name, tmp_path, "theirs"), "--out",
         str(tmp_path / "theirs.npz")], capture_output=True, text=True, timeout=300, check=True,
        env=conftest.environment(JAX_PLATFORMS="cpu",
                                 XLA_FLAGS="--xla_force_host_platform_device_count=4"))
    assert run.out == theirs.stdout
    # f32 sums in another order; Adam divides small gradients by their own size, which enlarges
    # the difference by 1/eps of the optimiser at most (1e-4 here) per step.
    assert_equal(tmp_path / "ours.npz", tmp_path / "theirs.npz", rtol=1e-5, atol=2e-5)
    assert min(run.executes()) >= 3


@pytest.mark.parametrize("name, hosts", [("gpt", 2), ("gpt", 4), ("orbax_checkpoint", 2)])
def test_script_on_several_hosts(tmp_path, name, hosts):
    require(name)
    outs = []
    for count in (1, hosts):
        folder = tmp_path / str(count)
        folder.mkdir()
        words = (*words_for(name, folder, "ours"), "--distributed", "--out", folder / "out.npz")
        run = conftest.Pod(folder, FOLDER / f"{name}.py", *words,
                           options=("--hosts", str(count))).wait()
        assert run.code == 0, run.err
        outs.append(folder / "out.npz")
    assert_equal(*outs, rtol=0, atol=0)
