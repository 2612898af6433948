# SPDX-License-Identifier: Apache-2.0
"""Linear algebra. Where a factorisation is not unique, the program returns what is."""
import jax
import jax.numpy as jnp
import jax.scipy.linalg as sl
from jax import lax

from registry import complexes, floats, program, symmetric

GROUP = "linear algebra"
SPD = symmetric(6, shift=6.0)
SQUARE = floats(6, 6)


@program(GROUP, SPD)
def cholesky(a):
    return jnp.linalg.cholesky(a)


@program(GROUP, symmetric(5, 3, shift=5.0))
def batched_cholesky_gradient(a):
    return jax.grad(lambda a: jnp.sum(jnp.linalg.cholesky(a) ** 2 * jnp.arange(5.0)))(a)


@program(GROUP, SPD, (6, 2))
def cholesky_solve(a, b):
    return sl.cho_solve(sl.cho_factor(a), b)


@program(GROUP, SQUARE, spacings=2000)
def lu_factor(a):
    lu, pivots = sl.lu_factor(a)
    return lu, pivots


@program(GROUP, floats(3, 5, 5), (3, 5, 2), spacings=5000)
def batched_solve(a, b):
    return jnp.linalg.solve(a + 3 * jnp.eye(5), b)


@program(GROUP, SPD)
def solve_gradient(a):
    return jax.grad(lambda a: jnp.sum(jnp.linalg.solve(a, jnp.arange(6.0)) ** 2))(a)


@program(GROUP, SPD)
def inverse_and_determinant(a):
    return jnp.linalg.inv(a), jnp.linalg.det(a), jnp.linalg.slogdet(a)


@program(GROUP, SPD)
def slogdet_gradient(a):
    return jax.grad(lambda a: jnp.linalg.slogdet(a)[1])(a)


@program(GROUP, floats(8, 5), spacings=1000)
def qr_reconstruction(a):
    q, r = jnp.linalg.qr(a)
    return q @ r, q.T @ q, jnp.abs(r)


@program(GROUP, floats(2, 4, 6), spacings=1000)
def batched_complete_qr(a):
    q, r = jnp.linalg.qr(a, mode="complete")
    return q @ r, q.mT @ q


@program(GROUP, floats(7, 4), spacings=5000)
def qr_gradient(a):
    return jax.grad(lambda a: jnp.sum(jnp.abs(jnp.linalg.qr(a)[1])))(a)


@program(GROUP, symmetric(6), spacings=1000)
def symmetric_eigenvalues(a):
    w, v = jnp.linalg.eigh(a)
    return w, (v * w) @ v.T


@program(GROUP, symmetric(4, 3), spacings=5000)
def eigenvalue_gradient(a):
    return jax.grad(lambda a: jnp.sum(jnp.linalg.eigvalsh(a) ** 3))(a)


@program(GROUP, complexes(5, 5), spacings=1000)
def hermitian_eigenvalues(a):
    h = a + a.conj().T
    w, v = jnp.linalg.eigh(h)
    return w, (v * w) @ v.conj().T


@program(GROUP, floats(6, 4), spacings=1000)
def singular_values(a):
    u, s, vt = jnp.linalg.svd(a, full_matrices=False)
    return s, (u * s) @ vt


@program(GROUP, floats(2, 3, 5), spacings=5000)
def batched_singular_values_gradient(a):
    return jax.grad(lambda a: jnp.sum(jnp.linalg.svd(a, compute_uv=False) ** 3))(a)


@program(GROUP, floats(7, 4), spacings=5000)
def pseudo_inverse_and_rank(a):
    return jnp.linalg.pinv(a), jnp.linalg.matrix_rank(a)


@program(GROUP, floats(9, 3), (9,), spacings=5000)
def least_squares(a, b):
    return jnp.linalg.lstsq(a, b)[0]


@program(GROUP, SQUARE)
def triangular_solve(a):
    low = jnp.tril(a) + 3 * jnp.eye(6)
    return sl.solve_triangular(low, a, lower=True), sl.solve_triangular(low.T, a, trans=1)


@program(GROUP, floats(5, 5), spacings=2000)
def matrix_exponential(a):
    return sl.expm(a * 0.5)


@program(GROUP, floats(5, 5), spacings=1000)
def matrix_powers_and_norms(a):
    return jnp.linalg.matrix_power(a, 5), jnp.linalg.norm(a, 2), jnp.linalg.norm(a), jnp.linalg.cond(a + 3 * jnp.eye(5))


@program(GROUP, floats(8), floats(8), floats(8), floats(8, 2), spacings=2000)
def tridiagonal_solve(low, diagonal, high, b):
    low, high = low.at[0].set(0), high.at[-1].set(0)
    return lax.linalg.tridiagonal_solve(low, diagonal + 4, high, b)


@program(GROUP, floats(5, 3), floats(3), spacings=1000)
def householder_product(a, taus):
    return lax.linalg.householder_product(a, taus)


@program(GROUP, floats(4, 4), spacings=20000)
def newton_schulz_orthogonalisation(g):
    """The inner step of the Muon optimiser."""
    x = g / (jnp.linalg.norm(g) + 1e-7)
    for _ in range(5):
        a = x @ x.T
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return x


@program(GROUP, symmetric(5, shift=5.0), spacings=5000)
def inverse_fourth_root(a):
    """The preconditioner of Shampoo."""
    w, v = jnp.linalg.eigh(a)
    return (v * jnp.maximum(w, 1e-6) ** -0.25) @ v.T


@program(GROUP, SPD, (6,))
def conjugate_gradient(a, b):
    return jax.scipy.sparse.linalg.cg(lambda x: a @ x, b, maxiter=12)[0]


@program(GROUP, floats(6), floats(4))
def toeplitz_and_block_diagonal(a, b):
    return sl.toeplitz(a), sl.block_diag(jnp.outer(a, a), jnp.outer(b, b))


@program(GROUP, floats(4, 4), floats(4, 4), spacings=1000)
def kronecker_and_multi_dot(a, b):
    return jnp.kron(a, b), jnp.linalg.multi_dot([a, b, a]), jnp.trace(a @ b)
