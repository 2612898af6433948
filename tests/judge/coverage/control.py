# SPDX-License-Identifier: Apache-2.0
"""Control flow, indexing, sorting and scattering."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import floats, ints, normals, program

FLOW = "control flow"
INDEXING = "indexing and sorting"


@program(FLOW, (5,), ints(1, 9))
def while_with_a_bound_from_data(x, n):
    return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, jnp.sin(s[1]) + x), (0, x))


@program(FLOW, (5,), ints(0, 3))
def switch_with_three_branches(x, i):
    return lax.switch(i, [jnp.sin, lambda x: x * x, lambda x: jnp.flip(x)], x)


@program(FLOW, (4, 5))
def nested_scan_with_gradient(x):
    def outer(c, row):
        c, _ = lax.scan(lambda c, a: (jnp.tanh(c + a), a), c, row)
        return c, c * 2
    return jax.grad(lambda x: jnp.sum(lax.scan(outer, 0.0, x)[1]))(x)


@program(FLOW, (6,))
def fori_loop_with_dynamic_update(x):
    return lax.fori_loop(0, 6, lambda i, a: a.at[i].set(a[(i + 1) % 6] * 0.5 + i), x)


@program(FLOW, (6,))
def vmap_of_while(x):
    return jax.vmap(lambda a: lax.while_loop(lambda s: jnp.abs(s) < 2, lambda s: s * 1.5 + 0.3, a))(x)


@program(FLOW, (4, 3), (3,))
def cond_in_scan_in_vmap(x, w):
    def one(row):
        return lax.scan(lambda c, a: (lax.cond(a > 0, lambda c: c + a, lambda c: c * a, c), c), 1.0, row)
    return jax.vmap(one)(x * w)


@program(FLOW, (8,))
def newton_root_with_custom_rule(a):
    f = lambda x: x ** 3 + x - a  # noqa: E731
    solve = lambda f, x: lax.fori_loop(0, 20, lambda _, x: x - f(x) / (3 * x ** 2 + 1), x)  # noqa: E731
    root = lambda a: lax.custom_root(lambda x: x ** 3 + x - a, jnp.zeros_like(a), solve,  # noqa: E731
                                     lambda g, y: y / g(jnp.ones_like(y)))
    return solve(f, jnp.zeros_like(a)), jax.grad(lambda a: jnp.sum(root(a) ** 2))(a)


@program(FLOW, ints(0, 20, 3, 5), normals(20, 8), normals(8, 20))
def beam_search(start, table, out):
    def step(state, _):
        tokens, scores = state
        logits = jax.nn.log_softmax(table[tokens] @ out)
        total = (scores[..., None] + logits).reshape(3, -1)
        scores, picked = lax.top_k(total, 5)
        return (picked % 20, scores), (picked // 20, picked % 20)
    return lax.scan(step, (start, jnp.zeros((3, 5))), None, length=4)


@program(FLOW, ints(0, 9, 2, 3), normals(10, 10))
def greedy_decoding_until_end(tokens, table):
    buffer = jnp.zeros((2, 12), jnp.int32).at[:, :3].set(tokens)
    def body(s):
        i, buffer, done = s
        token = jnp.argmax(table[buffer[:, i - 1]], -1)
        buffer = buffer.at[:, i].set(jnp.where(done, 0, token))
        return i + 1, buffer, done | (token == 9)
    return lax.while_loop(lambda s: (s[0] < 12) & ~jnp.all(s[2]), body, (3, buffer, jnp.zeros(2, bool)))


@program(FLOW, (3, 6), (3, 6))
def viterbi(scores, transitions):
    t = transitions[:, :3]
    def step(best, s):
        total = best[:, None] + t
        return total.max(0) + s, total.argmax(0)
    best, back = lax.scan(step, scores[:, 0], scores[:, 1:].T)
    path = lax.scan(lambda i, b: (b[i], b[i]), jnp.argmax(best), back, reverse=True)[1]
    return best, path


@program(FLOW, ints(1, 5, 2, 3), normals(2, 8, 5))
def ctc_style_recursion(labels, logits):
    log_p = jax.nn.log_softmax(logits)
    take = jax.vmap(lambda p, l: p[:, l])(log_p, labels)
    def step(alpha, p):
        shifted = jnp.concatenate([jnp.full((2, 1), -1e30), alpha[:, :-1]], 1)
        alpha = jnp.logaddexp(alpha, shifted) + p
        return alpha, alpha
    start = jnp.full((2, 3), -1e30).at[:, 0].set(take[:, 0, 0])
    return lax.scan(step, start, jnp.moveaxis(take[:, 1:], 1, 0))[0]


@program(FLOW, (10,))
def associative_and_cumulative(x):
    return lax.associative_scan(jnp.multiply, x), jnp.cumsum(x), lax.cumlogsumexp(x), lax.cummax(x, reverse=True)


@program(INDEXING, (6, 5), ints(0, 6, 4), ints(0, 5, 4))
def advanced_indexing(x, i, j):
    return x[i, j], x[i], x[i[:, None], j], x[:, j].at[1].set(9.0), x[-1, ::2]


@program(INDEXING, (6, 5), ints(-3, 9, 4))
def out_of_bounds_modes(x, i):
    return x.at[i].get(mode="fill", fill_value=7), x.at[i].get(mode="clip"), x.at[i].set(0.0, mode="drop")


@program(INDEXING, (8, 3), ints(0, 4, 8))
def segment_reductions(x, s):
    return [f(x, s, 4) for f in (jax.ops.segment_sum, jax.ops.segment_max, jax.ops.segment_min, jax.ops.segment_prod)]


@program(INDEXING, (7, 3), ints(0, 7, 5))
def scatter_variants(x, i):
    u = jnp.ones((5, 3))
    return x.at[i].add(u), x.at[i].multiply(2 * u), x.at[i].min(0 * u), x.at[i].max(0 * u)


@program(INDEXING, (40, 6), ints(0, 40, 3, 7))
def embedding_gradient(table, ids):
    return jax.grad(lambda t: jnp.sum(jnp.tanh(t[ids]) ** 2))(table)


@program(INDEXING, (4, 9))
def sorts(x):
    return jnp.sort(x), jnp.argsort(-x, axis=0), lax.sort((jnp.round(x), x), num_keys=2), jnp.partition(x, 3)


@program(INDEXING, (4, 30))
def top_k(x):
    return lax.top_k(x, 5), jnp.median(x, 1), jnp.percentile(x, 30.0), jnp.quantile(x, jnp.array([0.1, 0.9]), axis=1)


@program(INDEXING, (4, 30))
def approximate_top_k(x):
    return lax.approx_max_k(x, 3), lax.approx_min_k(x, 2)


@program(INDEXING, (3, 50))
def nucleus_sampling(logits):
    order = jnp.argsort(-logits)
    p = jax.nn.softmax(jnp.take_along_axis(logits, order, -1))
    keep = jnp.cumsum(p, -1) - p < 0.9
    inverse = jnp.argsort(order)
    masked = jnp.where(jnp.take_along_axis(keep, inverse, -1), logits, -jnp.inf)
    return jax.random.categorical(jax.random.key(5), masked), masked


@program(INDEXING, ints(0, 6, 20))
def unique_and_counts(x):
    return jnp.unique(x, size=6, fill_value=-1, return_counts=True), jnp.bincount(x, length=6)


@program(INDEXING, floats(12))
def search_and_histogram(x):
    edges = jnp.linspace(-1, 1, 7)
    return jnp.searchsorted(edges, x), jnp.digitize(x, edges), jnp.histogram(x, 5)[0], jnp.interp(x, edges, edges ** 2)


@program(INDEXING, ints(0, 2, 12), (12, 3))
def compaction(mask, x):
    where = jnp.nonzero(mask, size=12, fill_value=0)[0]
    return where, x[where], jnp.cumsum(mask), jnp.argwhere(mask, size=5)


@program(INDEXING, (5, 6), ints(0, 4), ints(0, 4))
def dynamic_slices(x, i, j):
    window = lax.dynamic_slice(x, (i, j), (2, 3))
    return window, lax.dynamic_update_slice(x, window * 2, (j, i)), lax.dynamic_index_in_dim(x, i, 0)


@program(INDEXING, (2, 3, 4))
def gradients_of_sorts_and_gathers(x):
    return jax.grad(lambda x: jnp.sum(jnp.sort(x, -1)[..., :2] ** 2 + lax.top_k(x, 2)[0] ** 3))(x)


@program(INDEXING, normals(12, 2), ints(0, 12, 20), ints(0, 12, 20))
def graph_message_passing(x, senders, receivers):
    score = jnp.sum(x[senders] * x[receivers], -1)
    top = jax.ops.segment_max(score, receivers, 12)
    weight = jnp.exp(score - top[receivers])
    total = jax.ops.segment_sum(weight, receivers, 12)
    return jax.ops.segment_sum(x[senders] * (weight / total[receivers])[:, None], receivers, 12)


@program(INDEXING, normals(9, 3))
def nearest_neighbours(x):
    distance = jnp.sum((x[:, None] - x[None]) ** 2, -1) + 1e9 * jnp.eye(9)
    score, index = lax.top_k(-distance, 3)
    return -score, index
