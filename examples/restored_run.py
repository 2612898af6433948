# SPDX-License-Identifier: Apache-2.0
"""A restored run: the second run takes its executable from the compile cache, and proves it.

Both runs leave a receipt. `understudy receipt diff` compares them: the same program, environment
and results, and no compile in the second.
"""
import pathlib
import subprocess
import sys
import tempfile

import jax
import numpy as np
from jax.sharding import PartitionSpec as P

import understudy


def normalise_on_a_chip(x):
    total = jax.lax.psum(x.sum(), "data")
    return x / total


def normalise(x):
    return jax.shard_map(normalise_on_a_chip, in_specs=P("data"), out_specs=P("data"))(x)


def main():
    x = np.arange(1, 17, dtype=np.float32)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = understudy.export(normalise, x, mesh={"data": 8}, out=folder / "program")
        receipts = []
        for run in ("cold", "restored"):
            result = understudy.run_folder(
                program, options=("--cache-dir", str(folder / "cache"),
                                  "--receipt", str(folder / f"{run}.json")))
            print(f"{run}: compiled in this run: {not result.cached}")
            receipts.append(str(result.receipt))
        proof = subprocess.run([understudy.find_binary(), "receipt", "diff", *receipts],
                               capture_output=True, text=True)
        print(proof.stdout.split("\n\n")[0] or proof.stderr)  # the table of other fields follows
        return proof.returncode


if __name__ == "__main__":
    sys.exit(main())
