#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/metrics/steps/*.mlir: training and evaluation steps whose metrics are or are not
globally reduced, lowered by JAX through the package `understudy`.

The first line of each file states the expected output of `understudy metrics --fill random:1`: the
verdict of every result, then the patterns of its warnings; the second one the contributors of
partially reduced results. Table of all programs: README.md, written too.
usage: generate.py [NAME...]   needs JAX and PYTHONPATH=python
"""
import pathlib
import sys
import tempfile

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

import understudy

FOLDER = pathlib.Path(__file__).parent
GLOBAL, PARTIAL, LOCAL = "globally_reduced", "partially_reduced", "local"
OWN, LUCK = "not_applicable", "replicated_by_luck"
PROGRAMS = {}
F32 = jnp.float32
X = jax.ShapeDtypeStruct((16, 8), F32)
Y = jax.ShapeDtypeStruct((16, 4), F32)  # scores; the label of a row is its largest
W1 = jax.ShapeDtypeStruct((8, 16), F32)
W2 = jax.ShapeDtypeStruct((16, 4), F32)
MASK = jax.ShapeDtypeStruct((16,), F32)  # a row counts where it is positive
DATA = {"data": 4}
GRID = {"data": 4, "model": 2}
PIPE = {"data": 2, "stage": 4}
HOSTS = {"host": 2, "chip": 2}


def program(verdicts, *warnings, specs=(P("data"),), out=P(), arguments=(X,), mesh=None,
            counts=()):
    """counts: the contributors of each partially reduced result."""
    def add(function):
        PROGRAMS[function.__name__] = (function, verdicts, warnings, specs, out, arguments,
                                       mesh or DATA, counts)
        return function
    return add


STEP = dict(specs=(P("data"), P("data"), P(), P()), arguments=(X, Y, W1, W2))
MASKED = dict(specs=(P("data"), P("data")), arguments=(X, MASK))


def logits_of(x, w1, w2):
    return jax.nn.relu(x @ w1) @ w2


def row_losses(x, y, w1, w2):
    """Cross entropy of each row."""
    log_p = jax.nn.log_softmax(logits_of(x, w1, w2))
    labels = jax.nn.one_hot(jnp.argmax(y, axis=1), 4)
    return -jnp.sum(log_p * labels, axis=1)


def hits(x, y, w1, w2):
    return (jnp.argmax(logits_of(x, w1, w2), axis=1) == jnp.argmax(y, axis=1)).astype(F32)


# ---- data parallel ------------------------------------------------------------------------------

@program([GLOBAL, GLOBAL, GLOBAL, GLOBAL], out=(P(), P(), P(), P()), **STEP)
def sgd_step(x, y, w1, w2):
    loss, grads = jax.value_and_grad(
        lambda p: jnp.mean(row_losses(x, y, *p)))((w1, w2))
    grads = lax.pmean(grads, "data")
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in grads))
    return lax.pmean(loss, "data"), norm, w1 - 0.1 * grads[0], w2 - 0.1 * grads[1]


@program([LOCAL, GLOBAL, GLOBAL], "read_before_reduction", out=(P(), P(), P()), **STEP)
def norm_of_local_gradients(x, y, w1, w2):
    loss, grads = jax.value_and_grad(
        lambda p: jnp.mean(row_losses(x, y, *p)))((w1, w2))
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in grads))
    return norm, lax.pmean(loss, "data"), lax.pmean(norm, "data")


@program([GLOBAL, GLOBAL], out=(P(), P()), **STEP)
def accuracy_and_count(x, y, w1, w2):
    right = hits(x, y, w1, w2)
    count = lax.psum(jnp.int32(right.shape[0]) + (jnp.sum(x) > 1e9).astype(jnp.int32), "data")
    return lax.psum(jnp.sum(right), "data") / count.astype(F32), count


@program([LOCAL], **STEP)
def accuracy_of_one_chip(x, y, w1, w2):
    return jnp.mean(hits(x, y, w1, w2))


@program([GLOBAL], **MASKED)
def masked_mean(x, mask):
    keep = (mask > 0).astype(F32)
    rows = jnp.sum(x * x, axis=1) * keep
    return lax.psum(jnp.sum(rows), "data") / jnp.maximum(lax.psum(jnp.sum(keep), "data"), 1.0)


@program([GLOBAL], "mean_of_means", **MASKED)
def masked_mean_of_means(x, mask):
    keep = (mask > 0).astype(F32)
    return lax.pmean(jnp.sum(jnp.sum(x * x, axis=1) * keep) / jnp.sum(keep), "data")


@program([GLOBAL], "sum_of_means", **STEP)
def pmean_meant_psum_taken(x, y, w1, w2):
    return lax.psum(jnp.mean(row_losses(x, y, w1, w2)), "data")


@program([GLOBAL])
def gradient_norm_by_psum(x):
    return jnp.sqrt(lax.psum(jnp.sum(x * x), "data"))


@program([GLOBAL])
def largest_activation(x):
    return lax.pmax(jnp.max(jax.nn.relu(x)), "data")


@program([GLOBAL])
def smallest_row_norm(x):
    return lax.pmin(jnp.min(jnp.sum(x * x, axis=1)), "data")


@program([GLOBAL])
def log_sum_exp(x):
    top = lax.pmax(jnp.max(x), "data")
    return top + jnp.log(lax.psum(jnp.sum(jnp.exp(x - top)), "data"))


@program([GLOBAL, GLOBAL], out=(P(), P()))
def batch_norm_statistics(x):
    mean = lax.pmean(jnp.mean(x, axis=0), "data")
    return mean, lax.pmean(jnp.mean((x - mean) ** 2, axis=0), "data")


# ---- padding: not all rows count, and that is meant ---------------------------------------------

@program([GLOBAL])
def last_rows_are_padding(x):
    row = lax.axis_index("data") * x.shape[0] + jnp.arange(x.shape[0])
    keep = (row < 11).astype(F32)  # the last chip has padding only
    return lax.psum(jnp.sum(jnp.sum(x, axis=1) * keep), "data") / 11.0


@program([GLOBAL])
def last_rows_are_padding_by_select(x):
    row = lax.axis_index("data") * x.shape[0] + jnp.arange(x.shape[0])
    rows = jnp.where(row < 11, jnp.sum(x, axis=1), 0.0)
    return lax.psum(jnp.sum(rows), "data") / 11.0


@program([GLOBAL], specs=(P("data"), P("data")), arguments=(X, jax.ShapeDtypeStruct((4,), F32)))
def chips_without_rows(x, weight):
    keep = (weight[0] > 0.02).astype(F32)  # on some chips nothing counts with these data
    return lax.psum(jnp.sum(x) * keep, "data") / jnp.maximum(lax.psum(keep, "data"), 1.0)


# ---- only some chips' data count ----------------------------------------------------------------

@program([PARTIAL], counts=("data=0",), **STEP)
def loss_of_the_first_chip(x, y, w1, w2):
    loss = jnp.mean(row_losses(x, y, w1, w2))
    return lax.psum(jnp.where(lax.axis_index("data") == 0, loss, 0.0), "data")


@program([PARTIAL], counts=("data=0",), **STEP)
def loss_of_the_first_chip_by_a_factor(x, y, w1, w2):
    loss = jnp.mean(row_losses(x, y, w1, w2))
    return lax.psum(loss * (lax.axis_index("data") == 0), "data")


@program([PARTIAL], counts=("data=0",), **STEP)
def loss_of_the_first_chip_by_a_branch(x, y, w1, w2):
    loss = jnp.mean(row_losses(x, y, w1, w2))
    return lax.psum(lax.cond(lax.axis_index("data") == 0, lambda v: v, lambda v: v * 0, loss),
                    "data")


@program([PARTIAL], counts=("data=0",), **STEP)
def first_of_the_gathered(x, y, w1, w2):
    return lax.all_gather(jnp.mean(row_losses(x, y, w1, w2)), "data")[0]


@program([PARTIAL], counts=("data=0 to 2",))
def last_chip_forgotten(x):
    return lax.psum(jnp.where(lax.axis_index("data") < 3, jnp.sum(x), 0.0), "data") / 96.0


@program([PARTIAL], counts=("data=0,2",))
def every_second_chip(x):
    return lax.psum(jnp.where(lax.axis_index("data") % 2 == 0, jnp.sum(x), 0.0), "data") / 64.0


@program([PARTIAL], counts=("data=2",))
def gathered_times_a_constant(x):
    return jnp.dot(lax.all_gather(jnp.sum(x), "data"), jnp.array([0.0, 0.0, 1.0, 0.0]))


@program([PARTIAL], counts=("data=1",))
def selected_from_a_table(x):
    chosen = jnp.array([False, True, False, False])[lax.axis_index("data")]
    return lax.psum(jnp.where(chosen, jnp.sum(x), 0.0), "data")


@program([PARTIAL], counts=("data=3",))
def maximum_of_one_chip(x):
    value = jnp.where(lax.axis_index("data") == 3, jnp.max(x), -jnp.inf)
    return lax.pmax(value, "data")


@program([PARTIAL], counts=("data=0",))
def sent_from_the_first_chip(x):
    chip, value = lax.axis_index("data"), jnp.sum(x)
    for step in (1, 2):  # down a tree
        got = lax.ppermute(value, "data", [(i, i + step) for i in range(step)])
        value = jnp.where((chip >= step) & (chip < 2 * step), got, value)
    return value


@program([PARTIAL, GLOBAL], counts=("data=0",), out=(P(), P()))
def accumulated_on_the_first_chip(x):
    chip = lax.axis_index("data")

    def step(i, total):
        return total + jnp.where(chip == 0, jnp.sum(x) * i, 0.0)
    return (lax.psum(lax.fori_loop(0, 3, step, 0.0), "data"),
            lax.psum(jnp.sum(x), "data"))


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


def lowered(name):
    function, verdicts, warnings, specs, out, arguments, mesh, counts = PROGRAMS[name]

    def mapped(*values):
        return jax.shard_map(function, in_specs=specs, out_specs=out, check_vma=False)(*values)
    with tempfile.TemporaryDirectory() as folder:
        understudy.export(mapped, *arguments, mesh=mesh, out=folder)
        text = (pathlib.Path(folder) / "program.mlir").read_text()
    # Places of this machine are left out; the tests of the package look at them.
    text = "\n".join(line for line in _without_locations(text).splitlines() if line)
    head = f"// {' '.join(verdicts)}{' | ' + ' '.join(warnings) if warnings else ''}\n"
    return f"{head}// {'; '.join(counts)}\n{text}\n"


def _without_locations(text):
    import re
    text = re.sub(r"^#loc.*$", "", text, flags=re.MULTILINE)
    return re.sub(r' loc\((#loc\d*|"[^"]*"(\(#loc\d*\))?|unknown)\)', "", text)


def table():
    rows = ["# Steps with known verdicts", "",
            "`generate.py` writes these programs and this table. Warnings are in brackets.", "",
            "| program | mesh | verdicts | only these data count |", "|---|---|---|---|"]
    for name, (_, verdicts, warnings, _, _, _, mesh, counts) in PROGRAMS.items():
        text = ", ".join(verdicts) + (f" ({', '.join(warnings)})" if warnings else "")
        axes = ", ".join(f"{axis}={size}" for axis, size in mesh.items())
        rows.append(f"| `{name}` | {axes} | {text} | {'; '.join(counts)} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    for chosen in sys.argv[1:] or PROGRAMS:
        (FOLDER / f"{chosen}.mlir").write_text(lowered(chosen))
    (FOLDER / "README.md").write_text(table())
