# SPDX-License-Identifier: Apache-2.0
"""What the package needs to know from the text of a lowered program."""
from __future__ import annotations

import re
from typing import Any

_PARTITIONS = re.compile(r"(mhlo\.num_partitions = )(\d+)( : i32)")
_MESH = re.compile(r"sdy\.mesh @\w+ = <\[([^\]]*)\]")
_AXIS = re.compile(r'"([^"]+)"=(\d+)')
_ARGUMENT = re.compile(r"%arg\d+: ")
_FLOATS = re.compile(r"(?:tensor<|x)(bf16|f64|f32|f16|f8\w+|f4\w+|f6\w+)[>,]")
_PRODUCT = re.compile(r"stablehlo\.(dot_general|dot|convolution)\b")


def with_locations(lowered: Any) -> str:
    """The text of a jax.stages.Lowered with the places of the Python source, constants in full."""
    module = lowered.compiler_ir(dialect="stablehlo")
    return module.operation.get_asm(enable_debug_info=True, large_elements_limit=None)


def portable_artifact(text: str) -> bytes:
    """The program as a portable artifact of the StableHLO version that this JAX has."""
    from jaxlib.mlir.dialects import stablehlo
    try:
        from jaxlib import _jax as runtime
    except ImportError:  # its name before JAX 0.7
        from jaxlib import xla_extension as runtime
    serialize, version = runtime.mlir.serialize_portable_artifact, stablehlo.get_current_version()
    try:
        return bytes(serialize(text, version, True))  # Shardy stays as it is, as jax.export writes it
    except TypeError:  # before JAX 0.7, which has no such choice
        return bytes(serialize(text, version))


def partitions(text: str) -> int:
    """mhlo.num_partitions of the module, 1 if it has none."""
    found = _PARTITIONS.search(text)
    return int(found.group(2)) if found else 1


def with_partitions(text: str, devices: int) -> str:
    """The text for `devices` partitions. A program that is lowered for a mesh without devices
    says 1, although its manual computations are over the whole mesh."""
    return _PARTITIONS.sub(rf"\g<1>{devices}\g<3>", text, count=1)


def mesh_of(text: str) -> dict[str, int]:
    """Axes and sizes of the largest mesh of the program, {} if it has none."""
    meshes = [{name: int(size) for name, size in _AXIS.findall(axes)}
              for axes in _MESH.findall(text)]

    def size_of(mesh: dict[str, int]) -> int:
        size = 1
        for length in mesh.values():
            size *= length
        return size

    return max(meshes, key=size_of, default={})


def argument_count(text: str) -> int:
    """Number of arguments of the public function @main."""
    start = text.index("@main(")
    end = text.index("\n", start)
    head = text[start:end]
    # Results follow after "->"; only arguments have names.
    return len(_ARGUMENT.findall(head))


def selects_platform(text: str) -> bool:
    """Whether @main has the argument by which JAX selects one of several platforms."""
    return 'jax.global_constant = "_platform_index"' in text


def float_types(text: str) -> set[str]:
    """Element types of the floats that the program computes with, as StableHLO names them."""
    return set(_FLOATS.findall(text))


def default_products(text: str) -> int:
    """Dots and convolutions of f32 operands at DEFAULT precision; their operands are rounded to
    bf16 under `--numerics tpu` (docs/numerics.md)."""
    count = 0
    for line in text.splitlines():
        if _PRODUCT.search(line) and "HIGH" not in line and "f32>" in line.split("->")[0]:
            count += 1
    return count
