"""Write special.tsv: reference values of the special functions, for tests/unit/test_special.c.

Made with mpmath 1.2.1 at 60 digits (SciPy 1.10.1 only starts the search for quantiles). The
arguments are the exact doubles that the test reads back. Run: python3 make_special.py > special.tsv
The incomplete beta and gamma are summed here from their positive power series, because the general
routines of mpmath are slow at parameters of 1e6; small parameters are checked against mpmath.
"""
import random

from mpmath import mp, mpf
from scipy.stats import t as student

mp.dps = 60


def series(term, ratio):
    """Positive terms, summed until they are below the working precision of the sum."""
    total, k, enough = mpf(0), 0, mpf(10) ** (8 - mp.dps)
    while True:
        total += term
        r = ratio(k)
        term *= r
        k += 1
        if term < total * enough and r < 0.99999:
            return total


def log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def beta_low(x, y, a, b):
    front = mp.exp(a * mp.log(x) + b * mp.log(y) - log_beta(a, b)) / a
    return front * series(mpf(1), lambda k: (a + b + k) / (a + 1 + k) * x)


def beta_inc(x, a, b, y=None):
    """The series in the smaller of x and y; 160 digits pay for the subtraction."""
    mp.dps = 160
    x, a, b = mpf(x), mpf(a), mpf(b)
    y = 1 - x if y is None else y
    value = beta_low(x, y, a, b) if x <= y else 1 - beta_low(y, x, b, a)
    mp.dps = 60
    return +value


def gamma_low(a, x):
    a, x = mpf(a), mpf(x)
    front = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
    return front * series(mpf(1), lambda k: x / (a + 1 + k))


def gamma_up(a, x):
    mp.dps = 60 + int(x / 2.0 if x < 400 else 200)
    value = 1 - gamma_low(a, x)
    mp.dps = 60
    return value


def t_tails(t, df):
    t, df = mpf(t), mpf(df)
    s = df + t * t
    return beta_inc(df / s, df / 2, mpf(1) / 2, t * t / s)


def t_quantile(p, df, start):
    p, target = mpf(p), None
    target = lambda t: (t_tails(t, df) / 2 if t > 0 else 1 - t_tails(t, df) / 2)
    density = lambda t: mp.exp(-log_beta(mpf(df) / 2, mpf(1) / 2) - mp.log(df) / 2
                               - (mpf(df) + 1) / 2 * mp.log(1 + t * t / df))
    t = mpf(start)
    for _ in range(60):
        tail = target(t)
        step = mp.log(tail / p) * tail / density(t)
        t += step
        if abs(step) < abs(t) * mpf(10) ** -25:
            return -t
    raise SystemExit("no convergence %r %r" % (p, df))


def out(name, value, *arguments):
    padded = [repr(float(a)) for a in arguments] + ["0"] * (3 - len(arguments))
    if abs(value) > mpf("1e-300") or value == 0:
        print("\t".join([name, *padded, mp.nstr(value, 20)]))


def normals(rng):
    for x in [0.0, 1e-10, -1e-10, 1e-3, 0.5, 1.7, 1.77, -1.7678, 2.0, -37.0, -36.5] + \
            [rng.uniform(-37, 8) for _ in range(150)] + [rng.uniform(-3, 3) for _ in range(80)]:
        out("norm_cdf", mp.erfc(-mpf(x) / mp.sqrt(2)) / 2, x)
        out("norm_pdf", mp.npdf(mpf(x)), x)
    for x in [rng.uniform(-4, 26) for _ in range(120)] + [1.25, 1.2499999, 0.0]:
        out("erfc_precise", mp.erfc(mpf(x)), x)
    for p in [1e-300, 1e-10, 0.025, 0.05, 0.1, 0.3, 0.499999999, 0.5 - 2 ** -40] + \
            [10 ** rng.uniform(-300, -0.31) for _ in range(120)] + \
            [rng.uniform(0, 0.5) for _ in range(80)]:
        far = p < 0.4
        x = -mp.sqrt(-2 * mp.log(mpf(p))) if far else -(0.5 - mpf(p)) * mp.sqrt(2 * mp.pi)
        for _ in range(60):
            cdf = mp.erfc(-x / mp.sqrt(2)) / 2
            x -= mp.log(cdf / mpf(p)) * cdf / mp.npdf(x)
        out("norm_quantile", x, p)


def gammas(rng):
    for x in [0.5, 1.5, 2.5, 10.5, 12.0, 1e6, 1e-8, 1e9] + \
            [10 ** rng.uniform(-6, 8) for _ in range(100)] + \
            [rng.uniform(0.01, 30) for _ in range(80)]:
        out("log_gamma", mp.loggamma(mpf(x)), x)
        if x < 170:
            out("gamma_value", mp.gamma(mpf(x)), x)
    for _ in range(150):
        a, b = 10 ** rng.uniform(-3, 6), 10 ** rng.uniform(-3, 6)
        out("log_beta", log_beta(mpf(a), mpf(b)), a, b)
    for a, b in [(0.2, 0.6), (1.7, 2.3), (150.5, 149.5), (1e5, 1e5 + 0.5), (5.0, 2.5)]:
        out("gamma_ratio", mp.gamma(mpf(a)) / mp.gamma(mpf(b)), a, b)
    for _ in range(150):
        a = 10 ** rng.uniform(-0.3, 5)
        x = max(a + rng.uniform(-6, 6) * a ** 0.5, a * rng.uniform(0.01, 1))
        out("gamma_inc", gamma_low(a, x), a, x)
        if x < a + 8 * a ** 0.5 + 30:
            out("gamma_inc_upper", gamma_up(a, x), a, x)
    assert abs(gamma_low(2.5, 3.25) - mp.gammainc(2.5, 0, 3.25, regularized=True)) < mpf(10) ** -38
    for x, df in [(3.84, 1), (10, 6), (0.5, 2), (300, 200), (70, 3)]:
        out("chi2_sf", gamma_up(df / 2, x / 2), x, df)


def betas(rng):
    assert abs(beta_inc(0.3, 2.5, 1.25) - mp.betainc(2.5, 1.25, 0, mpf(0.3), True)) < mpf(10) ** -35
    cases = [(0.1, 2.0, 3.0), (0.01, 0.5, 0.5), (0.5, 100.0, 120.0), (0.5, 1e6, 1e6),
             (0.4995, 1e6, 1e6), (0.3335, 5e5, 1e6), (0.999, 0.1, 0.2), (0.95, 0.4, 0.3)]
    for _ in range(260):
        a, b = 10 ** rng.uniform(-0.5, 4.5), 10 ** rng.uniform(-0.5, 4.5)
        spread = (a * b / (a + b + 1)) ** 0.5 / (a + b)
        x = min(max(a / (a + b) + rng.uniform(-7, 7) * spread, 1e-6), 0.999999)
        cases.append((x, a, b))
    for x, a, b in cases:
        out("beta_inc", beta_inc(x, a, b), x, a, b)
        out("beta_inc_upper", beta_inc(1 - mpf(x), b, a, mpf(x)), x, a, b)
    for f, d1, d2 in [(4, 2, 30), (1, 1, 1), (0.01, 5, 7), (12.5, 3, 4.5), (1.02, 5000, 70000),
                      (2.5, 1, 1e6), (60, 6, 24)]:
        s = mpf(d2) + mpf(d1) * mpf(f)
        tail = beta_inc(mpf(d2) / s, mpf(d2) / 2, mpf(d1) / 2, mpf(d1) * mpf(f) / s)
        out("f_sf", tail, f, d1, d2)


def students(rng):
    cases = [(-1.0, 7), (-2.0, 7), (-5.0, 7), (-3.0, 1e6), (1e-8, 3), (1e5, 1), (1e200, 1)]
    cases += [(rng.uniform(0, 12), 10 ** rng.uniform(-0.3, 5)) for _ in range(200)]
    cases += [(rng.uniform(0, 8), 10 ** rng.uniform(5, 6)) for _ in range(12)]
    for t, df in cases:
        out("t_p", t_tails(abs(t), df), t, df)
    for t, df in [(0.5, 2e7), (3.0, 5e7), (6.5, 1.5e7)]:
        # by quadrature: the series has too many terms here
        c = -log_beta(mpf(df) / 2, mpf(1) / 2) - mp.log(df) / 2
        f = lambda u: mp.exp(c - (mpf(df) + 1) / 2 * mp.log(1 + u * u / df))
        out("t_p", 2 * mp.quad(f, [mpf(t), t + 2, t + 5, t + 10, t + 20]), t, df)
    for p, df in [(p, df) for p in (1e-12, 1e-5, 0.005, 0.025, 0.05, 0.2, 0.249, 0.251, 0.4, 0.4999)
                  for df in (0.7, 1, 1.5, 2, 3, 4.99708551322, 9, 29, 209, 5000)]:
        out("t_quantile", t_quantile(p, df, -student.ppf(p, df)), p, df)


print("# function\targument 1\targument 2\targument 3\tvalue: made by make_special.py with mpmath "
      "at 60 digits; unused arguments are 0")
random_source = random.Random(20240611)
for part in (normals, gammas, betas, students):
    part(random_source)
