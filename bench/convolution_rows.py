# SPDX-License-Identifier: Apache-2.0
"""Convolution rows of bench/operation_rows.py: types, layouts, strides, groups and gradients."""
import jax.numpy as jnp
from jax import lax


def convolve(x, w, stride=1, numbers=("NHWC", "HWIO", "NHWC"), **options):
    return lax.conv_general_dilated(x, w, (stride,) * (x.ndim - 2), "SAME",
                                    dimension_numbers=numbers, **options)


def depthwise(x, w):
    return convolve(x, w, feature_group_count=x.shape[-1])


def transposed(x, w):
    return lax.conv_transpose(x, w, (2, 2), "SAME")


def rows(images, near, convolution, gradient, normal):
    """Rows of relatives of `convolution`; images are (batch, side, features)."""
    pairs = [(normal(b, s, s, c), normal(3, 3, c, 2 * c)) for b, s, c in images]
    yield "convolution bf16", convolution, [
        tuple(a.astype(jnp.bfloat16) for a in pair) for pair in pairs], near
    yield "convolution stride 2", lambda x, w: convolve(x, w, 2), pairs, near
    yield "convolution 1x1", convolution, [
        (normal(b, s, s, c), normal(1, 1, c, 2 * c)) for b, s, c in images], near
    yield "convolution NCHW", lambda x, w: convolve(x, w, 1, ("NCHW", "OIHW", "NCHW")), [
        (normal(b, c, s, s), normal(2 * c, c, 3, 3)) for b, s, c in images], near
    yield "convolution 1d", lambda x, w: convolve(x, w, 1, ("NWC", "WIO", "NWC")), [
        (normal(4, n, 16), normal(5, 16, 32)) for n in (32, 512, 8192)], near
    yield "convolution 3d", lambda x, w: convolve(x, w, 1, ("NDHWC", "DHWIO", "NDHWC")), [
        (normal(1, n, n, n, 8), normal(3, 3, 3, 8, 16)) for n in (4, 8, 24)], near
    yield "convolution grouped", lambda x, w: convolve(x, w, feature_group_count=4), [
        (normal(b, s, s, c), normal(3, 3, c // 4, 2 * c)) for b, s, c in images], near
    yield "convolution depthwise", depthwise, [
        (normal(b, s, s, c), normal(3, 3, 1, c)) for b, s, c in images], near
    yield "convolution transposed", transposed, pairs[:2], near
    yield "input gradient", gradient(convolution), pairs, near
    yield "depthwise gradient", gradient(depthwise), [
        (normal(b, s, s, c), normal(3, 3, 1, c)) for b, s, c in images[:2]], near
