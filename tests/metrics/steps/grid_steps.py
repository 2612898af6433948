# SPDX-License-Identifier: Apache-2.0
"""Steps over several axes, pipelines and hosts, and data that select. See generate.py."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P
from step_kit import (GLOBAL, PARTIAL, LOCAL, OWN, F32, X, Y, W1, W2, GRID, PIPE, HOSTS, program,
                      row_losses)

# ---- several axes -------------------------------------------------------------------------------

TENSOR = dict(specs=(P("data"), P("data"), P(None, "model"), P("model")), arguments=(X, Y, W1, W2),
              mesh=GRID)


def tensor_parallel_losses(x, y, w1, w2):
    scores = lax.psum(jax.nn.relu(x @ w1) @ w2, "model")
    labels = jax.nn.one_hot(jnp.argmax(y, axis=1), 4)
    return -jnp.sum(jax.nn.log_softmax(scores) * labels, axis=1)


@program([GLOBAL], **TENSOR)
def tensor_parallel_step(x, y, w1, w2):
    return lax.pmean(jnp.mean(tensor_parallel_losses(x, y, w1, w2)), "data")


@program([LOCAL], "reduced_twice", **TENSOR)
def reduced_over_model_only(x, y, w1, w2):
    return lax.psum(jnp.sum(tensor_parallel_losses(x, y, w1, w2)), "model")


@program([LOCAL], **TENSOR)
def missing_over_model(x, y, w1, w2):
    return lax.pmean(jnp.sum(jax.nn.relu(x @ w1) @ w2), "data")


@program([PARTIAL], counts=("data=0",), **TENSOR)
def tensor_parallel_loss_of_the_first_rows(x, y, w1, w2):
    loss = jnp.mean(tensor_parallel_losses(x, y, w1, w2))
    return lax.psum(jnp.where(lax.axis_index("data") == 0, loss, 0.0), "data")


@program([PARTIAL], counts=("model=0",), specs=(P("data"), P(None, "model")), arguments=(X, W1),
         mesh=GRID)
def half_of_the_weights(x, w1):
    hidden = jnp.sum((x @ w1) ** 2)
    hidden = lax.psum(jnp.where(lax.axis_index("model") == 0, hidden, 0.0), "model")
    return lax.pmean(hidden, "data")


@program([GLOBAL], mesh=GRID)
def replicated_over_model(x):
    once = jnp.where(lax.axis_index("model") == 0, jnp.sum(x), 0.0)  # counts each row once
    return lax.psum(once, ("data", "model"))


@program([OWN, OWN, GLOBAL], specs=(P("data"), P("data"), P("data"), P("data")),
         arguments=(X, Y, W1, W2), out=(P("data"), P("data"), P()))
def fully_sharded_step(x, y, w1, w2):
    whole = [lax.all_gather(w, "data", tiled=True) for w in (w1, w2)]
    loss, grads = jax.value_and_grad(lambda p: jnp.mean(row_losses(x, y, *p)))(whole)
    shards = [lax.psum_scatter(g, "data", tiled=True) / 4 for g in grads]
    return w1 - 0.1 * shards[0], w2 - 0.1 * shards[1], lax.pmean(loss, "data")


@program([LOCAL], specs=(P("data"), P("data")), arguments=(X, W1))
def norm_of_sharded_gradients(x, w1):
    return jnp.sqrt(jnp.sum(w1 * w1) + 0.0 * jnp.sum(x))


# ---- pipelines: the data of all stages pass through the last one --------------------------------

STAGES = jax.ShapeDtypeStruct((4, 8, 8), F32)
PIPELINE = dict(specs=(P("data"), P("stage")), arguments=(X, STAGES), mesh=PIPE)


def pipeline(x, weights):
    """Microbatches of 2 rows through 4 stages; what the last stage has at the end of each tick."""
    stage, batches = lax.axis_index("stage"), x.reshape(4, 2, 8)

    def tick(state, t):
        entering = batches[jnp.minimum(t, 3)]
        state = jnp.tanh(jnp.where(stage == 0, entering, state) @ weights[0])
        return lax.ppermute(state, "stage", [(i, (i + 1) % 4) for i in range(4)]), state
    _, states = lax.scan(tick, jnp.zeros((2, 8)), jnp.arange(7))
    return states[3:]


@program([GLOBAL], **PIPELINE)
def pipeline_loss(x, weights):
    loss = jnp.mean(pipeline(x, weights) ** 2)
    loss = lax.psum(jnp.where(lax.axis_index("stage") == 3, loss, 0.0), "stage")
    return lax.pmean(loss, "data")


@program([LOCAL], **PIPELINE)
def pipeline_loss_of_each_stage(x, weights):
    return lax.pmean(jnp.mean(pipeline(x, weights) ** 2), "data")


@program([PARTIAL], counts=("stage=0",), **PIPELINE)
def pipeline_loss_of_the_first_stage(x, weights):
    stage = lax.axis_index("stage")
    loss = jnp.mean(jnp.tanh(x @ weights[0]) ** 2)
    return lax.pmean(lax.psum(jnp.where(stage == 0, loss, 0.0), "stage"), "data")


@program([PARTIAL], counts=("data=1",), **PIPELINE)
def pipeline_loss_of_one_replica(x, weights):
    loss = jnp.mean(pipeline(x, weights) ** 2)
    last = (lax.axis_index("stage") == 3) & (lax.axis_index("data") == 1)
    return lax.psum(jnp.where(last, loss, 0.0), ("data", "stage"))


# ---- hosts --------------------------------------------------------------------------------------

BY_HOST = dict(specs=(P(("host", "chip")),), mesh=HOSTS)


@program([LOCAL], **BY_HOST)
def mean_of_each_host(x):
    return lax.pmean(jnp.mean(x), "chip")


@program([GLOBAL], **BY_HOST)
def mean_of_the_means_of_hosts(x):
    return lax.pmean(lax.pmean(jnp.mean(x), "chip"), "host")


@program([PARTIAL], counts=("host=0",), **BY_HOST)
def mean_of_the_first_host_sent_to_all(x):
    mean = lax.pmean(jnp.mean(x), "chip")
    return lax.psum(jnp.where(lax.axis_index("host") == 0, mean, 0.0), "host")


@program([PARTIAL], counts=("host=0 chip=0",), **BY_HOST)
def one_to_all(x):
    first = (lax.axis_index("host") == 0) & (lax.axis_index("chip") == 0)
    return lax.psum(jnp.where(first, jnp.sum(x, axis=0), 0.0), ("host", "chip"))


@program([LOCAL])
def mean_over_half_of_the_chips(x):
    return lax.psum(jnp.mean(x), "data", axis_index_groups=[[0, 1], [2, 3]]) / 2


# ---- data that select ---------------------------------------------------------------------------

@program([GLOBAL], specs=(P("data"), P("model")), arguments=(X, W2), mesh=GRID)
def vocabulary_in_shards(x, table):
    tokens = jnp.argmax(x, axis=1) % 8  # all rows are in the first shard of the table
    first = lax.axis_index("model") * table.shape[0]
    inside = (tokens >= first) & (tokens < first + table.shape[0])
    rows = jnp.where(inside[:, None], table[jnp.clip(tokens - first, 0, table.shape[0] - 1)], 0.0)
    return lax.pmean(jnp.mean(lax.psum(rows, "model") ** 2), "data")


@program([GLOBAL])
def median(x):
    return jnp.sort(lax.all_gather(jnp.sum(x), "data"))[2]
