#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares our compile cache with JAX's LRU cache class: paired ratios, order A B B A.

Readers: 16 processes read warm entries; the rival holds its directory lock while it reads (it has a
size limit), and so does our discipline `directory`. Alone: one process puts and gets entries.
usage: cache.py BENCH_CACHE [--pairs N] [--seconds S] [--bytes N] [--directory DIR]... [--out FILE]
Needs an interpreter that has JAX and filelock.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile
import time

import jax
from jax._src.lru_cache import LRUCache

import machine

BOUND = 1 << 40  # a size limit that is never reached: it makes the class lock
READERS = 16
ENTRIES = 8
BATCH = 8


def interval(ratios):
    draw = random.Random(20240229)
    medians = sorted(
        statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(2000)
    )
    return medians[50], medians[-51]


def row(name, ours, rival, unit, better):
    """better: "less" or "more" of the unit is better; the ratio is above 1 if ours is better."""
    ratios = [b / a if better == "less" else a / b for a, b in zip(ours, rival)]
    low, high = interval(ratios)
    return {
        "name": name,
        "ratio_median": statistics.median(ratios),
        "ratio_low": low,
        "ratio_high": high,
        "pairs": len(ratios),
        "unit": unit,
        "ours": statistics.median(ours),
        "rival": statistics.median(rival),
    }


def payload(number, size):
    return bytes((i * 31 + number) & 255 for i in range(256)) * (size // 256)


def read_on(folder, size, seconds, together, reads):
    cache = LRUCache(folder, max_size=BOUND)
    done = 0
    together.wait()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            value = cache.get(f"key{done % ENTRIES}")
        except Exception:  # could not acquire the lock within ten seconds
            continue
        assert value is not None and len(value) == size
        done += 1
    with reads.get_lock():
        reads.value += done


def rival_readers(folder, size, seconds):
    reads = multiprocessing.Value("q", 0)
    together = multiprocessing.Barrier(READERS)
    children = [
        multiprocessing.Process(target=read_on, args=(folder, size, seconds, together, reads))
        for _ in range(READERS)
    ]
    for child in children:
        child.start()
    for child in children:
        child.join()
        if child.exitcode != 0:
            raise SystemExit(f"cache: a reader of the rival failed with exit code {child.exitcode}")
    return reads.value / seconds


def our_readers(binary, folder, discipline, seconds):
    words = [binary, "readers", folder, discipline, str(READERS), str(ENTRIES), str(seconds)]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


class Server:
    """One process with our cache that obeys put and get commands."""

    def __init__(self, binary, folder):
        self.process = subprocess.Popen(
            [binary, "serve", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def seconds(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def in_turn(pairs, ours, rival):
    results = ([], [])
    for i in range(pairs):
        for which in (0, 1) if i % 2 == 0 else (1, 0):
            results[which].append((ours, rival)[which](i))
    return results


def measure_readers(binary, base, size, pairs, seconds):
    ours, rival = base / f"ours-{size}", base / f"rival-{size}"
    server = Server(binary, str(ours))
    server.seconds("put", 0, ENTRIES, size)
    server.close()
    cache = LRUCache(str(rival), max_size=BOUND)
    for i in range(ENTRIES):
        cache.put(f"key{i}", payload(i, size))
    free = lambda _: our_readers(binary, str(ours), "lock-free", seconds)
    directory = lambda _: our_readers(binary, str(ours), "directory", seconds)
    jax = lambda _: rival_readers(str(rival), size, seconds)
    name = f"{READERS} readers, {size} bytes: "
    return [
        row(name + "against JAX's LRU cache", *in_turn(pairs, free, jax), "reads/s", "more"),
        row(name + "against --lock directory", *in_turn(pairs, free, directory), "reads/s", "more"),
    ]


def measure_alone(binary, base, size, pairs, bound, label):
    ours, rival = base / f"alone-{label}", base / f"alone-rival-{label}"
    server = Server(binary, str(ours))
    cache = LRUCache(str(rival), max_size=bound)

    def put_rival(i):
        values = [payload(n, size) for n in range(BATCH)]
        start = time.perf_counter()
        for n in range(BATCH):
            cache.put(f"key{i * BATCH + n}", values[n])
        return time.perf_counter() - start

    def get_rival(i):
        start = time.perf_counter()
        for n in range(BATCH):
            assert len(cache.get(f"key{i * BATCH + n}")) == size
        return time.perf_counter() - start

    put = in_turn(pairs, lambda i: server.seconds("put", i * BATCH, BATCH, size), put_rival)
    get = in_turn(pairs, lambda i: server.seconds("get", i * BATCH, BATCH), get_rival)
    server.close()
    both = [[a + b for a, b in zip(put[k], get[k])] for k in (0, 1)]
    name = f"alone, {size} bytes, {label}: "
    return [
        row(name + "put", *put, f"s for {BATCH}", "less"),
        row(name + "get", *get, f"s for {BATCH}", "less"),
        row(name + "put and get", *both, f"s for {BATCH}", "less"),
    ]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("binary")
    arguments.add_argument("--pairs", type=int, default=20)
    arguments.add_argument("--seconds", type=float, default=1)
    arguments.add_argument("--bytes", type=int, default=1 << 20)
    arguments.add_argument("--directory", action="append")
    arguments.add_argument("--out")
    given = arguments.parse_args()
    multiprocessing.set_start_method("fork")
    rows = []
    for directory in given.directory or [tempfile.gettempdir()]:
        base = pathlib.Path(tempfile.mkdtemp(prefix="understudy-bench-", dir=directory))
        try:
            some = []
            for size in sorted({1 << 16, given.bytes}):
                some += measure_readers(given.binary, base, size, given.pairs, given.seconds)
            some += measure_alone(given.binary, base, given.bytes, given.pairs, BOUND,
                                  "JAX with a size limit")
            some += measure_alone(given.binary, base, given.bytes, given.pairs, -1,
                                  "JAX without one")
        finally:
            shutil.rmtree(base)
        kind = subprocess.run(["stat", "-f", "-c", "%T", directory], capture_output=True,
                              text=True).stdout.strip()
        rows += [{"file_system": kind, **one} for one in some]
    for one in rows:
        print(f"{one['file_system']:8} {one['name']:64} ratio {one['ratio_median']:8.2f} "
              f"[{one['ratio_low']:.2f}, {one['ratio_high']:.2f}], {one['pairs']} pairs; "
              f"ours {one['ours']:.4g}, rival {one['rival']:.4g} {one['unit']}")
    if given.out:
        document = {
            "schema": "understudy/bench-cache/1",
            "machine": machine.machine(jax=jax.__version__),
            "rows": rows,
        }
        pathlib.Path(given.out).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
