# SPDX-License-Identifier: Apache-2.0
"""How far results of the emulated pod may be from those of JAX on a CPU.

Both compute the same program, but round it differently:
- A sum is folded in another order. Its error grows with the rounding unit of the type.
- A float type narrower than f32 is rounded after each operation here; XLA's CPU backend may keep
  f32 inside a fusion. The narrowest type that the program computes with decides.
- Under `--numerics tpu` operands of an f32 product at DEFAULT precision are rounded to bf16
  (docs/numerics.md): each of two operands is off by at most 2^-9 of its value.
Such errors are relative to the terms, not to the result: the loss of a converged model is a
difference of large numbers. The reference therefore runs again with its arguments changed by the
same rounding unit, and the change of each result, its spread, is measured (_reference_child).
Integers and booleans are exact.
"""
from __future__ import annotations

import dataclasses
from typing import Optional

import numpy as np

from understudy import _program_text

# Spacing of the type at 1 (docs/numerics.md and IEEE 754).
_SPACING = {"f64": 2.0**-52, "f32": 2.0**-23, "bf16": 2.0**-7, "f16": 2.0**-10}
_SPACING_OF_NARROWER = 2.0**-2  # f8, f6, f4: two bits of fraction
# How many spacings a result may be off: sums in another order (the bound of configs/ladders for a
# step of SGD), operations rounded to a narrow type one by one.
_NEAR_SUMS, _NEAR_NARROW = 32.0, 4.0
# A product of rounded operands moves about as far as one with nudged arguments. A chain of k moves
# k times as far at most; both operands of each are rounded.
_NEAR_PRODUCT, _NEAR_PRODUCTS_LEAST, _NEAR_PRODUCTS_MOST = 2.0, 8.0, 32.0
_DTYPES = {"float64": "f64", "complex128": "f64", "float32": "f32", "complex64": "f32",
           "bfloat16": "bf16", "float16": "f16"}


@dataclasses.dataclass(frozen=True)
class Rounding:
    """spacing: of the type that decides, relative to a value; near: how many are allowed."""
    spacing: float
    near: float

    @property
    def unit(self) -> float:
        """The largest relative error of one rounding to nearest."""
        return self.spacing / 2


def rounding_of(text: str, numerics: str) -> Rounding:
    """Of the program `text` in the mode `numerics`."""
    candidates = [(_SPACING["f64"], _NEAR_SUMS)]
    for kind in _program_text.float_types(text):
        near = _NEAR_SUMS if kind in ("f64", "f32") else _NEAR_NARROW
        candidates.append((_SPACING.get(kind, _SPACING_OF_NARROWER), near))
    products = _program_text.default_products(text) if numerics == "tpu" else 0
    if products:
        near = min(max(_NEAR_PRODUCT * products, _NEAR_PRODUCTS_LEAST), _NEAR_PRODUCTS_MOST)
        candidates.append((_SPACING["bf16"], near))
    return Rounding(*max(candidates))


def tolerance(want: np.ndarray, rounding: Rounding, spread: Optional[float],
              steps: int) -> dict[str, float]:
    """{"rtol", "atol"} for a result whose expected value is `want`, after `steps` steps.

    spread: the largest change of an element when the arguments change by one rounding of the
    type that decides; None if it is not known.
    """
    if want.dtype.kind in "biu" or want.dtype.name.startswith(("int", "uint")):
        return {"rtol": 0.0, "atol": 0.0}
    finite = np.abs(want[np.isfinite(want)].astype(np.complex128))
    largest = float(finite.max()) if finite.size else 0.0
    kind = _DTYPES.get(want.dtype.name)
    own = _SPACING.get(kind or "", _SPACING_OF_NARROWER)  # the result itself is rounded to it
    least = (_NEAR_SUMS if kind in ("f64", "f32") else _NEAR_NARROW) * own * largest
    moved = rounding.spacing * largest if spread is None else spread
    # Errors of earlier steps are carried on; they partly cancel, as independent roundings do.
    atol = max(least * steps**0.5, rounding.near * moved)
    return {"rtol": float(f"{own:.2g}"), "atol": float(f"{atol:.2g}")}
