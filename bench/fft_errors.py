#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Errors of Fourier transforms of complex<f32> on a chip, against NumPy in f64: the largest distance
of two complex numbers over the largest number of the line, for normal random lines. Prints the
figures of docs/numerics.md.

usage: fft_errors.py BENCH_OPERATIONS
"""
import pathlib
import sys
import tempfile

import jax.numpy as jnp
import numpy as np

import operations

LENGTHS = [16, 60, 1001, 1024, 4096, 16384, 27720, 28561, 30000,
           17, 19, 23, 29, 31, 289, 437, 527, 961, 4913, 12167, 24389, 28750, 28830, 29791,
           37, 41, 97, 101, 127, 592, 999, 1016, 1271, 4699, 10403, 16129,
           509, 4099, 8191, 10007, 12289, 16381, 20011, 29989, 30011]
SEEDS = 10


def largest_prime(n):
    factor = 2
    while factor * factor <= n:
        while n % factor == 0 and n > factor:
            n //= factor
        factor += 1
    return n


def main(binary):
    worst = {}
    with tempfile.TemporaryDirectory() as folder:
        ours = operations.Ours(binary, pathlib.Path(folder))
        random = np.random.default_rng(1)
        for length in LENGTHS:
            prime = largest_prime(length)
            bound = next((b for b in (13, 31, 127) if prime <= b), None)
            group = f"to {bound}" if bound else "above 127"
            # So many that they are computed side by side, without the chirp transform.
            lines = 16 if bound == 127 else 4
            for _ in range(SEEDS):
                parts = random.standard_normal((2, lines, length))
                x = (parts[0] + 1j * parts[1]).astype(np.complex64)
                ours.load(jnp.fft.fft, (x,))
                (got,) = ours.results([np.empty_like(x)])
                want = np.fft.fft(x.astype(np.complex128))
                error = (np.abs(got - want).max(1) / np.abs(want).max(1)).max()
                worst[group] = max(worst.get(group, (0, 0)), (error, length))
    for group, (error, length) in worst.items():
        print(f"prime factors {group:9} {error:.2e}  (length {length})")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
