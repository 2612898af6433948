# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package."""
from __future__ import annotations

import pathlib
from typing import Any, Optional, Sequence


class ExportError(ValueError):
    """A function or an argument cannot be written as a program folder."""


class Failure(RuntimeError):
    """A run on the emulated pod failed, or its results differ from the expected ones.

    exit_code: of the binary (`docs/architecture.md` has the table); 1 is a failed comparison, 4 a
        lost worker or a deadline. Negative: the binary was ended by that signal.
    message: what failed, as the receipt has it.
    kind, rank, op, place: of the failure, None where they are unknown; place is in the program.
    python_places: "path:line:column" of the Python behind each place of the message, and `place`.
    receipt: the file of the receipt, None if there is none (a program that was refused).
    document: the JSON document that the binary printed, None if it printed none.
    stderr: everything that the binary wrote to its standard error.
    """

    def __init__(self, message: str, *, exit_code: int, receipt: Optional[pathlib.Path] = None,
                 failure: Optional[dict[str, Any]] = None,
                 python_places: Sequence[str] = (),
                 document: Optional[dict[str, Any]] = None, stderr: str = "") -> None:
        python = "".join(f"\n  from {place}" for place in python_places)
        where = f"\nreceipt: {receipt}" if receipt else ""
        super().__init__(f"{message} (exit code {exit_code}){python}{where}")
        failure = failure or {}
        self.message = message
        self.exit_code = exit_code
        self.receipt = receipt
        self.kind: Optional[str] = failure.get("kind")
        self.rank: Optional[int] = failure.get("rank")
        self.op: Optional[str] = failure.get("op")
        self.place: Optional[str] = failure.get("place")
        self.python_places = tuple(python_places)
        self.document = document
        self.stderr = stderr
