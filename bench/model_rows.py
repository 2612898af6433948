# SPDX-License-Identifier: Apache-2.0
"""Rows of bench/operation_rows.py: parts of models, with broadcasts of middle dimensions, parts of
rows, masks, labels, and loops around small products.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

_random = np.random.default_rng(17)


def normal(*shape):
    return jnp.asarray(_random.standard_normal(shape).astype(np.float32))


def whole(high, *shape):
    return jnp.asarray(_random.integers(0, high, shape).astype(np.int32))


def distances(x, y):
    return jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, -1)


def masked_softmax(x, mask):
    return jax.nn.softmax(x + mask, -1)


def batch_norm(x, scale, bias):
    """Images in the order batch, channel, height, width."""
    mean = x.mean((0, 2, 3), keepdims=True)
    variance = x.var((0, 2, 3), keepdims=True)
    y = (x - mean) * lax.rsqrt(variance + 1e-5)
    return y * scale[None, :, None, None] + bias[None, :, None, None]


def gated(x):
    n = x.shape[-1] // 2
    return jax.nn.silu(x[..., :n]) * x[..., n:]


def rotary(x, cosine, sine):
    n = x.shape[-1] // 2
    a, b = x[..., :n], x[..., n:]
    return jnp.concatenate([a * cosine - b * sine, a * sine + b * cosine], -1)


def label_loss(logits, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1))


def power_iteration(a, v):
    return lax.fori_loop(0, 50, lambda _, v: (a @ v) / jnp.linalg.norm(a @ v), v)


def gated_recurrence(h, xs, w):
    def step(h, x):
        gate = jax.nn.sigmoid(jnp.concatenate([x, h], -1) @ w)
        h = gate * h + (1 - gate) * jnp.tanh(x)
        return h, h
    return lax.scan(step, h, xs)[1]


def models():
    """Rows (name, function, cases, tolerance)."""
    points = [(normal(n, 16), normal(n, 16)) for n in (32, 128, 512)]
    yield "squared distances", distances, points, 1e-4
    yield "squared distances gradient", jax.grad(lambda x, y: distances(x, y).sum()), points, 1e-3
    yield "masked softmax", masked_softmax, [
        (normal(2, 4, n, n), normal(n, n)) for n in (16, 64, 256)], 1e-5
    yield "batch norm NCHW", batch_norm, [
        (normal(8, c, n, n), normal(c), normal(c)) for c, n in ((4, 8), (16, 32), (64, 56))], 1e-3
    yield "gated unit", gated, [(normal(n, 2 * n),) for n in (32, 256, 1024)], 1e-5
    yield "rotary embedding", rotary, [
        (normal(2, 4, n, 64), normal(n, 32), normal(n, 32)) for n in (16, 128, 512)], 1e-5
    yield "label loss", label_loss, [(normal(n, n), whole(n, n)) for n in (32, 256, 1024)], 1e-5
    yield "labels", lambda x, i: jnp.take_along_axis(x, i[:, None], 1), [
        (normal(n, 10), whole(10, n)) for n in (1024, 100000)], 0
    yield "take_along_axis 0", lambda x, i: jnp.take_along_axis(x, i, 0), [
        (normal(n, n), whole(n, n, n)) for n in (32, 256, 1024)], 0
    yield "diag", jnp.diag, [(normal(n),) for n in (32, 256, 1024)], 0
    yield "power iteration", power_iteration, [
        (normal(n, n), normal(n)) for n in (16, 64, 256)], 5e-2
    yield "gated recurrence", gated_recurrence, [
        (normal(8, 32), normal(n, 8, 32), normal(64, 32) / 8) for n in (20, 200)], 5e-2


GROUPS = (models,)
