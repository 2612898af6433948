#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares our verifier with jaxlib's, on operations with one error.

Each operation of the given programs is extracted and changed in one place: a size, a number of
dimensions, an element type, a number of an attribute, an attribute, an operand, a result, a region.
Prints variants on which the verifiers disagree, a few examples per operation. A hole is a variant
that only jaxlib refuses, a false refusal one that only we refuse. KNOWN ones count separately.
usage: compare_verifiers.py READER_PIPE [--only OP] [--examples N] [--bases N] [--every N]
                            FILE_OR_FOLDER...
Exit 1 if there is a hole or a false refusal that is not in KNOWN.
"""
import argparse
import collections
import pathlib
import re
import sys
import tempfile
import zlib

from judge import Reader, Rival, RivalProcess
from one_operation import operations_of, variants

# Intended differences: (operation, text of the one complaint, reason).
KNOWN_REFUSALS = [
    (r"stablehlo\.torch_index_select", "", "jaxlib looks at no type, size or dimension"),
    (
        r"stablehlo\.rng_bit_generator",
        "must agree",
        "the specification: the state that comes out has the type of the one that goes in",
    ),
    (
        r"stablehlo\.bitcast_convert",
        "but must be|must hold one",
        "the specification: one more dimension only for narrower elements",
    ),
    (
        r"chlo\.broadcast_.*",
        "do not broadcast|broadcast_dimensions|but must be",
        "jaxlib compares sizes when it takes CHLO apart, as if they were open until then",
    ),
    (r"chlo\.scan", "but must be", "jaxlib compares shapes only, not element types"),
    (
        r"stablehlo\.dynamic_(broadcast_in_dim|iota|pad|reshape)|stablehlo\.real_dynamic_slice",
        "an element for each|numbers of dimensions must agree",
        "the specification: a shape has an element for each dimension",
    ),
    (
        r"stablehlo\.dynamic_iota",
        "must be a tensor of integers",
        "the specification: iota has no i1",
    ),
    (
        r"stablehlo\.dynamic_conv",
        "but must be|numbers of dimensions must agree|must be positive|entries",
        "the specification: all that holds for a convolution; jaxlib infers no result",
    ),
    (
        r"stablehlo\.(all_gather|reduce_scatter)",
        "but must be|do not divide|needs a channel",
        "the specification: sizes go by the members of a group; jaxlib asks for some multiple",
    ),
    (
        r"stablehlo\.fft",
        "its last dimensions must be",
        "the specification: fft_length is the size of the dimensions, also of FFT and IFFT",
    ),
    (
        r"stablehlo\.(reduce|reduce_window|scatter)",
        "one initial value|as many updates",
        "jaxlib leaves an operand over",
    ),
    (r"stablehlo\.scatter", "must hold integers", "jaxlib takes i1 for an index"),
    (r"sdy\..*", "is (tuple|!stablehlo.token)", "nothing but tensors is cut into shards"),
    (
        r"stablehlo\.composite",
        "this block must end in",
        "jaxlib leaves regions of a composite unread",
    ),
]
KNOWN_HOLES = [
    (
        r"stablehlo\.(custom_call|infeed)",
        "[Ll]ayout",
        "empty lists of layouts say what no list says, and the reader drops them",
    ),
    (
        r"chlo\.constant_like",
        "match element return type",
        "no text has a complex number outside of dense<...>: its real part stands for it",
    ),
    (
        r"sdy\.manual_computation",
        "list of axes",
        "[] and #sdy<manual_axes{}> are one attribute",
    ),
]


def known(name, complaint, rows):
    return any(re.fullmatch(op, name) and re.search(part, complaint) for op, part, _ in rows)


class Comparison:
    def __init__(self, rival, reader, folder):
        self.rival, self.reader, self.folder = rival, reader, folder
        self.counts = collections.Counter()
        self.found = {k: collections.defaultdict(list) for k in ("hole", "false refusal")}
        self.seen = set()

    def judged(self, text):
        return self.rival.error(text), self.reader.error(text, self.folder)

    def base(self, operation):
        """Whether both verifiers accept the unchanged operation."""
        fits = self.judged(operation.text()) == ("", "")
        self.counts["operations" if fits else "bases refused"] += 1
        return fits

    def variant(self, operation, kind, variant, every):
        text = variant.text()
        if text in self.seen or zlib.crc32(text.encode()) % every:
            return
        self.seen.add(text)
        theirs, ours = self.judged(text)
        if theirs is None:
            self.counts["ended jaxlib"] += 1
            return
        self.counts["variants"] += 1
        self.counts["refused by both"] += bool(theirs and ours)
        if bool(theirs) == bool(ours):
            return
        what = "hole" if theirs else "false refusal"
        complaint = theirs or ours.split(": error: ")[-1]
        if known(operation.name, complaint, KNOWN_HOLES if theirs else KNOWN_REFUSALS):
            self.counts[f"known {what}s"] += 1
        else:
            self.counts[f"{what}s"] += 1
            self.found[what][operation.name].append((kind, complaint, variant))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("reader")
    arguments.add_argument("--only", help="only operations of this name")
    arguments.add_argument("--examples", type=int, default=3, help="examples to print per operation")
    arguments.add_argument("--bases", type=int, default=10**9, help="at most this many originals per operation")
    arguments.add_argument("--every", type=int, default=1, help="only every Nth variant")
    arguments.add_argument("paths", nargs="+", type=pathlib.Path)
    given = arguments.parse_args()
    files = [f for p in given.paths for f in (sorted(p.rglob("*.mlir")) if p.is_dir() else [p])]
    bases = collections.Counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        Reader(given.reader) as reader,
        RivalProcess() as rival,
    ):
        comparison = Comparison(rival, reader, folder)
        for operation in operations_of(files, Rival(), reader):
            if given.only and operation.name != given.only:
                continue
            if bases[operation.name] >= given.bases or not comparison.base(operation):
                continue
            bases[operation.name] += 1
            for kind, variant in variants(operation):
                comparison.variant(operation, kind, variant, given.every)
    report(comparison.found, given.examples)
    counts = comparison.counts
    print(
        f"{counts['operations']} operations, {counts['variants']} variants, "
        f"{counts['refused by both']} refused by both, {counts['holes']} holes "
        f"({counts['known holes']} more are known), {counts['false refusals']} false refusals "
        f"({counts['known false refusals']} more are known)"
    )
    sys.exit(1 if counts["holes"] or counts["false refusals"] or not counts["operations"] else 0)


def report(found, examples):
    for what, by_name in found.items():
        for name, cases in sorted(by_name.items()):
            print(f"{what}: {name}: {len(cases)}")
            for kind, message, variant in cases[:examples]:
                print(f"    {kind}: {message[:200]}\n        {variant.line()[:400]}")


if __name__ == "__main__":
    main()
