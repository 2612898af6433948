# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of sharded arrays with Orbax: every host writes its shards; the last step is restored
under another sharding and goes on.

    pip install orbax-checkpoint
    understudy run --slice v6e-8 --hosts 2 -- python orbax_checkpoint.py FOLDER --distributed
"""
import argparse
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path, help="absolute path, empty or not there yet")
parser.add_argument("--out", help="write the final state to this .npz file")
parser.add_argument("--distributed", action="store_true", help="on several hosts")
arguments = parser.parse_args()
if arguments.distributed:
    jax.distributed.initialize()

mesh = jax.make_mesh((jax.device_count() // 2, 2), ("data", "model"),
                     axis_types=(AxisType.Auto,) * 2)
rows, columns, whole = (NamedSharding(mesh, P(*axes))
                        for axes in (("data", "model"), (None, ("data", "model")), ()))


@jax.jit
def step(state):
    weights = state["weights"] * 0.5 + jnp.roll(state["weights"], 1, 0)
    return {"weights": weights, "scale": state["scale"] + 1, "count": state["count"] + 1}


def start(key):
    return {"weights": jax.random.normal(key, (16, 8)), "count": jnp.int32(0),
            "scale": jnp.arange(8, dtype=jnp.bfloat16)}


state = jax.jit(start, out_shardings={"weights": rows, "count": whole, "scale": whole})(
    jax.random.key(1))
options = ocp.CheckpointManagerOptions(max_to_keep=2)
with ocp.CheckpointManager(arguments.folder, options=options) as manager:
    for number in range(3):
        state = step(state)
        manager.save(number, args=ocp.args.StandardSave(state))
    manager.wait_until_finished()
    kept = manager.all_steps()
    wanted = {name: jax.ShapeDtypeStruct(array.shape, array.dtype,
                                         sharding=columns if name == "weights" else whole)
              for name, array in state.items()}
    restored = manager.restore(max(kept), args=ocp.args.StandardRestore(wanted))
assert restored["weights"].sharding == columns
assert bool(jax.jit(lambda a, b: jnp.all(a == b), out_shardings=whole)(
    restored["weights"], state["weights"]))
final = jax.jit(step, out_shardings=whole)(restored)
if jax.process_index() == 0:
    print(f"kept steps {list(kept)}, went on from step {max(kept)}: count {int(final['count'])}")
    if arguments.out:
        np.savez(arguments.out, **{name: np.asarray(array, np.float32)
                                   for name, array in final.items()})
