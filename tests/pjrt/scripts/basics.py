# SPDX-License-Identifier: Apache-2.0
"""Arrays, eager operations, jit, errors and memory on one host. Writes its results to argv[1]."""
import sys

import jax
import jax.numpy as jnp
import numpy as np

results = {}
devices = jax.devices()
x = np.arange(24, dtype=np.float32).reshape(4, 6)

# Every chip, and views that are not dense.
for number, device in enumerate(devices[:4]):
    results[f"put{number}"] = np.asarray(jax.device_put(x[::-1, ::2].T, device))
for dtype in ("bool", "int8", "uint16", "int32", "float16", "bfloat16", "complex64"):
    there = jax.device_put(x.astype(dtype), devices[-1])
    results[f"dtype_{dtype}"] = np.asarray(there).astype(np.complex64)
# Values of 4 bits in a byte: a host says nothing by the other four.
for dtype in (jnp.int4, jnp.uint4):
    narrow = jax.device_put(np.arange(16).astype(np.int8).view(np.uint8).astype(dtype))
    results[f"narrow_{dtype.__name__}"] = np.asarray(narrow.astype(jnp.int32))
    results[f"narrow_bits_{dtype.__name__}"] = np.asarray(narrow + narrow).view(np.uint8)
results["scalar"] = np.asarray(jax.device_put(np.float32(3)))
results["empty"] = np.asarray(jax.device_put(np.zeros((0, 3), np.float32)))

# Eager operations, and a program that runs many times.
y = jnp.array(x)
results["eager"] = np.asarray(jnp.sort(jnp.tanh(y) @ y.T, axis=0)[::-1] + y.mean())
step = jax.jit(lambda a: a * 0.5 + 1)
for _ in range(50):
    y = step(y)
results["steps"] = np.asarray(y)
results["random"] = np.asarray(jax.random.normal(jax.random.key(7), (5,)))
results["grad"] = np.asarray(jax.grad(lambda a: jnp.sum(jnp.sin(a) ** 2))(jnp.array(x)))


def loop(a):
    return jax.lax.fori_loop(0, 10, lambda i, c: jnp.where(i % 2 == 0, c + a, c * 0.9), a)


results["loop"] = np.asarray(jax.jit(loop)(jnp.array(x)))
results["scan"] = np.asarray(
    jax.lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(6), jnp.array(x))[1])
results["cond"] = np.asarray(jax.lax.cond(x[0, 1] > 0, lambda v: v + 1, lambda v: v - 1, x))

# Copies between chips and memories.
moved = jax.device_put(jax.device_put(x, devices[0]), devices[-1])
assert moved.devices() == {devices[-1]}
results["moved"] = np.asarray(moved)

# Donation: the argument is gone, the result is there.
donated = jax.jit(lambda a: a + 1, donate_argnums=0)
a = jax.device_put(x)
results["donated"] = np.asarray(donated(a))
if devices[0].platform == "tpu":
    assert a.is_deleted()
    try:
        donated(a)
        raise SystemExit("a donated argument was accepted")
    except (RuntimeError, ValueError) as error:
        assert "delete" in str(error), error
    stats = devices[0].memory_stats()
    assert stats["bytes_limit"] > stats["bytes_in_use"] > 0, stats

np.savez(sys.argv[1], **results)
