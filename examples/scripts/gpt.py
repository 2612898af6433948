# SPDX-License-Identifier: Apache-2.0
"""GPT-style training with jit and NamedSharding: data parallel over the axis `data`, heads and
hidden layer over the axis `model`, a scan over layers with rematerialisation, AdamW by hand.

    understudy run --slice v6e-4 -- python examples/scripts/gpt.py --steps 10
    understudy run --slice v6e-8 --hosts 2 -- python examples/scripts/gpt.py --distributed

Needs JAX only, and knows nothing of understudy.
"""
import argparse
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=5)
parser.add_argument("--out", help="write losses and parameters to this .npz file")
parser.add_argument("--distributed", action="store_true", help="on several hosts")
arguments = parser.parse_args()
if arguments.distributed:
    jax.distributed.initialize()

LAYERS, WIDTH, HEADS, TOKENS, BATCH, WORDS = 2, 32, 4, 16, 8, 64
chips = jax.device_count()
mesh = jax.make_mesh((chips // 2, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def placed(*axes):
    return NamedSharding(mesh, P(*axes))


SHARDINGS = {
    "words": placed("model", None), "positions": placed(), "scale": placed(),
    "layers": {"qkv": placed(None, None, "model"), "out": placed(None, "model", None),
               "up": placed(None, None, "model"), "down": placed(None, "model", None),
               "scale": placed()}}


@partial(jax.jit, out_shardings=SHARDINGS)
def parameters(key):
    keys = jax.random.split(key, 6)
    shapes = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH),
              "down": (4 * WIDTH, WIDTH)}
    layers = {name: 0.1 * jax.random.normal(one, (LAYERS, *shape))
              for one, (name, shape) in zip(keys, shapes.items())}
    return {"words": 0.1 * jax.random.normal(keys[4], (WORDS, WIDTH)),
            "positions": 0.1 * jax.random.normal(keys[5], (TOKENS, WIDTH)),
            "scale": jnp.ones(WIDTH), "layers": {**layers, "scale": jnp.ones((LAYERS, 2, WIDTH))}}


def norm(x, scale):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale


@jax.checkpoint
def layer(x, p):
    q, k, v = jnp.split(norm(x, p["scale"][0]) @ p["qkv"], 3, -1)
    q, k, v = (t.reshape(*t.shape[:2], HEADS, -1) for t in (q, k, v))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(WIDTH // HEADS)
    scores = jnp.where(np.tril(np.ones((TOKENS, TOKENS), bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(x.shape)
    x = jax.lax.with_sharding_constraint(x + mixed @ p["out"], placed("data", None, None))
    return x + jax.nn.gelu(norm(x, p["scale"][1]) @ p["up"]) @ p["down"], None


def loss_of(p, tokens):
    x = p["words"][tokens[:, :-1]] + p["positions"]
    x, _ = jax.lax.scan(layer, x, p["layers"])
    scores = jax.nn.log_softmax(norm(x, p["scale"]) @ p["words"].T)
    return -jnp.mean(jnp.take_along_axis(scores, tokens[:, 1:, None], -1))


@partial(jax.jit, donate_argnums=(0, 1))
def step(p, state, tokens):
    loss, gradient = jax.value_and_grad(loss_of)(p, tokens)
    count, first, second = state
    count = count + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, second, gradient)
    p = jax.tree.map(lambda w, m, v: w - 3e-3 * (m / (1 - 0.9**count) / (
        jnp.sqrt(v / (1 - 0.99**count)) + 1e-4) + 0.01 * w), p, first, second)
    return p, (count, first, second), loss


p = parameters(jax.random.key(0))
state = (jnp.float32(0), jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p))
rng, losses = np.random.default_rng(0), []
for number in range(arguments.steps):
    batch = rng.integers(0, WORDS, (BATCH, TOKENS + 1)).astype(np.int32)
    tokens = jax.make_array_from_callback(batch.shape, placed("data", None), lambda i: batch[i])
    p, state, loss = step(p, state, tokens)
    losses.append(float(loss))
    if jax.process_index() == 0:
        print(f"step {number}: loss {losses[-1]:.4f}", flush=True)

if arguments.out:
    whole = jax.jit(lambda p: p, out_shardings=placed())(p)
    if jax.process_index() == 0:
        leaves = {jax.tree_util.keystr(path): np.asarray(leaf)
                  for path, leaf in jax.tree_util.tree_leaves_with_path(whole)}
        np.savez(arguments.out, losses=np.array(losses), **leaves)
