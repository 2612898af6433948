#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the artifacts of this folder: every NAME.mlir here is printed by jaxlib and written as
NAME.TARGET.mlirbc for one target version of each format of bytecode (0, 1, 3, 4, 6), as far as the
version knows its operations; located.mlir.txt becomes located.mlirbc, with its locations. Needs
jax; run it again after a change of a .mlir file.

usage: make_artifacts.py
"""

import pathlib

from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jaxlib.mlir import ir

TARGETS = ("0.9.0", "0.10.0", "0.12.0", "0.14.0", "0.15.0", "1.17.0")
HERE = pathlib.Path(__file__).parent


def main():
    for old in HERE.glob("*.mlirbc"):
        old.unlink()
    for path in sorted(HERE.glob("*.mlir")):
        with mlir.make_ir_context():
            text = str(ir.Module.parse(path.read_text()))
            written = []
            for target in TARGETS:
                try:
                    artifact = _jax.mlir.serialize_portable_artifact(text, target, True)
                except Exception as error:  # jaxlib raises several kinds
                    last = error
                    continue
                (HERE / f"{path.stem}.{target}.mlirbc").write_bytes(artifact)
                written.append(target)
            if not written:
                raise SystemExit(f"{path}: {last}")
            back = _jax.mlir.deserialize_portable_artifact(artifact)
            path.write_text(str(back).strip() + "\n")
            print(path.name, *written)
    with mlir.make_ir_context():
        module = ir.Module.parse((HERE / "located.mlir.txt").read_text())
        asm = module.operation.get_asm(enable_debug_info=True)
        artifact = _jax.mlir.serialize_portable_artifact(asm, "1.17.0", True)
        (HERE / "located.mlirbc").write_bytes(artifact)


if __name__ == "__main__":
    main()
