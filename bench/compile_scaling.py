#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Growth of time and memory of `run` and `metrics` with the size of a program: a chain of
operations, a fan of independent operations that are summed, a loop that carries many values; on 1 chip, and on
2 chips with an all_reduce at the end. Checks every result against the exact number. Prints for each
size the growth relative to the size before: 1.0 is proportional to the program.

usage: compile_scaling.py UNDERSTUDY [--sizes N,N,...] [--out FILE]
"""
import argparse
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import time

import machine

T = "tensor<8xf32>"
ALL_REDUCE = f"""  %sum = "stablehlo.all_reduce"({{last}}) ({{{{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}}}) {{{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}}} : ({T}) -> {T}
"""


def chain(count):
    yield f"  %0 = stablehlo.add %x, %x : {T}\n"
    for i in range(1, count):
        yield f"  %{i} = stablehlo.add %{i - 1}, %x : {T}\n"
    return f"%{count - 1}", count + 1


def fan(count):
    half = count // 2
    for i in range(half):
        yield f"  %{i} = stablehlo.negate %x : {T}\n"
    last = "%0"
    for i in range(1, half):
        yield f"  %{half + i} = stablehlo.add {last}, %{i} : {T}\n"
        last = f"%{half + i}"
    return last, -half


def carried(count):
    types = ", ".join([T] * count)
    integers = "(tensor<i32>, tensor<i32>) -> tensor<i1>"
    yield "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    yield "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    yield "  %two = stablehlo.constant dense<2> : tensor<i32>\n"
    yield f"  %w:{count + 1} = stablehlo.while(%i = %zero"
    yield "".join(f", %c{i} = %x" for i in range(count)) + f") : tensor<i32>, {types}\n"
    yield f"  cond {{\n    %p = stablehlo.compare LT, %i, %two : {integers}\n"
    yield "    stablehlo.return %p : tensor<i1>\n  } do {\n"
    yield "    %n = stablehlo.add %i, %one : tensor<i32>\n"
    for i in range(count):
        yield f"    %d{i} = stablehlo.add %c{(i + 1) % count}, %x : {T}\n"
    yield "    stablehlo.return %n" + "".join(f", %d{i}" for i in range(count))
    yield f" : tensor<i32>, {types}\n  }}\n"
    return "%w#1", 3


def write(path, body, chips):
    """Writes the program; returns the value of its result if %x is all ones."""
    with path.open("w") as out:
        out.write(f"module @scaling attributes {{mhlo.num_replicas = {chips} : i32}} {{\n")
        out.write(f"func.func public @main(%x: {T}) -> {T} {{\n")
        while True:
            try:
                out.write(next(body))
            except StopIteration as end:
                last, value = end.value
                break
        if chips > 1:
            out.write(ALL_REDUCE.format(last=last))
            last, value = "%sum", chips * value
        out.write(f"  return {last} : {T}\n}}\n}}\n")
    return value


def seconds_and_bytes(words, folder):
    """Wall seconds of a command with its children, and the largest memory of one process."""
    start = time.monotonic()
    ran = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = ran.stderr.read()
    _, status, usage = os.wait4(ran.pid, 0)
    seconds = time.monotonic() - start
    ran.returncode = os.waitstatus_to_exitcode(status)
    if ran.returncode != 0:
        raise SystemExit(f"compile_scaling: {' '.join(words)}: exit {ran.returncode}\n{errors.decode()}")
    return {"seconds": seconds, "bytes": usage.ru_maxrss * 1024}


def measure(understudy, folder, name, body, size, chips):
    path = folder / "program.mlir"
    wanted = write(path, body(size), chips)
    common = [path.name, "--fill", "ones"]
    run = seconds_and_bytes(
        [understudy, "run", *common, "--cache-policy", "off", "--out", "out"], folder)
    result = struct.unpack("<f", (folder / "out/out0.npy").read_bytes()[-4:])[0]
    if result != wanted:
        raise SystemExit(f"compile_scaling: {name} of {size}: {result}, expected {wanted}")
    static = seconds_and_bytes([understudy, "metrics", *common, "--static"], folder)
    metrics = seconds_and_bytes([understudy, "metrics", *common], folder)
    return {"program": name, "size": size, "chips": chips, "run": run, "metrics_static": static,
            "metrics": metrics}


def show(row, before):
    text = f"{row['program']:<8}{row['size']:>9} on {row['chips']}"
    for what in ("run", "metrics_static", "metrics"):
        text += f"   {what} {row[what]['seconds']:.2f} s {row[what]['bytes'] / 1e6:.0f} MB"
        if before:
            times = row["size"] / before["size"]
            text += " (" + ", ".join(
                f"x{row[what][of] / before[what][of] / times:.2f}" for of in ("seconds", "bytes")) + ")"
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("understudy")
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    understudy = str(pathlib.Path(options.understudy).resolve())
    sizes = [int(size) for size in options.sizes.split(",")]
    # The text of a loop repeats its types three times, which is large for 100,000 carried values.
    programs = {"chain": (chain, sizes), "fan": (fan, sizes),
                "carried": (carried, [size // 10 for size in sizes])}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (body, counts) in programs.items():
            for chips in (1, 2):
                before = None
                for size in counts:
                    row = measure(understudy, pathlib.Path(folder), name, body, size, chips)
                    show(row, before)
                    rows.append(row)
                    before = row
    if options.out:
        document = {"schema": "understudy/bench-compile-scaling/1", "machine": machine.machine(),
                    "rows": rows}
        options.out.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
