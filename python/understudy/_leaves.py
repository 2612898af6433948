# SPDX-License-Identifier: Apache-2.0
"""The leaves of a function's arguments and results.

A typed PRNG key of shape S is an array of uint32 of shape S + (words,) in the program; a Leaf
describes that array and remembers the implementation of the key.
"""
from __future__ import annotations

import dataclasses
from typing import Any, Optional

import jax
import numpy as np


@dataclasses.dataclass(frozen=True)
class Leaf:
    """One array of the program's interface. shape: of the global array."""
    name: str
    shape: tuple[int, ...]
    dtype: str                           # NumPy's name, "bfloat16" included
    value: Optional[np.ndarray] = None   # None: abstract, or a result
    key_impl: Any = None                 # of a typed PRNG key, else None
    # With data for each step: all of them, [steps, *shape]; `value` is that of the first step.
    stacked: Optional[np.ndarray] = None


def is_key(leaf: Any) -> bool:
    """Whether `leaf`, an array or its description, holds typed PRNG keys."""
    dtype = getattr(leaf, "dtype", None)
    return dtype is not None and jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key)


def _key_impl(leaf: Any) -> Any:
    try:
        return jax.random.key_impl(leaf)
    except (TypeError, AttributeError):  # the description of a key; its dtype is key<fry>
        return leaf.dtype._impl


def _key_data_shape(leaf: Any) -> tuple[int, ...]:
    return tuple(jax.eval_shape(jax.random.key_data,
                                jax.ShapeDtypeStruct(leaf.shape, leaf.dtype)).shape)


def describe(name: str, info: Any) -> Leaf:
    """A Leaf without a value. info: anything with `shape` and `dtype`."""
    if is_key(info):
        return Leaf(name, _key_data_shape(info), "uint32", key_impl=_key_impl(info))
    return Leaf(name, tuple(info.shape), np.dtype(info.dtype).name)


def with_value(leaf: Leaf, given: Any) -> Leaf:
    """The leaf with the value that the caller passed: an array, a number or a key.

    The type is the one that the program has: JAX makes f32 of a Python float.
    """
    if isinstance(given, jax.ShapeDtypeStruct):
        return leaf
    from understudy._arrays import numpy_dtype
    data = jax.random.key_data(given) if leaf.key_impl is not None else given
    # A copy: the caller may change the array, and a donated one is left alone.
    array = np.array(data, dtype=numpy_dtype(leaf.dtype), copy=True).reshape(leaf.shape)
    return dataclasses.replace(leaf, value=array)


def as_given(leaf: Leaf, array: Any) -> Any:
    """The inverse of with_value(): a typed key again where the function has one."""
    return array if leaf.key_impl is None else jax.random.wrap_key_data(array, impl=leaf.key_impl)


def as_array(value: Any) -> Any:
    """A traced result as the program returns it: key data for typed keys."""
    return jax.random.key_data(value) if is_key(value) else value
