# SPDX-License-Identifier: Apache-2.0
"""Single operations out of whole programs, and their variants with one thing changed."""
import copy
import dataclasses
import pathlib
import re
import tempfile

ELEMENTS = ("f32", "bf16", "f64", "i1", "i32", "i64", "ui8", "complex<f32>")
FOREIGN = ("check", "interpreter", "test")  # dialects without a verifier in jaxlib
NUMBERS = (-1, 0, 1, 2, 3, 7, 1 << 40)
OTHER_ATTRIBUTES = ("unit", "1 : i32", "-1 : i64", "2 : i64", '"text"', "array<i64>", "true", "[]")


@dataclasses.dataclass
class Operation:
    name: str
    attributes: dict  # name: text
    regions: list  # texts with braces
    operands: list  # types
    results: list  # types
    around: str  # other functions and meshes of the module

    def line(self):
        operands = ", ".join(f"%a{i}" for i in range(len(self.operands)))
        properties = ", ".join(f"{key} = {value}" for key, value in self.attributes.items())
        regions = f" ({', '.join(self.regions)})" if self.regions else ""
        results = f"%r:{len(self.results)} = " if self.results else ""
        return (
            f'{results}"{self.name}"({operands}){regions} {{{properties}}} : '
            f"({', '.join(self.operands)}) -> ({', '.join(self.results)})"
        )

    def text(self):
        arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(self.operands))
        return (
            "module attributes {mhlo.num_partitions = 64 : i32, mhlo.num_replicas = 1 : i32} {\n"
            f"{self.around}\nfunc.func @under_test({arguments}) {{\n{self.line()}\nreturn\n}}\n}}\n"
        )


def module_of(part, rival, reader):
    """The module of a program, by way of our printer where jaxlib lacks its dialects, or None."""
    with tempfile.TemporaryDirectory() as folder:
        given, ours = (pathlib.Path(folder) / name for name in ("given.mlir", "ours.mlir"))
        given.write_text(part)
        for path in (given, ours):
            try:
                return rival.parse(path.read_text())
            except ValueError:
                if path == ours or reader.ask("print", given, ours) != "ok":
                    return None


def operations_of(files, rival, reader):
    """The operations of programs, each kind of line once; those that see outer values are left out."""
    seen = set()
    for file in files:
        for part in re.split(r"^// -----.*$", file.read_text(), flags=re.MULTILINE):
            module = module_of(part, rival, reader)
            if module is None:
                continue
            around = "\n".join(rival.local(op) for op in module.body.operations)
            for op in walked(module.operation):
                if op.name in ("builtin.module", "func.func", "func.return", "sdy.mesh"):
                    continue
                if op.name.endswith(".return") or op.name.split(".")[0] in FOREIGN:
                    continue
                try:
                    found = taken(op, around, rival)
                except TypeError:  # an attribute that the bindings of jaxlib cannot spell
                    continue
                key = found.line()
                if key not in seen and len(key) < 3000:
                    seen.add(key)
                    yield found


def walked(op):
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from walked(inner.operation)


def taken(op, around, rival):
    attributes = {named: str(op.attributes[named]) for named in op.attributes.keys()}
    regions = []
    if len(op.regions) > 0:
        regions = split_regions(rival.local(op))
    return Operation(
        op.name,
        attributes,
        regions,
        [str(value.type) for value in op.operands],
        [str(value.type) for value in op.results],
        around if op.name in ("func.call", "stablehlo.composite") or "mesh" in str(op) else "",
    )


def split_regions(text):
    """The {...} of ({...}, {...}) in a generic form: the first brackets that open with "({"."""
    begin = text.index("({\n") if "({\n" in text else text.index("({")
    out, depth, start = [], 0, 0
    for i in range(begin + 1, len(text)):
        if text[i] == "{":
            if depth == 0:
                start = i
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                out.append(text[start : i + 1])
        elif text[i] == ")" and depth == 0:
            break
    return out


def changed(operation, **parts):
    out = copy.copy(operation)
    for key, value in parts.items():
        setattr(out, key, value)
    return out


def with_item(items, i, value):
    return [*items[:i], value, *items[i + 1 :]]


def other_types(type_):
    found = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", type_)
    if not found:
        yield "no tensor", "tensor<2xf32>"
        return
    sizes, element = [int(n) for n in found[1].split("x")[:-1]], found[2]

    def made(some, of=element):
        return f"tensor<{''.join(f'{n}x' for n in some)}{of}>"

    for d, size in enumerate(sizes):
        for other in {size + 1, max(size - 1, 0), 1, 2 * size, 0}:
            if other != size:
                yield "size", made(with_item(sizes, d, other))
        yield "rank", made(sizes[:d] + sizes[d + 1 :])
    yield "rank", made([1, *sizes])
    yield "rank", made([*sizes, 1])
    if len(set(sizes)) > 1:
        yield "order", made(sizes[::-1])
    for other in ELEMENTS:
        if other != element:
            yield "element type", made(sizes, other)
    yield "token", "!stablehlo.token"
    yield "tuple", f"tuple<{type_}>"


def other_numbers(text):
    """The text with one of its numbers changed; digits inside words and types stay."""
    for found in re.finditer(r"(?<![\w.%#<x-])-?\d+(?![\w.>])", text):
        value = int(found[0])
        for other in {*NUMBERS, value + 1, value - 1}:
            if other != value:
                yield text[: found.start()] + str(other) + text[found.end() :]


def variants(operation):
    """(kind, operation) with one thing changed."""
    for side in ("operands", "results"):
        types = getattr(operation, side)
        for i, type_ in enumerate(types):
            for kind, other in other_types(type_):
                yield f"{kind} of {side[:-1]} {i}", changed(
                    operation, **{side: with_item(types, i, other)}
                )
            yield f"{side[:-1]} {i} left out", changed(
                operation, **{side: types[:i] + types[i + 1 :]}
            )
        extra = types[-1] if types else "tensor<f32>"
        yield f"{side[:-1]} too many", changed(operation, **{side: [*types, extra]})
    same = {*operation.operands, *operation.results}
    if len(same) == 1 and not operation.regions:
        for kind, other in other_types(next(iter(same))):
            yield f"{kind} of all", changed(
                operation,
                operands=[other] * len(operation.operands),
                results=[other] * len(operation.results),
            )
    for key, value in operation.attributes.items():
        rest = {k: v for k, v in operation.attributes.items() if k != key}
        yield f"without {key}", changed(operation, attributes=rest)
        for other in other_numbers(value):
            yield f"number of {key}", changed(operation, attributes={**rest, key: other})
        for other in OTHER_ATTRIBUTES:
            if other != value:
                yield f"kind of {key}", changed(operation, attributes={**rest, key: other})
        lists = re.sub(r"\[([^\[\]]*)\]", lambda m: f"[{m[1]}, {m[1]}]" if m[1] else "[0]", value, 1)
        if lists != value:
            yield f"length of {key}", changed(operation, attributes={**rest, key: lists})
    yield from region_variants(operation)


def region_variants(operation):
    regions = operation.regions
    for i, region in enumerate(regions):
        yield f"region {i} left out", changed(operation, regions=regions[:i] + regions[i + 1 :])
        yield f"region {i} empty", changed(operation, regions=with_item(regions, i, "{}"))
        for element in set(re.findall(r"tensor<(\w+)>", region)):
            for other in ELEMENTS:
                text = region.replace(f"tensor<{element}>", f"tensor<{other}>")
                if other != element:
                    yield f"element type in region {i}", changed(
                        operation, regions=with_item(regions, i, text)
                    )
        text = re.sub(r'"stablehlo.return"\(([^,)]*)[^)]*\) : \(([^,)]*)[^)]*\)',
                      r'"stablehlo.return"(\1, \1) : (\2, \2)', region)
        if text != region:
            yield f"returns of region {i}", changed(operation, regions=with_item(regions, i, text))
        text = re.sub(r"\^bb0\((%\w+: [^,)]*), ", "^bb0(", region)
        if text != region:
            yield f"arguments of region {i}", changed(
                operation, regions=with_item(regions, i, text)
            )
    if regions:
        yield "region too many", changed(operation, regions=[*regions, regions[-1]])
