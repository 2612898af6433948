# SPDX-License-Identifier: Apache-2.0
"""Entry point: greets, then answers requests until standard input ends."""
from __future__ import annotations

import os
import pathlib
import re
import sys
from typing import Any, BinaryIO

from understudy_partitioner import wire

PROTOCOL = 1


def pinned_version() -> str:
    text = (pathlib.Path(__file__).parent / "requirements.txt").read_text(encoding="utf-8")
    found = re.search(r"^jaxlib==(\S+)$", text, re.MULTILINE)
    if found is None:
        raise ValueError("requirements.txt does not name jaxlib")
    return found.group(1)


def installed_version() -> str:
    """The version of jaxlib; "" if it is not installed. Imports no native library."""
    try:
        from jaxlib import version
    except ImportError:
        return ""
    return str(version.__version__)


def greeting() -> wire.Header:
    """What understudy reads first. "error" says why this Python cannot partition programs."""
    header: dict[str, Any] = {
        "protocol": PROTOCOL, "jaxlib": installed_version(), "error": "",
        "python": ".".join(str(part) for part in sys.version_info[:3])}
    wanted = pinned_version()
    if header["jaxlib"] == "":
        header["error"] = "jaxlib is not installed"
    elif header["jaxlib"] != wanted:
        header["error"] = f"jaxlib {header['jaxlib']} is installed, but {wanted} is needed"
    return header


def serve(requests: BinaryIO, answers: BinaryIO) -> int:
    """Returns the exit status."""
    first = greeting()
    wire.write_frame(answers, first)
    if first["error"]:
        return 1
    from understudy_partitioner import partition  # imports jaxlib: 0.3 s
    while (frame := wire.read_frame(requests)) is not None:
        wire.write_frame(answers, *partition.answer(*frame))
    return 0


def main() -> int:
    # Nothing else may write to standard output: the answers keep their own descriptor.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        return serve(sys.stdin.buffer, answers)
    except BrokenPipeError:
        return 0  # understudy has ended
    except wire.BrokenStream as error:
        print(f"understudy_partitioner: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
