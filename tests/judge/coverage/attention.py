# SPDX-License-Identifier: Apache-2.0
"""Attention, as models of the last years write it."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import floats, ints, normals, program

GROUP = "attention"


@program(GROUP, (2, 16, 4, 8), (2, 16, 4, 8), (2, 16, 4, 8))
def dot_product_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v)


@program(GROUP, (2, 16, 4, 8), (2, 16, 4, 8), (2, 16, 4, 8))
def causal_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@program(GROUP, (2, 16, 8, 8), (2, 16, 2, 8), (2, 16, 2, 8))
def grouped_query_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@program(GROUP, (2, 16, 4, 8), (2, 16, 4, 8), (2, 16, 4, 8))
def attention_gradient(q, k, v):
    loss = lambda *a: jnp.sum(jax.nn.dot_product_attention(*a, is_causal=True) ** 2)  # noqa: E731
    return jax.value_and_grad(loss, (0, 1, 2))(q, k, v)


@program(GROUP, (2, 32, 4, 8), (2, 32, 4, 8), (2, 32, 4, 8))
def sliding_window_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=(4, 0))


@program(GROUP, (2, 16, 4, 8), (2, 16, 4, 8), (2, 16, 4, 8), ints(1, 17, 2))
def padded_attention(q, k, v, lengths):
    return jax.nn.dot_product_attention(q, k, v, key_value_seq_lengths=lengths, query_seq_lengths=lengths)


@program(GROUP, floats(1, 8, 2, 16, dtype=jnp.bfloat16), floats(1, 8, 2, 16, dtype=jnp.bfloat16),
         floats(1, 8, 2, 16, dtype=jnp.bfloat16))
def bf16_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@program(GROUP, (2, 12, 16), (4, 4))
def rotary_embedding(x, w):
    q = (x.reshape(2, 12, 4, 4) @ w)
    angle = jnp.arange(12.0)[:, None] / 100 ** (jnp.arange(0, 4, 2) / 4.0)
    sin, cos = jnp.sin(angle)[None, :, None], jnp.cos(angle)[None, :, None]
    a, b = jnp.split(q, 2, -1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


@program(GROUP, (2, 12, 4, 8), (2, 12, 4, 8), (2, 12, 4, 8))
def alibi_attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 8 ** 0.5
    slopes = 2.0 ** -(jnp.arange(1, 5) * 2.0)
    distance = jnp.arange(12)[None] - jnp.arange(12)[:, None]
    scores = scores + slopes[:, None, None] * distance
    scores = jnp.where(distance > 0, -1e9, scores)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), v)


@program(GROUP, (2, 64, 8), (2, 64, 8), (2, 64, 8))
def flash_style_attention(q, k, v):
    """Blocks of keys, with a running maximum and sum."""
    def block(carry, kv):
        out, top, total = carry
        k, v = kv
        s = jnp.einsum("bqd,bkd->bqk", q, k)
        new = jnp.maximum(top, s.max(-1))
        p, keep = jnp.exp(s - new[..., None]), jnp.exp(top - new)
        out = out * keep[..., None] + jnp.einsum("bqk,bkd->bqd", p, v)
        return (out, new, total * keep + p.sum(-1)), None
    split = lambda a: jnp.moveaxis(a.reshape(2, 8, 8, 8), 1, 0)  # noqa: E731
    start = (jnp.zeros_like(q), jnp.full((2, 64), -jnp.inf), jnp.zeros((2, 64)))
    (out, _, total), _ = lax.scan(block, start, (split(k), split(v)))
    return out / total[..., None]


@program(GROUP, (2, 1, 4, 8), (2, 24, 4, 8), (2, 24, 4, 8), (2, 4, 8), (2, 4, 8), ints(0, 24))
def decode_with_cache(q, keys, values, k, v, at):
    keys = lax.dynamic_update_slice(keys, k[:, None], (0, at, 0, 0))
    values = lax.dynamic_update_slice(values, v[:, None], (0, at, 0, 0))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, keys)
    scores = jnp.where(jnp.arange(24) <= at, scores, -jnp.inf)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), values), keys, values


@program(GROUP, (2, 16, 8), (8, 4), (4, 16), (4, 16))
def latent_attention(x, down, up_k, up_v):
    """Keys and values from one small latent vector."""
    latent = x @ down
    k, v = latent @ up_k, latent @ up_v
    q = jnp.tile(x, (1, 1, 2))
    mask = jnp.tril(jnp.ones((16, 16), bool))
    p = jax.nn.softmax(jnp.where(mask, q @ k.mT / 4, jnp.finfo(jnp.float32).min))
    return p @ v


@program(GROUP, (2, 16, 8), (2, 16, 8), (2, 16, 8))
def linear_attention(q, k, v):
    q, k = jax.nn.elu(q) + 1, jax.nn.elu(k) + 1
    def step(state, qkv):
        q, k, v = qkv
        s, z = state
        s, z = s + k[:, :, None] * v[:, None], z + k
        return (s, z), jnp.einsum("bd,bde->be", q, s) / jnp.einsum("bd,bd->b", q, z)[:, None]
    move = lambda a: jnp.moveaxis(a, 1, 0)  # noqa: E731
    start = (jnp.zeros((2, 8, 8)), jnp.zeros((2, 8)))
    return lax.scan(step, start, (move(q), move(k), move(v)))[1]


@program(GROUP, (2, 10, 8), (2, 14, 8), (8, 8), (8, 8), (8, 8))
def cross_attention_with_dropout(x, memory, wq, wk, wv):
    key = jax.random.key(7)
    p = jax.nn.softmax((x @ wq) @ (memory @ wk).mT)
    keep = jax.random.bernoulli(key, 0.8, p.shape)
    return jnp.where(keep, p / 0.8, 0) @ (memory @ wv)


@program(GROUP, normals(2, 8, 4, 16), normals(2, 8, 4, 16), normals(2, 8, 4, 16), spacings=400)
def qk_norm_attention_with_soft_cap(q, k, v):
    norm = lambda x: x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)  # noqa: E731
    s = 30 * jnp.tanh(jnp.einsum("bqhd,bkhd->bhqk", norm(q), norm(k)) / 30)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), v)


@program(GROUP, (1, 16, 2, 8), (1, 16, 2, 8), (1, 16, 2, 8))
def checkpointed_attention(q, k, v):
    f = jax.checkpoint(lambda q, k, v: jax.nn.dot_product_attention(q, k, v),
                       policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)
    return jax.grad(lambda q: jnp.sum(f(q, k, v) ** 3))(q)
