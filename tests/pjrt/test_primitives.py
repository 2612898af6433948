# SPDX-License-Identifier: Apache-2.0
"""A sample of JAX's own cases of single primitives; `primitives.py` runs all of them."""
import importlib.util

import pytest

from primitives import compared


def test_jax_cases_of_primitives(tmp_path):
    for module, package in (("jax._src.internal_test_util.test_harnesses", "jax"),
                            ("absl", "absl-py")):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"no {module}: it is in some versions of the package {package}")
    rows = compared(tmp_path, 61)
    assert not rows["differs"] and not rows["fails here"], rows
    assert len(rows["equal"]) > 50
