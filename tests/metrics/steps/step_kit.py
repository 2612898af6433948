# SPDX-License-Identifier: Apache-2.0
"""What the steps are made with: the table of programs, arguments, meshes and parts of models."""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

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
