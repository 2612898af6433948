# SPDX-License-Identifier: Apache-2.0
"""Metrics that are wrong on purpose: they look healthy, and the verdicts say why they are not.

`accuracy` is reduced as it should be. `loss` is that of one chip. `perplexity` is the mean of the
chips' perplexities, which is not the perplexity of the mean loss.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

import understudy


def evaluate_on_a_chip(weights, x, labels):
    scores = jax.nn.log_softmax(x @ weights)
    loss = -jnp.mean(jnp.take_along_axis(scores, labels[:, None], axis=1))
    correct = jnp.mean(jnp.argmax(scores, axis=1) == labels)
    return {
        "accuracy": jax.lax.pmean(correct, "data"),
        "loss": loss,  # read before it was reduced
        "perplexity": jax.lax.pmean(jnp.exp(loss), "data"),
    }


def evaluate(weights, x, labels):
    return jax.shard_map(evaluate_on_a_chip, in_specs=(P(), P("data"), P("data")), out_specs=P(),
                         check_vma=False)(weights, x, labels)


def main():
    draw = np.random.default_rng(0)
    weights = draw.normal(size=(8, 5)).astype(np.float32)
    x = draw.normal(size=(32, 8)).astype(np.float32)
    labels = draw.integers(5, size=32).astype(np.int32)

    report = understudy.metrics(evaluate, weights, x, labels, mesh={"data": 4})
    for verdict in report.verdicts:
        print(f"{verdict.name}: {verdict.verdict}: {verdict.reason}")
    for warning in report.warnings:
        print(f"warning: {warning.result}: {warning.pattern}: {warning.text}")


if __name__ == "__main__":
    main()
