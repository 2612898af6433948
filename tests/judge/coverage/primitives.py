# SPDX-License-Identifier: Apache-2.0
"""Less common operations of jax.lax, jax.numpy and jax.scipy, in small programs."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import sparse

from registry import complexes, floats, ints, normals, program, symmetric

LAX, NUMPY, ALGEBRA, QUANT = "less common primitives", "numpy", "linear algebra", "narrow and quantised types"


@program(LAX, floats(6, 8), ints(0, 3, 12), ints(-5, 5, 12), floats(12))
def sorts_by_two_keys_and_reduces_pairs(x, a, b, c):
    def best(left, right):
        take = (left[0] > right[0]) | ((left[0] == right[0]) & (left[1] < right[1]))
        return jnp.where(take, left[0], right[0]), jnp.where(take, left[1], right[1])
    at = lax.broadcasted_iota(jnp.int32, (6, 8), 1)
    return (lax.sort((a, b, c), num_keys=2), lax.reduce((x, at), (jnp.float32(-9), jnp.int32(99)), best, (1,)),
            lax.cummax(x, 1, reverse=True), lax.cumprod(x, 0), lax.cumlogsumexp(x, 1))


@program(LAX, floats(2, 9, 9, 3), floats(2, 9, 9, 3), spacings=400)
def windows_and_their_derivatives(x, dx):
    def pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")

    def windows(x):
        return lax.reduce_window(x, 0.0, lax.add, (1, 2, 3, 1), (1, 1, 2, 1), ((0, 0), (1, 0), (2, 1), (0, 0)),
                                 base_dilation=(1, 2, 1, 1), window_dilation=(1, 1, 2, 1))
    product = lax.reduce_window(x, 1.0, lax.mul, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jax.jvp(pool, (x,), (dx,)), jax.vjp(windows, x)[1](windows(x)), product


@program(LAX, floats(2, 8, 8, 2), floats(6, 6, 18, 4), spacings=400)
def local_convolution(x, kernel):
    return lax.conv_general_dilated_local(x, kernel, (1, 1), "VALID", (3, 3), dimension_numbers=("NHWC", "HWIO", "NHWC"))


@program(LAX, floats(10, 4), ints(-3, 13, 6), floats(6, 4, low=0.5, high=2.0))
def scatters_of_all_kinds(x, at, updates):
    return (x.at[at].multiply(updates), x.at[at].min(updates), x.at[at].max(updates, mode="drop"), x.at[3].apply(jnp.sin),
            x.at[at].get(mode="fill", fill_value=7.0), x.at[at, 1].divide(2.0), x.at[::-2].power(2.0),
            x.at[at[:2]].set(updates[:2], mode="wrap" if hasattr(lax.GatherScatterMode, "WRAP") else "clip"))


@program(LAX, floats(24, low=-50, high=50), ints(-2 ** 31, 2 ** 31 - 1, 9))
def bits_and_rounding(x, n):
    return (lax.nextafter(x, jnp.float32(0)), lax.reduce_precision(x, 5, 10), lax.reduce_precision(x, 4, 3),
            lax.clz(n), lax.population_count(n), lax.shift_right_logical(n, 3), lax.shift_right_arithmetic(n, 40),
            jnp.frexp(x), jnp.ldexp(x, 3), jnp.modf(x), lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
            lax.bitcast_convert_type(n, jnp.int8), lax.bitcast_convert_type(x.reshape(12, 2).astype(jnp.float16), jnp.uint32))


@program(LAX, floats(5, 3, low=0.5, high=4.0), floats(5, 3, low=0.5, high=4.0), spacings=2000)
def rarer_special_functions(a, x):
    s = jax.scipy.special
    return (lax.igamma(a, x), lax.igammac(a, x), lax.igamma_grad_a(a, x), lax.random_gamma_grad(a, x), s.zeta(a + 1, x),
            s.polygamma(2, x), s.expi(x), s.expn(3, x), s.betainc(a, x, x / 5), s.i0e(x), s.i1(x), s.log_ndtr(-x),
            s.ndtri(x / 5), s.entr(x), s.kl_div(a, x), s.xlog1py(a, x), s.logit(x / 5), s.multigammaln(a + 2, 2),
            s.hyp1f1(a, a + 1, x / 4), s.factorial(x), s.spence(x), s.bernoulli(6), s.poch(a, x))


@program(LAX, floats(12, 3), floats(3, 3), spacings=400)
def batched_map_switches_and_barriers(x, w):
    branches = [lambda v: v @ w, jnp.sin, lambda v: v * lax.optimization_barrier(2.0)]
    mapped = lax.map(lambda i: lax.switch(i % 3, branches, x[i]), jnp.arange(12), batch_size=5)
    by_platform = lax.platform_dependent(x, default=lambda v: v + 1.0)

    @functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
    def clipped(v, limit):
        return jnp.clip(v, -limit, limit)
    clipped.defjvp(lambda limit, p, t: (clipped(p[0], limit), t[0] * (jnp.abs(p[0]) <= 2 * limit)))
    kept = jax.checkpoint(lambda v: jnp.sum(jnp.tanh(v @ w) ** 2), policy=jax.checkpoint_policies.dots_saveable)
    return mapped, by_platform, jax.grad(lambda v: clipped(v, 0.3).sum())(x), jax.grad(kept)(x)


@program(LAX, normals(6, 8), normals(8, 5), spacings=400)
def sparse_products(x, y):
    x = jnp.where(jnp.abs(x) > 0.7, x, 0)
    m = sparse.BCOO.fromdense(x, nse=48)
    loss = jax.grad(lambda data: jnp.sum((sparse.BCOO((data, m.indices), shape=m.shape) @ y) ** 2))
    return m @ y, (m.T @ x), m.sum_duplicates(nse=48).todense(), loss(m.data)


@program(LAX, lambda rng: np.array([3, 0, 5, 4], np.int32), normals(12, 6), normals(4, 6, 5), normals(12, 5), spacings=400)
def ragged_products_and_their_gradients(sizes, x, w, ct):
    y, back = jax.vjp(lambda x, w: lax.ragged_dot(x, w, sizes), x, w)
    return y, back(ct)


@program(NUMPY, floats(7), floats(20), floats(5, 6), ints(0, 4, 5, 6))
def interpolation_and_selection(xs, at, m, k):
    xs = jnp.sort(xs)
    nan = jnp.where(k == 0, jnp.nan, m)
    return (jnp.interp(at, xs, xs ** 2), jnp.digitize(at, xs), jnp.unwrap(at * 9), jnp.gradient(m, axis=1),
            jnp.piecewise(at, [at < -0.3, at > 0.3], [-1.0, lambda v: v * 2, 0.0]), jnp.choose(k, [m, m + 1, m + 2, m + 3], mode="clip"),
            jnp.nanmean(nan, 0), jnp.nanmedian(nan, 1), jnp.nanargmax(nan, 1), jnp.nanstd(nan),
            jnp.apply_along_axis(lambda v: jnp.sort(v)[::2], 1, m), jnp.vectorize(lambda a, b: a @ b, signature="(n),(n)->()")(m, m))


@program(NUMPY, floats(6, 5), floats(6, 5), ints(0, 9, 30), spacings=400)
def covariances_quantiles_and_counts(a, b, n):
    return (jnp.cov(a, rowvar=False), jnp.corrcoef(a, b), jnp.quantile(a, jnp.array([0.1, 0.5, 0.8]), axis=0),
            jnp.percentile(a, 30, method="midpoint"), jnp.bincount(n, length=10), jnp.histogram2d(a[0], b[0], bins=3)[0],
            jnp.unravel_index(n, (3, 5)), jnp.ravel_multi_index((n % 3, n % 5), (3, 5), mode="wrap"), jnp.tri(4, 6, 1), jnp.vander(a[0], 4),
            jnp.setdiff1d(n, jnp.arange(3), size=8, fill_value=-1), jnp.isin(n, jnp.array([1, 4])), jnp.lexsort((n % 3, n)),
            jnp.partition(a, 2, axis=1)[:, 2], jnp.packbits(n > 4), jnp.cross(a[:, :3], b[:, :3]), jnp.tensordot(a, b, ([0], [0])))


@program(ALGEBRA, normals(5, 5), normals(2, 6, 4), symmetric(5, shift=6.0), spacings=4000)
def polar_norms_and_updates(a, tall, spd):
    u, p = jax.scipy.linalg.polar(a + 4 * jnp.eye(5))
    return (u, p, jnp.linalg.norm(tall, "nuc", axis=(1, 2)), jnp.linalg.cond(spd), jnp.linalg.norm(a, 2),
            jnp.linalg.matrix_norm(tall, ord=-2), jax.scipy.linalg.expm(a * 0.1), jnp.linalg.vector_norm(tall, ord=3, axis=1),
            jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(spd), a), jnp.linalg.tensorinv(spd.reshape(5, 1, 5, 1) * 1.0, 2))


@program(ALGEBRA, normals(2, 5, 5), platforms=("cpu",), spacings=8000)
def general_eigenvalues_and_schur(a):
    t, z = jax.scipy.linalg.schur(a[0])
    values = jnp.linalg.eigvals(a)
    h = jax.scipy.linalg.hessenberg(a)
    return jnp.abs(z @ t @ z.T - a[0]) < 1e-4, jnp.sum(values, -1), jnp.prod(values, -1), jnp.trace(h, axis1=-2, axis2=-1)


@program(ALGEBRA, complexes(3, 4, 4), complexes(3, 4, 2), spacings=1000)
def complex_systems(a, b):
    a = a + 3 * jnp.eye(4)
    spd = a @ a.conj().swapaxes(-1, -2)
    q, r = jnp.linalg.qr(a)
    return (jnp.linalg.solve(a, b), jnp.linalg.inv(a), jnp.linalg.cholesky(spd), q @ r, jnp.linalg.det(a), jnp.linalg.eigvalsh(spd),
            lax.linalg.triangular_solve(jnp.linalg.cholesky(spd), b, left_side=True, lower=True, transpose_a=True, conjugate_a=True))


@program(QUANT, ints(-128, 128, 6, 16, dtype=np.int8), ints(-128, 128, 16, 5, dtype=np.int8), floats(6, 1), floats(5),
         ints(0, 256, 6, 16, dtype=np.uint8))
def integer_products_with_scales(a, b, row, column, u):
    wide = lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    mixed = lax.dot_general(u, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    image = lax.conv_general_dilated(a.reshape(1, 6, 16, 1), b[:9].reshape(3, 3, 1, 5), (1, 1), "SAME",
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"), preferred_element_type=jnp.int32)
    return wide * row * column, mixed, image, a + b[:, :1].T, u * jnp.uint8(3), jnp.clip(wide // 7, -128, 127).astype(jnp.int8)


# Older XLA on CPU drops the round trip through fp8 in a product.
@program(QUANT, normals(4, 32), normals(32, 6), spacings=400, since=(0, 7))
def block_scaled_fp8(x, w):
    def quantised(v, axis):
        blocks = jnp.moveaxis(v, axis, -1).reshape(-1, v.shape[axis] // 8, 8)
        scale = jnp.exp2(jnp.ceil(jnp.log2(jnp.max(jnp.abs(blocks), -1, keepdims=True) / 448)))
        return (blocks / scale).astype(jnp.float8_e4m3fn), scale
    (a, sa), (b, sb) = quantised(x, 1), quantised(w, 0)
    back = jnp.einsum("ikc,jkc->ij", a.astype(jnp.float32) * sa, b.astype(jnp.float32) * sb)
    return back, a.astype(jnp.float32), x.astype(jnp.float8_e5m2).astype(jnp.float32), x.astype(jnp.bfloat16) > 0.5


@program(QUANT, normals(6, 8), normals(8, 4), through=jnp.bfloat16)
def stochastic_rounding_and_mixed_sums(x, w):
    bits = lax.bitcast_convert_type(x, jnp.uint32)
    noise = (jnp.arange(48, dtype=jnp.uint32).reshape(6, 8) * jnp.uint32(2654435761)) >> 16
    rounded = lax.bitcast_convert_type((bits + noise) & jnp.uint32(0xFFFF0000), jnp.float32).astype(jnp.bfloat16)
    return rounded, jnp.dot(rounded, w.astype(jnp.bfloat16), preferred_element_type=jnp.float32), \
        jnp.sum(rounded, dtype=jnp.float32), jnp.sum(x.astype(jnp.float16), axis=0)
