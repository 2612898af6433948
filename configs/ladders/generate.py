#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes programs/: what the rungs of default.json run, as JAX lowers it, with what JAX computes.

One folder per rung and number of chips: programs/dense/8. A folder holds the StableHLO text, its
arguments, and the results of so many steps as its manifest says, with results carried over. Needs
JAX (0.10.2 made what is kept here); run it again after a change and commit what it writes.
"""
import json
import os
import pathlib
import shutil

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=32"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  (the flags must be set before)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec as P  # noqa: E402

# Products of f32 are f32 in either numerics mode, so that goldens hold in both.
jax.config.update("jax_default_matmul_precision", "highest")

HERE = pathlib.Path(__file__).parent / "programs"
CHIPS = (1, 2, 4, 8, 16, 32)
WIDTH, HIDDEN, HEADS, LENGTH = 16, 32, 4, 8
RATE = 0.1
TRAIN_STEPS = 3
CANARY_STEPS = 20
BAKED_CHIPS = 4  # of the canary that fails on purpose
# How far results may be off, in spacings of f32 at the largest value of each: sums in other orders
# give up to 2 in these steps of SGD, and room for other machines. AdamW divides by the root of the
# second moment, which turns the noise of a small gradient into a step: up to 5 in twenty steps of
# one layer, up to 36 in three of the hybrid model.
SGD_NEAR, ADAMW_NEAR, HYBRID_NEAR = 32, 128, 256
ADAMW = {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "decay": 0.01, "rate": 1e-2}


def drawn(seed, *shape, scale=0.3):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def norm(x, scale):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


# ---- layers; each works on what one chip holds -----------------------------------------------


def dense_layer(p, x):
    return jnp.tanh(x @ p["w_in"] + p["bias"]) @ p["w_out"]


def dense_params(seed):
    return {
        "bias": drawn(seed, HIDDEN),
        "w_in": drawn(seed + 1, WIDTH, HIDDEN),
        "w_out": drawn(seed + 2, HIDDEN, WIDTH),
    }


def attention_layer(p, x, reduce_heads):
    """Causal attention over the heads at hand; reduce_heads adds up what other chips hold."""
    h = norm(x, p["scale"])
    q, k, v = (jnp.einsum("btd,dhe->bthe", h, p[name]) for name in ("wq", "wk", "wv"))
    scores = jnp.einsum("bthe,bshe->bhts", q, k) / np.sqrt(WIDTH // HEADS).astype(np.float32)
    seen = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e9), axis=-1)
    return x + reduce_heads(jnp.einsum("bhts,bshe,hed->btd", weights, v, p["wo"]))


def attention_params(seed):
    each = WIDTH // HEADS
    return {
        "scale": np.ones(WIDTH, np.float32),
        **{w: drawn(seed + i, WIDTH, HEADS, each) for i, w in enumerate(("wq", "wk", "wv"))},
        "wo": drawn(seed + 3, HEADS, each, WIDTH),
    }


def recurrent_layer(p, x):
    """A gated linear recurrence over time: h' = a h + (1 - a) u."""
    gate = jax.nn.sigmoid(x @ p["w_gate"] + p["bias"])
    update = x @ p["w_in"]

    def step(state, now):
        a, u = now
        state = a * state + (1 - a) * u
        return state, state

    start = jnp.zeros((x.shape[0], HIDDEN), x.dtype)
    _, states = lax.scan(step, start, (gate.swapaxes(0, 1), update.swapaxes(0, 1)))
    return x + states.swapaxes(0, 1) @ p["w_out"]


def recurrent_params(seed):
    return {
        "bias": drawn(seed, HIDDEN),
        "w_gate": drawn(seed + 1, WIDTH, HIDDEN),
        "w_in": drawn(seed + 2, WIDTH, HIDDEN),
        "w_out": drawn(seed + 3, HIDDEN, WIDTH),
    }


def expert_layer(p, x, axis, chips):
    """Each token goes to its best expert, one expert per chip: all_to_all there and back."""
    tokens = x.shape[0]
    probabilities = jax.nn.softmax(x @ p["router"], axis=-1)
    best = jnp.argmax(probabilities, axis=-1)
    chosen = jax.nn.one_hot(best, chips, dtype=x.dtype)
    place = jnp.cumsum(chosen, axis=0) * chosen - 1
    capacity = max(1, 2 * tokens // chips)
    # Places beyond the capacity give a row of zeros: those tokens pass the layer as they are.
    slots = jax.nn.one_hot(place.astype(jnp.int32), capacity, dtype=x.dtype) * chosen[..., None]
    sent = jnp.einsum("tec,td->ecd", slots, x)
    here = lax.all_to_all(sent, axis, 0, 0, tiled=True) if chips > 1 else sent
    done = jnp.tanh(here.reshape(-1, WIDTH) @ p["w1"][0]) @ p["w2"][0]
    done = done.reshape(here.shape)
    back = lax.all_to_all(done, axis, 0, 0, tiled=True) if chips > 1 else done
    weight = jnp.sum(probabilities * chosen, axis=-1)
    return x + jnp.einsum("tec,ecd->td", slots, back) * weight[:, None]


def expert_params(seed, chips):
    return {
        "router": drawn(seed, WIDTH, chips),
        "w1": drawn(seed + 1, chips, WIDTH, WIDTH),
        "w2": drawn(seed + 2, chips, WIDTH, WIDTH),
    }


EXPERT_SPECS = {"router": P(), "w1": P("expert"), "w2": P("expert")}


def adamw(params, gradients, first, second, count, c):
    """One AdamW step; `count` and all of `c` are arrays or Python numbers, as the caller has it."""
    first = jax.tree.map(lambda m, g: c["beta1"] * m + (1 - c["beta1"]) * g, first, gradients)
    second = jax.tree.map(lambda v, g: c["beta2"] * v + (1 - c["beta2"]) * g * g, second, gradients)
    small = 1 / (1 - c["beta1"] ** count)
    large = 1 / (1 - c["beta2"] ** count)

    def update(p, m, v):
        return p - c["rate"] * (m * small / (jnp.sqrt(v * large) + c["epsilon"]) + c["decay"] * p)

    return jax.tree.map(update, params, first, second), first, second


# ---- writing ---------------------------------------------------------------------------------


def entry(name, array, spec, **more):
    axes = [list(axis) if isinstance(axis, tuple) else axis for axis in spec]
    return {"file": name, "dtype": str(array.dtype), "shape": list(array.shape), "spec": axes, **more}


def flatten(tree):
    return jax.tree.leaves(tree, is_leaf=lambda leaf: isinstance(leaf, P))


def tolerance(want, near):
    """A result is large or small, as moments are: it is compared by its own largest value."""
    if near == 0:
        return {"rtol": 0, "atol": 0}
    spacing = float(np.finfo(np.float32).eps)
    atol = near * spacing * float(np.max(np.abs(want)))
    return {"rtol": float(f"{4 * spacing:.2g}"), "atol": float(f"{atol:.2g}")}


def mesh_of(axes):
    shape = tuple(axes.values())
    devices = np.array(jax.devices()[: int(np.prod(shape))]).reshape(shape)
    return jax.sharding.Mesh(devices, tuple(axes))


def lowered(step, mesh, arguments, in_specs, out_specs):
    def named(tree):
        return jax.tree.map(lambda spec: NamedSharding(mesh, spec), tree,
                            is_leaf=lambda leaf: isinstance(leaf, P))

    mapped = jax.shard_map(step, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False)
    jitted = jax.jit(mapped, in_shardings=named(in_specs), out_shardings=named(out_specs))
    return jitted, jitted.lower(*arguments).as_text()


def write(rung, chips, about, axes, step, arguments, in_specs, out_specs, carried=0, steps=1,
          near=SGD_NEAR, text_of_step=None):
    """The first `carried` arguments of `step` are its first results again in the next step."""
    folder = HERE / rung / str(chips)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mesh = mesh_of(axes)
    jitted, text = lowered(step, mesh, arguments, in_specs, out_specs)
    (folder / "program.mlir").write_text(text)
    now = tuple(arguments)
    for index in range(steps):
        if text_of_step is not None:
            jitted, text = text_of_step(index, mesh)
            if index > 0:
                (folder / f"step{index}.mlir").write_text(text)
        results = jax.tree.map(np.asarray, jitted(*now))
        now = tuple(results[:carried]) + now[carried:]
    flat_in, flat_out = jax.tree.leaves(tuple(arguments)), jax.tree.leaves(results)
    specs_in, specs_out = flatten(tuple(in_specs)), flatten(out_specs)
    for kind, group in (("arg", flat_in), ("out", flat_out)):
        for index, array in enumerate(group):
            np.save(folder / f"{kind}{index}.npy", array)
    pairs = len(jax.tree.leaves(tuple(arguments[:carried])))
    manifest = {
        "name": rung,
        "about": about,
        "rung": rung,
        "devices": chips,
        "mesh": axes,
        "steps": steps,
        "carry": [[i, i] for i in range(pairs)],
        **({} if text_of_step is None else
           {"step_programs": [[i, f"step{i}.mlir"] for i in range(1, steps)]}),
        "args": [entry(f"arg{i}.npy", a, s) for i, (a, s) in enumerate(zip(flat_in, specs_in))],
        "results": [entry(f"out{i}.npy", a, s, **tolerance(a, near))
                    for i, (a, s) in enumerate(zip(flat_out, specs_out))],
    }
    (folder / "manifest.json").write_text(compact(manifest))


def compact(manifest):
    """Readable, with one line for each argument and result."""
    lines = []
    for key, value in manifest.items():
        if key in ("args", "results"):
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            lines.append(f' "{key}": [\n{rows}\n ]')
        else:
            lines.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


# ---- rungs -----------------------------------------------------------------------------------


def all_same(tree):
    return jax.tree.map(lambda _: P(), tree)


def gradient_step(loss_of, axes):
    """SGD; gradients and loss are means over `axes`."""

    def step(params, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(params, x, y)
        params = jax.tree.map(lambda p, g: p - RATE * lax.pmean(g, axes), params, gradients)
        return params, lax.pmean(loss, axes)

    return step


def dense(chips):
    params = dense_params(1)
    x, y = drawn(4, 2 * chips, WIDTH, scale=1), drawn(5, 2 * chips, WIDTH, scale=1)
    step = gradient_step(lambda p, x, y: jnp.mean((dense_layer(p, x) - y) ** 2), "data")
    specs = all_same(params)
    write("dense", chips, "Two dense layers; batch over data, gradients and loss all-reduced.",
          {"data": chips}, step, (params, x, y), (specs, P("data"), P("data")), (specs, P()),
          carried=1, steps=TRAIN_STEPS)


def dense_short(chips):
    """The same model with half the batch, as the last one of an epoch has it."""
    params = dense_params(1)
    x, y = drawn(6, chips, WIDTH, scale=1), drawn(7, chips, WIDTH, scale=1)
    step = gradient_step(lambda p, x, y: jnp.mean((dense_layer(p, x) - y) ** 2), "data")
    specs = all_same(params)
    write("dense_short", chips, "The dense step with half the batch: another program.",
          {"data": chips}, step, (params, x, y), (specs, P("data"), P("data")), (specs, P()),
          carried=1)


def split_of(chips):
    """Chips as (data, model): heads over model, at most four of them."""
    model = min(chips, HEADS) if chips != 4 else 2
    return chips // model, model


def attention(chips):
    data, model = split_of(chips)
    params = attention_params(11)
    specs = {"scale": P(), "wq": P(None, "model"), "wk": P(None, "model"), "wv": P(None, "model"),
             "wo": P("model")}
    x, y = (drawn(s, 2 * data, LENGTH, WIDTH, scale=1) for s in (15, 16))

    # The transpose of psum is psum here: what a chip alone holds gets its gradient once from each
    # chip of "model". Of the scale, which all hold, every chip has one of as many parts.
    def add_heads(part):
        return lax.psum(part, "model")

    def loss_of(p, x, y):
        return jnp.mean((attention_layer(p, x, add_heads) - y) ** 2)

    def step(p, x, y):
        loss, g = jax.value_and_grad(loss_of)(p, x, y)
        g = {name: lax.pmean(value, "data") / (1 if name == "scale" else model)
             for name, value in g.items()}
        g["scale"] = lax.pmean(g["scale"], "model")
        return jax.tree.map(lambda a, b: a - RATE * b, p, g), lax.pmean(loss, ("data", "model"))

    write("attention", chips, "Causal attention; heads over model, batch over data.",
          {"data": data, "model": model}, step, (params, x, y), (specs, P("data"), P("data")),
          (specs, P()), carried=1, steps=TRAIN_STEPS)


def recurrent(chips):
    params = recurrent_params(21)
    x, y = (drawn(s, chips, LENGTH, WIDTH, scale=1) for s in (25, 26))
    step = gradient_step(lambda p, x, y: jnp.mean((recurrent_layer(p, x) - y) ** 2), "data")
    specs = all_same(params)
    write("recurrent", chips, "A gated recurrence over time, a while loop both ways; batch over data.",
          {"data": chips}, step, (params, x, y), (specs, P("data"), P("data")), (specs, P()),
          carried=1, steps=TRAIN_STEPS)


def expert_gradients(gradients, chips, axis):
    """What a chip alone holds got a share from each token; the rest is a mean over chips."""
    return {name: (g / chips if name in ("w1", "w2") else lax.pmean(g, axis))
            for name, g in gradients.items()}


def expert(chips):
    params = expert_params(31, chips)
    tokens = 8
    x, y = (drawn(s, tokens * chips, WIDTH, scale=1) for s in (35, 36))

    def step(p, x, y):
        def loss_of(p):
            return jnp.mean((expert_layer(p, x, "expert", chips) - y) ** 2)

        loss, g = jax.value_and_grad(loss_of)(p)
        g = expert_gradients(g, chips, "expert")
        return jax.tree.map(lambda a, b: a - RATE * b, p, g), lax.pmean(loss, "expert")

    write("expert", chips, "A mixture of experts, one on each chip; tokens go there by all_to_all.",
          {"expert": chips}, step, (params, x, y), (EXPERT_SPECS, P("expert"), P("expert")),
          (EXPERT_SPECS, P()), carried=1, steps=TRAIN_STEPS)


def canary_step(count_and_constants):
    """`count_and_constants` says what the update takes for them: arrays or Python numbers."""

    def step(params, first, second, count, x, y, *constants):
        def loss_of(p):
            return jnp.mean((jnp.tanh(x @ p["w"]) - y) ** 2)

        loss, g = jax.value_and_grad(loss_of)(params)
        g = jax.tree.map(lambda one: lax.pmean(one, "data"), g)
        number, c = count_and_constants(count + 1, constants)
        params, first, second = adamw(params, g, first, second, number, c)
        return params, first, second, count + 1, lax.pmean(loss, "data")

    return step


def adamw_canaries(chips):
    params = {"w": drawn(41, WIDTH, WIDTH)}
    zeros = jax.tree.map(np.zeros_like, params)
    x, y = (drawn(s, 2 * chips, WIDTH, scale=1) for s in (42, 43))
    specs, state = all_same(params), (params, zeros, zeros, np.float32(0))
    in_specs = (specs, specs, specs, P(), P("data"), P("data"))
    out_specs = (specs, specs, specs, P(), P())
    names = list(ADAMW)
    scalars = tuple(np.float32(ADAMW[name]) for name in names)
    tensors = canary_step(lambda count, c: (count, dict(zip(names, c))))
    write("adamw", chips, "AdamW whose scalars are tensors: one program for all steps.",
          {"data": chips}, tensors, (*state, x, y, *scalars), in_specs + (P(),) * len(names),
          out_specs, carried=4, steps=CANARY_STEPS, near=ADAMW_NEAR)
    if chips != BAKED_CHIPS:
        return

    def baked(index):  # the count is a Python number, so all that is made of it is a constant
        return canary_step(lambda count, _: (index + 1, ADAMW))

    write("adamw_baked", chips,
          "AdamW whose step count is a constant: another program in every step.",
          {"data": chips}, baked(0), (*state, x, y), in_specs, out_specs, carried=4,
          steps=CANARY_STEPS, near=ADAMW_NEAR,
          text_of_step=lambda index, mesh: lowered(baked(index), mesh, (*state, x, y), in_specs,
                                                   out_specs))


def hybrid(chips):
    data, experts = split_of(chips)
    params = {"att": attention_params(51), "ssm": recurrent_params(61),
              "moe": expert_params(71, experts)}
    specs = {"att": all_same(params["att"]), "ssm": all_same(params["ssm"]), "moe": EXPERT_SPECS}
    zeros = jax.tree.map(np.zeros_like, params)
    x, y = (drawn(s, chips, LENGTH, WIDTH, scale=1) for s in (75, 76))
    names, both = list(ADAMW), ("data", "expert")
    scalars = tuple(np.float32(ADAMW[name]) for name in names)

    def step(p, first, second, count, x, y, *constants):
        def loss_of(p):
            h = attention_layer(p["att"], x, lambda part: part)
            h = recurrent_layer(p["ssm"], h)
            h = expert_layer(p["moe"], h.reshape(-1, WIDTH), "expert", experts).reshape(h.shape)
            return jnp.mean((h - y) ** 2)

        loss, g = jax.value_and_grad(loss_of)(p)
        g["moe"] = {name: lax.pmean(one, "data") if name != "router" else one
                    for name, one in expert_gradients(g["moe"], experts, both).items()}
        for layer in ("att", "ssm"):
            g[layer] = jax.tree.map(lambda one: lax.pmean(one, both), g[layer])
        p, first, second = adamw(p, g, first, second, count + 1, dict(zip(names, constants)))
        return p, first, second, count + 1, lax.pmean(loss, both)

    in_specs = (specs, specs, specs, P(), P(both), P(both)) + (P(),) * len(names)
    write("hybrid", chips, "Attention, recurrence and experts in one step of AdamW.",
          {"data": data, "expert": experts}, step,
          (params, zeros, zeros, np.float32(0), x, y, *scalars), in_specs,
          (specs, specs, specs, P(), P()), carried=4, steps=TRAIN_STEPS, near=HYBRID_NEAR)


def communication(chips):
    """Whole numbers, so that sums are exact in every order: all algorithms must give the same."""
    down, along = split_of(chips)
    numbers = np.random.default_rng(81).integers(-8, 9, (4 * chips, WIDTH)).astype(np.float32)

    def step(x):
        whole = lax.psum(x, ("down", "along"))
        rows = lax.psum(x, "along")
        gathered = lax.all_gather(x, "down", tiled=True)
        scattered = lax.psum_scatter(gathered, "down", tiled=True)
        crossed = lax.all_to_all(x, "along", 1, 0, tiled=True)
        ring = [(i, (i + 1) % along) for i in range(along)]
        passed = lax.ppermute(x, "along", ring)
        highest = lax.pmax(jnp.max(x), ("down", "along"))
        return whole, rows, scattered, crossed, passed, highest

    each = P(("down", "along"))
    write("communication", chips, "Every kind of collective over one and two axes of the slice.",
          {"down": down, "along": along}, step, (numbers,), (each,),
          (P(), P("down"), each, P("down", "along"), each, P()), near=0)


def main():
    for chips in CHIPS:
        for rung in (dense, communication, attention, recurrent, expert, adamw_canaries, hybrid):
            rung(chips)
    dense_short(BAKED_CHIPS)


if __name__ == "__main__":
    main()
