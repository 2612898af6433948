# SPDX-License-Identifier: Apache-2.0
"""Scripts with jit over sharded arrays: one partitioner serves all host processes."""
import os
import sys

import numpy as np
import pytest

import conftest
from conftest import ROOT, SCRIPTS, assert_equal

GPT = ROOT / "examples" / "scripts" / "gpt.py"


def partitioner():
    """The interpreter of the partitioner, as the launcher finds it in a checkout."""
    return os.environ.get("UNDERSTUDY_PYTHON") or str(ROOT / "build/partitioner/bin/python3")


@pytest.fixture
def counted(tmp_path):
    """A partitioner that notes each of its starts: (environment of a run, file with the notes)."""
    notes, script = tmp_path / "starts", tmp_path / "python"
    script.write_text(f'#!/bin/sh\necho start >>"{notes}"\nexec "{partitioner()}" "$@"\n')
    script.chmod(0o755)
    return {"UNDERSTUDY_PYTHON": str(script), "XDG_CACHE_HOME": str(tmp_path / "cache")}, notes


def test_results_are_those_of_the_cpu(pod, on_cpu, tmp_path):
    run = pod("global_view.py", tmp_path / "ours.npz")
    assert run.code == 0, run.err
    on_cpu("global_view.py", tmp_path / "theirs.npz")
    ours, theirs = np.load(tmp_path / "ours.npz"), np.load(tmp_path / "theirs.npz")
    assert len(ours.files) > 60 and sorted(ours.files) == sorted(theirs.files)
    for name in ours.files:
        if ours[name].dtype.kind == "f":
            np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-5, atol=5e-6, err_msg=name)
        else:
            np.testing.assert_array_equal(ours[name], theirs[name], err_msg=name)
    collectives = {row["kind"] for row in run.receipt["collectives"]}
    assert {"all_reduce", "all_gather", "collective_permute"} <= collectives


@pytest.mark.parametrize("slice_name, hosts", [("v6e-8", 2), ("v6e-4", 4)])
def test_several_hosts(pod, slice_name, hosts):
    run = pod("several.py", slice_name=slice_name, options=("--hosts", str(hosts)))
    assert run.code == 0, run.err
    lines = sorted(run.out.splitlines())
    assert len(lines) == hosts and len({line.split(": ")[1] for line in lines}) == 1, run.out
    assert min(run.executes()) > 5


def test_one_partitioner_serves_all_hosts_and_none_is_started_for_known_programs(tmp_path, counted):
    variables, starts = counted
    words = ("--distributed", "--steps", "2", "--out")
    for number in (1, 2):
        run = conftest.Pod(tmp_path, GPT, *words, tmp_path / f"{number}.npz", more=variables,
                           slice_name="v6e-8", options=("--hosts", "2")).wait()
        assert run.code == 0, run.err
        assert starts.read_text() == "start\n"
    assert_equal(tmp_path / "1.npz", tmp_path / "2.npz", rtol=0, atol=0)


def test_missing_partitioner_is_named_in_the_script(tmp_path):
    run = conftest.Pod(tmp_path, GPT, more={"UNDERSTUDY_PYTHON": "/nowhere/python3",
                                            "XDG_CACHE_HOME": str(tmp_path / "cache")}).wait()
    assert run.code == 1
    assert "/nowhere/python3" in run.err and "deploy/install-partitioner" in run.err


def test_crashing_partitioner_is_replaced(tmp_path):
    """The first process ends at its first question; the script gets an error and goes on."""
    script = tmp_path / "python"
    script.write_text(f"""#!/bin/sh
if [ -e "{tmp_path}/once" ]; then exec "{partitioner()}" "$@"; fi
touch "{tmp_path}/once"
exec "{sys.executable}" -c '
import json, os, struct
text = json.dumps(dict(protocol=1, jaxlib="0", python="3", error="")).encode()
os.write(1, struct.pack("<IQ", len(text), 0) + text)
os.read(0, 1)
os.abort()'
""")
    script.chmod(0o755)
    run = conftest.Pod(tmp_path, SCRIPTS / "twice.py", more={
        "UNDERSTUDY_PYTHON": str(script), "XDG_CACHE_HOME": str(tmp_path / "cache")}).wait()
    assert run.code == 0, run.err
    assert "SIGABRT" in run.out or "signal 6" in run.out, run.out
    assert "then: 28.0" in run.out
