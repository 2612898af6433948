# SPDX-License-Identifier: Apache-2.0
"""State-space models, recurrent attention, tokens, losses and optimisers of language models."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import floats, ints, normals, program, symmetric

SPACE, TOKENS, LOSSES, TRAINING = "state spaces", "tokens", "losses", "training steps"


@program(SPACE, normals(16, 2, 4), normals(16, 2, 3), normals(16, 2, 3), floats(16, 2, low=0.01, high=0.3), spacings=400)
def chunked_state_space_duality(x, b, c, decay):
    """Four chunks of four: inside a chunk as attention, between chunks as a recurrence."""
    x, b, c, decay = (v.reshape(4, 4, *v.shape[1:]) for v in (x, b, c, decay))
    total = jnp.cumsum(decay, 1)
    apart = total[:, :, None] - total[:, None]
    inside = jnp.where(jnp.tril(jnp.ones((4, 4), bool))[None, :, :, None], jnp.exp(-jnp.maximum(apart, 0)), 0)
    y = jnp.einsum("nqhs,nkhs,nqkh,nkhd->nqhd", c, b, inside, x)
    states = jnp.einsum("nkhs,nkh,nkhd->nhsd", b, jnp.exp(total - total[:, -1:]), x)

    def carry(state, chunk):
        new, last = chunk
        return state * jnp.exp(-last)[:, None, None] + new, state
    _, before = lax.scan(carry, jnp.zeros((2, 3, 4)), (states, total[:, -1]))
    return y + jnp.einsum("nqhs,nqh,nhsd->nqhd", c, jnp.exp(-total), before)


@program(SPACE, normals(12, 6), normals(12, 6), normals(12, 6), floats(6, low=0.1, high=1.0), spacings=400)
def wkv_recurrence(r, k, v, w):
    def step(state, inputs):
        top, bottom, most = state
        r, k, v = inputs
        peak = jnp.maximum(most, k + 0.3)
        a, b = jnp.exp(most - peak), jnp.exp(k + 0.3 - peak)
        out = jax.nn.sigmoid(r) * (a * top + b * v) / (a * bottom + b)
        peak = jnp.maximum(most - w, k)
        a, b = jnp.exp(most - w - peak), jnp.exp(k - peak)
        return (a * top + b * v, a * bottom + b, peak), out
    return lax.scan(step, (jnp.zeros(6), jnp.zeros(6), jnp.full(6, -1e38)), (r, k, v))


@program(SPACE, normals(10, 4), normals(10, 4), normals(10, 3), floats(10, low=0.0, high=1.0), spacings=1000)
def delta_rule_with_gradient(q, k, v, beta):
    def outputs(k, v):
        k = k / jnp.linalg.norm(k, axis=-1, keepdims=True)

        def step(s, inputs):
            q, k, v, b = inputs
            s = s + b * jnp.outer(v - s @ k, k)
            return s, s @ q
        return lax.scan(jax.checkpoint(step), jnp.zeros((3, 4)), (q, k, v, beta))[1]
    return outputs(k, v), jax.grad(lambda *a: jnp.sum(outputs(*a) ** 2), argnums=(0, 1))(k, v)


@program(SPACE, floats(4, low=0.1, high=1.0), normals(4), normals(4), normals(2, 20), spacings=400)
def diagonal_state_space_by_fft(rate, phase, c, u):
    poles = jnp.exp(-rate + 1j * phase)
    kernel = 2 * jnp.real(jnp.einsum("n,nl->l", c.astype(jnp.complex64), poles[:, None] ** jnp.arange(20)))
    return jnp.fft.irfft(jnp.fft.rfft(u, 40) * jnp.fft.rfft(kernel, 40), 40)[..., :20]


@program(SPACE, normals(9, 5), normals(9, 5), spacings=400)
def minimal_gated_unit_by_scan_of_logs(gate, value):
    keep, take = -jax.nn.softplus(gate), -jax.nn.softplus(-gate)
    score = take + jnp.where(value >= 0, jnp.log(jax.nn.relu(value) + 0.5), -jax.nn.softplus(-value))
    total = jnp.cumsum(keep, 0)
    return jnp.exp(total + lax.cumlogsumexp(score - total, axis=0))


@program(TOKENS, ints(0, 6, 24), lambda rng: np.array([[0, 1], [2, 3], [6, 2], [7, 6]], np.int32))
def byte_pair_merges(tokens, merges):
    def merge(state, rule):
        tokens, count = state
        pair, new = rule
        here = (tokens[:-1] == pair[0]) & (tokens[1:] == pair[1])

        def walk(skip, hit):
            return hit & ~skip, hit & ~skip
        _, first = lax.scan(walk, jnp.array(False), here)
        first = jnp.append(first, False)
        second = jnp.roll(first, 1).at[0].set(False)
        tokens = jnp.where(first, new, tokens)
        order = jnp.argsort(second | (tokens < 0), stable=True)
        tokens = jnp.where(jnp.arange(24) < count - first.sum(), tokens[order], -1)
        return (tokens, count - first.sum()), first.sum()
    return lax.scan(merge, (tokens, jnp.int32(24)), (merges, jnp.arange(6, 10, dtype=jnp.int32)))


@program(TOKENS, ints(0, 50, 3, 8), ints(1, 9, 3), normals(50, 6), spacings=400)
def packed_sequences_with_segments(tokens, lengths, table):
    valid = jnp.arange(8) < lengths[:, None]
    starts = jnp.cumsum(lengths) - lengths
    place = jnp.where(valid, starts[:, None] + jnp.arange(8), 99)
    packed = jnp.zeros(24, jnp.int32).at[place].set(tokens, mode="drop")
    segment = jnp.full(24, -1).at[place].set(jnp.arange(3)[:, None] * jnp.ones((1, 8), jnp.int32), mode="drop")
    x = table[packed] * (segment >= 0)[:, None]
    mask = (segment[:, None] == segment[None]) & (jnp.arange(24)[:, None] >= jnp.arange(24))
    scores = jnp.where(mask, x @ x.T, -jnp.inf)
    return packed, jnp.nan_to_num(jax.nn.softmax(scores) @ x), jax.ops.segment_sum(x, segment, 3)


@program(TOKENS, normals(2, 4, 3), normals(6, 2, 4, 3), normals(6, 2, 4, 3), ints(0, 6, 2, 3), ints(1, 7, 2), spacings=400)
def paged_attention(q, key_pages, value_pages, table, lengths):
    def one(q, pages, length):
        k, v = key_pages[pages].swapaxes(0, 1).reshape(2, 12, 3), value_pages[pages].swapaxes(0, 1).reshape(2, 12, 3)
        s = jnp.einsum("hd,ktd->hkt", q, k)
        s = jnp.where(jnp.arange(12) < length, s, jnp.finfo(jnp.float32).min)
        return jnp.einsum("hkt,ktd->hd", jax.nn.softmax(s), v)
    return jax.vmap(one)(q, table, lengths)


@program(TOKENS, ints(97, 123, 5, 7, dtype=np.uint8), ints(0, 8, 5))
def hashed_ngrams(text, lengths):
    word = text.astype(jnp.uint32) * (jnp.arange(7) < lengths[:, None])
    hashed = lax.fori_loop(0, 7, lambda i, h: (h ^ word[:, i]) * jnp.uint32(16777619), jnp.full(5, 2166136261, jnp.uint32))
    pairs = (word[:, :-1] << 8 | word[:, 1:]) % 31
    return hashed, hashed >> 27, jnp.zeros((5, 31), jnp.int32).at[jnp.arange(5)[:, None], pairs].add(1), \
        lax.population_count(hashed), lax.clz(hashed)


@program(LOSSES, normals(4, 6, 9), normals(4, 6, 9), ints(0, 9, 4, 6), ints(2, 7, 4), spacings=400)
def preference_loss(chosen, rejected, labels, lengths):
    def score(logits):
        each = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1)[..., 0]
        return jnp.sum(jnp.where(jnp.arange(6) < lengths[:, None], each, 0), -1)

    def loss(a, b):
        margin = 0.1 * (score(a) - score(b))
        return -jnp.mean(jax.nn.log_sigmoid(margin)), jnp.mean((margin > 0).astype(jnp.float32))
    return jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(chosen, rejected)


@program(LOSSES, normals(9, 3), normals(10, 3), lambda rng: rng.uniform(size=(9, 3)) < 0.2, normals(9, 3), spacings=400)
def clipped_policy_with_advantages(rewards, values, done, ratio):
    def step(later, inputs):
        reward, value, following, done = inputs
        delta = reward + 0.99 * following * ~done - value
        later = delta + 0.99 * 0.95 * ~done * later
        return later, later
    _, gain = lax.scan(step, jnp.zeros(3), (rewards, values[:-1], values[1:], done), reverse=True)
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)

    def loss(r):
        r = jnp.exp(0.1 * r)
        return -jnp.mean(jnp.minimum(r * gain, jnp.clip(r, 0.8, 1.2) * gain))
    return gain, jax.value_and_grad(loss)(ratio)


@program(LOSSES, normals(6, 4, 4), lambda rng: (rng.uniform(size=(6, 4, 4)) < 0.3).astype(np.float32), normals(8, 3), normals(9, 3),
         spacings=400)
def focal_dice_chamfer_and_triplet(logits, mask, a, b):
    p = jax.nn.sigmoid(logits)
    focal = -jnp.mean(jnp.where(mask > 0, (1 - p) ** 2 * jnp.log(p + 1e-6), p ** 2 * jnp.log1p(-p + 1e-6)))
    dice = 1 - (2 * jnp.sum(p * mask) + 1) / (jnp.sum(p) + jnp.sum(mask) + 1)
    apart = jnp.linalg.norm(a[:, None] - b[None], axis=-1)
    near, far = jnp.min(apart, 1), jnp.max(apart, 1)
    return focal, dice, near.mean() + apart.min(0).mean(), jax.nn.relu(near - far + 0.2).mean(), jnp.argmin(apart, 1)


@program(LOSSES, normals(6, 5), normals(5, 5), ints(0, 5, 6), spacings=400)
def conditional_random_field(emissions, moves, labels):
    def negative(emissions, moves):
        gold = emissions[jnp.arange(6), labels].sum() + moves[labels[:-1], labels[1:]].sum()
        alpha, _ = lax.scan(lambda a, e: (jax.nn.logsumexp(a[:, None] + moves, 0) + e, None), emissions[0], emissions[1:])
        return jax.nn.logsumexp(alpha) - gold
    return jax.value_and_grad(negative, argnums=(0, 1))(emissions, moves)


@program(TRAINING, normals(6, 4), symmetric(6, shift=7.0), symmetric(4, shift=5.0), spacings=4000)
def shampoo_and_muon(gradient, left, right):
    def root(m):
        values, vectors = jnp.linalg.eigh(m)
        return (vectors * jnp.maximum(values, 1e-6) ** -0.25) @ vectors.T
    left, right = left + gradient @ gradient.T, right + gradient.T @ gradient
    x = gradient / jnp.linalg.norm(gradient)
    for _ in range(3):
        a = x.T @ x
        x = 3.4445 * x + x @ (-4.775 * a + 2.0315 * a @ a)
    return root(left) @ gradient @ root(right), x


@program(TRAINING, normals(5, 3), normals(3, 4), normals(5, 4), spacings=2000)
def sharpness_aware_and_fisher(x, w, y):
    def loss(w):
        return jnp.mean((jnp.tanh(x @ w) - y) ** 2)
    g = jax.grad(loss)(w)
    ascent = w + 0.05 * g / (jnp.linalg.norm(g) + 1e-12)
    value, push = jax.linearize(loss, w)
    curvature = jax.hessian(loss)(w).reshape(12, 12)
    jacobian = jax.jacfwd(lambda w: jnp.tanh(x @ w))(w).reshape(20, 12)
    return value, push(g), jax.grad(loss)(ascent), curvature, jacobian.T @ jacobian


@program(TRAINING, normals(4, 6), normals(8, 6), spacings=400)
def vector_quantisation(z, book):
    def loss(z, book):
        nearest = jnp.argmin(jnp.sum((z[:, None] - book) ** 2, -1), 1)
        q = book[nearest]
        through = z + lax.stop_gradient(q - z)
        return jnp.mean(through ** 2) + jnp.mean((lax.stop_gradient(z) - q) ** 2), nearest
    return jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(z, book)


@program(TRAINING, normals(6, 4), normals(4, 8), normals(8, 4), spacings=400)
def coupling_flow_and_its_inverse(x, w1, w2):
    def forward(x):
        a, b = jnp.split(x, 2, -1)
        h = jnp.tanh(jnp.concatenate([a, a], -1) @ w1) @ w2
        scale, shift = jnp.split(h, 2, -1)
        return jnp.concatenate([a, b * jnp.exp(jnp.tanh(scale)) + shift], -1)[:, ::-1]
    sign, size = jnp.linalg.slogdet(jax.vmap(jax.jacrev(lambda v: forward(v[None])[0]))(x))
    return forward(forward(x)), sign, size
