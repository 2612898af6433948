# SPDX-License-Identifier: Apache-2.0
"""XLA's warnings. XLA logs them to standard error, which understudy captures in a memory file, so
that this process can read back what it wrote."""
from __future__ import annotations

import os
import re
from typing import Optional

from jaxlib import _hlo

# "W1123 04:55:55.551342   15313 spmd_partitioner.cc:656] text": severity, time, thread, file.
_LOGGED = re.compile(r"^[WE]\d{4} \S+ +\d+ ([\w.]+):\d+\] (.*)$", re.MULTILINE)
# Announces only that GSPMD has a successor.
_NOT_ABOUT_THE_PROGRAM = ("sharding_propagation.cc",)
_FRAME = re.compile(r"stack_frame_id=(\d+)")
_STDERR = 2


def mark() -> Optional[int]:
    """The end of standard error now; None if it cannot be read back."""
    try:
        os.pread(_STDERR, 0, 0)
        return os.fstat(_STDERR).st_size
    except OSError:
        return None


def since(start: Optional[int], hlo: bytes) -> list[str]:
    """XLA's warnings since mark(), each with the source place that it names first."""
    if start is None:
        return []
    written = os.pread(_STDERR, os.fstat(_STDERR).st_size - start, start).decode(errors="replace")
    found = [text for file, text in _LOGGED.findall(written) if file not in _NOT_ABOUT_THE_PROGRAM]
    if not found:
        return []
    text = _hlo.HloModule.from_serialized_hlo_module_proto(hlo).to_string()
    return [_placed(warning, text) for warning in found]


def _row(text: str, table: str, number: str) -> str:
    found = re.search(rf"^{table}\n(?:.+\n)*?{number} (.+)$", text, re.MULTILINE)
    return found.group(1) if found else ""


def _field(row: str, name: str) -> str:
    found = re.search(rf"\b{name}=(\d+)", row)
    return found.group(1) if found else "0"


def _placed(warning: str, text: str) -> str:
    """`text`: the HLO module, which begins with its tables of stack frames and files."""
    frame = _FRAME.search(warning)
    if frame is None:
        return warning
    place = _row(text, "FileLocations", _field(_row(text, "StackFrames", frame.group(1)),
                                               "file_location_id"))
    name = _row(text, "FileNames", _field(place, "file_name_id")).strip('"')
    if not name:
        return warning
    return f"{name}:{_field(place, 'line')}:{_field(place, 'column')}: {warning}"
