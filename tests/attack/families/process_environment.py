# SPDX-License-Identifier: Apache-2.0
"""The environment of a pod: memory limits, host names, network, heavy load, old receipts."""
from __future__ import annotations

import datetime
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import time

import machine
import programs
from attack import Attack, Skipped, Trial
from world import PROGRAMS

PROGRAM = str(PROGRAMS / "fsdp_train_step")


# ---- out of memory -------------------------------------------------------------------------------

def out_of_memory(trial: Trial) -> None:
    """Runs the pod in a memory cgroup that is too small: the kernel kills a process."""
    base = machine.memory_cgroup()
    assert base is not None
    group = base / f"understudy-attack-{os.getpid()}-{trial.number}"
    group.mkdir()
    limit = trial.rng.choice((300, 400, 500)) << 20
    trial.facts["limit_mib"] = limit >> 20
    name = "memory.max" if (group / "memory.max").exists() else "memory.limit_in_bytes"
    world = trial.world()
    try:
        (group / name).write_text(str(limit))
        if (group / "memory.swap.max").exists():
            (group / "memory.swap.max").write_text("0")
        world.prefix = ["sh", "-c", f'echo $$ >{group}/cgroup.procs; exec "$0" "$@"']
        program = programs.write(world.folder, "hog.mlir", programs.memory_hog(256, 8))
        ran = world.run("run", program, "--slice", "v6e-8", "--fill", "ones", "--timeout", "5",
                        limit_seconds=90)
        killed = ran.code == -signal.SIGKILL  # the kernel killed the launcher itself
        trial.expect_end(world, ran, {-signal.SIGKILL} if killed else {4, 71}, 60,
                         "optional" if killed else "finished")
        if not killed:
            layer = world.failure().get("layer")
            trial.expect(layer in ("memory", "host memory", "host/memory"), f"layer {layer}")
            trial.expect("memory" in ran.err, f"does not name memory: {ran.err[-400:]}")
    finally:
        world.kill_all()
        _remove_group(group)


def _remove_group(group: pathlib.Path) -> None:
    for _ in range(100):
        try:
            group.rmdir()
            return
        except OSError:
            time.sleep(0.05)


def process_names(trial: Trial) -> None:
    """Workers are named understudy-worker in the process table."""
    world = trial.world()
    world.start("run", PROGRAM, "--steps", "1000000")
    trial.expect(world.wait_for_steps(8), "the pod did not reach its steps")
    names = {stat[0] for pid, stat in machine.descendants().items()
             if pid in machine.workers().values()}
    trial.expect(all("understudy-work".startswith(name[:15]) for name in names) and bool(names),
                 f"workers are named {sorted(names)}")  # the kernel keeps 15 letters
    assert world.process is not None
    world.process.send_signal(signal.SIGTERM)
    trial.expect_end(world, world.finish(30), {143}, 30)


# ---- network and names ---------------------------------------------------------------------------

def _listening(pids: set[int]) -> set[str]:
    """Addresses on which these processes listen."""
    inodes = set()
    for pid in pids:
        for path in pathlib.Path(f"/proc/{pid}/fd").glob("*"):
            try:
                target = os.readlink(path)
            except OSError:
                continue
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    found = set()
    for table, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for line in pathlib.Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A" and words[9] in inodes:
                raw = bytes.fromhex(words[1].split(":")[0])
                parts = struct.unpack(f"<{len(raw) // 4}I", raw)
                found.add(socket.inet_ntop(family, struct.pack(f">{len(parts)}I", *parts)))
    return found


def listening(trial: Trial) -> None:
    """All ranks on this machine: processes listen only on the loopback interface."""
    world = trial.world()
    world.start("run", PROGRAM, "--steps", "1000000", "--collectives",
                trial.rng.choice(("auto", "ring", "mpi")))
    trial.expect(world.wait_for_steps(8), "the pod did not reach its steps")
    addresses = _listening(set(machine.descendants()))
    trial.facts["addresses"] = sorted(addresses)
    open_ones = {one for one in addresses if one != "::1" and not one.startswith("127.")}
    trial.expect(not open_ones, f"listens on {sorted(open_ones)}")
    assert world.process is not None
    world.process.send_signal(signal.SIGTERM)
    trial.expect_end(world, world.finish(30), {143}, 30)


def unresolved_name(trial: Trial) -> None:
    """An unresolvable host name and a silent name server do not delay a run."""
    world = trial.world()
    plain = world.run("run", PROGRAM, limit_seconds=90)  # as fast as the machine is just now
    (world.folder / "hosts").write_text("127.0.0.1 localhost\n")
    (world.folder / "resolv.conf").write_text("nameserver 127.0.91.7\n")
    world.prefix = ["unshare", "--uts", "--mount", "sh", "-c",
                    f"hostname nowhere-{trial.number} && "
                    f"mount --bind {world.folder}/hosts /etc/hosts && "
                    f"mount --bind {world.folder}/resolv.conf /etc/resolv.conf && "
                    'exec "$0" "$@"']
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.91.7", 53))
        ran = world.run("run", PROGRAM, limit_seconds=90)
        if ran.code == 0:
            doctor = world.run("doctor", limit_seconds=60)
            trial.expect("resolve" in doctor.out + doctor.err, "doctor does not report it")
    if "unshare:" in ran.err or "mount:" in ran.err:
        raise Skipped("namespaces cannot be created here")
    trial.expect(not ran.hung and ran.code == 0, f"exit code {ran.code}: {ran.err[-300:]}")
    trial.facts["plain_seconds"] = round(plain.seconds, 1)
    # mpirun alone would wait 10 s for each name that it looks up.
    trial.expect(ran.seconds <= 1.5 * plain.seconds + 6,
                 f"took {ran.seconds:.1f} s, with a name that resolves {plain.seconds:.1f} s")
    trial.expect_nothing_left(world)


# ---- a busy machine ------------------------------------------------------------------------------

LOAD = 20


def left_alone_under_load(trial: Trial) -> None:
    """A run without attack, beside twenty busy processes, raises no alarm."""
    world = trial.world()
    with machine.Load(LOAD):
        ran = world.run("run", PROGRAM, "--steps", "50", limit_seconds=180)
    trial.expect_end(world, ran, {0}, 180)
    alarms = [line for line in ran.err.splitlines()
              if any(word in line for word in ("warning", "error", "stood still", "no progress"))]
    trial.expect(not alarms, f"raises an alarm: {alarms[:2]}")


# ---- receipts ------------------------------------------------------------------------------------

def unknown_is_null(trial: Trial) -> None:
    """A pod killed after some steps has not reported its sums: null, not none."""
    world = trial.world()
    process = world.start("run", PROGRAM, "--steps", "1000000", "--timeout", "5")
    trial.expect(world.wait_for_steps(8, 7), "the pod did not reach its steps")
    victim = machine.workers().get(trial.rng.randrange(8))
    trial.expect(victim is not None and machine.kill(victim, signal.SIGKILL), "no such worker")
    ran = world.finish(40)
    trial.expect_end(world, ran, {4}, 40)
    receipt = world.receipt()
    cache = receipt.get("cache")
    trial.expect(receipt.get("collectives") is None, f"collectives: {receipt.get('collectives')}")
    trial.expect(isinstance(cache, dict) and cache.get("writer_ranks") != [], "writer_ranks: []")
    trial.expect("collectives: none" not in ran.out, "says 'collectives: none'")
    del process


def clock_skew(trial: Trial) -> None:
    world = trial.world()
    ran = world.run("run", PROGRAM, "--hosts", "2", "--fault",
                    "clock-skew:host=1,seconds=3600", limit_seconds=60)
    trial.expect_end(world, ran, {3}, 60)
    ranks = world.receipt().get("ranks")
    skews = [one.get("clock_skew_ms") for one in ranks] if isinstance(ranks, list) else []
    wrong = [skew for skew in skews[4:] if skew is not None and abs(skew - 3600000) > 60000]
    trial.expect(len(skews) == 8 and not wrong, f"clock_skew_ms of host 1: {skews[4:]}")


def retention(trial: Trial) -> None:
    """Only receipts older than 30 days and not among the newest 1,000 are removed."""
    world = trial.world()
    program = programs.write(world.folder, "one.mlir", programs.one_chip(1))
    words = ("run", program, "--slice", "v6e-1", "--fill", "ones")
    world.run(*words)
    first = world.receipt_files()[0]
    today = datetime.datetime.now(datetime.UTC)
    for index in range(1, 1101):  # 500 are younger than 30 days, 600 older
        when = today - datetime.timedelta(days=index * 30 / 500.5)
        name = f"{when:%Y%m%d-%H%M%S}-{index:06d}"
        text = json.loads(first.read_text())
        text.update(run_id=name, created_utc=f"{when:%Y-%m-%dT%H:%M:%SZ}")
        copy = first.with_name(f"{name}.json")
        copy.write_text(json.dumps(text))
        os.utime(copy, (when.timestamp(), when.timestamp()))
    world.run(*words)
    left = len(world.receipt_files())
    trial.expect(left in range(1000, 1003), f"{left} receipts of 1,102 are left, expected 1,000")


def no_receipt(trial: Trial) -> None:
    world = trial.world()
    ran = world.run("run", PROGRAM, "--no-receipt", limit_seconds=60)
    trial.expect_end(world, ran, {0}, 60, "none")


def many_at_once(trial: Trial) -> None:
    """Several runs of one user at once, on one cache: each passes and leaves its receipt."""
    worlds = [trial.world() for _ in range(3)]
    for world in worlds:
        world.environment["XDG_CACHE_HOME"] = str(worlds[0].cache)
        world.start("run", PROGRAM, "--cache-policy", "shared")
    ran = [world.finish(120) for world in worlds]
    for world, one in zip(worlds, ran, strict=True):
        trial.expect(one.code == 0, f"exit code {one.code}: {one.err[-200:]}")
        trial.expect(len(world.receipt_files()) == 1, "did not leave exactly one receipt")
    for world in worlds:
        trial.expect_nothing_left(world)
    shutil.rmtree(worlds[0].cache, ignore_errors=True)


MOUNTS = (machine.needs_mounts,)
ATTACKS = [
    Attack("out-of-memory", "names host memory, leaves a receipt", 10, 2, out_of_memory,
           (machine.needs_memory_cgroup,)),
    Attack("process-names", "workers are named in the process table", 3, 1, process_names),
    Attack("listening", "only on the loopback interface", 6, 2, listening),
    Attack("unresolved-host-name", "a run is as fast as with a resolvable name", 5, 1, unresolved_name, MOUNTS),
    Attack("left-alone-under-load", "no alarm beside 20 busy processes",
           50, 1, left_alone_under_load),
    Attack("unknown-is-null", "null in the receipt, 'not known' in the text",
           10, 2, unknown_is_null),
    Attack("clock-skew-is-kept", "the measured skew, or null", 3, 1, clock_skew),
    Attack("receipt-retention", "1,000 receipts are left", 2, 1, retention),
    Attack("no-receipt", "--no-receipt leaves none", 3, 1, no_receipt),
    Attack("runs-beside-runs", "each passes", 10, 1, many_at_once),
]
