#!/usr/bin/env python3
"""Write onnx_prepare.tsv: tensors that manifests make of images, for test_onnx_prepare.c.

Pillow resizes, NumPy does the rest; scorers 6.2 (the float resize) is written out here in double.
Image: byte i of the mode's samples = (uint32)(i * 2654435761) >> 24; a palette of 256 colours is
the same bytes from the start. Made with Pillow 9.4 and NumPy 1.24:
    onnx_prepare_reference.py > onnx_prepare.tsv
"""
import hashlib
import math
import random

import numpy as np
from PIL import Image

KERNELS = {"nearest": 0, "box": 4, "bilinear": 2, "hamming": 5, "bicubic": 3, "lanczos": 1}
CHANNELS = {"RGB": 3, "L": 1, "LA": 2, "RGBA": 4, "CMYK": 4, "P": 1, "1": 1}
CLIP_MEAN = (.48145466, .4578275, .40821073)
CLIP_STD = (.26862954, .26130258, .27577711)
COLUMNS = ("name", "mode", "w", "h", "layout", "type", "order", "height", "width", "fit", "kernel",
           "backend", "pass", "before", "crop", "pad", "red", "green", "blue", "divide",
           "mean0", "mean1", "mean2", "std0", "std1", "std2", "fit_height", "fit_width")
PLAIN = dict(mode="RGB", w=64, h=48, layout="nchw", type="f32", order="rgb", height=32, width=32,
             fit="short", kernel="bicubic", backend="pillow", before=0, crop="center-round",
             pad="none", red=0, green=0, blue=0, divide=255, mean0=0, mean1=0, mean2=0, std0=1,
             std1=1, std2=1, fit_height=0, fit_width=0)
PLAIN["pass"] = "h-first"


def noise(count):
    i = np.arange(count, dtype=np.uint64)
    return ((i * 2654435761 & 0xffffffff) >> 24).astype(np.uint8)


def picture(mode, w, h):
    samples = noise(w * h * CHANNELS[mode])
    if mode == "1":
        return Image.fromarray(np.where(samples >= 128, 255, 0).astype(np.uint8)
                               .reshape(h, w)).convert("1", dither=0)
    made = Image.frombytes(mode, (w, h), samples.tobytes())
    if mode == "P":
        made.putpalette(noise(768).tobytes())
    return made


def sizes(c):
    w, h = c["w"], c["h"]
    to_width, to_height = c["fit_width"] or c["width"], c["fit_height"] or c["height"]
    if c["fit"] == "short":
        size = min(to_width, to_height)
        return (size, int(size * h / w)) if w <= h else (int(size * w / h), size)
    if c["fit"] == "long":
        scale = max(to_width, to_height) / float(max(w, h))
        return round(w * scale), round(h * scale)
    return (to_width, to_height) if c["fit"] == "stretch" else (w, h)


def cubic(x, a):
    x = abs(x)
    if x < 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((x - 5) * x + 8) * x * a - 4 * a if x < 2 else 0


def sinc(x):
    return 1 if x == 0 else math.sin(math.pi * x) / (math.pi * x)


SMOOTH = {"box": (.5, lambda x: float(-.5 < x <= .5)),
          "bilinear": (1, lambda x: max(0, 1 - abs(x))),
          "hamming": (1, lambda x: sinc(x) * (.54 + .46 * math.cos(math.pi * x)) if abs(x) < 1
                      else 0),
          "bicubic": (2, lambda x: cubic(x, -.5)),
          "lanczos": (3, lambda x: sinc(x) * sinc(x / 3) if -3 <= x < 3 else 0)}


def weights(n, to, kernel, antialias):
    """[to][n] in double."""
    made = np.zeros((to, n))
    scale = n / to
    for i in range(to):
        centre = (i + .5) * scale
        if antialias:
            support, k = SMOOTH[kernel]
            f = max(scale, 1)
            lo = max(0, int(centre - support * f + .5))
            hi = min(n, int(centre + support * f + .5))
            row = np.array([k((j - centre + .5) / f) for j in range(lo, hi)])
            made[i, lo:hi] = row / row.sum()
            continue
        x = centre - .5
        taps = {"bilinear": (0, 1), "bicubic": (-1, 0, 1, 2)}[kernel]
        if kernel == "bilinear":
            x = max(x, 0)
        for t in taps:
            j = math.floor(x) + t
            far = x - j
            w = cubic(far, -.75) if kernel == "bicubic" else 1 - abs(far)
            made[i, min(max(j, 0), n - 1)] += w
    return made


def resized(image, c, to):
    """[h][w][3]: bytes, or doubles of the tensor back end."""
    if c["backend"] != "pillow":
        v = np.asarray(image.convert("RGB"), np.float64) / 255
        if to != image.size:
            smooth = c["backend"] == "tensor-smooth"
            v = np.einsum("ij,jkc->ikc", weights(image.height, to[1], c["kernel"], smooth), v)
            v = np.einsum("ij,kjc->kic", weights(image.width, to[0], c["kernel"], smooth), v)
        return v
    if not c["before"]:
        image = image.convert("RGB")
    if to != image.size:
        if c["pass"] == "pillow13":
            image = image.resize((image.width, to[1]), KERNELS[c["kernel"]])
        image = image.resize(to, KERNELS[c["kernel"]])
    return np.asarray(image.convert("RGB"))


def placed(v, c, colour):
    """[height][width][3], or None where the manifest does not allow it."""
    out = np.empty((c["height"], c["width"], 3), v.dtype)
    out[:] = colour
    cut, put = [], []
    for have, want in zip(v.shape, (c["height"], c["width"])):
        begin = before = 0
        if have > want:
            if c["crop"] == "none":
                return None
            begin = {"center-round": round((have - want) / 2), "topleft": 0,
                     "center-floor": (have - want) // 2}[c["crop"]]
        elif have < want:
            if c["pad"] == "none":
                return None
            before = (want - have) // 2 if c["pad"] == "center" else 0
        seen = min(have, want)
        cut.append(slice(begin, begin + seen))
        put.append(slice(before, before + seen))
    out[put[0], put[1]] = v[cut[0], cut[1]]
    return out


def tensor(c):
    to = sizes(c)
    if min(to) < 1 or max(to) > 65535:
        return None
    colour = np.array([c["red"], c["green"], c["blue"]], np.float64)
    whole = np.uint8 if c["backend"] == "pillow" else np.float64
    v = resized(picture(c["mode"], c["w"], c["h"]), c, to)
    v = placed(v, c, (colour if whole is np.uint8 else colour / 255).astype(whole))
    if v is None:
        return None
    mean = np.array([c["mean0"], c["mean1"], c["mean2"]])
    std = np.array([c["std0"], c["std1"], c["std2"]])
    if c["backend"] != "pillow":
        v = (v * (255 / c["divide"]) - mean) / std
    elif c["type"] != "u8":
        v = v.astype(np.float32) / np.float32(c["divide"])
        v = (v - mean.astype(np.float32)) / std.astype(np.float32)
        assert v.dtype == np.float32
        if c["type"] == "f16":
            with np.errstate(over="ignore"):
                v = v.astype(np.float16)
    if c["order"] == "bgr":
        v = v[:, :, ::-1]
    return np.ascontiguousarray(v.transpose(2, 0, 1) if c["layout"] == "nchw" else v)


def answer(c):
    v = tensor(c)
    if v is None:
        return "refused"
    if c["backend"] == "pillow":
        return "sha:" + hashlib.sha256(v.tobytes()).hexdigest()[:16]
    flat = v.ravel()
    picked = [flat[k * 7919 % flat.size] for k in range(8)]
    return "near:" + ":".join(f"{x:.9g}" for x in [flat.sum(), *picked])


def clip(**more):
    made = dict(PLAIN, height=224, width=224)
    for k in range(3):
        made[f"mean{k}"], made[f"std{k}"] = CLIP_MEAN[k], CLIP_STD[k]
    return dict(made, **more)


def named():
    yield "clip-640x480", clip(w=640, h=480)
    yield "clip-480x640", clip(w=480, h=640)
    yield "clip-equal", clip(w=224, h=224)
    yield "clip-tie-227", clip(w=227, h=224)
    yield "clip-floor-227", clip(w=227, h=224, crop="center-floor")
    yield "clip-topleft", clip(w=227, h=224, crop="topleft")
    for mode in ("L", "LA", "RGBA", "CMYK", "P", "1"):
        yield f"clip-{mode}-before", clip(mode=mode, w=301, h=257, before=1)
        yield f"clip-{mode}-after", clip(mode=mode, w=301, h=257)
    yield "palette-equal", clip(mode="P", w=224, h=224, before=1)
    hps = dict(fit="long", crop="none", pad="center")
    for smooth in ("tensor-smooth", "tensor"):
        yield f"hpsv2-{smooth}", clip(w=640, h=480, backend=smooth, **hps)
        yield f"hpsv2-{smooth}-tall", clip(w=301, h=480, backend=smooth, **hps)
        yield f"hpsv2-{smooth}-equal", clip(w=224, h=101, backend=smooth, **hps)
    yield "ultraface", dict(PLAIN, w=300, h=401, height=240, width=320, fit="stretch", crop="none",
                            kernel="bilinear", divide=1, mean0=127, mean1=127, mean2=127,
                            std0=128, std1=128, std2=128)
    bytes_of = dict(type="u8", layout="nhwc", divide=1)
    yield "bytes", dict(PLAIN, **bytes_of)
    yield "bytes-padded", dict(PLAIN, **bytes_of, fit="long", crop="none", pad="topleft", red=10,
                               green=200, blue=30)
    yield "bytes-bgr", dict(PLAIN, **bytes_of, order="bgr")
    yield "half-small", dict(PLAIN, type="f16", divide=2.5e8)
    yield "half-large", dict(PLAIN, type="f16", divide=.003)
    yield "none-right", dict(PLAIN, w=32, h=32, fit="none", crop="none")
    yield "none-wrong", dict(PLAIN, w=33, h=32, fit="none", crop="none")
    yield "none-cropped", dict(PLAIN, w=33, h=41, fit="none")
    yield "none-too-small", dict(PLAIN, w=31, h=41, fit="none")
    yield "short-uncropped", dict(PLAIN, crop="none")
    yield "long-unpadded", dict(PLAIN, fit="long", crop="none")
    yield "long-square", dict(PLAIN, w=48, fit="long", crop="none")
    yield "long-to-nothing", dict(PLAIN, w=1, h=400, fit="long", crop="none", pad="center")
    yield "long-half-to-even", dict(PLAIN, w=5, h=64, fit="long", crop="none", pad="center")
    yield "short-too-long", dict(PLAIN, w=1, h=3000)
    yield "one-pixel", dict(PLAIN, w=1, h=1)
    yield "pillow13", dict(PLAIN, w=40, h=3000, fit="stretch", crop="none", **{"pass": "pillow13"})
    yield "wide-tensor", dict(PLAIN, height=20, width=40)
    for name, crop in (("torchvision", "center-round"), ("floor", "center-floor")):
        yield f"resized-256-{name}", clip(w=640, h=481, fit_height=256, fit_width=256, crop=crop)
        yield f"stretched-256-{name}", clip(w=300, h=200, fit="stretch", fit_height=255,
                                            fit_width=251, crop=crop)
    yield "resized-256-tensor", clip(w=333, h=500, fit_height=256, fit_width=256,
                                     backend="tensor-smooth", kernel="bilinear")
    yield "long-smaller", clip(w=640, h=480, fit="long", fit_height=200, fit_width=200,
                               crop="none", pad="center")
    yield "tensor-divide-1", dict(PLAIN, backend="tensor-smooth", divide=1, mean0=100, std0=50)


def drawn(count):
    draw = random.Random(20)
    for k in range(count):
        fit = draw.choice(["short", "long", "stretch"])
        kernel = draw.choice(list(KERNELS))
        c = dict(PLAIN, mode=draw.choice(["RGB", "RGB", *CHANNELS]), w=draw.randint(1, 90),
                 h=draw.randint(1, 90), layout=draw.choice(["nchw", "nhwc"]),
                 type=draw.choice(["f32", "f16"]), order=draw.choice(["rgb", "bgr"]),
                 height=draw.randint(1, 50), fit=fit, kernel=kernel, before=draw.randint(0, 1),
                 crop=draw.choice(["center-round", "center-floor", "topleft"])
                 if fit == "short" else "none",
                 pad=draw.choice(["none", "center", "topleft"]) if fit == "long" else "none",
                 red=draw.randint(0, 255), green=draw.randint(0, 255), blue=draw.randint(0, 255),
                 divide=draw.choice([1, 255, 127.5]))
        c["width"] = c["height"] if fit != "stretch" else draw.randint(1, 50)
        for j in range(3):
            c[f"mean{j}"] = round(draw.uniform(-1, 130), 3)
            c[f"std{j}"] = round(draw.uniform(.1, 130), 3)
        if k % 3 == 0:
            c["backend"] = draw.choice(["tensor", "tensor-smooth"])
            c.update(type="f32", before=0,
                     kernel=draw.choice(["bilinear", "bicubic"] if c["backend"] == "tensor"
                                        else list(SMOOTH)))
        yield f"drawn-{k}", c


print("# made by onnx_prepare_reference.py with Pillow and NumPy; columns: " + " ".join(COLUMNS) +
      " want (sha: of the tensor's bytes; near: sum and elements k * 7919 mod n)")
for name, case in [*named(), *drawn(90)]:
    case["name"] = name
    print(" ".join(str(case[column]) for column in COLUMNS), answer(case))
