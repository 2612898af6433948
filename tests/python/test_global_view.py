# SPDX-License-Identifier: Apache-2.0
"""Global-view programs from the command line and from the package: results, cache, reports, errors."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import understudy
import understudy_partitioner
from understudy_partitioner import __main__ as program

HERE = pathlib.Path(__file__).parent
SHARED = pathlib.Path(os.environ.get("UNDERSTUDY_SHARED_DIR", "/nonexistent")) / "programs"


def python_with_jaxlib():
    return {"UNDERSTUDY_PYTHON": sys.executable}


def command(*words, **variables):
    environment = {**os.environ, **python_with_jaxlib(), **variables}
    return subprocess.run([understudy.find_binary(), *map(str, words)], env=environment, text=True,
                          capture_output=True, timeout=300)


def make(script, folder, *names):
    subprocess.run([sys.executable, HERE / script, folder, *names], check=True, timeout=500,
                   capture_output=True)
    return folder


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    return make("global_programs.py", tmp_path_factory.mktemp("cases") / "all")


def case_names():
    """Without importing the cases, which would set the number of JAX's devices here."""
    lines = [line for file in ("global_programs.py", "global_operations.py")
             for line in (HERE / file).read_text().splitlines()]
    return [after.split("(")[0].removeprefix("def ") for line, after in zip(lines, lines[1:])
            if line in ("@case", "@gspmd")]


@pytest.mark.parametrize("name", case_names())
def test_programs_of_every_shape(cases, name):
    done = command("run", cases / name, "--numerics", "ieee", "--no-receipt")
    assert done.returncode == 0, done.stderr + done.stdout
    assert "all results match the expected results" in done.stdout


@pytest.mark.parametrize("name", ["gspmd_mlp", "gspmd_shard_map_and_work", "gspmd_partly_manual"])
def test_gspmd_programs_as_artifacts(cases, name, tmp_path):
    shutil.copytree(cases / name, tmp_path / name, ignore=shutil.ignore_patterns("program.mlir"))
    done = command("run", tmp_path / name, "--numerics", "ieee", "--no-receipt")
    assert done.returncode == 0, done.stderr + done.stdout
    assert "all results match the expected results" in done.stdout
    assert "program.mlirbc" in done.stdout


@pytest.mark.parametrize("name", ["global_view_mlp", "global_view_transformer"])
@pytest.mark.parametrize("suffix", ["mlir", "mlirbc"])
def test_shared_programs(name, suffix, tmp_path):
    if not SHARED.exists():
        pytest.skip("UNDERSTUDY_SHARED_DIR names no folder of programs")
    folder = tmp_path / name
    shutil.copytree(SHARED / name, folder, ignore=lambda _, names: [
        one for one in names if one.startswith("program.") and one != f"program.{suffix}"])
    done = command("run", folder, "--no-receipt", "--slice", "v6e-8", "--numerics", "ieee")
    assert done.returncode == 0, done.stderr
    assert "all results match the expected results" in done.stdout


# HLO protos with OpSharding, as torch_xla gives them to a plugin (tests/programs/torch_xla_programs.py).
@pytest.mark.parametrize("name", ["torch_xla_spmd_mlp", "torch_xla_spmd_attention"])
def test_programs_of_torch_xla(name):
    done = command("run", HERE.parent / "programs" / name, "--numerics", "ieee", "--no-receipt")
    assert done.returncode == 0, done.stderr
    assert "partitioned" in done.stderr
    assert "all results match the expected results" in done.stdout
    assert "all_reduce" in done.stdout


STEP = """
module @step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]>
  func.func public @main(
      %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
      -> (tensor<4xf32> {jax.result_info = "total", sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""


@pytest.fixture
def step(tmp_path):
    path = tmp_path / "step.mlir"
    path.write_text(STEP)
    return path


def test_a_run_from_the_cache_starts_no_python(step, tmp_path):
    words = ("run", step, "--fill", "ones", "--cache-dir", tmp_path / "cache", "--out",
             tmp_path / "out", "--no-receipt")
    first = command(*words)
    assert first.returncode == 0, first.stderr
    assert "XLA (jaxlib " in first.stderr and "partitioned it for 4 chips" in first.stderr
    again = command(*words, UNDERSTUDY_PYTHON="/nonexistent/python")
    assert again.returncode == 0, again.stderr
    assert "is from the cache" in again.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "out/out0.npy"), np.full(4, 8, np.float32))
    other = command(*words, UNDERSTUDY_PYTHON="/nonexistent/python", UNDERSTUDY_XLA_FLAGS="--xla_a=1")
    assert other.returncode == 71 and "/nonexistent/python" in other.stderr
    assert "deploy/install-partitioner" in other.stderr


def test_replicas_of_a_partitioned_program(tmp_path):
    """Two replicas of four partitions: sums stay inside a replica."""
    path = tmp_path / "step.mlir"
    path.write_text(STEP.replace("num_replicas = 1", "num_replicas = 2"))
    given = np.arange(2 * 8 * 4, dtype=np.float32).reshape(2, 8, 4)
    np.save(tmp_path / "arg0.npy", given)
    done = command("run", path, "--arg", f"0={tmp_path / 'arg0.npy'}", "--per-replica", "--out",
                   tmp_path / "out", "--no-receipt")
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "out/out0.npy"), given.sum(1))


def test_without_jaxlib(step, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty"], check=True)
    done = command("run", step, "--fill", "ones", "--cache-dir", tmp_path / "cache",
                   UNDERSTUDY_PYTHON=str(tmp_path / "empty/bin/python3"))
    assert done.returncode == 71
    assert "jaxlib is not installed" in done.stderr and "UNDERSTUDY_PYTHON" in done.stderr
    assert "step.mlir:8:10: stablehlo.reduce" in done.stderr


def test_an_unwritable_temporary_folder_does_not_matter_to_the_partitioner(step, tmp_path):
    done = command("run", step, "--dry-run", "--cache-policy", "off",
                   TMPDIR=str(tmp_path), UNDERSTUDY_XLA_FLAGS="")
    assert done.returncode == 0, done.stderr
    assert [one.name for one in tmp_path.iterdir() if one.name != "step.mlir"] == []


def test_words_of_xla(tmp_path):
    path = tmp_path / "bad.mlir"
    path.write_text(STEP.replace('{"data"}, {}', '{"data", "data"}, {}'))
    done = command("run", path, "--fill", "ones")
    assert done.returncode == 2, done.stderr
    path.write_text(STEP)
    done = command("run", path, "--fill", "ones", UNDERSTUDY_XLA_FLAGS="--xla_no_such_flag=3",
                   XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 2 and "xla_no_such_flag" in done.stderr


# A scatter that ends XLA's process, found by tests/judge/draw --global-view.
ABORTING = """
module attributes {mhlo.num_partitions = 16 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=16]>
  func.func public @main(%a: tensor<16x3x1xbf16>, %i: tensor<3x2xi64>, %u: tensor<3x13x2x1xbf16>)
      -> tensor<16x3x1xbf16> {
    %0 = sdy.sharding_constraint %i <@mesh, [{"x"}, {}]> : tensor<3x2xi64>
    %1 = "stablehlo.scatter"(%a, %0, %u) <{
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2, 3],
        scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
    ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
      %2 = stablehlo.multiply %x, %y : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<16x3x1xbf16>, tensor<3x2xi64>, tensor<3x13x2x1xbf16>) -> tensor<16x3x1xbf16>
    return %1 : tensor<16x3x1xbf16>
  }
}
"""


def test_an_abort_of_xla_is_told_in_its_words(tmp_path):
    path = tmp_path / "scatter.mlir"
    path.write_text(ABORTING)
    done = command("run", path, "--fill", "ones", "--no-receipt")
    assert done.returncode == 2, done.stderr
    assert "scatter.mlir: XLA ended its process: Check failed: " in done.stderr
    assert "spmd_partitioner" in done.stderr and "another sharding" in done.stderr


def test_reports(step, tmp_path):
    dry = command("run", step, "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "1 x all_reduce" in dry.stderr and "over data" in dry.stderr
    assert "step.mlir:8:" in dry.stderr and "HBM of each chip" in dry.stderr
    done = command("run", step, "--fill", "ones", "--dump-passes", tmp_path / "dump",
                   "--no-receipt")
    assert done.returncode == 0, done.stderr
    files = sorted(one.name for one in (tmp_path / "dump").iterdir())
    assert {"collectives.txt", "executable.txt", "given.mlir", "program.mlirbc",
            "warnings.txt", "00-lowering.txt"} <= set(files)
    assert "all_reduce" in (tmp_path / "dump/executable.txt").read_text()
    assert (tmp_path / "dump/given.mlir").read_text() == STEP
    # What the chips run is a program of its own.
    again = command("run", tmp_path / "dump/program.mlirbc", "--fill", "ones", "--no-receipt",
                    UNDERSTUDY_PYTHON="/nonexistent/python")
    assert again.returncode == 0, again.stderr


def metrics_of(cases, name):
    done = command("metrics", cases / name, "--json", "--no-receipt")
    document = json.loads(done.stdout)
    return done.returncode, {one["name"].removeprefix("result."): one
                             for one in document["results"]}


def test_a_mean_over_the_mesh_is_proved_reduced(cases):
    """The partitioner inserted the reductions; the verdict names the axes of the user's mesh."""
    code, results = metrics_of(cases, "metric_mean_of_all")
    assert code == 0
    assert {one["verdict"] for one in results.values()} == {"globally_reduced"}
    assert {axis for link in results["loss"]["chain"] for axis in link["axes"]} == \
        {"data", "model"}
    assert results["loss"]["evidence"][0]["kind"] == "static"  # a proof, not an experiment
    assert results["loss"]["chain"][0]["place"]["path"].endswith("global_programs.py")


def test_a_mean_of_a_shard_is_missing_the_users_axis(cases):
    code, results = metrics_of(cases, "metric_mean_of_a_shard")
    assert code == 1
    assert results["mean"]["verdict"] == "local" and results["mean"]["axes"] == ["data"]


def receipt_of(tmp_path, *words, **variables):
    done = command("run", *words, "--receipt", tmp_path / "receipt.json", **variables)
    assert done.returncode == 0, done.stderr
    return json.loads((tmp_path / "receipt.json").read_text()), done


def test_the_receipt_says_how_the_program_was_partitioned(step, tmp_path):
    words = (step, "--fill", "ones", "--cache-dir", tmp_path / "cache", "--slice", "v6e-4")
    receipt, _ = receipt_of(tmp_path, *words)
    made = receipt["partition"]
    assert made["partitioner"] == "shardy" and made["jaxlib"] == program.pinned_version()
    assert not made["cached"] and 0 < made["seconds"] < 600
    (inserted,) = made["collectives"]
    assert inserted["kind"] == "all_reduce" and inserted["axes"] == ["data"]
    assert inserted["count"] == 1 and inserted["bytes"] == 16 and "step.mlir:8:" in inserted["place"]
    # What was inserted is what ran.
    (executed,) = receipt["collectives"]
    assert (executed["kind"], executed["count"], executed["bytes"]) == ("all_reduce", 1, 16)
    again, _ = receipt_of(tmp_path, *words, UNDERSTUDY_PYTHON="/nonexistent/python")
    assert again["partition"]["cached"]
    assert again["partition"]["collectives"] == made["collectives"]


def test_axes_of_the_mesh_on_those_of_the_slice(cases, tmp_path):
    """4 x 2 processes on 2 x 4 chips: in order, and with the two axes of the chips exchanged."""
    words = (cases / "constraints_only", "--numerics", "ieee", "--slice", "v6e-8")
    receipt, _ = receipt_of(tmp_path, *words)
    assert [(one["name"], one["ici_axes"], one["hops"]) for one in receipt["mesh"]] == \
        [("data", ["y"], 1), ("model", ["x"], 1)]
    order = [0, 7, 2, 5, 4, 3, 6, 1]
    text = ",".join(map(str, order))
    receipt, done = receipt_of(tmp_path, *words, "--device-order", text, "--json")
    assert receipt["program"]["device_order"] == order
    shown = json.loads(done.stdout)
    assert shown["device_order"] == order and shown["mesh"] == receipt["mesh"]
    assert shown["mesh"][1]["ici_axes"] == ["x", "y"] and shown["mesh"][1]["hops"] == 4
    dry = command("run", *words, "--device-order", text, "--dry-run")
    assert "mesh axes in v6e-8:" in dry.stderr and "4 links between neighbours" in dry.stderr
    described = command("describe", "v6e-8", "--mesh", "data=4,model=2", "--device-order", text,
                        "--json")
    assert json.loads(described.stdout)["mesh"] == shown["mesh"]


@pytest.mark.parametrize("name", ["train_step_adam", "shard_map_in_scan", "two_orders_of_devices",
                                  "experts_three_axes"])
def test_another_order_of_devices_changes_no_result(cases, name):
    """Every process has another chip; the shards go with it."""
    chips = json.loads((cases / name / "manifest.json").read_text())["devices"]
    order = ",".join(map(str, np.random.default_rng(chips).permutation(chips)))
    done = command("run", cases / name, "--numerics", "ieee", "--no-receipt", "--device-order", order)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "all results match the expected results" in done.stdout


def test_wrong_orders_of_devices(step):
    for order, words in (("0,1,2", "4 processes"), ("0,1,2,2", "each of their ranks once"),
                         ("a", 'got "a"')):
        done = command("run", step, "--fill", "ones", "--device-order", order)
        assert done.returncode == 2 and words in done.stderr, done.stderr


def documented_ways():
    """{way: ({kind: (count, bytes)}, argument bytes)} of the table in docs/global-view.md."""
    ways = {}
    text = (HERE.parents[1] / "docs/global-view.md").read_text()
    for way, kind, count, size, arguments in re.findall(
            r"^\| (\w+) \|[^|]*\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE):
        ways.setdefault(way, ({}, int(arguments)))[0][kind] = (int(count), int(size))
    return ways


def test_five_ways_of_a_transformer_step_are_as_documented(tmp_path):
    folders = make("transformer_ways.py", tmp_path / "ways")
    ways = documented_ways()
    assert sorted(ways) == sorted(one.name for one in folders.iterdir())
    for way, (collectives, arguments) in ways.items():
        done = command("run", folders / way, "--numerics", "ieee", "--json", "--no-receipt",
                       "--disable-pass", "fuse-elementwise",  # steps of loops have arguments too
                       "--dump-passes", tmp_path / f"dump_{way}")
        assert done.returncode == 0, done.stderr
        executed = {one["kind"]: (one["count"], one["bytes"])
                    for one in json.loads(done.stdout)["collectives"]}
        assert executed == collectives, way
        listing = (tmp_path / f"dump_{way}/executable.txt").read_text()
        shapes = {text for text in re.findall(r"argument(\d+ \w+\[[\d,]*\])", listing)}
        sizes = [4 * int(np.prod([int(n) for n in one.split("[")[1][:-1].split(",")]))
                 for one in shapes]
        assert sum(sizes) == arguments, way


PACKAGE = """
import os
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax, jax.numpy as jnp, numpy as np, understudy
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
def place(x, *spec):
    return jax.device_put(x, NamedSharding(mesh, P(*spec)))
x = np.random.default_rng(0).normal(size=(16, 8)).astype(np.float32)
w = np.random.default_rng(1).normal(size=(8, 4)).astype(np.float32)
step = jax.jit(lambda p, x: {"loss": jnp.mean((x @ p["w"]) ** 2)})
one = understudy.run(step, {"w": place(w, None, "model")}, place(x, "data"), slice="v6e-8")
print("loss", one.verdict("loss").ok, one.chips, sorted({c.kind for c in one.collectives}))
given = jax.jit(lambda w, x: jnp.sin(x @ w).sum(0),
                in_shardings=(NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))))
two = understudy.run(given, w, x, slice="v6e-8")
print("sum", two.verdict("result").ok)
"""


def test_package_runs_jitted_functions_with_shardings(tmp_path):
    done = subprocess.run([sys.executable, "-c", PACKAGE], text=True, capture_output=True,
                          env={**os.environ, **python_with_jaxlib()}, timeout=500)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["loss True 8 ['all_reduce']", "sum True"]


def test_the_package_of_the_helper_is_beside_the_binary():
    binary = pathlib.Path(understudy.find_binary()).resolve()
    installed = binary.parent.parent / "share/understudy/partitioner/understudy_partitioner"
    ours = pathlib.Path(understudy_partitioner.__file__).parent
    assert sorted(one.name for one in installed.glob("*.py")) == \
        sorted(one.name for one in ours.glob("*.py"))
