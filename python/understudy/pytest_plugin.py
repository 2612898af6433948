# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: `pytest --understudy-slice v6e-8`, fixture `understudy_pod`."""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, Optional, Sequence

import pytest

import understudy


@dataclasses.dataclass(frozen=True)
class Pod:
    """run(), metrics() and assert_globally_reduced() on the slice of the command line.

    slice: None: the smallest slice that the program needs.
    """
    slice: Optional[str]

    def run(self, fn: Callable[..., Any], *args: Any, **options: Any) -> understudy.RunResult:
        """understudy.run() on this slice."""
        return understudy.run(fn, *args, **{"slice": self.slice, **options})

    def metrics(self, fn: Callable[..., Any], *args: Any,
                **options: Any) -> understudy.MetricsResult:
        """understudy.metrics() on this slice."""
        return understudy.metrics(fn, *args, **{"slice": self.slice, **options})

    def assert_globally_reduced(self, fn: Callable[..., Any], *args: Any,
                                results: Sequence[str] = ("loss",),
                                **options: Any) -> understudy.MetricsResult:
        """understudy.assert_globally_reduced() on this slice."""
        options = {"slice": self.slice, **options}
        return understudy.assert_globally_reduced(fn, *args, results=results, **options)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("understudy", "emulated TPU pod")
    group.addoption("--understudy-slice", metavar="SLICE", default=None,
                    help="slice of the fixture understudy_pod, such as v6e-8 "
                         "(default: the smallest that the program needs)")


@pytest.fixture(scope="session")
def understudy_pod(request: pytest.FixtureRequest) -> Pod:
    """The emulated pod. Skips the test if the program `understudy` is not installed."""
    try:
        understudy.find_binary()
    except understudy.BinaryNotFound as error:
        pytest.skip(str(error))
    return Pod(request.config.getoption("--understudy-slice"))
