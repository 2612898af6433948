#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Element-wise chains on one chip compared with a plain copy of as many bytes on the same core.

The copy (memcpy) reads and writes as many bytes together as the chain reads of its arguments and
writes of its results. Results are compared with JAX on CPU first; then chain and copy run in the
order A B B A. A figure is the time of the chain over that of the copy (1: as fast as memory allows):
the median over the pairs, and the lowest and highest.

usage: chains.py BENCH_OPERATIONS [--only WORD] [--pairs N] [--seconds S] [--out FILE]
"""
import pathlib
import statistics
import tempfile

import operations  # chooses the core and the platform before JAX starts

import jax
import jax.numpy as jnp
import numpy as np

import elementwise_rows

COUNTS = (65536, 1 << 20, 16 << 20)  # elements: in the L2 cache, in the L3 cache, in memory

_random = np.random.default_rng(23)


def numbers(count, dtype=np.float32):
    return jnp.asarray(_random.uniform(0.1, 2, count).astype(np.float32)).astype(dtype)


def words(count):
    return jnp.asarray(_random.integers(-1000, 1000, count).astype(np.int32))


def dropout(x, keep):
    return jnp.where(keep, x / 0.9, 0)


def gated(x, gate):
    return jax.nn.silu(gate) * x


def momentum(p, g, v):
    v = 0.9 * v + g
    return p - 0.01 * v, v


def rows():
    """(name, function, arguments of a number of elements, tolerance)"""
    bf16 = jnp.bfloat16
    yield "negate", lambda x: -x, lambda n: (numbers(n),), 0
    yield "axpy", lambda x, y: 2 * x + y, lambda n: (numbers(n), numbers(n)), 1e-6
    yield "polynomial", lambda x: ((x * 0.3 + 1) * x - 2) * x + 0.5, lambda n: (numbers(n),), 1e-6
    yield "relu gradient", lambda x, g: jnp.where(x > 1, g, 0), lambda n: (numbers(n), numbers(n)), 0
    yield "dropout", dropout, lambda n: (numbers(n), words(n) > 0), 1e-6
    yield "f32 to bf16", lambda x: x.astype(bf16), lambda n: (numbers(n),), 0
    yield "bf16 to f32", lambda x: x.astype(np.float32), lambda n: (numbers(n, bf16),), 0
    yield "add bf16", jnp.add, lambda n: (numbers(n, bf16), numbers(n, bf16)), 0
    yield "i32 hash", lambda x: (x ^ (x >> 4)) * 0x27d4eb2d, lambda n: (words(n),), 0
    yield "clamp i32", lambda x: jnp.clip(x, -5, 100), lambda n: (words(n),), 0
    yield "root", lambda x: jnp.sqrt(x * x + 1), lambda n: (numbers(n),), 1e-6
    yield "divide", jnp.divide, lambda n: (numbers(n), numbers(n)), 1e-6
    yield "momentum", momentum, lambda n: (numbers(n), numbers(n), numbers(n)), 1e-6
    yield "adamw", elementwise_rows.adamw, lambda n: tuple(numbers(n) for _ in range(4)), 1e-5
    yield "exp", jnp.exp, lambda n: (numbers(n),), 1e-6
    yield "tanh", jnp.tanh, lambda n: (numbers(n),), 1e-6
    yield "gelu", jax.nn.gelu, lambda n: (numbers(n),), 1e-6
    yield "gelu bf16", jax.nn.gelu, lambda n: (numbers(n, bf16),), 2e-2
    yield "silu times", gated, lambda n: (numbers(n), numbers(n)), 1e-6
    yield "silu times bf16", gated, lambda n: (numbers(n, bf16), numbers(n, bf16)), 2e-2


def measure(ours, name, function, arguments, tolerance, options):
    expected = jax.tree.leaves(jax.jit(function)(*arguments))
    ours.load(function, arguments)
    operations.compare(name, ours.results(expected), expected, tolerance)
    copy = lambda runs: float(ours.ask(f"copy {runs}"))
    runs = {"chain": operations.runs_for(ours.time, options.seconds),
            "copy": operations.runs_for(copy, options.seconds)}
    times = []
    for pair in range(options.pairs):
        order = ("chain", "copy") if pair % 2 == 0 else ("copy", "chain")
        times.append({side: (ours.time if side == "chain" else copy)(runs[side]) / runs[side]
                      for side in order})
    ratios = [pair["chain"] / pair["copy"] for pair in times]
    return {"ratio": statistics.median(ratios), "low": min(ratios), "high": max(ratios),
            **{f"{side}_us": statistics.median(pair[side] for pair in times) * 1e6 for side in runs}}


def main():
    options = operations.options_of(__doc__, "a row's name")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        ours = operations.Ours(str(pathlib.Path(options.binary).resolve()), pathlib.Path(folder))
        for name, function, arguments, tolerance in rows():
            if options.only not in name:
                continue
            for count in COUNTS:
                row = {"chain": name, "elements": count}
                row |= measure(ours, name, function, arguments(count), tolerance, options)
                print(f"{name:16} {count:9} {row['ratio']:6.2f} [{row['low']:.2f} {row['high']:.2f}]  "
                      f"chain {row['chain_us']:.1f} us  copy {row['copy_us']:.1f} us", flush=True)
                found.append(row)
        ours.process.stdin.close()
    for count in COUNTS:
        ratios = [row["ratio"] for row in found if row["elements"] == count]
        print(f"{count} elements: median {statistics.median(ratios):.2f}, "
              f"{sum(r > 1.3 for r in ratios)} of {len(ratios)} above 1.3")
    operations.store(options.out, "understudy/bench-chains/1", found)


if __name__ == "__main__":
    main()
