# SPDX-License-Identifier: Apache-2.0
"""Valid programs that are too large, too long, too deep or endless, or that must be refused."""
from __future__ import annotations

import re
import resource
import time

import machine
import programs
from attack import Attack, Trial
from world import Ran, World

PLACE = re.compile(r"\.mlir:\d+:\d+")
ONE = ("--slice", "v6e-1", "--fill", "ones")


def _largest_mib(world: World, limit_seconds: float) -> int:
    """The largest resident size of any process until the run ended."""
    largest = 0
    deadline = time.monotonic() + limit_seconds
    while world.alive() and time.monotonic() < deadline:
        for pid in machine.descendants():
            try:
                with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
                    lines = [line for line in file if line.startswith("VmHWM")]
            except OSError:
                continue
            largest = max(largest, int(lines[0].split()[1]) // 1024 if lines else 0)
        time.sleep(0.05)
    return largest


def _refused(trial: Trial, world: World, words: tuple[str, ...], codes: set[int],
             most_mib: int = 4096, placed: bool = True) -> Ran:
    """A refusal has to come soon; a run that may pass (0 in `codes`) takes the time of its work."""
    world.start(*words)
    limit = 300 if 0 in codes else 60
    largest = _largest_mib(world, limit)
    ran = world.finish(limit)
    trial.facts["largest_mib"] = largest
    trial.expect_end(world, ran, codes, limit if ran.code == 0 else 40, "optional")
    trial.expect(largest <= most_mib, f"a process grew to {largest} MiB")
    refused = ran.code != 0
    trial.expect(not (placed and refused) or bool(PLACE.search(ran.err)),
                 f"names no place: {ran.err[-300:]}")
    return ran


def large_argument(trial: Trial) -> None:
    elements = trial.rng.choice((10**18, 10**15, 2**61, 2**62 - 1, 10**12))
    trial.facts["elements"] = elements
    world = trial.world()
    program = programs.write(world.folder, "large.mlir", programs.large_argument(elements))
    _refused(trial, world, ("run", program, *ONE), {2, 5})


def large_iota(trial: Trial) -> None:
    elements = trial.rng.choice((7 * 10**9, 10**12, 10**18))
    trial.facts["elements"] = elements
    world = trial.world()
    program = programs.write(world.folder, "large.mlir", programs.large_iota(elements))
    verb = trial.rng.choice(("run", "run", "metrics"))
    # 7e9 elements of one byte fit the HBM of the chip: a run may pass.
    fits = {0} if elements == 7 * 10**9 else set()
    most_mib = 9000 if fits else 4096
    _refused(trial, world, (verb, program, *(ONE if verb == "run" else ONE[2:])), {2, 5} | fits,
             most_mib)


def endless_device(trial: Trial) -> None:
    path = ("/dev/zero", "/dev/urandom", "/proc/self/mem")[trial.number % 3]
    verb = trial.rng.choice(("run", "metrics", "check"))
    trial.facts.update(path=path, verb=verb)
    # check counts a file that cannot be read as a failed one.
    expected = {1} if verb == "check" else {2}
    _refused(trial, trial.world(), (verb, path), expected, most_mib=512, placed=False)


def _processor_seconds() -> float:
    """Of all processes that have ended so far: unlike the time that passed it does not depend on
    what else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def long_chain(trial: Trial) -> None:
    operations = (10_000, 200_000, 1_000_000)[trial.number % 3]
    trial.facts["operations"] = operations
    world = trial.world()
    program = programs.write(world.folder, "chain.mlir", programs.chain(operations))
    verb = ("metrics", "run")[trial.number // 3 % 2]
    before = _processor_seconds()
    ran = world.run(verb, program, *ONE, "--timeout", "60", limit_seconds=600)
    used = _processor_seconds() - before
    trial.facts.update(seconds=round(ran.seconds, 1), processor_seconds=round(used, 1))
    trial.expect_end(world, ran, {0, 1}, 600, "optional")
    bound = 20 + operations * 1.2e-4
    trial.expect(used <= bound, f"took {used:.1f} s of processor time, bound {bound:.0f} s")


def deep_nesting(trial: Trial) -> None:
    depth = trial.rng.choice((64, 127, 128, 1000, 10_000, 100_000))
    trial.facts["depth"] = depth
    world = trial.world()
    program = programs.write(world.folder, "nested.mlir", programs.nested(depth))
    ran = world.run("run", program, *ONE, limit_seconds=60)
    trial.expect_end(world, ran, {0, 2}, 40, "optional")


def inner_annotation(trial: Trial) -> None:
    """An annotation that changes the placement of data is found in every function and region: the
    program is partitioned, or refused where no partitioner is installed. It never runs as it is."""
    how = ("function", "region")[trial.number % 2]
    trial.facts["in"] = how
    world = trial.world()
    program = programs.write(world.folder, "inner.mlir", programs.inner_constraint(4, how))
    ran = _refused(trial, world, ("run", program, "--fill", "ones"), {0, 71})
    if ran.code == 0:
        trial.expect(bool(world.receipt().get("partition")), "ran without being partitioned")
    else:
        trial.expect("needs an SPMD partitioner" in ran.err, f"refused for another reason: {ran.err}")


def endless_with_deadline(trial: Trial) -> None:
    """--deadline ends an endless loop and reports its operation and iterations."""
    world = trial.world()
    program = programs.write(world.folder, "endless.mlir", programs.endless())
    # The deadline has to leave time for the start, which depends on what else the machine does.
    start = world.run("run", programs.write(world.folder, "one.mlir", programs.one_chip(3)), *ONE)
    seconds = trial.rng.choice((2, 3, 4)) + round(2 * start.seconds)
    ran = world.run("run", program, *ONE, "--deadline", str(seconds), limit_seconds=seconds + 60)
    trial.expect_end(world, ran, {4}, seconds + 6 + start.seconds)
    trial.expect("while" in ran.err, f"does not name the operation: {ran.err[-300:]}")
    trial.expect(bool(re.search(r"\d+ iterations|iteration \d+", ran.err)),
                 f"does not report the iterations: {ran.err[-300:]}")


def endless_heartbeat(trial: Trial) -> None:
    """A step that does not end is reported every minute."""
    world = trial.world()
    program = programs.write(world.folder, "endless.mlir", programs.endless())
    ran = world.run("run", program, *ONE, "--deadline", "130", limit_seconds=160)
    trial.expect_end(world, ran, {4}, 145)
    lines = [line for line in ran.err.splitlines() if "step" in line and "error" not in line]
    trial.expect(len(lines) >= 2, f"{len(lines)} lines in 130 s that report the step")


ATTACKS = [
    Attack("large-argument", "2 or 5 with the place, in 40 s", 10, 3, large_argument),
    Attack("large-iota", "2 or 5 with the place, in 40 s", 10, 3, large_iota),
    Attack("endless-device", "2, in 512 MiB", 10, 3, endless_device),
    Attack("long-chain", "compiled in linear time; no crash", 6, 2, long_chain),
    Attack("deep-nesting", "run or refused; no crash", 20, 4, deep_nesting),
    Attack("inner-annotation", "partitioned, or 71 without a partitioner", 4, 2, inner_annotation),
    Attack("endless-deadline", "4 at --deadline, with operation and iterations",
           10, 1, endless_with_deadline),
    Attack("endless-heartbeat", "reports the step every minute", 1, 0, endless_heartbeat),
]
