# SPDX-License-Identifier: Apache-2.0
"""Runs JAX's own cases, one primitive each, and keeps the results: primitives.py OUT EVERY [NAME].

Each EVERY-th case (whose name begins with NAME) by a digest of its name, which is the same on all platforms (the order of the list
is not). The cases are no public part of JAX; the script skips itself where they are absent."""
import pickle
import sys
import warnings
import zlib

import numpy as np

out, every, begin = sys.argv[1], int(sys.argv[2]), (sys.argv + [""])[3]
sys.argv = sys.argv[:1]  # the cases' module reads flags
np.random.seed(1)  # the module draws arrays of its cases
import jax  # noqa: E402

from jax._src.internal_test_util import test_harnesses  # noqa: E402

warnings.simplefilter("ignore")


def plain(value):
    if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    return np.asarray(value)


def outcome(case, digest):
    try:
        arguments = case.dyn_args_maker(np.random.RandomState(digest))
        results = jax.tree.leaves(jax.jit(case.dyn_fun)(*arguments))
        return [plain(one) for one in results]
    except Exception as error:  # whatever JAX or the backend says: the other side is compared with it
        return f"{type(error).__name__}: {str(error)[:1000]}"


kept = {}
for one in test_harnesses.all_harnesses:
    number = zlib.crc32(one.fullname.encode())
    if number % every == 0 and one.fullname.startswith(begin):
        kept[one.fullname] = outcome(one, number)
with open(out, "wb") as file:
    pickle.dump(kept, file)
