"""BRISQUE in NumPy, from its description and not from the C code, as a scorer behind the exec
protocol: test_scorer_brisque compares the two. Double precision (scorers 3.5, "portable").

    python3 brisque_reference.py FOLDER    # of the two YAML files
"""
import base64, io, json, math, re, sys
import numpy as np
from PIL import Image
from scipy.special import gamma


def numbers(text, key):
    body = text[text.index(key + ":"):]
    return [float(x) for x in body[body.index("[") + 1:body.index("]")].split(",")]


def load(folder):
    text = open(folder + "/brisque_model_live.yml").read()
    rows = re.findall(r"\[([^\]]*)\]", text[text.index("support_vectors"):text.index("decision_f")])
    vectors = np.array([[float(x) for x in row.split(",")] for row in rows])
    rho = float(re.search(r"rho: (\S+)", text).group(1))
    ranges = np.array(numbers(open(folder + "/brisque_range_live.yml").read(), "data"))
    return vectors, np.array(numbers(text, "alpha")), rho, ranges.reshape(2, 36)


def half(x):
    def weights(n):
        out, a = np.zeros((n // 2, n)), -0.75
        for d in range(n // 2):
            u = (d + 0.5) * (n / (n // 2)) - 0.5
            i = math.floor(u)
            for tap in range(-1, 3):
                t = abs(u - i - tap)
                w = ((a + 2) * t - (a + 3)) * t * t + 1 if t <= 1 else \
                    ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
                out[d, min(max(i + tap, 0), n - 1)] += w
        return out
    return weights(x.shape[0]) @ x @ weights(x.shape[1]).T


def blur(x):
    k = np.exp(-np.arange(-3, 4) ** 2 / (2 * (7 / 6) ** 2))
    k /= k.sum()
    h, w = x.shape
    p = np.pad(x, 3, mode="edge")
    p = sum(k[i] * p[:, i:i + w] for i in range(7))
    return sum(k[i] * p[i:i + h] for i in range(7))


GRID = [0.2]
while GRID[-1] + 0.001 < 10:
    GRID.append(GRID[-1] + 0.001)
GRID = np.array(GRID)
RATIO = gamma(2 / GRID) ** 2 / (gamma(1 / GRID) * gamma(3 / GRID))


def fit(v):
    low, high = v[v < 0], v[v > 0]
    l, r = math.sqrt(np.mean(low ** 2)), math.sqrt(np.mean(high ** 2))
    q = l / r
    big = (np.abs(v).sum() / v.size) ** 2 / ((v ** 2).sum() / v.size)
    big *= (q ** 3 + 1) * (q + 1) / (q * q + 1) ** 2
    gap = np.abs(RATIO - big)
    return GRID[np.flatnonzero(gap == gap.min())[-1]], l, r


def features(x):
    mu = blur(x)
    m = (x - mu) / (np.sqrt(np.maximum(blur(x * x) - mu * mu, 0)) + 1 / 255)
    m[np.abs(m) < 1e-9] = 0
    shape, l, r = fit(m)
    out = [shape, (l * l + r * r) / 2]
    p = np.pad(m, 1)
    for dy, dx in ((0, 1), (1, 0), (1, 1), (-1, 1)):
        shifted = p[1 + dy:1 + dy + m.shape[0], 1 + dx:1 + dx + m.shape[1]]
        g, l, r = fit(m * shifted)
        mean = (r - l) * gamma(2 / g) / gamma(1 / g) * math.sqrt(gamma(1 / g) / gamma(3 / g))
        out += [g, mean, l * l, r * r]
    return out


def main():
    vectors, alpha, rho, (low, high) = load(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"name": "brisque-reference", "fingerprint": "1", "higher_is_better": False}
        if request["op"] == "score":
            scores = []
            for item in request["items"]:
                png = base64.b64decode(item["image"]["png"])
                rgb = np.array(Image.open(io.BytesIO(png))).astype(int)
                grey = (9798 * rgb[..., 0] + 19235 * rgb[..., 1] + 3735 * rgb[..., 2] + 16384) >> 15
                x = grey / 255
                z = -1 + 2 * (np.array(features(x) + features(half(x))) - low) / (high - low)
                near = np.exp(-0.05 * ((vectors - z) ** 2).sum(1))
                scores.append({"key": item["key"], "score": float(near @ alpha - rho)})
            reply = {"id": request["id"], "scores": scores}
        print(json.dumps(reply), flush=True)


main()
