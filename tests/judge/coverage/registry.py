# SPDX-License-Identifier: Apache-2.0
"""The list of programs whose support is counted in docs/coverage.md."""
import dataclasses
from typing import Any, Callable

import numpy as np

RUNS, PALLAS, CALLBACK = "runs", "Pallas kernel", "host callback"


@dataclasses.dataclass
class Program:
    """`spacings`: how many spacings of the element type a result may be off, relative to what it
    changes by when the arguments change in their last place, or to its largest element."""
    name: str
    group: str
    function: Callable
    arguments: Callable[[np.random.Generator], list[Any]]
    spacings: float = 100
    expected: str = RUNS  # or the reason of the refusal
    platforms: tuple[str, ...] = ("cpu", "tpu")
    # The narrowest type of intermediate values. XLA on CPU may keep them wider (excess precision),
    # so the result may be off by 4 spacings of this type.
    through: Any = None
    since: tuple[int, ...] = ()  # the first JAX whose results on CPU are right


PROGRAMS: list[Program] = []


def program(group, *arguments, spacings=100, expected=RUNS, platforms=("cpu", "tpu"),
            through=None, since=()):
    """Registers a function. An argument is a shape (uniform float32 in [-1, 1)), an array, or a
    function of a generator."""
    def register(function):
        def draw(rng):
            return [make(rng) if callable(make) else make if isinstance(make, np.ndarray)
                    else rng.uniform(-1, 1, make).astype(np.float32) for make in arguments]
        PROGRAMS.append(Program(function.__name__, group, function, draw, spacings, expected, platforms, through,
                                since))
        return function
    return register


def ints(low, high, *shape, dtype=np.int32):
    return lambda rng: rng.integers(low, high, shape).astype(dtype)


def floats(*shape, dtype=np.float32, low=-1.0, high=1.0):
    return lambda rng: rng.uniform(low, high, shape).astype(dtype)


def normals(*shape, scale=1.0, dtype=np.float32):
    return lambda rng: (scale * rng.standard_normal(shape)).astype(dtype)


def symmetric(size, *batch, shift=0.0):
    """Symmetric matrices; positive definite where `shift` is the size or more."""
    def draw(rng):
        a = rng.uniform(-1, 1, (*batch, size, size))
        return ((a + np.swapaxes(a, -1, -2)) / 2 + shift * np.eye(size)).astype(np.float32)
    return draw


def complexes(*shape):
    return lambda rng: (rng.uniform(-1, 1, shape) + 1j * rng.uniform(-1, 1, shape)).astype(np.complex64)
