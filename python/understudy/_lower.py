# SPDX-License-Identifier: Apache-2.0
"""Lowers a function with JAX and describes its arguments and results."""
from __future__ import annotations

import contextlib
import dataclasses
import inspect
import math
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

import jax
import numpy as np

from understudy import _program_text
from understudy._callbacks import refuse_callbacks
from understudy._errors import ExportError
from understudy._leaves import Leaf, as_array, as_given, describe, with_value
from understudy._names import matching, path_name, result_name


@dataclasses.dataclass(frozen=True)
class Call:
    """A function and its arguments, as the caller gave them."""
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    static_argnums: tuple[int, ...] = ()
    static_argnames: tuple[str, ...] = ()
    result_names: Optional[Sequence[str]] = None


@dataclasses.dataclass(frozen=True)
class Lowered:
    """A lowered program. leaves: every array argument; kept: the indices of those that are
    arguments of the program (JAX drops unused ones), in order."""
    text: str
    devices: int
    mesh: dict[str, int]
    leaves: list[Leaf]
    kept: list[int]
    results: list[Leaf]
    in_tree: Any
    out_tree: Any
    flat: Callable[..., list[Any]]  # arrays of all leaves -> arrays of all results
    platforms: tuple[str, ...] = ("tpu",)

    @property
    def arguments(self) -> list[Leaf]:
        return [self.leaves[i] for i in self.kept]


def abstract_mesh(mesh: Any) -> Any:
    """An AbstractMesh from a Mesh, an AbstractMesh or {"axis": size}; None stays None."""
    if mesh is None or isinstance(mesh, jax.sharding.AbstractMesh):
        return mesh
    if isinstance(mesh, jax.sharding.Mesh):
        return mesh.abstract_mesh
    if isinstance(mesh, Mapping) and mesh:
        return jax.sharding.AbstractMesh(tuple(mesh.values()), tuple(mesh))
    raise ExportError(f'mesh: expected a Mesh, an AbstractMesh or {{"axis": size}}, got {mesh!r}')


def mesh_context(mesh: Any) -> contextlib.AbstractContextManager[Any]:
    """Makes `mesh` the one that shard_map uses if it is given none."""
    if mesh is None:
        return contextlib.nullcontext()
    use = getattr(jax.sharding, "use_abstract_mesh", None)
    if use is None:  # before JAX 0.7 it had no public name
        from jax._src import mesh as older
        use = getattr(older, "use_abstract_mesh", None)
    if use is None:
        raise ExportError(f"mesh: JAX {jax.__version__} cannot set a mesh without devices; pass "
                          "the mesh to shard_map instead")
    return use(mesh)


@contextlib.contextmanager
def _shardy() -> Iterator[None]:
    """Lowers shardings as Shardy's attributes, which name the mesh axes. JAX before 0.7 writes
    GSPMD's strings by default, which do not."""
    before = getattr(jax.config, "jax_use_shardy_partitioner", True)
    if before:
        yield
        return
    jax.config.update("jax_use_shardy_partitioner", True)
    try:
        yield
    finally:
        jax.config.update("jax_use_shardy_partitioner", before)


def _jitted(call: Call) -> Any:
    """The function with `trace`; its static arguments are those that it was jitted with."""
    if hasattr(call.fn, "trace") and hasattr(call.fn, "lower"):
        return call.fn
    return jax.jit(call.fn, static_argnums=call.static_argnums or None,
                   static_argnames=call.static_argnames or None)


def _static(call: Call, jitted: Any) -> tuple[set[int], set[str]]:
    """Positions and names of static arguments. JAX has no public way to ask a jitted function,
    so _leaves_of() compares the outcome with the tree that JAX used."""
    info = getattr(jitted, "_jit_info", call)
    numbers = {i % max(len(call.args), 1) if i < 0 else i
               for i in (*info.static_argnums, *call.static_argnums)}
    return numbers, {*info.static_argnames, *call.static_argnames}


def _parameter_names(call: Call) -> list[str]:
    """Names of the positional arguments, "*args" as args[0], args[1], ..."""
    names: list[str] = []
    try:
        parameters = list(inspect.signature(call.fn).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    for parameter in parameters:
        if parameter.kind == parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{i}]" for i in range(len(call.args) - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    names += [f"arg{i}" for i in range(len(names), len(call.args))]
    return names


def _leaves_of(call: Call, jitted: Any, lowered: Any) -> list[Leaf]:
    numbers, static_names = _static(call, jitted)
    named = zip(_parameter_names(call), call.args)
    positional = [pair for i, pair in enumerate(named) if i not in numbers]
    keywords = {k: v for k, v in call.kwargs.items() if k not in static_names}
    given = (tuple(value for _, value in positional), keywords)
    if jax.tree.structure(given) != lowered.in_tree:
        raise ExportError("cannot tell which arguments of the jitted function are static; pass "
                          "static_argnums and static_argnames as they were given to jax.jit")
    leaves = []
    infos = jax.tree.leaves(lowered.args_info)
    for (path, value), info in zip(jax.tree_util.tree_flatten_with_path(given)[0], infos):
        if path[0].idx == 0:
            name = path_name(positional[path[1].idx][0], path[2:])
        else:
            name = path_name(path[1].key, path[2:])
        leaves.append(with_value(describe(name, info), value))
    return leaves


def _results_of(lowered: Any, names: Optional[Sequence[str]]) -> list[Leaf]:
    info = lowered.out_info
    count = len(info) if type(info) in (tuple, list) else 1
    if names and len(names) != count:
        raise ExportError(f"result_names: {len(names)} names for {count} "
                          f"result{'' if count == 1 else 's'} of the function")
    return [describe(result_name(path, names), leaf)
            for path, leaf in jax.tree_util.tree_flatten_with_path(info)[0]]


def _flat_function(call: Call, jitted: Any, in_tree: Any, leaves: list[Leaf]) -> Callable[..., Any]:
    """The function on plain arrays: nothing of the caller's types is needed to call it."""
    numbers, static_names = _static(call, jitted)
    static = {i: value for i, value in enumerate(call.args) if i in numbers}
    keywords = {k: v for k, v in call.kwargs.items() if k in static_names}

    def flat(*arrays: Any) -> list[Any]:
        values = [as_given(leaf, array) for leaf, array in zip(leaves, arrays)]
        args, kwargs = jax.tree.unflatten(in_tree, values)
        rest = iter(args)
        whole = [static[i] if i in static else next(rest) for i in range(len(call.args))]
        return [as_array(value) for value in jax.tree.leaves(jitted(*whole, **kwargs, **keywords))]

    return flat


def _kept(lowered: Any, leaves: list[Leaf], text: str) -> list[int]:
    """Which leaves are arguments of the program. JAX removes unused ones."""
    count = _program_text.argument_count(text)
    if _program_text.selects_platform(text):
        count -= 1  # understudy fills it in
    if count == len(leaves):
        return list(range(count))
    arguments = getattr(getattr(lowered, "_lowering", None), "compile_args", {})
    kept = sorted(arguments.get("kept_var_idx", ()))
    if len(kept) != count:
        raise ExportError(f"the lowered program has {count} arguments, the function has "
                          f"{len(leaves)} arrays, and it is not known which were removed")
    return kept


def _extent(text: str, mesh: Any) -> tuple[dict[str, int], int]:
    """Axes and number of devices: of the largest mesh, unless the program has more partitions."""
    meshes = [_program_text.mesh_of(text), dict(mesh.shape) if mesh is not None else {}]
    axes = max(meshes, key=lambda sizes: math.prod(sizes.values()))
    devices = math.prod(axes.values())
    partitions = _program_text.partitions(text)
    return ({"device": partitions}, partitions) if partitions > devices else (axes, devices)


def _first_steps(call: Call, per_step: Sequence[str], steps: int) -> tuple[Call, dict[str, Any]]:
    """The call with the first step's data of the arguments named in `per_step`, and all data of
    each of their leaves by name."""
    stacked: dict[str, Any] = {}
    if not per_step:
        return call, stacked

    def first(name: str, value: Any) -> Any:
        def one(path: Any, leaf: Any) -> Any:
            full = path_name(name, path)
            if not any(matching([full], query) == [0] for query in per_step):
                return leaf
            shape = tuple(np.shape(leaf)) if not hasattr(leaf, "shape") else tuple(leaf.shape)
            if shape[:1] != (steps,):
                raise ExportError(f"per_step: {full} has the shape {list(shape)}, expected a "
                                  f"leading axis of {steps} steps")
            stacked[full] = leaf
            if isinstance(leaf, jax.ShapeDtypeStruct):
                return jax.ShapeDtypeStruct(shape[1:], leaf.dtype)
            return leaf[0]
        return jax.tree_util.tree_map_with_path(one, value)

    args = tuple(first(name, value) for name, value in zip(_parameter_names(call), call.args))
    kwargs = {name: first(name, value) for name, value in call.kwargs.items()}
    for query in per_step:
        if not matching(list(stacked), query):
            raise ExportError(f"per_step: no argument is named {query!r}")
    return dataclasses.replace(call, args=args, kwargs=kwargs), stacked


def _with_steps(leaf: Leaf, given: Any) -> Leaf:
    """The leaf with the data of all steps."""
    if given is None:
        return leaf
    if isinstance(given, jax.ShapeDtypeStruct):
        return dataclasses.replace(leaf, stacked=np.zeros((0,)))
    whole = dataclasses.replace(leaf, shape=(int(np.shape(given)[0]), *leaf.shape))
    return dataclasses.replace(leaf, stacked=with_value(whole, given).value)


def lower(call: Call, mesh: Any, platforms: Sequence[str], per_step: Sequence[str] = (),
          steps: int = 1) -> Lowered:
    """Lowers `call` for `platforms`. mesh: an AbstractMesh or None. per_step: paths of arguments
    with data for each of `steps` steps.

    Raises ExportError, and whatever JAX raises for a function that it cannot trace.
    """
    if "tpu" not in platforms and len(platforms) > 1:
        raise ExportError(f"platforms: expected \"tpu\" among several platforms, got {platforms}")
    jitted = _jitted(call)
    call, stacked = _first_steps(call, per_step, steps)
    with mesh_context(mesh), _shardy():
        traced = jitted.trace(*call.args, **call.kwargs)
        try:
            lowered = traced.lower(lowering_platforms=tuple(platforms))
        except (NotImplementedError, ValueError):
            refuse_callbacks(traced.jaxpr)
            raise
    text = _program_text.with_locations(lowered)
    axes, devices = _extent(text, mesh)
    leaves = [_with_steps(leaf, stacked.get(leaf.name))
              for leaf in _leaves_of(call, jitted, lowered)]
    in_tree = lowered.in_tree
    return Lowered(text=_program_text.with_partitions(text, devices), devices=devices, mesh=axes,
                   leaves=leaves, kept=_kept(lowered, leaves, text),
                   results=_results_of(lowered, call.result_names), in_tree=in_tree,
                   out_tree=jax.tree.structure(lowered.out_info), platforms=tuple(platforms),
                   flat=_flat_function(call, jitted, in_tree, leaves))
