# SPDX-License-Identifier: Apache-2.0
"""Topologies without a pod: two slices, named in both ways; prints their chips."""
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import mesh_utils, topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def chips(name, **options):
    return topologies.get_topology_desc(platform="tpu", topology_name=name, **options).devices


def refusal(**options):
    try:
        chips("v6e:2x2", **options)
    except Exception as error:  # its type differs between versions of JAX
        return str(error)
    return "accepted"


def places(devices):
    return [[d.id, d.process_index, d.slice_index, list(d.coords)] for d in devices]


def out_of_memory():
    """Of a program that needs 24 GiB, for a chip that has 16; nothing is allocated."""
    one = NamedSharding(Mesh(np.array(chips("v5e:1x1")), "x"), P())
    try:
        jax.jit(jnp.sin).lower(jax.ShapeDtypeStruct((3 << 30,), np.float32, sharding=one)).compile()
    except Exception as error:  # as above
        return str(error)
    return "accepted"


two = chips("v6e:2x2", num_slices=2)
mesh = Mesh(mesh_utils.create_hybrid_device_mesh((1, 4), (2, 1), devices=two), ("dcn", "ici"))
compiled = jax.jit(jax.shard_map(lambda x: jax.lax.psum(jnp.sin(x), "dcn"), mesh=mesh,
                                 in_specs=P("dcn", "ici"), out_specs=P(None, "ici"))).lower(
    jax.ShapeDtypeStruct((4, 16), np.float32, sharding=NamedSharding(mesh, P("dcn", "ici")))
).compile()
print(json.dumps({"places": places(two), "same": places(chips("2xv6e-4")),
                  "one": [hasattr(d, "slice_index") for d in chips("v6e:2x2", num_slices=1)],
                  "shapes": [list(mesh.devices.shape) for _ in [compiled.as_text()]],
                  "memory": out_of_memory(), "refused": refusal(bogus=1), "none": refusal(num_slices=0)}))
