#!/usr/bin/env python3
"""Print SHA-256 of Pillow's resize for all modes, for tests/unit/resize_golden.h.

Image: byte i = (uint32)(i * 2654435761) >> 24; mode 1: 255 where that is above 127.
Mode I: number i = (uint32)(i * 2654435761) >> 16, summed and hashed as four bytes, the lowest
first.
Made with Pillow 9.4; the lines of pillow13 with Pillow 13.0.0 (TARE_PILLOW: its folder), those of
mode I too with 9.4, the sides resized one after the other.
"""
import hashlib
import os
import struct
import sys

if os.environ.get("TARE_PILLOW"):
    sys.path.insert(0, os.environ["TARE_PILLOW"])
import PIL  # noqa: E402
from PIL import Image  # noqa: E402

MODES = {"RGB": 3, "L": 1, "LA": 2, "RGBA": 4, "CMYK": 4, "P": 1, "1": 1}
KERNELS = ["NEAREST", "BOX", "BILINEAR", "HAMMING", "BICUBIC", "LANCZOS"]
SIZES = [(61, 47, 29, 23), (40, 90, 55, 31), (40, 90, 33, 80), (19, 200, 17, 21)]
# on both sides of the rule of Pillow 13, and with a width that grows
TALL = [(300, 900, 224, 672), (60, 200, 30, 140), (60, 200, 30, 139), (60, 200, 59, 198),
        (60, 200, 59, 197), (60, 200, 60, 199), (60, 200, 90, 199), (60, 200, 90, 200),
        (60, 200, 90, 201), (640, 480, 298, 224), (480, 640, 224, 298), (5, 2000, 4, 10)]


def noise(mode, width, height):
    if mode == "I":
        return Image.frombytes("I", (width, height), b"".join(
            struct.pack("<i", (i * 2654435761 & 0xffffffff) >> 16) for i in range(width * height)))
    data = bytes((i * 2654435761 & 0xffffffff) >> 24 for i in range(width * height * MODES[mode]))
    if mode == "1":
        data = bytes(255 * (b > 127) for b in data)
        return Image.frombytes("L", (width, height), data).convert("1")
    return Image.frombytes(mode, (width, height), data)


def line(mode, kernel, size, down_first=False):
    out = noise(mode, *size[:2])
    if down_first:
        out = out.resize((size[0], size[3]), getattr(Image, kernel))
    out = out.resize(size[2:], getattr(Image, kernel))
    data = (out.convert("L") if mode == "1" else out).tobytes()
    sizes = ", ".join(str(n) for n in size)
    print(f'    {{"{mode}", "{kernel.lower()}", {{{sizes}}}, {sum(data)}, '
          f'"{hashlib.sha256(data).hexdigest()[:16]}"}},')


if int(PIL.__version__.split(".")[0]) >= 13:
    for one in TALL:
        line("RGB", "BICUBIC", one)
    for name in MODES:
        line(name, "LANCZOS", (50, 300, 45, 120))
else:
    for index, name in enumerate(MODES):
        for number, filter_name in enumerate(KERNELS):
            line(name, filter_name, SIZES[(index + number) % len(SIZES)])
    for number, filter_name in enumerate(KERNELS):
        line("I", filter_name, SIZES[number % len(SIZES)])
    for filter_name in KERNELS[1:]:  # among those of pillow13
        line("I", filter_name, (50, 300, 45, 120), True)
