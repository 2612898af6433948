# SPDX-License-Identifier: Apache-2.0
"""Runs JAX functions on an emulated TPU pod.

`export` writes a program folder, `run` runs a function on a slice, `metrics` judges whether each
of its results is globally reduced. JAX is imported when one of them is called, not before.
"""
from understudy._binary import BinaryNotFound, find_binary
from understudy._errors import ExportError, Failure
from understudy._export import Exported, export
from understudy._results import (Collective, Evidence, Exchange, HbmPeak, MetricVerdict,
                                 MetricWarning, MetricsResult, ResultVerdict, RunResult)
from understudy._run import assert_globally_reduced, metrics, run, run_folder

__all__ = [
    "BinaryNotFound", "Collective", "Evidence", "Exchange", "ExportError", "Exported", "Failure",
    "HbmPeak", "MetricVerdict", "MetricWarning", "MetricsResult", "ResultVerdict", "RunResult",
    "assert_globally_reduced", "export", "find_binary", "metrics", "run",
    "run_folder",
]
__version__ = "0.1.0"
