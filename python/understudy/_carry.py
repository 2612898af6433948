# SPDX-License-Identifier: Apache-2.0
"""Which results become which arguments of the next step."""
from __future__ import annotations

import re
from typing import Mapping, Optional, Sequence, Union

from understudy._errors import ExportError
from understudy._leaves import Leaf
from understudy._names import matching

Pairs = list[tuple[int, int]]  # (result, argument of the program)
Candidate = tuple[list[int], list[int]]  # results, arguments
Carry = Optional[Union[Mapping[str, str], Sequence[tuple[int, int]]]]


def _split(name: str, root: str) -> tuple[str, str]:
    """"result[0].w" is ("[0]", ".w") below "result"; "params.w" is ("params", ".w")."""
    start = len(root) if root and name.startswith(root) else 0
    for end in range(start + 1, len(name)):
        if name[end] in ".[":
            return name[start:end], name[end:]
    return name[start:], ""


def _groups(leaves: Sequence[Leaf], root: str = "") -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for i, leaf in enumerate(leaves):
        groups.setdefault(_split(leaf.name, root)[0], []).append(i)
    return groups


def _alike(results: Sequence[Leaf], arguments: Sequence[Leaf]) -> bool:
    """Same types and shapes, in the same order."""
    def kinds(leaves: Sequence[Leaf]) -> list[tuple[str, tuple[int, ...]]]:
        return [(leaf.dtype, leaf.shape) for leaf in leaves]
    return kinds(results) == kinds(arguments)


def _same_field(result: str, argument: str) -> bool:
    """Both are one field of a structure: result.s or result[0].s, and state.s."""
    field = _split(argument, "")[1]
    return bool(field) and re.sub(r"^result(\[\d+\])?", "", result) == field


def _candidates(arguments: Sequence[Leaf], results: Sequence[Leaf]) -> tuple[list[Candidate], bool]:
    """Groups of results with groups of arguments, and whether they have the same names."""
    inputs, outputs = _groups(arguments), _groups(results, "result")
    named = [(out, inputs[key.lstrip(".")]) for key, out in outputs.items()
             if key.lstrip(".") in inputs]
    if named:
        return named, True
    in_order = list(inputs.values())
    if any(leaf.name.startswith("result.") for leaf in results):  # one structure, not a tuple
        return [(list(range(len(results))), group) for group in in_order[:1]], False
    return list(zip(outputs.values(), in_order)), False


def _automatic(arguments: Sequence[Leaf], results: Sequence[Leaf]) -> Pairs:
    """Results that have the name of an argument, else the leading results that mirror the
    arguments at the same positions. A lone number is carried by name only, its own or that of its
    field: a loss is not the learning rate of the next step."""
    candidates, by_name = _candidates(arguments, results)
    pairs: Pairs = []
    for out, into in candidates:
        mirrored = _alike([results[i] for i in out], [arguments[i] for i in into])
        number = len(out) == 1 and results[out[0]].shape == () and not _same_field(
            results[out[0]].name, arguments[into[0]].name)
        if mirrored and (by_name or not number):
            pairs += zip(out, into)
        elif not by_name:
            break
    return pairs


def _by_path(carry: Mapping[str, str], arguments: Sequence[Leaf], results: Sequence[Leaf]) -> Pairs:
    pairs: Pairs = []
    for source, target in carry.items():
        out = matching([leaf.name for leaf in results], source)
        into = matching([leaf.name for leaf in arguments], target)
        for name, found, leaves in ((source, out, results), (target, into, arguments)):
            if not found:
                raise ExportError(f"carry: nothing is named {name!r}; there are: "
                                  + ", ".join(leaf.name for leaf in leaves))
        if not _alike([results[i] for i in out], [arguments[i] for i in into]):
            raise ExportError(f"carry: {source!r} and {target!r} differ in number of arrays, shape "
                              "or type")
        pairs += zip(out, into)
    return pairs


def carried(carry: Carry, steps: int, arguments: Sequence[Leaf], results: Sequence[Leaf]) -> Pairs:
    """carry: {"result path": "argument path"}, index pairs, or None: results that mirror arguments.

    Raises ExportError for paths that do not exist, and if several steps were asked for, but no
    result mirrors an argument: every step would compute the same.
    """
    if isinstance(carry, Mapping):
        return _by_path(carry, arguments, results)
    if carry is not None:
        return [(int(result), int(argument)) for result, argument in carry]
    pairs = _automatic(arguments, results)
    if steps > 1 and not pairs:
        raise ExportError(f"steps={steps}, but no result mirrors an argument (a lone number is "
                          'carried by name only); pass carry={"result path": "argument path"}, '
                          "or carry=() to repeat one step")
    return pairs
