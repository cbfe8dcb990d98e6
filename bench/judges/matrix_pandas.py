"""matrix_pandas.py TABLE REPLICATES [RUN]: the program that people write: draw items, gather their
rows, pivot the means, standardise, again and again. RUN (default 5) replicates are run and the
time of all is extrapolated from them; said so in the output."""
import sys
import time

import numpy as np
import pandas as pd

path, replicates = sys.argv[1], int(sys.argv[2])
run = int(sys.argv[3]) if len(sys.argv) > 3 else 5
start = time.perf_counter()
t = pd.read_json(path, lines=True) if path.endswith(".jsonl") else pd.read_csv(path)
read = time.perf_counter()


def self_residuals(frame):
    out = []
    for _, part in frame.groupby("setting"):
        phi = part.pivot_table(index="author", columns="judge", values="score", aggfunc="mean")
        r = phi.sub(phi.mean(axis=1), axis=0).sub(phi.mean(axis=0), axis=1) + phi.to_numpy().mean()
        z = (phi - phi.mean()) / phi.std(ddof=0)
        twice = z.sub(z.mean(axis=1), axis=0).div(z.std(axis=1, ddof=0), axis=0)
        out.append((np.diag(r), np.diag(twice)))
    return out


observed = self_residuals(t)
by_item = t.set_index("item").sort_index()
items = by_item.index.unique()
rng = np.random.default_rng(1)
begin = time.perf_counter()
for _ in range(run):
    self_residuals(by_item.loc[rng.choice(items, len(items))].reset_index())
each = (time.perf_counter() - begin) / run
print(f"pandas\tread\t{read - start:.3f}")
print(f"pandas\twhole\t{begin - start + each * replicates:.3f}")
print(f"check\tR of self cells\t{observed[0][0].mean():.12g}")
print(f"check\tPhi~ of self cells\t{observed[0][1].mean():.12g}")
