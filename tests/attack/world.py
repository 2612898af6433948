# SPDX-License-Identifier: Apache-2.0
"""The folders and environment of one trial: all leftovers are in them or in /dev/shm."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
from typing import Any

import litter
import machine
import receipts
from records import Record, read_record

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "programs"
SHARED_MEMORY = pathlib.Path("/dev/shm")

_binary = ROOT / "build" / "release" / "bin" / "understudy"


def use_binary(path: pathlib.Path) -> None:
    global _binary
    _binary = path.resolve()


def binary() -> pathlib.Path:
    return _binary


@dataclasses.dataclass
class Ran:
    code: int  # exit code, or minus the signal that ended it
    out: str
    err: str
    seconds: float
    hung: bool


class World:
    """Folders and environment of a run. One run at a time."""

    def __init__(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ua-"))
        self.tmp, self.state, self.cache = (self.folder / n for n in ("tmp", "state", "cache"))
        for path in (self.tmp, self.state, self.cache, self.folder / "home"):
            path.mkdir()
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8", "TMPDIR": str(self.tmp), "XDG_STATE_HOME": str(self.state),
            "XDG_CACHE_HOME": str(self.cache), "XDG_CONFIG_HOME": str(self.folder / "home"),
        }
        # Sanitized binaries exit with 99 on a report; no attack expects that code.
        self.environment["ASAN_OPTIONS"] = self.environment["UBSAN_OPTIONS"] = \
            "exitcode=99:detect_leaks=0:halt_on_error=1:print_stacktrace=1"
        self.prefix: list[str] = []
        self.output_is_lost = False  # standard output or error is closed or full
        self.process: subprocess.Popen[bytes] | None = None
        self.planted: set[str] = set()  # files of the attack itself, relative to the cache
        self._mounted: list[str] = []
        self._shared_before = litter.names_in(SHARED_MEMORY)
        self._receipts_before: set[pathlib.Path] = set()
        self._started = 0.0

    # ---- runs ------------------------------------------------------------------------------------

    def start(self, *words: str, **popen: object) -> subprocess.Popen[bytes]:
        """Starts `understudy WORDS...`. Output goes to files: an orphan that keeps a pipe open
        would block its reader."""
        if "stdout" not in popen:
            popen["stdout"] = (self.folder / "out").open("wb")
        if "stderr" not in popen:
            popen["stderr"] = (self.folder / "err").open("wb")
        self._receipts_before = set(self.receipt_files())
        self._started = time.monotonic()
        self.process = subprocess.Popen(  # type: ignore[call-overload]
            [*self.prefix, str(binary()), *words], env=self.environment, cwd=self.folder,
            stdin=subprocess.DEVNULL, **popen)
        for name in ("stdout", "stderr"):
            if hasattr(popen[name], "close"):
                popen[name].close()  # type: ignore[attr-defined]
        assert self.process is not None
        return self.process

    def finish(self, limit_seconds: float) -> Ran:
        """Waits for the end of the run, and kills it `limit_seconds` after its start."""
        assert self.process is not None
        hung = False
        try:
            self.process.wait(max(0.1, self._started + limit_seconds - time.monotonic()))
        except subprocess.TimeoutExpired:
            hung = True
        seconds = time.monotonic() - self._started
        if hung:
            self.kill_all()
        return Ran(self.process.wait(), self._text("out"), self._text("err"), seconds, hung)

    def run(self, *words: str, limit_seconds: float = 60, **popen: object) -> Ran:
        self.start(*words, **popen)
        return self.finish(limit_seconds)

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def _text(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(errors="replace")
        except OSError:
            return ""

    # ---- state of a run --------------------------------------------------------------------------

    def run_folders(self) -> list[pathlib.Path]:
        return sorted(self.tmp.glob("understudy-*"))

    def records(self) -> dict[int, Record]:
        """The existing records, by rank."""
        found: dict[int, Record] = {}
        for folder in self.run_folders():
            for path in folder.glob("records/*"):
                record = read_record(path)
                if record is not None:
                    found[record.rank] = record
        return found

    def wait_for_steps(self, ranks: int, steps: int = 2, limit_seconds: float = 60) -> bool:
        """Whether every rank reached this step in time."""
        deadline = time.monotonic() + limit_seconds
        while time.monotonic() < deadline and self.alive():
            records = self.records()
            if len(records) == ranks and all(r.step >= steps for r in records.values()):
                return True
            time.sleep(0.01)
        return False

    def receipt_files(self) -> list[pathlib.Path]:
        return sorted((self.state / "understudy" / "receipts").glob("*"))

    def _receipts_of_the_run(self) -> list[pathlib.Path]:
        """Those that are newer than the last start, the newest last."""
        new = set(self.receipt_files()) - self._receipts_before
        return sorted(new, key=lambda path: path.stat().st_mtime_ns)

    def receipt(self) -> dict[str, Any]:
        """The newest finished receipt of the last run; empty if there is none."""
        for path in reversed(self._receipts_of_the_run()):
            try:
                document = json.loads(path.read_text())
            except (OSError, ValueError):
                continue
            return document if isinstance(document, dict) else {}
        return {}

    def failure(self) -> dict[str, object]:
        """What failed the last run; {} of one that passed or left no receipt."""
        failures = self.receipt().get("failures")
        if not isinstance(failures, list) or not failures or failures[0].get("kind") is None:
            return {}
        return failures[0]

    def receipt_faults(self, ran: Ran, expected: str) -> list[str]:
        """Errors in the receipts of the last run; see Trial.expect_end."""
        files = self._receipts_of_the_run()
        faults = []
        if expected == "none" and files:
            faults.append(f"left a receipt: {files[0].name}")
        if expected == "finished" and not files:
            faults.append("left no receipt")
        for path in files:
            faults += [f"receipt {path.name}: {text}" for text in receipts.faults_of(path)]
        code = self.receipt().get("exit_code", ran.code)
        # A receipt describes the run; lost output changes only the exit code of the process.
        lost = self.output_is_lost and ran.code in (71, 141) and code == 0  # 141: SIGPIPE
        if not ran.hung and ran.code >= 0 and code != ran.code and not lost:
            faults.append(f"exit code {ran.code}, but the receipt says {code}")
        return faults

    # ---- leftovers -------------------------------------------------------------------------------

    def litter(self) -> list[str]:
        found = litter.files_in(self.tmp)
        new = litter.names_in(SHARED_MEMORY) - self._shared_before
        found += [f"{SHARED_MEMORY}/{name}" for name in sorted(new)
                  if machine.needs_mounts() is None or "understudy" in name]
        found += [name for name in litter.temporaries_in(self.cache) if name not in self.planted]
        return found + litter.temporaries_in(self.state)

    def processes_left(self, within_seconds: float) -> list[str]:
        deadline = time.monotonic() + within_seconds
        while True:
            own = {self.process.pid} if self.process else set()
            machine.reap(own)
            left = {p: s for p, s in machine.descendants().items()
                    if p not in own or self.alive()}
            if not left or time.monotonic() > deadline:
                names = sorted({f"{machine.command_of(p)} ({s[1]})" for p, s in left.items()})
                return [f"{len(left)} processes", *names] if left else []
            time.sleep(0.02)

    def kill_all(self) -> None:
        """Kills every descendant of the harness that an attack started, until none is left."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            machine.reap({self.process.pid} if self.process else set())
            left = machine.descendants()
            if not left:
                break
            for pid in left:
                machine.kill(pid, signal.SIGKILL)
            if self.process:
                self.process.poll()
            time.sleep(0.02)

    def mount_tmp(self, size: str) -> None:
        """Mounts a file system of this size as TMPDIR."""
        machine.mount_tmpfs(str(self.tmp), size, "1777")
        self._mounted.append(str(self.tmp))

    def mount_at(self, path: pathlib.Path, size: str) -> None:
        path.mkdir(parents=True, exist_ok=True)
        machine.mount_tmpfs(str(path), size, "1777")
        self._mounted.append(str(path))

    def close(self) -> None:
        self.kill_all()
        for path in reversed(self._mounted):
            machine.unmount(path)
        for name in litter.names_in(SHARED_MEMORY) - self._shared_before:
            if machine.needs_mounts() is None:
                shutil.rmtree(SHARED_MEMORY / name, ignore_errors=True)
                (SHARED_MEMORY / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
