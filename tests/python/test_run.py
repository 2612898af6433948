# SPDX-License-Identifier: Apache-2.0
"""Runs on emulated pods of four and eight chips, and what they return."""
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import understudy
from steps import MESH4, good_step, local_step, loss_of, over_chips


def test_run_returns_the_pytree(understudy_pod, batch):
    result = understudy_pod.run(good_step, *batch, mesh=MESH4, steps=2, slice="v6e-4")
    params, rest = result.values
    assert set(params) == {"w", "b"} and params["w"].dtype == np.float32
    first, gradients = jax.value_and_grad(loss_of)(*batch)
    updated = jax.tree.map(lambda p, g: p - 0.1 * g, batch[0], gradients)
    assert rest["loss"] < first
    np.testing.assert_allclose(rest["loss"], loss_of(updated, *batch[1:]), rtol=0.02)
    assert result.verdict("loss").ok and result.verdict("loss").distinct_values == 1
    assert (result.slice, result.chips, len(result.wall_seconds)) == ("v6e-4", 4, 2)
    assert result.hbm_peak.observed_bytes > 0
    assert {one.kind for one in result.collectives} == {"all_reduce"}
    assert json.loads(result.receipt.read_text())["verdict"] == "passed"


@dataclasses.dataclass
class State:
    weights: jax.Array
    key: jax.Array
    name: str = "model"


jax.tree_util.register_dataclass(State, ["weights", "key"], ["name"])


def test_bf16_key_dataclass_donation_and_captured_array(understudy_pod):
    table = np.arange(4, dtype=np.float32)  # captured

    def step(state, x):
        key, now = jax.random.split(state.key)
        noise = jax.random.uniform(now, (4,)).astype(jnp.bfloat16)
        total = over_chips(lambda x: jax.lax.psum(x.sum(0), "data"), P("data"), P())(x)
        return State(state.weights + total + noise, key, state.name), noise + table.sum()

    state = State(jnp.ones(4, jnp.bfloat16), jax.random.key(7))
    x = jnp.ones((8, 4), jnp.bfloat16)
    jitted = jax.jit(step, donate_argnums=0)
    result = understudy_pod.run(jitted, state, x, mesh={"data": 8}, slice="v6e-8",
                                numerics="ieee")
    after, noise = result.values
    assert after.name == "model" and after.weights.dtype == jnp.bfloat16
    key, now = jax.random.split(state.key)  # donated, and still there
    np.testing.assert_array_equal(jax.random.key_data(after.key), jax.random.key_data(key))
    want = jax.random.uniform(now, (4,)).astype(jnp.bfloat16)
    np.testing.assert_allclose(np.float32(noise), np.float32(want) + 6, rtol=2**-7)
    np.testing.assert_allclose(np.float32(after.weights), 9 + np.float32(want), rtol=2**-7)


def test_local_loss_is_flagged(understudy_pod, batch):
    understudy_pod.assert_globally_reduced(good_step, *batch, mesh=MESH4)
    with pytest.raises(AssertionError, match=r"result\[1\].loss is local over mesh axis data"):
        understudy_pod.assert_globally_reduced(local_step, *batch, mesh=MESH4)
    report = understudy_pod.metrics(local_step, *batch, mesh=MESH4)
    verdict = report.verdict("loss")
    assert (verdict.verdict, verdict.axes) == ("local", ("data",))
    assert "(stablehlo.reduce)" in verdict.place
    file, line, _ = verdict.python_place.split(":")
    assert "jnp.mean(" in pathlib.Path(file).read_text().splitlines()[int(line) - 1]
    assert {one.kind for one in verdict.evidence} >= {"static", "dynamic"}
    assert report.verdict("result[0].w").verdict == "globally_reduced"
    with pytest.raises(KeyError, match="no result is named 'accuracy'"):
        report.verdict("accuracy")


def test_abstract_arguments(understudy_pod, batch):
    abstract = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), batch)
    report = understudy_pod.metrics(good_step, *abstract, mesh=MESH4,
                                    result_names=("params", "metrics"))
    assert report.verdict("metrics.loss").verdict == "globally_reduced"
    with pytest.raises(understudy.ExportError, match="random:1"):
        understudy_pod.run(good_step, *abstract, mesh=MESH4)
    result = understudy_pod.run(good_step, *abstract, mesh=MESH4, fill="zeros")
    assert result.values[1]["loss"] == 0 and result.verdict("loss").ok is None


def test_failed_comparison(understudy_pod):
    def product(x):
        return x @ x

    x = np.random.default_rng(1).normal(size=(8, 8)).astype(np.float32)
    assert understudy_pod.run(product, x).verdict("result").ok
    with pytest.raises(understudy.Failure, match="result: differs from the expected") as caught:
        understudy_pod.run(product, x, rtol=0, atol=0)  # operands are rounded to bf16
    assert caught.value.exit_code == 1 and caught.value.kind == "check"
    assert json.loads(caught.value.receipt.read_text())["verdict"] == "failed"


def test_failed_pod(understudy_pod, batch):
    with pytest.raises(understudy.Failure) as caught:
        understudy_pod.run(good_step, *batch, mesh=MESH4, expect=False, steps=5,
                           options=("--fault", "kill:rank=2,at=all_reduce#2"))
    assert caught.value.exit_code == 4 and caught.value.rank == 2
    assert "steps.py:" in caught.value.python_places[0]  # of the operation that was waited in
    assert "\n  from " in caught.value.stderr  # the same place, of the program itself
    failure = json.loads(caught.value.receipt.read_text())["failures"][0]
    assert failure["python"] == caught.value.python_places[0]


def test_refused_program(understudy_pod, batch):
    with pytest.raises(understudy.Failure, match="v6e-1") as caught:
        understudy_pod.run(good_step, *batch, mesh=MESH4, expect=False, slice="v6e-1")
    assert caught.value.exit_code == 2


def test_missing_binary(monkeypatch, tmp_path):
    monkeypatch.setenv("UNDERSTUDY_BIN", str(tmp_path / "none"))
    with pytest.raises(understudy.BinaryNotFound, match="UNDERSTUDY_BIN: .*none is not a program"):
        understudy.run(lambda x: x, np.float32(1), expect=False)


LOOP = """
import jax, numpy as np, understudy


def forever(x):
    return jax.lax.while_loop(lambda x: x < 10, lambda x: x * 0.5, x)
print("starting", flush=True)
understudy.run(forever, np.float32(1), expect=False)
"""


def test_interrupt_ends_the_pod(understudy_pod, tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    child = subprocess.Popen([sys.executable, "-c", LOOP], env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    watchdog = threading.Timer(60, child.kill)
    watchdog.start()
    records = []
    while not records and child.poll() is None:
        records = list(tmp_path.glob("understudy-*/records/0"))
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, told = child.communicate()
    watchdog.cancel()
    assert "KeyboardInterrupt" in told
    assert not list(tmp_path.glob("understudy-*"))  # the run folder ends with the pod


FACTORY = """
import numpy as np
from steps import good_step
def make():
    params = {"w": np.ones((4, 2), np.float32), "b": np.zeros(2, np.float32)}
    return good_step, (params, np.ones((8, 4), np.float32), np.ones((8, 2), np.float32))
"""


def test_command_line(understudy_pod, tmp_path):
    (tmp_path / "factory.py").write_text(FACTORY)
    path = os.pathsep.join((str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONPATH": path}

    def command(*words):
        return subprocess.run([sys.executable, "-m", "understudy", "export", *words], text=True,
                              env=environment, cwd=tmp_path, capture_output=True)

    done = command("factory:make", "--out", "step", "--mesh", "data=4")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "step: 4 arguments, 3 results, 4 chips\n"
    ran = subprocess.run([understudy.find_binary(), "run", tmp_path / "step", "--no-receipt"],
                         capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    wrong = command("factory:none", "--out", "other")
    assert wrong.returncode == 2 and "none" in wrong.stderr


def test_the_binary_starts_python(understudy_pod, tmp_path):
    (tmp_path / "factory.py").write_text(FACTORY)
    path = os.pathsep.join((str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")))

    def export(python, *words):
        return subprocess.run(
            [understudy.find_binary(), "export", *words], text=True, cwd=tmp_path,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": path, "UNDERSTUDY_PYTHON": python})

    done = export(sys.executable, "factory:make", "--out", "step", "--mesh", "data=4",
                  "--artifact", "only", "--platforms", "cpu,tpu")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "step: 4 arguments, 3 results, 4 chips\n"
    assert not (tmp_path / "step" / "program.mlir").exists()
    ran = subprocess.run([understudy.find_binary(), "run", tmp_path / "step", "--no-receipt"],
                         capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    wrong = export(sys.executable, "factory:none", "--out", "other")
    assert wrong.returncode == 2 and "none" in wrong.stderr
    missing = export("/nonexistent/python", "factory:make", "--out", "other")
    assert missing.returncode == 2 and "there is no such program" in missing.stderr
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    without = subprocess.run(
        [understudy.find_binary(), "export", "factory:make", "--out", "other"], text=True,
        cwd=tmp_path, capture_output=True,
        env={**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
             "UNDERSTUDY_PYTHON": str(bare / "bin" / "python")})
    assert without.returncode == 2, without.stderr
    assert "has no package understudy and jax" in without.stderr
    assert "pip install" in without.stderr


def test_data_of_each_step(understudy_pod):
    def step(total, batch):
        return total + over_chips(lambda x: jax.lax.psum(x.sum(), "data"), (P("data"),), P())(batch)

    batches = np.arange(24, dtype=np.float32).reshape(3, 8)
    result = understudy_pod.run(step, np.float32(0), batches, mesh=MESH4, steps=3,
                                per_step=("batch",), carry={"result": "total"})
    assert result.values == batches.sum()
    assert len(result.wall_seconds) == 3


def forever(x):
    return jax.lax.while_loop(lambda x: x < 10, lambda x: x * 0.5, x)


def test_deadlines(understudy_pod):
    with pytest.raises(understudy.Failure) as caught:
        understudy_pod.run(forever, np.float32(1), expect=False, deadline_seconds=3)
    assert caught.value.exit_code == 4 and "3" in caught.value.message
    with pytest.raises(understudy.ExportError, match="within 3 s"):
        understudy_pod.run(forever, np.float32(1), deadline_seconds=3)
