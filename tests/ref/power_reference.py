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
