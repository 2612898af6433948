# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of this folder: a scan that keeps the activation of each layer for a backward
scan, on the chip (kept.mlir) or in host memory (offloaded.mlir), and the same offloaded by a policy
of jax.checkpoint (remat.mlir). JAX 0.10.2."""
import os
import pathlib

os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jax.ad_checkpoint import checkpoint_name  # noqa: E402

LAYERS, ROWS, WIDTH = 4, 256, 64
WEIGHTS = jax.ShapeDtypeStruct((LAYERS, WIDTH, WIDTH), jnp.float32)
INPUT = jax.ShapeDtypeStruct((ROWS, WIDTH), jnp.float32)


def step(keep, fetch):
    def run(weights, x):
        def forward(carry, weight):
            carry = jnp.tanh(carry @ weight)
            return carry, keep(carry)

        y, kept = lax.scan(forward, x, weights)

        def backward(gradient, layer):
            weight, activation = layer
            activation = fetch(activation)
            return ((1 - activation * activation) * gradient) @ weight.T, None

        gradient, _ = lax.scan(backward, y, (weights, kept), reverse=True)
        return gradient

    return run


def remat(weights, x):
    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=["activation"],
        offload_src="device", offload_dst="pinned_host")

    def layer(carry, weight):
        return jnp.tanh(checkpoint_name(jnp.sin(carry @ weight), "activation")), None

    def loss(weights):
        y, _ = lax.scan(jax.checkpoint(layer, policy=policy), x, weights)
        return (y * y).mean()

    return jax.value_and_grad(loss)(weights)


def write(name, function):
    text = jax.jit(function).trace(WEIGHTS, INPUT).lower(lowering_platforms=("tpu",)).as_text()
    (pathlib.Path(__file__).parent / f"{name}.mlir").write_text(text)


write("kept", step(lambda y: y, lambda y: y))
write("offloaded", step(lambda y: jax.device_put(y, jax.memory.Space.Host),
                        lambda y: jax.device_put(y, jax.memory.Space.Device)))
write("remat", remat)
