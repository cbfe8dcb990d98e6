"""The same bootstrap in NumPy: 48 regressions, 2,000 cluster resamples, 500 items x 9 doses.

Usage: peer_numpy.py THREADS REPEATS OUT.tsv. Prints one line per variant: seconds of the fastest
of REPEATS runs, end to end from raw columns to intervals and p, with its parts.

One shared draw of multinomial counts, per-cluster sums, one matrix product (OpenBLAS), batched
solves, percentile intervals. Variants differ in the solve: numpy.linalg.solve on stacked
matrices, and a 3 x 3 Cholesky written out over whole arrays, which is the faster one.
"""
import os
import sys

THREADS, REPEATS, OUT = sys.argv[1], int(sys.argv[2]), sys.argv[3]
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = THREADS

import time

import numpy as np

from problem import B, COVARIATES, DOSES, ITEMS, TESTS, make

PAIRS = [(i, j) for i in range(COVARIATES) for j in range(i, COVARIATES)]


def cluster_sums(x, y):
    """[ITEMS][TESTS][9]: upper triangle of X'X and X'y within items."""
    xc = x - x.mean(axis=2, keepdims=True)
    yc = y - y.mean(axis=2, keepdims=True)
    xx = np.matmul(xc.transpose(0, 1, 3, 2), xc)
    xy = np.matmul(xc.transpose(0, 1, 3, 2), yc[..., None])[..., 0]
    z = np.empty((ITEMS, TESTS, len(PAIRS) + COVARIATES))
    for k, (i, j) in enumerate(PAIRS):
        z[:, :, k] = xx[:, :, i, j].T
    z[:, :, len(PAIRS):] = xy.transpose(1, 0, 2)
    return z


def counts(rng):
    """[B][ITEMS] as doubles. bincount is about five times as fast as rng.multinomial here."""
    pick = rng.integers(0, ITEMS, (B, ITEMS), dtype=np.int32)
    pick += (np.arange(B, dtype=np.int32) * ITEMS)[:, None]
    return np.bincount(pick.ravel(), minlength=B * ITEMS).reshape(B, ITEMS).astype(np.float64)


def solve_stacked(total):
    a = np.empty(total.shape[:-1] + (COVARIATES, COVARIATES))
    for k, (i, j) in enumerate(PAIRS):
        a[..., i, j] = total[..., k]
        a[..., j, i] = total[..., k]
    return np.linalg.solve(a, total[..., len(PAIRS):, None])[..., 0]


def solve_written_out(total):
    t = np.ascontiguousarray(np.moveaxis(total, -1, 0))
    a, b, c, d, e, f, u, v, w = t
    l11 = np.sqrt(a)
    l21, l31 = b / l11, c / l11
    l22 = np.sqrt(d - l21 * l21)
    l32 = (e - l21 * l31) / l22
    l33 = np.sqrt(f - l31 * l31 - l32 * l32)
    q1 = u / l11
    q2 = (v - l21 * q1) / l22
    q3 = (w - l31 * q1 - l32 * q2) / l33
    b3 = q3 / l33
    b2 = (q2 - l32 * b3) / l22
    b1 = (q1 - l21 * b2 - l31 * b3) / l11
    return np.stack([b1, b2, b3], axis=-1)


def run(x, y, seed, solve):
    marks = [time.perf_counter()]
    z = cluster_sums(x, y)
    marks.append(time.perf_counter())
    w = counts(np.random.Generator(np.random.SFC64(seed)))
    marks.append(time.perf_counter())
    total = (w @ z.reshape(ITEMS, -1)).reshape(B, TESTS, -1)
    marks.append(time.perf_counter())
    theta = solve(z.sum(axis=0)[None])[0]
    star = solve(total)
    marks.append(time.perf_counter())
    star = np.ascontiguousarray(np.moveaxis(star, 0, -1))
    p = (1 + (np.abs(star - theta[..., None]) >= np.abs(theta[..., None])).sum(axis=-1)) / (B + 1)
    se = star.std(axis=-1, ddof=1)
    lo, hi = np.percentile(star, [2.5, 97.5], axis=-1)
    marks.append(time.perf_counter())
    return (theta, se, lo, hi, p), np.diff(marks)


def main():
    x, y = make()
    for name, solve in (("linalg.solve", solve_stacked), ("written out", solve_written_out)):
        best = None
        for seed in range(REPEATS):
            result, parts = run(x, y, seed, solve)
            if best is None or parts.sum() < best[1].sum():
                best = (result, parts)
        parts = best[1] * 1e3
        steps = ("sums", "draws", "product", "solve", "intervals")
        note = " ".join(f"{step} {ms:.2f}" for step, ms in zip(steps, parts))
        print(f"numpy {name}\t{parts.sum() / 1e3:.6f}\tms: {note}", flush=True)
    theta, se, lo, hi, p = best[0]
    with open(OUT, "w") as f:
        for t in range(TESTS):
            for c in range(COVARIATES):
                f.write(f"{t}\t{c}\t{theta[t, c]!r}\t{se[t, c]!r}\t{lo[t, c]!r}\t{hi[t, c]!r}\t"
                        f"{p[t, c]!r}\n")


main()
