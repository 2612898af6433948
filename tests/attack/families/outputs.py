# SPDX-License-Identifier: Apache-2.0
"""Standard descriptors that are closed, full, or without a reader."""
from __future__ import annotations

import os

from attack import Attack, Trial
from world import PROGRAMS

PROGRAM = str(PROGRAMS / "fsdp_train_step")
LONG_TEXT = ("describe", "v6e-16")
EMPTY = ("cache", "ls")  # without entries it may print nothing
VERBS: tuple[tuple[str, ...], ...] = (
    ("run", PROGRAM), ("run", PROGRAM, "--json"), ("run", PROGRAM, "--dry-run"), LONG_TEXT,
    ("help",), ("help", "run"), ("--version",), ("env", "--slice", "v6e-16"), ("doctor",),
    ("metrics", PROGRAM), EMPTY, ("describe", "--list"),
)


def _redirected(trial: Trial, how: str) -> tuple[str, ...]:
    """A prefix that redirects the descriptors with a shell."""
    trial.facts["descriptors"] = how
    return ("sh", "-c", f'exec "$0" "$@" {how}')


def closed(trial: Trial) -> None:
    world = trial.world()
    how = trial.rng.choice(("<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "<&- 2>&-"))
    words = trial.rng.choice(VERBS)
    trial.facts["words"] = " ".join(words)
    world.prefix = list(_redirected(trial, how))
    world.output_is_lost = True
    ran = world.run(*words, limit_seconds=60)
    out_is_closed = any(part.startswith(">&-") for part in how.split())
    codes = {71} if out_is_closed and words != EMPTY else {0, 71}
    trial.expect_end(world, ran, codes, 60, "optional")


def full(trial: Trial) -> None:
    world = trial.world()
    how = trial.rng.choice((">/dev/full", ">/dev/full", "2>/dev/full", ">/dev/full 2>&1"))
    words = trial.rng.choice(VERBS)
    trial.facts["words"] = " ".join(words)
    world.prefix = list(_redirected(trial, how))
    world.output_is_lost = True
    ran = world.run(*words, limit_seconds=60)
    codes = {71} if how.startswith(">") and words != EMPTY else {0, 71}
    trial.expect_end(world, ran, codes, 60, "optional")


def read_by_nobody(trial: Trial) -> None:
    """SIGPIPE or EPIPE: the run ends without noise."""
    world = trial.world()
    words = trial.rng.choice(VERBS)
    trial.facts["words"] = " ".join(words)
    world.output_is_lost = True
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as out:
        world.start(*words, stdout=out)
    ran = world.finish(60)
    trial.expect_end(world, ran, {0, 71, 141, -13}, 60, "optional")
    noise = [line for line in ran.err.splitlines() if "terminate" in line or "internal" in line]
    trial.expect(not noise, f"prints noise: {noise}")


ATTACKS = [
    Attack("output-closed", "0 or 71; 71 if standard output is closed; no abort", 50, 8, closed),
    Attack("output-full", "71 if standard output is full; no abort", 50, 8, full),
    Attack("output-unread", "quiet end", 30, 4, read_by_nobody),
]
