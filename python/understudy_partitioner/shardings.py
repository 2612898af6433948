# SPDX-License-Identifier: Apache-2.0
"""HLO sharding strings: the part of their grammar that splits a tuple."""
from __future__ import annotations

from typing import Optional

REPLICATED = "{replicated}"


def split(text: str) -> list[str]:
    """Elements of "{{replicated}, {devices=[2]<=[2]}}", or [text] if it is no tuple. Elements of a
    tuple have depth 2; deeper braces ("last_tile_dims={manual}") belong to them."""
    inner = text[1:].lstrip()
    if not inner.startswith("{"):
        return [] if text.replace(" ", "") == "{}" else [text]
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        if letter == "{":
            depth += 1
            if depth == 2:
                begin = at
        elif letter == "}":
            if depth == 2:
                parts.append(text[begin:at + 1])
            depth -= 1
    return parts


def of_results(output: Optional[str], count: int) -> list[str]:
    """One string per result. XLA writes none where nothing is sharded."""
    if output is None:
        return [REPLICATED] * count
    parts = split(output)
    return parts if len(parts) == count else [output] * count
