#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where the return code of an MPI call is not handed to mpi_check() on the line that gets it.

The compiler does not warn about a dropped MPI code, so this does. Comments and string literals are
blanked first; then every MPI_Name( must stand directly inside mpi_check( or be in ALLOWED.
usage: tests/check_mpi_calls.py FILE...
"""
import re
import sys

# Calls whose code tells nothing more: they return no int, or end the process.
ALLOWED = {"MPI_Wtime", "MPI_Wtick", "MPI_Abort"}

BLANKED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
CALL = re.compile(r"\bMPI_[A-Z][a-z]\w*\s*\(")
WRAPPED = re.compile(r"\bmpi_check\(\s*$")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def unwrapped_calls(text):
    """Yields (line number, name) of each call that nobody checks."""
    text = BLANKED.sub(blank, text)
    for match in CALL.finditer(text):
        name = match.group().rstrip("( \t\n")
        if name not in ALLOWED and not WRAPPED.search(text, 0, match.start()):
            yield text.count("\n", 0, match.start()) + 1, name


def main(paths):
    failed = False
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for line, name in unwrapped_calls(text):
            print(f"{path}:{line}: error: the code of {name} is not checked: mpi_check({name}(...))")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
