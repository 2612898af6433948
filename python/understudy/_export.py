# SPDX-License-Identifier: Apache-2.0
"""Writes a program folder (docs/formats.md, "Program folders") from a JAX function."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Optional, Sequence, Union

import numpy as np

from understudy._errors import ExportError

if TYPE_CHECKING:
    from understudy._carry import Carry
    from understudy._leaves import Leaf
    from understudy._lower import Lowered

_MADE_HERE = ("program.mlir", "program.mlirbc", "manifest.json", "names.json")


@dataclasses.dataclass(frozen=True)
class Exported:
    """A program folder. arguments and results: names by pytree path, in the program's order.

    abstract: the folder has no values; run it with `--fill`. unused: arguments of the function
    that are no arguments of the program. carry: (result, argument of the next step).
    """
    folder: pathlib.Path
    devices: int
    mesh: Mapping[str, int]
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    unused: tuple[str, ...]
    steps: int
    carry: tuple[tuple[int, int], ...]
    per_step: tuple[str, ...]
    abstract: bool
    lowered: "Lowered" = dataclasses.field(repr=False, compare=False)


def _prepare(out: Union[str, os.PathLike[str]]) -> pathlib.Path:
    """An empty folder, or one that an earlier export filled and that is emptied now."""
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    there = sorted(folder.iterdir())
    if there and not (folder / "names.json").exists():
        raise ExportError(f"{folder}: expected an empty folder, or one that export() wrote; "
                          f"found {there[0].name}")
    for path in there:
        array = path.suffix == ".npy" and path.stem.rstrip("0123456789") in ("arg", "out")
        if array or path.name in _MADE_HERE:
            path.unlink()
    return folder


def _entry(file: str, leaf: "Leaf", steps: Optional[int] = None) -> dict[str, Any]:
    """steps: of an argument with data for each step, whose leading axis is the step."""
    shape = list(leaf.shape) if steps is None else [steps, *leaf.shape]
    per_step = {} if steps is None else {"per_step": True}
    return {"file": file, "dtype": leaf.dtype, "shape": shape, **per_step}


def _compact(document: Mapping[str, Any]) -> str:
    """JSON with one line for each argument and result."""
    rows = []
    for key, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines = ",\n".join("  " + json.dumps(row) for row in value)
            rows.append(f' "{key}": [\n{lines}\n ]')
        else:
            rows.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _write_values(folder: pathlib.Path, lowered: "Lowered",
                  expected: Sequence[np.ndarray]) -> None:
    from understudy import _arrays
    for i, leaf in enumerate(lowered.arguments):
        value = leaf.value if leaf.stacked is None else leaf.stacked
        assert value is not None
        _arrays.save(folder / f"arg{i}.npy", value)
    for i, array in enumerate(expected):
        _arrays.save(folder / f"out{i}.npy", array)


def _write_names(folder: pathlib.Path, exported: Exported) -> None:
    """names.json. The manifest has no key for names, and its reader refuses unknown keys."""
    lowered = exported.lowered

    def rows(leaves: Sequence["Leaf"]) -> list[dict[str, Any]]:
        return [{"name": leaf.name, "dtype": leaf.dtype, "shape": list(leaf.shape),
                 "prng_key": leaf.key_impl is not None} for leaf in leaves]

    document = {"schema": "understudy/names/1", "args": rows(lowered.arguments),
                "results": rows(lowered.results), "unused": list(exported.unused)}
    (folder / "names.json").write_text(_compact(document))


def _manifest(name: str, exported: Exported, tolerances: list[dict[str, float]]) -> dict[str, Any]:
    lowered = exported.lowered
    arguments = [] if exported.abstract else lowered.arguments
    results = zip(lowered.results, tolerances)  # none without expected results
    return {
        "name": name,
        "about": f"{name}, lowered by JAX.",
        "devices": exported.devices,
        **({"mesh": dict(exported.mesh)} if exported.mesh else {}),
        **({"platforms": list(lowered.platforms)} if len(lowered.platforms) > 1 else {}),
        "steps": exported.steps,
        "carry": [list(pair) for pair in exported.carry],
        "args": [_entry(f"arg{i}.npy", leaf, None if leaf.stacked is None else exported.steps)
                 for i, leaf in enumerate(arguments)],
        "results": [{**_entry(f"out{i}.npy", leaf), **tolerance}
                    for i, (leaf, tolerance) in enumerate(results)],
    }


def export(fn: Callable[..., Any], *args: Any, out: Union[str, os.PathLike[str]],
           mesh: Any = None, steps: int = 1, carry: "Carry" = None, expect: bool = True,
           platforms: Sequence[str] = ("tpu",), kwargs: Optional[Mapping[str, Any]] = None,
           static_argnums: Sequence[int] = (), static_argnames: Sequence[str] = (),
           result_names: Optional[Sequence[str]] = None, numerics: str = "tpu",
           rtol: Optional[float] = None, atol: Optional[float] = None,
           per_step: Sequence[str] = (), artifact: Union[bool, Literal["only"]] = False,
           deadline_seconds: float = 300.0) -> Exported:
    """Lowers `fn(*args, **kwargs)` and writes it as a program folder to `out`.

    fn: a function, jitted or not. args, kwargs: its arguments as global arrays; numbers, typed
        PRNG keys and pytrees too. With a jax.ShapeDtypeStruct among them the folder has no values.
    mesh: the mesh of every shard_map that names none: a Mesh, an AbstractMesh or {"data": 8}.
    steps, carry: the expected results are those after so many steps. carry maps paths of results
        to paths of arguments ({"result[0]": "params"}), or is a list of index pairs; None carries
        results that mirror arguments.
    expect: compute expected results with JAX on N CPU devices, in a child process. Where the
        function depends on the platform (lax.platform_dependent), they are those of the CPU.
    static_argnums, static_argnames: as for jax.jit, for functions that are not jitted yet.
    per_step: paths of arguments with data for each step ("batch"): their arrays have a leading axis
        of `steps` elements, and the function gets one element of it in each step.
    platforms: of the lowering; with several the program selects by platform, and its tpu branch
        runs.
    artifact: True writes the portable artifact program.mlirbc in addition to the text, "only" instead of it.
    result_names: names of the elements of a returned tuple, instead of result[0], result[1].
    numerics: the mode in which the folder will run; tolerances follow from it, unless given as
        rtol and atol (|got - want| <= atol + rtol * |want|).
    deadline_seconds: wall time for JAX to compute the expected results.

    Donated arguments stay usable: the function is lowered, not called, in this process.
    Raises ExportError, OSError, and what JAX raises for a function that it cannot trace.
    """
    from understudy import _carry, _lower
    if numerics not in ("tpu", "ieee"):
        raise ExportError(f"numerics: expected 'tpu' or 'ieee', got {numerics!r}")
    if steps < 1:
        raise ExportError(f"steps: expected at least 1, got {steps}")
    call = _lower.Call(fn, args, dict(kwargs or {}), tuple(static_argnums),
                       tuple(static_argnames), result_names)
    shared = _lower.abstract_mesh(mesh)
    lowered = _lower.lower(call, shared, platforms, per_step, steps)
    exported = Exported(
        folder=_prepare(out), devices=lowered.devices, mesh=lowered.mesh, steps=steps,
        arguments=tuple(leaf.name for leaf in lowered.arguments),
        results=tuple(leaf.name for leaf in lowered.results),
        unused=tuple(leaf.name for i, leaf in enumerate(lowered.leaves) if i not in lowered.kept),
        carry=tuple(_carry.carried(carry, steps, lowered.arguments, lowered.results)),
        per_step=tuple(leaf.name for leaf in lowered.arguments if leaf.stacked is not None),
        abstract=any(leaf.value is None for leaf in lowered.leaves), lowered=lowered)
    _refuse_carried(exported)
    given = {key: value for key, value in (("rtol", rtol), ("atol", atol)) if value is not None}
    name = getattr(fn, "__name__", type(fn).__name__)
    _write(exported, name, shared, expect, numerics, given, deadline_seconds)
    _write_program(exported, artifact)
    return exported


def _refuse_carried(exported: Exported) -> None:
    for result, argument in exported.carry:
        name = exported.arguments[argument]
        if name in exported.per_step:
            raise ExportError(f"per_step: {name} is also carried from {exported.results[result]}; "
                              "pass carry={...} without it")


def _write_program(exported: Exported, artifact: Union[bool, Literal["only"]]) -> None:
    """The text, the portable artifact, or both."""
    from understudy import _program_text
    if artifact:
        (exported.folder / "program.mlirbc").write_bytes(
            _program_text.portable_artifact(exported.lowered.text))
    if artifact != "only":
        (exported.folder / "program.mlir").write_text(exported.lowered.text)


def _write(exported: Exported, name: str, mesh: Any, expect: bool, numerics: str,
           given: Mapping[str, float], deadline_seconds: float) -> None:
    from understudy._reference import Expected, expected_results
    from understudy._tolerance import rounding_of, tolerance
    lowered, folder = exported.lowered, exported.folder
    rounding = rounding_of(lowered.text, numerics)
    expected: list[Expected] = []
    if expect and not exported.abstract:
        expected = expected_results(lowered, mesh, exported.steps, exported.carry, rounding.unit,
                                    deadline_seconds)
    _write_names(folder, exported)
    if not exported.abstract:
        _write_values(folder, lowered, [want for want, _ in expected])
    tolerances = [{**tolerance(want, rounding, spread, exported.steps), **given}
                  for want, spread in expected]
    (folder / "manifest.json").write_text(_compact(_manifest(name, exported, tolerances)))
