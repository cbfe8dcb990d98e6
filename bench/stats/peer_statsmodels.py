"""The same bootstrap by refitting with statsmodels' formula interface, timed on a few refits and
extrapolated to 48 x 2,000. Usage: peer_statsmodels.py REFITS

Two variants: item effects as C(item), as one would write it first, and data demeaned within items
before the bootstrap, which is the fastest that the formula route can be.
"""
import sys
import time

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

from problem import B, DOSES, ITEMS, TESTS, make

REFITS = int(sys.argv[1])


def frame(x, y, item):
    return pd.DataFrame({"y": y.ravel(), "x1": x[..., 0].ravel(), "x2": x[..., 1].ravel(),
                         "x3": x[..., 2].ravel(), "item": item.ravel()})


def resampled(x, y, rng):
    pick = rng.integers(0, ITEMS, ITEMS)
    item = np.repeat(np.arange(ITEMS), DOSES)  # an item drawn twice is two items
    return frame(x[pick], y[pick], item)


def timed(x, y, formula, refits):
    rng = np.random.default_rng(1)
    start = time.perf_counter()
    for _ in range(refits):
        smf.ols(formula, data=resampled(x, y, rng)).fit().params
    return (time.perf_counter() - start) / refits


def main():
    x, y = make()
    x0, y0 = x[0], y[0]
    xd, yd = x0 - x0.mean(axis=1, keepdims=True), y0 - y0.mean(axis=1, keepdims=True)
    fits = TESTS * B
    dummies = timed(x0, y0, "y ~ x1 + x2 + x3 + C(item)", max(1, REFITS // 10))
    demeaned = timed(xd, yd, "y ~ x1 + x2 + x3 - 1", REFITS)
    for name, seconds in (("statsmodels C(item)", dummies), ("statsmodels demeaned", demeaned)):
        print(f"{name}\t{seconds * fits:.3f}\textrapolated from {seconds * 1e3:.2f} ms a refit",
              flush=True)


main()
