#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes lapack.mlir: one function per custom call that is a routine of LAPACK, in the forms of JAX
for CPUs, of JAX 0.4 and for TPUs. Expected values come from SciPy's LAPACK.

    generate_lapack.py >tests/ops/lapack.mlir      (needs numpy, scipy)
"""
import numpy as np
from scipy.linalg import lapack

D, Z, I = np.dtype(np.float64), np.dtype(np.complex128), np.dtype(np.int32)
REAL = np.array([[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]])
COMPLEX = REAL + 1j * np.array([[0.5, -1.0, 2.0], [1.0, 0.0, -2.0], [0.25, 1.0, 1.0], [2.0, -1.0, 0.0]])
TEXT = {D: "f64", Z: "complex<f64>", I: "i32", np.dtype(np.uint8): "ui8"}


def tensor(array):
    return "tensor<" + "".join(f"{d}x" for d in array.shape) + TEXT[array.dtype] + ">"


def literal(array):
    def text(x):
        if array.dtype == Z:
            return f"({x.real!r}, {x.imag!r})"
        return repr(int(x)) if array.dtype.kind in "iu" else repr(float(x))
    def nested(a):
        return text(a[()].item()) if a.ndim == 0 else "[" + ", ".join(nested(x) for x in a) + "]"
    return f"dense<{nested(array)}>"


def layout(array, matrix):
    order = list(range(array.ndim))[::-1]
    if matrix:
        order[:2] = order[1::-1]
    rank = f"tensor<{array.ndim}xindex>"
    return f"dense<{order}> : {rank}" if array.ndim > 1 else f"dense<{'0' if array.ndim else ''}> : {rank}"


def function(name, target, operands, results, config="", layouts=True, scratch=()):
    """`results`: arrays, None for one that is not checked and has the shape of `scratch`."""
    made = [r if r is not None else scratch[i] for i, r in enumerate(results)]
    lines = [f"  %a{i} = stablehlo.constant {literal(a)} : {tensor(a)}" for i, a in enumerate(operands)]
    attributes = [config] if config else []
    if layouts:
        attributes += [f"{kind} = [{', '.join(layout(a, a.ndim >= 2) for a in arrays)}]"
                       for kind, arrays in (("operand_layouts", operands), ("result_layouts", made))]
    types = f"({', '.join(map(tensor, operands))}) -> "
    types += tensor(made[0]) if len(made) == 1 else f"({', '.join(map(tensor, made))})"
    names = ", ".join(f"%a{i}" for i in range(len(operands)))
    count = f":{len(made)}" if len(made) > 1 else ""
    lines.append(f"  %r{count} = stablehlo.custom_call @{target}({names}) {{{', '.join(attributes)}}} : {types}")
    for i, want in enumerate(results):
        if want is not None:
            result = f"%r#{i}" if len(made) > 1 else "%r"
            lines.append(f"  check.expect_almost_eq_const {result}, {literal(want)} : {tensor(want)}")
    return f"func.func @{name}() {{\n" + "\n".join(lines) + "\n  return\n}\n"


def s(*numbers):
    return [np.array(n, I) for n in numbers]


def flags(**values):
    kind = {"low": "i32", "high": "i32"}
    body = ", ".join(f"{k} = {v}" if isinstance(v, str) else f"{k} = {v} : {kind.get(k, 'ui8')}"
                     for k, v in values.items())
    return f"mhlo.backend_config = {{{body}}}"


def programs(letter):
    """Both forms of every routine for float64 ('d') or complex128 ('z')."""
    real = letter == "d"
    tall = REAL if real else COMPLEX
    call = lambda name, *a, **k: getattr(lapack, letter + name)(*a, **k)  # noqa: E731
    name = lambda r, c: (r if real else c)  # noqa: E731
    square, zero = tall[:3], np.array(0, I)
    hermitian = (square + square.conj().T) / 2
    definite = square @ square.conj().T + 3 * np.eye(3)
    out = []

    def both(routine, operands, results, config, scalars, order, scratch_count, extra=None):
        """The typed call, then the older one with scalars before and scratch results."""
        out.append(function(f"{letter}{routine}", f"lapack_{letter}{routine}_ffi", operands, results, config,
                            scratch=extra))
        if scalars is None:
            return
        arranged = [results[i] if isinstance(i, int) else None for i in order] + [None] * scratch_count
        shapes = [extra[i] if isinstance(i, int) and extra is not None else np.zeros((3, 3), tall.dtype)
                  for i in order] + [np.zeros(8, tall.dtype)] * scratch_count
        out.append(function(f"old_{letter}{routine}", f"lapack_{letter}{routine}", scalars + operands, arranged,
                            scratch=shapes))

    def unchecked(*arrays):
        return list(arrays)

    factor = np.tril(call("potrf", definite, lower=1)[0])
    lower_only = np.tril(definite)
    both("potrf", [lower_only], [factor, zero], flags(uplo=76), s(1, 1, 3), [0, 1], 0)
    lu, pivots, _ = call("getrf", tall)
    both("getrf", [tall], [lu, pivots.astype(I) + 1, zero], flags(), s(1, 4, 3), [0, 1, 2], 0)
    qr, tau, _, _ = call("geqrf", tall)
    out.append(function(f"{letter}geqrf", f"lapack_{letter}geqrf_ffi", [tall], [qr, tau], flags()))
    out.append(function(f"old_{letter}geqrf", f"lapack_{letter}geqrf", s(1, 4, 3, 8) + [tall], [qr, tau, zero, None],
                        scratch=[None, None, None, np.zeros(8, tall.dtype)]))
    pivoted, columns, ptau, _, _ = call("geqp3", tall)
    out.append(function(f"{letter}geqp3", f"lapack_{letter}geqp3_ffi", [tall, np.zeros(3, I)],
                        [pivoted, columns.astype(I), ptau], flags()))
    q = call(name("orgqr", "ungqr"), qr, tau)[0]
    product = name("orgqr", "ungqr")
    out.append(function(f"{letter}{product}", f"lapack_{letter}{product}_ffi", [qr, tau], [q], flags()))
    out.append(function(f"old_{letter}{product}", f"lapack_{letter}{product}", s(1, 4, 3, 3, 8) + [qr, tau],
                        [q, zero, None], scratch=[None, None, np.zeros(8, tall.dtype)]))
    multiply = name("ormqr", "unmqr")
    qc = call(multiply, "L", name("T", "C"), qr, tau, tall, 64)[0]
    out.append(function(f"{letter}{multiply}", f"lapack_{letter}{multiply}_ffi", [qr, tau, tall], [qc],
                        flags(left="true", transpose="true")))
    w = np.linalg.eigvalsh(hermitian)
    vectors = np.zeros((3, 3), tall.dtype)
    both(name("syevd", "heevd"), [np.tril(hermitian)], [None, w, zero], flags(mode=86, uplo=76), s(1, 1, 3),
         [0, 1, 2], 2 if real else 3, extra=unchecked(vectors, w, zero))
    sv = np.linalg.svd(tall, compute_uv=False)
    blank = unchecked(np.zeros((4, 3), tall.dtype), sv, np.zeros((4, 4), tall.dtype), vectors, zero)
    both("gesdd", [tall], [None, sv, None, None, zero], flags(mode=65), s(1, 1, 1, 4, 3, 8), [0, 1, 2, 3, 4],
         2 if real else 3, extra=blank)
    out.append(function(f"{letter}gesvd", f"lapack_{letter}gesvd_ffi", [tall], [None, sv, None, None, zero],
                        flags(mode=78), scratch=blank))
    triangle = np.triu(square)  # its eigenvalues stand in its diagonal, in order
    values = np.diag(triangle).copy()
    parts = [values.real.copy(), np.zeros(3)] if real else [values]
    complex_vectors = np.zeros((3, 3), Z)
    out.append(function(f"{letter}geev", f"lapack_{letter}geev_ffi", [triangle], [*parts, None, None, zero],
                        flags(compute_left=78, compute_right=86),
                        scratch=[*parts, complex_vectors, complex_vectors, zero]))
    jobs = s(1, 3) + [np.array(78, np.uint8), np.array(86, np.uint8)]
    spare = [vectors] * 3 if real else [vectors, np.zeros(6)]
    out.append(function(f"old_{letter}geev", f"lapack_{letter}geev", jobs + [triangle],
                        [None] * len(spare) + [*parts, None, None, zero],
                        scratch=spare + [*parts, complex_vectors, complex_vectors, zero]))
    unit = np.eye(3, dtype=tall.dtype)
    out.append(function(f"{letter}gees", f"lapack_{letter}gees_ffi", [triangle], [triangle, unit, *parts, zero, zero],
                        flags(mode=86, sort=78)))
    jobs = s(1, 3) + [np.array(86, np.uint8), np.array(78, np.uint8)]
    first = [triangle, *parts] if real else [triangle, None, *parts]
    out.append(function(f"old_{letter}gees", f"lapack_{letter}gees", jobs + [triangle], [*first, unit, zero, zero],
                        scratch=[None, np.zeros(3)]))
    reduced, htau, _ = call("gehrd", square, lo=0, hi=2)
    both("gehrd", [square], [reduced, htau, zero], flags(low=1, high=3), s(3, 1, 3, 3, 1, 8), [0, 1, 2], 1)
    routine = name("sytrd", "hetrd")
    packed, d, e, stau, _ = call(routine, np.tril(hermitian), lower=1)
    both(routine, [np.tril(hermitian)], [np.tril(packed), d, e, stau, zero], flags(uplo=76), s(3, 1, 3, 1, 8),
         [0, 1, 2, 3, 4], 1)
    dl, dd, du, b = (np.asarray(x).astype(tall.dtype) for x in ([0, 1, 2], [4, 5, 6], [1, 1, 0], tall[:3, :2]))
    matrix = np.diag(dd) + np.diag(dl[1:], -1) + np.diag(du[:-1], 1)
    x = np.linalg.solve(matrix, b)
    out.append(function(f"{letter}gtsv", f"lapack_{letter}gtsv_ffi", [dl, dd, du, b], [None, None, None, x, zero],
                        flags(), scratch=[dl, dd, du]))
    out.append(function(f"{letter}gtsv_perturbed", "tridiagonal_solve_perturbed_ffi", [dl, dd, du, b], [x], flags()))
    low = np.tril(square)
    solved = np.linalg.solve(low.conj().T, b)
    out.append(function(f"{letter}trsm", f"lapack_{letter}trsm_ffi", [low, b, np.array(2, tall.dtype)], [2 * solved],
                        flags(diag=78, side=76, trans_x=67, uplo=76)))
    out.append(function(f"old_{letter}trsm", f"blas_{letter}trsm",
                        s(1, 1, 2, 0, 3, 2, 1) + [np.array(2, tall.dtype), low, b], [2 * solved]))
    return out


def tpu():
    qr, tau, _, _ = lapack.dgeqrf(REAL)
    lu, pivots, _ = lapack.dgetrf(REAL)
    rows = list(range(4))
    for i, p in enumerate(pivots):
        rows[i], rows[p] = rows[p], rows[i]
    hermitian = (REAL[:3] + REAL[:3].T) / 2
    w = np.linalg.eigvalsh(hermitian)
    batch = np.stack([REAL, 2 * REAL])
    return [
        function("qr", "Qr", [REAL], [qr, tau], layouts=False),
        function("reflectors", "ProductOfElementaryHouseholderReflectors", [qr, tau], [lapack.dorgqr(qr, tau)[0]],
                 layouts=False),
        function("lu", "LuDecomposition", [REAL], [lu, pivots.astype(I), np.array(rows, I)], layouts=False),
        function("lu_of_a_batch", "LuDecomposition", [batch],
                 [np.stack([lu, np.concatenate([np.triu(2 * lu[:3]) + np.tril(lu[:3], -1), lu[3:]])]),
                  np.stack([pivots] * 2).astype(I), np.array([rows] * 2, I)], layouts=False),
        function("eigenvalues", "Eigh", [np.tril(hermitian)], [None, w], 'backend_config = "1,1,100,1e-6"',
                 layouts=False, scratch=[hermitian, w]),
    ]


if __name__ == "__main__":
    print("// SPDX-License-Identifier: Apache-2.0\n// Written by generate_lapack.py: the routines of LAPACK that JAX "
          "calls, typed and in the older\n// form, and the targets of TPUs.\n")
    print("\n".join(programs("d") + programs("z") + tpu()), end="")
