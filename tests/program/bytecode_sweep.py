#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the bytecode reader with MLIR's. jaxlib writes every program as a portable artifact for
several target versions, reads it back and prints it. compare_programs reads the artifact and the
text with understudy's readers and compares the modules.

usage: bytecode_sweep.py --compare build/release/bin/compare_programs [--targets 1.17.0,0.9.0]
                         [--every N] PATH...
PATH is a .mlir file (split at lines of "// -----"), a portable artifact, or a folder of them. Lines
with check.* operations, which have no artifact form, are removed. Ends with one line of counts;
exit 1 if modules differ, 77 if jaxlib is missing.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

try:
    from jax._src.interpreters import mlir
    from jax._src.lib import _jax
    from jaxlib.mlir import ir
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

TARGETS = "0.9.0,0.10.0,0.12.0,0.14.0,0.15.0,1.0.0,1.5.0,1.10.0,1.13.0,1.15.0,1.17.0"


def parts_of(path):
    """The programs of a file: (name, text or bytes)."""
    data = path.read_bytes()
    if data[:4] == b"ML\xefR":
        return [(str(path), data)]
    parts, lines = [], []
    for line in data.decode("utf-8", "replace").split("\n") + ["// -----"]:
        if line.startswith("// -----"):
            parts.append("\n".join(lines))
            lines = []
        elif "check.expect" not in line:
            lines.append(line)
    return [(f"{path}#{i}", part) for i, part in enumerate(parts) if part.strip()]


def parsed(source):
    if isinstance(source, bytes):
        return _jax.mlir.deserialize_portable_artifact(source)
    return ir.Module.parse(source)


def artifact_of(text, target):
    """None if jaxlib cannot write this program for this version."""
    try:
        return _jax.mlir.serialize_portable_artifact(text, target, True)
    except Exception:  # jaxlib raises several kinds of error for unsupported versions
        return None


def write_pairs(sources, targets, folder, counts):
    """Yields (name, target, artifact path, text path)."""
    for number, (name, source) in enumerate(sources):
        try:
            text = str(parsed(source))
        except Exception:
            counts["not parsed by jaxlib"] += 1
            continue
        for target in targets:
            artifact = artifact_of(text, target)
            if artifact is None:
                counts["not written by jaxlib"] += 1
                continue
            pair = [folder / f"{number}.{target}.{kind}" for kind in ("bc", "mlir")]
            pair[0].write_bytes(artifact)
            pair[1].write_text(str(_jax.mlir.deserialize_portable_artifact(artifact)))
            yield name, target, *pair


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compare", required=True)
    parser.add_argument("--targets", default=TARGETS)
    parser.add_argument("--every", type=int, default=1, help="take every Nth program")
    parser.add_argument("--keep", help="folder for the pairs, kept")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    files = []
    for path in options.paths:
        found = [p for p in sorted(path.rglob("*")) if p.suffix in (".mlir", ".mlirbc", ".bc")]
        files += found if path.is_dir() else [path]
    sources = [part for file in files for part in parts_of(file)][:: options.every]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch)
        with mlir.make_ir_context():
            pairs = list(write_pairs(sources, options.targets.split(","), folder, counts))
        lines = "".join(f"{artifact} {text}\n" for _, _, artifact, text in pairs)
        ran = subprocess.run([options.compare], input=lines, text=True, capture_output=True)
        verdicts = ran.stdout.splitlines()
        if ran.returncode != 0 or len(verdicts) != len(pairs):
            print(f"compare_programs ended with {ran.returncode} at pair {len(verdicts)}")
            return 1
        for (name, target, artifact, _), verdict in zip(pairs, verdicts):
            counts[verdict.split(":")[0]] += 1
            if verdict != "same":
                print(f"{name} for {target} ({artifact.name}): {verdict[:400]}")
    print(
        f"{len(sources)} programs, {len(pairs)} artifacts: "
        + ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    )
    return 0 if counts["same"] == len(pairs) and pairs else 1


if __name__ == "__main__":
    sys.exit(main())
