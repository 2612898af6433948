#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes programs of linear algebra and of other custom calls, lowered by JAX for CPUs and TPUs,
as folders for `judge`: program.mlir, argI.npy, outI.npy (of JAX on CPU), manifest.json.

    linear_algebra.py --out DIR [--only WORD]

Vectors and reflectors are unique up to signs or phases only, so programs return what does not
depend on them: products that make the matrix again, and how far vectors are from orthogonal.
"""
import argparse
import json
import os
import pathlib
import sys
from functools import partial

os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  (the platform must be set before)
import jax.numpy as jnp  # noqa: E402
import jax.scipy.linalg as jsl  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

jax.config.update("jax_enable_x64", True)

F32, F64, C64, C128 = (np.dtype(t) for t in (np.float32, np.float64, np.complex64, np.complex128))
ALL = (F32, F64, C64, C128)
REAL = (F32, F64)
BOTH = ("cpu", "tpu")
EPS = {F32: 2.0**-23, F64: 2.0**-52, C64: 2.0**-23, C128: 2.0**-52}
CASES = []


def case(name, dtypes=ALL, platforms=BOTH, shapes=((5, 5),), near=200):
    """Adds programs for each shape, type and platform; the decorated function returns the JAX
    function and a maker of its arguments. `near`: allowed difference in spacings of the type,
    relative to the largest number of each result (with a floor of 1)."""
    def add(make):
        for shape in shapes:
            for dtype in dtypes:
                for platform in platforms:
                    CASES.append((name, make, shape, np.dtype(dtype), platform, near))
        return make
    return add


def mm(*factors):
    product = factors[0]
    for factor in factors[1:]:
        product = jnp.matmul(product, factor, precision="highest")
    return product


def h(a):
    return jnp.conj(jnp.swapaxes(a, -1, -2))


def draw(rng, shape, dtype):
    a = rng.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * rng.standard_normal(shape)
    return a.astype(dtype)


def general(rng, shape, dtype):
    return [draw(rng, shape, dtype)]


def hermitian(rng, shape, dtype):
    a = draw(rng, shape, dtype)
    return [(a + np.conj(np.swapaxes(a, -1, -2))) / 2]


def definite(rng, shape, dtype):
    a = draw(rng, shape, dtype)
    return [(a @ np.conj(np.swapaxes(a, -1, -2)) + shape[-1] * np.eye(shape[-1])).astype(dtype)]


def with_sides(rng, shape, dtype):
    return definite(rng, shape, dtype) + [draw(rng, shape[:-1] + (3,), dtype)]


SQUARE = ((5, 5), (2, 3, 4, 4), (1, 1), (40, 40))
TALL = ((5, 5), (7, 4), (4, 7), (2, 3, 6, 4), (1, 3), (3, 1), (50, 30))
EMPTY = ((0, 0), (3, 0, 0), (0, 4, 4))


@case("cholesky", shapes=SQUARE + ((0, 0), (0, 4, 4)))
def make_cholesky(shape, dtype):
    return jnp.linalg.cholesky, definite


@case("cholesky upper", shapes=((6, 6),))
def make_cholesky_upper(shape, dtype):
    return partial(jnp.linalg.cholesky, upper=True), definite


@case("cholesky gradient", dtypes=(F32, F64, C128), shapes=((6, 6), (2, 4, 4)), near=2000)
def make_cholesky_gradient(shape, dtype):
    return jax.grad(lambda a: jnp.sum(jnp.abs(jnp.linalg.cholesky(a)))), definite


@case("not definite", shapes=((4, 4), (2, 3, 3)))
def make_not_definite(shape, dtype):
    return jnp.linalg.cholesky, lambda rng, s, d: [-definite(rng, s, d)[0]]


@case("lu", shapes=TALL + ((0, 4, 4),))
def make_lu(shape, dtype):
    def f(a):
        lu, pivots, permutation = lax.linalg.lu(a)
        return lu, pivots, permutation
    return f, general


@case("lu of scipy", shapes=((5, 5), (7, 4), (4, 7)))
def make_lu_of_scipy(shape, dtype):
    return lambda a: (*jsl.lu(a), *jsl.lu_factor(a)) if shape[-1] == shape[-2] else jsl.lu(a), general


@case("lu of a singular matrix", shapes=((4, 4),))
def make_lu_of_a_singular_matrix(shape, dtype):
    return lax.linalg.lu, lambda rng, s, d: [np.ones(s, d)]


@case("lu gradient", dtypes=(F32, C128), shapes=((5, 5), (6, 4)), near=5000)
def make_lu_gradient(shape, dtype):
    return jax.grad(lambda a: jnp.sum(jnp.abs(lax.linalg.lu(a)[0]))), general


@case("solve", shapes=SQUARE, near=2000)
def make_solve(shape, dtype):
    return jnp.linalg.solve, with_sides


@case("solve gradient", dtypes=(F32, F64), shapes=((6, 6), (2, 4, 4)), near=5000)
def make_solve_gradient(shape, dtype):
    return jax.grad(lambda a, b: jnp.sum(jnp.sin(jnp.linalg.solve(a, b))), argnums=(0, 1)), with_sides


@case("inverse, determinant", shapes=SQUARE, near=5000)
def make_inverse_determinant(shape, dtype):
    return lambda a: (jnp.linalg.inv(a), jnp.linalg.det(a), *jnp.linalg.slogdet(a)), definite


@case("determinant gradient", dtypes=(F32, F64), shapes=((4, 4),), near=5000)
def make_determinant_gradient(shape, dtype):
    return jax.grad(lambda a: jnp.linalg.slogdet(a)[1] + jnp.linalg.det(a)), definite


@case("qr", shapes=TALL)
def make_qr(shape, dtype):
    def f(a):
        q, r = jnp.linalg.qr(a)
        full, r_full = jnp.linalg.qr(a, mode="complete")
        return mm(q, r), mm(h(q), q), jnp.abs(r), mm(full, r_full), mm(h(full), full), \
            jnp.linalg.qr(a, mode="raw")
    return f, general


@case("qr gradient", dtypes=(F32, F64, C128), shapes=((5, 5), (6, 4)), near=5000)
def make_qr_gradient(shape, dtype):
    return jax.grad(lambda a: jnp.sum(jnp.abs(jnp.linalg.qr(a)[1]))), general


@case("qr with pivots", platforms=("cpu",), shapes=((5, 5), (7, 4), (4, 7), (2, 5, 3)))
def make_qr_with_pivots(shape, dtype):
    def f(a):
        q, r, p = lax.linalg.qr(a, pivoting=True, full_matrices=False)
        return mm(q, r), jnp.abs(r), p
    return f, general


@case("qr multiply", shapes=((6, 4), (2, 5, 3)))
def make_qr_multiply(shape, dtype):
    def f(a, c):
        reflectors, taus = jnp.linalg.qr(a, mode="raw")
        reflectors = jnp.swapaxes(reflectors, -1, -2)
        return [lax.linalg.ormqr(reflectors, taus, c if left else jnp.swapaxes(c, -1, -2), left=left,
                                 transpose=transpose)
                for left in (True, False) for transpose in (True, False)]
    def make(rng, s, d):
        return general(rng, s, d) + [draw(rng, s[:-1] + (3,), d)]
    return f, make


@case("householder product", shapes=((6, 4), (2, 5, 3), (4, 4)))
def make_householder_product(shape, dtype):
    def make(rng, s, d):
        return [draw(rng, s, d), draw(rng, s[:-2] + (s[-1] - 1,), d)]
    return lax.linalg.householder_product, make


@case("eigh", shapes=SQUARE + ((3, 0, 0),), near=500)
def make_eigh(shape, dtype):
    def f(a):
        w, v = jnp.linalg.eigh(a)
        return w, mm(v * w[..., None, :].astype(v.dtype), h(v)), mm(h(v), v), jnp.linalg.eigvalsh(a, UPLO="U")
    return f, hermitian


@case("eigh of one triangle", platforms=("cpu",), shapes=((5, 5),))
def make_eigh_of_one_triangle(shape, dtype):
    return lambda a: [lax.linalg.eigh(a, lower=lower, symmetrize_input=False)[1] for lower in (True, False)], general


@case("eigh gradient", dtypes=(F32, F64), shapes=((5, 5),), near=5000)
def make_eigh_gradient(shape, dtype):
    def f(a):
        w, v = jnp.linalg.eigh(a)
        return jnp.sum(jnp.sin(w)) + jnp.sum(jnp.abs(v) ** 3)
    return jax.grad(f), hermitian


@case("svd", shapes=TALL + ((3, 0), (0, 3)), near=1000)
def make_svd(shape, dtype):
    def f(a):
        u, s, vt = jnp.linalg.svd(a, full_matrices=False)
        full, _, v_full = jnp.linalg.svd(a, full_matrices=True)
        return s, mm(u * s[..., None, :].astype(u.dtype), vt), mm(h(u), u), mm(vt, h(vt)), \
            mm(h(full), full), mm(v_full, h(v_full)), jnp.linalg.svd(a, compute_uv=False)
    return f, general


@case("svd by qr", platforms=("cpu",), shapes=((5, 5), (7, 4), (4, 7), (2, 5, 3)), near=1000)
def make_svd_by_qr(shape, dtype):
    def f(a):
        u, s, vt = lax.linalg.svd(a, full_matrices=False, algorithm=lax.linalg.SvdAlgorithm.QR)
        return s, mm(u * s[..., None, :].astype(u.dtype), vt), mm(h(u), u)
    return f, general


@case("svd gradient", dtypes=(F32, F64), shapes=((5, 3), (3, 5)), near=5000)
def make_svd_gradient(shape, dtype):
    return jax.grad(lambda a: jnp.sum(jnp.sin(jnp.linalg.svd(a, full_matrices=False)[1]))), general


@case("least squares", shapes=((7, 4), (4, 7), (5, 5)), near=20000)
def make_least_squares(shape, dtype):
    def make(rng, s, d):
        return [draw(rng, s, d), draw(rng, s[:1] + (2,), d)]
    return lambda a, b: jnp.linalg.lstsq(a, b)[0], make


@case("pseudo-inverse, rank, norms", shapes=((7, 4), (4, 7), (2, 5, 5)), near=5000)
def make_pseudo_inverse_rank_norms(shape, dtype):
    return lambda a: (jnp.linalg.pinv(a), jnp.linalg.matrix_rank(a), jnp.linalg.norm(a, 2, axis=(-2, -1)),
                      jnp.linalg.norm(a, "nuc", axis=(-2, -1)), jnp.linalg.cond(a)), general


def flat(tree):
    return [np.asarray(x) for x in jax.tree_util.tree_leaves(tree)]


def stored(array):
    """Types that numpy lacks are saved as their bits."""
    if array.dtype.kind == "V" or array.dtype.name in ("bfloat16",):
        return array.view(np.uint16)
    return array


def tolerance(array, near):
    if array.dtype.name not in ("float32", "float64", "complex64", "complex128", "bfloat16", "float16"):
        return 0.0
    eps = {"bfloat16": 2.0**-7, "float16": 2.0**-10}.get(array.dtype.name) or EPS[array.dtype]
    finite = np.abs(array.astype(np.complex128))
    finite = finite[np.isfinite(finite)]
    return near * eps * max(1.0, float(finite.max()) if finite.size else 0.0)


def write(folder, name, make, shape, dtype, platform, near):
    function, arguments = make(shape, dtype)
    rng = np.random.default_rng([len(name), *shape])
    args = arguments(rng, shape, dtype)
    jitted = jax.jit(function)
    text = jitted.trace(*args).lower(lowering_platforms=(platform,)).as_text()
    want = flat(jitted(*args))
    folder.mkdir(parents=True)
    (folder / "program.mlir").write_text(text)
    manifest = {"name": folder.name, "about": name, "devices": 1, "args": [], "results": []}
    for kind, arrays in (("arg", flat(args)), ("out", want)):
        for i, array in enumerate(arrays):
            np.save(folder / f"{kind}{i}.npy", stored(array))
            row = {"file": f"{kind}{i}.npy", "dtype": array.dtype.name, "shape": list(array.shape)}
            if kind == "out":
                row.update(rtol=0.0, atol=tolerance(array, near))
            manifest["args" if kind == "arg" else "results"].append(row)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", required=True, type=pathlib.Path)
    options.add_argument("--only", default="", help="only programs whose name contains WORD")
    given = options.parse_args()
    sys.modules["linear_algebra"] = sys.modules["__main__"]
    import more_linear_algebra  # noqa: F401  (adds its cases)
    written = refused = 0
    for name, make, shape, dtype, platform, near in CASES:
        if given.only not in name:
            continue
        label = "_".join([*name.replace(",", "").split(), "x".join(map(str, shape)), dtype.name, platform])
        try:
            write(given.out / label, name, make, shape, dtype, platform, near)
            written += 1
        except (NotImplementedError, TypeError, ValueError) as error:
            refused += 1
            print(f"{label}: {type(error).__name__}: {str(error)[:160]}", file=sys.stderr)
    print(f"{written} written, {refused} that JAX refused")


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
