# SPDX-License-Identifier: Apache-2.0
"""Frames of the protocol between understudy and this process.

frame := header_bytes:u32 payload_bytes:u64 header payload, numbers little-endian; the header is a
JSON object in UTF-8. At its start the process sends one frame, its greeting. Then it answers each
request with one frame, in order, until its standard input ends.
"""
from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO, Optional

PREFIX = struct.Struct("<IQ")
# A greater length is a broken stream.
MOST_HEADER_BYTES = 1 << 26
MOST_PAYLOAD_BYTES = 1 << 33

Header = dict[str, Any]


class BrokenStream(Exception):
    """The other side sent something that is no frame."""


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    pieces = []
    while size > 0:
        piece = stream.read(size)
        if not piece:
            raise BrokenStream("the stream ends inside a frame")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def read_frame(stream: BinaryIO) -> Optional[tuple[Header, bytes]]:
    """Returns (header, payload), or None at the end of the stream. Raises BrokenStream."""
    first = stream.read(1)
    if not first:
        return None
    prefix = first + _read_exactly(stream, PREFIX.size - 1)
    header_bytes, payload_bytes = PREFIX.unpack(prefix)
    if header_bytes > MOST_HEADER_BYTES or payload_bytes > MOST_PAYLOAD_BYTES:
        raise BrokenStream(f"a frame of {header_bytes} and {payload_bytes} bytes")
    try:
        header = json.loads(_read_exactly(stream, header_bytes))
    except ValueError as error:
        raise BrokenStream(f"the header is no JSON: {error}") from error
    if not isinstance(header, dict):
        raise BrokenStream("the header is no JSON object")
    return header, _read_exactly(stream, payload_bytes)


def write_frame(stream: BinaryIO, header: Header, payload: bytes = b"") -> None:
    text = json.dumps(header).encode()
    stream.write(PREFIX.pack(len(text), len(payload)))
    stream.write(text)
    stream.write(payload)
    stream.flush()
