# SPDX-License-Identifier: Apache-2.0
"""Full file systems, and limits on file sizes."""
from __future__ import annotations

import fcntl
import os
import pathlib

import machine
from attack import Attack, Trial
from world import PROGRAMS, Ran, World

PROGRAM = str(PROGRAMS / "fsdp_train_step")
SIZES = ("400k", "600k", "1m", "1500k", "2m", "3m", "4m", "6m", "8m")
AT_ONCE_SECONDS = 15.0


def _expect_end_at_once(trial: Trial, world: World, ran: Ran) -> None:
    """A refusal comes at once. A run that finds enough space takes as long as any other."""
    trial.expect_end(world, ran, {0, 71}, AT_ONCE_SECONDS if ran.code == 71 else 120)


def full_tmpdir(trial: Trial) -> None:
    world = trial.world()
    size = trial.rng.choice(SIZES)
    trial.facts["size"] = size
    world.mount_tmp(size)
    ran = world.run("run", PROGRAM, "--steps", "5", limit_seconds=75)
    _expect_end_at_once(trial, world, ran)
    if ran.code == 71:
        trial.expect(str(world.tmp) in ran.err, f"does not name {world.tmp}: {ran.err[-400:]}")
        trial.expect("space" in ran.err, f"does not report the missing space: {ran.err[-400:]}")


def tmpdir_fills_up(trial: Trial) -> None:
    """Large enough to start; another process fills it while the pod runs."""
    world = trial.world()
    world.mount_tmp("64m")
    world.start("run", PROGRAM, "--steps", "200", "--timeout", "5")
    if trial.rng.random() < 0.5:
        world.wait_for_steps(8, 1)
    _fill(world.tmp / "of-somebody-else")
    ran = world.finish(120)
    (world.tmp / "of-somebody-else").unlink()
    trial.expect_end(world, ran, {0, 71}, 60)


def _fill(path: pathlib.Path) -> None:
    with path.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def full_state_folder(trial: Trial) -> None:
    world = trial.world()
    world.mount_at(world.state / "understudy", "64k")
    (world.state / "understudy" / "receipts").mkdir()
    full = world.state / "understudy" / "full"
    _fill(full)
    ran = world.run("run", PROGRAM, limit_seconds=60)
    trial.expect_end(world, ran, {71}, 30, "none")
    trial.expect("receipt" in ran.err and "space" in ran.err,
                 f"does not report that the receipt found no space: {ran.err[-400:]}")


def full_cache(trial: Trial) -> None:
    """A cache that cannot be written costs a compile and a warning, never the run."""
    world = trial.world()
    folder = world.folder / "small"
    world.mount_at(folder, trial.rng.choice(("16k", "64k")))
    if trial.rng.random() < 0.5:
        _fill(folder / "full")
    ran = world.run("run", PROGRAM, "--cache-dir", str(folder), limit_seconds=60)
    trial.expect_end(world, ran, {0, 3, 71}, 30)
    if ran.code != 0:
        trial.expect(str(folder) in ran.err, f"does not name {folder}: {ran.err[-400:]}")


def file_size_limit(trial: Trial) -> None:
    """Output goes to a pipe, which has no size limit."""
    world = trial.world()
    blocks = trial.rng.choice((0, 1, 8, 32, 128, 1024, 4096))
    trial.facts["blocks_of_512"] = blocks
    world.prefix = ["sh", "-c", f'ulimit -f {blocks}; exec "$0" "$@"']
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 1 << 20)
    os.set_blocking(read, False)
    with os.fdopen(write, "wb") as err:
        world.start("run", PROGRAM, "--timeout", "5", stdout=err, stderr=err)
    ran = world.finish(60)
    with os.fdopen(read, "rb") as file:
        ran.err = (file.read(1 << 20) or b"").decode(errors="replace")
    trial.expect_end(world, ran, {0, 71}, 20, "optional")
    trial.expect(ran.code == 0 or "limit" in ran.err or "too large" in ran.err,
                 f"does not name the limit on file sizes: {ran.err[-400:]}")


def few_inodes(trial: Trial) -> None:
    world = trial.world()
    world.mount_tmp(f"64m,nr_inodes={trial.rng.choice((2, 4, 8, 12, 20))}")
    ran = world.run("run", PROGRAM, "--timeout", "5", limit_seconds=120)
    _expect_end_at_once(trial, world, ran)


def small_shared_memory(trial: Trial) -> None:
    world = World()
    world.mount_at(pathlib.Path("/dev/shm"), trial.rng.choice(("64k", "1m", "8m")))
    trial.worlds.append(world)
    ran = world.run("run", PROGRAM, "--timeout", "5", limit_seconds=120)
    _expect_end_at_once(trial, world, ran)


ROOT = (machine.needs_mounts,)
ATTACKS = [
    Attack("full-tmpdir", "71 and the file system's name within 15 s", 50, 4, full_tmpdir, ROOT),
    Attack("full-tmpdir-later", "passed, or 71", 20, 1, tmpdir_fills_up, ROOT),
    Attack("full-inodes", "passed, or 71 in 15 s", 20, 1, few_inodes, ROOT),
    Attack("full-shared-memory", "passed, or 71 in 15 s", 20, 1, small_shared_memory, ROOT),
    Attack("full-receipts", "71, reports that there is no receipt", 10, 1, full_state_folder, ROOT),
    Attack("full-cache", "passed, or refused with the folder's name", 20, 1, full_cache, ROOT),
    Attack("file-size-limit", "passed, or 71; no signal", 20, 3, file_size_limit),
]
