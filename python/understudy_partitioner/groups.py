# SPDX-License-Identifier: Apache-2.0
"""Replica groups that are written as axes of a mesh, as lists of device ids.

The writer of portable artifacts merges meshes and keeps the names of their axes in replica groups, so
that they would name axes that are not there."""
from __future__ import annotations

import re
from typing import Any, Optional

import numpy as np
from jaxlib.mlir import ir

_NAMED = re.compile(r"#stablehlo\.replica_group_mesh_axes<mesh = @(\"?)([^,\"]+)\1, axes = \[(.*)\]>$")
_AXIS = re.compile(r'axis_ref<name = "([^"]*)"(?:, sub_axis_info = [^(]*\((\d+)\)(\d+)>?)?>')
_MESH_AXIS = re.compile(r'"([^"]*)"=(\d+)')
_DEVICE_IDS = re.compile(r"device_ids=\[([\d, ]*)\]")

# Axes with their sizes in order, and the device ids in row-major order.
Mesh = tuple[list[tuple[str, int]], np.ndarray]


def mesh_in(text: str) -> Mesh:
    """The mesh of an sdy.mesh operation: @m = <["x"=2, "y"=4], device_ids=[...]>."""
    axes = [(name, int(size)) for name, size in _MESH_AXIS.findall(text.split("{")[0])]
    ids = _DEVICE_IDS.search(text)
    count = int(np.prod([size for _, size in axes], dtype=np.int64))
    listed = np.arange(count) if ids is None else np.array(ids.group(1).split(","), dtype=np.int64)
    return axes, listed


def rows(mesh: Mesh, listed: list[tuple[str, int, int]]) -> np.ndarray:
    """One row per group. listed: (axis, size before it, size), size 0 for whole axes; the first is
    the slowest. Rows are in the order of the other axes, the mesh's first one the slowest."""
    axes, ids = mesh
    shape: list[int] = []
    member: dict[int, int] = {}  # dimension of `shape` -> place in `listed`
    for name, size in axes:
        parts = [(before, length or size, place)
                 for place, (axis, before, length) in enumerate(listed) if axis == name]
        cuts = sorted({1, size} | {cut for before, length, _ in parts
                                   for cut in (before, before * length)})
        for low, high in zip(cuts, cuts[1:]):
            for before, length, place in parts:
                if before <= low and high <= before * length:
                    member[len(shape)] = place
            shape.append(high // low)
    members = sorted(member, key=lambda dimension: (member[dimension], dimension))
    others = [dimension for dimension in range(len(shape)) if dimension not in member]
    width = int(np.prod([shape[dimension] for dimension in members], dtype=np.int64))
    return ids.reshape(shape).transpose(others + members).reshape(-1, width)


def resolved(attribute: str, meshes: dict[str, Mesh]) -> Optional[np.ndarray]:
    """The groups that an attribute names by axes of one of `meshes`; None for other attributes."""
    found = _NAMED.match(attribute)
    if found is None or found.group(2) not in meshes:
        return None
    listed = [(name, int(before or 1), int(size or 0))
              for name, before, size in _AXIS.findall(found.group(3))]
    return rows(meshes[found.group(2)], listed)


def resolve_all(module: ir.Module) -> None:
    """Replaces every such attribute of a module."""
    meshes = {ir.StringAttr(one.attributes["sym_name"]).value: mesh_in(str(one))
              for one in module.body.operations if one.operation.name == "sdy.mesh"}

    def look(operation: Any) -> ir.WalkResult:
        if "replica_groups" in operation.attributes:
            listed = resolved(str(operation.attributes["replica_groups"]), meshes)
            if listed is not None:
                operation.attributes["replica_groups"] = ir.DenseIntElementsAttr.get(
                    np.ascontiguousarray(listed, dtype=np.int64), context=module.context)
        return ir.WalkResult.ADVANCE

    module.operation.walk(look)
    for one in list(module.body.operations):
        if one.operation.name == "sdy.mesh":
            one.operation.erase()
