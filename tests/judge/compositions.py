# SPDX-License-Identifier: Apache-2.0
"""Small expression graphs, also under grad, vmap, jvp, scan, cond, while, switch; linear algebra,
Fourier transforms and random bits."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import values as v
from case import BF16, COMPLEX, F32, F64, Case

PLATFORMS = ["cpu", "tpu"]
SMOOTH = [jnp.tanh, jnp.sin, jnp.cos, lambda x: x * 0.5, lambda x: x * x * 0.25, lambda x: 1 - x, jnp.arctan,
          lambda x: jnp.exp(-x * x), lambda x: jnp.log1p(x * x), lambda x: jnp.sqrt(x * x + 1), jax.nn.gelu,
          jax.nn.sigmoid, jax.nn.softplus, lambda x: x / (1 + x * x), jax.nn.silu, lambda x: lax.erf(x),
          lambda x: jax.nn.softmax(x, -1) if x.ndim else x, lambda x: x - jnp.mean(x)]
PIECEWISE = [jax.nn.relu, jnp.abs, lambda x: jnp.clip(x, -1, 1), lambda x: jnp.where(x > 0.3, x, 0.1 * x)]
SHAPES = [lambda x: x.T, lambda x: x.reshape(-1), lambda x: jnp.flip(x, 0) if x.ndim else x,
          lambda x: jnp.concatenate([x, x], 0) if x.ndim and x.size < 500 else x,
          lambda x: x[::2] if x.ndim else x, lambda x: jnp.pad(x, 1) if x.ndim and x.size < 500 else x,
          lambda x: jnp.sum(x, -1) if x.ndim else x, lambda x: jnp.max(x, 0) if x.ndim and x.shape[0] else x,
          lambda x: jnp.cumsum(x, 0) if x.ndim else x, lambda x: x[None], lambda x: jnp.squeeze(x),
          lambda x: jnp.roll(x, 1, 0) if x.ndim else x, lambda x: x[1:] if x.ndim and x.shape[0] > 1 else x,
          lambda x: jnp.stack([x, -x], -1) if x.size < 500 else x, lambda x: jnp.broadcast_to(x, (2,) + x.shape)
          if x.size < 500 and x.ndim < 4 else x]
PAIRS = [jnp.add, jnp.subtract, jnp.multiply, jnp.maximum, lambda a, b: jnp.where(a > b, a, b * 0.5),
         lambda a, b: a / (2 + b * b)]


def meet(a, b):
    """Two values cut and repeated to one shape: what users do with slices and broadcasting."""
    n = min(a.size, b.size, 24)
    return a.reshape(-1)[:n], b.reshape(-1)[:n]


def graph(rng, smooth=True):
    """A function of two arrays from 3 to 10 random operations."""
    steps = []
    for _ in range(int(rng.integers(3, 11))):
        kind = v.pick(rng, ["one", "one", "shape", "shape", "pair", "dot"])
        table = {"one": SMOOTH if smooth or v.chance(rng, 0.7) else PIECEWISE, "shape": SHAPES, "pair": PAIRS,
                 "dot": [None]}[kind]
        steps.append((kind, v.pick(rng, table), int(rng.integers(100)), int(rng.integers(100))))

    def function(x, y):
        values = [x, y]
        for kind, op, i, j in steps:
            a, b = values[i % len(values)], values[j % len(values)]
            if kind == "pair":
                values.append(op(*(meet(a, b) if a.shape != b.shape else (a, b))))
            elif kind == "dot":
                a, b = meet(a, b)
                values.append(jnp.outer(a, b)[:6] if j % 2 else jnp.dot(a, b, precision="highest"))
            else:
                values.append(op(a))
        return values[-1], values[-2]
    return function


def composition(rng):
    dtype = v.pick(rng, [F32, F32, F32, F64])
    x, y = (v.array(rng, dtype, v.shape(rng, least=1, most=3, smallest=1, elements=200), low=-2, high=2)
            for _ in range(2))
    kind = v.pick(rng, ["plain", "plain", "grad", "grad", "vmap", "jvp", "jacobian", "checkpoint"])
    f = graph(rng, smooth=kind not in ("plain", "vmap"))
    total = lambda *xs: sum(jnp.sum(out) for out in f(*xs))  # noqa: E731
    table = {
        "plain": f, "grad": jax.grad(total, (0, 1)), "vmap": jax.vmap(f, (0, None)),
        "jvp": lambda x, y: jax.jvp(f, (x, y), (jnp.ones_like(x), y)),
        "jacobian": lambda x, y: jax.jacrev(total, 1)(x, y), "checkpoint": jax.grad(jax.checkpoint(total)),
    }
    return Case(f"composition {kind}", table[kind], [x, y], 200, "noise", largest=4.0,
                platform=v.pick(rng, PLATFORMS))


def control(rng):
    """Loops and branches that capture values; trip counts from arguments."""
    x = v.array(rng, F32, v.shape(rng, least=1, most=2, smallest=1, elements=60), low=-1, high=1)
    n = np.int32(rng.integers(0, 6))
    steps = int(rng.integers(0, 5))
    f = v.pick(rng, SMOOTH[:6])

    def while_loop(x, n):
        return lax.while_loop(lambda c: (c[0] < n) & (jnp.sum(c[1]) < 50), lambda c: (c[0] + 1, f(c[1]) + x),
                              (0, x))

    def fori(x, n):
        return lax.fori_loop(0, n, lambda i, c: c.at[i % c.shape[0]].set(f(c[0]) + i), x)

    def scan(x, n):
        def body(carry, row):
            carry = f(carry + row) + x[0]
            return carry, (carry * n, row)
        return lax.scan(body, jnp.zeros_like(x[0]), x, reverse=bool(steps % 2), unroll=1 + steps % 3)

    def cond(x, n):
        return lax.cond(n > 2, lambda y: (f(y), x[0]), lambda y: (y - n, x[-1]), x)

    def switch(x, n):
        return lax.switch(n - 1, [lambda y: f(y), lambda y: y + n, lambda y: y * x[0]], x)

    def associative(x, n):
        return lax.associative_scan(lambda a, b: a * 0.5 + b, x)

    def nested(x, n):
        def outer(i, c):
            return lax.cond(i % 2 == 0, lambda c: lax.fori_loop(0, i, lambda j, d: d * 0.5 + j, c),
                            lambda c: f(c), c)
        return lax.fori_loop(0, n, outer, x)

    def scan_grad(x, n):
        return jax.grad(lambda x: jnp.sum(scan(x, 1)[0]) + jnp.sum(cond(x, n)[0]))(x)

    def vmapped(x, n):
        return jax.vmap(lambda row: lax.while_loop(lambda c: jnp.sum(c[1]) < 4, lambda c: (c[0] + 1, c[1] + 0.75),
                                                   (0, row)))(x)

    def mapped(x, n):
        return lax.map(lambda row: f(row) * n, x)
    function = v.pick(rng, [while_loop, fori, scan, cond, switch, associative, nested, scan_grad, vmapped, mapped])
    return Case(f"control {function.__name__}", function, [x, n], 60, "noise", largest=4.0,
                platform=v.pick(rng, PLATFORMS))


def fourier(rng):
    kind = v.pick(rng, ["fft", "ifft", "rfft", "irfft"])
    dims = v.shape(rng, least=1, most=3, smallest=1, elements=1500)
    count = int(rng.integers(1, len(dims) + 1))
    dtype = v.pick(rng, COMPLEX if kind != "rfft" else [F32, F64])
    x = v.array(rng, dtype, dims, low=-1, high=1)
    lengths = tuple(dims[-count:])
    if kind == "irfft":
        lengths = lengths[:-1] + (max(1, 2 * (dims[-1] - 1) + int(rng.integers(2))),)
        if lengths[-1] // 2 + 1 != dims[-1]:
            lengths = lengths[:-1] + (2 * dims[-1] - 1,)
        # Spectra of real signals: the imaginary parts that have no meaning are zero.
        signal = v.array(rng, F32 if dtype == COMPLEX[0] else F64, dims[:-count] + lengths, low=-1, high=1)
        axes = tuple(range(-count, 0))
        x = np.fft.rfftn(signal, axes=axes).astype(dtype)
    return Case(f"fft {kind}", lambda x: lax.fft(x, kind, lengths), [x], 40, "noise",
                platform=v.pick(rng, PLATFORMS))


def linear_algebra(rng):
    n, batch = int(rng.integers(1, 7)), v.pick(rng, [(), (), (2,), (3, 1)])
    dtype = v.pick(rng, [F32, F64])
    a = v.array(rng, dtype, batch + (n, n), low=-1, high=1) + 3 * np.eye(n, dtype=dtype)
    b = v.array(rng, dtype, batch + (n, int(rng.integers(1, 4))), low=-1, high=1)
    left, lower, unit, turned = (v.chance(rng, 0.5) for _ in range(4))
    symmetric = lambda a: a @ jnp.swapaxes(a, -1, -2)  # noqa: E731
    table = {
        "cholesky": lambda a, b: jnp.linalg.cholesky(symmetric(a)),
        "triangular_solve": lambda a, b: lax.linalg.triangular_solve(
            a, b if left else jnp.swapaxes(b, -1, -2), left_side=left, lower=lower, unit_diagonal=unit,
            transpose_a=turned),
        "solve": lambda a, b: jnp.linalg.solve(a, b), "inverse": lambda a, b: jnp.linalg.inv(a),
        "determinant": lambda a, b: jnp.linalg.det(a),
        # Eigenvectors and factors are free up to signs: what is made of them is not.
        "qr": lambda a, b: (lambda q, r: (q @ r, jnp.abs(r)))(*jnp.linalg.qr(a)),
        "eigenvalues": lambda a, b: jnp.linalg.eigvalsh(symmetric(a)),
        "singular values": lambda a, b: jnp.linalg.svd(a, compute_uv=False),
        "cholesky gradient": lambda a, b: jax.grad(lambda a: jnp.sum(jnp.linalg.cholesky(symmetric(a))))(a),
    }
    name = v.pick(rng, list(table))
    return Case(f"linalg {name}", table[name], [a, b], 60, "noise", platform="tpu", largest=16.0)


def random_bits(rng):
    seed = np.uint32(rng.integers(2**32))
    dims = v.shape(rng, most=3, elements=400)
    kind = v.pick(rng, ["threefry2x32", "rbg", "unsafe_rbg"])
    bits = v.pick(rng, [np.uint8, np.uint16, np.uint32, np.uint64])
    key = lambda seed: jax.random.key(seed, impl=kind)  # noqa: E731
    exact = {
        "bits": lambda seed: jax.random.bits(key(seed), dims, bits),
        "uniform": lambda seed: jax.random.uniform(key(seed), dims, jnp.float32),
        "half": lambda seed: jax.random.uniform(key(seed), dims, jnp.bfloat16, -1, 3),
        "randint": lambda seed: jax.random.randint(key(seed), dims, -5, 77),
        "bernoulli": lambda seed: jax.random.bernoulli(key(seed), 0.3, dims),
        "permutation": lambda seed: jax.random.permutation(key(seed), 20),
        "split": lambda seed: jax.random.key_data(jax.random.split(jax.random.fold_in(key(seed), 3), 4)),
        "choice": lambda seed: jax.random.choice(key(seed), 10, (6,), replace=False),
    }
    near = {
        "normal": lambda seed: jax.random.normal(key(seed), dims, jnp.float32),
        "exponential": lambda seed: jax.random.exponential(key(seed), dims, jnp.float64),
        "gumbel": lambda seed: jax.random.gumbel(key(seed), dims, jnp.float32),
        "truncated": lambda seed: jax.random.truncated_normal(key(seed), -1, 2, dims, jnp.float32),
    }
    name = v.pick(rng, list(exact) + list(near))
    table = exact | near
    return Case(f"random {name} {kind}", table[name], [seed], 0 if name in exact else 40, "noise", largest=4.0)


def quantised(rng):
    """Integers and bf16 in one program: a matrix product as inference engines write it."""
    x = v.array(rng, F32, (int(rng.integers(1, 6)), 8), low=-1, high=1)
    w = v.array(rng, np.dtype(np.int8), (8, int(rng.integers(1, 6))), small=True)

    def function(x, w):
        scale = jnp.max(jnp.abs(x), 1, keepdims=True) / 64
        whole = jnp.round(x / scale).astype(jnp.int8)
        sums = lax.dot(whole, w, preferred_element_type=jnp.int32)
        return whole, (sums.astype(jnp.float32) * scale).astype(jnp.bfloat16), sums
    # Powers of two keep quotients exact, so that no rounding falls the other way.
    x = np.sign(x) * np.exp2(np.floor(np.log2(np.abs(x) + 0.01))).astype(np.float32)
    return Case("quantised", function, [x.astype(F32), w])


def training(rng):
    """A step of a small network: forward, backward, an optimiser."""
    sizes = [int(rng.integers(1, 9)) for _ in range(4)]
    weights = [v.array(rng, F32, (a, b), low=-1, high=1) for a, b in zip(sizes, sizes[1:])]
    x = v.array(rng, F32, (int(rng.integers(1, 6)), sizes[0]), low=-1, high=1)
    act = v.pick(rng, [jnp.tanh, jax.nn.gelu, jax.nn.silu, jax.nn.softplus])
    kind = v.pick(rng, [np.float32, np.float32, BF16])

    def loss(weights, x):
        h = x
        for w in weights:
            h = act(jnp.dot(h.astype(kind), w.astype(kind), precision="highest",
                            preferred_element_type=jnp.float32))
            h = (h - h.mean(-1, keepdims=True)) / jnp.sqrt(h.var(-1, keepdims=True) + 0.1)
        return -jnp.mean(jax.nn.log_softmax(h)[:, 0])

    def step(x, *weights):
        value, slopes = jax.value_and_grad(loss)(list(weights), x)
        return value, [w - 0.1 * g for w, g in zip(weights, slopes)]
    scale = 200 if kind == np.float32 else 200 * 2.0**16 / 8
    return Case("training step", step, [x] + weights, scale, "noise", largest=1.0)


FAMILIES = [(composition, 14), (control, 6), (fourier, 3), (linear_algebra, 3), (random_bits, 3), (quantised, 1),
            (training, 3)]
