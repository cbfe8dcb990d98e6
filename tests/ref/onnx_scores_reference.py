#!/usr/bin/env python3
"""Print the scores that the small models of tests/support/tiny_onnx.h give, computed by Pillow and
NumPy in double: pasted into tests/unit/onnx_fixture.h. Made with Pillow 9.4 and NumPy 1.24.

Picture k: RGB, 40 x 30, byte i = (uint32)((i + 977 k) * 2654435761) >> 24.
"""
import numpy as np
from PIL import Image

MEAN = np.float32([.5, .4, .3])
STD = np.float32([.25, .5, .125])


def picture(k):
    i = np.arange(40 * 30 * 3, dtype=np.uint64) + 977 * k
    return Image.fromarray(((i * 2654435761 & 0xffffffff) >> 24).astype(np.uint8)
                           .reshape(30, 40, 3))


def pixels(k, size, kernel, plain=False):
    """[3][h][w] in float32, as the manifests of the fixture say."""
    v = np.asarray(picture(k).resize(size, kernel), np.float32) / np.float32(255)
    if not plain:
        v = (v - MEAN) / STD
    return v.transpose(2, 0, 1).astype(np.float64)


def weight(name, count):
    mask = (1 << 64) - 1
    seed = 14695981039346656037
    for byte in name.encode():
        seed = (seed ^ byte) * 1099511628211 & mask
    out = []
    for i in range(count):
        z = (seed + (i + 1) * 0x9E3779B97F4A7C15) & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        z ^= z >> 31
        out.append(np.float32((z >> 40) / 8388608 - 1) / 4)
    return np.array(out, np.float64)


def tower(v):
    filters, bias = weight("filters", 216).reshape(8, 3, 3, 3), weight("bias", 8)
    padded = np.pad(v, ((0, 0), (1, 1), (1, 1)))
    h, w = v.shape[1:]
    out = np.zeros((8, h, w)) + bias[:, None, None]
    for y in range(3):
        for x in range(3):
            out += np.einsum("fc,chw->fhw", filters[:, :, y, x], padded[:, y:y + h, x:x + w])
    return np.maximum(out, 0).mean(axis=(1, 2))


def scores(k):
    """By the manifests of the fixture, in its order."""
    v = pixels(k, (16, 12), Image.BILINEAR)
    yield v.mean()
    p = np.exp(4 * pixels(k, (16, 12), Image.BILINEAR, plain=True).mean(axis=(1, 2)))
    yield (p / p.sum() * [1, 2, 3]).sum()
    yield np.asarray(picture(k).resize((10, 8), Image.NEAREST), np.float64).mean()
    yield v.mean() + .01 * (3 + 5 + 7)
    vector = tower(v)
    yield vector @ weight("weight", 8) + weight("head.bias", 1)[0]
    yield vector / np.linalg.norm(vector) @ weight("weight", 8) + weight("head.bias", 1)[0]
    yield vector.max()


for picture_number in range(4):
    print("    {" + ", ".join(f"{x:.12g}" for x in scores(picture_number)) + "},")
