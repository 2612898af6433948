# SPDX-License-Identifier: Apache-2.0
"""Names of arguments and results by their path in a pytree: "params.layers[0].w"."""
from __future__ import annotations

from typing import Any, Optional, Sequence


def _component(key: Any) -> str:
    """One key of a JAX key path as text: ".w" for attributes and identifiers, else "[...]"."""
    for field in ("name", "key", "idx"):  # GetAttrKey; DictKey, FlattenedIndexKey; SequenceKey
        if hasattr(key, field):
            value = getattr(key, field)
            break
    else:
        return f"[{key}]"
    if isinstance(value, str) and value.isidentifier():
        return "." + value
    return f"[{value!r}]"


def path_name(root: str, path: Sequence[Any]) -> str:
    """The name of the leaf at `path` below `root`."""
    return root + "".join(_component(key) for key in path)


def result_name(path: Sequence[Any], result_names: Optional[Sequence[str]]) -> str:
    """The name of a result: below "result", or below its own name in `result_names`, which has one
    name for each element of a returned tuple or list, else one for the whole."""
    if not result_names:
        return path_name("result", path)
    if not path or not hasattr(path[0], "idx"):
        return path_name(result_names[0], path)
    return path_name(result_names[path[0].idx], path[1:])


def _is_below(name: str, prefix: str) -> bool:
    return name == prefix or (name.startswith(prefix) and name[len(prefix)] in ".[")


def matching(names: Sequence[str], query: str) -> list[int]:
    """Indices of the names that `query` selects.

    A query is a whole name, the start of a path ("params" selects "params.w"), either of them
    without the leading "result", or the last component of a path ("loss" selects
    "result[1].loss"). The first of these rules that selects anything applies.
    """
    separator = "" if query[:1] in (".", "[") else "."
    for prefix in (query, f"result{separator}{query}"):
        chosen = [i for i, name in enumerate(names) if _is_below(name, prefix)]
        if chosen:
            return chosen
    return [i for i, name in enumerate(names) if name.endswith("." + query)]
