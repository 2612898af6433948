# SPDX-License-Identifier: Apache-2.0
"""Convolutions, pooling, normalisation, images, Fourier transforms."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import complexes, floats, normals, program

IMAGES = "convolution and images"
FOURIER = "Fourier transforms"
NHWC = ("NHWC", "HWIO", "NHWC")
X, K = normals(2, 8, 8, 4), normals(3, 3, 4, 6, scale=0.3)


def conv(x, k, strides=(1, 1), padding="SAME", **options):
    return lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=NHWC, **options)


@program(IMAGES, X, K)
def convolution_gradient(x, k):
    return jax.grad(lambda x, k: jnp.sum(jax.nn.relu(conv(x, k, (2, 2))) ** 2), (0, 1))(x, k)


@program(IMAGES, X, normals(3, 3, 1, 8, scale=0.3))
def depthwise_convolution(x, k):
    return jax.value_and_grad(lambda k: jnp.sum(conv(x, k, feature_group_count=4) ** 2))(k)


@program(IMAGES, X, normals(3, 3, 2, 6, scale=0.3))
def grouped_dilated_convolution(x, k):
    return conv(x, k, feature_group_count=2, rhs_dilation=(2, 2), padding=((2, 1), (1, 2)))


@program(IMAGES, X, normals(4, 4, 4, 3, scale=0.3))
def transposed_convolution(x, k):
    return jax.grad(lambda x: jnp.sum(lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=NHWC) ** 3))(x)


@program(IMAGES, normals(2, 20, 3), normals(5, 3, 4))
def causal_convolution_of_sequences(x, k):
    return lax.conv_general_dilated(x, k, (1,), [(4, 0)], dimension_numbers=("NHC", "HIO", "NHC"))


@program(IMAGES, normals(1, 4, 5, 6, 2), normals(3, 3, 3, 2, 3, scale=0.2))
def volume_convolution(x, k):
    return lax.conv_general_dilated(x, k, (1, 1, 1), "VALID", dimension_numbers=("NDHWC", "DHWIO", "NDHWC"))


@program(IMAGES, X)
def max_and_average_pooling_gradient(x):
    def loss(x):
        top = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        mean = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        return jnp.sum(top ** 2) + jnp.sum(mean ** 3)
    return jax.grad(loss)(x)


@program(IMAGES, X, normals(4), normals(4), spacings=400)
def batch_norm_training(x, scale, shift):
    def f(x, scale, shift):
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return jnp.sum(((x - mean) * lax.rsqrt(var + 1e-5) * scale + shift) ** 3)
    return jax.value_and_grad(f, (0, 1, 2))(x, scale, shift)


@program(IMAGES, X, spacings=400)
def group_and_instance_norm(x):
    g = x.reshape(2, 8, 8, 2, 2)
    g = (g - g.mean((1, 2, 4), keepdims=True)) / jnp.sqrt(g.var((1, 2, 4), keepdims=True) + 1e-5)
    i = (x - x.mean((1, 2), keepdims=True)) / (x.std((1, 2), keepdims=True) + 1e-5)
    return g.reshape(x.shape), i


@program(IMAGES, X, K, normals(1, 1, 4, 6), normals(3, 3, 6, 6, scale=0.2), spacings=400)
def residual_block_gradient(x, k1, k0, k2):
    def loss(*k):
        y = conv(jax.nn.relu(conv(x, k[0], (2, 2))), k[2]) + conv(x, k[1], (2, 2))
        return jnp.mean(jax.nn.relu(y).mean((1, 2)) ** 2)
    return jax.grad(loss, (0, 1, 2))(k1, k0, k2)


@program(IMAGES, normals(2, 8, 8, 3), normals(48, 16, scale=0.2))
def patches_of_a_vision_transformer(x, w):
    p = x.reshape(2, 2, 4, 2, 4, 3).transpose(0, 1, 3, 2, 4, 5).reshape(2, 4, 48) @ w
    return jnp.concatenate([jnp.zeros((2, 1, 16)), p], 1)


@program(IMAGES, normals(2, 8, 8, 3), spacings=400)
def image_resize(x):
    return jax.image.resize(x, (2, 13, 5, 3), "bilinear"), jax.image.resize(x, (2, 4, 16, 3), "cubic"), \
        jax.image.resize(x, (2, 12, 12, 3), "nearest")


@program(IMAGES, normals(9, 9), floats(2, 5, 5, low=0, high=8))
def map_coordinates(image, at):
    return jax.scipy.ndimage.map_coordinates(image, list(at), order=1, mode="nearest")


@program(IMAGES, X)
def flips_rolls_and_crops(x):
    return jnp.flip(x, 2), jnp.roll(x, (1, -2), (1, 2)), x[:, 2:7:2, ::-1], jnp.pad(x, ((0, 0), (1, 1), (2, 0), (0, 0)), "reflect")


@program(IMAGES, normals(12, 12))
def image_gradients_and_convolve(x):
    return jnp.gradient(x), jax.scipy.signal.convolve2d(x, jnp.ones((3, 3)) / 9, "same"), jnp.convolve(x[0], x[1, :4])


@program(IMAGES, X)
def patches(x):
    return lax.conv_general_dilated_patches(x, (3, 3), (2, 2), "VALID", dimension_numbers=NHWC)


@program(IMAGES, normals(2, 4, 4, 8))
def pixel_shuffle(x):
    return x.reshape(2, 4, 4, 2, 2, 2).transpose(0, 1, 3, 2, 4, 5).reshape(2, 8, 8, 2)


@program(FOURIER, complexes(3, 16))
def fft_and_inverse(x):
    return jnp.fft.fft(x), jnp.fft.ifft(x), jnp.fft.fftshift(jnp.fft.fft(x))


@program(FOURIER, (4, 15))
def real_fft(x):
    return jnp.fft.rfft(x), jnp.fft.irfft(jnp.fft.rfft(x), 15), jnp.fft.rfft(x, 7), jnp.fft.rfft(x, 32)


@program(FOURIER, (2, 12, 10))
def fft2_filter(x):
    f = jnp.fft.fft2(x)
    keep = (jnp.fft.fftfreq(12)[:, None] ** 2 + jnp.fft.fftfreq(10) ** 2) < 0.1
    return jnp.fft.ifft2(f * keep).real


@program(FOURIER, (4, 6, 9))
def fftn_of_odd_sizes(x):
    return jnp.fft.fftn(x), jnp.fft.rfftn(x)


@program(FOURIER, (2, 16))
def fft_gradient(x):
    return jax.grad(lambda x: jnp.sum(jnp.abs(jnp.fft.rfft(x)) ** 3))(x)


@program(FOURIER, (64,), spacings=1000)
def spectrogram(x):
    return jax.scipy.signal.stft(x, nperseg=16)[2]


@program(FOURIER, (2, 32), (2, 5))
def fft_convolution(x, k):
    return jax.scipy.signal.fftconvolve(x, k, mode="full", axes=1)


@program(FOURIER, (3, 12))
def cosine_transform(x):
    return jax.scipy.fft.dct(x), jax.scipy.fft.idct(x)


@program(FOURIER, (2, 17, 4), normals(4, 4, 5))
def fourier_neural_operator(x, w):
    f = jnp.fft.rfft(x, axis=1)[:, :5]
    return jnp.fft.irfft(jnp.einsum("bkc,cdk->bkd", f, w.astype(jnp.complex64)), 17, axis=1)
