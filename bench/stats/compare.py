"""Prints the ratios, and fails unless both programs estimate the same.

Usage: compare.py TIMES.tsv TARE.tsv NUMPY.tsv. Estimates must agree to 1e-9; SE, ends and p come
from different random draws and must agree within 5 Monte Carlo standard errors.
"""
import sys

import numpy as np

B = 2000
times, tare, peer = sys.argv[1:]
best = {}  # the fastest round of each program
for line in open(times):
    name, seconds, note = line.rstrip("\n").split("\t")
    if name not in best or float(seconds) < best[name][0]:
        best[name] = (float(seconds), note)
engine, infer = best["tare engine"][0], best["tare infer"][0]
print("program\tseconds\ttimes_engine\ttimes_infer\tnote")
for name, (s, note) in best.items():
    print(f"{name}\t{s:.6f}\t{s / engine:.2f}\t{s / infer:.2f}\t{note}")
a, b = np.loadtxt(tare)[:, 2:].T, np.loadtxt(peer)[:, 2:].T
theta, se = a[0], a[1]
# 5 SE of the difference of two programs: SD of an SD, of a 2.5 % quantile (density of a normal),
# of a p.
p = (a[4] + b[4]) / 2
bounds = [1e-9 * np.abs(theta), 5 * se / np.sqrt(B), 5 * se * np.sqrt(2 * .025 * .975 / B) / .0584,
          5 * se * np.sqrt(2 * .025 * .975 / B) / .0584, 5 * np.sqrt(2 * p * (1 - p) / B) + 2 / B]
names = ["estimate", "se", "lo", "hi", "p"]
bad = [f"{names[k]} of coefficient {i}: {a[k][i]} against {b[k][i]}" for k in range(5)
       for i in range(len(theta)) if not abs(a[k][i] - b[k][i]) <= bounds[k][i]]
print(f"agreement\t\t\t\t{len(theta)} coefficients, {len(bad)} values out of bounds")
sys.exit("\n".join(bad) if bad else 0)
