# SPDX-License-Identifier: Apache-2.0
"""An attack is a row of a table with a function that runs one trial of it.

A trial takes all of its choices from `trial.rng`, which depends only on the seed, the attack's name
and the trial's number, so that one trial can be repeated alone. It reports violations with
`trial.expect()`; a trial without a report held.
"""
from __future__ import annotations

import dataclasses
import random
import time
import traceback
from collections.abc import Callable

from world import Ran, World


class Skipped(Exception):
    """This machine cannot run the attack; the text gives the reason."""


@dataclasses.dataclass
class Trial:
    """One trial: its choices, its worlds, and the violations that it found."""

    attack: str
    number: int
    seed: int
    rng: random.Random = dataclasses.field(init=False)
    broken: list[str] = dataclasses.field(default_factory=list)
    facts: dict[str, object] = dataclasses.field(default_factory=dict)
    worlds: list[World] = dataclasses.field(default_factory=list)
    seconds: float = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.seed}:{self.attack}:{self.number}")

    def world(self) -> World:
        """A new world for this trial, removed when the trial ends."""
        world = World()
        self.worlds.append(world)
        return world

    def expect(self, holds: bool, text: str) -> bool:
        if not holds:
            self.broken.append(" | ".join(line.strip() for line in text.strip().splitlines()))
        return holds

    def expect_end(self, world: World, ran: Ran, codes: set[int], bound_seconds: float,
                   receipt: str = "finished") -> None:
        """Checks every run: an expected exit code in time, a finished receipt ("finished"), one or
        none ("optional"), or none ("none"), and no leftover processes or files."""
        tail = " | ".join(ran.err.strip().splitlines()[-4:])
        self.facts.setdefault("exit_code", ran.code)
        self.expect(not ran.hung, f"did not end within {ran.seconds:.1f} s; killed by the harness")
        if not ran.hung:
            self.expect(ran.code in codes,
                        f"exit code {ran.code}, expected {sorted(codes)}: {tail}")
            self.expect(ran.seconds <= bound_seconds,
                        f"took {ran.seconds:.1f} s, bound {bound_seconds:g} s: {tail}")
        self.expect("Sanitizer" not in ran.err and "runtime error:" not in ran.err,
                    f"sanitizer report: {ran.err[-600:]}")
        for text in world.receipt_faults(ran, receipt):
            self.broken.append(text)
        self.expect_nothing_left(world)

    def expect_nothing_left(self, world: World, within_seconds: float = 2) -> None:
        processes = world.processes_left(within_seconds)
        self.expect(not processes, f"processes left: {', '.join(processes)}")
        world.kill_all()
        litter = world.litter()
        self.expect(not litter, f"files left: {', '.join(litter)}")


@dataclasses.dataclass(frozen=True)
class Attack:
    """One row. `trials` is the full number, `quick` that of `tests/run attack`. Each of `needs`
    returns the reason why this machine cannot run the attack, or nothing."""

    name: str
    holds: str
    trials: int
    quick: int
    play: Callable[[Trial], None]
    needs: tuple[Callable[[], str | None], ...] = ()


def play(attack: Attack, number: int, seed: int) -> Trial:
    """Runs one trial and cleans up after it. *Throws* Skipped."""
    trial = Trial(attack.name, number, seed)
    begin = time.monotonic()
    try:
        attack.play(trial)
    except Skipped:
        raise
    except Exception:  # the harness itself failed: never counted as held
        lines = traceback.format_exc().strip().splitlines()
        trial.broken.append(f"the harness failed: {' | '.join(lines[-3:])}")
    finally:
        trial.seconds = time.monotonic() - begin
        for world in trial.worlds:
            world.close()
    return trial
