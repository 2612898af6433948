# SPDX-License-Identifier: Apache-2.0
"""Global-view programs: the programs of the other files, and graphs with many constraints, with
random shardings on meshes of one to three axes. XLA's partitioner makes the program of a chip, which
understudy runs; expected are the results without any sharding."""
import os
import pathlib
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import compositions
import indexing
import movement
import reductions
import users
import values as v
from case import F32, F64, Case

PYTHON = str(pathlib.Path(__file__).resolve().parents[2] / "python")
sys.path.insert(0, PYTHON)
from understudy_partitioner import wire  # noqa: E402

MESHES = [((2,), "x"), ((3,), "x"), ((4,), "x"), ((8,), "x"), ((2, 2), "xy"), ((2, 4), "xy"), ((4, 2), "xy"),
          ((3, 2), "xy"), ((4, 4), "xy"), ((2, 2, 2), "xyz"), ((2, 2, 4), "xyz"), ((2, 3, 2), "xyz"), ((16,), "x")]


def mesh_of(rng):
    sizes, names = v.pick(rng, MESHES)
    devices = np.array(jax.devices()[:int(np.prod(sizes))])
    if v.chance(rng, 0.15):
        devices = rng.permutation(devices)
    return Mesh(devices.reshape(sizes), tuple(names))


def spec_of(rng, mesh, shape):
    """A random partition of an array; axes may stay unused."""
    parts = [[] for _ in shape]
    for name in (mesh.axis_names[i] for i in v.permutation(rng, len(mesh.axis_names))):
        if shape and v.chance(rng, 0.7):
            parts[int(rng.integers(len(shape)))].append(name)
    return P(*[tuple(part) or None for part in parts])


def divides(mesh, spec, shape):
    cuts = [int(np.prod([mesh.shape[name] for name in part or ()])) for part in spec]
    return all(size % cut == 0 for size, cut in zip(shape, cuts))


def constrained(rng, mesh, x, chance=1.0):
    """jax.lax.with_sharding_constraint, uneven where the sizes are."""
    if not hasattr(x, "shape") or jnp.issubdtype(x.dtype, jax.dtypes.prng_key) or not v.chance(rng, chance):
        return x
    return lax.with_sharding_constraint(x, NamedSharding(mesh, spec_of(rng, mesh, x.shape)))


def placed(rng, case):
    """The case with random shardings on its arguments and results."""
    mesh, seed, plain = mesh_of(rng), int(rng.integers(2**31)), case.function
    specs = [spec_of(rng, mesh, np.shape(a)) for a in case.arguments]
    ins = [NamedSharding(mesh, s) if divides(mesh, s, np.shape(a)) and v.chance(rng, 0.7) else None
           for s, a in zip(specs, case.arguments)]

    def function(*args):
        draw = np.random.default_rng(seed)  # the same draws in every trace
        args = [constrained(draw, mesh, a, 0.6) if place is None else a for a, place in zip(args, ins)]
        return jax.tree_util.tree_map(lambda x: constrained(draw, mesh, x, 0.6), plain(*args))

    case.plain, case.function, case.shardings, case.global_mesh = plain, function, tuple(ins), mesh
    case.family = f"global view, {dict(mesh.shape)}: {case.family}"
    return case


def of_others(rng):
    """A program of another file. Sharded sums have another order, so float results that were exact
    may be off by the last places."""
    families = OTHERS
    weights = np.array([w for _, w in families], float)
    family = families[int(rng.choice(len(families), p=weights / weights.sum()))][0]
    case = placed(rng, family(rng))
    if case.near == 0:
        case.near, case.relative_to = 8, "noise"
    return case


# JAX's rbg generators give other numbers when they are sharded: their documentation says so.
def random_bits(rng):
    while "rbg" in (case := compositions.random_bits(rng)).family:
        pass
    return case


OTHERS = ([pair for pair in movement.FAMILIES + reductions.FAMILIES + indexing.FAMILIES + users.FAMILIES]
          + [(compositions.composition, 14), (compositions.control, 8), (compositions.linear_algebra, 2),
             (compositions.fourier, 2), (compositions.training, 4), (random_bits, 3)])


def layers(rng):
    """Products, normalisations and reductions of arrays whose sizes the mesh divides, under scan,
    remat, cond and grad: what models are made of."""
    mesh, seed = mesh_of(rng), int(rng.integers(2**31))
    n = int(np.prod(list(mesh.shape.values())))
    rows, inner, columns = (n * int(rng.integers(1, 3)) if n < 8 else n for _ in range(3))
    dtype = v.pick(rng, [F32, F32, F64])
    x = v.array(rng, dtype, (rows, inner), low=-1, high=1)
    w = v.array(rng, dtype, (2, inner, inner), low=-0.5, high=0.5)
    u = v.array(rng, dtype, (inner, columns), low=-1, high=1)
    ids = rng.integers(0, rows, (rows,)).astype(np.int32)
    act = v.pick(rng, [jnp.tanh, jax.nn.gelu, jax.nn.silu])
    kind = v.pick(rng, ["plain", "grad", "grad", "grad"])
    looped, remat, branch = (v.chance(rng, 0.4) for _ in range(3))

    def forward(x, w, u, draw):
        def layer(h, weights):
            h = act(constrained(draw, mesh, jnp.dot(h, weights, precision="highest"), 0.5))
            h = (h - h.mean(-1, keepdims=True)) / jnp.sqrt(h.var(-1, keepdims=True) + 0.1)
            return constrained(draw, mesh, h, 0.5), h.sum(0)
        step = jax.checkpoint(layer) if remat else layer
        if looped:
            h, sums = lax.scan(step, x, w)
        else:
            h, first = step(x, w[0])
            h, second = step(h, w[1])
            sums = jnp.stack([first, second])
        if branch:
            h = lax.cond(jnp.max(x) > 0.5, lambda h: constrained(draw, mesh, h * 2, 0.7), lambda h: -h, h)
        picked = constrained(draw, mesh, h[ids], 0.5)
        p = jax.nn.softmax(jnp.dot(picked, u, precision="highest"))
        return constrained(draw, mesh, p, 0.5), sums, jnp.roll(h, 3, 0), jnp.cumsum(h, 1)

    def function(x, w, u):
        draw = np.random.default_rng(seed)
        loss = lambda w, u: sum(jnp.mean(out * out) for out in forward(x, w, u, draw))  # noqa: E731
        return jax.value_and_grad(loss, (0, 1))(w, u) if kind == "grad" else forward(x, w, u, draw)
    case = Case("layers", function, [x, w, u], 200, "noise", platform="tpu", largest=4.0)
    specs = [spec_of(rng, mesh, a.shape) for a in case.arguments]
    case.plain = without_constraints(function)
    case.shardings = tuple(NamedSharding(mesh, s) if divides(mesh, s, a.shape) and v.chance(rng, 0.8) else None
                           for s, a in zip(specs, case.arguments))
    case.global_mesh = mesh
    case.family = f"global view, {dict(mesh.shape)}: layers"
    return case


def without_constraints(function):
    """The function with with_sharding_constraint as the identity."""
    def plain(*args):
        kept = lax.with_sharding_constraint
        lax.with_sharding_constraint = lambda x, *_: x
        try:
            return function(*args)
        finally:
            lax.with_sharding_constraint = kept
    return plain


class Helper:
    """The partitioner's process: XLA ends it where an invariant of XLA is broken."""
    process = None

    @classmethod
    def send(cls, request, program):
        """Starts a partition, which goes on beside this process until receive()."""
        if cls.process is None or cls.process.poll() is not None:
            cls.process = subprocess.Popen([sys.executable, "-m", "understudy_partitioner"], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": PYTHON})
            wire.read_frame(cls.process.stdout)
        try:
            wire.write_frame(cls.process.stdin, request, program)
        except BrokenPipeError:
            cls.process.kill()

    @classmethod
    def receive(cls):
        try:
            return wire.read_frame(cls.process.stdout) or ({"error": "the partitioner ended"}, b"")
        except wire.BrokenStream as error:
            cls.process.kill()
            return {"error": str(error)}, b""


# The code of the reference needs not be quick, and compiling it is most of the time of a drawing: a
# third of it without LLVM's optimisations and XLA's fusions on CPUs.
QUICK_TO_COMPILE = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}


def sharded(case):
    """The function as JAX itself runs it on the mesh. XLA's partitioner changes what some scatters,
    convolutions and windows of uneven arrays compute."""
    return jax.jit(case.function, in_shardings=case.shardings, keep_unused=True)


def reference(case, expected):
    """What gives the expected results: JAX without any sharding ("plain"), or with ("sharded")."""
    return jax.jit(case.plain, compiler_options=QUICK_TO_COMPILE) if expected == "plain" else sharded(case)


class ProgramOfChip:
    """What XLA's partitioner makes of the case, in a process beside this one."""

    def __init__(self, case):
        chips = case.global_mesh.size
        lowered = sharded(case).trace(*case.arguments).lower(lowering_platforms=(case.platform,))
        text = lowered.as_text()
        if f"num_partitions = {chips} " not in text:
            text = re.sub(r"num_partitions = \d+", f"num_partitions = {chips}", text)
        results = len(jax.tree_util.tree_leaves(lowered.out_info))
        self.given = text.encode()
        Helper.send({"form": "stablehlo", "file": "program.mlir", "entry": "", "replicas": 1, "partitions": chips,
                     "device_order": [], "shardy": True, "xla_flags": [],
                     "propagate_to_parameters": [one is None for one in case.shardings],
                     "propagate_to_output": [True] * results}, self.given)

    def receive(self):
        """An artifact or text. A program that XLA refuses stays as it is: understudy refuses it then,
        and the judge counts that."""
        header, program = Helper.receive()
        if header["error"]:
            print(f"refused by XLA: {header['error'][:300]}", file=sys.stderr)
            return self.given
        return program


FAMILIES = [(of_others, 3), (layers, 2)]
