#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/metrics/*.mlir: small SPMD programs with known verdicts, lowered by JAX.

Each program has one metric (and sometimes more results); the first line of its file states the
expected output of `understudy metrics --fill random:1`: the verdict of every result, then the
patterns of its warnings. usage: generate.py [NAME...]   needs JAX with eight forced host devices
"""
import os
import pathlib
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import Mesh, PartitionSpec as P  # noqa: E402

FOLDER = pathlib.Path(__file__).parent
GLOBAL, LOCAL, OWN = "globally_reduced", "local", "not_applicable"
LUCK, UNDECIDED = "replicated_by_luck", "undecided"
PROGRAMS = {}
X = jax.ShapeDtypeStruct((16, 8), jnp.float32)  # 4 x 2 chips: 4 rows each over "data"


def program(verdicts, *warnings, specs=(P("data"),), out=P(), arguments=(X,), mesh=(4, 2)):
    def add(function):
        PROGRAMS[function.__name__] = (function, verdicts, warnings, specs, out, arguments, mesh)
        return function
    return add


@program([GLOBAL])
def mean_of_the_whole(x):
    return lax.psum(jnp.sum(x * x), "data") / 128.0


@program([GLOBAL])
def mean_by_pmean(x):
    return lax.pmean(jnp.mean(x), "data")


@program([GLOBAL])
def ratio_of_sums(x):
    mask = (x > 0).astype(jnp.float32)
    return lax.psum(jnp.sum(x * mask), "data") / lax.psum(jnp.sum(mask), "data")


@program([LOCAL])
def never_reduced(x):
    return jnp.mean(x)


@program([LOCAL], "reduced_over_equal_axis")
def wrong_axis(x):
    return lax.psum(jnp.sum(x), "model")


@program([GLOBAL], "mean_of_means")
def mean_of_means(x):
    mask = (x > 0).astype(jnp.float32)
    return lax.pmean(jnp.sum(x * mask) / jnp.sum(mask), "data")


@program([LUCK])
def missing_in_one_branch(x):
    total = lax.psum(jnp.sum(x), "data")
    return lax.cond(total * total >= 0, lambda v: lax.psum(v, "data"), lambda v: v, jnp.sum(x))


@program([LOCAL])
def missing_in_the_taken_branch(x):
    total = lax.psum(jnp.sum(x), "data")
    return lax.cond(total * total >= 0, lambda v: v, lambda v: lax.psum(v, "data"), jnp.sum(x))


@program([GLOBAL])
def reduced_in_a_loop(x):
    return lax.fori_loop(0, 3, lambda i, s: s + lax.psum(jnp.sum(x) * i, "data"), 0.0)


@program([LOCAL])
def reduced_in_some_rounds(x):
    def step(i, s):
        return s + lax.cond(i % 2 == 0, lambda v: lax.psum(v, "data"), lambda v: v, jnp.sum(x))
    return lax.fori_loop(0, 3, step, 0.0)


@program([GLOBAL])
def gathered_then_summed(x):
    return jnp.sum(lax.all_gather(jnp.sum(x), "data"))


@program([LOCAL])
def depends_on_the_chip(x):
    return lax.psum(jnp.sum(x), "data") + lax.axis_index("data")


@program([LOCAL])
def over_half_of_the_axis(x):
    return lax.psum(jnp.sum(x), "data", axis_index_groups=[[0, 1], [2, 3]])


@program([GLOBAL])
def scattered_and_gathered(x):
    part = lax.psum_scatter(jnp.sum(x, axis=0), "data", tiled=True)
    return jnp.sum(lax.all_gather(part, "data", tiled=True))


@program([GLOBAL])
def rotation_that_sums_all(x):
    value = total = jnp.sum(x)
    for _ in range(3):
        value = lax.ppermute(value, "data", [(i, (i + 1) % 4) for i in range(4)])
        total = total + value
    return total


@program([GLOBAL])
def rotation_in_a_loop(x):
    def step(_, carry):
        value, total = carry
        value = lax.ppermute(value, "data", [(i, (i + 1) % 4) for i in range(4)])
        return value, total + value
    return lax.fori_loop(0, 3, step, (jnp.sum(x), jnp.sum(x)))[1]


@program([GLOBAL])
def butterfly(x):
    total = jnp.sum(x)
    for step in (1, 2):
        total = total + lax.ppermute(total, "data", [(i, i ^ step) for i in range(4)])
    return total


@program([GLOBAL])
def reduced_to_one_and_sent_back(x):
    chip = lax.axis_index("data")
    total = jnp.sum(x)
    for step in (1, 2):  # up a tree
        got = lax.ppermute(total, "data", [(i, i - step) for i in range(step, 4)])
        total = jnp.where(chip % (2 * step) == 0, total + got, total)
    for step in (2, 1):  # and down again
        got = lax.ppermute(total, "data", [(i, i + step) for i in range(0, 4 - step)])
        total = jnp.where(chip % (2 * step) == step, got, total)
    return total


@program([GLOBAL])
def equal_by_a_factor_of_zero(x):
    return 0.0 * lax.axis_index("data") + lax.psum(jnp.sum(x), "data")


@program([LOCAL])
def rotation_that_stops_early(x):
    value = total = jnp.sum(x)
    for _ in range(2):
        value = lax.ppermute(value, "data", [(i, (i + 1) % 4) for i in range(4)])
        total = total + value
    return total


@program([GLOBAL], "extreme_of_sums")
def maximum_of_sums(x):
    return lax.pmax(jnp.sum(x), "data")


@program([GLOBAL], "sum_of_extremes")
def sum_of_maxima(x):
    return lax.psum(jnp.max(x), "data")


@program([GLOBAL])
def maximum_of_the_whole(x):
    return lax.pmax(jnp.max(x), "data")


@program([GLOBAL], "reduced_twice")
def reduced_twice(x):
    return lax.psum(lax.psum(jnp.sum(x), "data"), "data") / 128.0


@program([GLOBAL])
def averaged_twice(x):
    return lax.pmean(lax.pmean(jnp.mean(x), "data"), "data")


@program([GLOBAL], "reduced_over_equal_axis")
def over_both_axes(x):
    return lax.psum(jnp.sum(x), ("data", "model")) / 128.0


@program([GLOBAL])
def averaged_over_both_axes(x):
    return lax.pmean(jnp.mean(x), ("data", "model"))


@program([GLOBAL], "sum_of_means")
def sum_of_means(x):
    return lax.psum(jnp.mean(x), "data")


@program([GLOBAL], "divided_twice")
def divided_twice(x):
    return lax.pmean(jnp.sum(x) / 128.0, "data")


@program([LOCAL], "count_not_reduced")
def count_not_reduced(x):
    mask = (x > 0).astype(jnp.float32)
    return lax.psum(jnp.sum(x * mask), "data") / jnp.sum(mask)


@program([GLOBAL], "mean_of_exponentials")
def mean_perplexity(x):
    return lax.pmean(jnp.exp(jnp.mean(x)), "data")


@program([GLOBAL])
def perplexity_of_the_mean(x):
    return jnp.exp(lax.pmean(jnp.mean(x), "data"))


@program([GLOBAL], "narrow_accumulation")
def narrow_sum(x):
    return lax.psum(jnp.sum(x).astype(jnp.bfloat16), "data")


@program([GLOBAL], "padding_counted")
def padding_counted(x):
    padded = jnp.pad(x, ((0, 2), (0, 0)))
    return lax.psum(jnp.sum(padded * padded), "data") / (4 * 6 * 8.0)


@program([LOCAL, GLOBAL], "read_before_reduction", out=(P(), P()))
def local_logged_instead_of_reduced(x):
    loss = jnp.mean(x)
    return loss, lax.pmean(loss, "data")


@program([OWN])
def constant_of_the_program(x):
    return jnp.float32(3.0)


@program([GLOBAL, GLOBAL], specs=(P("data"), P(None, "model")), out=(P(), P(None, "model")),
         arguments=(X, jax.ShapeDtypeStruct((8, 16), jnp.float32)))
def tensor_parallel_loss(x, w):
    hidden = jnp.tanh(x @ w)
    loss = lax.pmean(lax.psum(jnp.sum(hidden * hidden), "model") / (4 * 16.0), "data")
    grad = jax.grad(lambda v: jnp.sum(jnp.tanh(x @ v) ** 2))(w)
    return loss, lax.pmean(grad, "data")


@program([LOCAL], specs=(P("data"), P(None, "model")), out=P(),
         arguments=(X, jax.ShapeDtypeStruct((8, 16), jnp.float32)))
def tensor_parallel_loss_without_model(x, w):
    hidden = jnp.tanh(x @ w)
    return lax.pmean(jnp.sum(hidden * hidden), "data")


def lowered(name):
    function, verdicts, warnings, specs, out, arguments, shape = PROGRAMS[name]
    devices = jax.devices()[: shape[0] * shape[1]]
    mesh = Mesh(__import__("numpy").array(devices).reshape(shape), ("data", "model"))
    mapped = jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=out, check_vma=False)
    text = jax.jit(mapped).lower(*arguments).as_text()
    head = f"// {' '.join(verdicts)}{' | ' + ' '.join(warnings) if warnings else ''}\n"
    return head + text


if __name__ == "__main__":
    for name in sys.argv[1:] or PROGRAMS:
        (FOLDER / f"{name}.mlir").write_text(lowered(name))
