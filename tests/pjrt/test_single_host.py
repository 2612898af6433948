# SPDX-License-Identifier: Apache-2.0
"""Scripts on one host, compared with JAX's CPU backend."""
import json
import pathlib

import pytest

from conftest import ROOT, SCRIPTS, Pod, assert_equal


@pytest.mark.parametrize("script", ["basics.py", "callbacks.py", "collectives.py"])
def test_results_are_those_of_the_cpu(pod, on_cpu, tmp_path, script):
    run = pod(script, tmp_path / "ours.npz")
    assert run.code == 0, run.err
    on_cpu(script, tmp_path / "theirs.npz")
    assert_equal(tmp_path / "ours.npz", tmp_path / "theirs.npz")
    assert run.receipt["verdict"] == "passed"
    assert run.receipt["script"]["script_exit_code"] == 0
    assert sum(run.executes()) > 0


def test_devices_are_those_of_the_slice(pod):
    run = pod("devices.py")
    assert run.code == 0, run.err
    assert run.out.splitlines() == [
        "tpu TPU v6 lite 4 4 0",
        "0 (0, 0, 0) 0 True", "1 (1, 0, 0) 0 True", "2 (0, 1, 0) 0 True", "3 (1, 1, 0) 0 True"]


def test_receipt_counts_the_launches_of_each_chip(pod):
    """The workers compute: as many launches as the script made, on the chip that it named."""
    run = pod("count.py", 25)
    assert run.code == 0, run.err
    assert run.executes() == [0, 0, 25, 0]
    assert run.receipt["compiles"] == 1


def test_a_failed_script_is_exit_code_1(pod):
    run = pod("fail.py", 7)
    assert run.code == 1
    assert run.receipt["script"]["script_exit_code"] == 7
    assert run.receipt["verdict"] == "failed"
    assert "host 0 ended with exit code 7" in run.receipt["failures"][0]["message"]


def test_environment_is_that_of_a_tpu_vm(pod):
    run = pod("environment.py")
    assert run.code == 0, run.err
    values = dict(line.split("=", 1) for line in run.out.splitlines())
    assert values["TPU_WORKER_ID"] == "0"
    assert values["TPU_WORKER_HOSTNAMES"].startswith("127.")
    assert values["JAX_FORCE_TPU_INIT"] == "1"
    assert pathlib.Path(values["TPU_LIBRARY_PATH"]).name == "libunderstudy_pjrt.so"
    assert not [name for name in values if name.startswith(("OMPI_", "PMIX_"))]


def test_lost_worker_is_named_in_the_script_and_in_the_receipt(pod):
    run = pod("lost_worker.py")
    assert run.code == 4, (run.code, run.err)
    assert "caught" in run.out, run.out + run.err
    assert "rank 2 (host 0)" in run.out
    assert "all_reduce" in run.out
    assert run.receipt["failures"][0]["rank"] == 2


def test_results_continue_in_the_memory_of_donated_arguments(pod):
    """Two arrays of 8 MiB, updated in place: their peak is their size, and twice without donation
    (more where launches are in flight)."""
    run = pod("donated.py")
    assert run.code == 0, run.err
    seen = json.loads(run.out)
    assert seen["donated"]["alias"] == 16 and seen["plain"]["alias"] == 0
    assert 16 <= seen["donated"]["peak"] < 17
    assert seen["plain"]["peak"] >= 32
    assert seen["donated"]["first"] == seen["plain"]["first"] == 2 - 2**-5 * 2
    assert seen["sharded"] == {"alias": 8, "value": 2}
    assert seen["read"]


def test_a_callback_that_fails_on_one_chip_does_not_keep_the_others_waiting(pod):
    run = pod("failed_callback.py", limit=100)
    assert run.code == 0, run.err
    assert run.out.splitlines() == ["caught True", "[12. 16.]"]


def test_arrays_have_addresses(pod):
    run = pod("pointers.py")
    assert run.code == 0 and run.out == "distinct\n", run.out + run.err


def test_arrays_have_the_layouts_that_were_asked_for(pod, on_cpu, tmp_path):
    run = pod("layouts.py", tmp_path / "ours.npz")
    assert run.code == 0, run.err
    assert "T(8,128)" in run.out and "arrays on emulated chips are dense" in run.out, run.out
    on_cpu("layouts.py", tmp_path / "theirs.npz")
    assert_equal(tmp_path / "ours.npz", tmp_path / "theirs.npz")


def test_the_plugin_has_a_name_of_its_own(tmp_path):
    """The route of JAX's plugins: the package jax_plugins.understudy, found on the path."""
    for more, platform in (({}, "tpu"), ({"UNDERSTUDY_PLATFORM": "understudy"}, "understudy")):
        # JAX_PLATFORMS for the script alone: the launcher sets its own.
        run = Pod(tmp_path, SCRIPTS / "named_route.py", slice_name="v6e-1",
                  more={**more, "PYTHONPATH": str(ROOT / "python")}).wait()
        assert run.code == 0, run.err
        assert run.out.splitlines() == [f"{platform} TPU v6 lite [0. 2.]"]


def test_a_trace_has_the_host_process_and_the_launches_of_chips(pod, tmp_path):
    run = pod("trace.py", tmp_path / "trace")
    assert run.code == 0, run.err
    assert run.out.splitlines() == [
        "host three steps", f"/device:TPU:0 {['jit_step'] * 3} True"], run.out


def test_dlpack_copies_to_chips_and_does_not_share_their_memory(pod):
    run = pod("from_dlpack.py")
    assert run.code == 0, run.err
    lines = run.out.splitlines()
    assert len(lines) == 2
    assert all("cannot be used as a DLPack device" in one for one in lines)


def test_what_is_missing_is_named(pod):
    run = pod("named_errors.py")
    assert run.code == 0, run.err
    lines = run.out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "dlpack", "custom_partitioning", "option", "switch"]
    assert "refused" in lines[0] and "cannot be used as a DLPack device" in lines[0]
    assert "shard_map" in lines[1] and "CustomSPMDPartitioning" in lines[1]
    assert "No such compile option: 'invalid_key'" in lines[2]
    assert "'x' is not a valid bool value" in lines[3]


def test_addresses_tell_arrays_apart(pod):
    run = pod("addresses.py")
    assert run.code == 0, run.err
    assert json.loads(run.out) == {"same array": True, "two arrays": False, "aligned": True,
                                   "donated": "refused"}


def test_persistent_cache_of_jax_is_hit_by_the_next_run_with_the_same_numerics(pod, tmp_path):
    runs = [pod("cached.py", tmp_path / "cache") for _ in range(2)]
    other = pod("cached.py", tmp_path / "cache", numerics="tpu")
    for run in (*runs, other):
        assert run.code == 0, run.err
        assert "Error writing" not in run.err and "Error reading" not in run.err
    (first, second, third) = (run.out.split() for run in (*runs, other))
    count = int(first[1])
    assert count >= 2 and first[0] == "0"
    assert second[:2] == [str(count), "0"] and second[2:] == first[2:]
    assert third[:2] == ["0", str(count)]
