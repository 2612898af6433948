#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the polynomials of program/kernels/f32_math.inl.h, wide_lanes.inl.h and wide_math.inl.h and prints them as C++ arrays,
constant term first, with the largest error of each fit, in units of the function's value.

Of f32: minimax by Lawson's algorithm: least squares over Chebyshev points, whose weights grow where the error is large.
The coefficients are then rounded to f32 one by one, from the constant term, and the rest fitted again, so
that the rounding of one is absorbed by the next. Of double: interpolation in Chebyshev points. Needs numpy and mpmath.
"""
import mpmath as mp
import numpy as np

mp.mp.prec = 100
POINTS = 1500


def fit(function, low, high, terms, weight, fixed=()):
    """`terms` coefficients c of sum c_i x^i near function(x); weight(x): 1 over the error that counts as one."""
    x = np.longdouble(low + high) / 2 - np.longdouble(high - low) / 2 * np.cos(
        np.pi * (np.arange(POINTS, dtype=np.longdouble) + 0.5) / POINTS)
    y = np.array([np.longdouble(mp.nstr(function(mp.mpf(float(v))), 25)) for v in x])
    x = np.array([float(v) for v in x], np.longdouble)
    w = np.array([np.longdouble(float(weight(mp.mpf(float(v))))) for v in x])
    known = [np.longdouble(c) for c in fixed]
    scale = max(abs(low), abs(high))
    while len(known) < terms:
        rest = y - sum((c * x**i for i, c in enumerate(known)), np.zeros_like(x))
        powers = range(len(known), terms)
        found = lawson(x / scale, rest, w, powers)
        known.append(np.longdouble(np.float32(found[0] / np.longdouble(scale)**len(known))))
    error = np.abs((y - sum(c * x**i for i, c in enumerate(known))) * w).max()
    return [np.float32(c) for c in known], float(error)


def lawson(x, y, w, powers):
    """Coefficients of the given powers that make the largest |error * w| small."""
    lawson_weights = np.ones(len(x))
    basis = np.array([(x**p * w).astype(np.float64) for p in powers]).T
    target = (y * w).astype(np.float64)
    best = (np.inf, None)
    for _ in range(60):
        root = np.sqrt(lawson_weights)[:, None]
        q, r = np.linalg.qr(basis * root)
        solution = np.linalg.solve(r, q.T @ (target * root[:, 0]))
        # One step of refinement: the basis is badly conditioned in f64.
        miss = target - basis @ solution
        solution += np.linalg.solve(r, q.T @ (miss * root[:, 0]))
        miss = np.abs(target - basis @ solution)
        if miss.max() < best[0]:
            best = (miss.max(), solution)
        if miss.max() == 0:
            break
        lawson_weights = lawson_weights * (miss / miss.max() + 1e-3)
        lawson_weights /= lawson_weights.sum()
    return best[1].astype(np.longdouble)


def show(name, fitted):
    coefficients, error = fitted
    print(f"  // largest error {error:.2g} (2^{np.log2(error):.1f})")
    print(f"  constexpr float {name}[] = {{" + ", ".join(f"{float(c):.9g}F" for c in coefficients) + "};")


def chebyshev(function, low, high, terms):
    """`terms` coefficients of powers of t, which runs over [-1, 1] where x runs over [low, high]."""
    low, high, points = mp.mpf(low), mp.mpf(high), 60
    at = lambda t: function((low + high) / 2 + (high - low) / 2 * t)
    nodes = [mp.cos(mp.pi * (k + mp.mpf(1) / 2) / points) for k in range(points)]
    values = [at(t) for t in nodes]
    weights = [2 / mp.mpf(points) * sum(y * mp.cos(j * mp.acos(t)) for t, y in zip(nodes, values))
               for j in range(terms)]
    weights[0] /= 2
    # T(0) = 1, T(1) = t, T(n + 1) = 2 t T(n) - T(n - 1)
    basis = [[mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]]
    while len(basis) < terms:
        twice = [mp.mpf(0)] + [2 * c for c in basis[-1]]
        basis.append([c - (basis[-2][i] if i < len(basis[-2]) else 0) for i, c in enumerate(twice)])
    found = [float(sum(w * b[i] for w, b in zip(weights, basis) if i < len(b))) for i in range(terms)]
    error = 0
    for k in range(500):
        t = mp.mpf(2 * k) / 499 - 1
        exact = at(t)
        error = max(error, abs(mp.polyval(found[::-1], t) - exact) / abs(exact))
    return found, float(error)


def in_powers_of_x(fitted, low, high):
    """What chebyshev() found, with coefficients of powers of x."""
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    found, power = [mp.mpf(0)] * len(fitted[0]), [mp.mpf(1)]  # of t^i in powers of x
    for c in fitted[0]:
        for i, p in enumerate(power):
            found[i] += c * p
        power = [((power[i - 1] if i > 0 else 0) - (middle * power[i] if i < len(power) else 0)) / half
                 for i in range(len(power) + 1)]
    return [float(c) for c in found], fitted[1]


def show_wide(name, fitted):
    coefficients, error = fitted
    print(f"  // largest error {error:.2g}")
    print(f"  constexpr double {name}[] = {{" + ", ".join(repr(c) for c in coefficients) + "};")


def wide():
    def near(x):  # log(gamma(x)) has zeros at 1 and 2
        if x in (1, 2):
            return mp.euler if x == 1 else 1 - mp.euler
        return mp.loggamma(x) / ((x - 1) * (x - 2))

    # erfc x = e^(-x^2) p(t) / (x + 2.25), t = (x - 2.25) / (x + 2.25), from 0.5; below 1 - x p(x^2)
    def scaled_erfc(t):
        x = mp.mpf("2.25") * (1 + t) / (1 - t)
        return mp.erfc(x) * mp.exp(x * x) * (x + mp.mpf("2.25"))

    def near_erf(z):
        return mp.erf(mp.sqrt(z)) / mp.sqrt(z) if z > 0 else 2 / mp.sqrt(mp.pi)

    half_ln2, low, high = mp.log(2) / 2, (mp.mpf("0.5") - 2.25) / 2.75, (mp.mpf("10.1") - 2.25) / 12.35
    show_wide("kExp", in_powers_of_x(chebyshev(mp.exp, -half_ln2, half_ln2, 8), -half_ln2, half_ln2))
    show_wide("kFar", in_powers_of_x(chebyshev(scaled_erfc, low, high, 10), low, high))
    show_wide("kNear", in_powers_of_x(chebyshev(near_erf, 0, 0.25, 6), 0, 0.25))
    show_wide("kAtan", chebyshev(lambda z: mp.atan(mp.sqrt(z)) / mp.sqrt(z) if z > 0 else mp.mpf(1), 0, 1, 13))
    show_wide("kLgammaNear", chebyshev(near, 1, 3, 17))
    show_wide("kLgammaMiddle", chebyshev(mp.loggamma, 3, 8, 16))


def main():
    half_ln2 = float(mp.log(2)) / 2 * 1.0001
    one = lambda x: mp.mpf(1)
    # e^r = 1 + r + r^2 p(r)
    show("kExp", fit(lambda r: (mp.expm1(r) - r) / r**2, -half_ln2, half_ln2, 5, lambda r: r**2))
    show("kExpm1", fit(lambda r: (mp.expm1(r) - r) / r**2, -half_ln2, half_ln2, 6, lambda r: r**2 / abs(mp.expm1(r))))
    # log(1 + f) = f - f^2 / 2 + f^3 p(f)
    show("kLog", fit(lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3, -0.2930, 0.4143, 9, lambda f: abs(f**3 / mp.log1p(f))))
    # sin r = r + r^3 p(r^2), cos r = 1 - r^2 / 2 + r^4 p(r^2), in z = r^2
    quarter = float(mp.pi**2) / 16 * 1.001
    show("kSin", fit(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, 1e-9, quarter, 3, lambda z: z))
    show("kCos", fit(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, 1e-6, quarter, 3, lambda z: z**2 / mp.cos(mp.sqrt(z))))
    # erf x = x + x p(x^2) below 1; -log(1 - erf a) = a p(a) up to 4
    show("kErfInner", fit(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 1e-9, 1.0, 7, one))
    show("kErfOuter", fit(lambda a: -mp.log(mp.erfc(a)) / a, 1.0, 4.0, 9, lambda a: a * mp.erfc(a) / mp.erf(a)))
    # erf_inv x = x p(w - 2.5) with w = -log(1 - x^2) below 5, x p(sqrt(w) - 3) up to 16.7
    def inverse(w):
        x = mp.sqrt(-mp.expm1(-w)) if w > 0 else mp.mpf(0)
        return mp.sqrt(mp.pi) / 2 if w == 0 else mp.erfinv(x) / x
    show("kInvInner", fit(lambda t: inverse(t + mp.mpf("2.5")), -2.5, 2.5, 10, lambda t: 1 / inverse(t + mp.mpf("2.5"))))
    show("kInvOuter", fit(lambda t: inverse((t + 3)**2), 5**0.5 - 3 - 1e-4, 4.08 - 3, 10, lambda t: 1 / inverse((t + 3)**2)))
    wide()


if __name__ == "__main__":
    main()
