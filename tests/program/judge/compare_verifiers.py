#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our verifier beside jaxlib's, on operations with one thing wrong.

Each operation of the given programs is taken out alone and changed in one place: a size, a rank,
an element type, a number of an attribute, an attribute, an operand, a result, a region. Prints
where one verifier takes what the other refuses, a few examples for each operation. A hole is what
only jaxlib refuses, a false refusal what only we refuse.
usage: compare_verifiers.py READER_PIPE [--only OP] [--examples N] [--expect-holes N]
                            [--expect-refusals N] FILE_OR_FOLDER...
Exit 1 where there are more of either than expected (default: report only).
"""
import argparse
import collections
import pathlib
import re
import sys
import tempfile

from judge import Reader, Rival
from one_operation import operations_of, variants

# What we refuse or take on purpose, as (operation, part of the kind of change), with the reason.
KNOWN = [
    # We have no types of unknown width or sign; jaxlib has.
    # jaxlib keeps attributes that an operation does not have; we read what we need.
]


def known(name, kind):
    return any(re.fullmatch(op, name) and part in kind for op, part in KNOWN)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("reader")
    arguments.add_argument("--only")
    arguments.add_argument("--examples", type=int, default=3)
    arguments.add_argument("--expect-holes", type=int)
    arguments.add_argument("--expect-refusals", type=int)
    arguments.add_argument("paths", nargs="+", type=pathlib.Path)
    given = arguments.parse_args()
    files = [f for p in given.paths for f in (sorted(p.rglob("*.mlir")) if p.is_dir() else [p])]
    rival = Rival()
    found = {"hole": collections.defaultdict(list), "false refusal": collections.defaultdict(list)}
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, Reader(given.reader) as reader:

        def judged(text):
            try:
                rival.parse(text)
                theirs = ""
            except ValueError as error:
                theirs = str(error)
            return theirs, reader.error(text, folder)

        seen = set()
        for operation in operations_of(files, rival):
            if given.only and operation.name != given.only:
                continue
            if any(judged(operation.text())):
                counts["bases refused"] += 1
                continue
            counts["operations"] += 1
            for kind, variant in variants(operation):
                text = variant.text()
                if text in seen:
                    continue
                seen.add(text)
                theirs, ours = judged(text)
                counts["variants"] += 1
                counts["refused by both"] += bool(theirs and ours)
                if bool(theirs) == bool(ours) or known(operation.name, kind):
                    continue
                what = "hole" if theirs else "false refusal"
                found[what][operation.name].append((kind, theirs or ours, variant))
    report(found, given.examples)
    holes, refusals = (sum(map(len, found[k].values())) for k in ("hole", "false refusal"))
    print(
        "{operations} operations, {variants} variants, {refused by both} refused by both,".format(
            **{k: counts[k] for k in ("operations", "variants", "refused by both")}
        ),
        f"{holes} holes, {refusals} false refusals",
    )
    bad = given.expect_holes is not None and holes > given.expect_holes
    bad = bad or (given.expect_refusals is not None and refusals > given.expect_refusals)
    sys.exit(1 if bad else 0)


def report(found, examples):
    for what, by_name in found.items():
        for name, cases in sorted(by_name.items()):
            print(f"{what}: {name}: {len(cases)}")
            for kind, message, variant in cases[:examples]:
                print(f"    {kind}: {message[:200]}\n        {variant.line()[:400]}")


if __name__ == "__main__":
    main()
