# SPDX-License-Identifier: Apache-2.0
"""Compares pjrt/abi/*.h with an independent description of the C API: the Python package pypjrt.

Prints the differences; the exit code is their number. A struct may end earlier here: later versions
of the API append fields.
"""
import pathlib
import re
import sys

from pypjrt._abi import pjrt_0_114 as official

SIZES = {"int": 4, "bool": 1, "std::int32_t": 4, "ErrorCode": 4, "BufferType": 4,
         "HostBufferSemantics": 4, "MemoryLayout": 80}


def fields_of(body):
    offset, fields = 0, []
    for line in filter(None, map(str.strip, body.split(";"))):
        line = re.sub(r"//.*", "", line).strip()
        pointer = re.match(r"void \(\*(\w+)\)", line)
        kind, name = (None, pointer.group(1)) if pointer else line.rsplit(" ", 1)
        size = 8 if pointer or "*" in kind else SIZES.get(kind, 8)
        offset += -offset % min(size, 8)
        fields.append((name, offset))
        offset += size
    return fields


def main():
    folder = pathlib.Path(__file__).resolve().parents[2] / "pjrt" / "abi"
    different = compared = 0
    names = re.findall(r"^ROW\((\w+)\)", (folder / "functions.def").read_text(), re.M)
    by_camel = {"".join(part[0].upper() + part[1:] for part in name.split("_")) + "Args": name
                for name in names}
    for header in sorted(folder.glob("*.h")):
        for struct, body in re.findall(r"^struct (\w+Args) \{  // slot \d+\n(.*?)^\};",
                                       header.read_text(), re.M | re.S):
            table = getattr(official, f"_OFFSETS_PJRT_{by_camel[struct]}_Args", None)
            if table is None:
                continue
            compared += 1
            theirs = list(table)
            for number, (name, offset) in enumerate(fields_of(body)):
                if number >= len(theirs) or theirs[number][1] != offset:
                    print(f"{struct}.{name} at {offset}, officially {theirs[number:number + 1]}")
                    different += 1
    print(f"{compared} structs compared, {different} differences")
    return min(different, 100) if compared else 100


if __name__ == "__main__":
    sys.exit(main())
