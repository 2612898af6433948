#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes shape_polymorphism.mlir: a JAX export with symbolic shapes, called at several sizes."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import export

from program_text import FOLDER, dense, type_of


def work(x, y):
    b = x.shape[0]
    longer = jnp.concatenate([x, jnp.zeros((b // 2 + 1, x.shape[1]), x.dtype)])
    part = jnp.sum(longer.reshape(-1)[: b * 2]) + y[: b // 2].sum()
    return part + jnp.sort(x, axis=0)[0] + jnp.take(x, jnp.arange(b) % 2, axis=0).mean()


def check(got, want):
    kind = type_of(want)
    return [f"    %want = stablehlo.constant {dense(want)} : {kind}",
            f"    check.expect_close {got}, %want, max_ulp_difference = 4 : {kind}, {kind}",
            "    return", "  }"]


def program(exported, rows, columns):
    x = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns) - 3
    y = np.arange(rows, dtype=np.float32)
    text = jax.jit(lambda: exported.call(x, y)).lower().as_text()
    lines = text.rstrip().split("\n")
    at = next(i for i, line in enumerate(lines) if "@main" in line)
    lines[at] = "  func.func public @main() {"
    end = next(i for i in range(at, len(lines)) if lines[i].strip().startswith("return"))
    got = lines[end].split()[1]
    lines[end:end + 2] = check(got, np.asarray(work(x, y)))
    return "\n".join(lines) + "\n"


def main():
    specs = export.symbolic_args_specs((jnp.zeros((4, 3)), jnp.zeros(4)), ("b, c", "b,"),
                                       constraints=("b >= 2",))
    exported = export.export(jax.jit(work), platforms=["cpu"])(*specs)
    parts = [program(exported, rows, columns) for rows, columns in ((6, 3), (2, 5), (9, 1))]
    (FOLDER / "shape_polymorphism.mlir").write_text(
        "// SPDX-License-Identifier: Apache-2.0\n// JAX exports with symbolic shapes.\n"
        + "// -----\n".join(parts))


if __name__ == "__main__":
    main()
