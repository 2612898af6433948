# SPDX-License-Identifier: Apache-2.0
"""Programs that attacks run, generated so that their lines and sizes are known."""
from __future__ import annotations

import pathlib

_SUM = "({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %s = stablehlo.add %a, %b : tensor<f32> " \
       "stablehlo.return %s : tensor<f32> })"


def _groups(chips: int) -> str:
    ranks = ", ".join(str(rank) for rank in range(chips))
    return f"dense<[[{ranks}]]> : tensor<1x{chips}xi64>"


def loop_step(chips: int) -> str:
    """Four collectives of different kinds, each on its own line, with arithmetic between them."""
    channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    common = f"{channel}, replica_groups = {_groups(chips)}, use_global_device_ids"
    small, big = "tensor<64xf32>", f"tensor<{64 * chips}xf32>"
    ring = ", ".join(f"[{rank}, {(rank + 1) % chips}]" for rank in range(chips))
    return f"""module @loop_step attributes {{mhlo.num_partitions = {chips} : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%arg0: {small}) -> {small} {{
    %scale = stablehlo.constant dense<0.01> : {small}
    %0 = stablehlo.tanh %arg0 : {small}
    %1 = "stablehlo.all_gather"(%0) <{{all_gather_dim = 0 : i64, {common}}}> : ({small}) -> {big}
    %2 = stablehlo.tanh %1 : {big}
    %3 = stablehlo.multiply %2, %2 : {big}
    %4 = "stablehlo.reduce_scatter"(%3) <{{{common}, scatter_dimension = 0 : i64}}> {_SUM} : ({big}) -> {small}
    %5 = stablehlo.multiply %4, %scale : {small}
    %6 = "stablehlo.collective_permute"(%5) <{{{channel}, source_target_pairs = dense<[{ring}]> : tensor<{chips}x2xi64>}}> : ({small}) -> {small}
    %7 = stablehlo.tanh %6 : {small}
    %8 = "stablehlo.all_reduce"(%7) <{{{common}}}> {_SUM} : ({small}) -> {small}
    %9 = stablehlo.multiply %8, %scale : {small}
    return %9 : {small}
  }}
}}
"""


def two_chips(constant: float) -> str:
    """An all_reduce of two chips; another constant gives another program and result."""
    return f"""module @two_chips attributes {{mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {{
    %c = stablehlo.constant dense<{constant:e}> : tensor<8xf32>
    %0 = stablehlo.multiply %arg0, %c : tensor<8xf32>
    %1 = "stablehlo.all_reduce"(%0) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = {_groups(2)}, use_global_device_ids}}> {_SUM} : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }}
}}
"""


def one_chip(constant: float) -> str:
    return f"""func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {{
  %c = stablehlo.constant dense<{constant:e}> : tensor<8xf32>
  %0 = stablehlo.multiply %arg0, %c : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}}
"""


def chain(operations: int) -> str:
    """A chain of operations, each with the result of the one before."""
    lines = ["func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {"]
    last = "%arg0"
    for index in range(operations):
        lines.append(f"  %{index} = stablehlo.add {last}, %arg0 : tensor<4xf32>")
        last = f"%{index}"
    return "\n".join([*lines, f"  return {last} : tensor<4xf32>", "}", ""])


def nested(depth: int) -> str:
    """Branches within branches."""
    opening = "".join(
        f'%r{level} = "stablehlo.case"(%i) ({{\n' for level in range(depth))
    closing = "".join(
        f"stablehlo.return %{'x' if level == depth - 1 else f'r{level + 1}'} : tensor<f32>\n"
        "}) : (tensor<i32>) -> tensor<f32>\n" for level in reversed(range(depth)))
    return ("func.func public @main(%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {\n"
            f"{opening}{closing}return %r0 : tensor<f32>\n}}\n")


def endless() -> str:
    return """func.func public @main(%arg0: tensor<i64>) -> tensor<i64> {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %0 = stablehlo.while(%i = %arg0) : tensor<i64>
  cond {
    %more = stablehlo.compare GE, %i, %arg0 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %next : tensor<i64>
  }
  return %0 : tensor<i64>
}
"""


def large_argument(elements: int) -> str:
    return f"""func.func public @main(%arg0: tensor<{elements}xf32>) -> tensor<{elements}xf32> {{
  %0 = stablehlo.add %arg0, %arg0 : tensor<{elements}xf32>
  return %0 : tensor<{elements}xf32>
}}
"""


def large_iota(elements: int) -> str:
    return f"""func.func public @main(%arg0: tensor<i8>) -> tensor<i8> {{
  %0 = stablehlo.iota dim = 0 : tensor<{elements}xi8>
  %1 = stablehlo.slice %0 [0:1] : (tensor<{elements}xi8>) -> tensor<1xi8>
  %2 = stablehlo.reshape %1 : (tensor<1xi8>) -> tensor<i8>
  return %2 : tensor<i8>
}}
"""


def inner_constraint(chips: int, how: str) -> str:
    """A sharding constraint in an inner function or in a region."""
    constraint = "sdy.sharding_constraint %v <@mesh, [{\"x\"}, {}]> : tensor<8x8xf32>"
    inner = f"""  func.func private @inner(%v: tensor<8x8xf32>) -> tensor<8x8xf32> {{
    %c = {constraint}
    return %c : tensor<8x8xf32>
  }}
""" if how == "function" else ""
    call = "%0 = func.call @inner(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>" \
        if how == "function" else f"""%zero = stablehlo.constant dense<0> : tensor<i64>
    %0:2 = stablehlo.while(%i = %zero, %v = %arg0) : tensor<i64>, tensor<8x8xf32>
    cond {{
      %many = stablehlo.constant dense<3> : tensor<i64>
      %more = stablehlo.compare LT, %i, %many : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i64>
      %next = stablehlo.add %i, %one : tensor<i64>
      %c = {constraint}
      stablehlo.return %next, %c : tensor<i64>, tensor<8x8xf32>
    }}"""
    result = "%0" if how == "function" else "%0#1"
    return f"""module @inner attributes {{mhlo.num_partitions = {chips} : i32, mhlo.num_replicas = 1 : i32}} {{
  sdy.mesh @mesh = <["x"={chips}]>
  func.func public @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {{
    {call}
    return {result} : tensor<8x8xf32>
  }}
{inner}}}
"""


def memory_hog(mebibytes: int, chips: int) -> str:
    """Every chip fills two buffers of this size in each step."""
    elements = mebibytes * (1 << 20) // 4
    big = f"tensor<{elements}xf32>"
    return f"""module @memory_hog attributes {{mhlo.num_partitions = {chips} : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {{
    %0 = stablehlo.iota dim = 0 : {big}
    %1 = "stablehlo.reverse"(%0) <{{dimensions = array<i64: 0>}}> : ({big}) -> {big}
    %2 = stablehlo.slice %1 [0:1] : ({big}) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    return %3 : tensor<f32>
  }}
}}
"""


def write(folder: pathlib.Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)
