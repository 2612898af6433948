# SPDX-License-Identifier: Apache-2.0
"""StableHLO modules before and after the partitioner, through jaxlib's MLIR bindings."""
from __future__ import annotations

import dataclasses
from typing import Any, Optional

from jaxlib import _jax
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo

from understudy_partitioner import shardings, wire

BYTECODE = b"ML\xefR"
# Operations that carry a scheduling or aliasing hint only: their result is their operand.
IDENTITIES = ("mhlo.copy", "mhlo.add_dependency")
# Attributes that understudy adds to arguments and results of @main: the type of the whole array.
GLOBAL_TYPE = "understudy.global_type"
# Attributes that describe an array to the partitioner or to a runtime of its own.
DROPPED = ("sdy.sharding", "mhlo.sharding", "mhlo.frontend_attributes", "mhlo.layout_mode",
           "mhlo.memory_kind", "mhlo.parameter_replication")


# Attributes of operations.
READ_BY_XLA_ONLY = ("mhlo.sharding", "mhlo.frontend_attributes", "xla_shape", "mhlo.original_value")


class Refused(Exception):
    """The program cannot be partitioned, in words for the user."""


@dataclasses.dataclass(frozen=True)
class Described:
    """The program as it came: what the partitioned one no longer says."""
    name: str
    arguments: list[ir.Type]
    results: list[ir.Type]
    argument_attributes: list[dict[str, ir.Attribute]]
    result_attributes: list[dict[str, ir.Attribute]]
    meshes: list[str]  # texts of the sdy.mesh operations


def context() -> ir.Context:
    made = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    for dialect in (sdy, stablehlo, chlo):
        dialect.register_dialect(made)
    mhlo.register_mhlo_dialect(made)
    made.allow_unregistered_dialects = True
    return made


def read(within: ir.Context, payload: bytes, header: wire.Header) -> ir.Module:
    if header["form"] == "hlo":
        payload = _jax.mlir.hlo_to_stablehlo(payload)
    if not payload.startswith(BYTECODE):
        module = ir.Module.parse(payload, within)
    elif header["form"] == "hlo":
        return of_hlo(within, payload)
    else:
        module = stablehlo.deserialize_portable_artifact(within, payload)
    _rename_entry(module, header.get("entry", ""))
    _keep_locations(module, header.get("file", ""))
    return module


def drop_inspections(module: ir.Module) -> None:
    """Removes jax.debug.inspect_array_sharding: XLA would follow addresses of the process that wrote
    the program. An operation of a chip shows nothing either (docs/operations.md)."""
    found: list[ir.Operation] = []

    def look(operation: ir.Operation) -> ir.WalkResult:
        target = operation.attributes.get("call_target_name")
        if operation.name == "stablehlo.custom_call" and target is not None \
                and ir.StringAttr(target).value == "InspectSharding":
            found.append(operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(look)
    for operation in found:
        for result, operand in zip(operation.results, operation.operands):
            result.replace_all_uses_with(operand)
        operation.erase()


def of_hlo(within: ir.Context, payload: bytes) -> ir.Module:
    if payload.startswith(BYTECODE):
        return stablehlo.deserialize_portable_artifact(within, payload)
    return ir.Module.parse(payload, within)


def _functions(module: ir.Module) -> list[Any]:
    return [one for one in module.body.operations if one.operation.name == "func.func"]


def _main(module: ir.Module) -> Any:
    for function in _functions(module):
        if function.attributes["sym_name"].value == "main":
            return function
    raise Refused("the module has no function @main")


def _rename_entry(module: ir.Module, entry: str) -> None:
    """XLA runs @main. The entry may have another name, or be the only function."""
    functions = _functions(module)
    names = [one.attributes["sym_name"].value for one in functions]
    if entry in ("", "main") and "main" in names:
        return
    if not entry and len(functions) == 1:
        functions[0].attributes["sym_name"] = ir.StringAttr.get("main", module.context)
        return
    raise Refused(f"only programs with the entry @main can be partitioned, not @{entry}")


def _keep_locations(module: ir.Module, file: str) -> None:
    """HLO keeps the place of an operation only if the operation has a name. Operations of plain
    text have a place alone: the position in the text, in a file called "-"."""
    def keep(operation: ir.Operation) -> ir.WalkResult:
        place = operation.location
        if isinstance(place, ir.FileLineColLoc):
            if file and str(place.filename) == "-":
                place = ir.Location.file(file, place.start_line, place.start_col, module.context)
            name = operation.name.split(".")[-1]
            operation.location = ir.Location.name(name, place, module.context)
        return ir.WalkResult.ADVANCE
    module.operation.walk(keep)


def _attributes(function: Any, name: str, count: int) -> list[dict[str, ir.Attribute]]:
    if name not in function.attributes:
        return [{} for _ in range(count)]
    listed = ir.ArrayAttr(function.attributes[name])
    return [{one.name: one.attr for one in ir.DictAttr(each)} for each in listed]


def describe(module: ir.Module) -> Described:
    main = _main(module)
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    meshes = [str(one) for one in module.body.operations if one.operation.name == "sdy.mesh"]
    name = module.operation.attributes["sym_name"] if "sym_name" in module.operation.attributes \
        else None
    return Described(
        "" if name is None else ir.StringAttr(name).value, list(kind.inputs), list(kind.results),
        _attributes(main, "arg_attrs", len(kind.inputs)),
        _attributes(main, "res_attrs", len(kind.results)), meshes)


def clean(module: ir.Module) -> None:
    """Removes what only XLA's own passes read, and the meshes that XLA made."""
    found: list[ir.Operation] = []
    mixed: list[str] = []

    def look(operation: ir.Operation) -> ir.WalkResult:
        if operation.name in IDENTITIES + ("mhlo.topk", "sdy.mesh"):
            found.append(operation)
        if "replica_group_mesh_axes" in str(operation.attributes.get("replica_groups", "")):
            mixed.append(operation.name)
        for name in READ_BY_XLA_ONLY:
            if name in operation.attributes:
                del operation.attributes[name]
        return ir.WalkResult.ADVANCE

    module.operation.walk(look)
    if mixed:  # jaxlib drops the device ids of their mesh, so that they name other devices
        raise Refused(f"XLA wrote the replica groups of {mixed[0]} as axes of a mesh")
    for operation in found:
        values = [operation.operands[0]] if operation.name != "sdy.mesh" else []
        if operation.name == "mhlo.topk":
            if not ir.BoolAttr(operation.attributes["largest"]).value:
                raise Refused("top_k of the smallest elements is not supported")
            with ir.InsertionPoint(operation), operation.location:
                values = list(ir.Operation.create(
                    "chlo.top_k", results=[one.type for one in operation.results],
                    operands=values, attributes={"k": operation.attributes["k"]}).results)
        for result, value in zip(operation.results, values):
            result.replace_all_uses_with(value)
        operation.erase()


def _untuple(operation: ir.Operation) -> None:
    """HLO's custom calls return a tuple for several results; StableHLO's return the results."""
    whole = operation.results[0].type
    kinds = [whole.get_type(i) for i in range(whole.num_types)]
    users = [use.owner for use in operation.results[0].uses]
    if any(user.name != "stablehlo.get_tuple_element" for user in users):
        raise Refused(f"{operation.name} gives a tuple that is used as a whole")
    with ir.InsertionPoint(operation), operation.location:
        attributes = {name: operation.attributes[name] for name in operation.attributes}
        made = ir.Operation.create(operation.name, results=kinds,
                                   operands=list(operation.operands), attributes=attributes)
    for user in users:
        index = ir.IntegerAttr(user.attributes["index"]).value
        user.results[0].replace_all_uses_with(made.results[index])
        user.operation.erase()
    operation.erase()


def untuple(module: ir.Module) -> None:
    """Removes the tuples that custom calls return."""
    found: list[ir.Operation] = []

    def look(operation: ir.Operation) -> ir.WalkResult:
        if operation.name == "stablehlo.custom_call" and len(operation.results) == 1 \
                and isinstance(operation.results[0].type, ir.TupleType):
            found.append(operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(look)
    for operation in found:
        _untuple(operation)


def annotate(module: ir.Module, before: Described, parameters: list[str], output: Optional[str],
             header: wire.Header) -> None:
    """Writes what understudy reads on @main: the sharding and the global type of each argument and
    result. Names, donation and meshes are those of the program as it came."""
    main = _main(module)
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    if len(kind.inputs) != len(before.arguments) or len(kind.results) != len(before.results):
        raise Refused(f"XLA made {len(kind.inputs)} arguments and {len(kind.results)} results of "
                      f"{len(before.arguments)} and {len(before.results)}")
    outputs = shardings.of_results(output, len(before.results))
    inputs = parameters or [shardings.REPLICATED] * len(before.arguments)
    with module.context:
        main.attributes["arg_attrs"] = _described_attributes(
            before.argument_attributes, inputs, before.arguments)
        main.attributes["res_attrs"] = _described_attributes(
            before.result_attributes, outputs, before.results)
        for name in list(module.operation.attributes):
            if name != "sym_name":
                del module.operation.attributes[name]
        if before.name:
            module.operation.attributes["sym_name"] = ir.StringAttr.get(before.name)
        number = ir.IntegerType.get_signless(32)
        for name in ("partitions", "replicas"):
            module.operation.attributes[f"mhlo.num_{name}"] = ir.IntegerAttr.get(
                number, header[name])
        module.operation.attributes["understudy.partitioned"] = ir.UnitAttr.get()
        _add_meshes(module, before.meshes)


def _described_attributes(given: list[dict[str, ir.Attribute]], inputs: list[str],
                          types: list[ir.Type]) -> ir.ArrayAttr:
    listed = []
    for attributes, sharding, kind in zip(given, inputs, types):
        entries = {name: one for name, one in attributes.items() if name not in DROPPED}
        entries["mhlo.sharding"] = ir.StringAttr.get(sharding)
        entries[GLOBAL_TYPE] = ir.TypeAttr.get(kind)
        listed.append(ir.DictAttr.get(entries))
    return ir.ArrayAttr.get(listed)


def _add_meshes(module: ir.Module, meshes: list[str]) -> None:
    """The user's meshes, in place of XLA's: reports name the axes of the first one."""
    for text in reversed(meshes):
        ir.InsertionPoint.at_block_begin(module.body).insert(ir.Operation.parse(text))


def write(module: ir.Module) -> tuple[str, bytes]:
    """("artifact", bytes), or ("text", bytes) where the artifact format lacks an operation."""
    try:
        version = stablehlo.get_current_version()
        return "artifact", _jax.mlir.serialize_portable_artifact(module, version)
    except _jax.JaxRuntimeError:
        text = module.operation.get_asm(enable_debug_info=True)
        return "text", text.encode()
