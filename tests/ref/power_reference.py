"""Numbers of tests/unit/test_power.c, from SciPy (made with 1.17.1): noncentral t by
scipy.stats.nct, chances of verdicts by scipy.integrate over the law of the estimated SD.
Prints C initialisers."""
import numpy as np
from scipy import integrate, stats

for df in (1, 2, 3.5, 8, 53, 209, 10000, 1000000):
    for ncp, t in ((0, 1.5), (2.5, 1.97), (2.8, -1.97), (-1, 0.3), (10, 8), (38, 40), (3, 0)):
        print("    {%r, %r, %r, %r, %r}," % (t, df, ncp, float(stats.nct.cdf(t, df, ncp)),
                                             float(stats.nct.sf(t, df, ncp))))


def over_s(f, df, top, points=()):
    law = stats.chi2(df)
    g = lambda s: f(s) * law.pdf(df * s * s) * 2 * df * s
    return integrate.quad(g, 0, min(top, 12), epsabs=1e-14, epsrel=1e-12, limit=500,
                          points=list(points) or None)[0]


print("equivalence")
for shift, width, df, alpha in ((0, 3.5, 8, .05), (1, 4, 19, .05), (0, 2, 5, .1), (3, 3, 209, .05)):
    t = stats.t.ppf(1 - alpha, df)
    f = lambda s: stats.norm.cdf(width - t * s - shift) - stats.norm.cdf(-width + t * s - shift)
    print("    {%r, %r, %r, %r, %r}," % (shift, width, df, alpha, over_s(f, df, width / t)))
print("negligible")
for width, df, alpha, level in ((3.5, 8, .05, .05), (4, 19, .05, .05), (3, 53, .05, .01)):
    t, u = stats.t.ppf(1 - alpha, df), stats.t.ppf(1 - level / 2, df)
    f = lambda s: 2 * stats.norm.cdf(np.minimum(width - t * s, u * s)) - 1
    print("    {%r, %r, %r, %r, %r}," % (width, df, alpha, level,
                                         over_s(f, df, width / t, [width / (t + u)])))

print("design: 54 bases in 9 clusters, icc .5, sd-base .1, sd-noise .05, doses -15..15, effect .06")


def design(factor, base, effect, n, m):
    total = base * .1 ** 2 + factor * .05 ** 2
    rho = .5 * base * .1 ** 2 / total
    se = np.sqrt(total / n * (1 + (n / m - 1) * rho))
    t = stats.t.ppf(.975, m - 1)
    return se, stats.nct.sf(t, m - 1, effect / se) + stats.nct.cdf(-t, m - 1, effect / se)


for name, factor, base in (("N", 4 / 3, 1.25), ("P", 4 / 3, 1.25), ("FI", 7 / 6, 1),
                           ("A", 2 / 3, 1)):
    need = next(m for m in range(6, 10000) if design(factor, base, .06, 6 * m, m)[1] >= .8)
    print(name, *("%.15g" % x for x in design(factor, base, .06, 54, 9)), "bases", 6 * need)

print("toy table of scorer audit 15.5: SDs over bases (ddof 1)")
from itertools import combinations
s = np.array([[(7 * i * i + 11 * j * j + 3 * i * j) % 17 / 10 for j in range(7)]
              for i in range(1, 7)])
dose = np.array([-15., -10, -5, 0, 5, 10, 15])
attr = np.array([[10 + 2 * dose[j] + i + ((5 * i + 3 * j) % 7) / 10 for j in range(7)]
                 for i in range(1, 7)])
d = s - s[:, 3:4]
N, P = d[:, :3].mean(1), d[:, 4:].mean(1)


def drift(score, a):
    total = 0
    for pick in combinations(range(7), 4):
        pick = list(pick)
        best = [k for k in pick if score[k] == score[pick].max()]
        total += a[best].mean()
    return total / 35 - a.mean()


for name, x in (("N", N), ("P", P), ("FI", -(N + P) / 2), ("A", P - N),
                ("drift", [drift(s[i], attr[i]) for i in range(6)]),
                ("drift_dose", [drift(s[i], dose) for i in range(6)])):
    print(name, "%.15g" % np.std(x, ddof=1))
sd = np.std(-(N + P) / 2, ddof=1)
print("FI, chi-squared interval", *("%.15g" % (sd * np.sqrt(5 / stats.chi2.ppf(q, 5)))
                                    for q in (.975, .025)))
x = np.array([1, 2, 4, 3, 7, 5, 6, 9, 8, 12.])
c = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3])
means, sizes = np.array([x[c == k].mean() for k in range(4)]), np.bincount(c)
msb = (sizes * (means - x.mean()) ** 2).sum() / 3
msw = ((x - means[c]) ** 2).sum() / 6
n0 = (10 - (sizes ** 2).sum() / 10) / 3
between = (msb - msw) / n0
print("components", "%.15g %.15g" % (np.sqrt(between + msw), between / (between + msw)))

print("beyond a floor: shift, floor, df, alpha; negligible: width, floor, df, alpha, level")
for shift, floor, df, alpha in ((3, 1, 8, .05), (3, 3.5, 8, .05), (2.8, 2, 53, .05),
                                (1, 2.5, 209, .01)):
    t = stats.t.ppf(1 - alpha / 2, df)
    f = lambda s: (stats.norm.sf(max(t * s, floor) - shift) +
                   stats.norm.cdf(-max(t * s, floor) - shift))
    print("    {%r, %r, %r, %r, %r}," % (shift, floor, df, alpha,
                                         over_s(f, df, 12, [floor / t])))
for width, floor, df, alpha, level in ((3.5, 1, 8, .05, .05), (4, .5, 19, .05, .05)):
    t, u = stats.t.ppf(1 - alpha, df), stats.t.ppf(1 - level / 2, df)
    f = lambda s: max(0, 2 * stats.norm.cdf(min(width - t * s, u * s)) - 2 * stats.norm.cdf(floor))
    print("    {%r, %r, %r, %r, %r, %r}," % (
        width, floor, df, alpha, level,
        over_s(f, df, width / t, [floor / u, width / (t + u), (width - floor) / t])))

print("sign flips: clusters, level, shift; both the flips and the t interval of .05 find it")


def flips_find(m, level, shift, sets, seed=1):
    rng, found, done = np.random.default_rng(seed), 0, 0
    signs = np.ones((1, 0))
    for _ in range(m):
        signs = np.vstack([np.hstack([signs, np.full((len(signs), 1), x)]) for x in (1, -1)])
    signs = signs[:len(signs) // 2]
    t = stats.t.ppf(.975, m - 1)
    while done < sets:
        x = rng.standard_normal((min(sets - done, 2000), m)) + shift / np.sqrt(m)
        total = np.abs(x.sum(1))
        p = (np.abs(x @ signs.T) >= total[:, None] - 1e-9).mean(1)
        se = x.std(1, ddof=1) / np.sqrt(m)
        found += ((p <= level) & (total / m > t * se)).sum()
        done += len(x)
    return found / sets


for m, level, shift, sets in ((6, .05, 4, 200000), (9, .05 / 8, 4.5, 100000), (9, .05, 3, 100000),
                              (12, .05 / 24, 4.5, 20000), (15, .05 / 24, 4, 10000)):
    print("    {%d, %r, %r, %r}," % (m, level, shift, float(flips_find(m, level, shift, sets))))

print("CR2 of an intercept, df by the projection: sizes eight 1 and a 12; three times 2 4 6")
for sizes in ([1] * 8 + [12], [2, 4, 6] * 3):
    n = sum(sizes)
    c = np.repeat(np.arange(len(sizes)), sizes)
    z = (c[:, None] == np.arange(len(sizes))).astype(float)
    left = np.eye(n) - np.ones((n, n)) / n
    g = np.zeros((n, n))
    for k in range(len(sizes)):
        v = left @ z[:, k] / n / np.sqrt(1 - sizes[k] / n)
        g += np.outer(v, v)
    values = np.linalg.eigvalsh(g)
    print("%.15g" % (values.sum() ** 2 / (values ** 2).sum()))
