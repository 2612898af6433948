# SPDX-License-Identifier: Apache-2.0
"""Answers about results: who can influence a metric, NaN, and programs that are wrong on purpose."""
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

import understudy
from steps import MESH4, over_chips

ROWS = 32


def data(rows=ROWS):
    draw = np.random.default_rng(3)
    return (draw.normal(size=(rows, 16)).astype(np.float32),
            draw.normal(size=(16, 8)).astype(np.float32))


def mean_of_all(x, w):
    return over_chips(lambda x, w: jax.lax.psum(jnp.sum((x @ w) ** 2), "data") / (ROWS * 8),
                      (P("data"), P()), P())(x, w)


def first_chip_only(x, w):
    def local(x, w):
        loss = jnp.mean((x @ w) ** 2)
        return jax.lax.psum(jnp.where(jax.lax.axis_index("data") == 0, loss, 0.0), "data")
    return over_chips(local, (P("data"), P()), P())(x, w)


def test_partially_reduced(understudy_pod):
    report = understudy_pod.metrics(first_chip_only, *data(), mesh=MESH4)
    verdict = report.verdict("result")
    assert verdict.verdict == "partially_reduced"
    assert verdict.contributors == ("data=0",)
    assert "test_answers.py:" in verdict.python_place and "select" in verdict.place
    assert [(link.exchange, link.axes) for link in verdict.chain] == [("all_reduce sum", ("data",))]
    with pytest.raises(AssertionError, match="only the data of data=0 can influence it"):
        understudy_pod.assert_globally_reduced(first_chip_only, *data(), mesh=MESH4,
                                               results=("result",))


def test_mean_of_means_shows_its_error(understudy_pod):
    def local(x, mask):
        return jax.lax.pmean(jnp.sum(x * mask) / jnp.sum(mask), "data")

    x, mask = np.arange(8, dtype=np.float32), np.float32([1, 1, 1, 0, 1, 0, 1, 1])
    report = understudy_pod.metrics(over_chips(local, (P("data"), P("data")), P()), x, mask,
                                    mesh=MESH4)
    warning, = report.warnings
    means = [(x * mask)[i:i + 2].sum() / mask[i:i + 2].sum() for i in (0, 2, 4, 6)]
    assert warning.pattern == "mean_of_means"
    assert warning.error == pytest.approx(np.mean(means) - (x * mask).sum() / mask.sum(), rel=1e-5)


# Each is wrong in a way that real steps are.
def without_division(x, w):
    return over_chips(lambda x, w: jax.lax.psum(jnp.mean((x @ w) ** 2), "data"),
                      (P("data"), P()), P())(x, w)


def twice_divided(x, w):
    return mean_of_all(x, w) / 4


def without_last_column(x, w):
    return mean_of_all(x, w.at[:, -1].set(0))


def along_the_wrong_axis(x, w):
    return over_chips(lambda x, w: jax.lax.pmean(jnp.mean(jnp.sum(x @ w, axis=0) ** 2), "data"),
                      (P("data"), P()), P())(x, w)


def not_reduced(x, w):
    return over_chips(lambda x, w: jnp.mean((x @ w) ** 2), (P("data"), P()), P())(x, w)


@pytest.mark.parametrize("wrong", [without_division, twice_divided, without_last_column,
                                   along_the_wrong_axis, not_reduced])
def test_the_tolerance_of_tpu_numerics_catches_wrong_programs(understudy_pod, tmp_path, wrong):
    right = understudy.export(mean_of_all, *data(), mesh=MESH4, out=tmp_path / "right")
    assert understudy.run_folder(right).verdict("result").ok
    other = understudy.export(wrong, *data(), mesh=MESH4, out=tmp_path / "wrong")
    for name in ("manifest.json", "out0.npy"):  # tolerance and expected value of the right program
        (other.folder / name).write_bytes((right.folder / name).read_bytes())
    with pytest.raises(understudy.Failure, match="differs from the expected result") as caught:
        understudy.run_folder(other)
    assert caught.value.document["results"][0]["ok_with_ieee"] is False


def test_a_comparison_that_matches_with_ieee_says_so(understudy_pod):
    with pytest.raises(understudy.Failure, match='it matches with numerics="ieee"'):
        understudy_pod.run(mean_of_all, *data(), mesh=MESH4, rtol=1e-5, atol=0)


def test_nan_names_the_line(understudy_pod):
    def loss(x):
        return jnp.sum(jnp.tanh(jnp.log(x)))

    x = np.float32([1, -1, 2])
    result = understudy_pod.run(loss, x, expect=False)
    assert result.verdict("result").nans == 1
    origin = result.document["non_finite"]
    assert origin["op"] == "stablehlo.log" and "test_answers.py:" in origin["python"]
    with pytest.raises(understudy.Failure, match="first NaN was made by stablehlo.log"):
        understudy_pod.run(loss, x, expect=False, options=("--nan-check",))
    # What is expected to be NaN is no alarm.
    assert understudy_pod.run(loss, x).document["non_finite"] is None


def test_a_mask_that_vanishes_is_no_alarm(understudy_pod):
    def attention(scores, keep):
        return jax.nn.softmax(jnp.where(keep, scores, -jnp.inf), axis=-1)

    scores = np.random.default_rng(4).normal(size=(4, 4)).astype(np.float32)
    keep = np.tril(np.ones((4, 4), bool))
    assert understudy_pod.run(attention, scores, keep).document["non_finite"] is None
