# SPDX-License-Identifier: Apache-2.0
"""Sends a signal to one process of a pod at a random time; the run must name that process and its
operation.

The reference is the record of the victim. Before the signal is sent the harness opens the records
of all ranks. A record is shared memory in a file, so its last state can be read after the victim
was killed and after the launcher removed the file. The correct operation is
- the collective that the victim had entered and not left; or, if a peer had already left that
  one, the next (where the peer misses the victim);
- between two collectives any operation after the one that it left, up to the next one.
A victim that had not reached its steps has no operation. For mpirun any operation is accepted.
"""
from __future__ import annotations

import dataclasses
import json
import os
import re
import signal
import time

import machine
import programs
from attack import Attack, Trial
from records import Record, read_open_record
from world import Ran, World

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV, signal.SIGABRT,
           signal.SIGSTOP, signal.SIGHUP)
MOMENTS = ("start", "start", "steps", "steps", "steps", "end")  # a third in start-up
CHIPS = (8, 8, 16, 32)
TIMEOUT_SECONDS = 5
BOUND_SECONDS = 15.0  # from the signal to the end of the run
LAST_STEP = 39  # of the runs that are struck near their end
LIMIT_SECONDS = 120.0  # of the whole trial, the start of 32 chips included
PLACE = re.compile(r":(\d+):\d+$")


@dataclasses.dataclass
class Evidence:
    """Records that remain readable, and the lines of the program's collectives."""

    files: dict[int, int] = dataclasses.field(default_factory=dict)  # rank -> descriptor
    sites: dict[int, int] = dataclasses.field(default_factory=dict)  # ordinal -> line
    kept: dict[int, Record] | None = None

    def gather(self, world: World) -> None:
        for folder in world.run_folders():
            for path in (folder / "records").glob("[0-9]*"):
                if path.name.isdigit() and int(path.name) not in self.files:
                    try:
                        self.files[int(path.name)] = os.open(path, os.O_RDONLY)
                    except OSError:
                        continue
            try:
                plan = json.loads((folder / "plan.json").read_text())
            except (OSError, ValueError):
                continue
            for site in plan.get("sites", []):
                place = PLACE.search(site["place"])
                if place:
                    self.sites[site["op"]] = int(place.group(1))

    def keep(self) -> None:
        """Keeps the present state of the records: the shutdown wakes a stopped worker, which then
        runs on for a while."""
        self.kept = self.records()

    def records(self) -> dict[int, Record]:
        if self.kept is not None:
            return self.kept
        found = {rank: read_open_record(file) for rank, file in self.files.items()}
        return {rank: record for rank, record in found.items() if record is not None}

    def close(self) -> None:
        for file in self.files.values():
            os.close(file)


def right_lines(victim: Record, others: list[Record], sites: dict[int, int]) -> set[int]:
    """Acceptable lines of the program; empty if the victim had entered no collective."""
    if not victim.flight or not sites:
        return set()
    order = sorted(sites)
    last = victim.flight[-1]
    open_ones = [entry for entry in victim.flight if not entry.done]
    following = order[(order.index(last.op) + 1) % len(order)] if last.op in order else order[0]
    if open_ones:
        lines = {sites[entry.op] for entry in open_ones if entry.op in sites}
        left_it = any(entry.sequence == last.sequence and entry.done
                      for other in others for entry in other.flight)
        return lines | ({sites[following]} if left_it else set())
    start, end = sites.get(last.op, 0), sites[following]
    if start < end:
        return set(range(start + 1, end + 1))
    return set(range(start + 1, start + 10000)) | set(range(1, end + 1))  # the next step


def _moment_of(victim: Record | None) -> str:
    if victim is None or victim.phase not in ("programs_allowed", "finished", "failed"):
        return "start"
    return "end" if victim.phase == "finished" else "steps"


def _expect_rank_named(trial: Trial, world: World, ran: Ran, rank: int) -> None:
    failure = _failure(world)
    said = next((line for line in ran.err.splitlines() if "error:" in line), "")
    trial.expect(failure.get("rank") == rank and failure.get("rank_first") in (rank, None),
                 f"rank {rank} got the signal, named: rank {failure.get('rank')}, first to die "
                 f"{failure.get('rank_first')}: {said}")
    trial.expect(f"rank {rank} " in ran.err, f"stderr does not name rank {rank}: {said}")


def _expect_mpirun_named(trial: Trial, world: World, ran: Ran) -> None:
    failure = _failure(world)
    message = str(failure.get("message"))
    trial.expect("mpirun" in message and "started no worker" not in message
                 and failure.get("rank") is None,
                 f"mpirun received the signal, named: rank {failure.get('rank')}: {message}")
    trial.expect("mpirun" in ran.err, "stderr does not name mpirun")


def _failure(world: World) -> dict[str, object]:
    return world.failure()


def _expect_op_named(trial: Trial, world: World, lines: set[int]) -> None:
    failure = _failure(world)
    place = PLACE.search(str(failure.get("place")))
    named = int(place.group(1)) if place else None
    trial.facts["named_line"] = named
    shown = sorted(lines) if len(lines) < 12 else f"{min(lines)}..."
    trial.expect(named in lines, f"operation: expected line {shown}, named "
                                 f"{failure.get('op')} at {failure.get('place')}")


def _strike(trial: Trial, world: World, chips: int, moment: str, victim: int | None,
            evidence: Evidence) -> int | None:
    """Waits for the chosen time. Returns the victim's pid, None if the run has ended."""
    deadline = time.monotonic() + 60
    pid: int | None = None
    while pid is None and world.alive() and time.monotonic() < deadline:
        pid = next(iter(machine.mpiruns()), None) if victim is None else \
            machine.workers().get(victim)
        if moment == "start" and victim is None and not machine.workers():
            pid = None  # without workers there is no rank that could be blamed wrongly
        if pid is None:
            time.sleep(0.005)
    if moment == "start":
        time.sleep(trial.rng.uniform(0, 0.03 * chips))
    else:
        world.wait_for_steps(chips, 1 if moment == "end" else 2)
        time.sleep(trial.rng.uniform(0, 0.4))
    evidence.gather(world)
    return pid if world.alive() else None


def attribution(trial: Trial) -> None:
    rng = trial.rng
    chips, moment = rng.choice(CHIPS), rng.choice(MOMENTS)
    number = rng.choice(SIGNALS)
    victim = None if rng.random() < 0.15 else rng.randrange(chips)
    play(trial, chips, moment, number, victim)


def play(trial: Trial, chips: int, moment: str, number: signal.Signals,
         victim: int | None) -> None:
    who = "mpirun" if victim is None else f"rank {victim}"
    trial.facts.update(chips=chips, moment=moment, signal=number.name, victim=who)
    world = trial.world()
    program = programs.write(world.folder, "loop.mlir", programs.loop_step(chips))
    started = time.monotonic()
    steps = str(LAST_STEP + 1) if moment == "end" else "100000000"
    world.start("run", program, "--slice", f"v6e-{chips}", "--fill", "ones", "--steps", steps,
                "--timeout", str(TIMEOUT_SECONDS))
    evidence = Evidence()
    try:
        pid = _strike(trial, world, chips, moment, victim, evidence)
        struck = pid is not None and machine.kill(pid, number)
        begin = time.monotonic()
        for _ in range(20):  # the victim may be creating its record now
            evidence.gather(world)
            time.sleep(0.005)
        if number == signal.SIGSTOP:
            evidence.keep()
        ran = world.finish(time.monotonic() - started + 3 * BOUND_SECONDS)
        trial.facts["seconds_to_the_end"] = round(time.monotonic() - begin, 2)
        _judge(trial, world, ran, number, victim, struck, evidence)
    finally:
        evidence.close()


def _judge(trial: Trial, world: World, ran: Ran, number: signal.Signals, victim: int | None,
           struck: bool, evidence: Evidence) -> None:
    records = evidence.records()
    mine = records.get(victim) if victim is not None else next(iter(records.values()), None)
    moment = _moment_of(mine)
    trial.facts["moment_found"] = moment
    if (not struck or moment == "end") and ran.code == 0:
        trial.expect_end(world, ran, {0}, LIMIT_SECONDS)  # the run had completed before the signal
        return
    codes = {4}
    if moment == "start" or victim is None:
        codes.add(71)
    if number in (signal.SIGSEGV, signal.SIGABRT):
        codes.add(70)
    trial.expect_end(world, ran, codes, LIMIT_SECONDS)
    after = trial.facts["seconds_to_the_end"]
    trial.expect(isinstance(after, float) and after <= BOUND_SECONDS,
                 f"ended {after} s after the signal, bound {BOUND_SECONDS:g} s")
    if victim is None:
        _expect_mpirun_named(trial, world, ran)
        return
    _expect_rank_named(trial, world, ran, victim)
    if moment == "steps" and mine is not None:
        others = [record for rank, record in records.items() if rank != victim]
        lines = right_lines(mine, others, evidence.sites)
        # A victim that has completed all its steps has no operation.
        over = (trial.facts["moment"] == "end" and mine.step >= LAST_STEP
                and all(entry.done for entry in mine.flight))
        if lines and not (over and _failure(world).get("place") is None):
            _expect_op_named(trial, world, lines)


def term_of_32(trial: Trial) -> None:
    play(trial, 32, "steps", signal.SIGTERM, trial.rng.randrange(32))


def int_of_rank_0(trial: Trial) -> None:
    play(trial, 8, "steps", signal.SIGINT, 0)


def mpirun_killed(trial: Trial) -> None:
    play(trial, 8, trial.rng.choice(("start", "steps")), signal.SIGKILL, None)


def mpirun_stopped(trial: Trial) -> None:
    play(trial, 8, trial.rng.choice(("start", "steps")), signal.SIGSTOP, None)


def killed_at_start(trial: Trial) -> None:
    play(trial, trial.rng.choice(CHIPS), "start", signal.SIGKILL, trial.rng.randrange(8))


def at_start(trial: Trial) -> None:
    """Any signal during the start, where mpirun and the workers know least of each other."""
    rng = trial.rng
    chips = rng.choice(CHIPS)
    victim = None if rng.random() < 0.2 else rng.randrange(chips)
    play(trial, chips, "start", rng.choice(SIGNALS), victim)


def before_workers(trial: Trial) -> None:
    """mpirun passes SIGABRT and the user signals on to its workers. While it has none they end
    nothing: the run must then pass, and any other must name mpirun."""
    rng = trial.rng
    number = rng.choice((*SIGNALS, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM))
    delay = rng.uniform(0, 0.1)  # the first worker exists after about 0.1 s
    trial.facts.update(signal=number.name, delay=round(delay, 4))
    world = trial.world()
    program = programs.write(world.folder, "loop.mlir", programs.loop_step(8))
    world.start("run", program, "--slice", "v6e-8", "--fill", "ones", "--steps", "5",
                "--timeout", str(TIMEOUT_SECONDS))
    while world.alive() and not machine.mpiruns():
        time.sleep(0.001)
    time.sleep(delay)
    pid = next(iter(machine.mpiruns()), None)
    trial.facts["workers"] = len(machine.workers())
    struck = pid is not None and machine.kill(pid, number)
    begin = time.monotonic()
    ran = world.finish(4 * BOUND_SECONDS)
    trial.facts["seconds_to_the_end"] = round(time.monotonic() - begin, 2)
    passes_on = number in (signal.SIGABRT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM)
    passed = {0} if passes_on or not struck else set()
    trial.expect_end(world, ran, {4, 70, 71} | passed, 2 * BOUND_SECONDS)
    if ran.code != 0:
        _expect_mpirun_named(trial, world, ran)


ATTACKS = [
    Attack("attribution", "names the process that received the signal; in steps also its operation",
           100, 12, attribution),
    Attack("attribution-term-32", "SIGTERM to one of 32 workers: names it", 11, 1, term_of_32),
    Attack("attribution-int-rank-0", "SIGINT to rank 0: names it", 10, 1, int_of_rank_0),
    Attack("attribution-mpirun-killed", "names mpirun", 10, 2, mpirun_killed),
    Attack("attribution-mpirun-stopped", "names mpirun within 15 s at --timeout 5",
           10, 1, mpirun_stopped),
    Attack("attribution-killed-at-start", "names the worker", 20, 2, killed_at_start),
    Attack("attribution-at-start", "names the process that received the signal", 60, 6, at_start),
    Attack("attribution-before-workers",
           "signals mpirun before it has workers: names mpirun, or passes", 60, 3, before_workers),
]
