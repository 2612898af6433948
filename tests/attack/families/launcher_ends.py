# SPDX-License-Identifier: Apache-2.0
"""Kills, stops or signals the launcher at random times of a run."""
from __future__ import annotations

import signal
import time

import machine
import programs
from attack import Attack, Trial
from world import PROGRAMS, World

ENDLESS = ("run", str(PROGRAMS / "fsdp_train_step"), "--steps", "1000000", "--timeout", "5")
CHIPS = 8
CODES = {signal.SIGHUP: 129, signal.SIGINT: 130, signal.SIGTERM: 143}


def _pause(trial: Trial, longest: float) -> None:
    delay = trial.rng.uniform(0, longest)
    trial.facts["delay_seconds"] = round(delay, 4)
    time.sleep(delay)


def _expect_all_gone(trial: Trial, world: World, within_seconds: float) -> None:
    left = world.processes_left(within_seconds)
    trial.expect(not left, f"{within_seconds:g} s after the launcher: {', '.join(left)}")


def killed_in_steps(trial: Trial) -> None:
    world = trial.world()
    process = world.start(*ENDLESS)
    trial.expect(world.wait_for_steps(CHIPS), "the pod did not reach its steps")
    _pause(trial, 0.5)
    process.kill()
    process.wait()
    _expect_all_gone(trial, world, 2)
    _expect_remains_removed(trial, world)


def killed_at_start(trial: Trial) -> None:
    world = trial.world()
    process = world.start(*ENDLESS)
    _pause(trial, 1.5)
    process.kill()
    process.wait()
    _expect_all_gone(trial, world, 2)
    _expect_remains_removed(trial, world)


def _expect_remains_removed(trial: Trial, world: World) -> None:
    """The next start removes the leftovers of a launcher that could not clean up."""
    world.kill_all()
    before = world.litter()
    trial.facts["remains"] = len(before)
    program = programs.write(world.folder, "one.mlir", programs.one_chip(1))
    ran = world.run("run", program, "--slice", "v6e-1", "--fill", "ones")
    trial.expect(ran.code == 0, f"the next run: exit code {ran.code}: {ran.err[-300:]}")
    after = world.litter()
    trial.expect(not after, f"the next start left: {', '.join(after)}")


def remains_are_reported(trial: Trial) -> None:
    """Kills everything at once, so that no process can clean up; then runs doctor and prune."""
    world = trial.world()
    process = world.start(*ENDLESS)
    trial.expect(world.wait_for_steps(CHIPS), "the pod did not reach its steps")
    for pid in machine.descendants():
        machine.kill(pid, signal.SIGSTOP)  # so that none sees another one end
    world.kill_all()
    process.wait()
    folders = [folder.name for folder in world.run_folders()]
    if not trial.expect(bool(folders), "no run folder is left: nothing to report"):
        return
    doctor = world.run("doctor")
    trial.expect(folders[0] in doctor.out + doctor.err, "doctor does not report the run folder")
    pruned = world.run("cache", "prune")
    trial.expect(pruned.code == 0, f"cache prune: exit code {pruned.code}: {pruned.err[-300:]}")
    left = world.litter()
    trial.expect(not left, f"cache prune left: {', '.join(left)}")


def orphans_are_listed(trial: Trial) -> None:
    """Stopped mpirun and workers cannot end with their launcher; doctor must list them."""
    world = trial.world()
    process = world.start(*ENDLESS)
    trial.expect(world.wait_for_steps(CHIPS), "the pod did not reach its steps")
    pids = [pid for pid in machine.descendants() if pid != process.pid]
    for pid in pids:
        machine.kill(pid, signal.SIGSTOP)
    process.kill()
    process.wait()
    still = [pid for pid in pids if pid in machine.descendants()]
    if still:  # SIGKILL as the parent-death signal reaches a stopped process, too
        doctor = machine_doctor(world)
        trial.expect(any(str(pid) in doctor for pid in still) or "orphan" in doctor.lower(),
                     f"doctor does not list {len(still)} orphaned processes")
    for pid in still:
        machine.kill(pid, signal.SIGCONT)
    _expect_all_gone(trial, world, 2)


def machine_doctor(world: World) -> str:
    ran = world.run("doctor")
    return ran.out + ran.err


def _signalled(trial: Trial, world: World, early: bool) -> None:
    number = trial.rng.choice(sorted(CODES))
    trial.facts["signal"] = number.name
    assert world.process is not None
    world.process.send_signal(number)
    ran = world.finish(40)
    # Before the handlers are set a signal ends the process itself, and nothing may exist.
    if early and ran.code == -number:
        trial.expect_end(world, ran, {-number}, 40, "none")
        return
    trial.expect_end(world, ran, {CODES[number]}, 40, "optional" if early else "finished")
    if early and not world.receipt_files():
        trial.expect("receipt" not in ran.err, f"names a missing receipt: {ran.err}")


def signal_in_the_first_tenth(trial: Trial) -> None:
    world = trial.world()
    world.start(*ENDLESS)
    _pause(trial, 0.1)
    _signalled(trial, world, early=True)


def signal_at_start(trial: Trial) -> None:
    world = trial.world()
    world.start(*ENDLESS)
    time.sleep(0.1)
    _pause(trial, 1.5)
    _signalled(trial, world, early=False)


def signal_in_steps(trial: Trial) -> None:
    world = trial.world()
    world.start(*ENDLESS)
    trial.expect(world.wait_for_steps(CHIPS), "the pod did not reach its steps")
    _pause(trial, 0.3)
    _signalled(trial, world, early=False)


def signal_at_the_end(trial: Trial) -> None:
    """The run may have passed by then; its receipt must agree with its exit code."""
    world = trial.world()
    process = world.start("run", str(PROGRAMS / "fsdp_train_step"), "--steps", "20")
    world.wait_for_steps(CHIPS, 1)
    _pause(trial, 0.6)
    number = trial.rng.choice(sorted(CODES))
    trial.facts["signal"] = number.name
    process.send_signal(number)
    ran = world.finish(40)
    receipt = "finished" if ran.code in (0, CODES[number]) else "optional"
    trial.expect_end(world, ran, {0, CODES[number], -number}, 40, receipt)


def two_signals(trial: Trial) -> None:
    """Two signals in a row, at any time, still leave exit code and receipt in agreement."""
    world = trial.world()
    process = world.start(*ENDLESS)
    _pause(trial, 1.5)
    first, second = trial.rng.choice(sorted(CODES)), trial.rng.choice(sorted(CODES))
    process.send_signal(first)
    time.sleep(trial.rng.uniform(0, 0.1))
    if process.poll() is None:
        process.send_signal(second)
    ran = world.finish(40)
    trial.expect_end(world, ran, {CODES[first], CODES[second], -first, -second}, 40, "optional")


def signals_that_were_ignored(trial: Trial) -> None:
    """Under nohup SIGHUP stays ignored: the run continues to its end."""
    world = trial.world()
    world.prefix = ["nohup"]
    process = world.start("run", str(PROGRAMS / "fsdp_train_step"), "--steps", "20")
    time.sleep(0.05)
    _pause(trial, 0.8)
    process.send_signal(signal.SIGHUP)
    trial.expect_end(world, world.finish(60), {0}, 60)


ATTACKS = [
    Attack("launcher-killed-in-steps", "all processes gone in 2 s; the next start removes the rest",
           20, 3, killed_in_steps),
    Attack("launcher-killed-at-start", "all processes gone in 2 s; the next start removes the rest",
           20, 3, killed_at_start),
    Attack("remains-reported", "doctor reports a dead launcher's folder, cache prune removes it",
           10, 1, remains_are_reported),
    Attack("orphans-listed", "doctor lists processes of a dead launcher",
           10, 1, orphans_are_listed),
    Attack("signal-first-100-ms", "no leftovers, or a finished receipt; 129, 130, 143",
           200, 20, signal_in_the_first_tenth),
    Attack("signal-at-start", "a finished receipt, nothing left", 50, 4, signal_at_start),
    Attack("signal-in-steps", "a finished receipt, nothing left", 50, 3, signal_in_steps),
    Attack("signal-at-the-end", "exit code and receipt agree, nothing left",
           50, 3, signal_at_the_end),
    Attack("signal-twice", "exit code and receipt agree, nothing left", 50, 4, two_signals),
    Attack("signal-ignored", "nohup: the run continues", 10, 1, signals_that_were_ignored),
]
