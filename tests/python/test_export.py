# SPDX-License-Identifier: Apache-2.0
"""Program folders: names, carry, tolerances, kinds of arguments. Starts no pod."""
import collections
import dataclasses
import json
import os
import pathlib
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import understudy
from understudy._places import python_place
from steps import MESH4, good_step, loss_of, over_chips


def manifest_of(exported):
    return json.loads((exported.folder / "manifest.json").read_text())


def test_folder_of_a_step(tmp_path, batch):
    exported = understudy.export(good_step, *batch, mesh=MESH4, out=tmp_path / "step")
    assert exported.arguments == ("params.b", "params.w", "x", "y")
    assert exported.results == ("result[0].b", "result[0].w", "result[1].loss")
    assert exported.carry == ((0, 0), (1, 1))
    assert (exported.devices, exported.mesh) == (4, MESH4)
    manifest = manifest_of(exported)
    assert [row["file"] for row in manifest["results"]] == ["out0.npy", "out1.npy", "out2.npy"]
    np.testing.assert_array_equal(np.load(exported.folder / "arg2.npy"), batch[1])
    want = loss_of(*batch)  # the mean of the means of equal shards
    np.testing.assert_allclose(np.load(exported.folder / "out2.npy"), want, rtol=1e-5)
    text = (exported.folder / "program.mlir").read_text()
    assert "mhlo.num_partitions = 4" in text
    assert 'steps.py":' in text  # debug locations
    names = json.loads((exported.folder / "names.json").read_text())
    assert [row["name"] for row in names["results"]] == list(exported.results)


def test_names_fit_their_schema(tmp_path):
    understudy.export(lambda x, unused: x, 1.0, 2.0, out=tmp_path, expect=False)
    root = pathlib.Path(__file__).resolve().parents[2]
    done = subprocess.run([root / "tests/check_schema.py", root / "configs/schema/names.json",
                           tmp_path / "names.json"], capture_output=True, text=True)
    if "No module named 'jsonschema'" in done.stderr:
        pytest.skip("python3-jsonschema is missing; install it: deploy/install-packages")
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def test_expected_results_of_several_steps(tmp_path, batch):
    params, x, y = batch
    exported = understudy.export(good_step, *batch, mesh=MESH4, steps=3, out=tmp_path)
    for _ in range(3):
        loss, gradients = jax.value_and_grad(loss_of)(params, x, y)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)
    np.testing.assert_allclose(np.load(tmp_path / "out1.npy"), params["w"], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(np.load(tmp_path / "out2.npy"), loss, rtol=1e-4)
    assert manifest_of(exported)["steps"] == 3


def test_carry_by_path(tmp_path):
    def swap(a, b):
        return b + 1.0, a * 2.0

    a, b = np.float32([1, 2]), np.float32([3, 4])
    carry = {"result[0]": "b", "result[1]": "a"}
    exported = understudy.export(swap, a, b, steps=2, carry=carry, out=tmp_path)
    assert exported.carry == ((0, 1), (1, 0))
    np.testing.assert_array_equal(np.load(tmp_path / "out0.npy"), b + 2)
    with pytest.raises(understudy.ExportError, match="nothing is named 'c'"):
        understudy.export(swap, a, b, carry={"result[0]": "c"}, out=tmp_path)


def test_a_loss_is_not_the_next_learning_rate(tmp_path):
    def step(rate, x):
        return jnp.sum(x) * rate

    args = np.float32(0.1), np.ones(4, np.float32)
    assert understudy.export(step, *args, out=tmp_path, expect=False).carry == ()
    with pytest.raises(understudy.ExportError, match="no result mirrors an argument"):
        understudy.export(step, *args, out=tmp_path, steps=2)


def test_a_number_in_a_structure_is_carried(tmp_path):
    def step(state, batch):
        return {"total": state["total"] + batch.sum()}

    exported = understudy.export(step, {"total": np.float32(0)}, np.ones(3, np.float32), steps=2,
                                 out=tmp_path)
    assert exported.carry == ((0, 0),)


@pytest.mark.parametrize("call, named", [
    (lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct((3,), np.float32), x), "pure_callback"),
    (lambda x: jax.lax.scan(lambda c, v: (jax.debug.print("{}", v), (c, v))[1], 0, x), "debug.print")])
def test_a_call_back_into_python_is_refused(tmp_path, call, named):
    with pytest.raises(understudy.ExportError, match=named) as caught:
        understudy.export(call, np.ones(3, np.float32), out=tmp_path)
    assert "test_export.py:" in str(caught.value)
    assert "return the value as a result" in str(caught.value)


def test_abstract_arguments_give_a_folder_without_values(tmp_path):
    x = jax.ShapeDtypeStruct((8, 2), jnp.bfloat16)
    exported = understudy.export(lambda x, n: x * n, x, 2.0, out=tmp_path)
    assert exported.abstract and not list(tmp_path.glob("*.npy"))
    manifest = manifest_of(exported)
    assert manifest["args"] == [] and manifest["results"] == []


def test_static_and_keyword_arguments(tmp_path):
    def scaled(x, times, *, shift, unused):
        return x * times + shift

    x, rest = np.arange(4, dtype=np.float32), {"shift": np.float32(1), "unused": np.zeros(3)}
    plain = understudy.export(scaled, x, 3, kwargs=rest, static_argnums=(1,), out=tmp_path / "a")
    jitted = jax.jit(scaled, static_argnames="times")
    same = understudy.export(jitted, x, 3, kwargs=rest, out=tmp_path / "b")
    assert plain.arguments == same.arguments == ("x", "shift")
    assert plain.unused == ("unused",)
    for folder in (tmp_path / "a", tmp_path / "b"):
        np.testing.assert_array_equal(np.load(folder / "out0.npy"), x * 3 + 1)


def test_donated_arguments_stay_usable(tmp_path):
    x = jnp.ones(4)
    step = jax.jit(lambda x: x + 1, donate_argnums=0)
    understudy.export(step, x, out=tmp_path)
    assert not x.is_deleted()
    np.testing.assert_array_equal(np.load(tmp_path / "out0.npy"), x + 1)


def test_tolerances_follow_from_types_and_numerics(tmp_path):
    def results(x):
        return x @ x, jnp.argmax(x)

    x = np.eye(4, dtype=np.float32)
    tpu = manifest_of(understudy.export(results, x, out=tmp_path / "tpu"))["results"]
    exported = understudy.export(results, x, numerics="ieee", out=tmp_path / "ieee")
    ieee = manifest_of(exported)["results"]
    assert 2**-8 < tpu[0]["atol"] < 0.1  # operands rounded to bf16
    assert 2**-23 < ieee[0]["atol"] < 1e-5
    assert tpu[1]["atol"] == ieee[1]["rtol"] == 0  # integers are exact


def test_meshes(tmp_path):
    x = np.arange(8, dtype=np.float32)
    total = over_chips(lambda x: jax.lax.psum(x, "i"), P("i"), P())
    abstract = jax.sharding.AbstractMesh((4,), ("i",))
    for mesh in ({"i": 4}, abstract):
        exported = understudy.export(total, x, mesh=mesh, out=tmp_path)
        assert exported.devices == 4
        np.testing.assert_array_equal(np.load(tmp_path / "out0.npy"), x.reshape(4, 2).sum(0))
    with pytest.raises(understudy.ExportError, match="expected a Mesh"):
        understudy.export(total, x, mesh=4, out=tmp_path)


def test_a_foreign_folder_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(understudy.ExportError, match="thesis.txt"):
        understudy.export(lambda x: x, 1.0, out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    weights: list
    count: int


Pair = collections.namedtuple("Pair", "left right")


def test_names_of_containers(tmp_path):
    def pairs(pair, *rest):
        return Pair(pair.right + rest[0], pair.left)

    numbers = Pair(np.ones(2, np.float32), np.zeros(2, np.float32))
    exported = understudy.export(pairs, numbers, np.float32(1), out=tmp_path, steps=2,
                                 result_names=("pairs",), carry={"pairs.left": "pair.right"})
    assert exported.arguments == ("pair.left", "pair.right", "rest[0]")
    assert exported.results == ("pairs.left", "pairs.right")
    assert exported.carry == ((0, 1),)
    with pytest.raises(understudy.ExportError, match="2 names for 1 result"):
        understudy.export(pairs, numbers, np.float32(1), out=tmp_path, result_names=("a", "b"))


def test_names_of_dataclasses_and_odd_keys(tmp_path):
    def step(state, table):
        return State([w + table["a b"] for w in state.weights], state.count + 1)

    state = State([np.ones(2, np.float32), np.zeros(2, np.float32)], np.int32(0))
    exported = understudy.export(step, state, {"a b": np.float32(1)}, out=tmp_path)
    assert exported.arguments == ("state.weights[0]", "state.weights[1]", "state.count",
                                  "table['a b']")
    assert exported.carry == ((0, 0), (1, 1), (2, 2))
    assert manifest_of(exported)["results"][2]["dtype"] == "int32"


WITH_DEVICES = """
import sys
import jax, numpy as np, understudy
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b"))
total = jax.shard_map(lambda x: jax.lax.psum(x.sum(), ("a", "b")), mesh=mesh,
                      in_specs=P("a", "b"), out_specs=P())
step = jax.jit(total, in_shardings=NamedSharding(mesh, P("a", "b")))
x = jax.device_put(np.ones((4, 4), np.float32), NamedSharding(mesh, P("a", "b")))
exported = understudy.export(step, x, mesh=mesh, out=sys.argv[1])
print(exported.devices, dict(exported.mesh), np.load(exported.folder / "out0.npy"))
"""


def test_mesh_with_devices(tmp_path):
    """A process with forced devices, arrays that are spread over them, a mesh in the function."""
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    done = subprocess.run([sys.executable, "-c", WITH_DEVICES, tmp_path], env=environment,
                          capture_output=True, text=True)
    assert done.stdout == "4 {'a': 2, 'b': 2} 16.0\n", done.stderr


def test_several_platforms_are_in_the_manifest(tmp_path):
    exported = understudy.export(lambda x: x + 1, np.float32(1), platforms=("cpu", "tpu"),
                                 out=tmp_path)
    assert manifest_of(exported)["platforms"] == ["cpu", "tpu"]
    assert exported.arguments == ("x",)
    with pytest.raises(understudy.ExportError, match="tpu"):
        understudy.export(lambda x: x, 1.0, platforms=("cpu", "cuda"), out=tmp_path)


def test_artifact(tmp_path):
    def files(artifact):
        understudy.export(lambda x: x + 1, np.float32(1), artifact=artifact, out=tmp_path)
        return {path.name for path in tmp_path.iterdir() if path.stem == "program"}

    assert files("only") == {"program.mlirbc"}
    assert (tmp_path / "program.mlirbc").read_bytes()[:4] == b"ML\xefR"
    assert files(True) == {"program.mlir", "program.mlirbc"}
    assert files(False) == {"program.mlir"}


def running_sum(total, batch):
    return {"total": total + batch["x"].sum(), "scaled": batch["x"] * 2}


def test_data_of_each_step(tmp_path):
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    exported = understudy.export(running_sum, np.float32(1), {"x": x}, steps=3, per_step=("batch",),
                                 carry={"result.total": "total"}, out=tmp_path)
    assert exported.per_step == ("batch.x",)
    rows = manifest_of(exported)["args"]
    assert [row.get("per_step") for row in rows] == [None, True]
    assert rows[1]["shape"] == [3, 4]
    np.testing.assert_array_equal(np.load(tmp_path / "arg1.npy"), x)
    results = dict(zip(exported.results, range(len(exported.results))))
    assert np.load(tmp_path / f"out{results['result.total']}.npy") == 1 + x.sum()
    np.testing.assert_array_equal(np.load(tmp_path / f"out{results['result.scaled']}.npy"), x[2] * 2)


def test_data_of_each_step_must_fit(tmp_path):
    def export(batch, **options):
        understudy.export(running_sum, np.float32(1), {"x": batch}, out=tmp_path, expect=False,
                          **{"carry": {"result.total": "total"}, "steps": 3, **options})

    x = np.zeros((2, 4), np.float32)
    with pytest.raises(understudy.ExportError, match="batch.x has the shape .2, 4., expected a lead"):
        export(x, per_step=("batch",))
    with pytest.raises(understudy.ExportError, match="no argument is named 'data'"):
        export(x, per_step=("data",))
    with pytest.raises(understudy.ExportError, match="total is also carried"):
        understudy.export(running_sum, np.zeros(3, np.float32), {"x": x}, steps=3, out=tmp_path,
                          per_step=("total",), carry={"result.total": "total"}, expect=False)


def test_python_place_of_a_shared_function(tmp_path):
    """JAX gives the operations inside jnp.linalg.qr no place in Python, the call has one."""
    def first(x):
        return jnp.linalg.qr(x)[0]

    exported = understudy.export(first, np.eye(4, dtype=np.float32), out=tmp_path, expect=False)
    text = exported.lowered.text
    line = 1 + next(i for i, row in enumerate(text.split("\n")) if "custom_call @Qr" in row)
    file, row, _ = python_place(text, line).split(":")
    assert file == __file__
    assert "jnp.linalg.qr(x)" in pathlib.Path(file).read_text().split("\n")[int(row) - 1]
