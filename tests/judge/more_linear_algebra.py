# SPDX-License-Identifier: Apache-2.0
"""The second half of linear_algebra.py: what only CPUs have, batches by vmap, matrices with NaN or
infinities, and custom calls other than linear algebra."""
import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
from jax import lax

from linear_algebra import ALL, C64, C128, F32, F64, REAL, case, definite, draw, general, h, hermitian, mm

CPU = ("cpu",)
TPU = ("tpu",)
BF16 = np.dtype(jnp.bfloat16)
F16 = np.dtype(np.float16)


@case("eig", platforms=CPU, shapes=((5, 5), (2, 4, 4), (1, 1), (0, 0), (12, 12)), near=5000)
def make_eig(shape, dtype):
    def f(a):
        w, v = jnp.linalg.eig(a)
        _, left, _ = lax.linalg.eig(a, compute_left_eigenvectors=True)
        c = a.astype(w.dtype)
        return mm(c, v) - v * w[..., None, :], mm(h(left), c) - w[..., :, None] * h(left), \
            jnp.sum(jnp.abs(v) ** 2, -2), jnp.sum(w, -1), jnp.sum(jnp.linalg.eigvals(a) ** 2, -1)
    return f, general


@case("schur", platforms=CPU, shapes=((5, 5), (1, 1), (9, 9)), near=2000)
def make_schur(shape, dtype):
    def f(a):
        t, z = jsl.schur(a)
        return mm(z, t, h(z)), mm(h(z), z), jnp.sum(jnp.abs(jnp.diag(t, -2)))
    return f, general


@case("functions of matrices", dtypes=REAL, platforms=CPU, shapes=((4, 4),), near=20000)
def make_functions_of_matrices(shape, dtype):
    return lambda a: (jsl.sqrtm(a), jsl.expm(a / 8)), definite


@case("expm", shapes=((4, 4), (2, 3, 3)), near=5000)
def make_expm(shape, dtype):
    return jsl.expm, general


@case("hessenberg", platforms=CPU, shapes=((5, 5), (2, 4, 4), (1, 1)), near=500)
def make_hessenberg(shape, dtype):
    def f(a):
        packed, taus = lax.linalg.hessenberg(a)
        return packed, taus
    return f, general


@case("hessenberg of scipy", platforms=CPU, shapes=((5, 5),), near=500)
def make_hessenberg_of_scipy(shape, dtype):
    def f(a):
        reduced, q = jsl.hessenberg(a, calc_q=True)
        return reduced, mm(q, reduced, h(q))
    return f, general


@case("tridiagonal", platforms=CPU, shapes=((5, 5), (2, 4, 4), (1, 1)), near=500)
def make_tridiagonal(shape, dtype):
    return lambda a: [x for lower in (True, False) for x in lax.linalg.tridiagonal(a, lower=lower)][:8], hermitian


@case("tridiagonal solve", shapes=((6, 3), (2, 5, 2), (4, 1)), near=2000)
def make_tridiagonal_solve(shape, dtype):
    def make(rng, s, d):
        lower, upper = (draw(rng, s[:-1], d) for _ in range(2))
        lower[..., 0] = 0
        upper[..., -1] = 0
        return [lower, (draw(rng, s[:-1], d) + 6).astype(d), upper, draw(rng, s, d)]
    return lax.linalg.tridiagonal_solve, make


@case("perturbed tridiagonal solve", platforms=CPU, shapes=((6, 3), (2, 5, 2), (1, 2)), near=20000)
def make_perturbed_tridiagonal_solve(shape, dtype):
    def make(rng, s, d):
        lower, upper = (draw(rng, s[:-1], d) for _ in range(2))
        return [lower, draw(rng, s[:-1], d), upper, draw(rng, s, d)]
    return lambda *a: lax.linalg.tridiagonal_solve(*a, perturb_singular=True), make


@case("triangular solve", shapes=((4, 3), (2, 4, 3), (4, 0), (70, 20)), near=5000)
def make_triangular_solve(shape, dtype):
    def f(a, b):
        return [lax.linalg.triangular_solve(a, b if left else jnp.swapaxes(b, -1, -2), left_side=left, lower=lower,
                                            transpose_a=transpose, conjugate_a=conjugate, unit_diagonal=unit)
                for left in (True, False) for lower in (True, False) for transpose in (True, False)
                for conjugate in (True, False) for unit in (True, False)]
    def make(rng, s, d):
        square = s[:-1] + s[-2:-1]
        a = draw(rng, square, d) / s[-2] + np.eye(s[-2]) * 2
        return [a.astype(d), draw(rng, s, d)]
    return f, make


@case("more of scipy", dtypes=(F32, C128), shapes=((4, 4),), near=5000)
def make_more_of_scipy(shape, dtype):
    def f(a, b):
        c = jsl.cho_factor(a)
        return jsl.cho_solve(c, b), jsl.solve(a, b, assume_a="pos"), jsl.block_diag(a, b), jsl.det(a), \
            jsl.polar(a, method="svd")[1], jsl.solve_triangular(a, b, lower=True), jnp.linalg.matrix_power(a, 3)
    return f, lambda rng, s, d: definite(rng, s, d) + [draw(rng, s, d)]


@case("vmap", dtypes=(F32, C64), shapes=((3, 4, 4),), near=5000)
def make_vmap(shape, dtype):
    def f(a):
        w = jax.vmap(jnp.linalg.eigvalsh)(a)
        return w, jax.vmap(jnp.linalg.cholesky)(a), jax.vmap(jnp.linalg.inv, 0, 2)(a), \
            jax.vmap(lambda x: jnp.linalg.svd(x, compute_uv=False))(a)
    return f, definite


@case("not finite", shapes=((4, 4), (2, 3, 3)))
def make_not_finite(shape, dtype):
    def make(rng, s, d):
        bad = definite(rng, s, d)[0]
        bad[..., 1, 1] = np.nan
        worse = definite(rng, s, d)[0]
        worse[..., 2, 2] = np.inf
        return [bad, worse]
    def f(bad, worse):
        count = [jnp.isnan(x) for a in (bad, worse) for x in (
            jnp.linalg.eigvalsh(a), jnp.linalg.svd(a, compute_uv=False))]
        return count, jnp.any(jnp.isnan(jnp.linalg.qr(bad)[1])), jnp.any(jnp.isnan(lax.linalg.lu(bad)[0])), \
            jnp.any(jnp.isnan(jnp.linalg.cholesky(bad)))
    return f, make


@case("eig of what is not finite", platforms=CPU, shapes=((4, 4),))
def make_eig_of_what_is_not_finite(shape, dtype):
    def make(rng, s, d):
        bad = general(rng, s, d)[0]
        bad[2, 1] = np.nan
        return [bad]
    return lambda a: (jnp.isnan(jnp.linalg.eigvals(a)), jnp.isnan(jsl.schur(a)[0])), make


@case("narrow floats", dtypes=(BF16, F16), platforms=TPU, shapes=((4, 4),), near=32)
def make_narrow_floats(shape, dtype):
    def f(a):
        wide = [jnp.linalg.cholesky(a.astype(jnp.float32)), jnp.linalg.eigvalsh(a.astype(jnp.float32))]
        return [x.astype(dtype) for x in wide]
    return f, definite


def distinct(rng, shape, dtype):
    """No two equal numbers in a row: the order of equal ones is not defined."""
    row = rng.permutation(np.arange(-(shape[-1] // 2), shape[-1] - shape[-1] // 2))
    return [np.broadcast_to(row, shape).astype(dtype)]


@case("approximate top k", dtypes=(F32, BF16), shapes=((250,), (4, 130)), near=0)
def make_approximate_top_k(shape, dtype):
    def f(x):
        return lax.approx_max_k(x, 5), lax.approx_min_k(x, 3, reduction_dimension=-1), lax.top_k(x, 4), \
            lax.approx_max_k(x, 2, reduction_input_size_override=4096), \
            jax.vmap(lambda y: lax.approx_max_k(y, 1))(jnp.stack([x, -x]))
    return f, distinct


@case("approximate top k along rows", dtypes=(F32,), shapes=((130, 4),), near=0)
def make_approximate_top_k_along_rows(shape, dtype):
    return lambda x: lax.approx_max_k(x, 6, reduction_dimension=0), general


@case("memory kinds", dtypes=(F32,), shapes=((4, 4),), near=0)
def make_memory_kinds(shape, dtype):
    def f(x):
        there = jax.device_put(x * 2, jax.memory.Space.Host)
        return jax.device_put(there, jax.memory.Space.Device) + 1
    return f, general


@case("empty buffer", dtypes=(F32,), shapes=((4, 4),), near=0)
def make_empty_buffer(shape, dtype):
    return lambda x: lax.empty((4, 4), x.dtype).at[:, :].set(x), general
