"""Glicko-2, step 5: the new volatility as the root of the paper's f nearest ln sigma^2.

With w = 1/v and u = Delta/v, y = sigma^2 e^z, c = 1 + w phi^2 and d = c + w y, the paper's f is, up to a factor,
    G(z) = z - h(z),      h = tau^2/2 * y (u^2 - w d) / d^2,      z = ln(sigma'^2 / sigma^2),
and with p = w y / d (a logistic curve in z), q = 1 - p and rho = u^2 / (w c):    h = tau^2/2 * p (rho q - 1).
  * All roots lie on one side of 0: above if h(0) > 0, else below; below there is one, in [-tau^2/2, 0].
  * h' <= 0.0963 tau^2/2 rho: if tau^2 rho <= 16 there is one root, and a Newton step s leaves an error below 3 s^2.
  * Above, h is convex up to p1 and has one crossing beyond: two roots at most before p1, one after. Newton from 0 never
    passes a root where h is convex, so walking it finds the root nearest 0.
"""

import math
from typing import Final

from tallymark.numeric import exp_normal, exp_small, formula, log

TOLERANCE: Final = 1e-7  # of the second Newton step; the error it leaves is below 3e-14


@formula(inline=True)
def newton(z: float, y: float, c: float, w: float, u2: float, k: float) -> float:
    """The step to subtract from z, with k = tau^2/2; one division. Its divisor is positive wherever `quick` accepts."""
    b = w * y
    d = c + b
    dd = d * d
    ky = k * y
    slope = d * dd - ky * (u2 * (c - b) - w * c * d)
    return d * (z * dd - ky * (u2 - w * d)) / (slope if slope > 0.0 else 1.0)


@formula(inline=True)
def quick(phi2: float, sigma2: float, w: float, u: float, tau2: float) -> tuple[float, float]:
    """Two Newton steps from z = 0: (sigma'^2, doubt). The answer where doubt is 0, not 1; straight-line code."""
    c = 1.0 + w * phi2
    u2 = u * u
    k = 0.5 * tau2
    z = -newton(0.0, sigma2, c, w, u2, k)
    y = sigma2 * exp_small(z)
    step = newton(z, y, c, w, u2, k)
    sure = (abs(z) <= 0.34) & (tau2 * u2 <= 16.0 * (w * c))
    sure = sure & (abs(step) <= TOLERANCE)
    return y - y * (step * (1.0 - 0.5 * step)), (0.0 if sure else 1.0)


@formula(inline=False)
def careful(phi2: float, sigma2: float, w: float, u: float, tau2: float) -> float:
    """z at the root nearest 0, whatever the input; at most 700 (then sigma' is absurd, but finite). Never hangs."""
    c = 1.0 + w * phi2
    x0 = w * sigma2 / c  # p / q at z = 0
    if not (x0 > 0.0 and x0 < math.inf):
        return 0.0
    k = 0.5 * tau2
    rho = u * u / (w * c)
    q = 1.0 / (1.0 + x0)
    z = 0.0
    if rho * q > 1.0:
        i = 1.0 / rho
        p1 = (1.0 - i) / (3.0 - i + math.sqrt(3.0 + i * i))
        z1 = log(p1 / ((1.0 - p1) * x0))  # h is convex up to here
        low = 0.0
        high = log((rho - 1.0) / x0)  # h = 0 there
        bound = 0.25 * k * rho * (1.0 - i) * (1.0 - i)  # the largest h
        high = bound if bound < high else high
        high = high if high < 700.0 else 700.0
        z1 = z1 if z1 < high else high
        z1 = z1 if z1 > 0.0 else 0.0  # 0: already beyond
        while z < z1:
            x = x0 * exp_normal(z)
            q = 1.0 / (1.0 + x)
            p = x * q
            slope = 1.0 - k * p * q * (rho * (q - p) - 1.0)
            if not slope > 0.0:
                z = z1  # G only falls from here to z1
                break
            step = (z - k * p * (rho * q - 1.0)) / slope
            if not step < -4e-16 * (1.0 + z):
                return z
            z = z - step
        z = z if z < z1 else z1
        low = z
    else:
        low = -k
        high = 0.0
    step = high - low
    before = step  # the step before the last one
    for _ in range(200):
        x = x0 * exp_normal(z)
        q = 1.0 / (1.0 + x)
        p = x * q
        value = z - k * p * (rho * q - 1.0)
        slope = 1.0 - k * p * q * (rho * (q - p) - 1.0)
        if value < 0.0:
            low = z
        else:
            high = z
        newton_step = value / (slope if slope > 0.0 else 1e-300)
        if abs(newton_step) <= 4e-16 * (1.0 + abs(z)):
            return z - newton_step
        new = z - newton_step
        # Two steps halve either themselves or the bracket: without that Newton can go to and fro between its ends.
        if low < new and new < high and abs(newton_step) <= 0.5 * abs(before):
            before = step
            step = newton_step
        else:
            before = step
            step = 0.5 * (high - low)
            new = low + step
            if not (low < new and new < high):
                return new  # the bracket is two neighbours
        z = new
    return z


@formula(inline=False)
def new_sigma2(phi2: float, sigma2: float, w: float, u: float, tau2: float) -> float:
    """sigma'^2 with an error in z below 1e-13: two Newton steps, or the careful walk where they leave a doubt.

    >>> new_sigma2(1.0, 0.0036, 0.2, 0.1, 0.0)
    0.0036
    """
    quickly, doubt = quick(phi2, sigma2, w, u, tau2)
    if not doubt > 0.0:
        return quickly
    return sigma2 * exp_normal(careful(phi2, sigma2, w, u, tau2))
