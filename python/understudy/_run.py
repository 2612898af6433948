# SPDX-License-Identifier: Apache-2.0
"""Runs a JAX function on an emulated slice: export, the program, typed results."""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
import warnings
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from understudy._binary import Finished, run_binary
from understudy._errors import ExportError, Failure
from understudy._export import Exported, export
from understudy._places import python_places
from understudy._results import MetricsResult, RunResult, metrics_result, run_result, select

Folder = Optional[Union[str, "os.PathLike[str]"]]


@contextlib.contextmanager
def _folder(out: Folder) -> Iterator[pathlib.Path]:
    """`out`, or a temporary folder that is removed."""
    if out is not None:
        yield pathlib.Path(out)
        return
    with tempfile.TemporaryDirectory(prefix="understudy-program-") as name:
        yield pathlib.Path(name)


def _failure_of(finished: Finished) -> Optional[dict[str, Any]]:
    """The failure from the receipt, else from the printed document. In a receipt the first of
    `failures` is the run's, unless its kind is null; older receipts have one `failure`."""
    if finished.receipt is not None and finished.receipt.is_file():
        receipt = json.loads(finished.receipt.read_text())
        listed = receipt.get("failures", [receipt.get("failure")])
        if listed and listed[0] and listed[0].get("kind") is not None:
            return dict(listed[0])
    failure = (finished.document or {}).get("failure")
    return failure if isinstance(failure, dict) else None


def _failed_results(document: Optional[dict[str, Any]], names: Sequence[str]) -> str:
    rows = [row for row in (document or {}).get("results", []) if row.get("ok") is False]
    ieee = {True: '; it matches with numerics="ieee"', False: '; with numerics="ieee" too'}
    return "".join(f"\n{names[row['index']]}: differs from the expected result by up to "
                   f"{row['max_abs_error']:.3g}, {row['max_rel_error']:.3g} of its value"
                   f"{ieee.get(row.get('ok_with_ieee'), '')}" for row in rows)


def _raise(finished: Finished, exported: Exported) -> None:
    failure = _failure_of(finished)
    message = (failure or {}).get("message")
    if not message:
        lines = [line for line in finished.stderr.splitlines() if not line.startswith("receipt: ")]
        message = "\n".join(lines[-20:]).strip() or "understudy ended without a message"
        message = message.removeprefix("understudy: error: ")
    place = (failure or {}).get("place") or ""
    places = python_places(exported.lowered.text, f"{message} {place}")
    message += _failed_results(finished.document, exported.results)
    raise Failure(message, exit_code=finished.exit_code, receipt=finished.receipt, failure=failure,
                  python_places=places, document=finished.document, stderr=finished.stderr)


def _words(slice: Optional[str], numerics: str, timeout_seconds: Optional[float],
           fill: Optional[str], options: Sequence[str]) -> list[str]:
    words = ["--json", "--numerics", numerics]
    words += ["--slice", slice] if slice else []
    words += ["--timeout", f"{timeout_seconds:g}"] if timeout_seconds else []
    words += ["--fill", fill] if fill else []
    return [*words, *options]


def _values(exported: Exported, folder: pathlib.Path) -> Any:
    import jax
    from understudy import _arrays, _leaves
    lowered = exported.lowered
    arrays = [_leaves.as_given(leaf, _arrays.load(folder / f"out{i}.npy", leaf.dtype))
              for i, leaf in enumerate(lowered.results)]
    return jax.tree.unflatten(lowered.out_tree, arrays)


def run(fn: Callable[..., Any], *args: Any, slice: Optional[str] = None, numerics: str = "tpu",
        fill: Optional[str] = None, timeout_seconds: Optional[float] = None,
        deadline_seconds: float = 300.0, options: Sequence[str] = (), out: Folder = None,
        **export_options: Any) -> RunResult:
    """Runs `fn(*args)` on an emulated slice and compares with JAX on CPU, unless expect=False.

    slice: "v6e-8"; None: the smallest v6e slice with enough chips.
    fill: values of abstract arguments: "random:SEED", "zeros" or "ones".
    timeout_seconds: gives up on a chip that makes no progress for so long (60).
    deadline_seconds: wall time of the run in all, and of JAX for the expected results.
    options: more options of `understudy run`, such as ("--collectives", "ring").
    out: keeps the program folder there.
    export_options: those of export(): mesh, steps, per_step, carry, expect, kwargs, ...

    Raises Failure, with the receipt, if the run or the comparison fails; ExportError;
    BinaryNotFound. Ctrl-C ends the pod.
    """
    with _folder(out) as folder:
        exported = export(fn, *args, out=folder, numerics=numerics,
                          deadline_seconds=deadline_seconds, **export_options)
        return run_folder(exported, slice=slice, numerics=numerics, fill=fill,
                          timeout_seconds=timeout_seconds, deadline_seconds=deadline_seconds,
                          options=options)


def run_folder(exported: Exported, *, slice: Optional[str] = None, numerics: str = "tpu",
               fill: Optional[str] = None, timeout_seconds: Optional[float] = None,
               deadline_seconds: float = 300.0, options: Sequence[str] = ()) -> RunResult:
    """Runs a folder that export() returned. The arguments are those of run(); `numerics` should be
    that of the export, because the tolerances follow from it."""
    if exported.abstract and fill is None:
        raise ExportError('abstract arguments have no values: pass fill="random:1"')
    words = _words(slice, numerics, timeout_seconds, fill, options)
    with tempfile.TemporaryDirectory(prefix="understudy-results-") as got:
        finished = run_binary(["run", str(exported.folder), "--out", got, *words],
                              deadline_seconds)
        document = finished.document
        if finished.exit_code != 0 or document is None:
            _raise(finished, exported)
        assert document is not None
        return run_result(document, exported.results, _values(exported, pathlib.Path(got)),
                          finished.receipt)


def metrics(fn: Callable[..., Any], *args: Any, slice: Optional[str] = None,
            numerics: str = "tpu", fill: Optional[str] = None,
            timeout_seconds: Optional[float] = None, deadline_seconds: float = 300.0,
            options: Sequence[str] = (), out: Folder = None,
            **export_options: Any) -> MetricsResult:
    """Judges whether each result of `fn(*args)` is globally reduced (docs/metrics.md).

    The arguments are those of run(). Abstract arguments are filled with random values.
    options: more options of `understudy metrics`, such as ("--static",).
    A verdict other than "globally_reduced" is returned, not raised. Raises Failure if the program
    is refused or the pod fails; ExportError; BinaryNotFound.
    """
    export_options.setdefault("expect", False)
    with _folder(out) as folder:
        exported = export(fn, *args, out=folder, numerics=numerics,
                          deadline_seconds=deadline_seconds, **export_options)
        if exported.abstract and fill is None:
            fill = "random:1"
        words = _words(slice, numerics, timeout_seconds, fill, options)
        finished = run_binary(["metrics", str(folder), *words], deadline_seconds)
        document = finished.document
        # 1: not all results are globally reduced.
        if finished.exit_code not in (0, 1) or document is None or not document.get("results"):
            _raise(finished, exported)
        assert document is not None
        return metrics_result(document, exported.results, exported.lowered.text,
                              finished.receipt)


def assert_globally_reduced(fn: Callable[..., Any], *args: Any, results: Sequence[str] = ("loss",),
                            **options: Any) -> MetricsResult:
    """Asserts that each of `results`, paths of results, is globally reduced.

    A pattern that makes such a result doubtful, a mean of means for example, is a Python warning.
    options: those of metrics(). Raises AssertionError with reason, mesh axes and place; KeyError
    for a path that does not exist; what metrics() raises.
    """
    report = metrics(fn, *args, **options)
    chosen = [verdict for name in results for verdict in select(report.verdicts, name)]
    wrong = [verdict for verdict in chosen if verdict.verdict != "globally_reduced"]
    if wrong:
        lines = []
        for verdict in wrong:
            over = f" over mesh axis {', '.join(verdict.axes)}" if verdict.axes else ""
            at = verdict.python_place or verdict.place
            place = f"\n  at {at}" if at else ""
            lines.append(f"{verdict.name} is {verdict.verdict}{over}: {verdict.reason}{place}")
        raise AssertionError("not globally reduced:\n" + "\n".join(lines)
                             + (f"\nreceipt: {report.receipt}" if report.receipt else ""))
    names = {verdict.name for verdict in chosen}
    for warning in report.warnings:
        if warning.result is None or warning.result in names:
            warnings.warn(f"{warning.result or 'program'}: {warning.pattern}: {warning.text}",
                          stacklevel=2)
    return report
