# SPDX-License-Identifier: Apache-2.0
"""Cache entries as bytes: the layout of each format (docs/formats.md), and how to patch and reseal.

A new format is a row of LAYOUTS.
"""
from __future__ import annotations

import ctypes
import dataclasses
import functools
import pathlib
import random
import struct

MAGIC = b"USTDYEXE"
FORMAT_AT = len(MAGIC)


@dataclasses.dataclass(frozen=True)
class Layout:
    """Where the fields of the head are; the content (parts, payload) follows the head."""

    fields: dict[str, tuple[int, int]]  # name -> offset, bytes
    head_bytes: int
    covers_head: bool  # the digest covers all other bytes; else only the content


def _in_order(*fields: tuple[str, int]) -> dict[str, tuple[int, int]]:
    placed, at = {}, 0
    for name, size in fields:
        placed[name] = (at, size)
        at += size
    return placed


LAYOUTS = {
    2: Layout(_in_order(("magic", 8), ("format", 4), ("fingerprint", 32), ("key", 32),
                        ("parts_length", 8), ("length", 8), ("digest", 32)), 124, False),
    3: Layout(_in_order(("magic", 8), ("format", 4), ("digest", 32), ("fingerprint", 32),
                        ("key", 32), ("parts_length", 8), ("length", 8)), 124, True),
}
LAYOUTS[4] = LAYOUTS[5] = LAYOUTS[3]  # the payload alone changed


class _Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


@functools.cache
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL("libxxhash.so.0")
    except OSError:
        return None
    library.XXH3_128bits.restype = _Hash128
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return library


def needs_digest() -> str | None:
    return None if _library() else "needs libxxhash.so.0"


def digest_of(content: bytes) -> bytes:
    """XXH3-128 as 32 hexadecimal digits."""
    library = _library()
    assert library is not None
    value = library.XXH3_128bits(content, len(content))
    return f"{value.high:016x}{value.low:016x}".encode()


def layout_of(entry: bytes) -> Layout:
    """*Throws* ValueError if the bytes are not an entry of a format in the table."""
    if not entry.startswith(MAGIC):
        raise ValueError("not a cache entry")
    number = struct.unpack_from("<I", entry, FORMAT_AT)[0]
    if number not in LAYOUTS:
        raise ValueError(f"LAYOUTS has no row for entry format {number}")
    return LAYOUTS[number]


def field(entry: bytes, name: str) -> bytes:
    at, size = layout_of(entry).fields[name]
    return entry[at:at + size]


def with_field(entry: bytes, name: str, value: bytes) -> bytes:
    at, size = layout_of(entry).fields[name]
    assert len(value) == size
    return entry[:at] + value + entry[at + size:]


def digest_for(entry: bytes) -> bytes:
    """The correct digest for the content of an entry."""
    layout = layout_of(entry)
    if not layout.covers_head:
        return digest_of(entry[layout.head_bytes:])
    at, size = layout.fields["digest"]
    return digest_of(entry[:at] + entry[at + size:])


def resealed(entry: bytes) -> bytes:
    """The entry with the digest of its present content."""
    return with_field(entry, "digest", digest_for(entry))


def payload_at(entry: bytes) -> int:
    return layout_of(entry).head_bytes + int.from_bytes(field(entry, "parts_length"), "little")


def with_random_payload_bytes(entry: bytes, rng: random.Random) -> bytes:
    """Changes a few bytes of the payload: flipped, set to an extreme, or eight at once."""
    changed = bytearray(entry)
    start = payload_at(entry)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(start, len(changed))
        match rng.randrange(4):
            case 0:
                changed[at] ^= 1 << rng.randrange(8)
            case 1:
                changed[at] = rng.choice((0, 0x7F, 0x80, 0xFF))
            case 2:
                changed[at:at + 8] = struct.pack("<q", rng.choice((-1, 1 << 62, 0)))[
                    :len(changed) - at]
            case _:
                changed[at] = rng.randrange(256)
    return bytes(changed)


def entries_in(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(folder.rglob("*.entry"))
