# SPDX-License-Identifier: Apache-2.0
"""FIFOs, devices, directories, sockets, links and huge sparse files in place of regular files."""
from __future__ import annotations

import os
import pathlib
import socket
import stat
import time
from collections.abc import Callable

import entries
import machine
import programs
from attack import Attack, Trial
from world import Ran, World

LIMIT_SECONDS = 40
BOUND_SECONDS = 20.0  # --timeout is 5
MOST_KIB = 2 << 20  # resident memory of one process

# Files of an entry, and of its folder; see docs/formats.md, "The compile cache".
NAMES = ("{key}.entry", "{key}.compiling", "{key}.unpublished", "{key}.lock", "{key}.entry.atime",
         "{key}.entry.quarantined", ".breaking", ".evicting", ".lockfile", ".evictions")
POLICIES = (("per-host",), ("per-process",), ("single-writer",), ("read-only",),
            ("shared", "exclusive-file"), ("shared", "directory"))


def _fifo(path: pathlib.Path, _: pathlib.Path) -> None:
    os.mkfifo(path)


def _directory(path: pathlib.Path, _: pathlib.Path) -> None:
    path.mkdir()
    (path / "file").write_text("not of understudy")


def _socket(path: pathlib.Path, _: pathlib.Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        folder = os.open(path.parent, os.O_RDONLY)  # paths of sockets are short
        server.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


def _link_to_zero(path: pathlib.Path, _: pathlib.Path) -> None:
    path.symlink_to("/dev/zero")


def _link_to_nothing(path: pathlib.Path, outside: pathlib.Path) -> None:
    path.symlink_to(outside / "made-through-the-link")


def _link_to_file(path: pathlib.Path, outside: pathlib.Path) -> None:
    path.symlink_to(outside / "precious")


def _link_to_itself(path: pathlib.Path, _: pathlib.Path) -> None:
    path.symlink_to(path.name)


def _sparse(path: pathlib.Path, _: pathlib.Path) -> None:
    with path.open("wb") as file:
        file.truncate(12 << 30)


def _device(path: pathlib.Path, _: pathlib.Path) -> None:
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))


KINDS: dict[str, Callable[[pathlib.Path, pathlib.Path], None]] = {
    "fifo": _fifo, "directory": _directory, "socket": _socket, "link to /dev/zero": _link_to_zero,
    "link to nothing": _link_to_nothing, "link to a file": _link_to_file,
    "link to itself": _link_to_itself, "12 GB sparse": _sparse,
}


def _plant(trial: Trial, path: pathlib.Path, outside: pathlib.Path) -> None:
    kinds = dict(KINDS, **({"device": _device} if os.geteuid() == 0 else {}))
    name = trial.rng.choice(sorted(kinds))
    trial.facts.update(kind=name, at=path.name)
    outside.mkdir(exist_ok=True)
    (outside / "precious").write_text("precious")
    if path.exists() or path.is_symlink():
        path.unlink()
    kinds[name](path, outside)


def _expect_outside_untouched(trial: Trial, outside: pathlib.Path) -> None:
    found = {path.name: path.read_text() for path in outside.iterdir()}
    trial.expect(found == {"precious": "precious"}, f"a link was followed: {sorted(found)}")


def _watched(trial: Trial, world: World, *words: str) -> Ran:
    """Runs to the end and checks the size of its processes."""
    world.start(*words)
    largest = 0
    deadline = time.monotonic() + LIMIT_SECONDS
    while world.alive() and time.monotonic() < deadline:
        for pid in machine.descendants():
            try:
                text = pathlib.Path(f"/proc/{pid}/status").read_text()
            except OSError:
                continue
            lines = [line.split()[1] for line in text.splitlines() if line.startswith("VmHWM")]
            largest = max(largest, int(lines[0]) if lines else 0)
        time.sleep(0.02)
    trial.expect(largest < MOST_KIB, f"a process grew to {largest // 1024} MiB")
    return world.finish(LIMIT_SECONDS)


def in_the_cache(trial: Trial) -> None:
    world = trial.world()
    program = programs.write(world.folder, "two.mlir", programs.two_chips(3))
    policy = trial.rng.choice(POLICIES)
    trial.facts["policy"] = "/".join(policy)
    words = ["run", program, "--slice", "v6e-4", "--fill", "ones", "--timeout", "5",
             "--cache-policy"]
    how = [policy[0], *(["--cache-lock", policy[1]] if len(policy) > 1 else [])]
    warm = ["per-host"] if policy[0] == "read-only" else how
    first = world.run(*words, *warm)
    found = entries.entries_in(world.cache)
    if not trial.expect(first.code == 0 and bool(found), f"the first run: {first.err[-300:]}"):
        return
    key, folder = found[0].stem, found[0].parent
    name = trial.rng.choice(NAMES).format(key=key)
    if name != found[0].name and trial.rng.random() < 0.7:
        found[0].unlink()  # so that the run compiles and uses locks and marks
    outside = world.folder / "outside"
    _plant(trial, folder / name, outside)
    world.planted = {str((folder / name).relative_to(world.cache))}
    ran = _watched(trial, world, *words, *how)
    trial.expect_end(world, ran, {0}, BOUND_SECONDS)
    _expect_outside_untouched(trial, outside)
    for verb in ("ls", "verify", "prune"):
        done = world.run("cache", verb, limit_seconds=LIMIT_SECONDS)
        trial.expect(not done.hung and done.code in (0, 1),
                     f"cache {verb}: exit code {done.code}, {done.seconds:.0f} s: "
                     f"{done.err[-200:]}")
    _expect_outside_untouched(trial, outside)


INPUTS: dict[str, tuple[str, ...]] = {
    "program": ("run", "{path}", "--fill", "ones"),
    "metrics": ("metrics", "{path}"),
    "check": ("check", "{path}"),
    "argument": ("run", "{program}", "--slice", "v6e-1", "--arg", "0={path}"),
    "profile": ("run", "{program}", "--slice", "v6e-1", "--fill", "ones", "--profile", "{path}"),
    "setup script": ("run", "{program}", "--slice", "v6e-1", "--fill", "ones", "--setup-script",
                     "{path}"),
    "hostfile": ("run", "{program}", "--slice", "v6e-1", "--fill", "ones", "--hostfile", "{path}"),
    "receipt": ("receipt", "show", "{path}"),
    "manifest": ("run", "{folder}"),
    "expected": ("run", "{program}", "--slice", "v6e-1", "--fill", "ones", "--expect", "{folder}"),
}
FILES = {"manifest": "manifest.json", "expected": "out0.npy"}


def as_input(trial: Trial) -> None:
    world = trial.world()
    what = trial.rng.choice(sorted(INPUTS))
    trial.facts["input"] = what
    folder = world.folder / "inputs"
    folder.mkdir()
    path = folder / FILES.get(what, trial.rng.choice(("a.mlir", "a.mlirbc", "a.npy", "a.json")))
    outside = world.folder / "outside"
    _plant(trial, path, outside)
    program = programs.write(world.folder, "one.mlir", programs.one_chip(1))
    values = {"path": str(path), "program": program, "folder": str(folder)}
    ran = _watched(trial, world, *(word.format(**values) for word in INPUTS[what]))
    codes = {2}
    if what == "check":
        codes |= {0, 1}  # a folder is searched for programs
    if what == "hostfile":
        codes |= {71}  # mpirun reads it
    if what == "setup script" and trial.facts["kind"] == "link to a file":
        codes = {0}  # a regular file, of which the receipt takes the digest alone
    trial.expect_end(world, ran, codes, BOUND_SECONDS, "optional")
    _expect_outside_untouched(trial, outside)


def evicting_link(trial: Trial) -> None:
    """A link in place of a lock file, in a bounded cache: no file is created at its target."""
    world = trial.world()
    program = programs.write(world.folder, "two.mlir", programs.two_chips(3))
    words = ("run", program, "--slice", "v6e-4", "--fill", "ones", "--cache-max-bytes", "4096")
    world.run(*words)
    outside = world.folder / "outside"
    outside.mkdir()
    (outside / "precious").write_text("precious")
    folders = [path for path in world.cache.rglob("host*") if path.is_dir()]
    name = trial.rng.choice((".evicting", ".breaking", ".lockfile"))
    for folder in folders:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(outside / "made-through-the-link")
        world.planted.add(str((folder / name).relative_to(world.cache)))
    for path in entries.entries_in(world.cache):
        path.unlink()
    ran = world.run(*words, limit_seconds=LIMIT_SECONDS)
    trial.expect_end(world, ran, {0}, BOUND_SECONDS)
    world.run("cache", "prune", "--max-bytes", "1")
    _expect_outside_untouched(trial, outside)


ATTACKS = [
    Attack("special-file-in-cache", "the run passes in 20 s at --timeout 5; no link is followed",
           100, 8, in_the_cache),
    Attack("special-file-as-input", "2 within 20 s, little memory", 100, 12, as_input),
    Attack("link-in-cache", "no file is created at the target of a link", 10, 1, evicting_link),
]
