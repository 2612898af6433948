# SPDX-License-Identifier: Apache-2.0
"""jax.distributed on several host processes, and what happens when they disagree or end."""
import subprocess

import conftest


def test_two_hosts_see_each_other(pod):
    run = pod("distributed.py", slice_name="v6e-8", options=("--hosts", "2"))
    assert run.code == 0, run.err
    total = float(sum(range(16)))
    first, second = sorted(run.out.splitlines())
    assert first == f"0 of 2: 4 of 8; {[total] * 4} {[14.0, 0.0, 2.0, 4.0]}"
    assert second == f"1 of 2: 4 of 8; {[total] * 4} {[6.0, 8.0, 10.0, 12.0]}"
    assert len(run.receipt["script"]["hosts"]) == 2
    # Both programs of the script, and those of JAX itself: the same number on every chip.
    assert len(set(run.executes())) == 1 and run.executes()[0] >= 2


def test_different_programs_are_named_at_the_first_launch(pod):
    run = pod("different.py", slice_name="v6e-8", options=("--hosts", "2"))
    assert run.code == 0, run.err
    for line in run.out.splitlines():
        assert "the hosts launch different programs" in line
    assert len(run.out.splitlines()) == 2


def test_two_runs_at_once_do_not_meet(tmp_path):
    runs = []
    for name in "ab":
        folder = tmp_path / name
        folder.mkdir()
        runs.append(conftest.Pod(folder, conftest.SCRIPTS / "distributed.py", slice_name="v6e-8",
                                 options=("--hosts", "2")))
    for run in runs:
        run.wait()
        assert run.code == 0, run.err
        assert len(run.out.splitlines()) == 2


def test_killed_launcher_leaves_no_process(tmp_path):
    marker = f"host-process-of-{tmp_path.name}"
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "sleep.py", marker)
    assert run.process.stdout.readline().strip() == "ready"
    run.process.kill()
    run.process.wait()
    for _ in range(100):
        found = subprocess.run(["pgrep", "-f", marker], capture_output=True, text=True, check=False)
        if not found.stdout.strip():
            return
        subprocess.run(["sleep", "0.1"], check=True)
    raise AssertionError(f"still running: {found.stdout}")


def test_killed_host_process_is_named(tmp_path):
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "killed_host.py", slice_name="v6e-8",
                       options=("--hosts", "2")).wait()
    assert run.code == 1, (run.code, run.err)
    assert "host 1 was ended by SIGKILL" in run.receipt["failures"][0]["message"]
    assert run.receipt["script"]["script_exit_code"] == 137


def test_a_launch_that_one_host_leaves_out_is_named(tmp_path):
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "left_out.py", slice_name="v6e-8",
                       options=("--hosts", "2", "--launch-timeout", "3")).wait()
    assert run.code == 4, (run.code, run.err)
    assert run.out.count("first 120.0") == 2
    failure = run.receipt["failures"][0]
    assert failure["kind"] == "timeout" and "has not made" in failure["message"], failure
    assert "(host 1)" in failure["message"].split("host process of")[1]
    assert "caught" in run.out


def test_an_idle_host_is_not_lost(tmp_path):
    """The same wait without a launch of the other host: no limit holds."""
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "idle.py", slice_name="v6e-8",
                       options=("--hosts", "2", "--launch-timeout", "2")).wait()
    assert run.code == 0, (run.code, run.err)
    assert run.out.count("second 120.0") == 2


def test_a_stopped_host_process_is_named(tmp_path):
    run = conftest.Pod(tmp_path, conftest.SCRIPTS / "stopped.py", slice_name="v6e-8",
                       options=("--hosts", "2")).wait()
    assert run.code == 4, (run.code, run.err)
    failure = run.receipt["failures"][0]
    assert "host 1" in failure["message"] and failure["signal"] == "SIGSTOP", failure
