# SPDX-License-Identifier: Apache-2.0
"""Element-wise rows of bench/operation_rows.py: functions, chains of them, and random numbers."""
import jax
import jax.numpy as jnp
import numpy as np

_random = np.random.default_rng(11)
MANY = (1024, 65536, 2 << 20)


def normal(*shape, dtype=np.float32):
    return jnp.asarray(_random.standard_normal(shape).astype(np.float32)).astype(dtype)


def within(low, high, *shape):
    return jnp.asarray(_random.uniform(low, high, shape).astype(np.float32))


def wave(*shape):
    return jnp.asarray((_random.standard_normal(shape) + 1j * _random.standard_normal(shape))
                       .astype(np.complex64))


def layer_norm(x, scale, bias):
    mean = x.mean(-1, keepdims=True)
    centred = x - mean
    return centred * jax.lax.rsqrt((centred ** 2).mean(-1, keepdims=True) + 1e-5) * scale + bias


def normalised(x, scale, bias):
    return jax.nn.softmax(layer_norm(x, scale, bias))


def cross_entropy(logits, labels):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1)
    return -picked.mean()


def one_hot_cross_entropy(logits, labels):
    return -(jax.nn.one_hot(labels, logits.shape[1]) * jax.nn.log_softmax(logits)).sum(-1).mean()


def adamw(p, g, m, v):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    step = (m / 0.1) / (jnp.sqrt(v / 0.001) + 1e-8) + 0.01 * p
    return p - 1e-3 * step, m, v


def functions():
    one = [(normal(n),) for n in MANY]
    far = [(normal(n) * 30,) for n in MANY]
    positive = [(within(0.01, 30, n),) for n in MANY]
    inside = [(within(-0.999, 0.999, n),) for n in MANY]
    above = [(within(1.0, 30, n),) for n in MANY]
    half = [(normal(n, dtype=jnp.bfloat16),) for n in MANY]
    pairs = [(within(0.01, 5, n), normal(n)) for n in MANY]
    for name, function, cases, tolerance in (
            ("exp", jnp.exp, one, 1e-6), ("expm1", jnp.expm1, one, 1e-6), ("log", jnp.log, positive, 1e-6),
            ("log1p", jnp.log1p, positive, 1e-6), ("tanh", jnp.tanh, one, 1e-6),
            ("sigmoid", jax.nn.sigmoid, one, 1e-6), ("sin", jnp.sin, far, 1e-6), ("cos", jnp.cos, far, 1e-6),
            ("tan", jnp.tan, inside, 1e-6), ("sqrt", jnp.sqrt, positive, 1e-6),
            ("rsqrt", jax.lax.rsqrt, positive, 1e-6), ("cbrt", jnp.cbrt, one, 1e-6),
            ("erf", jax.scipy.special.erf, one, 1e-6), ("erfc", jax.scipy.special.erfc, one, 1e-6),
            ("erf_inv", jax.scipy.special.erfinv, inside, 1e-5),
            ("lgamma", jax.scipy.special.gammaln, one, 1e-4),
            ("digamma", jax.scipy.special.digamma, positive, 1e-4),
            ("asin", jnp.arcsin, inside, 1e-6), ("acos", jnp.arccos, inside, 1e-6),
            ("atan", jnp.arctan, one, 1e-6), ("asinh", jnp.arcsinh, one, 1e-6),
            ("acosh", jnp.arccosh, above, 1e-6), ("erf bf16", jax.scipy.special.erf, half, 1e-2),
            ("atanh", jnp.arctanh, inside, 1e-5), ("pow", jnp.power, pairs, 1e-5),
            ("atan2", jnp.arctan2, pairs, 1e-6)):
        yield name, function, cases, tolerance
    complex_one = [(wave(n),) for n in MANY]
    complex_two = [(wave(n), wave(n)) for n in MANY]
    yield "complex multiply", jnp.multiply, complex_two, 1e-6
    yield "complex divide", jnp.divide, complex_two, 1e-5
    for name, function in (("exp", jnp.exp), ("log", jnp.log), ("sin", jnp.sin), ("sqrt", jnp.sqrt),
                           ("abs", jnp.abs)):
        yield f"complex {name}", function, complex_one, 1e-5


def chains():
    one = [(normal(n),) for n in MANY]
    half = [(normal(n, dtype=jnp.bfloat16),) for n in MANY]
    planes = [(16, 64), (256, 256), (2048, 1024)]
    plane = [(normal(*s),) for s in planes]
    scaled = [(normal(*s), normal(s[1]), normal(s[1])) for s in planes]
    labelled = [(normal(r, c), jnp.asarray(_random.integers(0, c, r).astype(np.int32)))
                for r, c in ((16, 64), (64, 1000), (512, 32000))]
    grad = lambda f: jax.grad(lambda *a: (f(*a).astype(np.float32) ** 2).sum())
    yield "exp tanh", lambda x: jnp.exp(jnp.tanh(x)), one, 1e-6
    yield "sin + erf", lambda x: jnp.sin(x) + jax.scipy.special.erf(x), one, 1e-6
    yield "complex multiply exp", lambda x, y: jnp.exp(x * y * 0.1), [
        (wave(n), wave(n)) for n in MANY], 1e-5
    yield "gelu bf16 alone", jax.nn.gelu, half, 2e-2
    yield "gelu", jax.nn.gelu, one, 1e-6
    yield "gelu gradient", grad(jax.nn.gelu), one, 1e-5
    yield "swish bf16", jax.nn.swish, half, 2e-2
    yield "softmax", jax.nn.softmax, plane, 1e-6
    yield "softmax bf16", jax.nn.softmax, [(normal(*s, dtype=jnp.bfloat16),) for s in planes], 2e-2
    yield "softmax gradient", grad(jax.nn.softmax), plane, 1e-5
    yield "log_softmax", jax.nn.log_softmax, plane, 1e-6
    yield "logsumexp", lambda x: jax.nn.logsumexp(x, -1), plane, 1e-6
    yield "layer norm", layer_norm, scaled, 1e-5
    yield "layer norm gradient", grad(layer_norm), scaled, 1e-3
    yield "layer norm softmax", normalised, scaled, 1e-5
    yield "cross entropy", cross_entropy, labelled, 1e-5
    yield "cross entropy one hot", one_hot_cross_entropy, labelled, 1e-5
    yield "cross entropy gradient", jax.grad(one_hot_cross_entropy), labelled, 1e-5
    yield "adamw", adamw, [tuple(normal(n) for _ in range(3)) + (jnp.abs(normal(n)),) for n in MANY], 1e-5
    yield "axpy", lambda x, y: 2.0 * x + y, [(normal(n), normal(n)) for n in MANY], 1e-6


def random_numbers():
    key = jax.random.key_data(jax.random.key(3))
    wrap = jax.random.wrap_key_data
    for name, draw in (("bits", lambda k, n: jax.random.bits(k, (n,))),
                       ("uniform", lambda k, n: jax.random.uniform(k, (n,))),
                       ("normal", lambda k, n: jax.random.normal(k, (n,))),
                       ("bernoulli", lambda k, n: jax.random.bernoulli(k, 0.3, (n,)))):
        for n in (1024, 65536, 1 << 20):
            yield f"random {name} {n}", lambda k, draw=draw, n=n: draw(wrap(k), n), [(key,)], 1e-5


GROUPS = (functions, chains, random_numbers)
