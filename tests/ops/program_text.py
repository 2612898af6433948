# SPDX-License-Identifier: Apache-2.0
"""Writes self-checking programs: arrays as literals, one function per example.

Expected values come from numpy, scipy, JAX or the example itself, never from understudy.
"""
import pathlib

import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).parent
BF16 = np.dtype(ml_dtypes.bfloat16)
F8 = np.dtype(ml_dtypes.float8_e4m3fn)
I4 = np.dtype(ml_dtypes.int4)
U4 = np.dtype(ml_dtypes.uint4)
NAMES = {
    np.dtype(np.bool_): "i1", np.dtype(np.int8): "i8", np.dtype(np.int16): "i16",
    np.dtype(np.int32): "i32", np.dtype(np.int64): "i64", np.dtype(np.uint8): "ui8",
    np.dtype(np.uint16): "ui16", np.dtype(np.uint32): "ui32", np.dtype(np.uint64): "ui64",
    np.dtype(np.float16): "f16", np.dtype(np.float32): "f32", np.dtype(np.float64): "f64",
    BF16: "bf16", F8: "f8E4M3FN", I4: "i4", U4: "ui4",
    np.dtype(np.complex64): "complex<f32>", np.dtype(np.complex128): "complex<f64>",
}
FLOATS = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64), BF16, F8)


def type_of(array):
    dims = "".join(f"{d}x" for d in array.shape)
    return f"tensor<{dims}{NAMES[array.dtype]}>"


def float_text(value, dtype):
    wide = float(value)
    if not np.isfinite(wide):
        bits = np.asarray(value, dtype).tobytes()[::-1].hex().upper()
        return "0x" + bits
    text = repr(wide) if dtype.itemsize == 8 else np.format_float_scientific(
        np.float32(wide), unique=True)
    mantissa, _, exponent = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    if mantissa.endswith("."):
        mantissa += "0"
    return mantissa + (f"e{int(exponent):+03d}" if exponent and int(exponent) else "")


def element_text(value, dtype):
    if dtype == np.bool_:
        return "true" if value else "false"
    if dtype.kind == "c":
        part = np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
        return f"({float_text(value.real, part)}, {float_text(value.imag, part)})"
    return float_text(value, dtype) if dtype in FLOATS else str(int(value))


def nested(array):
    if array.ndim == 0:
        return element_text(array[()], array.dtype)
    return "[" + ", ".join(nested(row) for row in array) + "]"


def dense(array):
    return "dense<>" if array.size == 0 else f"dense<{nested(array)}>"


class Programs:
    """The functions of one file."""

    def __init__(self, name, comment):
        self.path = FOLDER / f"{name}.mlir"
        self.lines = ["// SPDX-License-Identifier: Apache-2.0", f"// {comment}"]

    def case(self, name, inputs, body, expected, ulp=0):
        """body: the text of the operation; {0} is operand 0, {t0} its type, {r0} result type 0;
        its results are %r, or %r#0, %r#1."""
        inputs = [np.asarray(x) for x in inputs]
        expected = [np.asarray(x) for x in expected]
        self.lines += ["", f"func.func @{name}() {{"]
        words = {f"t{i}": type_of(x) for i, x in enumerate(inputs)}
        words |= {f"r{i}": type_of(x) for i, x in enumerate(expected)}
        for i, x in enumerate(inputs):
            self.lines.append(f"  %a{i} = stablehlo.constant {dense(x)} : {type_of(x)}")
        text = body.format(*[f"%a{i}" for i in range(len(inputs))], **words)
        self.lines += ["  " + line for line in text.strip("\n").split("\n")]
        for i, x in enumerate(expected):
            self.check(f"%r#{i}" if len(expected) > 1 else "%r", i, x, ulp)
        self.lines += ["  return", "}"]

    def check(self, got, i, want, ulp):
        kind = type_of(want)
        is_float = want.dtype in FLOATS
        if ulp == "near":
            self.lines.append(f"  check.expect_almost_eq_const {got}, {dense(want)} : {kind}")
            return
        if (is_float or want.dtype.kind == "c") and (ulp or want.dtype.kind == "c" or
                                                     np.isnan(want.astype(np.float64)).any()):
            self.lines.append(f"  %w{i} = stablehlo.constant {dense(want)} : {kind}")
            self.lines.append(f"  check.expect_close {got}, %w{i}, max_ulp_difference = {ulp} : "
                              f"{kind}, {kind}")
            return
        if is_float:  # by bits: minus zero is not zero
            bits = want.view(np.dtype(f"u{want.dtype.itemsize}")).reshape(want.shape)
            self.lines.append(f"  %b{i} = stablehlo.bitcast_convert {got} : ({kind}) -> "
                              f"{type_of(bits)}")
            got, want, kind = f"%b{i}", bits, type_of(bits)
        self.lines.append(f"  check.expect_eq_const {got}, {dense(want)} : {kind}")

    def write(self):
        self.path.write_text("\n".join(self.lines) + "\n")


def write(name, comment, *cases):
    """One file of these cases, each the arguments of Programs.case()."""
    programs = Programs(name, comment)
    for case in cases:
        programs.case(*case)
    programs.write()


def generic(op, attributes="", operands=1, results=1, regions=""):
    """The template of an operation in generic form."""
    names = ", ".join(f"{{{i}}}" for i in range(operands))
    types = ", ".join(f"{{t{i}}}" for i in range(operands))
    left = "%r" if results == 1 else f"%r:{results}"
    outs = ", ".join(f"{{r{i}}}" for i in range(results))
    inner = f" ({regions})" if regions else ""
    return f'{left} = "{op}"({names}){inner} {{{{{attributes}}}}} : ({types}) -> ({outs})'
