# SPDX-License-Identifier: Apache-2.0
"""Results of the attacks: a row for each, as text and as JSON."""
from __future__ import annotations

import collections
import dataclasses
from typing import Any


@dataclasses.dataclass
class Row:
    """One attack: its trials, and those that failed."""

    name: str
    holds: str
    trials: int = 0
    seconds: float = 0
    skipped: str = ""  # the reason, if it did not run
    broken: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    # for attacks with the fact "moment_found": number of trials and of held trials by its value
    moments: dict[str, list[int]] = dataclasses.field(default_factory=dict)

    def add(self, number: int, seconds: float, broken: list[str], facts: dict[str, Any]) -> None:
        """Adds a trial."""
        self.trials += 1
        self.seconds += seconds
        if broken:
            self.broken.append({"trial": number, "broken": broken, "facts": facts})
        if "moment_found" in facts:
            counts = self.moments.setdefault(str(facts["moment_found"]), [0, 0])
            counts[0] += 1
            counts[1] += not broken

    @property
    def held(self) -> int:
        return self.trials - len(self.broken)


def repeat_command(name: str, number: int, seed: int, binary: str) -> str:
    return f"tests/attack/run --only {name} --trial {number} --seed {seed} --binary {binary}"


def text_of(rows: list[Row], seed: int, binary: str) -> str:
    """The table; below each broken row the command that repeats its first broken trial."""
    width = max([len(row.name) for row in rows] + [6])
    lines = [f"{'attack':<{width}}  trials  held  broken  seconds  must hold"]
    for row in rows:
        if row.skipped and not row.trials:
            lines.append(f"{row.name:<{width}}  SKIPPED: {row.skipped}")
            continue
        lines.append(f"{row.name:<{width}}  {row.trials:>6}  {row.held:>4}  {len(row.broken):>6}  "
                     f"{row.seconds:>7.1f}  {row.holds}")
        if row.skipped:
            lines.append(f"{'':<{width}}  {row.skipped}")
        if row.moments:
            told = (f"{name}: {held} of {played} held"
                    for name, (played, held) in sorted(row.moments.items()))
            lines.append(f"    {', '.join(told)}")
        lines += _broken_lines(row, seed, binary)
    return "\n".join(lines)


def _broken_lines(row: Row, seed: int, binary: str) -> list[str]:
    if not row.broken:
        return []
    first = row.broken[0]
    lines = [f"    {first['broken'][0][:300]}"]
    kinds = collections.Counter(text.split(":")[0][:60] for one in row.broken
                                for text in one["broken"])
    lines += [f"    {count} x {kind}" for kind, count in kinds.most_common(4)] \
        if len(row.broken) > 1 else []
    return [*lines, f"    repeat: {repeat_command(row.name, first['trial'], seed, binary)}"]


def counts_of(rows: list[Row]) -> tuple[int, int, int]:
    """Attacks that passed, failed and were skipped."""
    played = [row for row in rows if row.trials]
    failed = sum(1 for row in played if row.broken)
    return len(played) - failed, failed, len(rows) - len(played)


def document_of(rows: list[Row], seed: int, version: str) -> dict[str, Any]:
    return {
        "seed": seed, "version": version,
        "attacks": [{"name": row.name, "holds": row.holds, "trials": row.trials, "held": row.held,
                     "broken": row.broken, "moments": row.moments, "seconds": round(row.seconds, 1),
                     "skipped": row.skipped or None} for row in rows],
    }
