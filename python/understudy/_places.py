# SPDX-License-Identifier: Apache-2.0
"""From a line of a lowered program to the line of Python that it comes from."""
from __future__ import annotations

import pathlib
import re
from typing import Iterator, Optional

_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$", re.MULTILINE)
_AT_END = re.compile(r"loc\((#loc\d*)\)$")
# In the order of the text: for call sites the callee comes before the caller.
_PART = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)|(#loc\d*)')
_FUNCTION = re.compile(r"\s*func\.func (?:private|public) @([\w.$-]+)\(")
_OURS = str(pathlib.Path(__file__).resolve().parent)


def _files(alias: str, aliases: dict[str, str], seen: set[str]) -> Iterator[tuple[str, str, str]]:
    """Every "file", line, column of a location, innermost first."""
    if alias in seen:
        return
    seen.add(alias)
    for file, line, column, other in _PART.findall(aliases.get(alias, "")):
        if other:
            yield from _files(other, aliases, seen)
        else:
            yield file, line, column


def _alias_at(lines: list[str], line: int) -> Optional[str]:
    """The location at the end of the operation that starts in this line (from 1)."""
    if not 1 <= line <= len(lines):
        return None
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    for at, content in enumerate(lines[line - 1:]):
        # An operation with a region ends in a later line, at the indentation of the first.
        closes = content[:indent].isspace() and content[indent:].startswith("}")
        found = _AT_END.search(content.rstrip()) if at == 0 or closes or indent == 0 else None
        if found:
            return found.group(1)
    return None


def python_places(program: str, message: str) -> list[str]:
    """The Python behind every "program.mlir:LINE" of a message, each once."""
    found: list[str] = []
    for line in re.findall(r"program\.mlir:(\d+)", message):
        place = python_place(program, int(line))
        if place is not None and place not in found:
            found.append(place)
    return found


def _first_call(lines: list[str], line: int) -> Optional[int]:
    """The line of the first call of the function that holds this line; None in @main."""
    for content in reversed(lines[:line]):
        found = _FUNCTION.match(content)
        if found:
            call = re.compile(rf"\bcall @{re.escape(found.group(1))}\(")
            return next((i for i, other in enumerate(lines, 1) if call.search(other)), None)
    return None


def python_place(text: str, line: int) -> Optional[str]:
    """"file:line:column" of the user's Python for an operation of the program `text`; None if
    the program does not say. Of an operation of a function that JAX traced once for several
    calls, and whose place it dropped, the first call."""
    aliases, lines = dict(_ALIAS.findall(text)), text.split("\n")
    at: Optional[int] = line
    visited: set[int] = set()
    while at is not None and at not in visited:
        visited.add(at)
        alias = _alias_at(lines, at)
        for file, row, column in _files(alias, aliases, set()) if alias else ():
            if "/jax/_src/" not in file and not file.startswith(_OURS):
                return f"{file}:{row}:{column}"
        at = _first_call(lines, at)
    return None
