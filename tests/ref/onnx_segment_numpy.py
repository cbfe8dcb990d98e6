#!/usr/bin/env python3
"""onnx_segment_numpy.py PROGRAM LIBRARY: masks of segmenters against Pillow and NumPy.

PROGRAM is segment_program. Small models made by the package onnx give a map of the red channel in
several layouts; pictures are stretched, cropped and padded. What the map is and where it goes back
to is computed here in double from the words of docs/onnx-scorer.md. Values within 1e-6 of the
threshold may fall on either side (the model computes in single precision). Exit 77: no onnx, no
Pillow, or no library."""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from PIL import Image
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

H, W = 18, 24  # of the models' input


def picture(width, height, seed):
    """Smooth and coloured, so that the border of the mask crosses rows and columns."""
    noise = np.random.default_rng(seed).integers(0, 256, (5, 6, 3), np.uint8)
    return Image.fromarray(noise).resize((width, height), Image.BICUBIC)


def save_model(path, nodes, layout, rank, constants=()):
    shape = ["N", 3, H, W] if layout == "nchw" else ["N", H, W, 3]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * rank)],
        [numpy_helper.from_array(v, k) for k, v in constants])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, path)


def models(folder):
    """Name: (layout, map of [H][W][3] in 0..1 after the activation)."""
    node = helper.make_node
    eight = np.float32([8])
    save_model(folder + "/same.onnx", [node("Identity", ["x"], ["y"])], "nchw", 4)
    save_model(folder + "/last.onnx", [node("Identity", ["x"], ["y"])], "nhwc", 4)
    save_model(folder + "/flat.onnx", [node("Gather", ["x", "zero"], ["r"], axis=1),
                                       node("Sub", ["r", "half"], ["c"]),
                                       node("Mul", ["c", "eight"], ["y"])], "nchw", 3,
               [("zero", np.array(0, np.int64)), ("half", np.float32([.5])), ("eight", eight)])
    save_model(folder + "/two.onnx", [node("Slice", ["x", "from", "to", "axis"], ["r"]),
                                      node("Mul", ["r", "eight"], ["y"])], "nchw", 4,
               [("from", np.int64([0])), ("to", np.int64([2])), ("axis", np.int64([1])),
                ("eight", eight)])
    save_model(folder + "/small.onnx", [node("AveragePool", ["x"], ["y"], kernel_shape=[2, 2],
                                             strides=[2, 2])], "nchw", 4)


def half_size(v):
    return v.reshape(H // 2, 2, W // 2, 2).mean(axis=(1, 3))


MAPS = {
    "same": lambda v: v[..., 0],
    "last": lambda v: v[..., 0],
    "flat": lambda v: 1 / (1 + np.exp(-8 * (v[..., 0] - .5))),
    "two": lambda v: 1 / (1 + np.exp(8 * (v[..., 0] - v[..., 1]))),
    "small": lambda v: half_size(v[..., 0]),
}
OUTPUTS = {
    "same": {"layout": "nchw", "channel": 0, "activation": "none"},
    "last": {"layout": "nhwc", "channel": 0, "activation": "none"},
    "flat": {"layout": "nhw", "activation": "sigmoid"},
    "two": {"layout": "nchw", "channel": 1, "activation": "softmax"},
    "small": {"layout": "nchw", "channel": 0, "activation": "none"},
}


def resized(im, how):
    """Width and height after the resize."""
    w, h = im.size
    mode = how["resize"]["mode"]
    if mode == "stretch":
        return W, H
    if mode == "short":
        size = how["resize"].get("size", min(H, W))
        return (size, int(size * h / w)) if w <= h else (int(size * w / h), size)
    if mode == "long":
        scale = max(H, W) / max(w, h)
        return round(w * scale), round(h * scale)
    return w, h


def allowed(im, how):
    """Is all that is left over cut off, and all that is missing padded?"""
    return all(have == want or (have > want and "crop" in how) or (have < want and "pad" in how)
               for have, want in zip(resized(im, how), (W, H)))


def seen(im, how):
    """The model's pixels, and per axis (y, x): size after the resize, first pixel that is seen, how
    many are, and how much padding is before them."""
    w, h = resized(im, how)
    axes = []
    for have, want in ((h, H), (w, W)):
        crop, place = how.get("crop"), how.get("pad", {}).get("place")
        first = {"center-round": round((have - want) / 2), "center-floor": (have - want) // 2,
                 "topleft": 0, None: 0}[crop] if have > want else 0
        before = (want - have) // 2 if place == "center" and have < want else 0
        axes.append((have, first, min(have, want), before))
    out = np.empty((H, W, 3), np.float64)
    out[:] = np.array(how.get("pad", {}).get("colour", [0, 0, 0])) / 255
    sized = np.asarray(im.resize((w, h), Image.BILINEAR) if im.size != (w, h) else im) / 255
    (_, y, rows, top), (_, x, columns, left) = axes
    out[top:top + rows, left:left + columns] = sized[y:y + rows, x:x + columns]
    return out, axes


def look_up(n, axis, tensor, size):
    """For n pixels of the photograph: two neighbours in the map, weight, and is it seen?"""
    resized, first, count, before = axis
    at = (np.arange(n) + .5) * resized / n
    inside = (at >= first) & (at < first + count)
    scale = size / tensor
    c = (at - first + before) * scale - .5
    c = np.clip(c, before * scale, (before + count) * scale - 1)
    c = np.clip(c, 0, size - 1)
    low = np.floor(c).astype(int)
    return low, np.minimum(low + 1, size - 1), c - low, inside


def expected(im, model, how):
    """Value at each pixel of the photograph; NaN where it is not seen."""
    pixels, axes = seen(im, how)
    p = MAPS[model](pixels)
    y0, y1, fy, iny = look_up(im.size[1], axes[0], H, p.shape[0])
    x0, x1, fx, inx = look_up(im.size[0], axes[1], W, p.shape[1])
    upper = p[y0][:, x0] * (1 - fx) + p[y0][:, x1] * fx
    lower = p[y1][:, x0] * (1 - fx) + p[y1][:, x1] * fx
    v = upper * (1 - fy[:, None]) + lower * fy[:, None]
    return np.where(iny[:, None] & inx[None, :], v, np.nan)


LONG = {"mode": "long", "kernel": "bilinear"}
SHORT = {"mode": "short", "kernel": "bilinear"}
INPUTS = [
    {"resize": {"mode": "stretch", "kernel": "bilinear"}},
    {"resize": SHORT, "crop": "center-round"},
    {"resize": dict(SHORT, size=27), "crop": "center-floor"},
    {"resize": dict(SHORT, size=40), "crop": "topleft"},
    {"resize": LONG, "pad": {"colour": [255, 0, 0], "place": "center"}},
    {"resize": LONG, "pad": {"colour": [255, 0, 0], "place": "topleft"}},
]
SIZES = [(61, 47), (40, 90), (24, 18), (7, 9), (150, 100)]


def write_manifest(path, model, how, output):
    layout = "nhwc" if model == "last" else "nchw"
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"tare_scorer": 1, "name": model, "model": model + ".onnx",
                   "input": dict({"name": "x", "kind": "image", "layout": layout, "size": [H, W],
                                  "divide": 255}, **how),
                   "output": {"name": "y", "map": output}}, out)


def compare(program, library, folder, case):
    model, how, size, output = case
    im = picture(*size, seed=sum(size))
    im.save(folder + "/p.png")
    write_manifest(folder + "/m.json", model, how, output)
    done = subprocess.run([program, library, folder + "/m.json", folder + "/p.png"],
                          capture_output=True, check=False)
    if not allowed(im, how):
        if done.returncode == 0 or b"[unsupported_pixels]" not in done.stderr:
            sys.exit("%r: is not refused" % (case,))
        return 0
    if done.returncode:
        sys.exit("%r: %s" % (case, done.stderr.decode()))
    got = np.frombuffer(done.stdout, np.uint8).reshape(size[1], size[0])
    value = expected(im, model, how)
    level = output.get("threshold", .5)
    want = value > level if output.get("greater", True) else value < level
    wrong = (got != want) & ~(np.abs(value - level) < 1e-6)
    if wrong.any():
        sys.exit("%r: %d of %d pixels differ, the first at %s" % (
            case, wrong.sum(), wrong.size, np.argwhere(wrong)[0]))
    return int(0 < got.mean() < 1)


def main(program, library):
    if not os.path.exists(library):
        print("skipped: no ONNX Runtime here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        models(folder)
        cases = [("same", how, size, OUTPUTS["same"]) for how in INPUTS for size in SIZES]
        cases += [(m, how, SIZES[0], OUTPUTS[m]) for m in MAPS for how in (INPUTS[0], INPUTS[4])]
        cases += [("small", how, SIZES[1], OUTPUTS["small"]) for how in INPUTS]
        cases += [("same", INPUTS[4], SIZES[0], dict(OUTPUTS["same"], threshold=.3, greater=False)),
                  ("same", {"resize": {"mode": "none"}, "crop": "center-round"}, SIZES[0],
                   dict(OUTPUTS["same"], channel=0))]
        telling = sum(compare(program, library, folder, case) for case in cases)
    if telling < len(cases) / 2:
        sys.exit("only %d of %d masks have both values" % (telling, len(cases)))
    print("%d masks, %d of them with both values" % (len(cases), telling))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
