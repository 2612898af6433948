#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the dump folders of this directory: one job on several hosts, of which some compiled another
program. Needs jax 0.10.2. Each host is a process of its own, as in a job.

    make_dumps.py DIR      writes DIR/host0, host1, ..., and removes what the tests do not read
"""
import os
import pathlib
import subprocess
import sys

# What each host does differently.
HOSTS = {
    "host0": {},
    "host1": {},
    "batch": {"batch": 16},
    "flag": {"flags": "--xla_allow_excess_precision=false"},
    "order": {"swap": True},
    "extra": {"extra": True},
}
KEPT = ("before_optimizations", "after_spmd-partitioning", "debug_options")


def step(batch, swap, extra):
    """One training step on a 4 x 2 mesh with two collectives that do not depend on each other."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))

    def step(w, x):
        def loss(w):
            return jnp.mean(jnp.tanh(x @ w) ** 2)
        value, gradient = jax.value_and_grad(loss)(w)
        if extra:
            gradient = jnp.clip(gradient, -1.0, 1.0)
        # The barrier keeps the order, which XLA is free to choose otherwise.
        if swap:
            gradient = jax.lax.pmean(gradient, "data")
            value, gradient = jax.lax.optimization_barrier((value, gradient))
            value = jax.lax.pmean(value, ("data", "model"))
        else:
            value = jax.lax.pmean(value, ("data", "model"))
            value, gradient = jax.lax.optimization_barrier((value, gradient))
            gradient = jax.lax.pmean(gradient, "data")
        return w - 0.1 * gradient, value

    specs = (P(None, "model"), P("data", None))
    mapped = jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs,
                                   out_specs=(P(None, "model"), P()), check_vma=False),
                     in_shardings=tuple(NamedSharding(mesh, spec) for spec in specs))
    mapped.lower(jax.ShapeDtypeStruct((6, 4), jnp.float32),
                 jax.ShapeDtypeStruct((batch, 6), jnp.float32)).compile()


def main():
    if sys.argv[1] == "--step":
        host = HOSTS[sys.argv[2]]
        return step(host.get("batch", 8), host.get("swap", False), host.get("extra", False))
    for name, host in HOSTS.items():
        folder = pathlib.Path(sys.argv[1]) / name
        flags = ["--xla_force_host_platform_device_count=8", f"--xla_dump_to={folder}",
                 "--xla_dump_hlo_pass_re=spmd-partitioning", host.get("flags", "")]
        subprocess.run([sys.executable, __file__, "--step", name], check=True,
                       env={**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": " ".join(flags)})
        for path in sorted(folder.rglob("*"), reverse=True):
            if path.is_dir():
                path.rmdir()
            elif "jit_step" not in path.name or not any(word in path.name for word in KEPT):
                path.unlink()
    return None


if __name__ == "__main__":
    main()
