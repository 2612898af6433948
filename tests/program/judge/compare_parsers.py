#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares our text reader with jaxlib's parser and printer on the same programs.

jaxlib parses each program and prints it pretty, generic and with locations. Our reader must read
the same module from all forms, and jaxlib the same module from our printer's text. A program whose
dialects jaxlib lacks (check, interpreter) goes through our printer first.
usage: compare_parsers.py READER_PIPE [--every K] [--most-refused N] [--verbose] FILE_OR_FOLDER...
Ends with one line of counts; exit 1 if anything differs, if nothing is equal, or if jaxlib refuses
more than N programs.
"""
import argparse
import collections
import pathlib
import re
import sys
import tempfile

from judge import Reader, Rival

FORMS = ("given", "ours", "pretty", "generic", "located", "again")
FOREIGN = re.compile(r"^\s*(%\S+ = )?(check|interpreter)\.", re.MULTILINE)


def programs_of(path):
    """(name, text) of each part of a file; lines of // ----- separate parts."""
    parts = re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE)
    for i, text in enumerate(parts):
        if text.strip():
            yield (f"{path}" if len(parts) == 1 else f"{path}#{i}"), text


def compare(text, rival, reader, folder):
    """(outcome, detail): equal, foreign (read through our printer), refused (by jaxlib), different."""
    paths = {k: folder / f"{k}.mlir" for k in FORMS}
    paths["given"].write_text(text)
    answer = reader.ask("print", paths["given"], paths["ours"])
    foreign = bool(FOREIGN.search(text))
    if foreign and answer == "ok":
        text = paths["ours"].read_text()
    try:
        module = rival.parse(text)
    except ValueError as error:
        # Our printer's text must be read, but for quantised types, which jaxlib has not, and for
        # what is a known hole of compare_verifiers.py: a real number for a complex constant_like.
        lost = foreign and "!quant." not in text and "'chlo.constant_like' op value's" not in str(error)
        return ("different" if lost else "refused"), f"jaxlib: {error} | ours: {answer}"
    if answer != "ok":
        return "different", f"ours: {answer}"
    generic = rival.generic(module)
    pretty = rival.pretty(module)
    paths["generic"].write_text(generic)
    paths["pretty"].write_text(pretty)
    paths["located"].write_text(rival.pretty(module, locations=True))
    pairs = [("given", "generic"), ("pretty", "located")]
    # A few short forms leave out what their operation says by default.
    paths["again"].write_text(rival.generic(rival.parse(pretty)))
    pairs.append(("pretty", "again"))
    for one, other in pairs:
        answer = reader.ask("same", paths[one], paths[other])
        if answer != "ok":
            return "different", f"{one} and {other}: {answer}"
    try:
        ours = rival.parse(paths["ours"].read_text())
    except ValueError as error:
        return "different", f"our text: {error}"
    again = rival.generic(ours)
    # Our modules leave defaults out, as those of artifacts do; through VHLO both have them.
    same = plain(again) == plain(generic) or (
        rival.portable(ours) is not None and rival.portable(ours) == rival.portable(module)
    )
    if not same:
        return "different", "our text means another module: " + first_line(generic, again)
    return ("foreign" if foreign else "equal"), ""


def plain(text):
    """Operations that jaxlib does not know keep <{properties}> and {attributes} apart; we do not."""
    return re.sub(r'("(?:check|interpreter|test)\..*?)<(\{.*\})>', r"\1\2", text)


def first_line(a, b):
    for x, y in zip(a.splitlines(), b.splitlines()):
        if x != y:
            at = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
            begin = max(0, at - 60)
            return f"{x[begin:at + 60].strip()} | {y[begin:at + 60].strip()}"
    return "one is longer"


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("reader")
    arguments.add_argument("--every", type=int, default=1, help="read only every Kth file")
    arguments.add_argument("--most-refused", type=int, default=10**9)
    arguments.add_argument("--verbose", action="store_true", help="also print programs that jaxlib refuses")
    arguments.add_argument("paths", nargs="+", type=pathlib.Path)
    given = arguments.parse_args()
    files = [f for p in given.paths for f in (sorted(p.rglob("*.mlir")) if p.is_dir() else [p])]
    counts = collections.Counter()
    rival = Rival()
    with tempfile.TemporaryDirectory() as folder, Reader(given.reader) as reader:
        for file in files[:: given.every]:
            for name, text in programs_of(file):
                outcome, what = compare(text, rival, reader, pathlib.Path(folder))
                counts[outcome] += 1
                if outcome == "different" or (given.verbose and what):
                    print(f"{outcome}: {name}: {what}", flush=True)
    print(
        f"{len(files[:: given.every])} of {len(files)} files: "
        "{} programs equal, {} equal by way of our printer, {} refused by jaxlib, {} different".format(
            *(counts[k] for k in ("equal", "foreign", "refused", "different"))
        )
    )
    proved = counts["equal"] > 0 and counts["refused"] <= given.most_refused
    sys.exit(0 if proved and not counts["different"] else 1)


if __name__ == "__main__":
    main()
