# SPDX-License-Identifier: Apache-2.0
"""One training step of a transformer block, parallelised in five ways by shardings alone. The table
of docs/global-view.md is about these programs.

    python transformer_ways.py OUT      writes the program folders OUT/dp, OUT/tp, ...
"""
from __future__ import annotations

import pathlib
import sys
from typing import Any

import global_kit as programs
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

# Sizes: sequences, tokens of one, width of the model, heads, width of the hidden layer.
B, S, D, H, F = 8, 16, 32, 8, 64
SHAPES = {"qkv": (3, D, H, D // H), "out": (H, D // H, D), "up": (D, F), "down": (F, D)}

# Per way: mesh, shardings of the parameters in the order of SHAPES, of a batch [B, S, D], and of the
# activations between the blocks.
WAYS: dict[str, tuple[dict[str, int], tuple[P, ...], P, P]] = {
    "dp": ({"data": 8}, (P(), P(), P(), P()), P("data"), P("data")),
    "tp": ({"model": 8},
           (P(None, None, "model"), P("model"), P(None, "model"), P("model")), P(), P()),
    "fsdp": ({"fsdp": 8},
             (P(None, "fsdp"), P(None, None, "fsdp"), P("fsdp"), P(None, "fsdp")),
             P("fsdp"), P("fsdp")),
    "dp_tp": ({"data": 2, "model": 4},
              (P(None, None, "model"), P("model"), P(None, "model"), P("model")),
              P("data"), P("data")),
    "sp": ({"model": 8},
           (P(None, None, "model"), P("model"), P(None, "model"), P("model")),
           P(None, "model"), P(None, "model")),
}


def step_of(mesh: Any, between: P, params: tuple[P, ...]) -> Any:
    def keep(x: Any) -> Any:
        return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, between))

    def loss(weights: tuple[Any, ...], x: Any, y: Any) -> Any:
        qkv, out, up, down = weights
        q, k, v = jnp.einsum("bsd,tdhe->tbshe", x, qkv)
        scores = jnp.einsum("bqhe,bkhe->bhqk", q, k) / np.sqrt(D // H)
        mixed = jnp.einsum("bhqk,bkhe->bqhe", jax.nn.softmax(scores), v)
        x = keep(x + jnp.einsum("bqhe,hed->bqd", mixed, out))
        x = keep(x + jax.nn.relu(x @ up) @ down)
        return jnp.mean((x - y) ** 2)

    def step(weights: tuple[Any, ...], x: Any, y: Any) -> Any:
        value, slopes = jax.value_and_grad(loss)(weights, x, y)
        return tuple(w - 0.1 * g for w, g in zip(weights, slopes)), value
    places = tuple(NamedSharding(mesh, spec) for spec in params)
    return step, places


def build(name: str) -> tuple[Any, tuple[Any, ...]]:
    sizes, params, batch, between = WAYS[name]
    mesh = programs.make_mesh(tuple(sizes.values()), tuple(sizes))
    step, places = step_of(mesh, between, params)
    tokens = NamedSharding(mesh, batch)
    weights = tuple(programs.normal(i, *shape) * 0.1 for i, shape in enumerate(SHAPES.values()))
    function = jax.jit(step, in_shardings=(places, tokens, tokens), out_shardings=(places, None))
    return function, (weights, programs.normal(8, B, S, D), programs.normal(9, B, S, D))


def main() -> None:
    out = pathlib.Path(sys.argv[1])
    for name in WAYS:
        function, args = build(name)
        programs.write_program(out / name, name, function, args)


if __name__ == "__main__":
    main()
