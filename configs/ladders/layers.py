# SPDX-License-Identifier: Apache-2.0
"""Layers and the optimiser of the ladder's programs; each works on the shards of one chip."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

WIDTH, HIDDEN, HEADS, LENGTH = 16, 32, 4, 8
ADAMW = {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "decay": 0.01, "rate": 1e-2}


def drawn(seed, *shape, scale=0.3):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def norm(x, scale):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


def dense_layer(p, x):
    return jnp.tanh(x @ p["w_in"] + p["bias"]) @ p["w_out"]


def dense_params(seed):
    return {
        "bias": drawn(seed, HIDDEN),
        "w_in": drawn(seed + 1, WIDTH, HIDDEN),
        "w_out": drawn(seed + 2, HIDDEN, WIDTH),
    }


def attention_layer(p, x, reduce_heads):
    """Causal attention over the heads at hand; reduce_heads adds up what other chips hold."""
    h = norm(x, p["scale"])
    q, k, v = (jnp.einsum("btd,dhe->bthe", h, p[name]) for name in ("wq", "wk", "wv"))
    scores = jnp.einsum("bthe,bshe->bhts", q, k) / np.sqrt(WIDTH // HEADS).astype(np.float32)
    seen = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e9), axis=-1)
    return x + reduce_heads(jnp.einsum("bhts,bshe,hed->btd", weights, v, p["wo"]))


def attention_params(seed):
    each = WIDTH // HEADS
    return {
        "scale": np.ones(WIDTH, np.float32),
        **{w: drawn(seed + i, WIDTH, HEADS, each) for i, w in enumerate(("wq", "wk", "wv"))},
        "wo": drawn(seed + 3, HEADS, each, WIDTH),
    }


def recurrent_layer(p, x):
    """A gated linear recurrence over time: h' = a h + (1 - a) u."""
    gate = jax.nn.sigmoid(x @ p["w_gate"] + p["bias"])
    update = x @ p["w_in"]

    def step(state, now):
        a, u = now
        state = a * state + (1 - a) * u
        return state, state

    start = jnp.zeros((x.shape[0], HIDDEN), x.dtype)
    _, states = lax.scan(step, start, (gate.swapaxes(0, 1), update.swapaxes(0, 1)))
    return x + states.swapaxes(0, 1) @ p["w_out"]


def recurrent_params(seed):
    return {
        "bias": drawn(seed, HIDDEN),
        "w_gate": drawn(seed + 1, WIDTH, HIDDEN),
        "w_in": drawn(seed + 2, WIDTH, HIDDEN),
        "w_out": drawn(seed + 3, HIDDEN, WIDTH),
    }


def expert_layer(p, x, axis, chips):
    """Each token goes to its best expert, one expert per chip, with all_to_all in both directions."""
    tokens = x.shape[0]
    probabilities = jax.nn.softmax(x @ p["router"], axis=-1)
    best = jnp.argmax(probabilities, axis=-1)
    chosen = jax.nn.one_hot(best, chips, dtype=x.dtype)
    place = jnp.cumsum(chosen, axis=0) * chosen - 1
    capacity = max(1, 2 * tokens // chips)
    # Places beyond the capacity give a row of zeros: those tokens pass the layer as they are.
    slots = jax.nn.one_hot(place.astype(jnp.int32), capacity, dtype=x.dtype) * chosen[..., None]
    sent = jnp.einsum("tec,td->ecd", slots, x)
    here = lax.all_to_all(sent, axis, 0, 0, tiled=True) if chips > 1 else sent
    done = jnp.tanh(here.reshape(-1, WIDTH) @ p["w1"][0]) @ p["w2"][0]
    done = done.reshape(here.shape)
    back = lax.all_to_all(done, axis, 0, 0, tiled=True) if chips > 1 else done
    weight = jnp.sum(probabilities * chosen, axis=-1)
    return x + jnp.einsum("tec,ecd->td", slots, back) * weight[:, None]


def expert_params(seed, chips):
    return {
        "router": drawn(seed, WIDTH, chips),
        "w1": drawn(seed + 1, chips, WIDTH, WIDTH),
        "w2": drawn(seed + 2, chips, WIDTH, WIDTH),
    }


EXPERT_SPECS = {"router": P(), "w1": P("expert"), "w2": P("expert")}


def adamw(params, gradients, first, second, count, c):
    """One AdamW step; `count` and all of `c` are arrays or Python numbers, as the caller has it."""
    first = jax.tree.map(lambda m, g: c["beta1"] * m + (1 - c["beta1"]) * g, first, gradients)
    second = jax.tree.map(lambda v, g: c["beta2"] * v + (1 - c["beta2"]) * g * g, second, gradients)
    small = 1 / (1 - c["beta1"] ** count)
    large = 1 / (1 - c["beta2"] ** count)

    def update(p, m, v):
        return p - c["rate"] * (m * small / (jnp.sqrt(v * large) + c["epsilon"]) + c["decay"] * p)

    return jax.tree.map(update, params, first, second), first, second
