# SPDX-License-Identifier: Apache-2.0
"""Steps that are parallel over data alone. See generate.py."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P
from step_kit import GLOBAL, PARTIAL, LOCAL, F32, X, program, STEP, MASKED, row_losses, hits

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
