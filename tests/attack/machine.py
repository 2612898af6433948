# SPDX-License-Identifier: Apache-2.0
"""Linux facilities of the harness: a private mount namespace, its descendants, capabilities.

The harness is a subreaper: a process whose parent ends becomes a child of the harness, so every
process that an attack started remains a descendant until it ends.
"""
from __future__ import annotations

import ctypes
import functools
import os
import pathlib
import shutil
import signal
import subprocess

PR_SET_CHILD_SUBREAPER = 36
CLONE_NEWNS = 0x00020000

_libc = ctypes.CDLL(None, use_errno=True)
_private_mounts = False
_ignored: set[int] = set()  # descendants of the harness that belong to no attack


def prepare() -> None:
    """Call once, at the start. As root it also creates a private mount namespace with its own
    /dev/shm, which ends with the harness and hides files of other users."""
    global _private_mounts
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if os.geteuid() != 0 or _libc.unshare(CLONE_NEWNS) != 0:
        return
    if subprocess.run(["mount", "--make-rprivate", "/"], stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        return
    _private_mounts = True
    mount_tmpfs("/dev/shm", "50%", "1777")


def mount_tmpfs(path: str, size: str, mode: str = "0700") -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode={mode}", "attack", path],
                   check=True)


def unmount(path: str) -> None:
    subprocess.run(["umount", "-l", path], check=False, stderr=subprocess.DEVNULL)


# ---- reasons to skip an attack -------------------------------------------------------------------

def needs_mounts() -> str | None:
    return None if _private_mounts else "needs root and the right to mount"


def needs_users() -> str | None:
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return "needs root and setpriv"
    return None


@functools.cache
def memory_cgroup() -> pathlib.Path | None:
    """A folder in which memory cgroups can be created: version 1 or 2."""
    for base in (pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")):
        probe = base / f"understudy-attack-{os.getpid()}"
        try:
            probe.mkdir()
            found = any((probe / name).exists() for name in ("memory.limit_in_bytes", "memory.max"))
            probe.rmdir()
        except OSError:
            continue
        if found:
            return base
    return None


def needs_memory_cgroup() -> str | None:
    return None if memory_cgroup() else "memory cgroups cannot be created here"


# ---- processes -----------------------------------------------------------------------------------

def stat_of(pid: int) -> tuple[str, str, int] | None:
    """(name, state, parent) of a process."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
    return name, rest[0], int(rest[1])


def descendants(root: int | None = None) -> dict[int, tuple[str, str, int]]:
    """Every live descendant of the harness (or of `root`), without zombies."""
    stats = {int(name): stat for name in os.listdir("/proc") if name.isdigit()
             if (stat := stat_of(int(name)))}
    found: dict[int, tuple[str, str, int]] = {}
    frontier = {os.getpid() if root is None else root}
    while frontier:
        children = {pid for pid, stat in stats.items()
                    if stat[2] in frontier and pid not in found and pid not in _ignored}
        found.update((pid, stats[pid]) for pid in children)
        frontier = children
    return {pid: stat for pid, stat in found.items() if stat[1] not in "ZX"}


def environment_of(pid: int) -> dict[str, str]:
    try:
        raw = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    pairs = (item.partition(b"=") for item in raw.split(b"\0") if item)
    return {name.decode(errors="replace"): value.decode(errors="replace")
            for name, _, value in pairs}


def command_of(pid: int) -> str:
    """The name of the program that a process runs, "?" if it cannot be read."""
    try:
        return pathlib.Path(os.readlink(f"/proc/{pid}/exe")).name
    except OSError:
        return "?"


def workers() -> dict[int, int]:
    """Rank -> pid of the existing workers of all runs of this harness."""
    found: dict[int, int] = {}
    for pid in descendants():
        if not command_of(pid).startswith("understudy-worker"):
            continue
        rank = environment_of(pid).get("OMPI_COMM_WORLD_RANK")
        if rank is not None and rank.isdigit() and not _is_helper(pid):
            found[int(rank)] = pid
    return found


def _is_helper(pid: int) -> bool:
    """Whether a worker started this process."""
    stat = stat_of(pid)
    return stat is not None and command_of(stat[2]).startswith("understudy-worker")


def mpiruns() -> list[int]:
    return [pid for pid in descendants() if command_of(pid) in ("mpirun", "orterun", "prterun")]


def kill(pid: int, number: int) -> bool:
    """Sends a signal. Returns whether the process existed."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def reap(known: set[int]) -> None:
    """Reaps orphans that became children of the harness; pids in `known` belong to a Popen."""
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) in known | _ignored:
            continue
        stat = stat_of(int(name))
        if stat and stat[1] == "Z" and stat[2] == os.getpid():
            try:
                os.waitpid(int(name), os.WNOHANG)
            except ChildProcessError:
                continue


class Load:
    """Busy processes that run beside an attack."""

    def __init__(self, processes: int) -> None:
        self._processes = [subprocess.Popen(["sh", "-c", "while :; do :; done"])
                           for _ in range(processes)]
        _ignored.update(process.pid for process in self._processes)

    def __enter__(self) -> Load:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
            _ignored.discard(process.pid)
