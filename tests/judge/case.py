# SPDX-License-Identifier: Apache-2.0
"""A generated program: a JAX function, its arguments, the tolerance of its results."""
import dataclasses
from typing import Any, Callable

import jax
import ml_dtypes
import numpy as np

F16, F32, F64 = (np.dtype(t) for t in (np.float16, np.float32, np.float64))
BF16 = np.dtype(ml_dtypes.bfloat16)
F8S = [np.dtype(getattr(ml_dtypes, name)) for name in (
    "float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz",
    "float8_e3m4", "float8_e4m3")]
I4, U4 = np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4)
SIGNED = [np.dtype(t) for t in (np.int8, np.int16, np.int32, np.int64)]
UNSIGNED = [np.dtype(t) for t in (np.uint8, np.uint16, np.uint32, np.uint64)]
INTS = SIGNED + UNSIGNED
FLOATS = [F32, F64, BF16, F16]
COMPLEX = [np.dtype(t) for t in (np.complex64, np.complex128)]
BOOL = np.dtype(np.bool_)
I32, U32 = np.dtype(np.int32), np.dtype(np.uint32)

# The relative spacing of numbers, and the smallest normal number: JAX's CPU back end flushes
# smaller ones to zero, understudy keeps them.
SPACING = {F16: 2.0**-10, F32: 2.0**-23, F64: 2.0**-52, BF16: 2.0**-7,
           COMPLEX[0]: 2.0**-23, COMPLEX[1]: 2.0**-52}
TINY = {F16: 2.0**-24, F32: 2.0**-126, F64: 2.0**-1022, BF16: 2.0**-126,
        COMPLEX[0]: 2.0**-126, COMPLEX[1]: 2.0**-1022}


@dataclasses.dataclass
class Case:
    """`near`: 0, results agree bit for bit (NaN with NaN); else the number of spacings of the
    element type that a result may be off, relative to each element ("each") or, where sums cancel,
    to what the result can change by when the arguments change in their last place ("noise").
    "value": bit for bit, but for the sign of zeros, which depends on the order of a sum."""
    family: str
    function: Callable
    arguments: list
    near: float = 0
    relative_to: str = "each"
    platform: str = "cpu"
    mesh: Any = None
    in_specs: Any = None
    out_specs: Any = None
    largest: float = 0  # of the intermediate values, where the drawer knows it
    about: str = ""
    # Of global-view programs: the mesh, the shardings of the arguments (None: left to the
    # partitioner), and the function without shardings, which gives the expected results.
    global_mesh: Any = None
    shardings: Any = None
    plain: Any = None


def is_float(dtype):
    return dtype in SPACING


def nudged(array, rng):
    """The argument with every element moved by up to its last place."""
    array = np.asarray(array)
    if not is_float(array.dtype) or array.size == 0:
        return array
    factor = 1 + SPACING[array.dtype] * rng.choice([-1.0, 0.0, 1.0], array.shape)
    wide = array.astype(np.complex128 if array.dtype.kind == "c" else F64)
    with np.errstate(all="ignore"):
        return (wide * factor).astype(array.dtype)


def finite_max(array):
    wide = np.abs(np.asarray(array).astype(
        np.complex128 if array.dtype.kind == "c" else F64))
    wide = wide[np.isfinite(wide)]
    return float(wide.max()) if wide.size else 0.0


def tolerance(case, want, noisy):
    """(rtol, atol) of one result; `noisy`: the same result for nudged arguments."""
    if not is_float(want.dtype):
        return 0.0, 0.0
    spacing, tiny = SPACING[want.dtype], TINY[want.dtype]
    if case.near == 0:
        return 0.0, tiny if case.relative_to == "value" else 0.0
    if case.relative_to == "each":
        return case.near * spacing, tiny
    wide = np.complex128 if want.dtype.kind == "c" else F64
    change = 0.0
    for other in noisy:
        with np.errstate(all="ignore"):
            change = max(change, finite_max(np.abs(other.astype(wide) - want.astype(wide))))
    return 4 * spacing, case.near * (change + spacing * max(finite_max(want), case.largest)) + tiny


def flat(results):
    return [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(results)]
