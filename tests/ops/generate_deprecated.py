#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of einsum, CHLO's broadcasting, scans and ragged dots."""
import numpy as np

from program_text import BF16, generic, write

I, F, P, C = (np.dtype(t) for t in (np.int32, np.float32, np.bool_, np.complex64))
GENERATOR = np.random.default_rng(7)


def whole(shape, dtype=F):
    """Small whole numbers: sums of products are exact in every type."""
    return GENERATOR.integers(-3, 4, shape).astype(dtype)


def einsum():
    cases = []
    shapes = {"a": 2, "b": 3, "c": 4, "d": 5}
    for i, config in enumerate(("ab,bc->ac", "ab,ba->", "a,b->ab", "ab,cb->ca", "abc,acd->abd",
                                "abc,cad->db", "aab,bc->ac", "ab,ab->ab", "ab,c->b", ",ab->ba",
                                "aba,aa->b", "ab,bc")):
        terms = config.split("->")[0].split(",")
        inputs = [whole(tuple(shapes[c] for c in term)) for term in terms]
        cases.append((f"labels_{i}", inputs,
                      generic("stablehlo.einsum", f'einsum_config = "{config}"', 2),
                      [np.asarray(np.einsum(config, *inputs), F)]))
    x, y = whole((5, 1, 2, 3)), whole((4, 3, 2))
    cases.append(("ellipsis", [x, y],
                  generic("stablehlo.einsum", 'einsum_config = "...ab,...bc->...ac"', 2),
                  [np.einsum("...ab,...bc->...ac", x, y)]))
    x, y = whole((2, 3), I), whole((3, 4), I)
    cases.append(("integers", [x, y], "%r = stablehlo.einsum {0}, {1}, config = \"ab,bc->ac\" : "
                  "({t0}, {t1}) -> {r0}", [x @ y]))
    x, y = whole((2, 0)), whole((0, 4))
    cases.append(("of_nothing", [x, y],
                  generic("stablehlo.einsum", 'einsum_config = "ab,bc->ac"', 2), [x @ y]))
    write("einsum", "By labels: batching, contracting, summed, repeated; under an ellipsis.", *cases)
    cases = []
    for i, (config, shape) in enumerate((("ab->ba", (2, 3)), ("ab->a", (2, 3)), ("aa->a", (3, 3)),
                                         ("aab->b", (3, 3, 2)), ("ab->", (2, 3)),
                                         ("a...->...a", (2, 3, 4)), ("ba", (2, 3)))):
        x = whole(shape, BF16 if i == 1 else F)
        want = np.einsum(config, x.astype(F)).astype(x.dtype)
        cases.append((f"labels_{i}", [x],
                      generic("stablehlo.unary_einsum", f'einsum_config = "{config}"'), [want]))
    write("unary_einsum", "Transposed, summed, diagonals.", *cases)


def broadcasting():
    a, b, c = whole((2, 3)), whole(3), whole((2, 1))
    pretty = "%r = chlo.broadcast_{} {{0}}, {{1}} : ({{t0}}, {{t1}}) -> {{r0}}"
    cases = [("row", [a, b], pretty.format("add"), [a + b]),
             ("row_first", [b, a], pretty.format("subtract"), [b - a]),
             ("column", [a, c], pretty.format("multiply"), [a * c]),
             ("both", [c, b], pretty.format("maximum"), [np.maximum(c, b)]),
             ("scalar", [a, np.array(2, F)], pretty.format("minimum"), [np.minimum(a, F.type(2))]),
             ("placed", [whole(2), a], None, None),
             ("power", [np.abs(a) + 1, b], pretty.format("power"), [(np.abs(a) + 1) ** b], 1),
             ("quotient", [a, np.array([2, 4, 8], F)], pretty.format("divide"), [a / np.array([2, 4, 8], F)]),
             ("complex", [a, b], pretty.format("complex"), [(a + 1j * b).astype(C)])]
    v = cases[5][1][0]
    cases[5] = ("placed", [v, a], generic("chlo.broadcast_add", "broadcast_dimensions = array<i64: 0>", 2),
                [v[:, None] + a])
    x, y = np.array([[6], [-7]], I), np.array([1, 2, 3], I)
    for name, want in (("and", x & y), ("or", x | y), ("xor", x ^ y), ("shift_left", x << y),
                       ("shift_right_arithmetic", x >> y), ("remainder", np.fmod(x, y)),
                       ("shift_right_logical", (x.view(np.uint32) >> y.view(np.uint32)).view(I))):
        cases.append((f"bits_{name}", [x, y], pretty.format(name), [want]))
    cases.append(("atan2", [np.zeros((2, 1), F), np.ones(3, F)], pretty.format("atan2"), [np.zeros((2, 3), F)]))
    cases.append(("next_after", [np.ones((2, 1), F), np.zeros(3, F)], pretty.format("next_after"),
                  [np.full((2, 3), np.nextafter(F.type(1), F.type(0)))]))
    cases.append(("zeta", [np.full((2, 1), 2, F), np.ones(3, F)], pretty.format("zeta"),
                  [np.full((2, 3), np.pi ** 2 / 6, F)], 4))
    cases.append(("polygamma", [np.ones((2, 1), F), np.ones(3, F)], pretty.format("polygamma"),
                  [np.full((2, 3), np.pi ** 2 / 6, F)], 4))
    cases.append(("nothing", [whole((0, 3)), b], pretty.format("add"), [np.zeros((0, 3), F)]))
    write("chlo_broadcast_shapes", "Numpy's broadcasting, and dimensions placed by an attribute.", *cases)
    less = ('%r = chlo.broadcast_compare {0}, {1} {{comparison_direction = '
            '#chlo<comparison_direction LT>}} : ({t0}, {t1}) -> {r0}')
    write("chlo_broadcast_compare", "Comparison of broadcast operands.",
          ("row", [a, b], less, [a < b]), ("column", [c, b], less, [c < b]))
    select = "%r = chlo.broadcast_select {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r0}"
    p = np.array([[True], [False]])
    write("chlo_broadcast_select", "Selection among broadcast operands.",
          ("column", [p, a, b], select, [np.where(p, a, b)]),
          ("scalar", [np.array(True), b, a], select, [np.broadcast_to(b, (2, 3))]))
    write("chlo_constant_like", "One number in the shape of the operand.",
          ("floats", [a], generic("chlo.constant_like", "value = 1.5 : f32"), [np.full((2, 3), 1.5, F)]),
          ("halves", [whole(3, BF16)], generic("chlo.constant_like", "value = 0.3 : bf16"), [np.full(3, 0.3, BF16)]),
          ("integers", [whole(3, I)], generic("chlo.constant_like", "value = -7 : i32"), [np.full(3, -7, I)]),
          ("complex", [whole(2).astype(C)], generic("chlo.constant_like", "value = 2.0 : f32"), [np.full(2, 2, C)]),
          ("nothing", [whole((0, 2))], generic("chlo.constant_like", "value = 2.0 : f32"), [np.zeros((0, 2), F)]))
    z = np.array([0.5 + 0.25j, -3 + 2j, 0.1 - 4j, 2 + 0.5j], C)
    sine = np.arcsin(z.astype(np.complex128))
    want = (np.cos(sine.real) * np.cosh(sine.imag) + 1j * np.abs(sine.imag)).astype(C)
    write("chlo_asin_acos_kernel", "asin(z) = atan2(re z, re w) + i sign(im z) im w.",
          ("complex", [z], "%r = chlo._asin_acos_kernel {0} : {t0} -> {r0}", [want], 2))


def mulhi():
    cases = []
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
        info = np.iinfo(dtype)
        edge = [info.min, info.max, 1, 0, info.max - 1, info.min + 1, info.max // 3]
        more = GENERATOR.integers(info.min, info.max, 9, dtype=dtype, endpoint=True)
        x = np.array(edge + list(more), dtype)
        y = x[::-1].copy()
        bits = np.iinfo(dtype).bits
        want = np.array([(int(p) * int(q)) >> bits for p, q in zip(x, y)], dtype)
        cases.append((np.dtype(dtype).name, [x, y], generic("chlo.mulhi", "", 2), [want]))
    write("chlo_mulhi_edges", "The high half of the product of random and extreme numbers, of every width.", *cases)


def scans():
    body = ("{{{{\n^bb0(%e: tensor<f32>, %c: tensor<f32>):\n  %s = stablehlo.add %e, %c : tensor<f32>\n"
            "  %m = stablehlo.multiply %s, %e : tensor<f32>\n  stablehlo.return %m, %s : tensor<f32>, tensor<f32>\n}}}}")
    x = whole(5)

    def by_steps(order):
        out, carry = np.zeros(5, F), F.type(2)
        for i in order:
            carry = x[i] + carry
            out[i] = carry * x[i]
        return [out, np.array(carry, F)]

    plain = ("%r:2 = chlo.scan({0}) inits ({1}) dimension=0 " + body.replace("{{{{", "{{").replace("}}}}", "}}")
             + " : ({t0}, {t1}) -> ({r0}, {r1})")
    back = plain.replace("dimension=0 ", "dimension=0 attributes {{is_reverse = true}} ")
    start = np.array(2, F)
    m = whole((2, 4, 3))
    rows = ("%r:2 = chlo.scan({0}) inits ({1}) dimension=1 {{\n^bb0(%e: tensor<2x3xf32>, %c: tensor<2x3xf32>):\n"
            "  %s = stablehlo.maximum %e, %c : tensor<2x3xf32>\n  stablehlo.return %s, %s : tensor<2x3xf32>, tensor<2x3xf32>\n}}"
            " : ({t0}, {t1}) -> ({r0}, {r1})")
    top = np.maximum.accumulate(m, 1)
    none = np.zeros(0, F)
    write("chlo_scan", "Forwards, backwards, of slices, of nothing.",
          ("forwards", [x, start], plain, by_steps(range(5))),
          ("backwards", [x, start], back, by_steps(reversed(range(5)))),
          ("slices", [m, np.full((2, 3), -9, F)], rows, [top, top[:, -1]]),
          ("nothing", [none, start], plain, [none, start]))


def ragged():
    def numbers(**lists):
        return "ragged_dot_dimension_numbers = #chlo.ragged_dot<" + ", ".join(
            f"{key} = {value}" for key, value in lists.items()) + ">"

    def rows(lhs, rhs, sizes):
        out, at = np.zeros((lhs.shape[0], rhs.shape[2]), F), 0
        for g, size in enumerate(sizes):
            out[at:at + size] = lhs[at:at + size] @ rhs[g]
            at += size
        return out

    def columns(lhs, rhs, sizes):
        out, at = [], 0
        for size in sizes:
            out.append(lhs[:, at:at + size] @ rhs[at:at + size])
            at += size
        return np.stack(out)

    lhs, rhs, sizes = whole((7, 4)), whole((3, 4, 5)), np.array([2, 0, 4], I)
    one = numbers(lhs_batching_dimensions="[]", rhs_batching_dimensions="[]",
                  lhs_contracting_dimensions="[1]", rhs_contracting_dimensions="[1]",
                  lhs_ragged_dimensions="[0]", rhs_group_dimensions="[0]")
    blhs, brhs = whole((2, 7, 4)), whole((3, 2, 4, 5))
    bsizes = np.array([[2, 1, 4], [0, 7, 0]], I)
    batched = numbers(lhs_batching_dimensions="[0]", rhs_batching_dimensions="[1]",
                      lhs_contracting_dimensions="[2]", rhs_contracting_dimensions="[2]",
                      lhs_ragged_dimensions="[1]", rhs_group_dimensions="[0]")
    free = numbers(lhs_batching_dimensions="[]", rhs_batching_dimensions="[]",
                   lhs_contracting_dimensions="[2]", rhs_contracting_dimensions="[1]",
                   lhs_ragged_dimensions="[1]", rhs_group_dimensions="[0]")
    two = numbers(lhs_batching_dimensions="[]", rhs_batching_dimensions="[]",
                  lhs_contracting_dimensions="[1]", rhs_contracting_dimensions="[0]",
                  lhs_ragged_dimensions="[1]", rhs_group_dimensions="[]")
    klhs, krhs = whole((3, 7)), whole((7, 2))
    three = numbers(lhs_batching_dimensions="[0]", rhs_batching_dimensions="[0]",
                    lhs_contracting_dimensions="[2]", rhs_contracting_dimensions="[1]",
                    lhs_ragged_dimensions="[0]", rhs_group_dimensions="[]")
    plhs, prhs = whole((4, 2, 3)), whole((4, 3, 5))
    op = "chlo.ragged_dot"
    poisoned = rhs.copy()
    poisoned[1] = np.inf  # no row is of this group
    write("chlo_ragged_dot", "Groups of rows, of contracted columns, of batches.",
          ("rows", [lhs, rhs, sizes], generic(op, one, 3), [rows(lhs, rhs, sizes)]),
          ("rows_of_halves", [lhs.astype(BF16), rhs.astype(BF16), sizes], generic(op, one, 3),
           [rows(lhs, rhs, sizes)]),
          ("rows_unharmed", [lhs, poisoned, sizes], generic(op, one, 3), [rows(lhs, rhs, sizes)]),
          ("rows_of_batches", [blhs, brhs, bsizes], generic(op, batched, 3),
           [np.stack([rows(blhs[b], brhs[:, b], bsizes[b]) for b in range(2)])]),
          ("rows_behind_a_free_dimension", [blhs, rhs, bsizes], generic(op, free, 3),
           [np.stack([rows(blhs[b], rhs, bsizes[b]) for b in range(2)])]),
          ("one_list_of_sizes", [blhs, rhs, sizes], generic(op, free, 3),
           [np.stack([rows(blhs[b], rhs, sizes) for b in range(2)])]),
          ("columns", [klhs, krhs, sizes], generic(op, two, 3), [columns(klhs, krhs, sizes)]),
          ("batches", [plhs, prhs, np.array([1, 3], I)], generic(op, three, 3), [plhs @ prhs]))


if __name__ == "__main__":
    einsum()
    broadcasting()
    mulhi()
    scans()
    ragged()
