# SPDX-License-Identifier: Apache-2.0
"""Models of Flax and optimisers of Optax; the list is shorter where they are not installed."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

from registry import ints, normals, program

GROUP = "Flax and Optax"


def train_step(model, optimizer, loss_of, *inputs):
    """One step from fresh parameters: loss, updates, the new parameters."""
    variables = model.init(jax.random.key(0), *inputs)
    params = variables.pop("params")

    def loss(params):
        return loss_of(model.apply({"params": params, **variables}, *inputs))
    value, gradient = jax.value_and_grad(loss)(params)
    updates, _ = optimizer.update(gradient, optimizer.init(params), params)
    return value, optax.apply_updates(params, updates)


class Mlp(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.LayerNorm()(nn.relu(nn.Dense(16)(x)))
        return nn.Dense(3)(x)


@program(GROUP, normals(8, 6), spacings=400)
def linen_mlp_with_adamw(x):
    schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-2, 5, 20)
    chain = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.01))
    return train_step(Mlp(), chain, lambda y: jnp.mean(y ** 2), x)


@program(GROUP, normals(8, 6), spacings=400)
def linen_mlp_with_lamb(x):
    return train_step(Mlp(), optax.lamb(1e-3), lambda y: jnp.mean(y ** 2), x)


@program(GROUP, normals(8, 6), spacings=400)
def linen_mlp_with_adafactor(x):
    return train_step(Mlp(), optax.adafactor(1e-3), lambda y: jnp.mean(y ** 2), x)


@program(GROUP, normals(8, 6), spacings=400)
def linen_mlp_with_rmsprop_and_lion(x):
    return (train_step(Mlp(), optax.rmsprop(1e-3), lambda y: jnp.mean(y ** 2), x),
            train_step(Mlp(), optax.lion(1e-3), lambda y: jnp.mean(y ** 2), x))


class Convolutional(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(8, (3, 3), strides=2)(x))
        x = nn.avg_pool(nn.GroupNorm(4)(x), (2, 2), strides=(2, 2))
        x = nn.relu(nn.ConvTranspose(4, (2, 2), strides=(2, 2))(x))
        return nn.Dense(3)(x.reshape(x.shape[0], -1))


@program(GROUP, normals(2, 8, 8, 3), ints(0, 3, 2), spacings=1000)
def linen_convolutional_network(x, y):
    loss = lambda z: optax.softmax_cross_entropy_with_integer_labels(z, y).mean()  # noqa: E731
    return train_step(Convolutional(), optax.sgd(0.1, momentum=0.9, nesterov=True), loss, x)


class Transformer(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(30, 16)(tokens)
        mask = nn.make_causal_mask(tokens)
        for _ in range(2):
            # The gradient of a bias of keys is zero but for rounding.
            x = x + nn.MultiHeadDotProductAttention(4, use_bias=False)(nn.RMSNorm()(x), mask=mask)
            x = x + nn.Dense(16)(nn.gelu(nn.Dense(32)(nn.LayerNorm()(x))))
        return nn.Dense(30)(x)


@program(GROUP, ints(0, 30, 2, 9), spacings=1000)
def linen_transformer(tokens):
    loss = lambda z: optax.softmax_cross_entropy_with_integer_labels(z[:, :-1], tokens[:, 1:]).mean()  # noqa: E731
    return train_step(Transformer(), optax.adam(1e-3), loss, tokens)


class Recurrent(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(nn.RNN(nn.OptimizedLSTMCell(8))(x)), nn.Bidirectional(
            nn.RNN(nn.GRUCell(4)), nn.RNN(nn.GRUCell(4)))(x)


@program(GROUP, normals(2, 7, 5), spacings=1000)
def linen_recurrent_networks(x):
    return train_step(Recurrent(), optax.adam(1e-3), lambda y: jnp.mean(y[0] ** 2) + jnp.sum(y[1] ** 3), x)


class Normalised(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.BatchNorm(use_running_average=False)(nn.WeightNorm(nn.Dense(8))(x))
        return nn.Dropout(0.3, deterministic=False)(x)


@program(GROUP, normals(8, 5), spacings=1000)
def linen_normalisation_and_dropout(x):
    model = Normalised()
    rngs = {"params": jax.random.key(0), "dropout": jax.random.key(1)}
    variables = model.init(rngs, x)
    out, state = model.apply(variables, x, rngs={"dropout": jax.random.key(2)}, mutable=["batch_stats"])
    return out, state["batch_stats"]


@program(GROUP, normals(6, 4), normals(6, 4))
def optax_losses(a, b):
    return (optax.huber_loss(a, b), optax.cosine_similarity(a, b), optax.sigmoid_binary_cross_entropy(a, (b > 0) * 1.0),
            optax.kl_divergence(jax.nn.log_softmax(a), jax.nn.softmax(b)), optax.hinge_loss(a, jnp.sign(b)))


@program(GROUP, normals(2, 6, 4), ints(1, 4, 2, 3), spacings=400)
def optax_ctc_loss(logits, labels):
    loss = lambda z: optax.ctc_loss(z, jnp.zeros((2, 6)), labels, jnp.zeros((2, 3))).sum()  # noqa: E731
    return jax.value_and_grad(loss)(logits)


@program(GROUP, normals(8, 6), spacings=1000)
def nnx_module(x):
    from flax import nnx
    model = nnx.Sequential(nnx.Linear(6, 8, rngs=nnx.Rngs(0)), nnx.gelu, nnx.Linear(8, 2, rngs=nnx.Rngs(1)))
    graph, state = nnx.split(model)
    return jax.value_and_grad(lambda s: jnp.mean(nnx.merge(graph, s)(x) ** 2))(state)
