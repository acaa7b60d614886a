"""Glicko-2, step 5, as the 2013 paper prints it: the Illinois run, for systems that must be reproduced exactly.

Its tolerance and its cap are part of a methodology that names it; the default solver (`volatility`) finds the same
root without an error that adds up.
"""

from typing import Final

from tallymark.numeric import exp_normal, formula, log

_SMALLEST: Final = 2.2250738585072014e-308


@formula(inline=True)
def f(x: float, a: float, delta2: float, phi2: float, v: float, tau2: float) -> float:
    """The paper's f(x), x = ln sigma'^2, a = ln sigma^2."""
    y = exp_normal(x)
    d = phi2 + v + y
    dd = 2.0 * d * d
    dd = dd if dd > 0.0 else _SMALLEST  # variances below 1e-154
    return y * (delta2 - phi2 - v - y) / dd - (x - a) / tau2


@formula(inline=False)
def illinois(
    phi2: float, sigma2: float, w: float, u: float, tau: float, tolerance: float, cap: float
) -> tuple[float, bool]:
    """(sigma'^2, converged): steps 5.2 to 5.5 with at most `cap` iterations; at the cap the current A is taken.

    `w` is the paper's 1/v and `u` its Delta/v. tau = 0 or w = 0 (no information): sigma stays. Step 4(b) is `<=`, as
    an f(C) of exactly 0 would loop for ever otherwise.

    >>> illinois(1.0, 0.0036, 0.2, 0.1, 0.0, 1e-6, 100.0)
    (0.0036, True)
    """
    if not (tau > 0.0 and w > 0.0 and sigma2 > 0.0):
        return sigma2, True
    tau2 = tau * tau
    if not tau2 > 0.0:
        return sigma2, True
    v = 1.0 / w
    delta = v * u
    delta2 = delta * delta
    a = log(sigma2)
    big_a = a
    if delta2 > phi2 + v:
        big_b = log(delta2 - phi2 - v)
    else:
        k = 1.0
        while f(a - k * tau, a, delta2, phi2, v, tau2) < 0.0 and k < 1000.0:
            k += 1.0
        big_b = a - k * tau
    fa = f(big_a, a, delta2, phi2, v, tau2)
    fb = f(big_b, a, delta2, phi2, v, tau2)
    done = 0.0
    while abs(big_b - big_a) > tolerance:
        rise = fb - fa
        if done >= cap or not (rise > 0.0 or rise < 0.0):
            return exp_normal(big_a), False
        c = big_a + (big_a - big_b) * fa / rise
        fc = f(c, a, delta2, phi2, v, tau2)
        if fc * fb <= 0.0:
            big_a = big_b
            fa = fb
        else:
            fa = 0.5 * fa
        big_b = c
        fb = fc
        done += 1.0
    return exp_normal(big_a), True
