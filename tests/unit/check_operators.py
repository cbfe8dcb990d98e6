#!/usr/bin/env python3
"""check_operators.py OPERATOR_PEER [CASES]: the operators beside NumPy and Pillow on random images.

- skin, nonskin, hue: the definition of scorer audit 2.2 to 2.5 in NumPy, whole images at a time.
- blur: the definition as two matrices of Gaussian weights with mirrored borders.
- codec: the bytes of Pillow's save(quality=q, subsampling=0), opened again.
- warp, warpsham: the definition of 2.6 by formulas over whole rows, with another cubic.
All bytes are the same but where the unrounded value lies within 1e-6 of a half: there one step. The
measures agree within 1e-9. Without NumPy or Pillow: skipped.
"""
import io
import random
import struct
import subprocess
import sys

try:
    import numpy as np
    from PIL import Image
except ImportError:
    print("skipped: no NumPy or no Pillow (Debian: python3-numpy, python3-pil)")
    sys.exit(77)

OPERATORS = {"skin": 0, "nonskin": 2, "hue": 3, "blur": 4, "codec": 5, "warp": 6, "warpsham": 7}
MATRIX = np.array([[.412453, .357580, .180423], [.212671, .715160, .072169],
                   [.019334, .119193, .950227]])
WHITE = np.array([0.95047, 1, 1.08883])


def lab_of(rgb):
    v = rgb / 255
    linear = np.where(v > 0.04045, ((v + 0.055) / 1.055) ** 2.4, v / 12.92)
    t = linear @ MATRIX.T / WHITE
    h = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.stack([116 * h[..., 1] - 16, 500 * (h[..., 0] - h[..., 1]),
                     200 * (h[..., 1] - h[..., 2])], -1)


def encoded_of(lab):
    y = (lab[..., 0] + 16) / 116
    h = np.stack([y + lab[..., 1] / 500, y, y - lab[..., 2] / 200], -1)
    t = np.where(h > 6 / 29, h ** 3, (116 * h - 16) / (24389 / 27))
    u = (t * WHITE) @ np.linalg.inv(MATRIX).T
    return np.where(u > 0.0031308, 1.055 * np.maximum(u, 0.0031308) ** (1 / 2.4) - 0.055, 12.92 * u)


def blurring(n, sigma):
    """[n][n] weights of the Gaussian with the border dcba|abcd|dcba."""
    radius = int(np.floor(4 * sigma + 0.5))
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    out = np.zeros((n, n))
    for i in range(n):
        for k, weight in zip(range(-radius, radius + 1), kernel):
            j = (i + k) % (2 * n)
            out[i, j if j < n else 2 * n - 1 - j] += weight
    return out


def blurred(planes, sigma):
    if sigma == 0:
        return planes
    return np.einsum("ij,jkc,lk->ilc", blurring(planes.shape[0], sigma), planes,
                     blurring(planes.shape[1], sigma))


def band_of(person):
    rows = np.flatnonzero(person.sum(1) >= max(1, 0.005 * person.shape[1]))
    height = rows[-1] - rows[0] + 1
    y0, y1 = rows[0] + .20 * height, rows[0] + .55 * height
    y, x = np.nonzero(person)
    x = x[(y >= y0) & (y <= y1)]
    return y0, y1, x.mean(), np.abs(x - x.mean()).max()


def window(y, y0, y1, tukey):
    u = (y - y0) / (y1 - y0)
    h = 0.5 * (1 - np.cos(2 * np.pi * u))
    if tukey:
        edge = np.minimum(u, 1 - u)
        h = np.where(edge >= 0.25, 1, 0.5 * (1 - np.cos(4 * np.pi * edge)))
    return np.where((y >= y0) & (y <= y1), h, 0)


def sources(shape, person, dose, tukey, sham):
    y0, y1, centre, reach = band_of(person)
    h = window(np.arange(shape[0], dtype=float), y0, y1, tukey)[:, None]
    x = np.arange(shape[1], dtype=float)[None, :]
    if sham:
        return x - dose * h
    g = 1 + (dose - 1) * h
    t = x - centre
    far = np.abs(t)
    edge = reach * g
    outside = reach * (g - 1) / 2 * (1 + np.cos(np.pi * (far - edge) / reach))
    by = np.where(far <= edge, far * (1 - 1 / g), np.where(far < edge + reach, outside, 0))
    return centre + np.sign(t) * (far - by)


def cubic(d):
    d = np.abs(d)
    return np.where(d <= 1, (1.5 * d - 2.5) * d * d + 1,
                    np.where(d < 2, ((-0.5 * d + 2.5) * d - 4) * d + 2, 0))


def warped(rgb, source):
    rows = np.arange(rgb.shape[0])[:, None]
    first = np.floor(source).astype(int)
    total = np.zeros(rgb.shape)
    for k in range(-1, 3):
        place = np.clip(first + k, 0, rgb.shape[1] - 1)
        total += cubic(source - (first + k))[..., None] * rgb[rows, place]
    return total


def through_jpeg(rgb, quality):
    held = io.BytesIO()
    Image.fromarray(rgb).save(held, "JPEG", quality=quality, subsampling=0)
    return np.asarray(Image.open(held).convert("RGB")).astype(float)


def defined(name, dose, rgb, mask, person, tukey, sigma):
    """Unrounded values x 255, the pixels whose clipping is counted, those of the edit energy, and
    the artifact of a warp."""
    everywhere, scale = np.ones(mask.shape, bool), min(mask.shape) / 224
    if name in ("warp", "warpsham"):
        source = sources(mask.shape, person, dose, tukey, name == "warpsham")
        y0, y1, _, _ = band_of(person)
        y = np.arange(mask.shape[0])[:, None]
        band = np.broadcast_to((y >= y0) & (y <= y1), mask.shape)
        moved = np.abs(source - np.arange(mask.shape[1])).max() / mask.shape[1]
        return warped(rgb.astype(float), source), None, band, moved
    if name == "blur":
        return blurred(rgb.astype(float), dose * scale), None, everywhere, None
    if name == "codec":
        same = dose == 0
        return (rgb.astype(float) if same else through_jpeg(rgb, 100 - int(dose))), None, \
            everywhere, None
    weight = blurred(mask[..., None].astype(float), sigma * scale)[..., 0]
    lab, counted = lab_of(rgb.astype(float)), mask
    if name == "hue":
        z = (lab[..., 1] + 1j * lab[..., 2]) * np.exp(1j * np.radians(dose * weight))
        lab = np.stack([lab[..., 0], z.real, z.imag], -1)
    elif name == "nonskin":
        lab[..., 0] += dose * (1 - weight)
        counted = ~mask
    else:
        lab[..., 0] += dose * weight
    return 255 * encoded_of(lab), counted, counted, None


def measures(values, rgb, made, counted, support, moved):
    apart = np.sqrt(((lab_of(made.astype(float)) - lab_of(rgb.astype(float))) ** 2).sum(-1))
    frac = mag = np.nan
    if counted is not None and counted.any():
        out = (values < -255e-6) | (values > 255 + 255e-6)
        cut = np.abs(values - np.clip(values, 0, 255)).sum(-1)
        clipped = out.any(-1) & counted
        frac, mag = clipped.sum() / counted.sum(), cut[clipped].sum() / 3 / counted.sum()
    energy = apart[support].mean() if support.any() else np.nan
    return np.array([frac, mag, energy, apart.mean(), np.nan if moved is None else moved])


def ask(peer, numbers, rgb, mask, person):
    user = np.repeat(mask[..., None].astype(np.uint8) * 255, 3, -1)
    peer.stdin.write(struct.pack("<6d", *numbers) + rgb.tobytes() + user.tobytes() +
                     person.astype(np.uint8).tobytes())
    peer.stdin.flush()
    data = peer.stdout.read(rgb.size + 40)
    if len(data) != rgb.size + 40:
        sys.exit(f"{peer.args[0]}: {len(data)} bytes instead of {rgb.size + 40}")
    return np.frombuffer(data[:rgb.size], np.uint8).reshape(rgb.shape), \
        np.frombuffer(data[rgb.size:], np.float64)


def case(draw, rng):
    name = draw.choice(list(OPERATORS))
    width, height = draw.randint(8, 90), draw.randint(12, 90)
    smooth = rng.integers(0, 256, (1 + height // 8, 1 + width // 8, 3), dtype=np.uint8)
    rgb = np.asarray(Image.fromarray(smooth).resize((width, height), Image.BICUBIC)).astype(int)
    rgb = np.clip(rgb + rng.integers(-9, 10, rgb.shape), 0, 255).astype(np.uint8)
    y, x = np.mgrid[:height, :width]
    mask = ((x / width - .5) ** 2 + (y / height - .5) ** 2) < draw.uniform(.02, .3)
    person = np.abs(x / width - draw.uniform(.3, .7)) < draw.uniform(.1, .3) * (1 + y / height)
    person &= y >= draw.randint(0, 3)
    grid = {"skin": (-60, 60), "nonskin": (-60, 60), "hue": (-180, 180), "blur": (0, 30),
            "codec": (0, 99), "warp": (.37, 1.63), "warpsham": (-8, 8)}[name]
    dose = draw.uniform(*grid) if name != "codec" else draw.randint(*grid)
    return name, dose, rgb, mask, person, draw.randint(0, 1), draw.choice((0, 3, 12))


def compare(peer, drawn):
    name, dose, rgb, mask, person, tukey, sigma = drawn
    numbers = (OPERATORS[name], dose, rgb.shape[1], rgb.shape[0], tukey, sigma)
    made, got = ask(peer, numbers, rgb, mask, person)
    values, counted, support, moved = defined(name, dose, rgb, mask, person, tukey, sigma)
    want = np.floor(np.clip(values, 0, 255) + 0.5)
    near = np.abs(np.clip(values, 0, 255) + 0.5 - np.round(np.clip(values, 0, 255) + 0.5)) < 1e-6
    apart = np.abs(want - made)
    wrong = []
    if (apart[~near] > 0).any() or (apart > 1).any():
        wrong.append(f"{int((apart > 0).sum())} bytes, at most {apart.max():g}")
    numbers = measures(values, rgb, made, counted, support, moved)
    if not np.allclose(numbers, got, rtol=1e-9, atol=1e-9, equal_nan=True):
        wrong.append(f"measures {got} instead of {numbers}")
    return wrong


def main():
    draw, rng = random.Random(5), np.random.default_rng(5)
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    bad = 0
    with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as peer:
        for _ in range(cases):
            drawn = case(draw, rng)
            wrong = compare(peer, drawn)
            if wrong:
                bad += 1
                print(f"{drawn[0]} {drawn[1]} of {drawn[2].shape}: {wrong}")
        peer.stdin.close()
    print(f"{cases} cases, {bad} differ")
    return 1 if bad or peer.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
