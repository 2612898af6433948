# SPDX-License-Identifier: Apache-2.0
"""Finds and runs the `understudy` program."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
from typing import Any, Optional, Sequence

# After its own deadline, or after a signal, the program ends its pod, writes the receipt and
# leaves. Longer than that takes on a loaded machine.
_GRACE_SECONDS = 30.0
_RECEIPT = re.compile(r"^receipt: (.+)$", re.MULTILINE)


class BinaryNotFound(FileNotFoundError):
    """There is no `understudy` program where the package looks for it."""


@dataclasses.dataclass(frozen=True)
class Finished:
    """The end of one start of the program."""
    exit_code: int  # negative: the signal that ended it
    stdout: str
    stderr: str

    @property
    def document(self) -> Optional[dict[str, Any]]:
        """The JSON document on standard output; None if the program printed none."""
        try:
            document = json.loads(self.stdout)
        except json.JSONDecodeError:
            return None
        return document if isinstance(document, dict) else None

    @property
    def receipt(self) -> Optional[pathlib.Path]:
        """The receipt that the program names; None if it left none."""
        named = _RECEIPT.findall(self.stderr)
        return pathlib.Path(named[-1]) if named else None


def _is_program(path: pathlib.Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def find_binary() -> pathlib.Path:
    """UNDERSTUDY_BIN, else PATH, else build/release/bin of the checkout that holds this package.

    Raises BinaryNotFound, which says where it looked.
    """
    named = os.environ.get("UNDERSTUDY_BIN")
    if named:
        if not _is_program(pathlib.Path(named)):
            raise BinaryNotFound(f"UNDERSTUDY_BIN: {named} is not a program")
        return pathlib.Path(named)
    found = shutil.which("understudy")
    # The package itself has no such script; one that is found is the binary.
    if found:
        return pathlib.Path(found)
    checkout = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/understudy"
    if _is_program(checkout):
        return checkout
    raise BinaryNotFound("the program `understudy` was not found: UNDERSTUDY_BIN is not set, it is "
                         f"not on PATH, and {checkout} does not exist; build it, or set "
                         "UNDERSTUDY_BIN to its path")


def _end(process: "subprocess.Popen[str]", number: signal.Signals) -> tuple[str, str]:
    """Ends the program by a signal: it ends its pod first. Kills it if it does not."""
    process.send_signal(number)
    try:
        return process.communicate(timeout=_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()  # its guardian process then ends the pod
        return process.communicate()


def run_binary(words: Sequence[str], deadline_seconds: float) -> Finished:
    """Runs `understudy WORDS... --deadline SECONDS`. Ctrl-C ends the pod, then propagates.

    Raises BinaryNotFound. Ends within the deadline and 60 s in every case.
    """
    command = [str(find_binary()), *words, "--deadline", f"{deadline_seconds:g}"]
    # Its own session: Ctrl-C of the terminal reaches it through _end() alone, once.
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace",
                               start_new_session=True)
    try:
        stdout, stderr = process.communicate(timeout=deadline_seconds + _GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        stdout, stderr = _end(process, signal.SIGTERM)
    except BaseException:
        _end(process, signal.SIGINT)
        raise
    return Finished(process.returncode, stdout, stderr)
