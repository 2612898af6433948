# SPDX-License-Identifier: Apache-2.0
"""One request: a program of global arrays in, the program of one chip out.

XLA's CPU compiler partitions the program and is stopped right after: of its passes, only those of
the partitioner are enabled, and a transform that runs at the end of the HLO passes takes the module
and raises an exception. Nothing is written to disk.
"""
from __future__ import annotations

import os

# Warnings and errors only. Read by XLA when its library is loaded.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
# The devices come from the client of each request, flags from the request.
os.environ.pop("XLA_FLAGS", None)

import time
import traceback
from typing import Any, Optional

import numpy as np
from jaxlib import _hlo, _jax, _xla
from jaxlib.mlir import ir

from understudy_partitioner import modules, remarks, wire

# The passes of XLA's CPU pipeline "spmd-partitioner" and what the partitioner runs itself, by their
# names in XLA. All other passes serve code generation.
PASSES = (
    "strip-memory-placement-annotations", "flatten-call-graph", "call-inliner",
    "zero_sized_hlo_elimination", "conditional-canonicalizer", "shardy-xla", "sharding-propagation",
    "spmd-partitioning", "spmd-cleanup", "dce", "tuple-simplifier", "cse", "hlo-constant-splitter",
    "control-dep-rewriter", "apply-xla-transforms")

_STOP = "understudy: the program is partitioned"
_TRANSFORM = "understudy-partitioner"
# XLA calls the transforms of this stage after the HLO passes, before it schedules the module.
_AFTER_HLO_PASSES = 0

_clients: dict[int, Any] = {}  # by number of devices


class _Catch:
    """What the transform took: a serialised HloModuleProto. XLA runs transforms in every
    compilation of the process; this one acts only while it is wanted."""
    wanted = False
    module: Optional[bytes] = None


def _take(module: bytes) -> None:
    if _Catch.wanted:
        _Catch.module = module
        raise RuntimeError(_STOP)


_xla.register_xla_transform(_TRANSFORM, _AFTER_HLO_PASSES, _take)


def _client(devices: int) -> Any:
    if devices not in _clients:
        _clients[devices] = _jax.get_tfrt_cpu_client(asynchronous=False, num_devices=devices)
    return _clients[devices]


def _value(text: str) -> Any:
    """The value of a flag as the overrides of XLA's options take it."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return int(text)
    except ValueError:
        return text


def _options(header: wire.Header) -> Any:
    replicas, partitions = header["replicas"], header["partitions"]
    options = _jax.CompileOptions()
    options.num_replicas, options.num_partitions = replicas, partitions
    build = options.executable_build_options
    build.num_replicas, build.num_partitions = replicas, partitions
    build.use_spmd_partitioning = True
    build.use_shardy_partitioner = header["shardy"]
    order = header.get("device_order") or list(range(replicas * partitions))
    build.device_assignment = _jax.DeviceAssignment.create(
        np.array(order, dtype=np.int32).reshape(replicas, partitions))
    for name in ("parameters", "output"):
        flags = header.get(f"propagate_to_{name}")
        if flags:
            setattr(build, f"allow_spmd_sharding_propagation_to_{name}", flags)
    overrides = [(name, _value(value)) for name, value in header.get("xla_flags", [])]
    options.env_option_overrides = overrides + [
        ("xla_enable_hlo_passes_only", ",".join(PASSES)),
        # Replica groups as lists: the conversion to StableHLO keeps the axes of groups that are
        # written as mesh axes, but loses the device ids of their mesh.
        ("xla_enable_rgv3_materialization", False)]
    return options


def partitioned_hlo(module: ir.Module, header: wire.Header) -> bytes:
    """The serialised HloModuleProto after the partitioner. Raises what XLA raises."""
    devices = header["replicas"] * header["partitions"]
    client = _client(devices)
    _Catch.wanted, _Catch.module = True, None
    try:
        client.compile_and_load(module, _jax.DeviceList(tuple(client.devices())), _options(header))
    except Exception as error:
        if _Catch.module is None or _STOP not in str(error):
            raise
    finally:
        _Catch.wanted = False
    if _Catch.module is None:
        raise RuntimeError("XLA compiled the program without a partitioned module")
    return _Catch.module


def _shardings(hlo: bytes) -> tuple[list[str], Optional[str]]:
    """Of all parameters and of the root, as HLO text writes them."""
    module = _hlo.HloModule.from_serialized_hlo_module_proto(hlo)

    def text(proto: Any) -> str:
        return str(_hlo.HloSharding.from_proto(proto))

    output = module.spmd_output_sharding
    return ([text(one) for one in module.spmd_parameters_shardings or []],
            None if output is None else text(output))


def partition(header: wire.Header, payload: bytes) -> tuple[wire.Header, bytes]:
    """Returns the header of the answer and the program of one chip. Raises what XLA raises."""
    started = time.monotonic()
    with modules.context() as context:
        module = modules.read(context, payload, header)
        described = modules.describe(module)
        modules.drop_inspections(module)
        start = remarks.mark()
        hlo = partitioned_hlo(module, header)
        parameters, output = _shardings(hlo)
        made = modules.of_hlo(context, _jax.mlir.hlo_to_stablehlo(hlo))
        modules.clean(made)
        modules.untuple(made)
        modules.annotate(made, described, parameters, output, header)
        form, program = modules.write(made)
    return {"error": "", "form": form, "seconds": time.monotonic() - started,
            "warnings": remarks.since(start, hlo)}, program


def answer(header: wire.Header, payload: bytes) -> tuple[wire.Header, bytes]:
    """Never raises: an error is an answer too."""
    try:
        return partition(header, payload)
    except modules.Refused as error:
        return {"error": str(error), "kind": "unsupported"}, b""
    except Exception as error:  # XLA and MLIR raise their own classes; all carry XLA's words
        if not isinstance(error, (_jax.JaxRuntimeError, ir.MLIRError)):
            traceback.print_exc()
        return {"error": str(error) or type(error).__name__, "kind": "xla"}, b""
