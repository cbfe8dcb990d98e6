#!/usr/bin/env python3
"""Numbers for the toys of test_agree_*.c, by SciPy and by formulas that look at all pairs.

  agree_reference.py        prints name and value of each
"""
import itertools

import numpy as np
from scipy import stats

R = 3


def toy(missing=False):
    """24 units of 12 items: ratings h [24][3], judges `even` (1..5) and `fine` (tenths)."""
    h, even, fine = [], [], []
    for k in range(24):
        q = (7 * k * k + 3 * k + 5) % 11
        h.append([1 + min(4, (q + (k * (r + 2) + r) % 4) // 3) for r in range(R)])
        even.append(1 + min(4, (q + (5 * k + 1) % 3) // 3))
        fine.append(round(1 + 0.3 * q + 0.1 * (k % 5), 1))
    h = np.array(h, float)
    if missing:
        h[3, 0] = h[10, 2] = h[17, 1] = np.nan
    return h, np.array(even, float), np.array(fine, float)


def tau_c(x, y):
    return stats.kendalltau(x, y, variant="c").statistic


def tau_b(x, y):
    return stats.kendalltau(x, y).statistic


def tau_c_of(x, y):
    """SciPy's tau-c uses the same m; repeated here from all pairs."""
    n, s = len(x), 0
    for i, j in itertools.combinations(range(n), 2):
        s += np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])
    m = min(len(set(x)), len(set(y)))
    return 2 * s / (n * n * (m - 1) / m)


def kappa(a, b, values, power):
    """Over a given list of categories: linear and quadratic weights depend on it."""
    place = {v: i for i, v in enumerate(values)}
    k = len(values)
    table = np.zeros((k, k))
    for x, y in zip(a, b):
        table[place[x], place[y]] += 1
    table /= table.sum()
    i, j = np.indices((k, k))
    weight = (i != j) * 1.0 if power == 0 else np.abs(i - j) ** float(power)
    return 1 - (weight * table).sum() / (weight * np.outer(table.sum(1), table.sum(0))).sum()


def alpha(x, level):
    """Krippendorff's alpha from the coincidence matrix, units x coders, NaN missing."""
    values = sorted(set(x[~np.isnan(x)]))
    place = {v: i for i, v in enumerate(values)}
    o = np.zeros((len(values), len(values)))
    for unit in x:
        there = unit[~np.isnan(unit)]
        if len(there) < 2:
            continue
        for a, b in itertools.permutations(range(len(there)), 2):
            o[place[there[a]], place[there[b]]] += 1 / (len(there) - 1)
    n = o.sum(0)
    v = np.array(values)
    if level == "nominal":
        d = 1.0 * (v[:, None] != v[None, :])
    elif level == "ordinal":
        d = np.array([[(n[min(i, j):max(i, j) + 1].sum() - (n[i] + n[j]) / 2) ** 2
                       for j in range(len(v))] for i in range(len(v))])
    elif level == "interval":
        d = (v[:, None] - v[None, :]) ** 2
    else:
        d = ((v[:, None] - v[None, :]) / (v[:, None] + v[None, :])) ** 2
    return 1 - (n.sum() - 1) * (o * d).sum() / (np.outer(n, n) * d).sum()


def icc(x):
    n, k = x.shape
    grand = x.mean()
    bms = k * ((x.mean(1) - grand) ** 2).sum() / (n - 1)
    jms = n * ((x.mean(0) - grand) ** 2).sum() / (k - 1)
    wms = ((x - x.mean(1)[:, None]) ** 2).sum() / (n * (k - 1))
    ems = (((x - x.mean(1)[:, None] - x.mean(0)[None, :] + grand) ** 2).sum()
           / ((n - 1) * (k - 1)))
    return {"ICC(1,1)": (bms - wms) / (bms + (k - 1) * wms),
            "ICC(2,1)": (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n),
            "ICC(3,1)": (bms - ems) / (bms + (k - 1) * ems),
            "ICC(1,k)": (bms - wms) / bms, "ICC(2,k)": (bms - ems) / (bms + (jms - ems) / n),
            "ICC(3,k)": (bms - ems) / bms}


def say(name, value):
    print(f"{name}\t{value:.17g}")


def human_side(h):
    others = [h.sum(1) - h[:, r] for r in range(R)]
    say("pairwise tau_b", np.mean([tau_b(h[:, a], h[:, b])
                                   for a, b in itertools.combinations(range(R), 2)]))
    say("left out tau_b", np.mean([tau_b(h[:, r], others[r]) for r in range(R)]))
    say("left out tau_c", np.mean([tau_c_of(h[:, r], others[r]) for r in range(R)]))
    values = sorted(set(h.ravel()))
    for power, name in enumerate(("kappa", "kappa_linear", "kappa_quadratic")):
        say("people " + name, np.mean([kappa(h[:, a], h[:, b], values, power)
                                       for a, b in itertools.combinations(range(R), 2)]))
    for level in ("nominal", "ordinal", "interval", "ratio"):
        say("people alpha_" + level, alpha(h, level))
    for name, value in icc(h).items():
        say("people " + name, value)


def main():
    h, even, fine = toy()
    others = [h.sum(1) - h[:, r] for r in range(R)]
    gold = h.sum(1)
    human_side(h)
    for name, x in (("even", even), ("fine", fine)):
        say(name + " tau_b", tau_b(x, gold))
        say(name + " tau_c", tau_c_of(x, gold))
        assert abs(tau_c_of(x, gold) - tau_c(x, gold)) < 1e-12
        say(name + " spearman", stats.spearmanr(x, gold).statistic)
        say(name + " pearson", stats.pearsonr(x, gold).statistic)
        say(name + " matched tau_b", np.mean([tau_b(x, o) for o in others]))
        say(name + " matched tau_c", np.mean([tau_c_of(x, o) for o in others]))
        say(name + " difference", np.mean(x - gold / 3))
    values = sorted(set(h.ravel()) | set(even))
    for power, name in enumerate(("kappa", "kappa_linear", "kappa_quadratic")):
        say("even " + name, np.mean([kappa(even, h[:, r], values, power)
                                     for r in range(R)]))
    say("even exact", np.mean(even[:, None] == h))
    both = np.column_stack([even, h])
    for level in ("nominal", "ordinal", "interval", "ratio"):
        say("even alpha_" + level, alpha(both, level))
    for name, value in icc(both).items():
        say("even " + name, value)
    say("rows tau_c even", tau_c_of(np.repeat(even, R), h.ravel()))
    holes = toy(missing=True)[0]
    say("holes alpha_interval", alpha(holes, "interval"))
    say("holes alpha_ordinal", alpha(holes, "ordinal"))
    say("holes tau_b even", tau_b(even, np.nanmean(holes, 1)))
    say("holes mean tau_b of 21", tau_b(even[~np.isnan(holes).any(1)],
                                        gold[~np.isnan(holes).any(1)]))


if __name__ == "__main__":
    main()
