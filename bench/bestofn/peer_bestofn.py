"""Best of n by NumPy on the data that bench_bestofn wrote.

Usage: peer_bestofn.py FOLDER REPEATS. `exact` once as the loop over all subsets that people write
and once without loops over bases; `band` and `mixed` without loops over resamples.
"""
import itertools
import math
import sys
import time

import numpy as np

BASES, DOSES, SCORERS, B = 210, 7, 4, 9999
folder, repeats = sys.argv[1], int(sys.argv[2])
attribute = np.fromfile(f"{folder}/attribute").reshape(BASES, DOSES)
scores = np.fromfile(f"{folder}/scores").reshape(SCORERS, BASES, DOSES)
dose = np.broadcast_to(5.0 * (np.arange(DOSES) - 3), (BASES, DOSES))


def by_subsets():
    total = 0.0
    for s in scores:
        for n in range(2, DOSES + 1):
            for row, a in zip(s, attribute):
                subsets = list(itertools.combinations(range(DOSES), n))
                best = sum(a[max(sub, key=lambda d: row[d])] for sub in subsets) / len(subsets)
                total += (best - a.mean()) / BASES
    return total


def net(s, a, n):
    """Per base; tied scores share: of e tied with g above, the share of each is that of ranks
    g + 1 .. g + e over e."""
    choose = np.array([math.comb(k, n) for k in range(DOSES + 1)], float)
    above = (s[:, None, :] > s[:, :, None]).sum(2)
    equal = (s[:, None, :] == s[:, :, None]).sum(2)
    w = (choose[DOSES - above] - choose[DOSES - above - equal]) / equal / choose[DOSES]
    return (w * a).sum(1) - a.mean(1)


def curves():
    return [np.stack([net(s, attribute, n) for n in range(2, DOSES + 1)], 1) for s in scores]


def exact():
    return sum(c.mean(0).sum() for c in curves())


def weights():
    return np.random.default_rng(1).multinomial(BASES, np.full(BASES, 1 / BASES), B).astype(float)


def band():
    w = weights() / BASES
    width = 0.0
    for c in made:
        theta = c.mean(0)
        star = w @ c
        np.percentile(star, [2.5, 97.5], axis=0)
        ((np.abs(star - theta) >= np.abs(theta)).sum(0) + 1) / (B + 1)
        se = star.std(0, ddof=1)
        critical = np.quantile((np.abs(star - theta) / se).max(1), 0.95)
        width += 2 * critical * se[2] / SCORERS
    return width


def mixed():
    w, se = weights(), 0.0
    owner = np.repeat(np.arange(BASES), DOSES)
    for s in scores:
        order = np.argsort(s.ravel(), kind="stable")
        for a in (attribute, dose):
            x, star = a.ravel()[order], np.empty(B)
            for begin in range(0, B, 500):
                part = w[begin:begin + 500, owner[order]]
                f = part.cumsum(1) / (BASES * DOSES)
                best = np.diff(f**4, axis=1, prepend=0) @ x
                star[begin:begin + 500] = best - part @ x / (BASES * DOSES)
        se += star.std(ddof=1) / SCORERS
    return se


def timed(task, name, call, repeats):
    best = [math.inf, math.inf]
    for _ in range(repeats):
        start, cpu = time.perf_counter(), time.process_time()
        value = call()
        best = [min(best[0], time.perf_counter() - start), min(best[1], time.process_time() - cpu)]
    print(f"{task}\t{name}\t{best[0]:.6f}\t{best[1]:.6f}\t{value:.15g}", flush=True)


made = curves()
timed("exact", f"numpy {np.__version__}", exact, repeats)
timed("exact", "python, all subsets", by_subsets, 1)
timed("band", f"numpy {np.__version__}", band, repeats)
timed("mixed", f"numpy {np.__version__}", mixed, 1)
