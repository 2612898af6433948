# SPDX-License-Identifier: Apache-2.0
"""Finds calls back into Python in a traced function."""
from __future__ import annotations

from typing import Any, Iterator

from understudy._errors import ExportError

# jax.debug.print is a debug_callback in older versions of JAX.
_CALLBACKS = {"pure_callback": "pure_callback", "io_callback": "io_callback",
              "debug_callback": "jax.debug.callback or jax.debug.print",
              "debug_print": "jax.debug.print"}


def _inner(value: Any) -> Iterator[Any]:
    """The jaxprs in a parameter of an equation."""
    if hasattr(value, "eqns"):
        yield value
    elif hasattr(value, "jaxpr"):
        yield value.jaxpr
    elif isinstance(value, (tuple, list)):
        for element in value:
            yield from _inner(element)


def _place(equation: Any) -> str:
    """" at FILE:LINE", or nothing: JAX has no public way to ask."""
    try:
        from jax._src import source_info_util
        frame = source_info_util.user_frame(equation.source_info.traceback)
        return f" at {frame.file_name}:{frame.start_line}" if frame else ""
    except Exception:
        return ""


def _callbacks(jaxpr: Any) -> Iterator[str]:
    for equation in jaxpr.eqns:
        name = _CALLBACKS.get(equation.primitive.name)
        if name:
            yield name + _place(equation)
        for value in equation.params.values():
            for inner in _inner(value):
                yield from _callbacks(inner)


def refuse_callbacks(jaxpr: Any) -> None:
    """Raises ExportError if the function calls Python while it runs: JAX lowers that only for the
    platform of this process, and a lowered program has no Python."""
    found = sorted(set(_callbacks(jaxpr)))
    if found:
        raise ExportError(
            f"the function calls back into Python ({', '.join(found)}), which is not there when "
            "the lowered program runs: return the value as a result instead of jax.debug.print, "
            "and compute with JAX operations instead of pure_callback; a whole script may call "
            "back: understudy run --slice v6e-8 -- python SCRIPT.py (docs/pjrt.md)")
