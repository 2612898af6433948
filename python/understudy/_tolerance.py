# SPDX-License-Identifier: Apache-2.0
"""How far results of the emulated pod may be from those of JAX on a CPU.

Both compute the same program, but round it differently:
- A sum is folded in another order. Its error grows with the rounding unit of the type and is
  relative to the terms, so it is measured against the largest element of the result.
- A float type narrower than f32 is rounded after each operation here; XLA's CPU backend may keep
  f32 inside a fusion. The narrowest type that the program computes with decides.
- Under `--numerics tpu` operands of an f32 product at DEFAULT precision are rounded to bf16
  (docs/numerics.md): each of two operands is off by at most 2^-9 of its value, so one product by
  2^-8. Products of a chain add their errors.
Integers and booleans are exact.
"""
from __future__ import annotations

import numpy as np

from understudy import _program_text

# Spacing of the type at 1 (docs/numerics.md and IEEE 754).
_SPACING = {"f64": 2.0**-52, "f32": 2.0**-23, "bf16": 2.0**-7, "f16": 2.0**-10}
_SPACING_OF_NARROWER = 2.0**-2  # f8, f6, f4: two bits of fraction
_DTYPES = {"float64": "f64", "complex128": "f64", "float32": "f32", "complex64": "f32",
           "bfloat16": "bf16", "float16": "f16"}
# In spacings: sums in another order (the bound of configs/ladders for a step of SGD), operations
# rounded to a narrow type one by one.
_NEAR_SUMS, _NEAR_NARROW = 32, 4
# One product is off by half a spacing of bf16. A chain of k products is off by k halves at most,
# and k spacings leave room for the operations between them.
_NEAR_PRODUCTS_LEAST, _NEAR_PRODUCTS_MOST = 2, 16


def _rounding(want: np.ndarray, text: str, numerics: str) -> tuple[float, float]:
    """The spacing that decides, relative to the value, and how many of them a result may be off."""
    name = _DTYPES.get(want.dtype.name)
    candidates = [(_SPACING[name], _NEAR_SUMS) if name in ("f32", "f64")
                  else (_SPACING.get(name or "", _SPACING_OF_NARROWER), _NEAR_NARROW)]
    for kind in _program_text.float_types(text) - {"f32", "f64"}:
        candidates.append((_SPACING.get(kind, _SPACING_OF_NARROWER), _NEAR_NARROW))
    products = _program_text.default_products(text) if numerics == "tpu" else 0
    if products:
        near = min(max(products, _NEAR_PRODUCTS_LEAST), _NEAR_PRODUCTS_MOST)
        candidates.append((_SPACING["bf16"], near))
    return max(candidates)


def tolerance(want: np.ndarray, text: str, numerics: str, steps: int) -> dict[str, float]:
    """{"rtol", "atol"} for a result whose expected value is `want`, after `steps` steps."""
    if want.dtype.kind in "biu" or want.dtype.name.startswith(("int", "uint")):
        return {"rtol": 0.0, "atol": 0.0}
    spacing, near = _rounding(want, text, numerics)
    finite = np.abs(want[np.isfinite(want)].astype(np.complex128))
    largest = float(finite.max()) if finite.size else 0.0
    # Errors of earlier steps are carried on; they partly cancel, as independent roundings do.
    atol = near * steps**0.5 * spacing * largest
    return {"rtol": float(f"{spacing:.2g}"), "atol": float(f"{atol:.2g}")}
