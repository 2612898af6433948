# SPDX-License-Identifier: Apache-2.0
"""Mutations of files: pure functions of the bytes and a generator, so a seed repeats them."""
from __future__ import annotations

import random
import re
from collections.abc import Callable

EXTREME_NUMBERS = ("0", "-1", "1", "2147483648", "-2147483649", "4294967296", "9223372036854775807",
                   "9223372036854775808", "1000000000000000000", "1e999", "nan", "65", "129")


def flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def truncated(data: bytes, rng: random.Random) -> bytes:
    return data[:rng.randrange(len(data))]


def inserted(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.randint(1, 16)) + data[at:]


def deleted(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randint(1, 64):]


def repeated(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    end = min(len(data), at + rng.randint(1, 256))
    return data[:end] + data[at:end] * rng.randint(1, 8) + data[end:]


def overwritten(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    size = min(len(data) - at, rng.choice((1, 2, 4, 8)))
    return data[:at] + bytes([rng.choice((0, 0x7F, 0x80, 0xFF))]) * size + data[at + size:]


BYTE_MUTATORS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flipped, truncated, inserted, deleted, repeated, overwritten)


def mutant_of_bytes(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return rng.randbytes(8)
    return rng.choice(BYTE_MUTATORS)(data, rng) or b"\0"


def with_other_number(text: str, rng: random.Random) -> str:
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return text + rng.choice(EXTREME_NUMBERS)
    one = rng.choice(numbers)
    return text[:one.start()] + rng.choice(EXTREME_NUMBERS) + text[one.end():]


def with_other_word(text: str, rng: random.Random) -> str:
    words = list(re.finditer(r"[%@#!\w.]+", text))
    if len(words) < 2:
        return text * 2
    one, other = rng.choice(words), rng.choice(words)
    return text[:one.start()] + other.group() + text[one.end():]


def with_lines_moved(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    line = lines.pop(rng.randrange(len(lines)))
    if rng.random() < 0.6:
        lines.insert(rng.randrange(len(lines) + 1), line)
    if rng.random() < 0.3:
        lines.insert(rng.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def with_bracket_changed(text: str, rng: random.Random) -> str:
    brackets = [m.start() for m in re.finditer(r"[(){}\[\]<>\"]", text)]
    if not brackets:
        return text + "{"
    at = rng.choice(brackets)
    return text[:at] + rng.choice(("", "(", "}", ">", '"', text[at] * 300)) + text[at + 1:]


TEXT_MUTATORS: tuple[Callable[[str, random.Random], str], ...] = (
    with_other_number, with_other_word, with_lines_moved, with_bracket_changed)


def mutant_of_text(text: str, rng: random.Random) -> bytes:
    """One to three changes of words, sometimes one of bytes after them."""
    for _ in range(rng.randint(1, 3)):
        text = rng.choice(TEXT_MUTATORS)(text, rng)
    data = text.encode()
    return mutant_of_bytes(data, rng) if rng.random() < 0.2 else data
