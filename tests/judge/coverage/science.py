# SPDX-License-Identifier: Apache-2.0
"""Physics, probability and samplers, as their users write them."""
import jax
import jax.numpy as jnp
import jax.scipy.optimize
import jax.scipy.sparse.linalg
import numpy as np
from jax import lax, random

from registry import floats, ints, normals, program, symmetric

PHYSICS, SAMPLERS, STATISTICS = "physics", "samplers", "probability and optimisation"


@program(PHYSICS, normals(6, 3), normals(6, 3, scale=0.1), floats(6, low=0.5, high=2.0), spacings=2000)
def gravity_by_leapfrog(position, velocity, mass):
    def acceleration(x):
        apart = x[None] - x[:, None]
        cubed = (jnp.sum(apart ** 2, -1) + 0.1) ** 1.5
        return jnp.einsum("ijk,ij,j->ik", apart, 1 / cubed, mass)

    def step(carry, _):
        x, v = carry
        v = v + 0.005 * acceleration(x)
        x = x + 0.01 * v
        v = v + 0.005 * acceleration(x)
        return (x, v), 0.5 * jnp.sum(mass * jnp.sum(v ** 2, -1))
    return lax.scan(step, (position, velocity), None, length=20)


@program(PHYSICS, floats(9, 8, 8, low=0.8, high=1.2), spacings=400)
def lattice_boltzmann(f):
    c = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
    w = jnp.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, jnp.float32)

    def step(_, f):
        rho = f.sum(0)
        u = jnp.einsum("ia,ixy->axy", c.astype(np.float32), f) / rho
        cu = jnp.einsum("ia,axy->ixy", c.astype(np.float32), u)
        equal = w[:, None, None] * rho * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * (u ** 2).sum(0))
        f = f - 0.6 * (f - equal)
        return jnp.stack([jnp.roll(f[i], tuple(c[i]), (0, 1)) for i in range(9)])
    return lax.fori_loop(0, 5, step, f)


@program(PHYSICS, normals(8, 8), spacings=1000)
def implicit_heat_by_gmres(u):
    def laplacian(u):
        p = jnp.pad(u, 1)
        return p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u
    solve = jax.scipy.sparse.linalg
    a, _ = solve.gmres(lambda v: v - 0.1 * laplacian(v), u, tol=1e-6, maxiter=4, solve_method="incremental")
    b, _ = solve.bicgstab(lambda v: v - 0.1 * laplacian(v), u, tol=1e-5, maxiter=30)
    return a, b


@program(PHYSICS, floats(32), spacings=1000)
def spectral_burgers(u):
    k = jnp.fft.rfftfreq(32, 1 / 32)

    def step(u, _):
        hat = jnp.fft.rfft(u)
        derivative = jnp.fft.irfft(1j * k * hat, 32)
        hat = (hat - 0.001 * jnp.fft.rfft(u * derivative)) / (1 + 0.001 * 0.05 * k ** 2)
        return jnp.fft.irfft(hat, 32), jnp.max(jnp.abs(u))
    return lax.scan(step, u, length=12)


@program(PHYSICS, lambda rng: rng.integers(0, 2, (16, 16)).astype(np.int8), ints(0, 2 ** 31, 2, dtype=np.uint32))
def ising_checkerboard(spins, key):
    mask = (np.indices((16, 16)).sum(0) % 2).astype(bool)

    def sweep(spins, key):
        for colour, sub in zip((mask, ~mask), random.split(key)):
            around = sum(jnp.roll(spins, s, a) for s in (1, -1) for a in (0, 1))
            accept = random.uniform(sub, spins.shape) < jnp.exp(-0.8 * (spins * around).astype(jnp.float32))
            spins = jnp.where(colour & accept, -spins, spins)
        return spins, spins.astype(jnp.int32).sum()
    return lax.scan(sweep, 2 * spins - 1, random.split(random.wrap_key_data(key), 5))


@program(PHYSICS, floats(5, 3), floats(7, 3, low=0.2, high=0.9), spacings=400)
def volume_rendering_along_rays(directions, centres):
    depth = jnp.linspace(0.1, 2, 24)
    points = directions[:, None] * depth[None, :, None]
    bands = 2.0 ** jnp.arange(4)
    encoded = jnp.concatenate([jnp.sin(points[..., None] * bands), jnp.cos(points[..., None] * bands)], -1)
    near = jnp.exp(-8 * jnp.sum((points[:, :, None] - centres) ** 2, -1))
    density, colour = jax.nn.softplus(near.sum(-1)), jax.nn.sigmoid(encoded.mean(-1))
    alpha = 1 - jnp.exp(-density * 0.08)
    through = jnp.cumprod(jnp.concatenate([jnp.ones((5, 1)), 1 - alpha + 1e-10], 1), 1)[:, :-1]
    return jnp.einsum("rs,rsc->rc", alpha * through, colour)


@program(STATISTICS, normals(10, 2), normals(3, 3), symmetric(3, shift=4.0), spacings=1000)
def kalman_filter_and_smoother(observed, transition, noise):
    transition, look = transition * 0.3, jnp.eye(2, 3)

    def forward(carry, y):
        mean, cov = carry
        before, spread = transition @ mean, transition @ cov @ transition.T + noise
        innovation = look @ spread @ look.T + 0.1 * jnp.eye(2)
        gain = jnp.linalg.solve(innovation, look @ spread).T
        after = before + gain @ (y - look @ before), spread - gain @ look @ spread
        return after, (*after, before, spread)

    def backward(carry, seen):
        mean, cov = carry
        here, spread, before, wide = seen
        gain = jax.scipy.linalg.solve(wide, transition @ spread, assume_a="pos").T
        return (here + gain @ (mean - before), spread + gain @ (cov - wide) @ gain.T), here
    last, (means, covs, befores, wides) = lax.scan(forward, (jnp.zeros(3), jnp.eye(3)), observed)
    return lax.scan(backward, last, (means[:-1], covs[:-1], befores[1:], wides[1:]), reverse=True)


@program(STATISTICS, normals(12, 4), normals(4, 4), spacings=400)
def hidden_markov_by_associative_scan(scores, moves):
    step = jax.nn.log_softmax(moves, -1)[None] + scores[:, None, :]

    def product(a, b):
        return jax.nn.logsumexp(a[..., :, :, None] + b[..., None, :, :], axis=-2)
    return lax.associative_scan(product, step), jax.grad(
        lambda s: jax.nn.logsumexp(lax.associative_scan(product, jax.nn.log_softmax(moves, -1)[None] +
                                                        s[:, None, :])[-1]))(scores)


@program(STATISTICS, floats(12, 2), floats(12), floats(5, 2), spacings=4000)
def gaussian_process_posterior(x, y, at):
    def kernel(a, b):
        return jnp.exp(-jnp.sum((a[:, None] - b[None]) ** 2, -1))

    def evidence(noise):
        factor = jnp.linalg.cholesky(kernel(x, x) + noise * jnp.eye(12))
        weight = jax.scipy.linalg.cho_solve((factor, True), y)
        return 0.5 * y @ weight + jnp.sum(jnp.log(jnp.diag(factor))), (factor, weight)
    (value, (factor, weight)), slope = jax.value_and_grad(evidence, has_aux=True)(0.1)
    half = jax.scipy.linalg.solve_triangular(factor, kernel(x, at), lower=True)
    return value, slope, kernel(at, x) @ weight, kernel(at, at) - half.T @ half


@program(STATISTICS, floats(4), spacings=20000)
def rosenbrock_by_bfgs(x):
    def rosen(x):
        return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2) * 0.01
    found = jax.scipy.optimize.minimize(rosen, x, method="BFGS", options={"maxiter": 3})
    return found.x, found.fun


@program(STATISTICS, floats(6, 7, low=0.0, high=1.0), spacings=400)
def optimal_transport_by_sinkhorn(cost):
    def distance(cost):
        def step(_, duals):
            f, g = duals
            f = -0.1 * jax.nn.logsumexp((g[None] - cost) / 0.1, 1) - 0.1 * jnp.log(6.0)
            return f, -0.1 * jax.nn.logsumexp((f[:, None] - cost) / 0.1, 0) - 0.1 * jnp.log(7.0)
        f, g = lax.fori_loop(0, 15, step, (jnp.zeros(6), jnp.zeros(7)))
        return jnp.sum(jnp.exp((f[:, None] + g - cost) / 0.1) * cost)
    return jax.value_and_grad(distance)(cost)


@program(STATISTICS, normals(7, 3), normals(5, 3), spacings=400)
def soft_time_warping(a, b):
    cost = jnp.sum((a[:, None] - b[None]) ** 2, -1)

    def row(above, costs):
        def cell(left, inputs):
            c, up, corner = inputs
            here = c - 0.5 * jax.nn.logsumexp(-jnp.stack([left, up, corner]) / 0.5)
            return here, here
        _, here = lax.scan(cell, 1e6, (costs, above[1:], above[:-1]))
        return jnp.concatenate([jnp.array([1e6]), here]), here
    return lax.scan(row, jnp.concatenate([jnp.zeros(1), jnp.full(5, 1e6)]), cost)[1]


@program(SAMPLERS, normals(3), ints(0, 2 ** 31, 2, dtype=np.uint32), spacings=2000)
def hamiltonian_monte_carlo(start, key):
    def energy(x):
        return 0.5 * jnp.sum(x ** 2) + jnp.sum(jnp.cos(x))

    def draw(x, key):
        spin, coin = random.split(key)
        momentum = random.normal(spin, x.shape)

        def leap(_, state):
            q, p = state
            p = p - 0.05 * jax.grad(energy)(q)
            q = q + 0.1 * p
            return q, p - 0.05 * jax.grad(energy)(q)
        q, p = lax.fori_loop(0, 6, leap, (x, momentum))
        rise = energy(q) + 0.5 * p @ p - energy(x) - 0.5 * momentum @ momentum
        x = jnp.where(jnp.log(random.uniform(coin)) < -rise, q, x)
        return x, x
    return lax.scan(draw, start, random.split(random.wrap_key_data(key), 5))


@program(SAMPLERS, normals(4, 8), normals(8, 8), ints(0, 2 ** 31, 2, dtype=np.uint32), spacings=2000)
def denoising_diffusion(x, w, key):
    beta = jnp.linspace(1e-3, 0.2, 10)
    kept = jnp.cumprod(1 - beta)

    def step(i, state):
        x, key = state
        t = 9 - i
        key, sub = random.split(key)
        guess = jnp.tanh(x @ w + jnp.sin(t / 10.0))
        mean = (x - beta[t] / jnp.sqrt(1 - kept[t]) * guess) / jnp.sqrt(1 - beta[t])
        return mean + jnp.where(t > 0, jnp.sqrt(beta[t]), 0) * random.normal(sub, x.shape), key
    return lax.fori_loop(0, 10, step, (x, random.wrap_key_data(key)))[0]


@program(SAMPLERS, normals(5, 9), normals(5, 9), ints(0, 9, 4), ints(0, 2 ** 31, 2, dtype=np.uint32))
def speculative_decoding(target, draft, tokens, key):
    p, q = jax.nn.softmax(target), jax.nn.softmax(draft)
    take, again = random.split(random.wrap_key_data(key))
    rows = jnp.arange(4)
    good = random.uniform(take, (4,)) < p[rows, tokens] / q[rows, tokens]
    accepted = jnp.sum(jnp.cumprod(good.astype(jnp.int32)))
    rest = jnp.maximum(p[accepted] - jnp.where(accepted < 4, q[accepted], 0), 0)
    extra = random.categorical(again, jnp.log(rest + 1e-9))
    return accepted, jnp.where(rows < accepted, tokens, -1), extra


@program(SAMPLERS, ints(0, 2 ** 31, 2, dtype=np.uint32), spacings=2000)
def rarer_distributions(key):
    k = random.split(random.wrap_key_data(key), 12)
    return (random.ball(k[0], 3, shape=(4,)), random.rademacher(k[1], (6,)), random.maxwell(k[2], (4,)),
            random.weibull_min(k[3], 1.5, 2.0, (4,)), random.t(k[4], 3.0, (4,)), random.chisquare(k[5], 3.0, shape=(4,)),
            random.geometric(k[6], 0.3, (5,)), random.triangular(k[7], 0.0, 0.3, 1.0, (4,)), random.pareto(k[8], 2.0, (4,)),
            random.choice(k[9], 8, (4,), replace=False, p=jnp.arange(1, 9) / 36), random.wald(k[10], 1.5, (4,)),
            random.generalized_normal(k[11], 1.5, (4,)))
