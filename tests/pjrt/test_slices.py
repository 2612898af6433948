# SPDX-License-Identifier: Apache-2.0
"""Slices joined by DCN, each with several host processes."""
import json
import subprocess

import conftest

TWO = {"slice_name": "2xv6e-4", "options": ("--hosts", "2")}  # two hosts of two chips per slice


def told(run):
    return sorted((json.loads(line) for line in run.out.splitlines()), key=lambda one: one["process"])


def test_arrays_over_slices_equal_those_of_one_machine(pod, on_cpu, tmp_path):
    ours, theirs = tmp_path / "ours.npz", tmp_path / "theirs.npz"
    run = pod("slices.py", ours, **TWO)
    assert run.code == 0, run.err
    on_cpu("slices.py", theirs, devices=8)
    conftest.assert_equal(ours, theirs)
    # A host has the two chips of one x.
    places = [[chip, chip // 2, chip // 4, [chip // 2 % 2, chip % 2, 0]] for chip in range(8)]
    hosts = told(run)
    assert [one["process"] for one in hosts] == [0, 1, 2, 3]
    for one in hosts:
        assert one["processes"] == 4
        assert sorted(one["places"]) == places
        assert one["local"] == [2 * one["process"], 2 * one["process"] + 1]
        assert one["rows"] == [[0], [1]], "one slice in each row of the hybrid mesh"
    assert run.receipt["slice"] == "2xv6e-4"
    assert [host["slice"] for host in run.receipt["hosts"]] == [0, 0, 1, 1]
    assert run.receipt["chip_count"] == 8 and run.receipt["host_count"] == 4


def test_hosts_have_the_variables_of_their_slice(pod, tmp_path):
    run = pod("slices.py", tmp_path / "ours.npz", **TWO)
    assert run.code == 0, run.err
    hosts = [one["variables"] for one in told(run)]
    assert [one["MEGASCALE_SLICE_ID"] for one in hosts] == ["0", "0", "1", "1"]
    assert [one["TPU_WORKER_ID"] for one in hosts] == ["0", "1", "0", "1"]
    assert [one["TPU_NAME"] for one in hosts] == ["v6e-4-s0"] * 2 + ["v6e-4-s1"] * 2
    first, second = (hosts[at]["TPU_WORKER_HOSTNAMES"].split(",") for at in (0, 2))
    assert hosts[1]["TPU_WORKER_HOSTNAMES"].split(",") == first
    assert len(set(first + second)) == 4, "each host has an address of its own"
    for one in hosts:
        assert one["MEGASCALE_NUM_SLICES"] == "2" and one["MEGASCALE_PORT"] == "8080"
        assert one["MEGASCALE_COORDINATOR_ADDRESS"] == first[0]


def test_two_runs_at_once_do_not_meet(tmp_path):
    runs = []
    for name in "ab":
        folder = tmp_path / name
        folder.mkdir()
        runs.append(conftest.Pod(folder, conftest.SCRIPTS / "distributed.py", **TWO))
    for run in runs:
        run.wait()
        assert run.code == 0, run.err
        lines = sorted(run.out.splitlines())
        assert [line.split(":")[0] for line in lines] == [f"{host} of 4" for host in range(4)]
        assert all(f"[{float(sum(range(16)))}, " in line for line in lines)


def test_a_host_process_killed_in_the_second_slice_is_named(tmp_path):
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "killed_host.py", slice_name="2xv6e-4",
                       options=("--hosts", "2"),
                       more={"UNDERSTUDY_TEST_SLICE": "1"}).wait()
    assert run.code == 1, (run.code, run.err)
    failure = run.receipt["failures"][0]
    assert failure["message"] == ("the script of host 3 (slice 1, worker 1) was ended by SIGKILL")
    assert (failure["host"], failure["slice"]) == (3, 1)
    assert "host 3, slice 1, phase script" in run.err
    assert run.receipt["script"]["script_exit_code"] == 137


def test_a_launch_that_the_second_slice_leaves_out_is_named(tmp_path):
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "left_out.py", slice_name="2xv6e-4",
                       options=("--launch-timeout", "3")).wait()
    assert run.code == 4, (run.code, run.err)
    failure = run.receipt["failures"][0]
    assert failure["kind"] == "timeout" and "has not made" in failure["message"], failure
    assert (failure["host"], failure["slice"]) == (1, 1)
    assert "caught" in run.out


def test_a_host_process_stopped_in_the_second_slice_is_named(tmp_path):
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "stopped.py", slice_name="2xv6e-4").wait()
    assert run.code == 4, (run.code, run.err)
    failure = run.receipt["failures"][0]
    assert "host 1 (slice 1, worker 0)" in failure["message"], failure
    assert (failure["slice"], failure["signal"]) == (1, "SIGSTOP")


def test_a_lost_chip_of_the_second_slice_is_named(tmp_path):
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "lost_worker.py", slice_name="2xv6e-4").wait()
    assert run.code == 4, (run.code, run.err)
    failure = run.receipt["failures"][0]
    assert (failure["rank"], failure["host"], failure["slice"]) == (6, 1, 1), failure
    assert "rank 6, host 1, slice 1" in run.err
    assert "rank 6" in run.out, "the script gets the same"


def test_compile_only_topologies_have_slices(pod):
    run = pod("slice_topology.py", slice_name="v6e-4")
    assert run.code == 0, run.err
    seen = json.loads(run.out)
    assert seen["places"] == [[chip, chip // 4, chip // 4, [chip % 2, chip // 2 % 2, 0]]
                              for chip in range(8)]
    assert seen["same"] == seen["places"]
    assert seen["one"] == [False] * 4, "a single slice has no slice_index"
    assert seen["shapes"] == [[2, 4]]
    assert "Ran out of memory in memory space hbm. Used 24.00G of 14.90G hbm" in seen["memory"]
    assert seen["memory"].count("RESOURCE_EXHAUSTED") == 1
    assert "Unexpected arguments: bogus" in seen["refused"]
    assert "cannot join 0 slices" in seen["none"]


def run_file(receipt, *options):
    done = subprocess.run([conftest.BUILD / "bin/understudy", "run", "--slice", "2xv6e-4",
                           "--cache-policy", "off", "--receipt", receipt, *options,
                           conftest.ROOT / "tests/programs/dense_data_parallel"],
                          capture_output=True, text=True, timeout=120, check=False)
    return done, json.loads(receipt.read_text())


def test_a_program_file_runs_on_joined_slices(tmp_path):
    """The folder has the expected results. No link of a torus joins the two slices."""
    for algorithm in ("auto", "torus"):
        done, receipt = run_file(tmp_path / "receipt.json", "--collectives", algorithm)
        assert done.returncode == 0, done.stderr
        assert "all results match the expected results" in done.stdout
        assert receipt["slice"] == "2xv6e-4" and receipt["contract_agreed"]
        assert [host["slice"] for host in receipt["hosts"]] == [0, 1]
        assert "torus" not in [one["algorithm"] for one in receipt["collectives"]]


def test_a_lost_chip_of_a_program_file_is_named_with_its_slice(tmp_path):
    done, receipt = run_file(tmp_path / "receipt.json", "--fault", "kill:rank=6")
    assert done.returncode == 4, done.stderr
    failure = receipt["failures"][0]
    assert (failure["rank"], failure["host"], failure["slice"]) == (6, 1, 1)
    assert "rank 6, host 1, slice 1" in done.stderr


def test_joined_slices_are_rehearsed(tmp_path):
    receipt = tmp_path / "receipt.json"
    done = subprocess.run([conftest.BUILD / "bin/understudy", "rehearse", "--slice", "2xv6e-1",
                           "--receipt", receipt], capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rehearsing 2xv6e-1: 2 chips, 2 hosts" in done.stdout + done.stderr
    assert json.loads(receipt.read_text())["slice"] == "2xv6e-1"
