# SPDX-License-Identifier: Apache-2.0
"""`python -m understudy export` with --json: one document, of a success and of errors. No pod."""
import json
import pathlib
import subprocess

import pytest

from understudy.__main__ import main

ROOT = pathlib.Path(__file__).resolve().parents[2]

MODULE = """
import numpy as np
def make():
    return lambda x: x + 1, (np.ones(4, np.float32),)
def wrong():
    return 3
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "made_for_json.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return "made_for_json"


def faults(kind, document, tmp_path):
    """What Debian's jsonschema finds; the schema must also notice mutants."""
    path = tmp_path / "document.json"
    path.write_text(document)
    said = ""
    for how in ([], ["--mutants"]):
        said += subprocess.run(
            ["/usr/bin/python3", ROOT / "tests/check_schema.py", *how,
             ROOT / f"configs/schema/{kind}.json", path],
            check=True, text=True, capture_output=True).stdout.strip()
    return said


def test_export_prints_one_document(module, tmp_path, capsys):
    assert main(["export", f"{module}:make", "--out", "folder", "--json"]) == 0
    out = capsys.readouterr().out
    document = json.loads(out)
    assert (document["arguments"], document["results"], document["chips"]) == (1, 1, 1)
    assert (tmp_path / document["folder"] / "manifest.json").exists()
    assert faults("exported", out, tmp_path) == ""


@pytest.mark.parametrize("factory", ["no_such_module:make", ":", "{}:none", "{}:wrong"])
def test_errors_are_documents_too(module, tmp_path, capsys, factory):
    words = ["export", factory.format(module), "--out", "folder", "--json"]
    assert main(words) == 2
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert (document["schema"], document["exit_code"]) == ("understudy/error/1", 2)
    assert document["message"] in said.err
    assert faults("error", said.out, tmp_path) == ""
