# SPDX-License-Identifier: Apache-2.0
"""Arrays as .npy files in the form that the binary reads.

.npy has no code for bf16, fp8 and integers below eight bits. They are stored as integers of their
width in memory; the manifest tells which type is meant.
"""
from __future__ import annotations

import pathlib

import numpy as np

_NATIVE_KINDS = "biufc"  # bool, integers, floats and complex numbers of NumPy itself


def numpy_dtype(name: str) -> np.dtype:
    """The dtype of this name; bf16 and the like come from ml_dtypes, which JAX brings."""
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes
        return np.dtype(getattr(ml_dtypes, name))


def stored_dtype(dtype: np.dtype) -> np.dtype:
    """The dtype of the file: `dtype` itself, or an integer of its width."""
    if dtype.kind in _NATIVE_KINDS and dtype.isbuiltin == 1:
        return dtype
    signed = dtype.name.startswith("int")
    return np.dtype(f"{'i' if signed else 'u'}{dtype.itemsize}")


def save(path: pathlib.Path, array: np.ndarray) -> None:
    """Writes a .npy file of any dtype."""
    array = np.ascontiguousarray(array).reshape(np.shape(array))  # a scalar keeps its shape
    np.save(path, array.view(stored_dtype(array.dtype)), allow_pickle=False)


def load(path: pathlib.Path, dtype: str) -> np.ndarray:
    """Reads a .npy file that holds elements of type `dtype`.

    Raises ValueError if the file has elements of another width.
    """
    array = np.load(path, allow_pickle=False)
    wanted = numpy_dtype(dtype)
    if array.dtype == wanted:
        return array
    if array.dtype.itemsize != wanted.itemsize:
        raise ValueError(f"{path}: expected elements of type {dtype}, got {array.dtype}")
    return array.view(wanted)
