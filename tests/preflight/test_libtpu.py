# SPDX-License-Identifier: Apache-2.0
"""`understudy preflight` with the real TPU compiler (`tests/run preflight`).

Without the wheel in build/tpu-compiler every test skips itself. Answers are cached in a folder of
the session, so that the cases share what they have in common.
"""

import glob
import json
import os
import subprocess
import time

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.environ.get("UNDERSTUDY_BIN", ROOT + "/build/release/bin/understudy")
LIBRARIES = glob.glob(ROOT + "/build/tpu-compiler/lib/python3*/site-packages/libtpu/libtpu.so")

pytestmark = pytest.mark.skipif(not LIBRARIES, reason="libtpu is not in build/tpu-compiler")


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return str(tmp_path_factory.mktemp("cache"))


def call(cache, *words, env=None, limit=400):
    own = dict(os.environ, **(env or {}))
    own.pop("TPU_LIBRARY_PATH", None)
    own.update(env or {})
    return subprocess.run([BINARY, *words, "--cache-dir", cache], capture_output=True, text=True,
                          timeout=limit, env=own, check=False)


def preflight(cache, *words, env=None, library=True):
    more = ["--libtpu", LIBRARIES[0]] if library else []
    done = call(cache, "preflight", *words, *more, "--json", env=env)
    return done.returncode, json.loads(done.stdout), done


def program(folder, name, text):
    path = folder / (name + ".mlir")
    path.write_text(text)
    return str(path)


def matmul(folder, n):
    t = f"tensor<{n}x{n}xf32>"
    return program(folder, f"matmul{n}", f"""
func.func @main(%a: {t}, %b: {t}) -> {t} {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
  return %0 : {t}
}}
""")


def test_a_small_program_compiles_and_its_second_answer_comes_from_the_cache(cache, tmp_path):
    path = matmul(tmp_path, 64)
    code, first, _ = preflight(cache, path, "--slice", "v6e-1")
    assert (code, first["claim"]) == (0, "proven"), first
    seen = first["programs"][0]
    assert seen["status"] == "compiles" and not seen["cached"]
    assert seen["memory"]["arguments"] >= 2 * 64 * 64 * 4
    assert seen["instructions"] > 0 and seen["fingerprint"]
    begin = time.monotonic()
    code, again, _ = preflight(cache, path, "--slice", "v6e-1")
    assert code == 0 and again["programs"][0]["cached"]
    assert time.monotonic() - begin < 1.0
    assert again["programs"][0]["memory"] == seen["memory"]


def test_a_program_of_one_chip_with_arguments_of_several_ranks_compiles(cache):
    path = ROOT + "/configs/ladders/programs/dense/1"
    code, seen, _ = preflight(cache, path, "--slice", "v6e-1")
    assert code == 0, seen["why"]


def test_a_misspelt_flag_is_refused_with_its_suggestion_and_hides_no_other(cache, tmp_path):
    profile = tmp_path / "flags.json"
    flags = ["--xla_tpu_enable_async_collective_fuson=true",
             "--xla_tpu_enable_async_collective_fusion=true",
             "--xla_tpu_scoped_vmem_limit_kib=abc"]
    profile.write_text(json.dumps({
        "schema": "understudy/profile/1", "name": "flags", "summary": "of a test",
        "extends": "steady", "launch": {"libtpu_init_args": flags}}))
    code, seen, _ = preflight(cache, matmul(tmp_path, 64), "--slice", "v6e-1", "--profile",
                              str(profile), "--compiler-option", "xla_tpu_bogus=1")
    assert (code, seen["claim"]) == (1, "failed")
    words = {one["flag"]: (one["status"], one["words"]) for one in seen["flags"]}
    assert words[flags[0]][0] == "refused"
    assert "Did you mean: xla_tpu_enable_async_collective_fusion" in words[flags[0]][1]
    assert words[flags[1]] == ("accepted", "")
    assert words[flags[2]][0] == "refused" and "abc" in words[flags[2]][1]
    assert "No such compile option" in words["xla_tpu_bogus=1"][1]
    assert seen["programs"][0]["status"] == "compiles"


def test_a_program_that_exceeds_the_hbm_of_v5e_fits_v6e(cache, tmp_path):
    t = "tensor<40960x40960xf32>"  # 6.25 GiB each; four of them live at the end
    path = program(tmp_path, "large", f"""
func.func @main(%a: {t}) -> {t} {{
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
  %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
  %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
  return %2 : {t}
}}
""")
    code, small, _ = preflight(cache, path, "--slice", "v5e-1")
    assert code == 1 and small["programs"][0]["status"] == "refused"
    assert "memory" in small["programs"][0]["words"]
    code, large, _ = preflight(cache, path, "--slice", "v6e-1")
    assert code == 0, large
    memory = large["programs"][0]["memory"]
    assert memory["total"] <= memory["hbm"]


def test_a_wrong_program_is_shown_with_its_line(cache, tmp_path):
    path = program(tmp_path, "wrong", """func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = stablehlo.add %a, %c : tensor<8xf32>
  return %b : tensor<8xf32>
}
""")
    code, seen, _ = preflight(cache, path, "--slice", "v6e-1")
    assert code == 1
    assert seen["programs"][0]["place"].endswith("wrong.mlir:2:26") or \
        seen["programs"][0]["place"].endswith("wrong.mlir:2:25")
    assert "%c" in seen["programs"][0]["source_line"]


def test_programs_of_the_same_file_name_are_told_apart(cache, tmp_path):
    for folder, rows in (("small", 8), ("large", 16), ("again", 8)):
        (tmp_path / folder).mkdir()
        program(tmp_path / folder, "step", f"""
func.func @main(%a: tensor<{rows}x128xf32>) -> tensor<{rows}x128xf32> {{
  %0 = stablehlo.add %a, %a : tensor<{rows}x128xf32>
  return %0 : tensor<{rows}x128xf32>
}}
""")
    paths = [str(tmp_path / folder / "step.mlir") for folder in ("small", "large", "again")]
    dump = tmp_path / "dump"
    code, seen, _ = preflight(cache, *paths, "--slice", "v6e-1", "--dump", str(dump))
    assert code == 0, seen["why"]
    assert [one["programs"] for one in seen["fingerprints"]] == [
        ["small/step", "again/step"], ["large/step"]]
    assert len(list(dump.glob("*.hlo.pb"))) == 3


def test_open_sizes_are_not_asked(cache, tmp_path):
    path = program(tmp_path, "open", """
func.func @main(%a: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %0 = stablehlo.add %a, %a : tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}
""")
    code, seen, _ = preflight(cache, path, "--slice", "v6e-1")
    assert (code, seen["claim"]) == (1, "not shown")
    assert "takes no open sizes" in seen["programs"][0]["words"]


def test_a_collective_in_a_loop_is_the_same(cache, tmp_path):
    t = "tensor<128x256xf32>"
    path = program(tmp_path, "loop", f"""
module attributes {{mhlo.num_partitions = 4 : i32}} {{
func.func @main(%a: {t}) -> {t} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<1000> : tensor<i32>
  %l:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, {t}
  cond {{
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %n = stablehlo.tanh %v : {t}
    %w = "stablehlo.all_reduce"(%n) ({{
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %z = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %z : tensor<f32>
    }}) {{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
         channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
         use_global_device_ids}} : ({t}) -> {t}
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w : tensor<i32>, {t}
  }}
  return %l#1 : {t}
}}
}}
""")
    code, seen, _ = preflight(cache, path, "--slice", "v6e-4")
    assert code == 0, seen["why"]
    one = seen["programs"][0]
    assert [(c["kind"], c["verdict"]) for c in one["comparison"]] == [("all-reduce", "same")]
    assert one["collectives"][0]["in_loop"]


def test_two_preflights_are_compared(cache, tmp_path):
    documents = []
    for n in (64, 128):
        path = program(tmp_path, "step", open(matmul(tmp_path, n), encoding="utf-8").read())
        _, seen, done = preflight(cache, path, "--slice", "v6e-1")
        documents.append(tmp_path / f"{n}.json")
        documents[-1].write_text(done.stdout)
    done = subprocess.run([BINARY, "receipt", "diff", *map(str, documents)], capture_output=True,
                          text=True, timeout=60, check=False)
    assert "program step: memory" in done.stdout and "fingerprint" in done.stdout, done.stdout
    done = subprocess.run([BINARY, "receipt", "diff", str(documents[0]), str(documents[0])],
                          capture_output=True, text=True, timeout=60, check=False)
    assert "both pre-flights are the same" in done.stdout


def test_a_slice_that_is_none_is_refused_before_anything_is_asked(cache, tmp_path):
    done = call(cache, "preflight", matmul(tmp_path, 64), "--slice", "v6e-9")
    assert done.returncode == 2 and "v6e-9" in done.stderr
    done = call(cache, "preflight", matmul(tmp_path, 64), "--chip", "v6e", "--topology", "3x3")
    assert done.returncode == 2


def test_the_topology_is_that_of_describe_for_every_generation(cache, tmp_path):
    for name in ("v3-8", "v4-16", "v5e-16", "v5p-32", "v6e-16", "v6e-8"):
        _, seen, _ = preflight(cache, matmul(tmp_path, 64), "--slice", name)
        topology = seen["topology"]
        assert topology["status"] in ("agrees", "differs"), (name, topology)
        unexplained = [one for one in topology["differences"] if not one["why"]]
        assert not unexplained, (name, unexplained)


def test_joined_slices_are_described_and_compiled_for(cache):
    program_of_eight = ROOT + "/tests/programs/dense_data_parallel"
    code, seen, _ = preflight(cache, program_of_eight, "--slice", "2xv6e-4")
    assert code == 0, seen["why"]
    assert seen["slice"] == "2xv6e-4"
    assert seen["topology"]["slices"] == 2 and seen["topology"]["devices"] == 8
    assert seen["topology"]["processes"] == 2
    kinds = {one["kind"]: one["verdict"] for one in seen["programs"][0]["comparison"]}
    assert kinds and "differs" not in kinds.values(), kinds


def test_a_file_that_is_no_library_and_the_plugin_of_understudy_are_refused(cache, tmp_path):
    wrong = tmp_path / "libtpu.so"
    wrong.write_text("no library")
    done = call(cache, "preflight", matmul(tmp_path, 64), "--slice", "v6e-1", "--libtpu",
                str(wrong), "--json")
    seen = json.loads(done.stdout)
    assert done.returncode == 71 and seen["claim"] == "not shown"
    assert "cannot be used" in seen["why"]
    plugin = ROOT + "/build/release/lib/understudy/libunderstudy_pjrt.so"
    if os.path.exists(plugin):
        done = call(cache, "preflight", matmul(tmp_path, 64), "--slice", "v6e-1", "--json",
                    env={"TPU_LIBRARY_PATH": plugin})
        seen = json.loads(done.stdout)
        assert any("is the plugin of understudy" in note for note in seen["notes"]), seen["notes"]


def test_a_compile_ends_at_its_deadline(cache, tmp_path):
    code, seen, _ = preflight(cache, matmul(tmp_path, 4096), "--slice", "v6e-1",
                              "--compile-timeout", "0.2")
    assert code in (1, 71)
    assert seen["claim"] == "not shown"


def test_a_pallas_kernel_that_exceeds_vmem_is_refused(cache, tmp_path):
    jax = pytest.importorskip("jax")
    from jax.experimental import pallas as pl
    import jax.numpy as jnp

    def kernel(x, out):
        out[...] = x[...] * 2.0

    n = 8192  # a block of 256 MiB; VMEM has 128 MiB
    call_it = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((n, n), jnp.float32))
    lowered = jax.jit(call_it).trace(jax.ShapeDtypeStruct((n, n), jnp.float32)).lower(
        lowering_platforms=("tpu",))
    path = program(tmp_path, "pallas", lowered.as_text())
    code, seen, _ = preflight(cache, path, "--slice", "v6e-1")
    assert code == 1
    assert seen["programs"][0]["status"] == "refused"
    assert "vmem" in seen["programs"][0]["words"].lower()


def test_the_ladder_shows_progress_and_its_second_call_takes_under_a_second(cache):
    words = ["preflight", "--slice", "v6e-4", "--libtpu", LIBRARIES[0]]
    done = call(cache, *words, limit=560)
    assert done.returncode == 0, done.stdout
    assert "compiling hybrid (7 of 7)" in done.stderr
    begin = time.monotonic()
    again = call(cache, *words)
    assert again.returncode == 0 and time.monotonic() - begin < 1.0
    assert "(from the cache)" in again.stdout
