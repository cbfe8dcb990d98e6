"""matrix_numpy.py TABLE REPLICATES: the readings of a judge matrix as a careful NumPy program makes
them: read with pandas' C reader, one product of resampling weights with per-item cell scores for
each setting, everything else vectorised over the replicates. Prints seconds by step and the
check: mean of R over the self cells of the first setting."""
import sys
import time

import numpy as np
import pandas as pd
from scipy import stats

path, replicates = sys.argv[1], int(sys.argv[2])
start = time.perf_counter()
if path.endswith(".jsonl"):
    t = pd.read_json(path, lines=True)
else:
    t = pd.read_csv(path, dtype={c: "category" for c in ("item", "author", "judge", "setting")})
read = time.perf_counter()


def code(column):
    c = t[column].astype("category").cat
    return c.codes.to_numpy(), len(c.categories)


(i, n), (a, g), (j, e), (s, k) = (code(c) for c in ("item", "author", "judge", "setting"))
cube = np.full((k, n, g, e), np.nan)
cube[s, i, a, j] = t["score"].to_numpy(float)
assert not np.isnan(cube).any()
shaped = time.perf_counter()

rng = np.random.default_rng(1)
weight = rng.multinomial(n, np.full(n, 1 / n), replicates).astype(float) / n


def matrices(phi):
    """R, Z and the twice standardised matrix of cell means phi[..., author, judge]."""
    def centred(x):
        return x - x.mean(-1, keepdims=True) - x.mean(-2, keepdims=True) \
            + x.mean((-1, -2), keepdims=True)
    z = (phi - phi.mean(-2, keepdims=True)) / phi.std(-2, keepdims=True)
    twice = (z - z.mean(-1, keepdims=True)) / z.std(-1, keepdims=True)
    return np.stack([centred(phi), centred(z), twice])


def readings(estimate, star):
    """Interval, SE and centred p of every statistic, over the replicates."""
    lo, hi = np.percentile(star, [2.5, 97.5], axis=0)
    p = (1 + (np.abs(star - estimate) >= np.abs(estimate)).sum(0)) / (len(star) + 1)
    return estimate, lo, hi, star.std(0, ddof=1), p


def adjust(p):
    order = np.argsort(p)
    q = np.minimum.accumulate((p[order] * len(p) / np.arange(1, len(p) + 1))[::-1])[::-1]
    out = np.empty(len(p))
    out[order] = np.minimum(q, 1)
    return out


all_star, observed = [], []
for setting in range(k):
    x = cube[setting].reshape(n, -1)
    phi, star_phi = x.mean(0).reshape(g, e), (weight @ x).reshape(-1, g, e)
    observed.append(matrices(phi))
    all_star.append(np.moveaxis(matrices(star_phi), 0, 1))
    result = readings(observed[-1], all_star[-1])
    for family in result[4]:
        off = ~np.eye(g, dtype=bool)
        adjust(np.diag(family)), adjust(family[off])
    for judge in range(e):  # self contrast per item, reliability of the judge
        mine = cube[setting][:, :, judge]
        own = mine[:, judge] - np.delete(mine, judge, 1).mean(1)
        rest = np.delete(cube[setting], judge, 2)
        others = (rest[:, judge] - np.delete(rest, judge, 1).mean(1)).mean(1)
        stats.ttest_1samp(own - others, 0)
        y = cube[setting][:, :, judge]
        resid = y - y.mean(0) - y.mean(1, keepdims=True) + y.mean()
        (n * y.mean(0).var(ddof=1)) / ((resid ** 2).sum() / ((n - 1) * (g - 1)))
    r = observed[-1][0]
    [r[rng.permutation(g), range(e)].mean() for _ in range(9999)]
readings(observed[0] - observed[1], all_star[0] - all_star[1])
done = time.perf_counter()
check = np.diag(observed[0][0]).mean()
for step, seconds in (("read", read - start), ("shape", shaped - read), ("readings", done - shaped),
                      ("whole", done - start)):
    print(f"numpy\t{step}\t{seconds:.3f}\t{check:.12f}")
