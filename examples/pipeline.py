# SPDX-License-Identifier: Apache-2.0
"""Pipeline: each chip has one layer; microbatches travel from chip to chip.

In every tick a chip applies its layer to what the previous chip sent. After (microbatches + chips
- 1) ticks all microbatches have left the last chip. Only that chip knows the loss: it must be
summed over the stages, or all other chips report zero.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

import understudy

STAGES, MICROBATCHES, WIDTH = 4, 6, 8
MESH = {"stage": STAGES}


def loss_of_a_chip(layer, batches, targets):
    """layer [1, WIDTH, WIDTH]; batches, targets [MICROBATCHES, rows, WIDTH] on every chip."""
    stage = jax.lax.axis_index("stage")
    onward = [(i, i + 1) for i in range(STAGES - 1)]

    def tick(carry, now):
        received, loss = carry
        fed = batches[jnp.minimum(now, MICROBATCHES - 1)]
        out = jnp.tanh(jnp.where(stage == 0, fed, received) @ layer[0])
        done = now - (STAGES - 1)  # the microbatch that leaves the last chip
        error = jnp.mean((out - targets[jnp.maximum(done, 0)]) ** 2)
        loss += jnp.where((stage == STAGES - 1) & (done >= 0), error, 0.0)
        return (jax.lax.ppermute(out, "stage", onward), loss), None

    start = jnp.zeros_like(batches[0]), jnp.zeros(())
    (_, loss), _ = jax.lax.scan(tick, start, jnp.arange(MICROBATCHES + STAGES - 1))
    return {"loss": jax.lax.psum(loss, "stage") / MICROBATCHES}


def loss(layers, batches, targets):
    return jax.shard_map(loss_of_a_chip, in_specs=(P("stage"), P(), P()), out_specs=P(),
                         check_vma=False)(layers, batches, targets)


def main():
    draw = np.random.default_rng(0)
    layers = (0.5 * draw.normal(size=(STAGES, WIDTH, WIDTH))).astype(np.float32)
    batches, targets = draw.normal(size=(2, MICROBATCHES, 3, WIDTH)).astype(np.float32)
    result = understudy.run(loss, layers, batches, targets, mesh=MESH)
    print(f"{result.slice}: loss {result.values['loss']:.4f}, ok: {result.verdict('loss').ok}")
    report = understudy.metrics(loss, layers, batches, targets, mesh=MESH)
    print(f"the loss is {report.verdict('loss').verdict}")


if __name__ == "__main__":
    main()
