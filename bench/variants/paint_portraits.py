#!/usr/bin/env python3
"""paint_portraits.py FOLDER [COUNT] - seeded synthetic portraits of about 480 x 600 as JPEG."""
import os
import sys

import numpy as np
from PIL import Image


def portrait(rng):
    w, h = int(rng.integers(470, 491)), int(rng.integers(590, 611))
    y, x = np.mgrid[0:h, 0:w].astype(float)
    back = np.array([90, 110, 140]) + rng.normal(0, 12, 3)
    rgb = back + 25 * np.sin(x / 37 + y / 53)[..., None]
    tone = np.array([[224, 172, 145], [198, 140, 112], [141, 95, 75], [110, 72, 58]])[
        rng.integers(4)]
    cx, cy, rx, ry = w / 2 + rng.normal(0, 15), h * .45, w * .27, h * .30
    face = ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2
    light = 1 - .18 * (x - cx) / rx - .1 * face
    edge = 1 / (1 + np.exp((face - 1) * 12))
    rgb = rgb * (1 - edge[..., None]) + tone * light[..., None] * edge[..., None]
    rgb += rng.normal(0, 3, (h, w, 1)) + rng.normal(0, 1.5, (h, w, 3))
    return Image.fromarray(rgb.clip(0, 255).astype(np.uint8))


def main():
    folder, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 70
    os.makedirs(folder, exist_ok=True)
    rng = np.random.default_rng(20240501)
    for k in range(count):
        portrait(rng).save(os.path.join(folder, f"portrait_{k:03d}.jpg"), quality=90)


if __name__ == "__main__":
    main()
