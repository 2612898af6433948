#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the HLO programs of this folder: NAME.hlo.txt and NAME.hlo.pb of one JAX function each, and
optimised.hlo.txt, which XLA's CPU compiler has fused. Needs jax 0.10.2. usage: make_programs.py DIR
"""
import os
import pathlib
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

MESH = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
X = jax.ShapeDtypeStruct((4, 6), jnp.float32)
KINDS = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
         "float32", "float64", "complex64", "complex128")
SMALL = ("int2", "uint2", "int4", "uint4", "bfloat16", "float8_e5m2", "float8_e4m3", "float8_e4m3fn",
         "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e3m4", "float8_e8m0fnu",
         "float4_e2m1fn")


def literals(x):
    out = [x]
    for kind in KINDS + SMALL:
        dtype = np.dtype(getattr(ml_dtypes, kind) if kind in SMALL else kind)
        values = np.array([0, 1, 1, 0, 1, 0] if "e8m0" not in kind else [1, 2, 4, 1, 2, 4])
        if dtype.kind == "c":
            values = values + 0.5j
        out.append(jnp.asarray(values.astype(dtype).reshape(2, 3)))
    out.append(jnp.array([np.nan, np.inf, -np.inf, -0.0, 1e-40, 3.4e38], jnp.float32))
    out.append(jnp.zeros((0, 3), jnp.float32))
    out.append(jnp.array([-128, 127], jnp.int8))
    return tuple(out)


def control(x):
    def body(carry, row):
        carry = lax.cond(row[0] > 0, lambda c: c * 2, lambda c: c - 1, carry)
        return carry, lax.switch(jnp.int32(carry[0]), [jnp.sum, jnp.max], row)
    carry, sums = lax.scan(body, x[0], x)
    steps, _ = lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] + s[1].sum()), (0, carry))
    return carry, sums, steps


def algebra(x):
    image = x.reshape(1, 4, 6, 1)
    kernel = jnp.ones((3, 2, 1, 2), jnp.float32)
    convolved = lax.conv_general_dilated(image, kernel, (2, 1), ((1, 0), (0, 1)), rhs_dilation=(1, 2),
                                         dimension_numbers=("NHWC", "HWIO", "NCHW"))
    pooled = lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 2), "SAME")
    grad = jax.grad(lambda v: lax.reduce_window(v, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID").sum())(x)
    product = lax.dot_general(x, x, (((1,), (1,)), ((), ())), precision=("highest", "default"))
    zero = jnp.float32(0)
    mean = lax.reduce((x, x * x), (zero, zero), lambda a, b: (a[0] + b[0], a[1] + b[1]), (0,))
    return convolved, pooled, grad, product, mean, jnp.fft.rfft(x), lax.top_k(x, 2), lax.sort(
        (x, -x), dimension=1, num_keys=1)


def indexing(x):
    rows = jnp.array([2, 0], jnp.int32)
    updated = x.at[rows].add(1.0).at[:, 1].set(0.0)
    sliced = lax.dynamic_slice(x, (rows[0], rows[1]), (2, 3))
    return (x[rows], updated, sliced, lax.dynamic_update_slice(x, sliced, (0, 0)), x[::2, 1:5:2],
            lax.pad(x, jnp.float32(0), ((1, -1, 0), (0, 2, 1))), x[:, ::-1], jnp.concatenate([x, x]), x.T,
            lax.broadcasted_iota(jnp.int32, (3, 4), 1), jnp.argmax(x, axis=1))


def elementwise(x):
    y = jnp.tanh(x) + lax.erf(x) * lax.rsqrt(jnp.abs(x) + 1) - lax.cbrt(x)
    z = lax.complex(x, y)
    n = lax.bitcast_convert_type(x, jnp.int32)
    return (y, z * z, jnp.real(jnp.exp(z)), lax.population_count(n) + lax.clz(n), n << 2, n >> 1,
            lax.shift_right_logical(n, jnp.int32(3)), jnp.where(x > y, x, y), jnp.clip(x, -1.0, 1.0), x != x,
            lax.reduce_precision(x, 5, 10), lax.is_finite(x), x.astype(jnp.bfloat16), jnp.arctan2(x, y),
            lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), n % 7, ~n, jnp.sign(x))


def collectives(x):
    total = lax.psum(x, "y")
    gathered = lax.all_gather(total, "x", axis=0, tiled=True)
    scattered = lax.psum_scatter(gathered, "x", scatter_dimension=0, tiled=True)
    turned = lax.ppermute(scattered, "x", [(i, (i + 1) % 4) for i in range(4)])
    exchanged = lax.all_to_all(jnp.tile(turned, (1, 4)), "x", 1, 0, tiled=True)
    return exchanged * lax.axis_index("x"), lax.pmax(x, ("x", "y")), lax.psum((x, x[0]), "x")


def global_view(a, b):
    return lax.with_sharding_constraint(jnp.tanh(a @ b), NamedSharding(MESH, P("x", None))).mean()


def mapped(function):
    return jax.shard_map(function, mesh=MESH, in_specs=P("x", "y"), out_specs=P("x", "y"), check_vma=False)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    sharded = jax.ShapeDtypeStruct((4, 12), jnp.float32)
    views = [jax.ShapeDtypeStruct((8, 4), jnp.float32, sharding=NamedSharding(MESH, P("x", None))),
             jax.ShapeDtypeStruct((4, 6), jnp.float32, sharding=NamedSharding(MESH, P(None, "y")))]
    def manual(x):
        return tuple(jnp.atleast_2d(r) for r in jax.tree_util.tree_leaves(collectives(x)))
    programs = {"elementwise": (elementwise, [X]), "indexing": (indexing, [X]), "algebra": (algebra, [X]),
                "control": (control, [X]), "literals": (literals, [X]),
                "collectives": (mapped(manual), [sharded]), "global_view": (global_view, views)}
    for name, (function, arguments) in programs.items():
        hlo = jax.jit(function).lower(*arguments).compiler_ir("hlo")
        (folder / f"{name}.hlo.pb").write_bytes(hlo.as_serialized_hlo_module_proto())
        (folder / f"{name}.hlo.txt").write_text(hlo.as_hlo_text(print_large_constants=True))
    optimised = jax.jit(control).lower(X).compile().runtime_executable().hlo_modules()[0]
    (folder / "optimised.hlo.txt").write_text(optimised.to_string())


if __name__ == "__main__":
    main()
