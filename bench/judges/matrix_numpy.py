"""matrix_numpy.py TABLE REPLICATES: the readings of a judge matrix as a careful NumPy program makes
them: the table by pandas' readers (faster than the json module), resampled cell means of both
settings from one product of weights with the items' cells, everything else vectorised over
replicates or over items left out, regressions from cell sums and a cube of residuals. Prints
seconds by step, then values of many readings for the comparison with tare."""
import sys
import time

import numpy as np
import pandas as pd
from scipy import stats

KEYS = ("item", "author", "judge", "setting")
ALPHA = .05


def read(path):
    if path.endswith(".jsonl"):
        t = pd.read_json(path, lines=True).astype({c: "category" for c in KEYS})
    else:
        t = pd.read_csv(path, dtype={c: "category" for c in KEYS})
    return [t[c].cat.codes.to_numpy() for c in KEYS], t["score"].to_numpy(float)


start = time.perf_counter()
B = int(sys.argv[2])
(item, author, judge, setting), score = read(sys.argv[1])
read_at = time.perf_counter()
n, g, e, k = (c.max() + 1 for c in (item, author, judge, setting))
cube = np.full((k, n, g, e), np.nan)
cube[setting, item, author, judge] = score
missing = np.isnan(cube).sum()
assert missing == 0 and g == e
shaped_at = time.perf_counter()
rng = np.random.default_rng(1)
own = np.arange(g)
DIAGONAL = np.eye(g, dtype=bool)
FACTOR = g / (g - 1) * e / (e - 1)


def centred(x):
    return x - x.mean(-1, keepdims=True) - x.mean(-2, keepdims=True) \
        + x.mean((-1, -2), keepdims=True)


def contrasts(phi):
    """Of each self cell: own cell less the other authors, less the same of the other judges."""
    ahead = (phi[..., own, :] * g - phi.sum(-2, keepdims=True)) / (g - 1)
    return (phi.shape[-1] * ahead[..., own, own] - ahead.sum(-1)) / (phi.shape[-1] - 1)


def without_each_judge(x):
    """Double-centred self cells [..., model, judge left out]; 0 for the model's own judge."""
    row, column = x.sum(-1)[..., :, None], x.mean(-2)
    grand = (column.sum(-1, keepdims=True) - column)[..., None, :] / (e - 1)
    out = x[..., own, own][..., None] - (row - x) / (e - 1) - column[..., own, None] + grand
    out[..., own, own] = 0
    return out


def statistics(phi, judge_sd):
    """All functions of cell means phi[..., author, judge], one after the other."""
    scaled = (phi - phi.mean(-2, keepdims=True)) / phi.std(-2, keepdims=True)
    twice = (scaled - scaled.mean(-1, keepdims=True)) / scaled.std(-1, keepdims=True)
    r = centred(phi)
    less = FACTOR * (e - 1) ** 2 / (e * (e - 2))  # the factor of D with a judge less
    parts = (r, centred(scaled), twice, FACTOR * r[..., own, own], contrasts(phi / judge_sd),
             less * without_each_judge(phi), without_each_judge(scaled))
    return np.concatenate([x.reshape(*phi.shape[:-2], -1) for x in parts], -1)


PARTS = np.cumsum([g * e, g * e, g * e, g, g, g * e])
NAMES = ("R", "Z", "Phi~", "D", "D_z", "D_left", "Z_left")


def named(values):
    return dict(zip(NAMES, np.split(values, PARTS, -1)))


def quantiles(star):
    """Ends of the 95 % and 90 % intervals: ranks (B+1)q, between neighbours on the normal scale."""
    level = np.array([ALPHA / 2, ALPHA, 1 - ALPHA, 1 - ALPHA / 2])
    rank = (B + 1) * level
    low = np.floor(rank + 1e-9).astype(int)
    z0, z1 = stats.norm.ppf(low / (B + 1)), stats.norm.ppf((low + 1) / (B + 1))
    share = np.clip((stats.norm.ppf(level) - z0) / (z1 - z0), 0, 1)[:, None]
    ranks = np.clip(np.concatenate([low - 1, low]), 0, B - 1)
    ends = np.partition(star.T, np.unique(ranks), 1)[:, ranks].T
    return ends[:4] + share * (ends[4:] - ends[:4])


def infer(estimate, star, left):
    """What is said beside an estimate: SE, ends, centred p, skewness of the items' influences and
    the largest share of one item in their squares."""
    star = np.ascontiguousarray(star)
    slack = 1e-12 * np.abs(estimate)
    p = (1 + (np.abs(star - estimate) >= np.abs(estimate) - slack).sum(0)) / (B + 1)
    influence = (n - 1) * (estimate - left)
    influence -= influence.mean(0)
    square = influence ** 2
    second = square.mean(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        skewness = np.einsum("ij,ij->j", square, influence) / n / second ** 1.5
        share = square.max(0) / second / n
    return {"estimate": estimate, "se": star.std(0, ddof=1), "ends": quantiles(star), "p": p,
            "under_cover": (np.abs(skewness) > 1) | (share > .25), "star": star}


def step_up(p, by=False):
    m = len(p)
    order = np.argsort(p)
    scale = m / np.arange(1, m + 1) * (np.sum(1 / np.arange(1, m + 1)) if by else 1)
    out = np.empty(m)
    out[order] = np.minimum(np.minimum.accumulate((p[order] * scale)[::-1])[::-1], 1)
    return out


def family(x, member):
    """q by BH, BY and step-down max-T of one family of tests."""
    t = np.abs(x["estimate"][member] / x["se"][member])
    order = np.argsort(-t)
    star = np.abs((x["star"][:, member] - x["estimate"][member]) / x["se"][member])[:, order]
    largest = np.maximum.accumulate(star[:, ::-1], 1)[:, ::-1]
    q = np.empty(len(t))
    count = (largest >= t[order] - 1e-12 * t[order]).sum(0)
    q[order] = np.maximum.accumulate((1 + count) / (B + 1))
    p = x["p"][member]
    return step_up(p), step_up(p, True), q


def part(x, name):
    at = NAMES.index(name)
    cut = slice(([0] + list(PARTS))[at], PARTS[at] if at < len(PARTS) else None)
    return {key: value[..., cut] for key, value in x.items()}


def verdict(x, z, margin, q):
    """found and resolved below the margin and negligible and the rest, as numbers."""
    lo, lo90, hi90, hi = x["ends"]
    excludes = (lo > 0) | (hi < 0)
    negligible = (lo90 > -margin) & (hi90 < margin)
    agrees = np.where(x["estimate"] > 0, z["ends"][0] > 0, z["ends"][3] < 0)
    found = (q <= ALPHA) & excludes & agrees
    return np.where(found & ~negligible, 3, np.where(negligible, 2, 0))


# ---- Regressions --------------------------------------------------------------------------------

def covariance(xx, scores, rows):
    """CR0 by item and HC0 from the items' scores and the rows' outer products."""
    inverse = np.linalg.inv(xx)
    return inverse @ (scores.T @ scores) @ inverse, inverse @ rows @ inverse


def cr1(p):
    return np.sqrt(n / (n - 1) * (n * g * e - 1) / (n * g * e - p))


def t_of(beta, v, factor, df):
    se = np.sqrt(np.diag(v)) * factor
    half = stats.t.ppf(1 - ALPHA / 2, df) * se
    return beta, se, beta - half, beta + half, 2 * stats.t.sf(np.abs(beta / se), df)


def additive(y):
    """score ~ judge + author + self: indicators only, so cells hold everything but the meat."""
    a, j = np.divmod(np.arange(g * e), e)
    x = np.column_stack([np.eye(e)[j], np.eye(g)[a][:, 1:], a == j]).astype(float)
    xx = n * x.T @ x
    beta = np.linalg.solve(xx, n * x.T @ y.mean(0).ravel())
    left = y - (x @ beta).reshape(g, e)
    scores = np.column_stack([left.sum(1), left.sum(2)[:, 1:], left[:, own, own].sum(1)])
    rows = x.T @ (x * (left ** 2).sum(0).reshape(-1, 1))
    v, hc0 = covariance(xx, scores, rows)
    return t_of(beta, v, cr1(len(beta)), n - 1), t_of(beta, hc0, 1, n * g * e)


def blocks(one, first, second, diagonal, diagonal_first):
    """A symmetric matrix [judge | slope | self] of which each judge has a block of its own."""
    out = np.zeros((3 * e, 3 * e))
    for r, c, values in ((0, 0, one), (0, 1, first), (1, 1, second), (0, 2, diagonal),
                         (1, 2, diagonal_first), (2, 2, diagonal)):
        out[r * e + own, c * e + own] = out[c * e + own, r * e + own] = values
    return out


def with_gold(y, gold):
    """score ~ judge + gold:judge + self_j, then with one self term for all."""
    mean = gold.mean((0, 1))
    gold = gold - mean
    gold_sum = gold.sum(0)
    xx = blocks(np.full(e, float(n * g)), gold_sum.sum(0), np.einsum("nge,nge->e", gold, gold),
                np.full(e, float(n)), gold_sum[own, own])
    y_sum = y.sum(0)
    xy = np.concatenate([y_sum.sum(0), np.einsum("nge,nge->e", gold, y), y_sum[own, own]])
    out = []
    pool = np.eye(3 * e)[:, :2 * e + 1]
    pool[2 * e:, -1] = 1
    for to in (np.eye(3 * e), pool):
        beta = np.linalg.solve(to.T @ xx @ to, to.T @ xy)
        full = to @ beta
        left = y - full[:e] - gold * full[e:2 * e]
        left[:, own, own] -= full[2 * e:]
        scores = np.concatenate([left.sum(1), np.einsum("nge,nge->ne", left, gold),
                                 left[:, own, own]], 1) @ to
        square = left * left
        by_gold = square * gold
        cells = square.sum(0)
        rows = blocks(cells.sum(0), by_gold.sum((0, 1)), np.einsum("nge,nge->e", by_gold, gold),
                      cells[own, own], by_gold[:, own, own].sum(0))
        v, hc0 = covariance(to.T @ xx @ to, scores, to.T @ rows @ to)
        shift = np.eye(len(beta))  # severities where gold is 0, not at its mean
        shift[own, e + own] = -mean
        out.append((t_of(shift @ beta, shift @ v @ shift.T, cr1(len(beta)), n - 1),
                    t_of(shift @ beta, shift @ hc0 @ shift.T, 1, n * g * e)))
    return out


def peers(y):
    """Mean score of a text from the judges that are neither its author nor the judge itself."""
    others = y.sum(2) - y[:, own, own]
    gold = (others[:, :, None] - y) / (e - 2)
    gold[:, own, own] = others / (e - 1)
    return gold


# ---- Over models --------------------------------------------------------------------------------

def components(y):
    """Variance components of items x authors x judges by the method of moments."""
    m = {"": y.mean()}
    axes = {"i": (1, 2), "g": (0, 2), "j": (0, 1), "ig": 2, "ij": 1, "gj": 0}
    m.update({key: y.mean(axis, keepdims=True) for key, axis in axes.items()})
    ss = {key: n * g * e / m[key].size * ((m[key] - m[""]) ** 2).sum() for key in "igj"}
    for key in ("ig", "ij", "gj"):
        effect = m[key] - m[key[0]] - m[key[1]] + m[""]
        ss[key] = n * g * e / effect.size * (effect ** 2).sum()
    ss["e"] = ((y - m[""]) ** 2).sum() - sum(ss.values())
    size = {"i": n, "g": g, "j": e}
    ms = {key: s / np.prod([size[c] - 1 for c in (key if key != "e" else "igj")])
          for key, s in ss.items()}
    s2 = {"e": ms["e"]}
    for key, of in (("ig", e), ("ij", g), ("gj", n)):
        s2[key] = (ms[key] - ms["e"]) / of
    for key, pair in (("i", ("ig", "ij")), ("g", ("ig", "gj")), ("j", ("ij", "gj"))):
        of = n * g * e / size[key]
        s2[key] = (ms[key] - sum(ms[q] for q in pair) + ms["e"]) / of
    return s2


def over_both(star, weight):
    """Mean D of resampled items where judges count `weight` times: pigeonhole bootstrap."""
    ahead = (star * g - star.sum(1, keepdims=True)) / (g - 1)  # [B, author, judge]
    mine = ahead[:, own, own]
    total = np.einsum("bae,be->ba", ahead, weight) - mine * weight
    with np.errstate(invalid="ignore", divide="ignore"):
        d = mine - total / (weight.sum(1, keepdims=True) - weight)
        value = np.where(weight > 0, weight * d, 0).sum(1) / weight.sum(1)
    value = value[np.isfinite(value)]
    return np.quantile(value, [ALPHA / 2, 1 - ALPHA / 2]), value.std(ddof=1)


def identity(matrix):
    """Mean self cell under permutations of who is who."""
    order = np.argsort(rng.random((9999, g)), 1)
    observed, star = matrix[own, own].mean(), matrix[order, own].mean(1)
    return observed, (1 + (star >= observed - 1e-12).sum()) / 10000


# ---- One setting --------------------------------------------------------------------------------

flat = cube.transpose(1, 0, 2, 3).reshape(n, -1)
draw = rng.integers(0, n, (B, n), dtype=np.int32)
draw += np.arange(B, dtype=np.int32)[:, None] * n
weight = np.bincount(draw.ravel(), minlength=B * n).reshape(B, n) / n
cell_star = (weight @ flat).reshape(B, k, g, e)
cell_left = ((flat.sum(0) - flat) / (n - 1)).reshape(n, k, g, e)
poisson = stats.poisson.cdf(np.arange(20), 1).astype(np.float32)
weight = np.searchsorted(poisson, rng.random((B, n), dtype=np.float32)).astype(float)
both_star = (weight @ flat / weight.sum(1, keepdims=True)).reshape(B, k, g, e)
half = rng.random(n) < .5


def judge_by_judge(y, phi):
    """SD, SD within authors and author F of every judge."""
    residual = ((y - phi) ** 2).sum((0, 1))
    spread = phi - phi.mean(0)
    sd = np.sqrt((residual + n * (spread ** 2).sum(0)) / (n * g))
    rows = g * ((y.mean(1) - phi.mean(0)) ** 2).sum(0)
    f = n * phi.var(0, ddof=1) / ((residual - rows) / ((n - 1) * (g - 1)))
    return sd, np.sqrt(residual / (g * (n - 1))), f


def leave_judges_out(x, phi, margin, with_all):
    """Ranges of D, R and Phi~ of the self cells, and how often the verdict on D stays."""
    d, z = part(x, "D_left"), part(x, "Z_left")
    holds, phi2 = np.zeros(g), np.full((g, e), np.nan)
    for out in range(e):
        keep = own != out
        less = {q: v[..., out::e][..., keep] for q, v in d.items() if q != "star"}
        less_z = {"ends": z["ends"][:, out::e][:, keep]}
        holds[keep] += verdict(less, less_z, margin[keep], step_up(less["p"])) == with_all[keep]
        left = np.delete(phi, out, 1)
        scaled = (left - left.mean(0)) / left.std(0)
        twice = (scaled - scaled.mean(1, keepdims=True)) / scaled.std(1, keepdims=True)
        phi2[keep, out] = twice[keep, np.arange(e - 1)]
    d = np.where(DIAGONAL, np.nan, d["estimate"].reshape(g, e))
    return [(np.nanmin(v, 1), np.nanmax(v, 1)) for v in (d, phi2)], holds / (e - 1)


def over_models(x, s):
    """Mean D and the pooled self effect: over items, over models, over items and judges."""
    indicator = centred(np.eye(g))
    scale = np.array([FACTOR / g, 1 / (indicator ** 2).sum()])
    r = part(x, "R")
    both = [(v.reshape(*v.shape[:-1], g * e) @ indicator.ravel())[..., None] * scale
            for v in (r["estimate"], r["star"], cell_left[:, s].reshape(n, -1))]
    items = infer(*both)
    stats.ttest_1samp(part(x, "D")["estimate"], 0)
    rest = r["estimate"].reshape(g, e) - both[0][1] * indicator
    df = (g - 1) * (e - 1) - 1
    se = np.sqrt((rest ** 2).sum() / df * scale[1])
    t = both[0][1] / se
    crossed = over_both(both_star[:, s], rng.poisson(1, (B, e)).astype(float))
    return items, (se, 2 * stats.t.sf(abs(t), df)), crossed


def read_setting(s):
    y = cube[s]
    phi = y.mean(0)
    judge_sd, within, author_f = judge_by_judge(y, phi)
    left = statistics(cell_left[:, s], judge_sd)
    x = infer(statistics(phi, judge_sd), statistics(cell_star[:, s], judge_sd), left)
    for name in ("R", "Z", "Phi~"):
        for member in (DIAGONAL.ravel(), ~DIAGONAL.ravel()):
            family(part(x, name), member)
    d, z = part(x, "D"), part(x, "Z")
    with_all = verdict(d, {"ends": z["ends"][:, ::g + 1]}, .1 * within, family(d, slice(None))[0])
    ranges, holds = leave_judges_out(x, phi, .1 * within, with_all)
    r = part(x, "R")["estimate"].reshape(g, e)
    signs = [stats.binomtest(int((v[own, own] > 0).sum()), g, alternative="greater").pvalue
             for v in (r, part(x, "Phi~")["estimate"].reshape(g, e))]
    chance = identity(r), identity(z["estimate"].reshape(g, e))
    stats.ttest_1samp(contrasts(y), 0)  # D by item
    stats.rankdata(-phi, axis=0)
    models = over_models(x, s)
    halves = [statistics(y[h].mean(0), judge_sd) for h in (half, ~half)]
    split = [np.corrcoef(*(named(h)[q][::g + 1] for h in halves))[0, 1] for q in NAMES[:3]]
    top = y.max()
    regressions = additive(y / top), *with_gold(y / top, peers(y / top))
    return {"x": x, "left": left, "f": author_f, "ranges": ranges, "holds": holds, "split": split,
            "signs": signs, "chance": chance, "models": models, "components": components(y),
            "regressions": regressions}


def of_self(values):
    """D, R and Phi~ of the self cells."""
    v = named(values)
    return np.concatenate([v["D"], v["R"][..., ::g + 1], v["Phi~"][..., ::g + 1]], -1)


said = [read_setting(s) for s in range(k)]
between = infer(*(of_self(a) - of_self(b) for a, b in
                  [(said[0]["x"]["estimate"], said[1]["x"]["estimate"]),
                   (said[0]["x"]["star"], said[1]["x"]["star"]),
                   (said[0]["left"], said[1]["left"])]))
family(between, slice(0, g))
done_at = time.perf_counter()
for step, seconds in (("read", read_at - start), ("shape", shaped_at - read_at),
                      ("readings", done_at - shaped_at), ("whole", done_at - start)):
    print(f"numpy\t{step}\t{seconds:.3f}")
first = said[0]
r, (add, gold, one) = part(first["x"], "R"), first["regressions"]
width = r["ends"][3] - r["ends"][0]
for name, value in (
        ("R of self cells", r["estimate"][::g + 1].mean()),
        ("Phi~ of self cells", part(first["x"], "Phi~")["estimate"][::g + 1].mean()),
        ("D_z", part(first["x"], "D_z")["estimate"].mean()),
        ("author F", first["f"].mean()),
        ("D without a judge, least", first["ranges"][0][0].mean()),
        ("Phi~ without a judge, most", first["ranges"][1][1].mean()),
        ("verdict holds", first["holds"].mean()),
        ("self with gold", gold[0][0][2 * e:].mean()),
        ("self with gold, SE", gold[0][1][2 * e:].mean()),
        ("severity, SE", gold[0][1][:e].mean()),
        ("self with gold, HC0 SE", gold[1][1][2 * e:].mean()),
        ("self pooled", one[0][0][-1]), ("self pooled, SE", one[0][1][-1]),
        ("self additive", add[0][0][-1]), ("self additive, SE", add[0][1][-1]),
        ("self over models, SE", first["models"][1][0]),
        ("residual component", first["components"]["e"]),
        ("judge component", first["components"]["j"]),
        ("D between settings", between["estimate"][:g].mean()),
        ("~ width of R", width.mean()), ("~ width of R between settings",
                                        (between["ends"][3] - between["ends"][0])[g:2 * g].mean()),
        ("~ SE of mean D over both", first["models"][2][1])):
    print(f"check\t{name}\t{value:.12g}")
