# SPDX-License-Identifier: Apache-2.0
"""Modified entries of the compile cache, with and without a correct digest."""
from __future__ import annotations

import pathlib

import entries
import mutate
import programs
from attack import Attack, Skipped, Trial
from world import Ran, World

BOUND_SECONDS = 20.0


class Warm:
    """A world with a warm cache, and the results of the program without damage."""

    def __init__(self, trial: Trial, constant: float = 3) -> None:
        self.trial = trial
        self.world = trial.world()
        self.right = self.run(constant, "warm")
        found = entries.entries_in(self.world.cache)
        if not found:
            raise RuntimeError(f"the first run left no entry: {self.right[0].err[-300:]}")
        self.path: pathlib.Path = found[0]
        entries.layout_of(self.path.read_bytes())  # a new format fails here, until it has a row

    def run(self, constant: float, name: str) -> tuple[Ran, object]:
        """The run, and the digests of its results."""
        program = programs.write(self.world.folder, f"{name}.mlir", programs.one_chip(constant))
        ran = self.world.run("run", program, "--slice", "v6e-1", "--fill", "ones")
        receipt = self.world.receipt()
        results = receipt.get("results")
        digests = [one["digest"] for one in results] if isinstance(results, list) else None
        return ran, digests

    def judge(self, verify_finds_it: bool = True) -> None:
        """After the damage: `verify` finds it, the run passes with the right result."""
        verified = self.world.run("cache", "verify")
        if verify_finds_it:
            self.trial.expect(verified.code == 1, f"cache verify: exit code {verified.code}")
        else:
            self.trial.expect(verified.code in (0, 1), f"cache verify: exit code {verified.code}")
        ran, digests = self.run(3, "again")
        self.trial.expect_end(self.world, ran, {0}, BOUND_SECONDS)
        self.trial.expect(ran.code != 0 or digests == self.right[1],
                          "SILENTLY WRONG: the result differs, exit code 0")


def mutants(trial: Trial) -> None:
    warm = Warm(trial)
    original = warm.path.read_bytes()
    changed = mutate.mutant_of_bytes(original, trial.rng)
    warm.path.write_bytes(changed)
    trial.facts["bytes"] = len(changed)
    warm.judge(verify_finds_it=False)  # a changed format or fingerprint means another build: stale
    if changed != original and warm.path.exists():
        trial.expect(warm.path.read_bytes() != changed, "the damaged entry was not replaced")


def key_patched(trial: Trial) -> None:
    """Another program's entry under this program's key, with the key in its head patched."""
    if (why := entries.needs_digest()) is not None:
        raise Skipped(why)
    warm = Warm(trial)
    warm.run(7, "other")
    other = next(path for path in entries.entries_in(warm.world.cache) if path != warm.path)
    key = entries.field(warm.path.read_bytes(), "key")
    forged = entries.with_field(other.read_bytes(), "key", key)
    if trial.rng.random() < 0.5:
        trial.facts["digest"] = "recomputed"
        forged = entries.resealed(forged)
    other.unlink()
    warm.path.write_bytes(forged)
    warm.judge()


def one_byte_of_the_head(trial: Trial) -> None:
    warm = Warm(trial)
    original = bytearray(warm.path.read_bytes())
    layout = entries.layout_of(bytes(original))
    at = trial.rng.randrange(layout.head_bytes)
    original[at] ^= 1 << trial.rng.randrange(8)
    trial.facts["byte"] = at
    warm.path.write_bytes(bytes(original))
    stale = any(start <= at < start + size for name, (start, size) in layout.fields.items()
                if name in ("format", "fingerprint"))
    warm.judge(verify_finds_it=not stale)


def resealed_payload(trial: Trial) -> None:
    """A modified payload with a correct digest: any user with write access could create it."""
    warm = Warm(trial)
    forged = entries.with_random_payload_bytes(warm.path.read_bytes(), trial.rng)
    warm.path.write_bytes(entries.resealed(forged))
    warm.judge(verify_finds_it=False)


def replaced_in_the_run(trial: Trial) -> None:
    """Entries appear and disappear while a pod reads them."""
    world: World = trial.world()
    program = programs.write(world.folder, "two.mlir", programs.two_chips(3))
    words = ("run", program, "--slice", "v6e-4", "--fill", "ones", "--cache-policy",
             trial.rng.choice(("per-host", "shared", "single-writer")))
    world.run(*words)
    path = entries.entries_in(world.cache)[0]
    original = path.read_bytes()
    world.start(*words)
    while world.alive():
        match trial.rng.randrange(4):
            case 0:
                path.unlink(missing_ok=True)
            case 1:
                path.write_bytes(original[:trial.rng.randrange(len(original))])
            case 2:
                path.write_bytes(mutate.mutant_of_bytes(original, trial.rng))
            case _:
                path.write_bytes(original)
    trial.expect_end(world, world.finish(60), {0}, BOUND_SECONDS)


DIGEST = (entries.needs_digest,)
ATTACKS = [
    Attack("entry-mutant", "compiled again, right result", 150, 6, mutants),
    Attack("entry-key-patched", "found by verify and by the run; right result",
           150, 5, key_patched, DIGEST),
    Attack("entry-head-byte", "found by verify and by the run; right result",
           150, 5, one_byte_of_the_head),
    Attack("entry-resealed", "exit 0, compiled again if damaged, never silently wrong",
           150, 10, resealed_payload, DIGEST),
    Attack("entry-replaced-in-run", "exit 0", 20, 2, replaced_in_the_run),
]
