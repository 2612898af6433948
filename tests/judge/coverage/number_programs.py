# SPDX-License-Identifier: Apache-2.0
"""Random numbers, narrow and quantised types, special functions, numpy."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import complexes, floats, ints, normals, program

RANDOM = "random numbers"
NARROW = "narrow and quantised types"
SPECIAL = "special functions"
NUMPY = "numpy"
SEED = np.array([1, 2], np.uint32)


def key_of(seed, impl="threefry2x32"):
    return jax.random.wrap_key_data(seed, impl=impl)


@program(RANDOM, SEED)
def uniform_and_normal(seed):
    a, b = jax.random.split(key_of(seed))
    return jax.random.uniform(a, (33,)), jax.random.normal(b, (4, 9)), jax.random.bits(a, (7,))


@program(RANDOM, SEED)
def integers_and_permutations(seed):
    a, b = jax.random.split(key_of(seed))
    return jax.random.randint(a, (20,), -5, 50), jax.random.permutation(b, 17), jax.random.choice(a, 9, (4,), replace=False)


@program(RANDOM, SEED)
def categorical_and_gumbel(seed):
    return jax.random.categorical(key_of(seed), jnp.arange(6.0), shape=(30,)), jax.random.gumbel(key_of(seed), (5,))


@program(RANDOM, SEED, spacings=4000)
def gamma_beta_dirichlet(seed):
    k = key_of(seed)
    return jax.random.gamma(k, 2.5, (7,)), jax.random.beta(k, 2.0, 3.0, (5,)), jax.random.dirichlet(k, jnp.ones(4), (2,))


@program(RANDOM, SEED)
def poisson_binomial_bernoulli(seed):
    k = key_of(seed)
    return jax.random.poisson(k, 4.0, (9,)), jax.random.binomial(k, 10, 0.3, (6,)), jax.random.bernoulli(k, 0.3, (20,))


@program(RANDOM, SEED, spacings=1000)
def truncated_exponential_laplace(seed):
    k = key_of(seed)
    return jax.random.truncated_normal(k, -2, 2, (9,)), jax.random.exponential(k, (5,)), jax.random.laplace(k, (5,))


@program(RANDOM, SEED, spacings=4000)
def multivariate_normal(seed):
    return jax.random.multivariate_normal(key_of(seed), jnp.zeros(3), jnp.eye(3) + 0.5, (4,))


@program(RANDOM, SEED, (8, 16))
def dropout_in_a_scan(seed, x):
    def step(k, row):
        k, sub = jax.random.split(k)
        return k, jnp.where(jax.random.bernoulli(sub, 0.7, row.shape), row / 0.7, 0)
    return lax.scan(step, key_of(seed), x)[1]


@program(RANDOM, SEED)
def fold_in_and_vmapped_keys(seed):
    keys = jax.vmap(lambda i: jax.random.fold_in(key_of(seed), i))(jnp.arange(4))
    return jax.vmap(lambda k: jax.random.normal(k, (3,)))(keys)


@program(RANDOM, SEED)
def initialisers(seed):
    k, f = key_of(seed), jax.nn.initializers
    return f.lecun_normal()(k, (6, 5)), f.glorot_uniform()(k, (6, 5)), f.he_normal()(k, (3, 3, 2, 4)), f.zeros(k, (2,))


@program(RANDOM, SEED, spacings=5000)
def orthogonal_initialiser(seed):
    q = jax.nn.initializers.orthogonal()(key_of(seed), (5, 5))
    return q @ q.T


@program(NARROW, floats(8, 16, dtype=jnp.bfloat16), floats(16, 4, dtype=jnp.bfloat16))
def bf16_products(a, b):
    return jnp.dot(a, b, preferred_element_type=jnp.float32), (a * 2).sum(), jax.nn.gelu(a)


@program(NARROW, ints(-128, 128, 8, 16, dtype=np.int8), ints(-128, 128, 16, 4, dtype=np.int8))
def int8_product(a, b):
    return lax.dot(a, b, preferred_element_type=jnp.int32)


@program(NARROW, (8, 16), normals(16, 4))
def dynamic_int8_quantisation(x, w):
    scale = lambda a, axis: jnp.max(jnp.abs(a), axis, keepdims=True) / 127  # noqa: E731
    sx, sw = scale(x, 1), scale(w, 0)
    q = lambda a, s: jnp.clip(jnp.round(a / s), -127, 127).astype(jnp.int8)  # noqa: E731
    return lax.dot(q(x, sx), q(w, sw), preferred_element_type=jnp.int32) * sx * sw


# XLA on CPU rounded products of f8 wrongly before: by up to 0.2 of 6 (JAX 0.4.30), 0.09 (0.5.3, 0.6.2).
@program(NARROW, (8, 16), normals(16, 4), since=(0, 7))
def fp8_product(x, w):
    low = lambda a: a.astype(jnp.float8_e4m3fn)  # noqa: E731
    return lax.dot(low(x), low(w), preferred_element_type=jnp.float32), x.astype(jnp.float8_e5m2).astype(jnp.float32)


@program(NARROW, ints(-8, 8, 6, 8, dtype=np.int8), normals(8, 3), through=jnp.bfloat16)
def int4_weights(w, x):
    return (w.astype(jnp.int4).astype(jnp.bfloat16) @ x.astype(jnp.bfloat16)).astype(jnp.float32)


@program(NARROW, ints(0, 256, 4, 8, dtype=np.uint8))
def unpacked_nibbles(packed):
    low, high = packed & 15, packed >> 4
    return (jnp.stack([low, high], -1).reshape(4, 16).astype(jnp.float32) - 8) * 0.1


@program(NARROW, (6, 8))
def straight_through_estimator(x):
    q = lambda x: x + lax.stop_gradient(jnp.round(x * 8) / 8 - x)  # noqa: E731
    return jax.value_and_grad(lambda x: jnp.sum(q(x) ** 2))(x)


@program(NARROW, floats(9, dtype=np.float16), ints(0, 9, 5, dtype=np.uint16))
def half_and_small_integers(x, i):
    return jnp.exp(x), jnp.cumsum(x), i // 2, i << 3, lax.population_count(i), lax.clz(i)


@program(NARROW, (9,))
def bits_of_floats(x):
    i = lax.bitcast_convert_type(x, jnp.int32)
    return i ^ (i >> 3), lax.bitcast_convert_type(x, jnp.uint8), lax.reduce_precision(x, 5, 10), jnp.frexp(x)


@program(SPECIAL, floats(40, low=0.1, high=6))
def gamma_functions(x):
    s = jax.scipy.special
    return s.gammaln(x), s.digamma(x), s.polygamma(1, x), s.gammainc(x, x + 0.5), s.gammaincc(x, 0.5), s.zeta(x + 1.5, 2.0)


@program(SPECIAL, floats(40))
def error_functions(x):
    s = jax.scipy.special
    return s.erf(x), s.erfc(x), s.erfinv(x * 0.95), s.ndtr(x), s.ndtri(0.5 + 0.4 * x), s.log_ndtr(4 * x)


@program(SPECIAL, floats(30, low=0.1, high=5))
def bessel_and_beta(x):
    s = jax.scipy.special
    return s.i0(x), s.i0e(x), s.i1(x), s.i1e(x), s.betainc(x, 2.0, 0.3), s.betaln(x, 2.0), s.expi(x), s.exp1(x)


@program(SPECIAL, floats(30))
def trigonometric_and_hyperbolic(x):
    return [f(x) for f in (jnp.sin, jnp.cos, jnp.tan, jnp.arcsin, jnp.arccos, jnp.arctan, jnp.sinh, jnp.cosh,
                           jnp.tanh, jnp.arcsinh, jnp.arctanh, jnp.expm1, jnp.sinc, jnp.cbrt)]


@program(SPECIAL, floats(30))
def activations(x):
    n = jax.nn
    return [f(x) for f in (n.relu, n.gelu, n.silu, n.mish, n.elu, n.selu, n.celu, n.softplus, n.hard_swish, n.relu6,
                           n.log_sigmoid, n.soft_sign, n.squareplus, n.leaky_relu, n.hard_tanh)]


@program(SPECIAL, complexes(12), complexes(12))
def complex_functions(x, y):
    return x * y, x / y, jnp.exp(x), jnp.log(y), jnp.sqrt(x), jnp.abs(y), jnp.angle(x), jnp.sin(x), x ** 2.5, jnp.tanh(y)


@program(SPECIAL, floats(5, 5), floats(5, 3))
def spherical_and_statistics(a, x):
    n = jax.scipy.stats
    return n.norm.logpdf(x), n.multivariate_normal.logpdf(x.T, jnp.zeros(5), jnp.eye(5)), n.t.logpdf(x, 4.0), \
        jax.scipy.special.logsumexp(a, axis=1, b=2.0), jax.scipy.special.xlog1py(a, x[:, :1] ** 2)


@program(NUMPY, floats(4, 5), floats(5, 3), floats(3))
def einsums(a, b, c):
    return jnp.einsum("ij,jk->ik", a, b), jnp.einsum("ij,jk,k->i", a, b, c), jnp.einsum("ij->ji", a), jnp.einsum("ij,ij->", a, a)


@program(NUMPY, (4, 6))
def statistics(x):
    return jnp.mean(x, 0), jnp.var(x, 1, ddof=1), jnp.std(x), jnp.cov(x), jnp.corrcoef(x), jnp.ptp(x, 0), jnp.nanmean(jnp.where(x > 0.5, jnp.nan, x))


@program(NUMPY, (4, 6))
def shapes(x):
    return jnp.stack([x, x], 1), jnp.split(x, 3, 1), jnp.tile(x, (2, 1)), jnp.repeat(x, 2, 0), jnp.rot90(x), jnp.tril(x), \
        jnp.diag(x[0]), jnp.meshgrid(x[0], x[1, :3]), jnp.moveaxis(x[None], 0, 2), jnp.vander(x[0], 3)


@program(NUMPY, (20,))
def polynomials_and_integration(x):
    return jnp.polyval(x[:4], x), jnp.trapezoid(x), jnp.diff(x, 2), jnp.cumprod(x), jnp.polyfit(jnp.arange(20.0) / 20, x, 2)


@program(NUMPY, ints(0, 2, 24), ints(-1000, 1000, 9), ints(1, 30, 9))
def integers_and_bits(b, i, j):
    return jnp.packbits(b), jnp.unpackbits(i.astype(jnp.uint8)), i // j, i % j, jnp.gcd(i, j), jnp.bitwise_xor(i, j), i >> 2, jnp.divmod(i, j)
