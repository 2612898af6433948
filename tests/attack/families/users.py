# SPDX-License-Identifier: Apache-2.0
"""Several users on one cache folder, under several umasks."""
from __future__ import annotations

import os
import pathlib
import stat

import entries
import machine
import programs
from attack import Attack, Trial
from world import Ran, World

FIRST, SECOND = 64001, 64002
BOUND_SECONDS = 15.0
PROGRAM = programs.two_chips(5)


class Shared:
    """A cache folder, and worlds of users that run one program with it."""

    def __init__(self, trial: Trial, mode: int, owner: int) -> None:
        self.trial = trial
        home = trial.world()
        home.folder.chmod(0o755)
        self.program = programs.write(home.folder, "two.mlir", PROGRAM)
        self.cache = home.folder / "shared-cache"
        self.cache.mkdir()
        os.chown(self.cache, owner, owner)
        self.cache.chmod(mode)

    def run(self, user: int, umask: str, *words: str) -> tuple[World, Ran]:
        world = self.trial.world()
        for path in (world.folder, *world.folder.iterdir()):
            os.chown(path, user, user)
        world.prefix = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--",
                        "sh", "-c", f'umask {umask}; exec "$0" "$@"']
        ran = world.run("run", self.program, "--slice", "v6e-4", "--fill", "ones", "--cache-dir",
                        str(self.cache), *words)
        return world, ran


def _once(trial: Trial, ran: Ran) -> None:
    lines = [line.strip() for line in ran.err.splitlines() if line.strip()]
    again = {line for line in lines if lines.count(line) > 1}
    trial.expect(not again, f"printed more than once: {sorted(again)[:2]}")


def _cached(world: World) -> bool | None:
    compiled = world.receipt().get("compile")
    return bool(compiled["cached"]) if isinstance(compiled, dict) else None


def second_user(trial: Trial) -> None:
    """The owner's run writes the entry; the other user's run passes, reads readable files, never
    waits."""
    umask = trial.rng.choice(("022", "077", "027", "000"))
    policy = trial.rng.choice(("shared", "per-host", "single-writer", "read-only", "per-process"))
    own_folder = trial.rng.random() < 0.7
    trial.facts.update(umask=umask, policy=policy, folder="the first user's" if own_folder else
                       "root's, 1777")
    shared = Shared(trial, 0o755 if own_folder else 0o1777, FIRST if own_folder else 0)
    warm = "per-host" if policy == "read-only" else policy
    world, ran = shared.run(FIRST, umask, "--cache-policy", warm)
    trial.expect_end(world, ran, {0}, BOUND_SECONDS)
    world, ran = shared.run(SECOND, umask, "--cache-policy", policy, "--timeout", "20")
    # A policy that must write and cannot may be refused before the start (docs/faults.md, F68).
    must_write = own_folder and policy in ("per-host", "single-writer", "per-process")
    trial.expect_end(world, ran, {0, 3} if must_write else {0}, BOUND_SECONDS)
    if ran.code == 3:
        trial.expect(str(shared.cache) in ran.err, "does not name the folder")
        return
    _once(trial, ran)
    made = entries.entries_in(shared.cache)
    readable = [path for path in made if _readable_by_all(path, shared.cache)]
    trial.facts["readable"] = bool(readable)
    if readable and own_folder and not trial.broken:
        trial.expect(_cached(world) is True, "the second user could read the entry, but compiled")


def _readable_by_all(path: pathlib.Path, top: pathlib.Path) -> bool:
    while path != top:
        wanted = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0)
        if path.stat().st_mode & wanted != wanted:
            return False
        path = path.parent
    return True


def modes_of_entries(trial: Trial) -> None:
    umask = trial.rng.choice(("000", "002", "022"))
    trial.facts["umask"] = umask
    shared = Shared(trial, 0o755, FIRST)
    _, ran = shared.run(FIRST, umask, "--cache-policy", trial.rng.choice(("shared", "per-host")))
    trial.expect(ran.code == 0, f"exit code {ran.code}: {ran.err[-300:]}")
    for path in entries.entries_in(shared.cache):
        mode = stat.S_IMODE(path.stat().st_mode)
        trial.expect(mode & ~0o644 == 0, f"an entry has mode {mode:o}")


def world_writable(trial: Trial) -> None:
    """A folder of another user that everybody may write, without the sticky bit: refused."""
    shared = Shared(trial, 0o777, FIRST)
    policy = trial.rng.choice(("shared", "per-host"))
    world, ran = shared.run(SECOND, "022", "--cache-policy", policy)
    trial.expect_end(world, ran, {0, 2, 3, 71}, BOUND_SECONDS, "optional")
    trial.expect(str(shared.cache) in ran.err and "chmod +t" in ran.err,
                 f"does not refuse the folder with advice: exit code {ran.code}: {ran.err[-300:]}")


def foreign_entry(trial: Trial) -> None:
    """An entry of a third user in root's folder: a miss, reported once."""
    shared = Shared(trial, 0o1777, 0)
    (shared.cache / "shared").mkdir()
    (shared.cache / "shared").chmod(0o1777)
    world, ran = shared.run(FIRST, "022", "--cache-policy", "shared")
    trial.expect_end(world, ran, {0}, BOUND_SECONDS)
    world, ran = shared.run(SECOND, "022", "--cache-policy", "shared")
    trial.expect_end(world, ran, {0}, BOUND_SECONDS)
    trial.expect(_cached(world) is False, "an entry of an unrelated user was used")
    _once(trial, ran)
    trial.expect("trust" in ran.out + ran.err,
                 f"does not report that the entry is not trusted: {ran.err[-300:]}")


ROOT = (machine.needs_users,)
ATTACKS = [
    Attack("second-user", "passes without a wait; reads readable files; reports others once",
           50, 6, second_user, ROOT),
    Attack("modes-of-entries", "0644 at most under every umask", 20, 2, modes_of_entries, ROOT),
    Attack("world-writable-cache", "refused with advice", 10, 1, world_writable, ROOT),
    Attack("foreign-entry", "a miss, reported once", 10, 1, foreign_entry, ROOT),
]
