"""Kendall's tau by SciPy on the data that bench_agreement wrote.

Usage: peer_scipy.py FOLDER REPEATS LOOPS. The bootstrap is the loop that people write: draw
clusters, take their rows, call kendalltau; LOOPS of its 2,000 passes are timed.
"""
import sys
import time

import numpy as np
import scipy
from scipy.stats import kendalltau

ROWS, EACH, B = 6500, 5, 2000
folder, repeats, loops = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
name = f"scipy {scipy.__version__}"


def boot(x, y, rng):
    x, y = x.reshape(-1, EACH), y.reshape(-1, EACH)
    pick = rng.integers(0, len(x), len(x))
    return kendalltau(x[pick].ravel(), y[pick].ravel())[0]


def timed(call, repeats):
    """Its value, and the fastest of the repeats by the clock and by CPU time."""
    best = [float("inf"), float("inf")]
    for _ in range(repeats):
        start, cpu = time.perf_counter(), time.process_time()
        value = call()
        best = [min(best[0], time.perf_counter() - start), min(best[1], time.process_time() - cpu)]
    return value, best


for kind in ("real", "gold", "ties"):
    x, y = np.fromfile(f"{folder}/{kind}.x"), np.fromfile(f"{folder}/{kind}.y")
    tau, best = timed(lambda: kendalltau(x, y)[0], repeats)
    print(f"tau_{kind}\t{name}\t{best[0]:.6f}\t{best[1]:.6f}\t{tau:.15g}", flush=True)
    rng = np.random.default_rng(1)
    star, best = timed(lambda: [boot(x[:ROWS], y[:ROWS], rng) for _ in range(loops)], 1)
    best = [seconds / loops * B for seconds in best]
    print(f"boot_{kind}\t{name} loop, from {loops}\t{best[0]:.6f}\t{best[1]:.6f}\t"
          f"{np.std(star, ddof=1):.15g}", flush=True)
