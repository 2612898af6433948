# SPDX-License-Identifier: Apache-2.0
"""Reference functions: in mpmath for any precision; for arrays in long double if numpy has them, or
in f64 if scipy has them, for f32 and narrower results."""
import mpmath as mp
import numpy as np
import scipy.special as special

LONG = np.longdouble


def log1p(x):
    return mp.log1p(x)


def bessel_i1e(x):
    return mp.exp(-abs(x)) * mp.besseli(1, x)


def digamma(x):
    return mp.nan if x <= 0 and mp.isint(x) else mp.digamma(x)


def lgamma(x):
    if x <= 0 and mp.isint(x):
        return mp.inf
    return mp.re(mp.loggamma(x))


def logistic(x):
    return 1 / (1 + mp.exp(-x))


def polygamma(n, x):
    if x <= 0 and mp.isint(x):
        return mp.nan
    return mp.polygamma(int(n), x)


# name: mpmath's function, a function of long double arrays or None, one of f64 arrays or None.
UNARY = {
    "exponential": (mp.exp, np.exp, None), "exponential_minus_one": (mp.expm1, np.expm1, None),
    "log": (mp.log, np.log, None), "log_plus_one": (log1p, np.log1p, None),
    "logistic": (logistic, lambda x: 1 / (1 + np.exp(-x)), None), "tanh": (mp.tanh, np.tanh, None),
    "sine": (mp.sin, np.sin, None), "cosine": (mp.cos, np.cos, None), "tan": (mp.tan, np.tan, None),
    "sqrt": (mp.sqrt, np.sqrt, None), "rsqrt": (lambda x: 1 / mp.sqrt(x), lambda x: 1 / np.sqrt(x), None),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), np.cbrt, None), "asin": (mp.asin, np.arcsin, None),
    "acos": (mp.acos, np.arccos, None), "atan": (mp.atan, np.arctan, None), "sinh": (mp.sinh, np.sinh, None),
    "cosh": (mp.cosh, np.cosh, None), "asinh": (mp.asinh, np.arcsinh, None), "acosh": (mp.acosh, np.arccosh, None),
    "atanh": (mp.atanh, np.arctanh, None), "erf": (mp.erf, None, special.erf), "erfc": (mp.erfc, None, special.erfc),
    "erf_inv": (mp.erfinv, None, special.erfinv), "lgamma": (lgamma, None, special.gammaln),
    "digamma": (digamma, None, lambda x: np.where(x == 0, np.nan, special.digamma(x))),
    "bessel_i1e": (bessel_i1e, None, special.i1e),
}
BINARY = {
    "atan2": (mp.atan2, np.arctan2, None), "power": (mp.power, np.power, None),
    "polygamma": (polygamma, None, None), "zeta": (mp.zeta, None, None),
}
COMPLEX = ["exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "tanh", "sine", "cosine",
           "tan", "sqrt", "rsqrt", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh"]

# The range in which a function is measured; other tests check the special values outside it.
RANGES = {
    "exponential": (-110, 95), "exponential_minus_one": (-60, 95), "logistic": (-110, 60), "tanh": (-20, 20),
    "sinh": (-95, 95), "cosh": (-95, 95), "sine": (-100, 100), "cosine": (-100, 100), "tan": (-100, 100),
    "asin": (-1, 1), "acos": (-1, 1), "atanh": (-1, 1), "acosh": (1, 100), "erf": (-6, 6), "erfc": (-6, 28),
    "erf_inv": (-1, 1), "lgamma": (-20, 60), "digamma": (-20, 60), "bessel_i1e": (-60, 60), "log": (0, 10),
    "log_plus_one": (-1, 5), "sqrt": (0, 10), "rsqrt": (0, 10), "cbrt": (-10, 10), "atan": (-10, 10),
    "asinh": (-10, 10),
}
