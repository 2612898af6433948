# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the Python package: small arrays, and folders away from the user's."""
import numpy as np
import pytest


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory):
    """Receipts and cache entries of the tests stay out of the user's folders."""
    patch = pytest.MonkeyPatch()
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
    yield
    patch.undo()


@pytest.fixture
def batch():
    """params, x [16, 4], y [16, 2] of a linear model."""
    draw = np.random.default_rng(0)

    def normal(*shape):
        return draw.normal(size=shape).astype(np.float32)

    return {"w": normal(4, 2), "b": normal(2)}, normal(16, 4), normal(16, 2)
