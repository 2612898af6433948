# SPDX-License-Identifier: Apache-2.0
"""The plugin under pypjrt, a client of the C API without JAX, where it is installed."""
import json
import sys

import pytest

from conftest import BUILD, Pod

pytest.importorskip("pypjrt", reason="pypjrt is not installed: conformance is not checked")
PLUGIN = BUILD / "lib" / "understudy" / "libunderstudy_pjrt.so"
# docs/pjrt.md says why.
EXCUSED = {"triton.compile", "stream.external_ready_events", "abi_version.extension_present",
           "abi_version.executable_proto", "abi_version.is_compatible_with_executable"}


def test_every_check_passes_but_those_of_absent_extensions(tmp_path):
    report = tmp_path / "report.json"
    script = tmp_path / "conform.py"
    script.write_text("import sys\nfrom pypjrt.conform import main\nsys.exit(main())\n")
    run = Pod(tmp_path, script, PLUGIN, "--json", report).wait()
    assert run.code == 0, run.out + run.err
    checks = json.loads(report.read_text())["checks"]
    results = {one["id"]: one["result"] for one in checks}
    assert len(results) == 63
    assert {name for name, result in results.items() if result != "pass"} == EXCUSED, run.out


def test_functions_after_the_declared_version_answer(pod):
    run = pod("later_functions.py", PLUGIN)
    assert run.code == 0, run.out + run.err
    assert run.out.splitlines() == [
        "attributes {}", "logical ids [(0, 0)]", "parameters ['device', 'device']",
        "results ['device']"]


def test_memory_with_an_external_reference_stays(pod):
    run = pod("external_references.py", PLUGIN)
    assert run.code == 0, run.out + run.err
    lines = run.out.splitlines()
    assert lines[0] == "[1.0, 2.0, 3.0, 4.0]"
    assert "no external reference" in lines[1]
