# SPDX-License-Identifier: Apache-2.0
"""What users write with jax.numpy, jax.nn, jax.scipy and jax.random: each is many operations."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import values as v
from case import BF16, COMPLEX, F16, F32, F64, F8S, I32, Case

PLATFORMS = ["cpu", "tpu"]


def between(rng, dims, dtype=F32):
    return v.array(rng, dtype, dims, low=-1, high=1)


def attention(rng):
    batch, length, heads, size = (int(rng.integers(1, 5)) for _ in range(4))
    dtype = v.pick(rng, [F32, F32, BF16])
    q, k, w = (between(rng, (batch, length, heads, size), dtype) for _ in range(3))
    causal = v.chance(rng, 0.5)

    def function(q, k, w):
        with jax.default_matmul_precision("highest"):
            return jax.nn.dot_product_attention(q, k, w, is_causal=causal)
    if v.chance(rng, 0.5) and dtype == F32:
        return Case("attention gradient", jax.grad(lambda *a: jnp.sum(function(*a) ** 2), (0, 1, 2)), [q, k, w],
                    60, "noise", platform=v.pick(rng, PLATFORMS))
    return Case("attention", function, [q, k, w], 60, "noise", platform=v.pick(rng, PLATFORMS))


def einsum(rng):
    text = v.pick(rng, ["ij,jk->ik", "bij,bjk->bik", "ij,kj->ik", "bhid,bhjd->bhij", "ii->i", "ij->ji", "i,j->ij",
                        "ijk,kl,lm->ijm", "...i,i->...", "ii", "ij,ij->", "abc,cba->b"])
    sizes = {c: int(rng.integers(1, 6)) for c in "abcdefhijklm"}
    sizes["k"] = sizes["i"] if "ii" in text else sizes["k"]
    terms = text.split("->")[0].split(",")
    arrays = [v.whole(rng, v.pick(rng, [F32, F64]), tuple(sizes[c] for c in t.replace("...", "ab"))) for t in terms]
    arrays = [a.astype(arrays[0].dtype) for a in arrays]
    return Case(f"einsum {text}", lambda *xs: jnp.einsum(text, *xs, precision="highest"), arrays, 0, "value")


def small_dots(rng):
    """Operands narrower than bf16, and bf16 with results of f32."""
    dtype = v.pick(rng, F8S[:2] + [BF16, F16, np.dtype(np.int8), np.dtype(np.uint8), np.dtype(np.int16)])
    n, m, k = (int(rng.integers(1, 40)) for _ in range(3))
    wide = np.float32 if dtype.kind not in "iu" else np.int32
    a, b = v.whole(rng, dtype, (n, k)), v.whole(rng, dtype, (k, m))
    return Case(f"dot of {dtype}", lambda a, b: lax.dot(a, b, preferred_element_type=wide), [a, b], 0, "value")


def layers(rng):
    x = between(rng, (int(rng.integers(1, 4)), 8, 8, int(rng.integers(1, 4))))
    k = between(rng, (3, 3, x.shape[-1], int(rng.integers(1, 4))))
    numbers = ("NHWC", "HWIO", "NHWC")

    def network(x, k):
        y = lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=numbers, precision="highest")
        y = jax.nn.relu(y - y.mean((0, 1, 2)))
        y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        y = lax.conv_transpose(y, jnp.ones((2, 2, y.shape[-1], 2), y.dtype), (2, 2), "SAME")
        return jnp.mean(y ** 2)
    function = v.pick(rng, [network, jax.grad(network, (0, 1)), jax.value_and_grad(network)])
    return Case("convolutional network", function, [x, k], 100, "noise", largest=1.0)


def numpy_functions(rng):
    x = between(rng, v.shape(rng, least=1, most=2, smallest=2, elements=300), v.pick(rng, [F32, F64]))
    flat = lambda x: x.reshape(-1)  # noqa: E731
    table = {
        "convolve": lambda x: jnp.convolve(flat(x), flat(x)[:5], precision="highest"),
        "interp": lambda x: jnp.interp(flat(x), jnp.linspace(-1, 1, 9), jnp.linspace(0, 4, 9) ** 2),
        "polyval": lambda x: jnp.polyval(jnp.array([1.0, -2, 3, 0.5], x.dtype), x),
        "gradient": lambda x: jnp.gradient(flat(x)), "trapezoid": lambda x: jnp.trapezoid(flat(x)),
        "std": lambda x: (jnp.std(x), jnp.ptp(x, 0)), "cov": lambda x: jnp.cov(jnp.atleast_2d(x)),
        "nan": lambda x: jnp.nansum(jnp.where(x > 0.5, jnp.nan, x)), "cross": lambda x: jnp.cross(x[:3, None] * jnp.ones(3), 1.0 + jnp.arange(3.0)) if x.ndim == 1 else x.T,
        "vander": lambda x: jnp.vander(flat(x)[:6], 4), "outer": lambda x: jnp.tensordot(x, x, 0, precision="highest") if x.size < 40 else x,
        "logaddexp": lambda x: jnp.logaddexp(x, -x), "sinc": jnp.sinc, "deg2rad": jnp.deg2rad, "hypot": lambda x: jnp.hypot(x, 1.0),
        "meshgrid": lambda x: jnp.meshgrid(flat(x), flat(x)[:3]), "digitize": lambda x: jnp.digitize(x, jnp.linspace(-1, 1, 7)),
        "histogram": lambda x: jnp.histogram(x, 8, (-1, 1))[0], "softmax": lambda x: jax.nn.log_softmax(x, 0),
        "segment": lambda x: jax.ops.segment_sum(flat(x), jnp.arange(x.size) % 4, 4),
        "segment max": lambda x: jax.ops.segment_max(flat(x), jnp.arange(x.size) * 7 % 5, 5),
        "one hot": lambda x: jax.nn.one_hot(jnp.arange(5) - 1, 4), "standardize": lambda x: jax.nn.standardize(x),
        "lexsort": lambda x: jnp.lexsort((flat(x), jnp.arange(x.size) % 3)), "fftshift": lambda x: jnp.fft.fftshift(x),
        "resize": lambda x: jax.image.resize(jnp.atleast_2d(x), (5, 7), "linear", precision="highest"),
        "entr": lambda x: jax.scipy.special.entr(jnp.abs(x)), "ndtr": jax.scipy.special.ndtr,
        "xlogy": lambda x: jax.scipy.special.xlogy(x, jnp.abs(x) + 0.1), "logit": lambda x: jax.scipy.special.logit(0.5 + x * 0.4),
        "expi": lambda x: jax.scipy.special.i0(x), "betainc": lambda x: lax.betainc(jnp.abs(x) + 1, jnp.abs(x) + 2, 0.5 + x * 0.4),
        "split": lambda x: jnp.array_split(flat(x), 3), "choose": lambda x: jnp.select([x > 0.5, x < -0.5], [x, -x], 0.0),
        "frexp": lambda x: jnp.frexp(x), "ldexp": lambda x: jnp.ldexp(x, 3), "divmod": lambda x: jnp.divmod(jnp.round(x * 64), 8.0),
        "i0": lambda x: jnp.i0(x), "nextafter": lambda x: jnp.nextafter(x, 2.0), "signbit": jnp.signbit,
        "packbits": lambda x: jnp.packbits(flat(x) > 0), "unpackbits": lambda x: jnp.unpackbits(flat(x * 100).astype(jnp.uint8)),
    }
    name = v.pick(rng, list(table))
    return Case(f"numpy {name}", table[name], [x], 60, "noise", largest=2.0, platform=v.pick(rng, PLATFORMS))


def distributions(rng):
    seed = np.uint32(rng.integers(2**32))
    name = v.pick(rng, ["gamma", "beta", "poisson", "categorical", "dirichlet", "laplace", "cauchy", "rademacher",
                        "multivariate_normal", "t", "binomial", "orthogonal"])
    exact = name in ("poisson", "categorical", "rademacher", "binomial")
    table = {
        "gamma": lambda k: jax.random.gamma(k, 2.5, (7,)), "beta": lambda k: jax.random.beta(k, 2.0, 3.0, (5,)),
        "poisson": lambda k: jax.random.poisson(k, 4.0, (9,)), "categorical": lambda k: jax.random.categorical(k, jnp.arange(5.0), shape=(8,)),
        "dirichlet": lambda k: jax.random.dirichlet(k, jnp.ones(4), (2,)), "laplace": lambda k: jax.random.laplace(k, (6,), jnp.float32),
        "cauchy": lambda k: jnp.arctan(jax.random.cauchy(k, (6,), jnp.float32)), "rademacher": lambda k: jax.random.rademacher(k, (20,)),
        "multivariate_normal": lambda k: jax.random.multivariate_normal(k, jnp.zeros(3), jnp.eye(3) + 0.5, (4,)),
        "t": lambda k: jax.random.t(k, 5.0, (6,)), "binomial": lambda k: jax.random.binomial(k, 10, 0.3, (6,)),
        "orthogonal": lambda k: jnp.abs(jnp.linalg.det(jax.random.orthogonal(k, 3))),
    }
    return Case(f"random {name}", lambda seed: table[name](jax.random.key(seed)), [seed], 0 if exact else 4000,
                "noise", largest=4.0, platform="tpu")


def transforms(rng):
    kind = v.pick(rng, ["fft2", "rfft", "irfft", "fftn", "stft", "hfft"])
    x = between(rng, (int(rng.integers(2, 9)), int(rng.integers(2, 9))), v.pick(rng, [F32, F64]))
    table = {"fft2": jnp.fft.fft2, "rfft": lambda x: jnp.fft.rfft(x, axis=0), "fftn": lambda x: jnp.fft.fftn(x, norm="ortho"),
             "irfft": lambda x: jnp.fft.irfft(jnp.fft.rfft(x), x.shape[-1]), "hfft": lambda x: jnp.fft.hfft(x + 0j),
             "stft": lambda x: jnp.abs(jnp.fft.rfft(x * jnp.hanning(x.shape[-1])))}
    return Case(f"transform {kind}", table[kind], [x], 60, "noise", largest=4.0)


def complex_numbers(rng):
    """Graphs over complex numbers, also their gradients."""
    dtype, dims = v.pick(rng, COMPLEX), (int(rng.integers(1, 20)),)
    x, y = (v.array(rng, dtype, dims, low=0.2, high=1.5) for _ in range(2))
    steps = [v.pick(rng, [jnp.exp, jnp.sin, jnp.tanh, jnp.conj, lambda z: z * z, jnp.sqrt, jnp.log, lambda z: 1 / z,
                          lambda z: z * jnp.abs(z), lambda z: jnp.cumsum(z) / z.size, lambda z: z ** 2.5,
                          lambda z: lax.complex(z.imag, z.real)]) for _ in range(int(rng.integers(1, 5)))]

    def function(x, y):
        z = x * 0.5 + y
        for step in steps:
            z = step(z) * 0.5
        return z, jnp.sum(z * y)
    if v.chance(rng, 0.4):
        return Case("complex gradient", jax.grad(lambda x, y: jnp.abs(function(x, y)[1])), [x, y], 200, "noise", largest=2.0)
    return Case("complex graph", function, [x, y], 200, "noise", largest=2.0)


def general_reducers(rng):
    """Reducers and window reducers that no kernel is made for, scans over several values."""
    x = v.whole(rng, v.pick(rng, [F32, I32, F64]), v.shape(rng, least=1, most=3, smallest=1, elements=300))
    axis = int(rng.integers(x.ndim))
    zero, most = np.zeros((), x.dtype), np.asarray(99, x.dtype)
    larger = lambda a, b: jnp.where(jnp.abs(a) > jnp.abs(b), a, b)  # noqa: E731
    window = [1] * x.ndim
    window[axis] = min(3, x.shape[axis])
    table = {
        "reduce": lambda x: lax.reduce(jnp.abs(x), zero, lambda a, b: jnp.maximum(a, b) + 0 * b, (axis,)),
        "both": lambda x: lax.reduce((x, jnp.abs(x)), (zero, zero), lambda a, b: (a[0] + b[0], lax.max(a[1], b[1])), (axis,)),
        "window": lambda x: lax.reduce_window(jnp.abs(x), zero, larger, window, [1] * x.ndim, "SAME"),
        "two windows": lambda x: lax.reduce_window((x, x), (zero, most), lambda a, b: (a[0] + b[0], lax.min(a[1], b[1])),
                                                   window, [1] * x.ndim, "VALID"),
        "associative": lambda x: lax.associative_scan(jnp.maximum, x, axis=axis, reverse=True),
        "sort by": lambda x: lax.sort((jnp.abs(x), x), dimension=axis, num_keys=2),
    }
    name = v.pick(rng, list(table))
    return Case(f"reducer {name}", table[name], [x], 0, "value", platform=v.pick(rng, PLATFORMS))


def derivatives(rng):
    """Second derivatives, custom rules, batches of control flow."""
    x = between(rng, (int(rng.integers(1, 6)),), v.pick(rng, [F32, F64]))
    f = lambda x: jnp.sum(jnp.sin(x) * jnp.cumsum(x * x))  # noqa: E731

    @jax.custom_vjp
    def clipped(x):
        return x * 2
    clipped.defvjp(lambda x: (x * 2, None), lambda _, g: (jnp.clip(g, -0.5, 0.5),))
    step = functools.partial(lax.fori_loop, 0, 3, lambda i, c: jnp.tanh(c) * (i + 1))
    table = {
        "hessian": jax.hessian(f), "jacobian": jax.jacfwd(lambda x: jnp.outer(x, jnp.exp(x))),
        "custom": jax.grad(lambda x: jnp.sum(clipped(x) ** 2)), "loop": jax.jacfwd(step), "vjp": lambda x: jax.vjp(f, x)[1](1.0 * x[0]),
        "linearize": lambda x: jax.linearize(jnp.sin, x)[1](x), "vmap of cond": jax.vmap(lambda a: lax.cond(a > 0, jnp.sin, jnp.cos, a)),
        "vmap of scan": lambda x: jax.vmap(lambda a: lax.scan(lambda c, b: (c * 0.5 + b * a, c), a, x))(x),
        "remat": jax.grad(jax.remat(lambda x: jnp.sum(jnp.tanh(jnp.outer(x, x) @ x)))), "barrier": lambda x: lax.optimization_barrier((x, x * 2)),
    }
    name = v.pick(rng, list(table))
    return Case(f"derivative {name}", table[name], [x], 200, "noise", largest=2.0)


FAMILIES = [(attention, 3), (einsum, 2), (small_dots, 3), (layers, 3), (numpy_functions, 7), (distributions, 2),
            (transforms, 2), (complex_numbers, 3), (general_reducers, 3), (derivatives, 3)]
