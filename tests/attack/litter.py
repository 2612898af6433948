# SPDX-License-Identifier: Apache-2.0
"""Files that a run left behind. Pure functions of folders."""
from __future__ import annotations

import os
import pathlib
import re

# Names of docs/formats.md that no finished run may leave in a cache or among receipts.
TEMPORARY = re.compile(r"\..*\.tmp$|\.compiling$|\.unpublished$|\.lock$|\.partial$")


def names_in(folder: pathlib.Path) -> set[str]:
    """Names of this user's files; as root, of all users."""
    found = set()
    try:
        for path in folder.iterdir():
            if os.geteuid() in (0, path.lstat().st_uid):
                found.add(path.name)
    except OSError:
        pass  # the folder or a file of another process was removed
    return found


def files_in(folder: pathlib.Path, most: int = 6) -> list[str]:
    """Paths below the folder, the first few."""
    found = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
    return found[:most] + ([f"and {len(found) - most} more"] if len(found) > most else [])


def temporaries_in(folder: pathlib.Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*")
                  if TEMPORARY.search(path.name) and not path.is_dir())
