#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if the return code of an MPI call is not passed to mpi_check() in the same expression.

The compiler does not warn about an ignored MPI code. Comments and string literals are blanked
first; then every MPI_Name( must be directly inside mpi_check(, be compared with MPI_SUCCESS, or be
in ALLOWED.
usage: tests/check_mpi_calls.py FILE...
"""
import re
import sys

# They return no code, or end the process.
ALLOWED = {"MPI_Abort", "MPI_Comm_c2f", "MPI_Comm_f2c", "MPI_Op_c2f", "MPI_Op_f2c", "MPI_Type_c2f",
           "MPI_Type_f2c", "MPI_Wtick", "MPI_Wtime"}

BLANKED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
CALL = re.compile(r"\bMPI_[A-Z][a-z]\w*\s*\(")
WRAPPED = re.compile(r"\bmpi_check\(\s*$")
COMPARED = re.compile(r"\s*[!=]=\s*MPI_SUCCESS\b")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def end_of_call(text, at):
    """The end of the call whose arguments start at `at`, after its closing bracket."""
    depth = 1
    while at < len(text) and depth > 0:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def unwrapped_calls(text):
    """Yields (line number, name) of each unchecked call."""
    text = BLANKED.sub(blank, text)
    for match in CALL.finditer(text):
        name = match.group().rstrip("( \t\n")
        wrapped = WRAPPED.search(text, 0, match.start())
        compared = COMPARED.match(text, end_of_call(text, match.end()))
        if name not in ALLOWED and not wrapped and not compared:
            yield text.count("\n", 0, match.start()) + 1, name


def main(paths):
    failed = False
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for line, name in unwrapped_calls(text):
            print(f"{path}:{line}: error: unchecked return code; use mpi_check({name}(...))")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
