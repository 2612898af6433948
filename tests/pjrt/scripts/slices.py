# SPDX-License-Identifier: Apache-2.0
"""Two joined slices of four chips: data parallel over "dcn", sharded over "ici" inside of a slice.
Each process prints what it sees; the first one writes the results to argv[1]. On JAX's CPU backend
the same with one process and eight devices."""
import json
import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import mesh_utils, multihost_utils
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P

if os.environ.get("JAX_PLATFORMS") == "cpu":
    devices = np.array(jax.devices()).reshape(2, 4)
else:
    jax.distributed.initialize()
    # The first axis of a hybrid mesh is over DCN, the second one over ICI.
    devices = mesh_utils.create_hybrid_device_mesh((1, 4), (2, 1))
    names = ("MEGASCALE_COORDINATOR_ADDRESS", "MEGASCALE_NUM_SLICES", "MEGASCALE_PORT",
             "MEGASCALE_SLICE_ID", "TPU_NAME", "TPU_WORKER_HOSTNAMES", "TPU_WORKER_ID")
    print(json.dumps({
        "process": jax.process_index(), "processes": jax.process_count(),
        "local": [device.id for device in jax.local_devices()],
        "places": [[d.id, d.process_index, d.slice_index, list(d.coords)] for d in jax.devices()],
        "rows": [sorted({d.slice_index for d in row}) for row in devices],
        "variables": {name: os.environ[name] for name in names}}) + "\n", end="", flush=True)
mesh = Mesh(devices, ("dcn", "ici"), axis_types=(AxisType.Auto,) * 2)
results = {}


def on(*axes):
    return NamedSharding(mesh, P(*axes))


def values(*shape):
    return np.random.default_rng(len(results)).normal(size=shape).astype(np.float32)


def put(x, *axes):
    return jax.make_array_from_callback(x.shape, on(*axes), lambda at: x[at])


def keep(name, x):
    results[name] = np.asarray(multihost_utils.process_allgather(x, tiled=True))


def mapped(body, out=P("dcn", "ici")):
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("dcn", "ici"), out_specs=out,
                                 check_vma=False))


x = put(values(8, 16), "dcn", "ici")
keep("sum_over_dcn", mapped(lambda a: lax.psum(a, "dcn"), P(None, "ici"))(x))
keep("sum_over_ici", mapped(lambda a: lax.psum(a, "ici"), P("dcn"))(x))
keep("sum_over_both", mapped(lambda a: lax.psum(a, ("dcn", "ici")), P())(x))
keep("gathered", mapped(lambda a: lax.all_gather(a, "dcn", tiled=True), P(None, "ici"))(x))
keep("scattered", mapped(lambda a: lax.psum_scatter(a, "dcn", tiled=True))(x))
keep("exchanged", mapped(lambda a: lax.all_to_all(a, "dcn", 1, 0, tiled=True))(x))
keep("shifted", mapped(lambda a: lax.ppermute(a, "dcn", [(0, 1), (1, 0)]))(x))
# One chip of the first slice beside another one of the second: no grid of either.
keep("crossed", mapped(lambda a: lax.ppermute(a, ("dcn", "ici"), [(0, 5), (5, 0), (3, 6)]))(x))

w = put(values(16, 12), "ici", None)
y = put(values(8, 12), "dcn", None)


@jax.jit
def step(w, x, y):
    loss, slope = jax.value_and_grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y)**2))(w)
    return loss, lax.with_sharding_constraint(w - 0.1 * slope, on("ici", None))


for number in range(3):
    loss, w = step(w, x, y)
    keep(f"loss_{number}", loss)
keep("weights", w)
if jax.process_index() == 0:
    np.savez(sys.argv[1], **results)
