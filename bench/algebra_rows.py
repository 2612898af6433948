# SPDX-License-Identifier: Apache-2.0
"""Rows of bench/operation_rows.py: einsum forms, complex products, and decompositions with what
solves by them. Vectors of a decomposition may differ in sign, so values or magnitudes are compared.
"""
import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl


def lower(x):
    """A well-conditioned lower triangle."""
    return jnp.tril(x) / x.shape[-1] + 2 * jnp.eye(x.shape[-1])


def positive(x):
    return x @ jnp.swapaxes(x, -1, -2) / x.shape[-1] + jnp.eye(x.shape[-1])


def products(near, normal, wave):
    """Rows (name, function, cases, tolerance)."""
    square = (64, 256, 1024)
    yield "dot c64", jnp.dot, [(wave(n, n), wave(n, n)) for n in (32, 128, 512)], 1e-4
    yield "einsum ij,kj->ki", lambda a, b: jnp.einsum("ij,kj->ki", a, b), [
        (normal(n, n), normal(n, n)) for n in square], near
    yield "einsum bij,bkj->bik", lambda a, b: jnp.einsum("bij,bkj->bik", a, b), [
        (normal(8, n, 64), normal(8, n, 64)) for n in (16, 64, 256)], near
    yield "einsum abc,cd->abd", lambda a, b: jnp.einsum("abc,cd->abd", a, b), [
        (normal(8, n, 64), normal(64, 64)) for n in (16, 256, 4096)], near
    yield "vector matrix", lambda x, a: x @ a, [(normal(n), normal(n, n)) for n in (128, 512, 2048)], near
    yield "outer", jnp.outer, [(normal(n), normal(n)) for n in (32, 256, 2048)], near


def decompositions(near, normal):
    """Rows (name, function, cases, tolerance)."""
    plain = [(normal(n, n),) for n in (32, 128, 512)]
    yield "cholesky", jnp.linalg.cholesky, [(positive(x),) for (x,) in plain], 1e-4
    yield "cholesky batched", jnp.linalg.cholesky, [
        (positive(normal(n, 16, 16)),) for n in (4, 64, 1024)], 1e-4
    small = [(positive(normal(n, 8, 8)), normal(n, 8, 1)) for n in (16, 1024, 16384)]
    matrices = [(x,) for x, _ in small]
    yield "cholesky 8x8 gradient", jax.grad(lambda x: (jnp.linalg.cholesky(x) ** 2).sum()), matrices, near
    yield "triangular solve batched", lambda a, b: jsl.solve_triangular(a, b, lower=True), small, 1e-4
    yield "solve batched", jnp.linalg.solve, small, 1e-3
    yield "inverse batched", jnp.linalg.inv, matrices, 1e-3
    yield "log determinant batched", lambda x: jnp.linalg.slogdet(x)[1], matrices, 1e-3
    yield "triangular solve", lambda a, b: jsl.solve_triangular(a, b, lower=True), [
        (lower(x), normal(x.shape[0], 64)) for (x,) in plain], 1e-4
    yield "qr", lambda x: jnp.abs(jnp.linalg.qr(x, mode="r")), plain, 1e-4
    yield "lu", lambda x: jsl.lu_factor(x)[0], plain, 1e-3
    yield "solve", jnp.linalg.solve, [(positive(x), normal(x.shape[0], 8)) for (x,) in plain], 1e-3
    # Above 256 JAX exports an iteration of products for a TPU, not a decomposition.
    yield "eigvalsh", jnp.linalg.eigvalsh, [(positive(normal(n, n)),) for n in (32, 128, 256)], 1e-4
    yield "cholesky gradient", jax.grad(lambda x: jnp.linalg.cholesky(positive(x)).sum()), plain, near
