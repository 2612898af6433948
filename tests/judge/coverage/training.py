# SPDX-License-Identifier: Apache-2.0
"""Models and optimisers with plain jax.numpy, one training step each."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import ints, normals, program

GROUP = "training steps"


def mlp(params, x):
    for w, b in params[:-1]:
        x = jax.nn.gelu(x @ w + b)
    return x @ params[-1][0] + params[-1][1]


MLP = [normals(16, 32, scale=0.2), normals(32, scale=0.1), normals(32, 4, scale=0.2), normals(4, scale=0.1)]


def mlp_loss(params, x, y):
    return jnp.mean((mlp(params, x) - y) ** 2)


@program(GROUP, *MLP, (24, 16), (24, 4))
def sgd_with_momentum(w1, b1, w2, b2, x, y):
    params = [(w1, b1), (w2, b2)]
    loss, grads = jax.value_and_grad(mlp_loss)(params, x, y)
    velocity = jax.tree.map(lambda g: 0.9 * jnp.ones_like(g) + g, grads)
    return loss, jax.tree.map(lambda p, v: p - 0.1 * v, params, velocity)


@program(GROUP, *MLP, (24, 16), (24, 4))
def adamw(w1, b1, w2, b2, x, y):
    params = [(w1, b1), (w2, b2)]
    zeros = jax.tree.map(jnp.zeros_like, params)

    def step(state, i):
        params, m, v = state
        loss, g = jax.value_and_grad(mlp_loss)(params, x, y)
        norm = jnp.sqrt(sum(jnp.sum(a * a) for a in jax.tree.leaves(g)))
        g = jax.tree.map(lambda a: a * jnp.minimum(1.0, 1.0 / norm), g)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
        rate = 1e-2 * (1 + jnp.cos(jnp.pi * i / 5)) / 2
        params = jax.tree.map(
            lambda p, m, v: p - rate * (m / (1 - 0.9 ** (i + 1)) / (jnp.sqrt(v / (1 - 0.99 ** (i + 1))) + 1e-8)
                                        + 0.01 * p), params, m, v)
        return (params, m, v), loss
    return lax.scan(step, (params, zeros, zeros), jnp.arange(5.0))


@program(GROUP, *MLP, (24, 16), (24, 4))
def lion_and_adafactor(w1, b1, w2, b2, x, y):
    params = [(w1, b1), (w2, b2)]
    g = jax.grad(mlp_loss)(params, x, y)
    row, column = jnp.mean(g[0][0] ** 2, 1), jnp.mean(g[0][0] ** 2, 0)
    factored = g[0][0] / jnp.sqrt(jnp.outer(row, column) / row.mean() + 1e-30)
    return jax.tree.map(lambda p, g: p - 1e-3 * jnp.sign(g), params, g), factored


@program(GROUP, *MLP, (4, 6, 16), (4, 6, 4))
def gradient_accumulation(w1, b1, w2, b2, x, y):
    params = [(w1, b1), (w2, b2)]
    def micro(total, batch):
        return jax.tree.map(jnp.add, total, jax.grad(mlp_loss)(params, *batch)), None
    return lax.scan(micro, jax.tree.map(jnp.zeros_like, params), (x, y))[0]


@program(GROUP, *MLP, (24, 16), ints(0, 4, 24), through=jnp.bfloat16)
def mixed_precision_with_loss_scale(w1, b1, w2, b2, x, labels):
    def loss(params):
        low = jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)
        logits = mlp(low, x.astype(jnp.bfloat16)).astype(jnp.float32)
        return 128.0 * -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(24), labels])
    g = jax.grad(loss)([(w1, b1), (w2, b2)])
    finite = jnp.all(jnp.array([jnp.all(jnp.isfinite(a)) for a in jax.tree.leaves(g)]))
    return finite, jax.tree.map(lambda g: jnp.where(finite, g / 128.0, 0), g)


@program(GROUP, *MLP, (24, 16), ints(0, 4, 24))
def label_smoothing_and_accuracy(w1, b1, w2, b2, x, labels):
    logits = mlp([(w1, b1), (w2, b2)], x)
    target = jax.nn.one_hot(labels, 4) * 0.9 + 0.1 / 4
    loss = -jnp.mean(jnp.sum(target * jax.nn.log_softmax(logits), -1))
    return loss, jnp.mean(jnp.argmax(logits, -1) == labels)


@program(GROUP, *MLP, (24, 16), (24, 4))
def per_example_gradients(w1, b1, w2, b2, x, y):
    g = jax.vmap(jax.grad(mlp_loss), (None, 0, 0))([(w1, b1), (w2, b2)], x, y)
    norms = jnp.sqrt(sum(jnp.sum(a.reshape(24, -1) ** 2, -1) for a in jax.tree.leaves(g)))
    scale = jnp.minimum(1.0, 0.1 / norms)
    return jax.tree.map(lambda a: jnp.tensordot(scale, a, 1) / 24, g)


@program(GROUP, *MLP, (24, 16), (24, 4))
def hessian_vector_product(w1, b1, w2, b2, x, y):
    params = [(w1, b1), (w2, b2)]
    return jax.jvp(jax.grad(lambda p: mlp_loss(p, x, y)), (params,), (jax.tree.map(jnp.ones_like, params),))[1]


@program(GROUP, ints(0, 50, 2, 12), normals(50, 16, scale=0.1), normals(2, 16, 48, scale=0.2),
         normals(2, 16, 16, scale=0.2), normals(2, 16, 64, scale=0.2), normals(2, 64, 16, scale=0.2), spacings=400)
def scanned_transformer_step(tokens, table, qkv, out, up, down):
    def norm(x):
        return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)

    @jax.checkpoint
    def layer(x, w):
        qkv, out, up, down = w
        q, k, v = jnp.split((norm(x) @ qkv).reshape(2, 12, 4, 12), 3, -1)
        x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(2, 12, 16) @ out
        return x + jax.nn.gelu(norm(x) @ up) @ down, None

    def loss(table, weights):
        x, _ = lax.scan(layer, table[tokens], weights)
        logits = norm(x) @ table.T
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits[:, :-1]), tokens[:, 1:, None], -1))
    return jax.value_and_grad(loss, (0, 1))(table, (qkv, out, up, down))


@program(GROUP, normals(4, 12, 8), normals(8, 64, scale=0.3), normals(16, 64, scale=0.3))
def lstm_gradient(x, wx, wh):
    def cell(state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ wx + h @ wh, 4, -1)
        c = jax.nn.sigmoid(f + 1) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    def loss(wx, wh):
        start = (jnp.zeros((4, 16)), jnp.zeros((4, 16)))
        return jnp.mean(lax.scan(cell, start, jnp.moveaxis(x, 1, 0))[1] ** 2)
    return jax.value_and_grad(loss, (0, 1))(wx, wh)


@program(GROUP, normals(3, 10, 6), normals(6, 24, scale=0.3), normals(8, 24, scale=0.3))
def gru_backwards(x, wx, wh):
    def cell(h, x):
        zx, rx, nx = jnp.split(x @ wx, 3, -1)
        zh, rh, nh = jnp.split(h @ wh, 3, -1)
        z, r = jax.nn.sigmoid(zx + zh), jax.nn.sigmoid(rx + rh)
        h = (1 - z) * jnp.tanh(nx + r * nh) + z * h
        return h, h
    return lax.scan(cell, jnp.zeros((3, 8)), jnp.moveaxis(x, 1, 0), reverse=True)


@program(GROUP, normals(2, 20, 4), normals(4, 8), normals(4, 8), normals(4))
def selective_state_space(x, b, c, d):
    """Mamba's recurrence by an associative scan."""
    step = jax.nn.softplus(x)
    a = jnp.exp(-step[..., None] * jnp.arange(1.0, 9.0))
    u = (step * x)[..., None] * b
    def combine(p, q):
        return p[0] * q[0], p[1] * q[0] + q[1]
    _, h = lax.associative_scan(combine, (a, u), axis=1)
    return jnp.sum(h * c, -1) + d * x


@program(GROUP, normals(8, 6), normals(6, 4, scale=0.5), normals(4, 6, scale=0.5), spacings=400)
def variational_autoencoder(x, encode, decode):
    def loss(encode, decode):
        mean, log_variance = jnp.split(x @ encode, 2, -1)
        z = mean + jnp.exp(log_variance / 2) * jax.random.normal(jax.random.key(1), mean.shape)
        rebuilt = jnp.tile(z, (1, 2)) @ decode
        kl = -0.5 * jnp.sum(1 + log_variance - mean ** 2 - jnp.exp(log_variance))
        return jnp.sum((rebuilt - x) ** 2) + kl
    return jax.value_and_grad(loss, (0, 1))(encode, decode)


@program(GROUP, normals(6, 5), normals(5, 3, scale=0.5), ints(0, 3, 6))
def policy_gradient(states, w, actions):
    def loss(w):
        log_p = jax.nn.log_softmax(states @ w)
        chosen = log_p[jnp.arange(6), actions]
        returns = lax.scan(lambda c, r: ((c * 0.9 + r),) * 2, 0.0, jnp.arange(6.0), reverse=True)[1]
        entropy = -jnp.sum(jnp.exp(log_p) * log_p, -1)
        return -jnp.mean(chosen * (returns - returns.mean()) / (returns.std() + 1e-6) + 0.01 * entropy)
    return jax.value_and_grad(loss)(w)


@program(GROUP, normals(8, 6), normals(8, 6))
def contrastive_loss(a, b):
    def loss(a, b):
        a, b = (x / jnp.linalg.norm(x, axis=-1, keepdims=True) for x in (a, b))
        logits = a @ b.T / 0.07
        return -(jnp.diag(jax.nn.log_softmax(logits, 0)) + jnp.diag(jax.nn.log_softmax(logits, 1))).mean() / 2
    return jax.value_and_grad(loss, (0, 1))(a, b)


@program(GROUP, normals(4, 6), normals(6, 3), ints(0, 2))
def stop_gradient_and_moving_average(x, w, flag):
    def loss(w):
        target = lax.stop_gradient(x @ (0.99 * w))
        return jnp.mean((x @ w - target) ** 2) + lax.cond(flag > 0, jnp.sum, jnp.mean, w)
    g = jax.grad(loss)(w)
    return g, 0.99 * w + 0.01 * (w - g)


@program(GROUP, normals(8, 8), normals(8, 6))
def low_rank_adapter(x, w):
    a, b = jnp.ones((8, 2)) * 0.1, jnp.full((2, 6), 0.2)
    return jax.grad(lambda ab: jnp.sum((x @ w + 2.0 * x @ ab[0] @ ab[1]) ** 2))((a, b))


@program(GROUP, normals(4, 9), normals(4, 9))
def ode_and_adjoint(y, w):
    def run(y, w):
        f = lambda y: jnp.tanh(y * w)  # noqa: E731
        def step(y, _):
            k1 = f(y)
            k2 = f(y + 0.05 * k1)
            k3 = f(y + 0.05 * k2)
            k4 = f(y + 0.1 * k3)
            return y + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None
        return lax.scan(step, y, None, length=6)[0]
    return jax.grad(lambda y, w: jnp.sum(run(y, w) ** 2), (0, 1))(y, w)
