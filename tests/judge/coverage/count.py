#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what `judge` says of folders of `write.py` and prints docs/coverage.md.

    count.py JUDGE VERSION=DIR...

JUDGE is the built binary; each DIR has the programs as one version of JAX lowers them. The groups
are those of the first. Exit 1 if a result differs, or a program is refused that should run.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

HEAD = """# Coverage

The programs of `tests/judge/coverage/` are JAX functions as users write them. Each is lowered by `jax.export` for the platforms `cpu` and `tpu`,
as text and as artifact, run with `--numerics ieee`, and compared with JAX on CPU. Programs that need no partitioner only. This page is the
output of `tests/judge/coverage/count.py`; `write.py` there makes the folders. Pallas kernels and host callbacks are refused with advice.
"""


def judged(judge, folder):
    """The verdict by folder name: "agrees", "differs", or the target of the refused custom call."""
    run = subprocess.run([judge, folder], capture_output=True, text=True, check=False)
    verdicts = {path.name: "agrees" for path in sorted(pathlib.Path(folder).iterdir())}
    for line in run.stdout.splitlines():
        if found := re.match(r"(refused|DIFFERS) (\S+): (.*)", line):
            what, name, why = found.groups()
            target = re.search(r"@(\S+)", why)
            verdicts[name] = "differs" if what == "DIFFERS" else target[1] if target else why
    if not re.search(r"\d+ agree, \d+ differ, \d+ refused$", run.stdout.strip()):
        sys.exit(f"count.py: {judge} ended with {run.returncode}: {run.stderr[-500:]}")
    return verdicts


def groups_table(folder, verdicts):
    rows = collections.defaultdict(lambda: [set(), set(), set()])
    for name, verdict in verdicts.items():
        manifest = json.loads((pathlib.Path(folder) / name / "manifest.json").read_text())
        programs, running, refused = rows[manifest["about"]]
        programs.add(manifest["name"])
        (running if verdict == "agrees" else refused).add(manifest["name"])
    lines = ["| group | programs | run and agree in every form | others |", "|---|---|---|---|"]
    for group, (programs, running, refused) in sorted(rows.items()):
        lines.append(f"| {group} | {len(programs)} | {len(running - refused)} | {', '.join(sorted(refused)) or '-'} |")
    total = [set().union(*(row[i] for row in rows.values())) for i in range(3)]
    lines.append(f"| all | {len(total[0])} | {len(total[1] - total[2])} | {len(total[2])} |")
    return "\n".join(lines)


def main():
    judge, versions = sys.argv[1], [word.split("=", 1) for word in sys.argv[2:]]
    counts = ["| JAX | forms of programs | agree | differ | refused | refused custom calls |", "|---|---|---|---|---|---|"]
    groups, wrong = "", 0
    for version, folder in versions:
        verdicts = judged(judge, folder)
        groups = groups or groups_table(folder, verdicts)
        refused = collections.Counter(v for v in verdicts.values() if v not in ("agrees", "differs"))
        differ = sum(v == "differs" for v in verdicts.values())
        unexpected = sum(n for target, n in refused.items() if not re.search("callback|tpu_custom_call", target))
        wrong += differ + unexpected
        agree = len(verdicts) - differ - sum(refused.values())
        targets = ", ".join(f"`{t}` {n}" for t, n in sorted(refused.items())) or "-"
        counts.append(f"| {version} | {len(verdicts)} | {agree} | {differ} | {sum(refused.values())} | {targets} |")
    print(HEAD + "\n" + groups + "\n\nA form is a program, a platform, and text or artifact. An older JAX has fewer programs: what it cannot "
          "lower is left out.\n\n" + "\n".join(counts))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
