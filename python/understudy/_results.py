# SPDX-License-Identifier: Apache-2.0
"""What run() and metrics() return. Plain values; a field that nobody observed is None."""
from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, Mapping, Optional

from understudy._names import matching
from understudy._places import python_place


@dataclasses.dataclass(frozen=True)
class ResultVerdict:
    """One result of a run. ok: within the tolerance of the expected value; None: not compared.

    distinct_values: more than 1 if chips that should hold the same value do not. ok_with_ieee: of
    a second run under numerics="ieee", after a comparison failed. nans, infinities: elements.
    """
    name: str
    dtype: str
    shape: tuple[int, ...]
    digest: Optional[str]
    ok: Optional[bool]
    max_abs_error: Optional[float]
    max_rel_error: Optional[float]
    distinct_values: int
    read_before_reduction: Optional[bool]
    ok_with_ieee: Optional[bool] = None
    nans: Optional[int] = None
    infinities: Optional[int] = None


@dataclasses.dataclass(frozen=True)
class HbmPeak:
    """Bytes of the fullest chip."""
    predicted_bytes: Optional[int]
    observed_bytes: Optional[int]


@dataclasses.dataclass(frozen=True)
class Collective:
    """One kind of collective with one algorithm. Numbers of one chip, the largest over all chips;
    operand_bytes are those of the operands."""
    kind: str
    algorithm: str
    count: int
    operand_bytes: int
    sent_bytes: int


@dataclasses.dataclass(frozen=True)
class RunResult:
    """A run that passed. values: what the function returned, as NumPy arrays in its pytree, typed
    keys as keys. wall_seconds: of each step on this machine. cached: no chip compiled.
    collectives: None if not all chips told theirs. document: what the program printed
    (understudy/run/2)."""
    values: Any
    verdicts: tuple[ResultVerdict, ...]
    slice: str
    chips: int
    hbm_peak: HbmPeak
    collectives: Optional[tuple[Collective, ...]]
    wall_seconds: tuple[float, ...]
    cached: Optional[bool]
    receipt: Optional[pathlib.Path]
    document: Mapping[str, Any] = dataclasses.field(repr=False)

    def verdict(self, name: str) -> ResultVerdict:
        """The verdict of one result, by its path. Raises KeyError."""
        return _one(self.verdicts, name)


@dataclasses.dataclass(frozen=True)
class Evidence:
    """done: the action; seen: the observation; speaks_for: a global value, None: inconclusive."""
    kind: str
    done: str
    seen: str
    speaks_for: Optional[bool]


@dataclasses.dataclass(frozen=True)
class Exchange:
    """An exchange between chips on the way to a result: "all_reduce sum" over mesh axes. partly:
    over some of the chips along them only. Places as in MetricVerdict."""
    exchange: str
    axes: tuple[str, ...]
    partly: bool
    place: Optional[str]
    python_place: Optional[str]


@dataclasses.dataclass(frozen=True)
class MetricVerdict:
    """The verdict on one result (docs/metrics.md): "globally_reduced", "partially_reduced",
    "local", "replicated_by_luck", "not_applicable" or "undecided".

    contributors: of a partially reduced result, the mesh coordinates whose data count ("data=0"),
    one entry for arguments that are sharded alike. chain: the last exchanges that it went through.
    place: "path:line:column" of the operation of the program that decides, with its name;
    python_place: of the Python that it comes from."""
    name: str
    verdict: str
    reason: str
    axes: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    place: Optional[str]
    python_place: Optional[str]
    contributors: tuple[str, ...] = ()
    chain: tuple[Exchange, ...] = ()


@dataclasses.dataclass(frozen=True)
class MetricWarning:
    """A pattern behind a result that makes it doubtful. result: its name, None: of the program.

    error, relative_error: of a mean of means, how far it is from the global mean with these data.
    """
    result: Optional[str]
    pattern: str
    text: str
    place: Optional[str]
    python_place: Optional[str]
    error: Optional[float] = None
    relative_error: Optional[float] = None


@dataclasses.dataclass(frozen=True)
class MetricsResult:
    """document: what the program printed (understudy/metrics/1)."""
    verdicts: tuple[MetricVerdict, ...]
    warnings: tuple[MetricWarning, ...]
    slice: str
    chips: int
    receipt: Optional[pathlib.Path]
    document: Mapping[str, Any] = dataclasses.field(repr=False)

    def verdict(self, name: str) -> MetricVerdict:
        """The verdict of one result, by its path. Raises KeyError."""
        return _one(self.verdicts, name)


def select(verdicts: tuple[Any, ...], name: str) -> list[Any]:
    """The verdicts whose results `name` selects. Raises KeyError, which lists the names."""
    names = [verdict.name for verdict in verdicts]
    chosen = matching(names, name)
    if not chosen:
        raise KeyError(f"no result is named {name!r}; there are: {', '.join(names)} (result_names="
                       "(...) names the elements of a returned tuple)")
    return [verdicts[i] for i in chosen]


def _one(verdicts: tuple[Any, ...], name: str) -> Any:
    chosen = select(verdicts, name)
    if len(chosen) > 1:
        raise KeyError(f"{name!r} is the name of several results: "
                       + ", ".join(verdict.name for verdict in chosen))
    return chosen[0]


def _places(place: Optional[Mapping[str, Any]], text: str) -> tuple[Optional[str], Optional[str]]:
    """In the program and in Python."""
    if place is None:
        return None, None
    return (f"{place['path']}:{place['line']}:{place['column']} ({place['op']})",
            python_place(text, place["line"]))


def run_result(document: Mapping[str, Any], names: tuple[str, ...], values: Any,
               receipt: Optional[pathlib.Path]) -> RunResult:
    """From understudy/run/2."""
    verdicts = tuple(
        ResultVerdict(names[row["index"]], row["dtype"], tuple(row["shape"]), row["digest"],
                      row["ok"], row["max_abs_error"], row["max_rel_error"],
                      row.get("distinct_values", 1), row.get("read_before_reduction"),
                      row.get("ok_with_ieee"), row.get("nans"), row.get("infinities"))
        for row in document["results"])
    seen = document["collectives"]
    collectives = None if seen is None else tuple(
        Collective(row["kind"], row["algorithm"], row["count"], row["bytes"],
                   row["bytes_sent_per_chip"]) for row in seen)
    peak = document["hbm_peak_bytes"]
    return RunResult(values, verdicts, document["slice"], document["chips"],
                     HbmPeak(peak["predicted"], peak["observed"]), collectives,
                     tuple(step["wall_seconds"] for step in document["steps"]),
                     document["compile"]["cached"], receipt, document)


def metrics_result(document: Mapping[str, Any], names: tuple[str, ...], text: str,
                   receipt: Optional[pathlib.Path]) -> MetricsResult:
    """From understudy/metrics/1. text: the program."""
    verdicts = tuple(
        MetricVerdict(names[row["index"]], row["verdict"], row["reason"], tuple(row["axes"]),
                      tuple(Evidence(one["kind"], one["done"], one["seen"], one["speaks_for"])
                            for one in row["evidence"]), *_places(row["place"], text),
                      tuple(row["contributors"]),
                      tuple(Exchange(one["exchange"], tuple(one["axes"]), one["partly"],
                                     *_places(one["place"], text)) for one in row["chain"]))
        for row in document["results"])
    warnings = tuple(
        MetricWarning(None if row["result"] is None else names[row["result"]], row["pattern"],
                      row["text"], *_places(row["place"], text), row["error"],
                      row["relative_error"]) for row in document["warnings"])
    return MetricsResult(verdicts, warnings, document["slice"], document["chips"], receipt,
                         document)
