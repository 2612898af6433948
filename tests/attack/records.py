# SPDX-License-Identifier: Apache-2.0
"""Reads the record of a worker and its flight recorder, as docs/formats.md describes them.

A separate reader, so that the harness has the state of the worker independently of the launcher. A
record can be read through an open file after the run folder was removed.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import struct

MAGIC = b"USRECORD"
PHASES = ("started", "contract_checked", "environment_frozen", "runtime_initialised",
          "spmd_enabled", "tensors_allowed", "programs_allowed", "finished", "failed")
HEADER = struct.Struct("<8sIiQQ")
STATUS_AT, FLIGHT_AT, SLOTS_AT, SLOT_COUNT = 64, 1024, 1088, 64
STATUS = struct.Struct("<QQIIQIII")
SLOT = struct.Struct("<QqqQQQ16s")
NUMBER_MASK = (1 << 56) - 1


@dataclasses.dataclass(frozen=True)
class Entry:
    """One collective that the rank entered."""

    sequence: int
    op: int  # ordinal in the program
    done: bool


@dataclasses.dataclass(frozen=True)
class Record:
    rank: int
    phase: str
    step: int
    op: int | None  # ordinal of the operation at work
    flight: tuple[Entry, ...]  # oldest first


def parse_record(raw: bytes) -> Record | None:
    """None if the bytes are not a record yet."""
    if len(raw) < SLOTS_AT + SLOT_COUNT * SLOT.size or not raw.startswith(MAGIC):
        return None
    _, _, rank, _, _ = HEADER.unpack_from(raw)
    _, _, phase, op, step, _, _, _ = STATUS.unpack_from(raw, STATUS_AT)
    entries = []
    for index in range(SLOT_COUNT):
        slot = SLOT.unpack_from(raw, SLOTS_AT + index * SLOT.size)
        if slot[0] != 0:
            entries.append(Entry(slot[0], slot[5] >> 32, slot[2] != 0))
    entries.sort(key=lambda entry: entry.sequence)
    name = PHASES[phase] if phase < len(PHASES) else "unknown"
    return Record(rank, name, step, op - 1 if op else None, tuple(entries))


def read_record(path: pathlib.Path) -> Record | None:
    try:
        with path.open("rb") as file:
            return parse_record(file.read(SLOTS_AT + SLOT_COUNT * SLOT.size))
    except OSError:
        return None


def read_open_record(descriptor: int) -> Record | None:
    """Reads a file that may have been removed since it was opened."""
    return parse_record(os.pread(descriptor, SLOTS_AT + SLOT_COUNT * SLOT.size, 0))
