# SPDX-License-Identifier: Apache-2.0
"""Mixtures of experts: routers, dispatch, capacity, ragged products."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import ints, program

GROUP = "mixture of experts"
TOKENS, SIZE, EXPERTS = 32, 8, 4
X, ROUTER, W1, W2 = (TOKENS, SIZE), (SIZE, EXPERTS), (EXPERTS, SIZE, 16), (EXPERTS, 16, SIZE)


@program(GROUP, X, ROUTER)
def top_k_router(x, router):
    weights, experts = lax.top_k(jax.nn.softmax(x @ router), 2)
    return weights / weights.sum(-1, keepdims=True), experts


@program(GROUP, X, ROUTER, W1, W2)
def dense_mixture(x, router, w1, w2):
    gates = jax.nn.softmax(x @ router)
    hidden = jax.nn.gelu(jnp.einsum("td,edh->teh", x, w1))
    return jnp.einsum("teh,ehd,te->td", hidden, w2, gates)


@program(GROUP, X, ROUTER, W1, W2)
def dispatch_by_one_hot(x, router, w1, w2):
    gates = jax.nn.softmax(x @ router)
    chosen = jax.nn.one_hot(jnp.argmax(gates, -1), EXPERTS)
    position = jnp.cumsum(chosen, 0) * chosen - 1
    dispatch = chosen[..., None] * jax.nn.one_hot(position.astype(jnp.int32), 12)
    inputs = jnp.einsum("tec,td->ecd", dispatch, x)
    out = jnp.einsum("ech,ehd->ecd", jax.nn.silu(jnp.einsum("ecd,edh->ech", inputs, w1)), w2)
    return jnp.einsum("tec,ecd,te->td", dispatch, out, gates)


@program(GROUP, X, ROUTER, W1)
def sort_and_ragged_dot(x, router, w1):
    expert = jnp.argmax(x @ router, -1)
    order = jnp.argsort(expert)
    sizes = jnp.bincount(expert, length=EXPERTS)
    out = lax.ragged_dot(x[order], w1, sizes)
    return jnp.zeros_like(out).at[order].set(out)


@program(GROUP, X, W1, ints(0, 9, EXPERTS))
def ragged_dot_gradient(x, w1, sizes):
    return jax.grad(lambda x, w: jnp.sum(lax.ragged_dot(x, w, sizes) ** 2), (0, 1))(x, w1)


@program(GROUP, X, ROUTER)
def load_balancing_loss(x, router):
    def loss(router):
        probabilities = jax.nn.softmax(x @ router)
        _, experts = lax.top_k(probabilities, 2)
        share = jax.nn.one_hot(experts, EXPERTS).sum(1).mean(0)
        z = jax.nn.logsumexp(x @ router, -1)
        return EXPERTS * jnp.sum(share * probabilities.mean(0)) + 1e-3 * jnp.mean(z ** 2)
    return jax.value_and_grad(loss)(router)


@program(GROUP, X, ROUTER, W1, W2)
def expert_choice_routing(x, router, w1, w2):
    scores = jax.nn.softmax(x @ router).T
    gate, token = lax.top_k(scores, 8)
    picked = x[token]
    out = jnp.einsum("ech,ehd->ecd", jax.nn.relu(jnp.einsum("ecd,edh->ech", picked, w1)), w2)
    return jnp.zeros_like(x).at[token.reshape(-1)].add((out * gate[..., None]).reshape(-1, SIZE))


@program(GROUP, X, ROUTER, W1, W2)
def mixture_gradient(x, router, w1, w2):
    def loss(router, w1, w2):
        weight, expert = lax.top_k(jax.nn.softmax(x @ router), 2)
        hidden = jnp.einsum("td,tkdh->tkh", x, w1[expert])
        out = jnp.einsum("tkh,tkhd->tkd", jax.nn.silu(hidden), w2[expert])
        return jnp.mean(jnp.einsum("tkd,tk->td", out, weight) ** 2)
    return jax.value_and_grad(loss, (0, 1, 2))(router, w1, w2)


@program(GROUP, X, W1)
def switch_over_experts(x, w1):
    """One expert a token, by a branch."""
    branches = [lambda a, i=i: a @ w1[i] for i in range(EXPERTS)]
    return lax.map(lambda t: lax.switch((t[0] * 4).astype(jnp.int32) % EXPERTS, branches, t), x)


@program(GROUP, X, ROUTER)
def noisy_top_k(x, router):
    noise = jax.random.normal(jax.random.key(3), (TOKENS, EXPERTS))
    logits = x @ router + 0.1 * noise
    threshold = lax.top_k(logits, 2)[0][:, -1:]
    return jax.nn.softmax(jnp.where(logits >= threshold, logits, -jnp.inf))
