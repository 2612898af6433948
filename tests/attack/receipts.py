# SPDX-License-Identifier: Apache-2.0
"""Checks that a receipt is finished and valid against configs/schema/receipt.json, with the
keywords that our schemas use."""
from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Callable
from typing import Any

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "configs" / "schema" / "receipt.json"

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
}


def schema_faults(schema: dict[str, Any], value: Any, root: dict[str, Any],
                  at: str = "") -> list[str]:
    """The violations of a schema, each with its JSON pointer."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return schema_faults(root["$defs"][name], value, root, at)
    if "anyOf" in schema:
        tries = [schema_faults(one, value, root, at) for one in schema["anyOf"]]
        return [] if any(not one for one in tries) else [f"{at}: matches no alternative"]
    faults = []
    if "type" in schema and not TYPES[schema["type"]](value):
        return [f"{at}: is not of type {schema['type']}"]
    if "const" in schema and value != schema["const"]:
        faults.append(f"{at}: expected {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        faults.append(f"{at}: {value!r} is not in the enum")
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        faults.append(f"{at}: does not match {schema['pattern']}")
    if "minimum" in schema and TYPES["number"](value) and value < schema["minimum"]:
        faults.append(f"{at}: is too small")
    if isinstance(value, dict):
        faults += _object_faults(schema, value, root, at)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            faults += schema_faults(schema["items"], item, root, f"{at}/{index}")
    return faults


def _object_faults(schema: dict[str, Any], value: dict[str, Any], root: dict[str, Any],
                   at: str) -> list[str]:
    faults = [f"{at}: missing key {key}" for key in schema.get("required", ()) if key not in value]
    for key, member in value.items():
        if key in schema.get("properties", {}):
            faults += schema_faults(schema["properties"][key], member, root, f"{at}/{key}")
        elif schema.get("additionalProperties") is False:
            faults.append(f"{at}: unknown key {key}")
        elif isinstance(schema.get("additionalProperties"), dict):
            faults += schema_faults(schema["additionalProperties"], member, root, f"{at}/{key}")
    return faults


def faults_of(path: pathlib.Path, most: int = 3) -> list[str]:
    """The first errors of a receipt file; empty if it is finished and valid."""
    try:
        document = json.loads(path.read_text())
        schema = json.loads(SCHEMA.read_text())
    except (OSError, ValueError) as error:
        return [f"cannot be read: {error}"]
    if document.get("verdict") not in ("passed", "failed"):
        return ["has no verdict"]
    return schema_faults(schema, document, schema)[:most]
