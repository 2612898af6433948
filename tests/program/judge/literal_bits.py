#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the bits of literals in our reader with jaxlib's, in every element type.

Random numbers as text: decimals of all magnitudes, numbers half way between two values of the type
and next to that, signed zeros, hexadecimal bits including all NaNs, integers at the ends of
their range, true and false, complex pairs. jaxlib reads them and prints its bits as a blob; our
reader must read the same module from both.
usage: literal_bits.py READER_PIPE [--seed N] [--count N]
"""
import argparse
import pathlib
import random
import sys
import tempfile

import ml_dtypes
import numpy as np

from judge import Reader, Rival

FLOATS = {
    "f4E2M1FN": (4, ml_dtypes.float4_e2m1fn),
    "f6E2M3FN": (6, ml_dtypes.float6_e2m3fn),
    "f6E3M2FN": (6, ml_dtypes.float6_e3m2fn),
    "f8E3M4": (8, ml_dtypes.float8_e3m4),
    "f8E4M3": (8, ml_dtypes.float8_e4m3),
    "f8E4M3FN": (8, ml_dtypes.float8_e4m3fn),
    "f8E4M3FNUZ": (8, ml_dtypes.float8_e4m3fnuz),
    "f8E4M3B11FNUZ": (8, ml_dtypes.float8_e4m3b11fnuz),
    "f8E5M2": (8, ml_dtypes.float8_e5m2),
    "f8E5M2FNUZ": (8, ml_dtypes.float8_e5m2fnuz),
    "f8E8M0FNU": (8, ml_dtypes.float8_e8m0fnu),
    "bf16": (16, ml_dtypes.bfloat16),
    "f16": (16, np.float16),
    "f32": (32, np.float32),
    "f64": (64, np.float64),
}
INTEGERS = {f"{sign}i{width}": (sign, width) for sign in ("", "u") for width in (2, 4, 8, 16, 32, 64)}


def decimal(value):
    text = f"{value:.17e}"
    return text if "." in text else text.replace("e", ".0e")


def float_text(draw, width, dtype):
    """One element of a float type."""
    if draw.random() < 0.3:
        return f"0x{draw.getrandbits(width):0{(width + 3) // 4}X}"
    bits = draw.getrandbits(min(width, 64))
    raw = np.array([bits], dtype=f"uint{max(width, 8)}")
    with np.errstate(all="ignore"):
        value = float(raw.view(dtype)[0])
        if not np.isfinite(value):
            return decimal(draw.choice([1e300, -1e300, 0.0, -0.0, 5e-324, 3.4e38, 65519.99, 65520.0]))
        if width < 64 and draw.random() < 0.7:
            # Half way to a neighbour, and next to that.
            other = float(np.array([bits + 1 if bits + 1 < 1 << width else bits - 1],
                                   dtype=raw.dtype).view(dtype)[0])
            if np.isfinite(other):
                half = value + (other - value) / 2
                value = draw.choice([half, np.nextafter(half, 1e308), np.nextafter(half, -1e308)])
    if draw.random() < 0.2:
        value *= 10.0 ** draw.randint(-30, 30)
    # Of negative numbers f8E8M0FNU has none: ml_dtypes and we say NaN, jaxlib's parser ors a sign
    # into the exponent.
    if draw.random() < 0.2 and dtype is not ml_dtypes.float8_e8m0fnu:
        value = -value
    return decimal(value) if np.isfinite(value) else "1.0"


def integer_text(draw, sign, width):
    if sign:
        return str(draw.choice([0, (1 << width) - 1, draw.getrandbits(width)]))
    ends = [-(1 << (width - 1)), (1 << (width - 1)) - 1, (1 << width) - 1, 0, -1]
    return str(draw.choice([*ends, draw.getrandbits(width) - (1 << (width - 1))]))


def literals(draw, count):
    """(type, elements) for each element type."""
    for name, (width, dtype) in FLOATS.items():
        yield name, [float_text(draw, width, dtype) for _ in range(count)]
        if width <= 8:
            yield name, [f"0x{bits:02X}" for bits in range(1 << width)] * (1 if width > 6 else 8)
    for name, (sign, width) in INTEGERS.items():
        yield name, [integer_text(draw, sign, width) for _ in range(count)]
    for length in (count, count + 1, count + 7):  # the last byte of packed bits is full or not
        yield "i1", [draw.choice(["true", "false", "1", "0", "-1"]) for _ in range(length)]
    for part in ("f32", "f64"):
        width, dtype = FLOATS[part]
        pairs = [[float_text(draw, width, dtype) for _ in range(2)] for _ in range(count)]
        yield f"complex<{part}>", [f"({a}, {b})" for a, b in pairs]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("reader")
    arguments.add_argument("--seed", type=int, default=20240229)
    arguments.add_argument("--count", type=int, default=400, help="elements per literal")
    given = arguments.parse_args()
    draw, rival = random.Random(given.seed), Rival()
    different = read = 0
    with tempfile.TemporaryDirectory() as folder, Reader(given.reader) as reader:
        paths = [pathlib.Path(folder) / name for name in ("given.mlir", "blob.mlir")]
        for name, elements in literals(draw, given.count):
            type_ = f"tensor<{len(elements)}x{name}>"
            text = (
                f"func.func @f() -> {type_} {{\n"
                f"  %0 = stablehlo.constant dense<[{', '.join(elements)}]> : {type_}\n"
                f"  return %0 : {type_}\n}}\n"
            )
            blob = rival.pretty(rival.parse(text))
            assert '"0x' in blob, blob[:200]
            for path, content in zip(paths, (text, blob)):
                path.write_text(content)
            answer = reader.ask("same", *paths)
            read += len(elements)
            if answer != "ok":
                different += 1
                print(f"{type_}: {answer}")
    print(f"{read} elements, {different} literals with other bits")
    sys.exit(1 if different or not read else 0)


if __name__ == "__main__":
    main()
