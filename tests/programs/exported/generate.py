# SPDX-License-Identifier: Apache-2.0
"""Makes the folders beside this file: python generate.py CASE..., with the JAX version in its name.

Each has one form of the program (program.jax: raw file of jax.export; program.mlirbc: its portable
artifact; program.mlir: text), argI.npy and the results of JAX on CPU, outI.npy.
usage: for each version, python -m venv V && V/bin/pip install jax==VERSION flatbuffers absl-py
       V/bin/python generate.py        (makes the cases of the installed version)
"""
import os
import pathlib

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

HERE = pathlib.Path(__file__).parent
DRAW = np.random.default_rng(0)


def normal(*shape):
    return DRAW.normal(size=shape).astype(np.float32)


def attention(x, q, k, v):
    scores = jnp.einsum("bqd,bkd->bqk", x @ q, x @ k) / 2
    mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
    return jax.nn.softmax(jnp.where(mask, scores, -1e9), -1) @ (x @ v)


def moe(x, router, experts):
    gates, chosen = lax.top_k(jax.nn.softmax(x @ router), 2)
    return jnp.einsum("bk,bko->bo", gates, jnp.einsum("bd,bkdo->bko", x, experts[chosen]))


def windows(x):
    whole = lax.reduce_window(x, 0.0, lax.add, (1, x.shape[1]), (1, 1), "VALID")
    return jnp.cumsum(x, axis=1), whole


def trained(x, w, y):
    """A step whose batch is open, with a loop over an open dimension."""
    def loss(w):
        total = lax.fori_loop(0, x.shape[0], lambda i, s: s + jnp.sum(jnp.tanh(x[i] @ w) * y[i]), 0.0)
        return total / x.shape[0]
    return lax.reduce(x, 0.0, lax.add, (0,)), loss(w)


def conv(x, k):
    return lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def specials(x):
    return lax.erf(x), lax.erf_inv(x * 0.1), jnp.sinh(x), jnp.arctanh(x * 0.1), lax.lgamma(abs(x) + 1)


# name: version, form, function, arguments, symbolic shapes, platforms
CASES = {
    "topk_0.4.30": ("0.4.30", "jax", lambda x: lax.top_k(x, 3), [normal(2, 8)], None, ["tpu"]),
    "specials_0.4.30": ("0.4.30", "mlirbc", specials, [normal(2, 4)], None, ["cpu"]),
    "text_0.4.30": ("0.4.30", "mlir", attention, [normal(2, 3, 4)] + [normal(4, 4)] * 3,
                    ["b, s, 4"] + ["4, 4"] * 3, ["tpu"]),
    "moe_0.5.3": ("0.5.3", "jax", moe, [normal(5, 4), normal(4, 3), normal(3, 4, 2)],
                  ["b, 4", "4, 3", "3, 4, 2"], ["tpu"]),
    "platforms_0.6.2": ("0.6.2", "jax", lambda x: (jnp.linalg.cholesky(x @ x.T + 4 * jnp.eye(3)), jnp.cumsum(x, 0)),
                        [normal(3, 4)], None, ["tpu", "cpu"]),
    "cumsum_0.7.2": ("0.7.2", "jax", windows, [normal(3, 5)], ["b, n"], ["tpu"]),
    "rbg_0.8.1": ("0.8.1", "jax", lambda x: lax.rng_bit_generator(
        jnp.array([1, 2, 3, 4], jnp.uint32), x.shape)[1].astype(jnp.float32) * 0 + x,
        [normal(3, 5)], ["b, n"], ["tpu"]),
    "conv_0.8.1": ("0.8.1", "mlirbc", conv, [normal(2, 5, 6, 3), normal(3, 3, 3, 2)],
                   ["b, h, w, 3", "3, 3, 3, 2"], ["tpu"]),
    "erf_0.9.0": ("0.9.0", "jax", lambda x: lax.erf(x), [normal(2, 4)], None, ["tpu"]),
    "attention_0.10.2": ("0.10.2", "jax", attention, [normal(2, 3, 4)] + [normal(4, 4)] * 3,
                         ["b, s, 4"] + ["4, 4"] * 3, ["cpu", "tpu"]),
    "loop_0.10.2": ("0.10.2", "mlir", trained, [normal(3, 4), normal(4, 2), normal(3, 2)],
                    ["b, 4", "4, 2", "b, 2"], ["tpu"]),
}


def make(name, form, function, args, shapes, platforms):
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    scope = export.SymbolicScope()
    described = [jax.ShapeDtypeStruct(
        export.symbolic_shape(shapes[i], scope=scope) if shapes else a.shape, a.dtype)
        for i, a in enumerate(args)]
    exported = export.export(jax.jit(function), platforms=platforms)(*described)
    if form == "jax":
        (folder / "program.jax").write_bytes(exported.serialize())
    elif form == "mlirbc":
        (folder / "program.mlirbc").write_bytes(exported.mlir_module_serialized)
    else:
        (folder / "program.mlir").write_text(str(exported.mlir_module()))
    for i, index in enumerate(exported.module_kept_var_idx):
        np.save(folder / f"arg{i}.npy", args[index])
    for i, result in enumerate(jax.tree.leaves(jax.jit(function)(*args))):
        np.save(folder / f"out{i}.npy", np.asarray(result))


if __name__ == "__main__":
    for name, (version, *rest) in CASES.items():
        if version == jax.__version__:
            make(name, *rest)
