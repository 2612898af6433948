#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes programs/: the programs of the rungs of default.json, lowered by JAX, with JAX's results.

One folder per rung and number of chips: programs/dense/8. A folder holds the StableHLO text, its
arguments, and the results of the steps in its manifest, with carried results. Needs JAX (0.10.2 for
the stored programs); run it again after a change and commit its output.
"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=32"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  (the flags must be set before)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

from layers import (  # noqa: E402
    ADAMW, EXPERT_SPECS, HEADS, LENGTH, WIDTH, adamw, attention_layer, attention_params,
    dense_layer, dense_params, drawn, expert_layer, expert_params, recurrent_layer,
    recurrent_params)
from lowering import ADAMW_NEAR, HYBRID_NEAR, lowered, write  # noqa: E402

# Products of f32 are f32 in both numerics modes, so the goldens hold in both.
jax.config.update("jax_default_matmul_precision", "highest")

CHIPS = (1, 2, 4, 8, 16, 32)
RATE = 0.1
TRAIN_STEPS = 3
CANARY_STEPS = 20
BAKED_CHIPS = 4  # of the canary that must fail


def all_same(tree):
    return jax.tree.map(lambda _: P(), tree)


def gradient_step(loss_of, axes):
    """SGD; gradients and loss are means over `axes`."""

    def step(params, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(params, x, y)
        params = jax.tree.map(lambda p, g: p - RATE * lax.pmean(g, axes), params, gradients)
        return params, lax.pmean(loss, axes)

    return step


def dense(chips):
    params = dense_params(1)
    x, y = drawn(4, 2 * chips, WIDTH, scale=1), drawn(5, 2 * chips, WIDTH, scale=1)
    step = gradient_step(lambda p, x, y: jnp.mean((dense_layer(p, x) - y) ** 2), "data")
    specs = all_same(params)
    write("dense", chips, "Two dense layers; batch over data, gradients and loss all-reduced.",
          {"data": chips}, step, (params, x, y), (specs, P("data"), P("data")), (specs, P()),
          carried=1, steps=TRAIN_STEPS)


def dense_short(chips):
    """The same model with half the batch, as the last one of an epoch has it."""
    params = dense_params(1)
    x, y = drawn(6, chips, WIDTH, scale=1), drawn(7, chips, WIDTH, scale=1)
    step = gradient_step(lambda p, x, y: jnp.mean((dense_layer(p, x) - y) ** 2), "data")
    specs = all_same(params)
    write("dense_short", chips, "The dense step with half the batch: another program.",
          {"data": chips}, step, (params, x, y), (specs, P("data"), P("data")), (specs, P()),
          carried=1)


def split_of(chips):
    """Chips as (data, model): heads over model, at most four of them."""
    model = min(chips, HEADS) if chips != 4 else 2
    return chips // model, model


def attention(chips):
    data, model = split_of(chips)
    params = attention_params(11)
    specs = {"scale": P(), "wq": P(None, "model"), "wk": P(None, "model"), "wv": P(None, "model"),
             "wo": P("model")}
    x, y = (drawn(s, 2 * data, LENGTH, WIDTH, scale=1) for s in (15, 16))

    # The transpose of psum is psum here: what a chip alone holds gets its gradient once from each
    # chip of "model". Of the scale, which all hold, every chip has one of as many parts.
    def add_heads(part):
        return lax.psum(part, "model")

    def loss_of(p, x, y):
        return jnp.mean((attention_layer(p, x, add_heads) - y) ** 2)

    def step(p, x, y):
        loss, g = jax.value_and_grad(loss_of)(p, x, y)
        g = {name: lax.pmean(value, "data") / (1 if name == "scale" else model)
             for name, value in g.items()}
        g["scale"] = lax.pmean(g["scale"], "model")
        return jax.tree.map(lambda a, b: a - RATE * b, p, g), lax.pmean(loss, ("data", "model"))

    write("attention", chips, "Causal attention; heads over model, batch over data.",
          {"data": data, "model": model}, step, (params, x, y), (specs, P("data"), P("data")),
          (specs, P()), carried=1, steps=TRAIN_STEPS)


def recurrent(chips):
    params = recurrent_params(21)
    x, y = (drawn(s, chips, LENGTH, WIDTH, scale=1) for s in (25, 26))
    step = gradient_step(lambda p, x, y: jnp.mean((recurrent_layer(p, x) - y) ** 2), "data")
    specs = all_same(params)
    write("recurrent", chips, "A gated recurrence over time, a while loop both ways; batch over data.",
          {"data": chips}, step, (params, x, y), (specs, P("data"), P("data")), (specs, P()),
          carried=1, steps=TRAIN_STEPS)


def expert_gradients(gradients, chips, axis):
    """What a chip alone holds got a share from each token; the rest is a mean over chips."""
    return {name: (g / chips if name in ("w1", "w2") else lax.pmean(g, axis))
            for name, g in gradients.items()}


def expert(chips):
    params = expert_params(31, chips)
    tokens = 8
    x, y = (drawn(s, tokens * chips, WIDTH, scale=1) for s in (35, 36))

    def step(p, x, y):
        def loss_of(p):
            return jnp.mean((expert_layer(p, x, "expert", chips) - y) ** 2)

        loss, g = jax.value_and_grad(loss_of)(p)
        g = expert_gradients(g, chips, "expert")
        return jax.tree.map(lambda a, b: a - RATE * b, p, g), lax.pmean(loss, "expert")

    write("expert", chips, "A mixture of experts, one on each chip; tokens go there by all_to_all.",
          {"expert": chips}, step, (params, x, y), (EXPERT_SPECS, P("expert"), P("expert")),
          (EXPERT_SPECS, P()), carried=1, steps=TRAIN_STEPS)


def canary_step(count_and_constants):
    """`count_and_constants` says what the update takes for them: arrays or Python numbers."""

    def step(params, first, second, count, x, y, *constants):
        def loss_of(p):
            return jnp.mean((jnp.tanh(x @ p["w"]) - y) ** 2)

        loss, g = jax.value_and_grad(loss_of)(params)
        g = jax.tree.map(lambda one: lax.pmean(one, "data"), g)
        number, c = count_and_constants(count + 1, constants)
        params, first, second = adamw(params, g, first, second, number, c)
        return params, first, second, count + 1, lax.pmean(loss, "data")

    return step


def adamw_canaries(chips):
    params = {"w": drawn(41, WIDTH, WIDTH)}
    zeros = jax.tree.map(np.zeros_like, params)
    x, y = (drawn(s, 2 * chips, WIDTH, scale=1) for s in (42, 43))
    specs, state = all_same(params), (params, zeros, zeros, np.float32(0))
    in_specs = (specs, specs, specs, P(), P("data"), P("data"))
    out_specs = (specs, specs, specs, P(), P())
    names = list(ADAMW)
    scalars = tuple(np.float32(ADAMW[name]) for name in names)
    tensors = canary_step(lambda count, c: (count, dict(zip(names, c))))
    write("adamw", chips, "AdamW whose scalars are tensors: one program for all steps.",
          {"data": chips}, tensors, (*state, x, y, *scalars), in_specs + (P(),) * len(names),
          out_specs, carried=4, steps=CANARY_STEPS, near=ADAMW_NEAR)
    if chips != BAKED_CHIPS:
        return

    def baked(index):  # the count is a Python number, so all that is made of it is a constant
        return canary_step(lambda count, _: (index + 1, ADAMW))

    write("adamw_baked", chips,
          "AdamW whose step count is a constant: another program in every step.",
          {"data": chips}, baked(0), (*state, x, y), in_specs, out_specs, carried=4,
          steps=CANARY_STEPS, near=ADAMW_NEAR,
          text_of_step=lambda index, mesh: lowered(baked(index), mesh, (*state, x, y), in_specs,
                                                   out_specs))


def hybrid(chips):
    data, experts = split_of(chips)
    params = {"att": attention_params(51), "ssm": recurrent_params(61),
              "moe": expert_params(71, experts)}
    specs = {"att": all_same(params["att"]), "ssm": all_same(params["ssm"]), "moe": EXPERT_SPECS}
    zeros = jax.tree.map(np.zeros_like, params)
    x, y = (drawn(s, chips, LENGTH, WIDTH, scale=1) for s in (75, 76))
    names, both = list(ADAMW), ("data", "expert")
    scalars = tuple(np.float32(ADAMW[name]) for name in names)

    def step(p, first, second, count, x, y, *constants):
        def loss_of(p):
            h = attention_layer(p["att"], x, lambda part: part)
            h = recurrent_layer(p["ssm"], h)
            h = expert_layer(p["moe"], h.reshape(-1, WIDTH), "expert", experts).reshape(h.shape)
            return jnp.mean((h - y) ** 2)

        loss, g = jax.value_and_grad(loss_of)(p)
        g["moe"] = {name: lax.pmean(one, "data") if name != "router" else one
                    for name, one in expert_gradients(g["moe"], experts, both).items()}
        for layer in ("att", "ssm"):
            g[layer] = jax.tree.map(lambda one: lax.pmean(one, both), g[layer])
        p, first, second = adamw(p, g, first, second, count + 1, dict(zip(names, constants)))
        return p, first, second, count + 1, lax.pmean(loss, both)

    in_specs = (specs, specs, specs, P(), P(both), P(both)) + (P(),) * len(names)
    write("hybrid", chips, "Attention, recurrence and experts in one step of AdamW.",
          {"data": data, "expert": experts}, step,
          (params, zeros, zeros, np.float32(0), x, y, *scalars), in_specs,
          (specs, specs, specs, P(), P()), carried=4, steps=TRAIN_STEPS, near=HYBRID_NEAR)


def communication(chips):
    """Whole numbers, so that sums are exact in every order: all algorithms must give the same."""
    down, along = split_of(chips)
    numbers = np.random.default_rng(81).integers(-8, 9, (4 * chips, WIDTH)).astype(np.float32)

    def step(x):
        whole = lax.psum(x, ("down", "along"))
        rows = lax.psum(x, "along")
        gathered = lax.all_gather(x, "down", tiled=True)
        scattered = lax.psum_scatter(gathered, "down", tiled=True)
        crossed = lax.all_to_all(x, "along", 1, 0, tiled=True)
        ring = [(i, (i + 1) % along) for i in range(along)]
        passed = lax.ppermute(x, "along", ring)
        highest = lax.pmax(jnp.max(x), ("down", "along"))
        return whole, rows, scattered, crossed, passed, highest

    each = P(("down", "along"))
    write("communication", chips, "Every kind of collective over one and two axes of the slice.",
          {"down": down, "along": along}, step, (numbers,), (each,),
          (P(), P("down"), each, P("down", "along"), each, P()), near=0)


def main():
    for chips in CHIPS:
        for rung in (dense, communication, attention, recurrent, expert, adamw_canaries, hybrid):
            rung(chips)
    dense_short(BAKED_CHIPS)


if __name__ == "__main__":
    main()
