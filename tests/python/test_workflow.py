# SPDX-License-Identifier: Apache-2.0
"""The example workflow of deploy/: the shape that GitHub expects, and commands that exist."""
import pathlib
import re
import shlex
import subprocess

import understudy

WORKFLOW = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "understudy-workflow.yml"


def load(text):
    """The YAML of the workflow: nested mappings, lists of mappings, plain values, blocks after "|".
    Anything else raises ValueError."""
    rows = [(len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines()
            if line.strip() and not line.lstrip().startswith("#")]

    def value_of(word, at, indent):
        if word == "|":
            end = at
            while end < len(rows) and rows[end][0] > indent:
                end += 1
            return "\n".join(row for _, row in rows[at:end]), end
        if word:
            return re.sub(r"\s+#.*", "", word).strip('"'), at
        if at < len(rows) and rows[at][0] > indent:
            return node(at, rows[at][0])
        return None, at

    def node(at, indent):
        items, entries = [], {}
        while at < len(rows) and rows[at][0] == indent:
            row = rows[at][1]
            if row.startswith("- "):
                rows[at] = (indent + 2, row[2:])
                item, at = node(at, indent + 2)
                items.append(item)
                continue
            found = re.fullmatch(r"([\w.-]+):(?: (.*))?", row)
            if not found or items:
                raise ValueError(f"unexpected line: {row}")
            if found.group(1) in entries:
                raise ValueError(f"duplicate key: {row}")
            entries[found.group(1)], at = value_of(found.group(2), at + 1, indent)
        return (items or entries), at

    loaded, end = node(0, 0)
    if end != len(rows):
        raise ValueError(f"wrong indentation: {rows[end][1]}")
    return loaded


def test_shape():
    workflow = load(WORKFLOW.read_text())
    assert set(workflow) == {"name", "on", "jobs"}
    assert set(workflow["on"]) == {"push", "pull_request"}
    for job in workflow["jobs"].values():
        assert job["runs-on"] and int(job["timeout-minutes"]) > 0
        assert len(job["steps"]) >= 4
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            assert set(step) <= {"name", "uses", "run", "env", "with", "if"}, step


def test_commands_exist(understudy_pod):
    """Every verb and option of the workflow is one of the binary."""
    seen = []
    for job in load(WORKFLOW.read_text())["jobs"].values():
        for line in "\n".join(step.get("run", "") for step in job["steps"]).splitlines():
            words = shlex.split(line)
            if not words or words[0] != "understudy":
                continue
            seen.append(words[1])
            help_text = subprocess.run([understudy.find_binary(), words[1], "--help"],
                                       capture_output=True, text=True, check=True).stdout
            for option in (word for word in words if word.startswith("--")):
                assert re.search(rf"{option}\b", help_text), (words[1], option)
    assert seen == ["export", "run", "metrics"]
