#!/usr/bin/env python3
"""published_grey.py PROGRAM: 16-bit grey pictures through the published scorers' preprocessing.
PROGRAM is published_tensor.

OpenAI's preprocessing is written out here with Pillow, and NumPy for the last two lines: LAION,
CLIP and ImageReward resize a PNG in Pillow's mode I and convert to RGB then; the same bits are
wanted. PickScore and HPSv2 convert first: the tensor of the file has to be that of the RGB picture.
Of a TIFF (mode I;16) Pillow 9 cannot make another size: the one loader fails, and tare goes by the
other order. Exit 77 without NumPy and Pillow, or where Pillow opens such PNG in another mode.
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PROGRAM = sys.argv[1]
BEFORE_RGB = ("laion-v1", "laion-v2", "clip-l14", "clip-b32", "imagereward")
RGB_FIRST = ("pickscore", "hpsv2.0", "hpsv2.1")
SIDE = 224
MEAN = np.array((.48145466, .4578275, .40821073), np.float32)[:, None, None]
STD = np.array((.26862954, .26130258, .27577711), np.float32)[:, None, None]
SIZES = [(301, 227), (227, 301), (225, 973), (1013, 241), (224, 331), (224, 224), (57, 43),
         (31, 113), (641, 479)]
SAMPLES = (700, 65535, 255)


def openai(picture):
    w, h = picture.size
    if min(w, h) != SIDE:
        to = (SIDE, int(SIDE * h / w)) if w <= h else (int(SIDE * w / h), SIDE)
        picture = picture.resize(to, Image.BICUBIC)
    left, top = (round((n - SIDE) / 2) for n in picture.size)
    picture = picture.crop((left, top, left + SIDE, top + SIDE)).convert("RGB")
    v = np.moveaxis(np.asarray(picture), 2, 0).astype(np.float32) / np.float32(255)
    return (v - MEAN) / STD


def ours(recipe, path):
    done = subprocess.run([PROGRAM, recipe, "-", path], capture_output=True, timeout=60)
    assert done.returncode == 0, f"{recipe} {path}: {done.stderr.decode()}"
    return np.frombuffer(done.stdout, np.float32)


def differing(a, b):
    return int((a.ravel().view(np.uint32) != b.ravel().view(np.uint32)).sum())


def check(grey, folder):
    """Pairs of what was compared, and in how many numbers it differs."""
    png, tif, rgb = (os.path.join(folder, name) for name in ("grey.png", "grey.tif", "rgb.png"))
    Image.fromarray(grey.astype(np.int32), "I").save(png)
    Image.fromarray(grey.astype(np.uint16)).save(tif)
    opened = Image.open(png)
    if opened.mode != "I":
        print(f"skipped: this Pillow opens 16-bit grey PNG in mode {opened.mode}")
        sys.exit(77)
    converted = opened.convert("RGB")
    converted.save(rgb)
    wanted = openai(opened)
    for recipe in BEFORE_RGB:
        yield recipe, differing(ours(recipe, png), wanted)
    for recipe in RGB_FIRST:
        yield recipe, differing(ours(recipe, png), ours(recipe, rgb))
    yield "TIFF", differing(ours("laion-v2", tif), openai(converted))
    try:
        openai(Image.open(tif))
        resized = True
    except ValueError as said:
        resized = "wrong mode" not in str(said)
    if Image.__version__.startswith("9."):
        yield "Pillow and the TIFF", int(resized != (min(opened.size) == SIDE))


def main():
    rng = np.random.default_rng(16)
    bad = compared = apart = 0
    with tempfile.TemporaryDirectory() as folder:
        for width, height in SIZES:
            for most in SAMPLES:
                grey = rng.integers(0, most + 1, (height, width))
                clipped = openai(Image.fromarray(np.minimum(grey, 255).astype(np.uint8)))
                apart += differing(openai(Image.fromarray(grey.astype(np.int32), "I")), clipped) > 0
                for name, count in check(grey, folder):
                    compared += 1
                    if count:
                        bad += 1
                        print(f"FAIL  {name}, {width}x{height}, 0 to {most}: {count} differ")
    print(f"{compared - bad} of {compared} agree; in {apart} pictures the order matters")
    sys.exit(1 if bad or not apart else 0)


if __name__ == "__main__":
    main()
