#!/usr/bin/env python3
"""peer_pillow_resize.py [SECONDS]: the cases of bench_resize with Pillow, which it reads as names
from standard input; the same TSV. Planes are three images of mode "F"."""
import sys
import time

import numpy as np
from PIL import Image

KERNELS = {"nearest": 0, "bilinear": 2, "lanczos": 1, "bicubic": 3}
CHANNELS = {"RGB": 3, "RGBA": 4, "L": 1, "planes": 3}


def noise(width, height, channels):
    i = np.arange(width * height * channels, dtype=np.uint64)
    return ((i * 2654435761 & 0xffffffff) >> 24).astype(np.uint8).reshape(height, width, channels)


def pictures(mode, data):
    if mode == "planes":
        return [Image.fromarray(np.ascontiguousarray(data[..., c]).astype(np.float32)
                                / np.float32(255), "F") for c in range(3)]
    return [Image.fromarray(data[..., 0] if mode == "L" else data, mode)]


def main():
    least = float(sys.argv[1]) if len(sys.argv) > 1 else 0.3
    for name in sys.stdin.read().splitlines():
        mode, size, _, to, kernel = name.split()
        (width, height), to = (tuple(int(n) for n in s.split("x")) for s in (size, to))
        inputs = pictures(mode, noise(width, height, CHANNELS[mode]))
        best, end = float("inf"), time.perf_counter() + least
        while True:
            start = time.process_time()
            made = [picture.resize(to, KERNELS[kernel]) for picture in inputs]
            best = min(best, time.process_time() - start)
            if time.perf_counter() > end:
                break
        total = sum(float(np.asarray(picture).sum(dtype=np.float64)) for picture in made)
        total = np.floor(total * 1000 + 0.5) if mode == "planes" else total
        print(name, "Pillow", f"{best * 1e3:.4f}", f"{total:.0f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
